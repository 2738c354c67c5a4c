"""Write the texts of four simple summarization systems for the articles of news.jsonl."""

import json
from pathlib import Path

rows = [json.loads(line) for line in Path("news.jsonl").read_text("utf-8").splitlines()]
articles = [row["article"] for row in rows]
texts = {
    "first": [article.split(". ")[0] + "." for article in articles],
    "words12": [" ".join(article.split()[:12]) for article in articles],
    "words13": [" ".join(article.split()[:13]) for article in articles],
    "words15": [" ".join(article.split()[:15]) for article in articles],
    "summaries": [row["summary"] for row in rows],
}
for name, lines in texts.items():
    Path(f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
