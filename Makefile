# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later

PYTHON ?= python3
VENV := .venv/bin

.PHONY: help setup demo test lint format viewer wheel extension bench sanitize clean

.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## .venv with Blender as a module, the test tools and this package
	@$(PYTHON) .ci/setup.py

demo: ## bake a small scene in both addressings
	@$(PYTHON) .ci/setup.py --demo
	@$(VENV)/python benchmarks/demo.py

test: setup wheel extension ## everything that CI runs
	@$(VENV)/python tests/run.py

lint: setup ## style and warnings only
	@$(VENV)/python tests/run.py lint

format: setup ## rewrite the sources in the house's style
	$(VENV)/ruff check --fix .
	$(VENV)/ruff format .
	clang-format -i csrc/*.[ch] csrc/*.cc $(wildcard tests/core/*.[ch])

viewer: setup ## the page of `truevat view`, which wheel and extension have, too
	@$(VENV)/python .ci/viewer.py

wheel: setup ## build/dist/truevat-VERSION-….whl, for pip
	@$(VENV)/python .ci/wheel.py

extension: setup ## build/truevat-VERSION.zip, for Blender
	@$(VENV)/python .ci/extension.py

bench: setup ## the figures of the README
	@$(VENV)/python benchmarks/bench.py

sanitize: setup ## the native module's tests under ASan and UBSan
	@$(VENV)/python tests/run.py sanitize

clean: ## remove what was built, and the environments
	rm -rf build .venv .venv-4.2
