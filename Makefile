# `make play` and `make test` do all the set-up they need.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q

STATIC := src/benben/web/static
# Modules are compiled once, also where the environment asks not to write bytecode: each worker and
# each server of the tests would compile all of them again.
export PYTHONDONTWRITEBYTECODE :=

# Node from .venv comes first where it had to be installed there.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix frontend --no-fund --no-audit --loglevel=error

.PHONY: setup pages types screenshots previews diagrams kits play test test-all check check-pages lint-pages types-of-pages types-of-api test-pages kernels machine machine-engines format bench bench-server bench-against bench-path bench-profile bench-idle bench-messages bench-abuse bench-bots bench-start bench-reviews bench-several bench-browser bench-cold-start bench-handover bench-environments bench-cluster balance strength thinking lock clean

setup: .venv/.ready  ## .venv with benben in it

.venv/.ready: pyproject.toml requirements/run.txt requirements/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Benben needs Python 3.11 or newer; set PYTHON=…")'
	@echo "Setting up .venv, half a minute or so …"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes -r requirements/build.txt -r requirements/run.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

.venv/.dev: .venv/.ready .venv/.node requirements/dev.txt
	@echo "Installing what the tests need …"
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

.venv/.bench: .venv/.ready requirements/bench.txt
	@echo "Installing what Benben is measured against …"
	@$(PIP) install --require-hashes -r requirements/bench.txt
	@touch $@

.venv/.node: .venv/.ready requirements/node.txt
	@if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null || ! command -v npm >/dev/null; then \
		echo "Installing Node, which builds the pages …"; \
		$(PIP) install --require-hashes -r requirements/node.txt; \
	fi
	@touch $@

frontend/node_modules/.ready: .venv/.node frontend/package-lock.json
	@echo "Installing what the pages are made with …"
	@$(NPM) ci
	@touch $@

pages: $(STATIC)/index.html  ## what people see in the browser

$(STATIC)/index.html: frontend/node_modules/.ready src/benben/lab/balance/report.css $(shell find frontend/src frontend/public frontend/*.* -type f)
	@echo "Building the pages …"
	@$(NPM) run build

TYPES := frontend/src/core/http/openapi.ts
NEW_TYPES := frontend/node_modules/.openapi.ts

# What the server says, as TypeScript, from its description.
define write-types
@$(BIN)/benben openapi > $(1).json
@$(NPM) run --silent types < $(1).json > $(1)
@rm $(1).json
endef

types: frontend/node_modules/.ready  ## the types of the API, after a change of what the server takes or answers
	$(call write-types,$(NEW_TYPES))
	@mv $(NEW_TYPES) $(TYPES)

play: setup pages  ## start Benben and open the shelf of games in the browser
	@$(BIN)/benben serve --open

# Two workers for each core: tests wait for browsers, databases and servers half of the time.
WORKERS ?= $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN))
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --durations=25

PARALLEL := $(MAKE) --no-print-directory -j$(WORKERS)

test:  ## everything a change must pass
	@$(PARALLEL) --output-sync=line .venv/.dev pages machine
	@$(PARALLEL) --output-sync check check-pages kernels
	$(PYTEST)

test-all:  ## the same, and the long versions: before a release
	@$(PARALLEL) --output-sync=line .venv/.dev pages machine-engines
	@$(PARALLEL) --output-sync check check-pages kernels
	BENBEN_TESTS=all $(PYTEST)

check: .venv/.dev  ## format, lint, types, import layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-pages: lint-pages types-of-pages types-of-api test-pages  # format, lint, types and units of what runs in the browser

lint-pages types-of-pages types-of-api test-pages: frontend/node_modules/.ready

lint-pages:
	$(NPM) run lint

types-of-pages:
	$(NPM) run check

types-of-api:
	$(call write-types,$(NEW_TYPES))
	@cmp -s $(TYPES) $(NEW_TYPES) || { diff -u $(TYPES) $(NEW_TYPES) | head -40; \
		echo "$(TYPES) is not what the server describes: run make types, and commit it."; exit 1; }

test-pages:
	$(NPM) test

machine:  # what tests drive and has no package for Python: a browser, a proxy, and its certificates
	@missing=; \
	command -v chromium >/dev/null || missing="chromium"; \
	PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null || missing="$$missing nginx-light"; \
	command -v openssl >/dev/null || missing="$$missing openssl"; \
	test -z "$$missing" || { \
		echo "Installing what the tests drive: $$missing …"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	} || { echo "The tests need Chromium, nginx and openssl: install the packages $$missing of your system."; exit 1; }
	@# Tests open pages twice as fast in the browser's shell, and do without where it is not to be had.
	@command -v chromium-headless-shell >/dev/null || { \
		shell="apt-get install -y -qq --no-install-recommends chromium-headless-shell"; \
		$$shell || { apt-get update -qq && $$shell; }; \
	} >/dev/null 2>&1 || true

machine-engines: machine  # also Firefox, and WebKit with a virtual display to open its windows in
	@missing=; \
	command -v firefox-esr >/dev/null || command -v firefox >/dev/null || missing="firefox-esr"; \
	command -v WebKitWebDriver >/dev/null || missing="$$missing webkit2gtk-driver"; \
	command -v Xvfb >/dev/null || missing="$$missing xvfb"; \
	/usr/bin/python3 -c 'import gi; gi.require_version("WebKit2", "4.1")' 2>/dev/null || missing="$$missing python3-gi gir1.2-webkit2-4.1"; \
	test -z "$$missing" || { \
		echo "Installing the browsers of make test-all: $$missing …"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	} || { echo "The tests need Firefox and WebKitGTK: install the packages $$missing of your system."; exit 1; }

kernels: .venv/.ready  # compiled once, not by every process of the tests
	@$(BIN)/python -m benben.lab.warm

screenshots: .venv/.dev pages machine  ## pictures of every page and board, in build/screenshots
	$(BIN)/python -m tests.browser.screenshots

previews: .venv/.dev pages machine  ## the pictures that links show, in frontend/public/previews
	$(BIN)/python -m tests.browser.previews

diagrams: .venv/.dev pages machine  ## the pictures of the rulebooks' diagrams, beside the rules
	$(BIN)/python -m tests.browser.diagrams

kits: .venv/.dev pages machine  ## the kits to print, in src/benben/kits
	$(BIN)/python -m tests.browser.kits

format: .venv/.dev frontend/node_modules/.ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(NPM) run format

bench: .venv/.bench  ## measured beside OpenSpiel and PettingZoo; writes bench/results.md
	$(BIN)/python -m bench.run

bench-environments: .venv/.bench  ## environments beside pgx and PettingZoo, OpenSpiel's search against level 6: ten minutes; writes bench/environments.md
	$(BIN)/python -m bench.environments

bench-server: .venv/.dev bench/boardgame_io/node_modules/.ready  ## the server beside boardgame.io's; writes bench/server.md
	$(BIN)/python -m bench.server

bench-against: .venv/.dev  ## server, rules and environments beside those of an older commit, REV: four minutes
	$(BIN)/python -m bench.against $(or $(REV),HEAD~)

bench-path: .venv/.dev  ## the functions, modules and hops of a move, beside an older commit if REV is given
	$(BIN)/python -m bench.path_of_a_move $(REV)

bench-profile: .venv/.dev  ## where the CPU time of a move goes, by py-spy (PY_SPY=its path): a minute; writes bench/profile.md
	$(BIN)/python -m bench.profile --py-spy $(or $(PY_SPY),py-spy)

bench-idle: .venv/.dev  ## only what tables cost where nobody moves: a minute
	$(BIN)/python -m bench.idle

bench-messages: .venv/.dev  ## how much a move sends; writes bench/messages.md
	$(BIN)/python -m bench.messages

bench-bots: .venv/.dev  ## how long a hundred people wait for bots: two minutes; writes bench/bots.md
	$(BIN)/python -m bench.bots

bench-abuse: .venv/.dev pages  ## what one attacker does to ten honest players: twenty minutes; writes bench/abuse.md
	$(BIN)/python -m bench.abuse

bench-start: .venv/.dev  ## starting with 100,000 games under way: five minutes; writes bench/start.md
	$(BIN)/python -m bench.start

bench-reviews: .venv/.dev  ## how long reviews take, and what they cost those who play: ten minutes; writes bench/reviews.md
	$(BIN)/python -m bench.reviews

bench-several: .venv/.dev  ## two servers on one database beside one: two minutes; writes bench/several.md
	$(BIN)/python -m bench.several

bench/boardgame_io/node_modules/.ready: .venv/.node bench/boardgame_io/package-lock.json
	@$(NPM) --prefix bench/boardgame_io ci
	@touch $@

strength: .venv/.bench  ## how strong the bots are: two hours at most on two cores, and goes on if interrupted; writes bench/strength.md
	$(BIN)/python -m bench.strength

balance: .venv/.dev  ## the balance reports that are shipped: an hour or so, and goes on if interrupted
	$(BIN)/python -m bench.balance

thinking: .venv/.bench  ## only how fast bots think, and whom they keep waiting: minutes
	$(BIN)/python -m bench.strength --only thinking

bench-browser: .venv/.dev pages machine  ## how soon a move is seen, and what pages weigh; writes bench/browser.md
	$(BIN)/python -m bench.browser

bench-cold-start: .venv/.dev  ## how long the first start keeps people waiting; writes bench/cold_start.md
	$(BIN)/python -m bench.cold_start

bench-handover: .venv/.dev  ## how soon another server takes over from a dead one: three minutes; writes bench/handover.md
	$(BIN)/python -m bench.handover

bench-cluster: .venv/.dev kernels  ## two workers of a Dask cluster beside one: three minutes; writes bench/cluster.md
	$(BIN)/python -m bench.cluster

lock:  ## renew the hashed locks (needs uv)
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 pyproject.toml -o requirements/run.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 requirements/build.in -o requirements/build.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 requirements/node.in -o requirements/node.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 --extra dev -c requirements/run.txt pyproject.toml -o requirements/dev.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 --extra bench -c requirements/run.txt pyproject.toml -o requirements/bench.txt

clean:
	rm -rf .venv frontend/node_modules bench/boardgame_io/node_modules $(STATIC) .mypy_cache .ruff_cache .pytest_cache .hypothesis
