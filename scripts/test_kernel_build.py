"""Run pytest with a kernel that was built but not installed, such as a sanitizer build.

python scripts/test_kernel_build.py build/sanitize/KERNEL.so tests/counting/test_kernel_counts.py
"""

import importlib.util
import sys

import pytest

NAME = "bleu_rouge_kernel"

if __name__ == "__main__":
    path, *arguments = sys.argv[1:]
    spec = importlib.util.spec_from_file_location(NAME, path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no extension module.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[NAME] = module
    raise SystemExit(pytest.main(arguments))
