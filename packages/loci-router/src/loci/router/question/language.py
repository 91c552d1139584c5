"""Which languages a question is in, and so whose patterns are tried."""

from __future__ import annotations

from .parts import Language
from .patterns import patterns_of
from .text import compiled

_WORD = r"[^\W_]+(?:'[^\W_]+)?"
_KANA = r"[\u3040-\u30ff]"
_HAN = r"[\u3400-\u9fff]"


def language_of(folded: str) -> Language:
    """The language whose classes apply beside the English ones: by script, else by two function words of its own."""
    if compiled(_KANA).search(folded):
        return "ja"
    if compiled(_HAN).search(folded):
        return "zh"
    found = compiled(_WORD).findall(folded)
    best: Language = "en"
    most = 1
    languages: tuple[Language, ...] = ("de", "es")
    for language in languages:
        functions = patterns_of(language).function_words
        count = sum(word in functions for word in found)
        if count > most:
            best, most = language, count
    if best == "en" and ("¿" in folded or "¡" in folded):
        return "es"
    return best


def with_english(language: Language) -> list[Language]:
    """The languages whose closed classes apply: developers mix English into every language, never the other way."""
    return ["en"] if language == "en" else [language, "en"]


def of_short(folded: str, language: Language) -> tuple[Language, ...]:
    """The languages that a short question may be in, which often has no function word that tells."""
    if language in ("zh", "ja"):
        return (language, "en")
    others: tuple[Language, ...] = ("de", "es")
    return (
        "en",
        *(each for each in others if each == language or compiled(patterns_of(each).begins).match(folded)),
    )


def of_words(text: str) -> tuple[str, ...]:
    """All languages whose words may stand in a text: for wordings that say the same in whatever language they stand."""
    cjk = compiled(_KANA).search(text) or compiled(_HAN).search(text)
    return ("en", "de", "others", "es", *(("zh", "ja") if cjk else ()))
