"""ROUGE as the packages ``rouge`` 1.0.1 (by pltrdy) and ``rouge-chinese`` 1.0.3 compute it."""
