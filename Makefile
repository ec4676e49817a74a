# The short commands.  `make` alone lists them; all of them need nothing but python3, make and g++.
#
# What a user typed never becomes make text or shell text: $(value) takes it unexpanded, it travels
# in an environment variable, and the shell only ever sees "$$ARG_SUB".
.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
export PYTHON

KNOWN := DIR OUT RESULTS NAME SUB PROBLEM LEETGPU BACKEND D CASE SEED JSON TIMED A B SIZE ONLY PYTHON ARGS
GIVEN := $(foreach v,$(.VARIABLES),$(if $(findstring command line,$(origin $v)),$v))
OTHER := $(filter-out $(KNOWN) MAKEFLAGS MAKEOVERRIDES,$(GIVEN))
# A make that exports a variable of the command line expands it first; so none of them is exported.
unexport DIR OUT RESULTS NAME SUB PROBLEM LEETGPU BACKEND D CASE SEED JSON TIMED A B SIZE ONLY ARGS $(OTHER)
export ARG_DIR := $(value DIR)
export ARG_OUT := $(value OUT)
export ARG_RESULTS := $(value RESULTS)
# WSL has NAME in every environment, the computer's: only one that was typed is meant.
ifeq ($(findstring command line,$(origin NAME)),)
NAME :=
endif
export ARG_NAME := $(value NAME)
export ARG_SUB := $(value SUB)
export ARG_PROBLEM := $(value PROBLEM)
export ARG_LEETGPU := $(value LEETGPU)
export ARG_BACKEND := $(value BACKEND)
export ARG_D := $(value D)
export ARG_CASE := $(value CASE)
export ARG_SEED := $(value SEED)
export ARG_JSON := $(value JSON)
export ARG_TIMED := $(value TIMED)
export ARG_A := $(value A)
export ARG_B := $(value B)
export ARG_SIZE := $(value SIZE)
export ARG_ONLY := $(value ONLY)
export ARG_ARGS := $(value ARGS)
quoted = '$(subst ','\'',$1)'
export ARG_LISTS := $(foreach v,$(OTHER),$v=$(call quoted,$(value $v)))

JUDGE := .venv/bin/python -m judge
PYTEST := .venv/bin/python -m pytest
OPTIONS = $${ARG_PROBLEM:+--problem="$$ARG_PROBLEM"} $(LEETGPU_OPTION) $${ARG_BACKEND:+--backend="$$ARG_BACKEND"} \
	$${ARG_SEED:+--seed="$$ARG_SEED"} $${ARG_JSON:+--json="$$ARG_JSON"} \
	$${ARG_D:+--defines="$$ARG_D"} $${ARG_TIMED:+--timed="$$ARG_TIMED"}
LEETGPU_OPTION = $${ARG_LEETGPU:+--leetgpu="$$ARG_LEETGPU"}
TOOL_OPTIONS = $${ARG_PROBLEM:+--problem="$$ARG_PROBLEM"} $${ARG_D:+--defines="$$ARG_D"}
# A variable that a target does not take is a slip of the keyboard (SUP=tiled.cu), or meant for another one.
FREE := PYTHON MAKEFLAGS MAKEOVERRIDES
refused = $(firstword $(filter-out $1 $(FREE),$(GIVEN)))
takes = $(if $1,it takes: $1,it takes none)
only = $(if $(call refused,$1),$(error $(asked): $(call refused,$1) is no variable of `make $(asked)`; $(call takes,$1)))
# `make check` is refused by what it consists of, under its own name.
asked = $(firstword $(filter check,$(MAKECMDGOALS)) $@)
of_check = $(if $(filter check,$(MAKECMDGOALS)),ARGS)
# What a target cannot do without, and an example.
need = $(if $(strip $(value $1)),,$(error $@: $1= is missing; give it, as in: make $@ $2))

.PHONY: help
help: ## list the targets
	$(if $(MAKECMDGOALS),$(call only,))
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

.PHONY: setup run-ready dev-ready
setup: ## make .venv again with what the judge needs
	$(call only,)
	@./setup.sh again
run-ready:
	@./setup.sh run
dev-ready:
	@./setup.sh dev

.PHONY: judge
judge: run-ready ## judge a submission: SUB=tiled.cu [PROBLEM= LEETGPU= BACKEND=cpu|gpu D="TILE=32 X=1" CASE= SEED= JSON= TIMED=1|all|none]
	$(call only,SUB PROBLEM LEETGPU BACKEND D CASE SEED JSON TIMED)
	$(call need,SUB,SUB=tiled.cu)
	@$(JUDGE) run $(OPTIONS) $${ARG_CASE:+--case="$$ARG_CASE"} -- "$$ARG_SUB"

.PHONY: check-kernel
check-kernel: run-ready ## find overruns, races and unwritten reads without a GPU: SUB=mine.cu [PROBLEM= LEETGPU= D= CASE= SEED=]
	$(call only,SUB PROBLEM LEETGPU D CASE SEED)
	$(call need,SUB,SUB=tiled.cu)
	@$(JUDGE) check $(TOOL_OPTIONS) $(LEETGPU_OPTION) $${ARG_CASE:+--case="$$ARG_CASE"} $${ARG_SEED:+--seed="$$ARG_SEED"} -- "$$ARG_SUB"

.PHONY: debug
debug: run-ready ## run one case under gdb, without a GPU: SUB=mine.cu [PROBLEM= D= CASE= SEED= ARGS=--no-gdb]
	$(call only,SUB PROBLEM D CASE SEED ARGS)
	$(call need,SUB,SUB=tiled.cu)
	@set -f; $(JUDGE) debug $(TOOL_OPTIONS) $${ARG_CASE:+--case="$$ARG_CASE"} $${ARG_SEED:+--seed="$$ARG_SEED"} $$ARG_ARGS -- "$$ARG_SUB"

.PHONY: sweep
sweep: run-ready ## judge every combination of values: SUB=tiled.cu TILE=8,16,32,64 [any MACRO=V1,V2 ..., or D="MACRO=V1,V2 ..."]
	$(call only,SUB PROBLEM LEETGPU BACKEND SEED JSON TIMED D $(OTHER))
	$(call need,SUB,SUB=tiled.cu TILE=8,16,32)
	@$(JUDGE) sweep $(OPTIONS) $${ARG_LISTS:+--defines="$$ARG_LISTS"} -- "$$ARG_SUB"

.PHONY: new
new: run-ready ## begin a submission from the starter: SUB=mine.cu PROBLEM=gemm_fp16
	$(call only,SUB PROBLEM)
	$(call need,SUB,SUB=mine.cu PROBLEM=gemm_fp16)
	$(call need,PROBLEM,SUB=mine.cu PROBLEM=gemm_fp16)
	@$(JUDGE) new -- "$$ARG_PROBLEM" "$$ARG_SUB"

.PHONY: problems which lint-problem new-problem
problems: run-ready ## list all problems, and write docs/problems.md
	$(call only,)
	@$(JUDGE) problems && $(JUDGE) problems --write
which: run-ready ## name the problems that a file's solve fits: SUB=mine.cu
	$(call only,SUB)
	$(call need,SUB,SUB=mine.cu)
	@$(JUDGE) which -- "$$ARG_SUB"
lint-problem: run-ready ## say what is missing or weak in a problem: [NAME=vector_add], all without
	$(call only,NAME)
	@if [ -n "$$ARG_NAME" ]; then $(JUDGE) lint-problem -- "$$ARG_NAME"; else $(JUDGE) lint-problem --all; fi
new-problem: run-ready ## begin a problem as a copy of another one: NAME=my_problem [PROBLEM=vector_add]
	$(call only,NAME PROBLEM)
	$(call need,NAME,NAME=my_problem)
	@$(JUDGE) new-problem $${ARG_PROBLEM:+--like="$$ARG_PROBLEM"} -- "$$ARG_NAME"

.PHONY: grade leaderboard
grade: run-ready ## judge every submission of a folder: DIR=hand-ins PROBLEM=gemm_fp16 [OUT=results/grading BACKEND= SEED= D= ARGS=--resume]
	$(call only,DIR PROBLEM OUT BACKEND SEED D ARGS)
	$(call need,DIR,DIR=hand-ins PROBLEM=gemm_fp16)
	$(call need,PROBLEM,DIR=hand-ins PROBLEM=gemm_fp16)
	@set -f; $(JUDGE) grade $${ARG_OUT:+--out="$$ARG_OUT"} $${ARG_BACKEND:+--backend="$$ARG_BACKEND"} $${ARG_SEED:+--seed="$$ARG_SEED"} $${ARG_D:+--defines="$$ARG_D"} $$ARG_ARGS $${ARG_PROBLEM:+--problem="$$ARG_PROBLEM"} -- $${ARG_DIR:+"$$ARG_DIR"}
leaderboard: run-ready ## rank accepted submissions by time: PROBLEM=gemm_fp16 [RESULTS=results/grading]
	$(call only,PROBLEM RESULTS)
	$(call need,PROBLEM,PROBLEM=gemm_fp16)
	@$(JUDGE) leaderboard $${ARG_RESULTS:+--results="$$ARG_RESULTS"} -- $${ARG_PROBLEM:+"$$ARG_PROBLEM"}

.PHONY: cases
cases: run-ready ## show the cases of a problem: [PROBLEM=gemm_fp16 SEED=]
	$(call only,PROBLEM SEED)
	@$(JUDGE) cases $${ARG_SEED:+--seed="$$ARG_SEED"} -- $${ARG_PROBLEM:+"$$ARG_PROBLEM"}

.PHONY: gauge
gauge: run-ready ## show that a problem's tolerance tells right from wrong: [PROBLEM=gemm_fp16]
	$(call only,PROBLEM)
	@$(JUDGE) gauge -- $${ARG_PROBLEM:+"$$ARG_PROBLEM"}

.PHONY: ladder compare profile sanitize
ladder: run-ready ## on a GPU: time every submission, record the times, write the README's table: [PROBLEM=gemm_fp16 ONLY=naive.cu]
	$(call only,PROBLEM ONLY)
	@$(JUDGE) ladder $${ARG_ONLY:+--only="$$ARG_ONLY"} -- $${ARG_PROBLEM:+"$$ARG_PROBLEM"}
compare: run-ready ## on a GPU: which of two is faster: A=tiled.cu B=register_tiled.cu [PROBLEM= SIZE=1]
	$(call only,A B PROBLEM SIZE)
	$(call need,A,A=tiled.cu B=register_tiled.cu)
	$(call need,B,A=tiled.cu B=register_tiled.cu)
	@$(JUDGE) compare $${ARG_PROBLEM:+--problem="$$ARG_PROBLEM"} $${ARG_SIZE:+--size="$$ARG_SIZE"} -- "$$ARG_A" "$$ARG_B"
profile: run-ready ## on a GPU: what limits a submission, by Nsight Compute: SUB=tiled.cu [PROBLEM= D=]
	$(call only,SUB PROBLEM D)
	$(call need,SUB,SUB=tiled.cu)
	@$(JUDGE) profile $(TOOL_OPTIONS) -- "$$ARG_SUB"
sanitize: run-ready ## on a GPU: bad accesses and races, by compute-sanitizer: SUB=tiled.cu [PROBLEM= D=]
	$(call only,SUB PROBLEM D)
	$(call need,SUB,SUB=tiled.cu)
	@$(JUDGE) sanitize $(TOOL_OPTIONS) -- "$$ARG_SUB"

.PHONY: doctor
doctor: run-ready ## say what this machine has and lacks
	$(call only,)
	@$(JUDGE) doctor

.PHONY: test test-gpu check lint types fmt
test: dev-ready ## run the tests that need no GPU: [ARGS="-k find"]
	$(call only,ARGS)
	@OPENBLAS_NUM_THREADS=1 $(PYTEST) -n auto --maxprocesses 8 --dist worksteal -m "not gpu" $(ARGS)
test-gpu: dev-ready ## run the tests that need an NVIDIA GPU: [ARGS="-k ladder"]
	$(call only,ARGS)
	@OPENBLAS_NUM_THREADS=1 $(PYTEST) -n auto --maxprocesses 12 --dist loadgroup -m gpu $(ARGS)
check: lint types test ## lint, types and tests: exactly what CI runs: [ARGS="-k find"]
lint: dev-ready ## ruff: rules and layout
	$(call only,$(of_check))
	@.venv/bin/ruff check -q .
	@.venv/bin/ruff format -q --check .
types: dev-ready ## mypy --strict on judge/
	$(call only,$(of_check))
	@.venv/bin/mypy --no-error-summary
fmt: dev-ready ## put the Python code in layout
	$(call only,)
	@.venv/bin/ruff check -q --fix . ; .venv/bin/ruff format -q .

.PHONY: bench golden clean
bench: run-ready ## how long the judge itself takes on this machine
	$(call only,)
	@.venv/bin/python tests/bench.py
golden: dev-ready ## write the golden files anew and show what changed
	$(call only,)
	@$(PYTEST) --update-golden -k golden; git --no-pager diff --stat -- tests/golden
clean: ## remove build/ (caches and logs), nothing else
	$(call only,)
	@rm -rf build
