# `make play` and `make test` do all the set-up they need.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: setup play test check kernels format bench strength thinking lock clean

setup: .venv/.ready  ## .venv with benben in it

.venv/.ready: pyproject.toml requirements/run.txt requirements/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Benben needs Python 3.11 or newer; set PYTHON=…")'
	@echo "Setting up .venv, half a minute or so …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes -r requirements/build.txt -r requirements/run.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

.venv/.dev: .venv/.ready requirements/dev.txt
	@echo "Installing what the tests need …"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

.venv/.bench: .venv/.ready requirements/bench.txt
	@echo "Installing what Benben is measured against …"
	@$(PIP) install --require-hashes -r requirements/bench.txt
	@touch $@

play: setup  ## choose a game and play it in the terminal
	@$(BIN)/benben play

test: .venv/.dev  ## everything that must hold
	@$(MAKE) --no-print-directory -j2 check kernels
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: .venv/.dev  ## format, lint, types, import layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

kernels: .venv/.ready  # compiled once, not by every process of the tests
	@$(BIN)/python -m benben.bots.warm

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/.bench  ## measured beside OpenSpiel and PettingZoo; writes bench/results.md
	$(BIN)/python -m bench.run

strength: .venv/.bench  ## how strong the bots are: an hour; writes bench/strength.md
	$(BIN)/python -m bench.strength

thinking: .venv/.bench  ## only how fast bots think, and whom they keep waiting: minutes
	$(BIN)/python -m bench.strength --thinking

lock:  ## renew the hashed locks (needs uv)
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 pyproject.toml -o requirements/run.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 requirements/build.in -o requirements/build.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 --extra dev -c requirements/run.txt pyproject.toml -o requirements/dev.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 --extra bench -c requirements/run.txt pyproject.toml -o requirements/bench.txt

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
