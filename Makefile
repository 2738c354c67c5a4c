.PHONY: check test bench space

check:
	ruff check .
	ruff format --check .
	mypy
	pytest -q --doctest-modules --doctest-glob=README.md bleu_rouge_metric README.md

test:
	pytest

bench:
	python bench/speed.py

space:
	python scripts/build_space.py build/space
