PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help run test test-quick soak bench lint lock wheel sbom test-browsers

help:   ## this list
	@sed -n 's/^\([a-z-]*\): *## /make \1\t/p' $(MAKEFILE_LIST)

run:    ## install, migrate, load the shipped data, serve (PORT=8123, LAN=1)
	@$(PYTHON) manage.py play

test:   ## install, every test on SQLite and on PostgreSQL, lint beside; every stage runs
	@$(PYTHON) bootstrap.py test

test-quick: ## install, the tests that need no database, one walk in the browser: about a minute
	@$(PYTHON) bootstrap.py test-quick

test-browsers: ## install Firefox and WebKit too, what players do most and the lessons in each engine: three minutes
	@$(PYTHON) bootstrap.py test-browsers

soak:   ## install, the long tests in their whole length, all tests on PostgreSQL: about an hour
	@$(PYTHON) bootstrap.py soak

bench:  ## install, measure against a bare Django view
	@$(PYTHON) bootstrap.py bench

lint:   ## install, lint
	@$(PYTHON) bootstrap.py lint

lock:   ## resolve what pyproject.toml names into the lock files requirements*.txt
	@$(PYTHON) bootstrap.py lock

wheel:  ## build the package that pip, pipx and uvx install, into dist/
	@$(PYTHON) bootstrap.py wheel

sbom:   ## write sbom.json: everything that the app is made of
	@$(PYTHON) bootstrap.py sbom
