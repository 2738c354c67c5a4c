"""Join the files of the folders of pyrouge to one file per system and model."""

from pathlib import Path

for folder, pattern in (
    ("system", "text.*.txt"),
    ("model", "text.A.*.txt"),
    ("model", "text.B.*.txt"),
):
    paths = sorted(Path(folder).glob(pattern))
    texts = [" ".join(path.read_text("utf-8").split()) for path in paths]
    name = "predictions" if folder == "system" else f"references.{pattern[5]}"
    Path(f"{name}.txt").write_text("\n".join([*texts, ""]), "utf-8")
