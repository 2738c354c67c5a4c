"""Processes: a fork while threads work, and that each process gets the same values."""

import os
import subprocess
import sys
import textwrap

import pytest

from ..conftest import require

can_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")

# Threads repeat this all the time, and each child does it once.
WORK = {
    "scorer": """
        scorer = Scorer("rouge", rouge_types=["rouge1"])
        scorer.update(*texts)
        def work():
            scorer.update(*texts)
            scorer.counts()
            if len(scorer) > 10_000:
                scorer.reset()
    """,
    "merged scorers": """
        scorer, other = Scorer("rouge"), Scorer("rouge")
        other.update(*texts)
        def work():
            scorer.merge(other)
            scorer.state_dict()
            len(scorer)
            if len(scorer) > 10_000:
                scorer.reset()
    """,
    "metric": """
        metric = load()
        def work():
            metric.add_batch(predictions=texts[0], references=texts[1])
            metric.compute(predictions=["a"], references=["a"])
            metric.signature()
    """,
    "options": """
        def work():
            Options(rouge_types=["rougeLsum"], sentence_splitter=str.split).plan()
            Options.from_keywords({"stop_words": ["the"]}).plan()
    """,
    "threads of the compiled kernel": """
        os.environ["BLEU_ROUGE_THREADS"] = "4"
        many = ["a b " * 100] * 400, ["a c " * 100] * 400
        expected = rouge_scores(*many)["rougeL"].fmeasure.tolist()
        def work():
            assert rouge_scores(*many)["rougeL"].fmeasure.tolist() == expected
    """,
    "duplicate index": """
        index = DuplicateIndex()
        many = [" ".join(random.choices("abcdefgh", k=300)) for _ in range(50)]
        def work():
            index.add_if_new(random.choice(many))
            index.find("a b")
    """,
    "sentence splitter": """
        from bleu_rouge_metric.text import sentences
        def work():
            sentences._load_pysbd.cache_clear()
            sentences.resolve_sentence_splitter("pysbd")
    """,
}


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    return done.stdout


@can_fork
def test_a_child_that_is_forked_while_threads_work_ends() -> None:
    require("pysbd")
    code = """
        import faulthandler, os, random, threading, time, warnings
        from bleu_rouge_metric import DuplicateIndex, Options, Scorer, load, rouge_scores
        warnings.simplefilter("ignore")  # Python 3.12 warns of a fork in a process with threads
        texts = ["a b"] * 50, ["a c"] * 50
        works = []
        SETUP
        for work in works:
            work()
        def repeat(work):
            while not ended.is_set():
                work()
        ended = threading.Event()
        threads = [threading.Thread(target=repeat, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        statuses = []
        for _ in range(25):
            time.sleep(0.003)
            child = os.fork()
            if child == 0:
                faulthandler.dump_traceback_later(60, exit=True)  # ends a child that hangs
                for work in works:
                    work()
                os._exit(0)
            statuses.append(os.waitpid(child, 0)[1])
            if statuses[-1]:
                break
        ended.set()
        for thread in threads:
            thread.join()
        print(len(statuses), set(statuses))
    """
    makes = (
        f"def make():{textwrap.indent(textwrap.dedent(work), '    ')}\n    return work"
        for work in WORK.values()
    )
    setup = "".join(f"{make}\nworks.append(make())\n" for make in makes)
    assert run(textwrap.dedent(code).replace("SETUP", setup)) == "25 {0}\n"


@can_fork
def test_no_fork_waits_while_samples_are_sorted() -> None:
    code = """
        import os, threading, warnings
        from bleu_rouge_metric import Scorer
        from bleu_rouge_metric.scoring import batches
        warnings.simplefilter("ignore")  # Python 3.12 warns of a fork in a process with threads
        function = batches.select_counts
        has_begun, may_end = threading.Event(), threading.Event()
        def wait(*arguments):
            has_begun.set()
            may_end.wait()
            return function(*arguments)
        batches.select_counts = wait
        scorer = Scorer("rouge")
        scorer.update(["a b", "a c"], ["a b", "a b"], keys=[1, 0])
        thread = threading.Thread(target=scorer.result)
        thread.start()
        has_begun.wait()
        child = os.fork()
        if child == 0:
            batches.select_counts = function
            scorer.update(["a b"], ["a b"], keys=[2])
            os._exit(0 if scorer.result(use_aggregator=False)["rouge1"] == [0.5, 1, 1] else 1)
        status = os.waitpid(child, 0)[1]
        may_end.set()
        thread.join()
        print(status, len(scorer))
    """
    assert run(textwrap.dedent(code)) == "0 2\n"
