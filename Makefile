PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help run test bench lint lock sbom

help:   ## this list
	@sed -n 's/^\([a-z]*\): *## /make \1\t/p' $(MAKEFILE_LIST)

run:    ## install, migrate, load the shipped data, serve (PORT=8123, LAN=1)
	@$(PYTHON) manage.py play

test:   ## install, lint, every test on SQLite and on PostgreSQL; every stage runs
	@$(PYTHON) bootstrap.py test

bench:  ## install, measure against a bare Django view
	@$(PYTHON) bootstrap.py bench

lint:   ## install, lint
	@$(PYTHON) bootstrap.py lint

lock:   ## resolve requirements*.in into the lock files requirements*.txt
	@$(PYTHON) bootstrap.py lock

sbom:   ## write sbom.json: everything that the app is made of
	@$(PYTHON) bootstrap.py sbom
