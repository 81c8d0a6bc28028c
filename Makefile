# Each target sets itself up: all it needs is git, make and Python 3.11 or newer.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# All code but the tests, as one package under its import name, whatever the checkout folder is called.
TYPED := .build/typed/edgewright
# Bytecode is written, else every worker compiles every test anew.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help ask test test-all fuzz guided chaos lint bench eval lock calibrate intents docs sbom clean

help:  ## show this
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 10

$(VENV)/.core: requirements/core.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "edgewright needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install -q --require-hashes -r requirements/core.lock
	$(PIP) install -q --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -q *.py agent commands hardware_db prompts tools
	$(BIN)/python -m edgewright.agent.kept_index
	$(BIN)/python -m edgewright.agent.kept_patterns
	touch $@

$(VENV)/.dev: requirements/dev.lock $(VENV)/.core
	$(PIP) install -q --require-hashes -r requirements/dev.lock
	touch $@

$(VENV)/.bench: requirements/bench.lock $(VENV)/.dev
	$(PIP) install -q --require-hashes -r requirements/bench.lock
	touch $@

$(VENV)/.fuzz: requirements/fuzz.lock $(VENV)/.dev
	$(PIP) install -q --require-hashes -r requirements/fuzz.lock
	touch $@

$(VENV)/.docs: requirements/docs.lock $(VENV)/.dev
	$(PIP) install -q --require-hashes -r requirements/docs.lock
	touch $@

.build/kws.tflite: $(VENV)/.core
	mkdir -p .build
	$(BIN)/edgewright models write kws -o $@ --force

ask: $(VENV)/.core .build/kws.tflite  ## answer one question about a real model, offline
	cd .build && ../$(BIN)/edgewright ask --llm offline "Will kws.tflite fit on an STM32H743 and what holds it back?"

test: $(VENV)/.dev  ## run the tests that find most in four minutes
	$(PYTEST) --daily $(ARGS)

test-all: $(VENV)/.dev  ## run every test: what .ci/run does; ARGS=--write-costs renews what is left out of `make test`
	$(PYTEST) $(ARGS)

fuzz: $(VENV)/.dev  ## damaged files of every format through every function: ARGS="--seconds 600 --write"
	$(BIN)/python -m tests.fuzz $(ARGS)

guided: $(VENV)/.fuzz  ## one format, led by the code that it reaches: ARGS="onnx -max_total_time=600"
	$(BIN)/python -m tests.fuzz.guided $(ARGS)

chaos: $(VENV)/.dev  ## kills, interrupts, bad endpoints, crowds and bombs: ARGS="--share 0.1 --write"
	$(BIN)/python -m tests.chaos $(ARGS)

lint: $(VENV)/.dev  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	mkdir -p $(dir $(TYPED)) && rm -f $(TYPED) && ln -s ../.. $(TYPED)
	cd .build/typed && MYPYPATH=. ../../$(BIN)/mypy --config-file ../../pyproject.toml -p edgewright

bench: $(VENV)/.bench  ## speed, as ratios against a peer run beside it
	$(BIN)/python -m tests.bench

eval: $(VENV)/.dev  ## ask questions whose answers are known, and score the answers
	$(BIN)/python -m tests.evaluation $(ARGS)

lock: $(VENV)/.core  ## refresh the exact versions and hashes from pyproject.toml
	$(PIP) install -q uv
	for extra in core dev bench docs fuzz sbom; do \
	  $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --prerelease=if-necessary-or-explicit \
	    --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
	    $$( [ $$extra = core ] || echo --extra $$extra ) -c requirements/constraints.in pyproject.toml requirements/build.in -o requirements/$$extra.lock || exit 1; \
	done

calibrate: $(VENV)/.dev  ## fit the cost model to the shipped measurements
	$(BIN)/python -m edgewright.tools.calibration.fit
	$(BIN)/python -m edgewright.tools.calibration.fit.published
	$(BIN)/python -m edgewright.tools.calibration.fit.link_fit
	$(BIN)/python -m edgewright.tools.calibration.fit.arenas
	$(BIN)/python -m edgewright.tools.calibration.fit.validated

intents: $(VENV)/.dev  ## fit what questions want to the labelled questions
	$(BIN)/python -m tests.evaluation.fit
	$(BIN)/python -m tests.evaluation.fit_subject
	$(BIN)/python -m tests.evaluation.fit_belonging

docs: $(VENV)/.docs  ## renew what the pages show, and build them as a site
	$(BIN)/python docs/generate.py
	$(BIN)/python -m pytest tests/docs --update-snapshots
	$(BIN)/zensical build --strict
	@echo "open .build/site/index.html"

sbom: $(VENV)/.core  ## what an installation consists of, with licences and hashes, as CycloneDX
	test -x .build/installed/bin/python || $(PYTHON) -m venv .build/installed
	.build/installed/bin/python -m pip --disable-pip-version-check install -q --require-hashes -r requirements/core.lock
	test -x .build/sbom/bin/python || $(PYTHON) -m venv .build/sbom
	.build/sbom/bin/python -m pip --disable-pip-version-check install -q --require-hashes -r requirements/sbom.lock
	.build/sbom/bin/cyclonedx-py environment --pyproject pyproject.toml -o .build/edgewright.cdx.json .build/installed/bin/python
	@echo "written to .build/edgewright.cdx.json"

clean:  ## forget everything that was built
	rm -rf $(VENV) .build .pytest_cache .mypy_cache .ruff_cache *.egg-info
