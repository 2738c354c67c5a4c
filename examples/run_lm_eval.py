"""Run docs/integrations.md's task in lm-evaluation-harness with a model that echoes its input."""

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager


class Echo(LM):
    def generate_until(self, requests, disable_tqdm=False):
        return [request.args[0] for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


tasks = TaskManager(include_path=".", include_defaults=False)
found = simple_evaluate(Echo(), tasks=["summaries"], task_manager=tasks)["results"]["summaries"]
print(found["bleu,none"], found["bleu_stderr,none"])
print(f"{found['rougeL,none']:.6f} ± {found['rougeL_stderr,none']:.6f}")
