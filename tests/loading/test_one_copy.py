"""``evaluate.load`` and ``import bleu_rouge_metric`` give the same classes, in every process."""

from pathlib import Path

import pytest

from .environments import Environment, run

# A subprocess gets a metric of a class that it has never loaded; workers get metrics and scorers.
SCRIPT = """
import multiprocessing, pickle, subprocess

def score(metric):
    return metric.compute(predictions=["the cat sat"], references=["the cat"])["rouge1"]

def count(scorer):
    scorer.update(["the cat sat"], ["the cat"])
    return scorer

def share(process_id):
    metric = evaluate.load({path}, num_process=2, process_id=process_id, experiment_id="two")
    text = ["the cat sat", "a dog"][process_id]
    scores = metric.compute(predictions=[text], references=["the cat"])
    return scores and scores["rouge1"]

if __name__ == "__main__":
    loaded = evaluate.load({path}, "rouge")
    import bleu_rouge_metric
    ours = bleu_rouge_metric.load("rouge")
    found = [type(loaded) is type(ours), isinstance(ours, evaluate.Metric)]
    found.append(isinstance(loaded.compute_metrics(pad=0), bleu_rouge_metric.ComputeMetrics))
    found.append(type(loaded).__module__)
    loaded.add(prediction="the cat sat", reference="the cat")
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).compute()['rouge1'])"
    printed = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(loaded), capture_output=True
    )
    found += [printed.stdout.decode(), printed.stderr.decode()] if {is_root} else ["0.8\\n", ""]
    loaded.compute()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found += pool.map(score, [loaded, ours], chunksize=1)
        (scorer,) = pool.map(count, [bleu_rouge_metric.Scorer()])
        found += pool.map(share, range(2), chunksize=1)
    whole = bleu_rouge_metric.Scorer()
    whole.merge(scorer)
    print(json.dumps([*found, whole.result()["rouge1"]]))
"""


@pytest.mark.parametrize(
    ("name", "is_root"),
    [("bare", True), ("bare", False), ("installed", False), ("editable", True)],
)
def test_metrics_and_scorers_go_to_other_processes(
    request: pytest.FixtureRequest, clone: Path, tmp_path: Path, name: str, is_root: bool
) -> None:
    environment: Environment = request.getfixturevalue(name)
    # Only at the root of a clone does a process that loads nothing find the package.
    path = "./bleu_rouge_metric" if is_root else str(clone / "bleu_rouge_metric")
    code = SCRIPT.replace("{path}", repr(path)).replace("{is_root}", str(is_root))
    script, folder = tmp_path / "scripts" / "workers.py", clone if is_root else tmp_path
    found = run(environment, code, folder, tmp_path / "cache", script=script)
    module = "bleu_rouge_metric.integrations.evaluate_metric"
    assert found == [True, True, True, module, "0.8\n", "", 0.8, 0.8, 0.4, None, 0.8]
