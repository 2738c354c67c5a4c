"""The threads of the compiled kernel, which are kept from call to call."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from ..conftest import needs_native
from ..support.processes import run_python

pytestmark = needs_native

on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="reads the threads of a process from /proc"
)
on_posix = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="this system has no forks and no blocked signals"
)

# `count` shares its work. There is text for nine threads, so at most eight help the one that calls.
PROGRAM = """
import os, random, signal, threading, time
import numpy as np
from bleu_rouge_metric import Options
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.scoring.counting import count_samples

def make_texts(tokens, samples):
    return [" ".join(f"w{draw.randrange(50)}" for _ in range(tokens)) for _ in range(samples)]

def count(samples=None):
    found = count_samples(samples or many, plan)
    return np.concatenate([part.ravel() for part in (found["bleu_matches"], found["rouge"])])

def count_threads():
    return len(os.listdir("/proc/self/task"))

def come_down_to(threads):
    # The system may list a thread for a moment after its end.
    deadline = time.monotonic() + 10
    while count_threads() > threads and time.monotonic() < deadline:
        time.sleep(0.001)
    return count_threads() <= threads

draw = random.Random(1)
plan = Options().plan()
many = check_samples(make_texts(100, 800), make_texts(100, 800))
os.environ["BLEU_ROUGE_THREADS"] = "1"
expected = count()
os.environ["BLEU_ROUGE_THREADS"] = "64"
at_start = count_threads() if os.path.exists("/proc/self/task") else 0
"""


def run_program(code: str) -> str:
    """Run a program that begins with ``PROGRAM``; return what it prints."""
    # The threads of NumPy are not counted.
    done = run_python(PROGRAM + code, OPENBLAS_NUM_THREADS="1")
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout


@on_linux
def test_threads_are_kept_and_idle_until_there_is_enough_text() -> None:
    output = run_program("""
for _ in range(100):
    count(many.select(0, 100))
print(count_threads() - at_start)
for _ in range(20):
    count()
threads = count_threads()
few = many.select(0, 130)
for index in range(1_000):
    count(few)
assert (count() == expected).all()
print(at_start < threads <= at_start + 8, count_threads() <= at_start + 8)
start = time.process_time()
time.sleep(1)
print(time.process_time() - start < 0.05)
""")
    assert output == "0\nTrue True\nTrue\n"


def test_many_threads_of_python_count_at_once() -> None:
    output = run_program("""
equal = []
def work():
    for _ in range(20):
        equal.append((count() == expected).all())
threads = [threading.Thread(target=work) for _ in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(equal), all(equal), not at_start or come_down_to(at_start + 8))
""")
    assert output == "320 True True\n"


@on_linux
def test_a_fork_finds_no_idle_thread() -> None:
    output = run_program("""
for _ in range(20):
    assert (count() == expected).all()
    assert count_threads() > at_start
    child = os.fork()
    # Python 3.12 warns in the parent if it has other threads.
    assert come_down_to(at_start)
    if child == 0:
        signal.alarm(20)
        assert (count() == expected).all()
        assert count_threads() > at_start
        grandchild = os.fork()
        assert (count() == expected).all()
        os._exit(os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]) if grandchild else 0)
    status = os.waitpid(child, 0)[1]
    assert status == 0, status
print("done")
""")
    assert output == "done\n"


@on_posix
def test_a_child_that_a_signal_handler_forks_during_a_call_does_not_wait() -> None:
    # The threads that help the parent are not in the child, which ends with an error.
    output = run_program("""
parent = os.getpid()
children = []
def fork(*_):
    children.append(os.fork())
    if children[-1] == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(20)
signal.signal(signal.SIGALRM, fork)
samples = check_samples(make_texts(200_000, 2), make_texts(200_000, 2))
rouge = Options(rouge_types=["rougeL"]).plan(["rouge"])
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    found = count_samples(samples, rouge)["rouge"]
except RuntimeError as error:
    assert os.getpid() != parent
    count()
    print(error, flush=True)
    os._exit(0)
assert os.getpid() == parent
assert os.waitpid(children[0], 0)[1] == 0
os.environ["BLEU_ROUGE_THREADS"] = "1"
print((found == count_samples(samples, rouge)["rouge"]).all())
""")
    assert output == (
        "this process was forked while it counted, without the threads that helped it; count "
        "again.\nTrue\n"
    )


@on_posix
def test_the_threads_go_on_after_an_interrupt() -> None:
    output = run_program("""
class Interrupt(Exception):
    pass
def interrupt(*_):
    raise Interrupt
signal.signal(signal.SIGALRM, interrupt)
samples = check_samples(make_texts(500_000, 4), make_texts(500_000, 4))
for _ in range(3):
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        count(samples)
    except Interrupt:
        print((count() == expected).all())
start = time.process_time()
time.sleep(0.5)
print(time.process_time() - start < 0.05)
""")
    assert output == "True\n" * 4


@on_linux
def test_the_threads_go_on_after_an_error() -> None:
    output = run_program("""
import resource
count()
texts = ["a b " * 10_000_000] * 2
samples = check_samples(texts, texts)
os.environ["BLEU_ROUGE_THREADS"] = "2"
pages = int(open("/proc/self/statm").read().split()[0])
_, most = resource.getrlimit(resource.RLIMIT_AS)
for _ in range(3):
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 100_000_000, most))
    try:
        count(samples)
    except MemoryError:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        print((count() == expected).all())
""")
    assert output == "True\n" * 3


@on_posix
def test_a_signal_that_the_program_blocks_stays_its_own() -> None:
    output = run_program("""
count()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
# A thread that does not block it would end the process.
os.kill(os.getpid(), signal.SIGUSR1)
time.sleep(0.1)
print(signal.sigwait([signal.SIGUSR1]) == signal.SIGUSR1)
""")
    assert output == "True\n"


@pytest.mark.parametrize("end", ["", "os._exit(0)"])
def test_a_process_ends_while_a_thread_counts(end: str) -> None:
    output = run_program(f"""
def work():
    while True:
        count()
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
print("end", flush=True)
{end}
""")
    assert output == "end\n"


# Ctrl-C while the compiled kernel counts one long pair.

not_ignored = pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="interrupts are ignored here"
)
on_normal_builds = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="measures the time of a normal build"
)

# Without a stop each takes from some seconds to hours, and each mostly in a different loop.
LONG_WORK = {
    "LCS": ("words(1_000_000)", "words(1_000_000)", "rouge_types=['rougeL']"),
    "union LCS": ("words(1_000_000)", "words(1_000_000)", "rouge_types=['rougeLsum']"),
    # Most lines differ: equal lines are counted once.
    "union LCS of lines": (
        "lines(300_000, 1e6)", "lines(300_000, 1e6)", "rouge_types=['rougeLsum']"
    ),
    "weighted LCS": ("words(65_000, 1)", "words(65_000, 1)", "rouge_types=['rougeW']"),
    "weighted LCS of lines": ("lines(300_000)", "lines(300_000)", "rouge_types=['rougeW']"),
    "skip-bigrams": ("words(1_000_000, 1e5)", "words(1_000_000, 1e5)", "rouge_types=['rougeS']"),
    "skip-bigrams within a gap": (
        "words(1_000_000)", "words(1_000_000)", "rouge_types=['rougeS90000']"
    ),
    "n-grams": ("'a ' * 60_000_000", "'a ' * 60_000_000", "rouge_types=['rouge9']"),
    "many references": ("lines(60_000)", "['w1 w2'] * 1_000_000", "rouge_types=['rougeLsum']"),
}  # fmt: skip

# Seconds from the signal to the end of the process; it stops within 0.1, on a machine that is free.
PATIENCE = 5


@not_ignored
@on_normal_builds
@pytest.mark.parametrize(
    ("work", "threads"), [*((work, "2") for work in LONG_WORK), ("LCS", "1"), ("n-grams", "1")]
)
def test_an_interrupt_ends_one_long_pair(work: str, threads: str) -> None:
    prediction, reference, options = LONG_WORK[work]
    # The second pair is short: its thread waits for the other, and is idle afterwards.
    code = f"""
        import random, time
        from bleu_rouge_metric import Scorer
        random.seed(1)
        def words(count, scale=1000.0, end=" "):
            return "".join(f"w{{int(random.expovariate(1 / scale))}}{{end}}" for _ in range(count))
        def lines(count, scale=1000.0):
            return words(count, scale, end="\\n")
        predictions, references = [{prediction}, "a b"], [{reference}, "a c"]
        scorer = Scorer("rouge", {options})
        scorer.update(["a b"], ["a c"])
        before = scorer.result()
        print("ready", flush=True)
        try:
            scorer.update(predictions, references)
        except KeyboardInterrupt:
            used = time.process_time()
            time.sleep(0.2)
            print(len(scorer), scorer.result() == before, time.process_time() - used < 0.1)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, "BLEU_ROUGE_THREADS": threads, "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            start = time.monotonic()
            assert process.communicate(timeout=120) == ("1 True True\n", "")
            assert time.monotonic() - start < PATIENCE
        finally:
            process.kill()
