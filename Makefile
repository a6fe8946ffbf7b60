PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help run test bench lint

help:   ## this list
	@sed -n 's/^\([a-z]*\): *## /make \1\t/p' $(MAKEFILE_LIST)

run:    ## install, migrate, load the shipped data, serve (PORT=8123, LAN=1)
	@$(PYTHON) manage.py play

test:   ## install, lint, every test on SQLite and on PostgreSQL
	@$(PYTHON) bootstrap.py test

bench:  ## install, measure against a bare Django view
	@$(PYTHON) bootstrap.py bench

lint:   ## install, lint
	@$(PYTHON) bootstrap.py lint
