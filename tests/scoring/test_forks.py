"""Forks while other threads use what the child then uses too."""

import os
import subprocess
import sys
import textwrap

import pytest

from ..conftest import require

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")

# Threads repeat this all the time, and each child does it once.
WORK = {
    "scorer": """
        scorer = Scorer("rouge", rouge_types=["rouge1"])
        scorer.update(*texts)
        def work():
            scorer.update(*texts)
            scorer.counts()
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


@pytest.mark.parametrize("work", WORK)
def test_a_child_that_is_forked_while_threads_work_ends(work: str) -> None:
    if work == "sentence splitter":
        require("pysbd")
    code = """
        import os, random, signal, threading, time, warnings
        from bleu_rouge_metric import DuplicateIndex, Options, Scorer, load, rouge_scores
        warnings.simplefilter("ignore")  # Python 3.12 warns of a fork in a process with threads
        texts = ["a b"] * 50, ["a c"] * 50
        SETUP
        work()
        def repeat():
            while not ended.is_set():
                work()
        ended = threading.Event()
        threads = [threading.Thread(target=repeat) for _ in range(3)]
        for thread in threads:
            thread.start()
        statuses = []
        for _ in range(60):
            time.sleep(0.003)
            child = os.fork()
            if child == 0:
                signal.alarm(20)  # ends a child that hangs
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
    setup = textwrap.dedent(WORK[work])
    program = textwrap.dedent(code).replace("SETUP", setup)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.stdout, done.stderr) == ("60 {0}\n", "")
