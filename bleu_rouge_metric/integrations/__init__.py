"""Connect the scores to other libraries: evaluate, trainers, torchmetrics, rouge_score."""
