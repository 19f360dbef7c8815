# `make demo` and `make test` need only python3 with pip: everything else goes into .venv, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed-for-development

.DEFAULT_GOAL := help
.PHONY: help demo test lint unit sim browser soak vigil startup crowd docs pictures media wheel clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(INSTALLED) ## a humanoid in your browser; make it walk, push it, put it on stairs
	$(BIN)/hmpc demo

test: lint unit sim browser ## everything: lint, types, unit tests, the physical simulations, the demo in a browser

lint: $(INSTALLED) ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/mypy

unit: $(INSTALLED) ## the tests that take milliseconds
	$(BIN)/python -m pytest -m "not sim and not browser"

sim: $(INSTALLED) ## the physical simulations, on two cores
	$(BIN)/python -m pytest -m sim -n 2

browser: $(INSTALLED) ## the demo's page in a real chromium, which is installed if it is missing and may be
	$(BIN)/python -m pytest -m browser

docs: $(INSTALLED) ## the documentation site, into site/; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

pictures: $(INSTALLED) ## the moving pictures of the documentation (some minutes)
	$(BIN)/python docs/_build/pictures.py

soak: $(INSTALLED) ## does the demo leak? people who come and go, in a real browser (a quarter of an hour)
	$(BIN)/python -m tests.browser.soak

vigil: $(INSTALLED) ## the same while somebody just looks, and then nobody (an hour and ten minutes)
	$(BIN)/python -m tests.browser.vigil

startup: $(INSTALLED) ## from `hmpc demo` to the first picture in a real browser (half a minute)
	$(BIN)/python -m tests.browser.startup

# The second shows the first steps only: `hmpc run` says with its exit code that the top was not reached.
media: $(INSTALLED) ## the moving pictures of README.md and docs/terrain.md
	$(BIN)/hmpc run flat --vx 0.9 --yaw-rate 0.2 --seconds 8 --push 4.5,15,90 \
		--video docs/media/walk.webp --quality low --overlay footsteps,trajectory
	-$(BIN)/hmpc run stairs --env.riser 0.5 --env.tread 0.5 --env.rails both --vx 0.6 --seconds 28 --seed 1 \
		--video docs/media/rails.webp --quality low
	$(BIN)/hmpc run stairs --env.riser 0.25 --env.direction down --vx 0.6 --seconds 11 \
		--video docs/media/downstairs.webp --quality low
	$(BIN)/hmpc run gap --env.width 1.1 --env.run_up 3.4 --vx 1.5 --seconds 7 \
		--video docs/media/leap.webp --quality low

crowd: $(INSTALLED) ## ticks in real time while two browsers look on and a program commands 100 times a second
	$(BIN)/python -m tests.browser.crowd

wheel: $(INSTALLED) ## build the wheel and try it in an empty environment
	PYTHON=$(abspath $(BIN)/python) .ci/wheel_check.sh

clean: ## remove what these commands made
	rm -rf $(VENV) build dist site *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Some distributions ship python3 without ensurepip; the system's pip can then install into the new environment.
$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("hmpc needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@echo "Setting up $(VENV); the first time takes a minute or two."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) || \
		{ $(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@
