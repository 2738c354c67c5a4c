"""Generate instructions, as a program that fills templates does; the same for the same seed.

Like the instructions that a model generates from a pool, many are variants of each other: words of
an instruction of the pool are exchanged, left out, added, or come from a template.
"""

import random
from collections.abc import Iterator

_TEMPLATES = (
    "{verb} {article} {kind} about {topic}.",
    "{verb} {number} {kind}s for {topic} that {goal}.",
    "Given {article} {kind}, {task}.",
    "You are given {article} {kind} about {topic}. {task_upper} and explain your answer.",
    "What is the difference between {topic} and {other}?",
    "How can I {goal_first} when I think of {topic}?",
    "{verb} {article} {adjective} {kind} in which {topic} and {other} meet.",
    "Suggest {number} ways to {goal_first} with {topic}.",
    "Is the following {kind} about {topic} {adjective}? {task_upper}.",
    "{task_upper}, then {task}.",
)
_SLOTS = {
    "verb": [
        "Write",
        "Create",
        "Compose",
        "Draft",
        "Describe",
        "Generate",
        "Plan",
        "Outline",
        "Invent",
        "Summarise",
    ],
    "article": ["a", "one", "another", "the best"],
    "kind": [
        "story",
        "poem",
        "letter",
        "table",
        "email",
        "recipe",
        "question",
        "speech",
        "dialogue",
        "review",
        "list",
    ],
    "adjective": [
        "short",
        "funny",
        "formal",
        "sad",
        "surprising",
        "polite",
        "useful",
        "correct",
        "simple",
        "famous",
    ],
    "number": ["two", "three", "five", "ten", "some"],
    "goal": ["help a beginner", "save time", "are easy to remember", "make people laugh"],
    "goal_first": ["save money", "learn faster", "sleep better", "find new friends", "cook well"],
    "task": [
        "name its author",
        "count its words",
        "sort its lines by length",
        "find the mistakes",
        "translate it into French",
        "say what happens next",
        "rewrite it in simple words",
    ],
    "topic": [
        "the weather",
        "old trains",
        "a lost key",
        "climate change",
        "chess",
        "bees",
        "learning a language",
        "the ocean at night",
        "music lessons",
        "city gardens",
        "a long journey",
        "robots",
        "bread",
        "the first day at school",
        "maps",
        "winter",
    ],
    "other": ["friendship", "the moon", "a small village", "machines", "rivers", "holidays"],
}


def generate_instructions(count: int, pool: list[str], seed: int = 0) -> list[str]:
    """Generate instructions.

    Args:
        count: how many.
        pool: instructions of people, of which a part are variants.
        seed: of the random stream.
    """
    generator = random.Random(seed)  # noqa: S311 - not for secrets
    words = sorted({word for text in pool for word in text.split()})
    return [_generate(generator, pool, words) for _ in range(count)]


def _generate(generator: random.Random, pool: list[str], words: list[str]) -> str:
    if pool and generator.random() < 0.6:
        return " ".join(_vary(generator, generator.choice(pool).split(), words))
    template = generator.choice(_TEMPLATES)
    slots = {name: generator.choice(values) for name, values in _SLOTS.items()}
    task = generator.choice(_SLOTS["task"])
    return template.format(**slots, task_upper=task[0].upper() + task[1:])


def _vary(generator: random.Random, tokens: list[str], words: list[str]) -> Iterator[str]:
    """Iterate over the tokens, of which about half are others."""
    rate = generator.uniform(0.2, 0.9)
    for token in tokens:
        draw = generator.random()
        if draw > rate:
            yield token
        elif draw > rate / 4:
            yield generator.choice(words)
        if draw < rate / 8:
            yield generator.choice(words)
