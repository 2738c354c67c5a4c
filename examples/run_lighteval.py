"""Run the task of docs/integrations.md in lighteval with a model that echoes its input."""

from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from lighteval.tasks.registry import Registry


class Echo(DummyModel):
    def greedy_until(self, docs):
        return [ModelResponse(text=[doc.query]) for doc in docs]


# Without lighteval's own tasks, some of which need the network when they are imported.
Registry._load_from_files = Registry._load_from_subdirs = staticmethod(lambda *_: {})
parameters = PipelineParameters(ParallelismManager.NONE, custom_tasks_directory="summaries.py")
tracker, model = EvaluationTracker(output_dir="results"), Echo(DummyModelConfig(cache_dir="cache"))
pipeline = Pipeline("summaries|0", parameters, tracker, model=model)
pipeline.evaluate()
print(pipeline.get_results()["results"]["summaries:0"]["bleu"])
