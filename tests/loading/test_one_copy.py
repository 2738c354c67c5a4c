"""``evaluate.load`` and ``import bleu_rouge_metric`` give the same classes."""

from pathlib import Path

import pytest

from .environments import Environment, make_clone, run


@pytest.fixture(params=["bare", "installed", "editable"])
def environment(request: pytest.FixtureRequest) -> Environment:
    found: Environment = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    return make_clone(tmp_path / "clone")


def test_loaded_and_imported_classes_are_the_same(
    environment: Environment, clone: Path, tmp_path: Path
) -> None:
    code = """
        loaded = evaluate.load("./bleu_rouge_metric")
        import bleu_rouge_metric
        from bleu_rouge_metric import Scorer
        ours = bleu_rouge_metric.load()
        hook = loaded.compute_metrics(pad=0)
        print(json.dumps([
            type(loaded) is type(ours),
            isinstance(ours, evaluate.Metric),
            isinstance(hook, bleu_rouge_metric.ComputeMetrics),
            type(loaded).__module__,
        ]))
    """
    printed = run(environment, code, clone, tmp_path / "cache")
    module = "bleu_rouge_metric.integrations.evaluate_metric"
    assert printed == [True, True, True, module]


def test_a_metric_goes_to_a_process_that_has_never_loaded_it(
    environment: Environment, clone: Path, tmp_path: Path
) -> None:
    code = """
        import pickle, subprocess
        metric = evaluate.load("./bleu_rouge_metric", "rouge")
        metric.add(prediction="the cat sat", reference="the cat")
        score = (
            "import pickle, sys; metric = pickle.load(sys.stdin.buffer);"
            "print(metric.compute()['rouge1'])"
        )
        printed = subprocess.run(
            [sys.executable, "-c", score], input=pickle.dumps(metric), capture_output=True
        )
        print(json.dumps([printed.stdout.decode(), printed.stderr.decode()]))
    """
    assert run(environment, code, clone, tmp_path / "cache") == ["0.8\n", ""]


WORKERS = """
import multiprocessing

def score(metric):
    return metric.compute(predictions=["the cat sat"], references=["the cat"])["rouge1"]

def count(scorer):
    scorer.update(["the cat sat"], ["the cat"])
    return scorer

if __name__ == "__main__":
    loaded = evaluate.load({path!r})
    import bleu_rouge_metric
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        scores = pool.map(score, [loaded, bleu_rouge_metric.load()])
        (scorer,) = pool.map(count, [bleu_rouge_metric.Scorer()])
    whole = bleu_rouge_metric.Scorer()
    whole.merge(scorer)
    print(json.dumps([*scores, whole.result()["rouge1"]]))
"""


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_metrics_and_scorers_go_to_spawned_workers(
    environment: Environment, clone: Path, tmp_path: Path, is_elsewhere: bool
) -> None:
    path = str(clone / "bleu_rouge_metric") if is_elsewhere else "./bleu_rouge_metric"
    folder = tmp_path if is_elsewhere else clone
    script = tmp_path / "scripts" / "workers.py"
    code = WORKERS.replace("{path!r}", repr(path))
    assert run(environment, code, folder, tmp_path / "cache", script=script) == [0.8, 0.8, 0.8]


def test_two_processes_share_their_samples(
    environment: Environment, clone: Path, tmp_path: Path
) -> None:
    code = """
        import multiprocessing

        def score(process_id):
            metric = evaluate.load(
                "./bleu_rouge_metric", num_process=2, process_id=process_id, experiment_id="two"
            )
            scores = metric.compute(
                predictions=[["the cat sat", "a dog"][process_id]], references=["the cat"]
            )
            return scores and scores["rouge1"]

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(2) as pool:
                print(json.dumps(pool.map(score, range(2), chunksize=1)))
    """
    script = tmp_path / "scripts" / "two.py"
    assert run(environment, code, clone, tmp_path / "cache", script=script) == [0.4, None]
