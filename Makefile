# For those who work on the code; PYTHON needs the test extra, for sanitize nanobind and cmake too,
# for fuzz only the package regex.
PYTHON ?= python
FUZZ_SECONDS ?= 60
MUTANTS ?= 100
CXX_FUZZ ?= $(firstword $(foreach name,clang++ clang++-14 clang++-15 clang++-16,$(shell command -v $(name))))

# All tests that count; those of the Python kernel are left out by -k.
SANITIZED_TESTS = \
	tests/counting/test_kernel_tokenizers.py tests/counting/test_kernel_counts.py \
	tests/counting/test_kernel_arguments.py tests/counting/test_kernel_choice.py \
	tests/counting/test_failed_allocations.py \
	tests/counting/test_kernel_rouge.py tests/counting/test_pools.py tests/counting/test_nearest.py \
	tests/parity/test_kernel_goldens.py tests/parity/test_goldens.py tests/counting/test_counts.py \
	tests/bleu/test_bleu.py tests/rouge/test_rouge.py tests/samples/test_inputs.py \
	tests/resampling/test_rouge_score.py tests/scoring/test_pair_scorer.py
SANITIZED = build/sanitize
# Memory of Python objects comes from malloc, so that a read beyond a text is seen.
SANITIZER_ENVIRONMENT = ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
	UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)"

# The tests of what the dependencies do for the package; old ones know nothing of what newer ones
# that they need deprecate.
FLOOR_TESTS = \
	tests/integrations/test_metric.py tests/samples/test_inputs.py tests/files/test_cases.py \
	tests/files/test_reading.py \
	tests/cli/test_shards.py tests/cli/test_cli.py tests/cli/test_flags.py \
	tests/cli/test_output_files.py \
	tests/bleu/test_nltk.py tests/text/test_stemmers.py tests/text/test_sentences.py \
	tests/rouge/test_rouge.py tests/resampling/test_rouge_score.py tests/scoring/test_scorer.py

# They import torch; a test of the extras runs the examples.
NO_DOCTESTS = \
	--ignore=bleu_rouge_metric/integrations/torch_states.py \
	--ignore=bleu_rouge_metric/integrations/torchmetrics.py

.PHONY: check test quick extras floors training-floors bench space docs sanitize fuzz mutants package workflows

check:
	ruff check .
	ruff format --check .
	mypy
	codespell
	pytest -q --doctest-modules --doctest-glob=README.md $(NO_DOCTESTS) bleu_rouge_metric space README.md

test:
	pytest -n 2

quick:
	pytest -m quick

# The tests of trainers, ranks, engines and harnesses; none may be skipped for want of a library.
extras:
	BLEU_ROUGE_EXTRAS=1 pytest -m extra

# In an environment with the floor of every dependency: scripts/floors.py.
floors:
	pytest -q -m "not extra" -W ignore::DeprecationWarning $(FLOOR_TESTS)

# In an environment with the floors of the extras training and torchmetrics as well.
training-floors:
	pytest -q -m extra -W ignore::DeprecationWarning tests/integrations tests/scoring

bench:
	python bench/speed.py
	python bench/scale.py
	python bench/flooding.py
	python bench/significance.py
	python bench/latency.py
	python bench/startup.py

space:
	python scripts/build_space.py build/space

# The manual, into build/docs; needs the dependency group docs. A warning is an error, and so is a
# link that leads nowhere or a file that would come from another site.
docs:
	sphinx-build -W --keep-going -q -b html docs build/docs
	python scripts/check_manual.py build/docs

# The kernel's tests over a build that stops at the first bad access or undefined operation.
sanitize:
	cmake -S . -B $(SANITIZED) -DBLEU_ROUGE_SANITIZE=ON -DBLEU_ROUGE_WERROR=ON \
		-DPython_EXECUTABLE="$$($(PYTHON) -c 'import sys; print(sys.executable)')"
	cmake --build $(SANITIZED)
	$(SANITIZER_ENVIRONMENT) $(PYTHON) scripts/test_kernel_build.py \
		"$$(ls $(SANITIZED)/bleu_rouge_kernel*.so)" -q -k "not python" $(SANITIZED_TESTS)

# Random texts, guided by coverage, against an oracle in plain loops; stops at the first difference.
fuzz:
	mkdir -p build/fuzz/corpus
	$(PYTHON) native/unicode_tables.py build/fuzz/unicode_tables.hpp
	$(CXX_FUZZ) -std=c++20 -O2 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		-DBLEU_ROUGE_MOST_WHOLE_WORDS=64 -DBLEU_ROUGE_MOST_PROBES=2 -DBLEU_ROUGE_MANY_SENTENCES=2 \
		-DBLEU_ROUGE_TOGETHER=1 \
		-Wall -Wextra -Wpedantic -Wconversion -Werror native/fuzz/fuzz.cpp -Inative -Ibuild/fuzz -o build/fuzz/fuzz
	build/fuzz/fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=400 -timeout=20 -dict=native/fuzz/fuzz.dict \
		-artifact_prefix=build/fuzz/ build/fuzz/corpus

# Random faults in copies of this clone, and those that no test notices.
mutants:
	nice -n 19 $(PYTHON) scripts/mutants.py --number $(MUTANTS)

# The sdist and the wheel, and the tests of the wheel from an empty folder.
package:
	$(PYTHON) scripts/check_package.py

# The workflows of GitHub, and what the repository itself has.
workflows:
	actionlint
	zizmor --offline --persona=pedantic .github
	repo-review .
