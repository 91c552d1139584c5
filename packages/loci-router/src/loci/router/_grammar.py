# ruff: noqa: E501 - a pattern that is broken over lines cannot be read.
"""What the wording of a question says about its subject: closed classes, each with its linguistic reason.

Four things are read off a question before any text is searched, because the words that carry them are function words,
which no index weighs:

* **Enumeration**: it asks for a *set* of projects ("which of my repos ..."). The frame nouns name the kind of answer
  wanted, not its content, so they are taken out of the evidence.
* **Relation**: it asks how projects use one another ("what depends on X?").
* **Deixis**: it points at a subject it never names ("this repo", "here", a bare "it"). A pronoun whose antecedent
  stands earlier in the same question is bound there and points at nothing outside.
* **Instrument**: a tool is told to do the asking ("use loci to find ..."). The tool is not the subject.

What is asked of a project as a whole ("what does X do?") is read in `_requests`.

A closed class is a list that a language does not add to: determiners, pronouns, adverbs of place, auxiliaries, and the
few nouns that mean "one of my projects". Nothing here counts words or weighs content; that is the evidence's work.
Nothing here decides either: the cues found are handed to the router, which also knows the evidence.

Rules are written over a folded question (lower case, straight quotes, half-width signs) of the same length as the
original, so that every span found holds for both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ._requests import OF_ALL, Request, languages_of, request_of

Language = Literal["en", "de", "es", "zh", "ja"]
Span = tuple[int, int]


@dataclass(frozen=True)
class Cue:
    """A wording that carries grammar: the class it belongs to, the words themselves, and where they stand."""

    kind: str
    text: str
    span: Span


@dataclass(frozen=True)
class Relation:
    """A question about relations between projects.

    `subject` is the span of what is used ("X" in "what depends on X"), None when any other project is meant.
    """

    cue: Cue
    subject: Span | None


@dataclass(frozen=True)
class Reading:
    """What the grammar of one question says.

    Attributes:
        language: The language whose classes were applied beside the English ones.
        enumeration: The wording that asks for a set of projects, if any.
        relations: Wordings that ask how projects use one another; which of them count depends on what is registered.
        deixis: The wordings that point at a subject outside the question; bound pronouns are not among them.
        instrument: The wording that names a tool to ask with, if any.
        evidence: The question without instrument and enumeration frame: the text whose words are evidence.
        request: What the question asks of a project, where it asks for nothing else.

    """

    language: Language
    enumeration: Cue | None
    relations: tuple[Relation, ...]
    deixis: tuple[Cue, ...]
    instrument: Cue | None
    evidence: str
    request: Request | None = None


# ---------------------------------------------------------------------------------------------------------------------
# Folding: same length as the original, so that spans can be shared.

_SIGNS = {0x2018: "'", 0x2019: "'", 0x02BC: "'", 0x201C: '"', 0x201D: '"', 0x2010: "-", 0x2011: "-", 0x3000: " "}
_SIGNS |= {0xFF01 + i: chr(0x21 + i) for i in range(94)}


def fold(text: str) -> str:
    """`text` in lower case with straight quotes and half-width signs, character for character."""
    straight = text.translate(_SIGNS)
    lowered = straight.lower()
    # A few letters (Turkish dotted capital I) grow when lowered; those texts keep their case letter by letter.
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in straight)


_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def words(text: str) -> frozenset[str]:
    """The words of `text`, as a set: how the closed classes are written down."""
    return frozenset(text.split())


# Function words that neither English nor each other's language has: two of them decide. Ambiguous ones ("die", "in",
# "was", "es", "no", "a") are left out on purpose.
_FUNCTION_WORDS: dict[Language, frozenset[str]] = {
    "de": words(
        """der das den dem des und oder nicht ist sind wird werden wurde wie wo warum wann welche welcher welches welchen
        welchem ich wir mein meine meinen meinem meiner meines unser unsere ein eine einen einem einer eines für mit von
        beim zum zur auf aus nach wenn dass kann hier dieses diese dieser diesem habe haben hat auch sich im am"""
    ),
    "es": words(
        """el los las una uno unos unas del al y qué cómo cuál cuáles dónde cuándo quién por para con sin sobre es son
        está están se su sus mi mis nuestro nuestra nuestros este esta esto estos eso aquí que cuando donde hay he
        hemos alguna alguno cada todos todas la de en lo"""
    ),
}


def language_of(folded: str) -> Language:
    """The language whose classes apply beside the English ones: by script, else by two function words of its own."""
    if _KANA.search(folded):
        return "ja"
    if _HAN.search(folded):
        return "zh"
    found = _WORD.findall(folded)
    best: Language = "en"
    most = 1
    for language, functions in _FUNCTION_WORDS.items():
        count = sum(word in functions for word in found)
        if count > most:
            best, most = language, count
    if best == "en" and ("¿" in folded or "¡" in folded):
        return "es"
    return best


class _Patterns:
    """Patterns that are compiled when they are first needed: most processes ask one question in one language.

    Args:
        patterns: The patterns themselves.
        kinds: A name for each of them; what `named` yields with it.

    """

    def __init__(self, patterns: list[str], kinds: list[str] | None = None) -> None:
        self._written = patterns
        self._kinds = kinds or [""] * len(patterns)
        self._compiled: list[re.Pattern[str]] | None = None

    def __iter__(self) -> Iterator[re.Pattern[str]]:
        if self._compiled is None:
            self._compiled = [re.compile(pattern) for pattern in self._written]
        return iter(self._compiled)

    def named(self) -> Iterator[tuple[str, re.Pattern[str]]]:
        """(kind, pattern), in order."""
        return zip(self._kinds, self, strict=True)


def _compile(patterns: list[str]) -> _Patterns:
    return _Patterns(patterns)


def _kinds(*patterns: tuple[str, str]) -> _Patterns:
    return _Patterns([pattern for _, pattern in patterns], [kind for kind, _ in patterns])


# ---------------------------------------------------------------------------------------------------------------------
# Nouns that mean "one of my projects".

# These say nothing but "project": asking for them in the plural asks for a set of projects.
_FRAME_SINGULAR = r"(?:project|repo|repository|codebase|code ?base|git repo|git repository)"
_FRAME_PLURAL = r"(?:projects|repos|repositories|codebases|code ?bases|git repos|git repositories)"
# These are also content ("the service restarts", "a package is resolved"); they mean projects only when the sentence
# marks them as the speaker's possessions.
_OWNED_PLURAL = (
    r"(?:apps|applications|programs|programmes|tools|packages|services|libraries|libs|sites|websites|servers|scripts|"
    r"binaries|clis|plugins|bots|games|products|things|crates|modules|tuis|apis|backends|frontends|clients|daemons)"
)
_OWNED_SINGULAR = (
    r"(?:app|application|program|programme|tool|package|service|library|lib|site|website|server|script|binary|cli|"
    r"plugin|bot|game|product|thing|crate|module)"
)
_MINE = r"(?:my|our)"
_ANY_FRAME = rf"(?:{_FRAME_PLURAL}|{_FRAME_SINGULAR})"
_FILLER = r"(?:[\w+#./-]+ ){0,3}"  # modifiers between determiner and noun: "my open source Go projects"

# ---------------------------------------------------------------------------------------------------------------------
# Enumeration. The question's answer is a set of projects.

_ENUMERATION: dict[Language, _Patterns] = {
    "en": _compile(
        [
            # Interrogative determiner + plural frame noun: the wh-word ranges over projects.
            rf"\b(?:which|what|how many) (?:[\w+#./-]+ )?{_FRAME_PLURAL}\b",
            rf"\b(?:which|how many|what) (?:ones? )?of (?:all |the )*(?:{_MINE}|these|those|the) {_FILLER}"
            rf"(?:{_FRAME_PLURAL}|{_OWNED_PLURAL}|stuff|code)\b",
            rf"\bwhich (?:[\w+#./-]+ )?{_FRAME_PLURAL} of (?:mine|ours)\b",
            rf"\b(?:which|what) (?:other|else) {_ANY_FRAME}\b",
            # Quantifier + possessive + plural: the quantifier ranges over the speaker's projects.
            rf"\b(?:any|all|each|every one|every|some|most|many|none|one|either|both|several|two|three)(?: of)? {_MINE} "
            rf"{_FILLER}(?:{_FRAME_PLURAL}|{_OWNED_PLURAL})\b",
            # A bare universal quantifier over the frame noun itself: "in every repo", "across all projects".
            rf"\b(?:every|each|any|all)(?: of)?(?: the)? (?:other |single )?{_ANY_FRAME}\b",
            # Prepositions that need a set as their object.
            rf"\b(?:across|among|amongst|throughout|between) (?:all |of |the )*(?:{_MINE}|these|all|the) {_FILLER}"
            rf"(?:{_FRAME_PLURAL}|{_OWNED_PLURAL}|stuff|code)\b",
            # Indefinite or universal pronoun whose restriction is ownership, not content.
            r"\b(?:anything|something|everything|nothing|all|any|which|what|whichever|whatever|none|some)"
            r"(?: else)?(?: [\w+#./-]+){0,4} of (?:mine|ours)\b",
            r"\b(?:anything|something|everything|all|whatever|nothing)(?: else)?(?: that)? "
            r"(?:i|we|i've|we've) (?:have|own|wrote|write|built|build|maintain|made|make|ship|got|written)\b(?! to\b)",
            r"(?:\b(?:show|list|name|give|tell|find)(?: me)? )?"
            r"\b(?:each|every|all|any|which|what)(?: of)?(?: the| my| our)? (?:[\w+#./-]+ ){1,4}(?:that |which )?"
            r"(?:i|we) (?:own|maintain|wrote|built)\b",
            # Possession asked of the speaker: "what do I have that ...", "do I have anything that ...".
            r"\bwhat (?:else )?(?:do (?:i|we) (?:have|own|maintain)|have (?:i|we) got)\b(?! to\b)",
            rf"\bdo (?:i|we) (?:have|own|maintain) (?:any|anything|something|more than one|another|other|multiple)\b"
            rf"(?! to\b)(?: {_FILLER}{_ANY_FRAME}\b)?",
            rf"\b(?:do (?:i|we) (?:have|own)|is there|are there) (?:a|an|any|some) {_FILLER}{_ANY_FRAME}"
            r"(?= (?:of|that|which|where|with|among|in|using|i)\b)",
            # "Elsewhere" presupposes one place and asks for the others.
            r"\bwhere else\b",
            # The experiential perfect of the first person asks whether it ever happened in all of one's work.
            r"(?:^|[,;:.?!] ?|\band |\bor |\bwhere |\bwhen )have (?:i|we) (?:ever |already |once |previously |before )?"
            r"(?!been\b|got\b|to\b|just\b)\w+\b",
            r"\b(?:have|did|do|had) (?:i|we) (?:\w+ )?ever\b",
            r"\b(?:do|did|have|am|are) (?:i|we) (?:\w+ ){1,6}?(?:anywhere|elsewhere)\b",
            # Imperative of listing + universal quantifier + a noun marked as the speaker's.
            rf"\b(?:list|name|show|give|enumerate|find|tell)(?: me)? (?:all|each|every|any)(?: of)?(?: the| my| our)? "
            rf"{_FILLER}(?:{_ANY_FRAME}|(?:{_OWNED_PLURAL}|{_OWNED_SINGULAR}) (?:here|i own|i have|of mine))\b",
        ]
    ),
    "de": _compile(
        [
            # Interrogative + genitive possessive, or the plural frame noun.
            r"\bwelche[srnm]? (?:von |unter )?(?:meine[nrm]?|unsere[nrm]?|all meine[nr]) (?:[\w+#./-]+ ){0,3}?"
            r"(?:projekte[n]?|repos|repositories|repositorys|codebasen|programme[n]?|apps|dienste[n]?|tools|werkzeuge[n]?)\b",
            r"\b(?:in )?welchen? (?:[\w+#./-]+ )?(?:projekten?|repos|repositories|repositorys|codebasen)\b",
            r"\bwie viele (?:meiner|unserer|von meinen) [\w+#./-]+\b",
            # Quantifiers over the speaker's projects.
            r"\b(?:irgend)?ein(?:e[sr]?|em|en)? (?:meiner|unserer|von meinen) [\w+#./-]+\b",
            r"\b(?:in |über )?(?:all(?:e|en)?|jede[smrn]?|sämtliche[n]?) (?:meine[nrm]?|unsere[nrm]?) [\w+#./-]+\b",
            r"\b(?:alle|allen|jedes|jedem|sämtliche) (?:projekte[n]?|projekt|repos?|repositories)\b",
            r"\b(?:was|irgendetwas|irgendwas|etwas|nichts|alles) von (?:mir|uns|meinen|meinem)\b",
            # "elsewhere"; experiential perfect of the first person.
            r"\bwo (?:sonst|noch|überall)(?: noch)?\b",
            r"\b(?:habe|hab|haben) (?:ich|wir) (?:[\w+#./-]+ ){0,4}?(?:je|jemals|schon(?: ein)?mal|irgendwo|bereits)\b",
            r"\bwo habe[n]? (?:ich|wir)\b",
            r"\b(?:hat|gibt es|habe ich) (?:irgendein|ein|mehrere) (?:projekt|repo)\b",
        ]
    ),
    "es": _compile(
        [
            r"\b(?:cuál(?:es)?|cual(?:es)?|cuántos|alguno|algunos|alguna|ninguno|cualquiera|cada uno|todos|uno) de "
            r"(?:mis|nuestros|nuestras|los|las) (?:proyectos|repos|repositorios|programas|aplicaciones|servicios|apps|herramientas)\b",
            r"\b(?:en )?(?:qué|que|cuáles|cuántos) (?:otros )?(?:proyectos|repos|repositorios)\b",
            r"\b(?:todos|todas|entre|en todos|en cualquiera de) (?:los |las )?(?:mis|nuestros) (?:proyectos|repos|repositorios|programas)\b",
            r"\b(?:algo|nada|todo lo) (?:mío|nuestro|que (?:tengo|he escrito|mantengo))\b",
            r"\b(?:qué|que) tengo (?:yo )?que\b",
            r"\b(?:cada|cualquier|algún|ningún) (?:proyecto|repo|repositorio)(?: mío)?\b",
            # "elsewhere"; experiential perfect of the first person.
            r"\b(?:dónde|donde|en qué) (?:más|otro (?:proyecto|sitio|lugar)|otros)\b",
            r"\b(?:alguna vez|ya) (?:he|hemos)\b|\b(?:he|hemos) \w+ (?:alguna vez|ya|antes)\b|\bdónde (?:he|hemos)\b",
        ]
    ),
    "zh": _compile(
        [
            # Interrogative or universal determiner over the frame noun (measure words optional).
            r"(?:我(?:们)?的?)?(?:哪些|哪几个|多少个?|几个)[^，。？?]{0,6}?(?:项目|仓库|代码库|程序|工具|服务)",
            r"(?:我(?:们)?的)?(?:所有|全部|每个|每一个|任何|任意|各个)(?:的)?(?:项目|仓库|代码库)(?:里|中)?",
            r"我(?:们)?的(?:项目|仓库|代码库|程序|工具)(?:里|中|当中)?(?:有)?(?:哪些|哪个|谁|有没有|都)",
            r"(?:还有|别的|其他)(?:哪里|哪些|地方|项目)",
            # Experiential aspect 过 of the first person.
            r"我(?:们)?(?:以前|曾经?|是否|有没有|在哪里|在哪|之前)[^，。？?]{0,16}?过",
        ]
    ),
    "ja": _compile(
        [
            r"(?:私の|自分の|うちの)?(?:どの|どちらの|いくつの|何個の)(?:プロジェクト|リポジトリ|レポジトリ|コードベース)(?:たち|群)?",
            r"(?:私の|自分の|うちの)(?:プロジェクト|リポジトリ|レポジトリ|アプリ|ツール|サービス)(?:の(?:うち|中|なか)|で|に)",
            r"(?:すべて|全て|全部|あらゆる|各|それぞれ)の?(?:プロジェクト|リポジトリ|レポジトリ)",
            r"(?:他に|ほかに)(?:どこ|どれ|どの)",
            # Experiential ことがある.
            r"(?:これまで|今まで|以前|過去)に?[^、。？?]{0,24}?(?:ことが|たこと)",
        ]
    ),
}

# Inside an enumeration cue, everything but the modifiers is frame.
_FRAME_WORDS: frozenset[str] = words(
    """which what how many of my our mine ours the these those all any each every some most one none either both several
    project projects repo repos repository repositories codebase codebases code base bases git app apps application
    applications program programs programme programmes tool tools package packages service services library libraries
    thing things product products stuff across among amongst throughout between anything something everything nothing
    whatever whichever else other i we i've we've have own wrote write built build maintain made make ship got written do
    did had am are is there where ever already once previously before anywhere elsewhere list name show give enumerate
    find tell me here that and or when a an more than another multiple in
    welche welcher welches welchen welchem meine meinen meiner meines unsere unserer projekte projekten projekt wie viele
    eines irgendein irgendeines alle allen jedes jedem jeder wo sonst noch überall habe haben ich wir je jemals schon einmal
    mal irgendwo bereits von programme apps
    cuál cuáles cual cuántos de mis nuestros los las proyectos repositorios en qué que todos algo mío tengo dónde donde más
    alguna vez he hemos ya cada cualquier algún"""
)

# ---------------------------------------------------------------------------------------------------------------------
# Deixis. The question points at a subject outside itself.

_DEICTIC_NOUN = (
    rf"(?:{_ANY_FRAME}|{_OWNED_SINGULAR}|code|folder|directory|dir|workspace|source|sources|source code|source tree|tree|"
    r"checkout|monorepo|stack|system|software|place|branch|commit)"
)
# A demonstrative or definite determiner with a noun that only says "what we are in": identifiable to speaker and hearer
# by the situation alone. Nouns that are content elsewhere ("the service", "the package") need a demonstrative.
_DEICTIC_NP = [
    rf"\b(?:this|our|my current|the current|the whole|the entire|this whole) (?:current |entire |whole |particular )?{_DEICTIC_NOUN}\b"
    r"(?!['-]?\w)",
    # Completed by a restrictive modifier ("the program in a pane", "the app that ...") it is described, not pointed at.
    r"\bthe (?:project|repo|codebase|code base|app|application|program|tool)\b(?!['-]?\w)(?! \w+ (?:called|named)\b)"
    r"(?! (?:of|in an?|with|that|which|whose|where|for an?|called|named)\b)",
]
# Adverbs of place point at where the speaker is.
_DEICTIC_PLACE = [r"\b(?:in|over|around|right|from|up|down) here\b", r"\bhere\b(?!'s)"]
# The speaker's own group as possessor or agent: "our dependencies", "what were we doing".
_DEICTIC_PERSON = [r"\b(?:our|us)\b", r"\bwe\b"]
# Shared memory without content: the subject is in a past conversation.
_DEICTIC_MEMORY = [r"\b(?:remind me|where (?:did|were) (?:i|we)|left off|last (?:time|week|session)|yesterday)\b"]
# Every project has versions: nothing but one says as much as "the last release". Only the whole question counts.
_DEICTIC_VERSION = [
    r"^\W*(?:so |and |ok |please )*(?:what(?:'s|’s)?|which|is there|was there|show|list|tell me)\b(?: \w+){0,5}? (?:in|with|since|of|for|about)"
    r" (?:the )?(?:version |release )?v?\d+(?:\.\d+)+\W*$"
]

_DEIXIS: dict[Language, _Patterns] = {
    "en": _kinds(
        *(("noun", p) for p in _DEICTIC_NP),
        *(("place", p) for p in _DEICTIC_PLACE),
        *(("person", p) for p in _DEICTIC_PERSON),
        *(("memory", p) for p in _DEICTIC_MEMORY),
        *(("version", p) for p in _DEICTIC_VERSION),
    ),
    "de": _kinds(
        (
            "noun",
            r"\b(?:dies(?:e[srnm]?)?|unser(?:e[srnm]?)?|das|dem|die|der|im|ins) (?:ganze[nrms]? |aktuelle[nrms]? )?"
            r"(?:projekt(?:es|s)?|repo|repository|codebasis|codebase|app|anwendung|programm|tool|verzeichnis|ordner|ding)\b",
        ),
        ("place", r"\b(?:hier(?:in|drin|von)?|da drin)\b"),
        ("person", r"\b(?:wir|uns|unser(?:e[srnm]?)?)\b"),
    ),
    "es": _kinds(
        (
            "noun",
            r"\b(?:est[ea]|es[ea]|nuestr[oa]|el|la) (?:proyecto|repo|repositorio|aplicación|app|programa|herramienta|"
            r"directorio|carpeta|código|cosa)\b(?! de\b)",
        ),
        ("place", r"\b(?:aquí|acá)\b"),
        ("pronoun", r"\b(?:esto|eso)\b"),
    ),
    "zh": _kinds(
        (
            "noun",
            (r"(?:这个|这|该|本|当前|咱们的?|我们的?)(?:项目|仓库|代码库|程序|应用|工具|目录|文件夹|服务|代码|东西)"),
        ),
        ("place", r"(?:这里|这儿|此处)"),
        ("pronoun", r"^(?:它|这|那)(?!些|个|种|样|么|里|儿)"),
    ),
    "ja": _kinds(
        (
            "noun",
            r"(?:この|その|当|本|現在の)(?:プロジェクト|リポジトリ|レポジトリ|コードベース|アプリ|プログラム|ツール|"
            r"ディレクトリ|フォルダ|サービス|コード)",
        ),
        ("place", r"(?:ここ|こちら)(?:で|に|の|は|では|には)?"),
        ("pronoun", r"^(?:これ|それ|あれ)"),
    ),
}

# Pronouns that need an antecedent, with the number they agree with.
_SINGULAR_PRONOUNS = frozenset(["it", "its", "itself", "this", "that"])
_PLURAL_PRONOUNS = frozenset(["they", "them", "their", "theirs", "themselves", "these", "those"])
# Words that cannot be the noun an antecedent consists of.
_NOT_NOUNS = words(
    """a an the this that these those my our your his her its their some any each every no which what whose who whom where
    when why how if whether while until unless because although though since so than as of in on at by for from to into
    onto with without within inside outside over under about after before between through during per via against and or
    but nor not never also only just even still already again yet then there here i we you he she it they me us him them
    is are was were be been being am do does did done doing have has had having can could will would shall should may
    might must get gets got getting let lets make makes made go goes going went happen happens there's it's what's
    can't cannot don't doesn't didn't won't isn't aren't wasn't please tell explain show remind know first last next
    exactly actually really currently now today always ever once up down out off back away keep keeps start starts
    started work works run runs use uses used look looks come comes take takes first"""
)
_DETERMINERS = frozenset(["a", "an", "the", "each", "every", "one", "another", "some", "any", "my", "no"])
_AUXILIARIES = words(
    """is are was were be been am do does did have has had can could will would shall should may might must isn't aren't
    wasn't weren't doesn't don't didn't can't couldn't won't wouldn't shouldn't needs need happens works means"""
)
_PREPOSITIONS = words(
    """of in on at by for from to into onto with without within inside outside over under about after before between
    through during per via against like than"""
)
# "is it possible to", "does it matter", "it takes": the expletive subject stands for the clause that follows.
_EXPLETIVE = re.compile(
    r"\b(?:is|was|would|will|isn't|wouldn't)(?: be)? it(?: be)? (?:\w+ly )?(?:possible|necessary|worth|safe|ok|okay|fine|"
    r"better|best|enough|easy|hard|faster|wise|allowed|legal|normal|true|likely|required|recommended|me|just me|that)\b"
    r"|\b(?:does|did|will|would|doesn't) it (?:matter|make sense|take|help|hurt|pay)\b"
    r"|\bit(?:'s| is| was| would be| seems| turns out| looks)(?: \w+ly)? (?:possible|necessary|worth|better|best|that|like|"
    r"as if|required|recommended|likely)\b"
    # "where is it decided that ...": the passive with a clause for its logical subject.
    r"|\b(?:is|was|isn't|wasn't|gets?) it (?:\w+ )?\w+(?:ed|en|own|id|ught) (?:that|whether|which|what|how|why|when|where|if|who)\b"
    r"|\b(?:make|makes|made|making|find|found) it (?:possible|easy|easier|hard|harder|impossible|safe)\b|\bhow come it\b"
)


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "as", "os"))


def _unbound_pronouns(folded: str) -> Iterator[Cue]:
    """English pronouns with no noun before them that they could stand for.

    A pronoun looks back: its antecedent is a noun that precedes it in the question and agrees with it in number. A noun
    that only follows ("what happens to it when a task fails") is no antecedent; a plural cannot be "it".
    """
    expletive = {m.start() + m.group().index("it") for m in _EXPLETIVE.finditer(folded)}
    tokens = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(folded)]
    singular = plural = False
    for i, (word, start, end) in enumerate(tokens):
        bare = word.removesuffix("'s")
        after = tokens[i + 1][0] if i + 1 < len(tokens) else ""
        gap = folded[end : tokens[i + 1][1]] if i + 1 < len(tokens) else ""
        clause_final = not after or any(sign in gap for sign in ",;:.?!")
        pronoun = False
        if bare in ("it", "its", "itself"):
            pronoun = start not in expletive
        elif bare in ("this", "these"):
            # Before a noun it is a determiner: "this setting" refers back just as the pronoun does.
            pronoun = True
        elif bare in ("that", "those"):
            before = tokens[i - 1][0] if i else ""
            # Complementizer and relative pronoun are no pointers: only a verb's subject after an auxiliary, an object
            # at the end of its clause, or the object of a preposition.
            pronoun = clause_final or (
                before in _AUXILIARIES | _PREPOSITIONS and before not in _NOT_NOUNS - _AUXILIARIES
            )
        elif bare in _PLURAL_PRONOUNS:
            pronoun = True
        if pronoun:
            bound = (singular or plural) if bare in ("that", "this") else singular
            if bare in _PLURAL_PRONOUNS:
                bound = plural or singular
            if not bound:
                yield Cue("pronoun", word, (start, end))
            continue
        if word in _DETERMINERS and after:
            # English modifiers are singular ("the test runner"), so a plural right after the determiner is the head
            # ("the logs go"), and anything else starts a phrase that a singular pronoun can refer to.
            if _is_plural(after):
                plural = True
            else:
                singular = True
            continue
        if word in _NOT_NOUNS or word.endswith("ly") or word.isdigit():
            continue
        # Without a determiner only the end of a phrase is surely a noun: before a function word or a pause.
        if clause_final or after in _NOT_NOUNS or after in _AUXILIARIES:
            if _is_plural(word):
                plural = True
            else:
                singular = True
        elif _is_plural(word):
            plural = True


# ---------------------------------------------------------------------------------------------------------------------
# Instrument. An imperative to the hearer that names a tool and a verb of inquiry.

_INQUIRY = (
    r"(?:tell|find|find out|show|look|look up|search|explain|check|answer|list|figure out|see|ask|say|give|summari[sz]e|"
    r"recall|remember|get|help|work out|lookup|query|grep|dig|locate|inspect|investigate|understand)"
)
_INSTRUMENT_START = (
    r"(?:^|[.!?,;:] ?)(?:(?:hey|hi|ok|okay|please|now|so|and)[, ]+)*(?:(?:can|could|would|will) you (?:please )?|"
    r"i(?:'d like| want| need) you to |go (?:and )?|let's |just )?"
)
_INSTRUMENT: dict[Language, _Patterns] = {
    "en": _compile(
        [
            rf"{_INSTRUMENT_START}(?:please )?use (?:the )?(?P<tool>[\w.-]+)(?: (?:tool|mcp|server|skill|memory|index))* "
            rf"(?:to|and) (?:please )?{_INQUIRY}(?: out| up)?(?: (?:me|us|for))?\b:?",
            rf"{_INSTRUMENT_START}ask (?:the )?(?P<tool>loci)(?: (?:whether|if|about|for|to {_INQUIRY}(?: me)?))?\b[:,]?",
            rf"{_INSTRUMENT_START}(?P<tool>loci)\s?[:,]|{_INSTRUMENT_START}let (?P<tool2>loci) {_INQUIRY}(?: me)?\b",
            rf"{_INSTRUMENT_START}(?:can|could|would) (?P<tool>loci) (?:please )?{_INQUIRY}(?: me| us)?\b",
            r"\b(?:with|using|via|through|in|from|according to|per) (?:the )?(?P<tool>loci)"
            r"(?: (?:index|memory|mcp|tool|skill|server))*(?=\s*(?:[,:;.?!]|$))",
            rf"{_INSTRUMENT_START}(?:{_INQUIRY}) (?:it |this |me )?(?:up )?(?:in|with|via) (?:the )?(?P<tool>loci)\b[:,]?",
        ]
    ),
    "de": _compile(
        [
            r"(?:^|[.!?,;:] ?)(?:bitte )?(?:frag(?:e)?|nutze?|benutze?|verwende?) (?P<tool>loci)\b(?:,? (?:ob|um|und))?[:,]?",
            r"\b(?:mit|laut|über|per) (?P<tool>loci)\b(?=\s*(?:[,:;.?!]|$))",
        ]
    ),
    "es": _compile(
        [
            r"(?:^|[.!?,;:¿¡] ?)(?:por favor,? )?(?:pregunta(?:le)? a|usa|utiliza) (?P<tool>loci)\b(?: para \w+| si| y)?[:,]?",
            r"\b(?:con|según|mediante) (?P<tool>loci)\b(?=\s*(?:[,:;.?!]|$))",
        ]
    ),
    "zh": _compile(
        [
            r"(?:请)?(?:用|使用|问问?|让|通过)\s?(?P<tool>loci)\s?(?:来|去)?(?:查一下|查找|查|找|看看|告诉我|搜索|问)?[，,：:]?"
        ]
    ),
    "ja": _compile(
        [r"(?P<tool>loci)\s?(?:を使って|で|に(?:聞いて|尋ねて))(?:調べて|教えて|探して|検索して)?[、,：:]?"]
    ),
}

# ---------------------------------------------------------------------------------------------------------------------
# Relations. A verb of dependency with a project on both sides.

_USE = (
    r"(?:uses?|using|depends? (?:up)?on|depending on|imports?|importing|relies on|rely on|requires?|vendors?|embeds?|"
    r"bundles?|consumes?|calls? into|builds? on(?: top of)?|is built on|are built on|links? (?:to|against)|pulls? in|wraps?)"
)
_OTHER = (
    rf"(?:each other|one another|another(?: one)?(?: of (?:my|our) \w+| {_FRAME_SINGULAR})?|"
    rf"(?:any )?other(?:s| {_FRAME_PLURAL})?(?: of mine)?|(?:another|one|any|some)(?: other)? of (?:my|our)(?: other)? (?:own )?{_FRAME_PLURAL}|"
    rf"(?:my|our) other {_FRAME_PLURAL})"
)
_SUBJECT = r"(?P<subject>[\w@][\w@./+-]*(?: [\w.+-]+)??)"
_SUBJECT_END = (
    r"(?=\s*(?:[?.!,;:]|$)|'|\s(?:internally|directly|as a dependency|as (?:a )?library|in (?:production|any|my|their)|"
    rf"somewhere|anywhere|today|at all|and|or|{_FRAME_SINGULAR}|library|package)\b)"
)
_WHO = (
    rf"(?:(?:which|what|how many)(?: other| else)?(?: of (?:my|our)(?: \w+){{0,2}} {_FRAME_PLURAL}| (?:\w+ )?{_ANY_FRAME}(?: of mine)?)|"
    rf"(?:any|all|each|every)(?: of)? (?:my|our) (?:other )?{_FRAME_PLURAL}|who(?: else)?|what(?: else)?|anything(?: of mine)?|"
    rf"(?:my|our)(?: other)? {_FRAME_PLURAL}|any {_FRAME_SINGULAR})"
)
_BREAK = r"(?:(?:would|will|could|might|can) )?(?:breaks?|be broken|be affected|is affected|are affected)"

_RELATION: dict[str, _Patterns] = {
    "en": _compile(
        [
            rf"\b{_WHO} (?:that |do |does |also |currently |still |actually )*{_USE} {_OTHER}\b",
            rf"\b(?:do|does|is|are) {_WHO} (?:\w+ )?{_USE} {_OTHER}\b",
            rf"\b{_WHO} (?:that |also |currently |still |actually |directly )*{_USE} (?:the )?{_SUBJECT}{_SUBJECT_END}",
            rf"\b(?:do|does|is|are) {_WHO} (?:also |still )?{_USE} (?:the )?{_SUBJECT}{_SUBJECT_END}",
            rf"\b{_WHO} {_BREAK} (?:if|when) (?:the )?{_SUBJECT} (?:changes|changed|breaks|broke|goes away|went away)\b",
            rf"\b{_WHO} {_BREAK} (?:if|when) (?:i|we) (?:change|changed|remove|removed|drop|dropped|break|broke) (?:the )?"
            rf"{_SUBJECT}{_SUBJECT_END}",
            rf"\b(?:dependents|consumers|users|reverse dependencies|dependants) of (?:the )?{_SUBJECT}{_SUBJECT_END}",
            rf"\b(?:how (?:do|are)) (?:my|our) {_FRAME_PLURAL} (?:depend on|use|relate to|connected to|linked to) {_OTHER}\b",
            rf"\b(?:dependencies|relations|links|connections) (?:between|among) (?:all )?(?:my|our) {_FRAME_PLURAL}\b",
        ]
    ),
    "de": _compile(
        [
            r"\bwelche[srnm]? (?:meiner |unserer |anderen )?(?:projekte?|repos?) (?:be)?(?:nutzt|nutzen|verwendet|verwenden|"
            r"braucht|brauchen|importiert|importieren) (?:ein(?:es)? (?:anderes|andere|meiner anderen|meiner)|einander|(?P<subject>[\w@][\w@./+-]*)(?=\s*(?:[?.!,]|$)))",
            r"\b(?:was|welche[sr]? (?:projekte?|repos?)|wer) hängt (?:alles )?von (?P<subject>[\w@][\w@./+-]*) ab\b",
            r"\bwelche (?:projekte|repos) hängen von (?:einander|(?P<subject>[\w@][\w@./+-]*)) ab\b",
            r"\bwer (?:sonst )?(?:be)?(?:nutzt|verwendet|braucht|importiert) (?:noch )?(?P<subject>[\w@][\w@./+-]*)(?=\s*(?:[?.!,]|$))",
        ]
    ),
    "es": _compile(
        [
            r"\b(?:qué|que|cuáles|cuál)(?: de mis)? (?:proyectos?|repos?|repositorios?) (?:usan?|utilizan?|dependen? de|importan?) "
            r"(?:otro(?:s)?(?: de mis \w+| proyectos?)?|(?P<subject>[\w@][\w@./+-]*)(?=\s*(?:[?.!,]|$)))",
            r"\b(?:qué|quién|que|quien) (?:depende de|usa|utiliza) (?P<subject>[\w@][\w@./+-]*)(?=\s*(?:[?.!,]|$))",
        ]
    ),
    "zh": _compile(
        [
            r"(?:哪些|哪个|什么)(?:项目|仓库)?\s?(?:使用|用到|用|依赖|引用)(?:了)?\s?(?:另一个|另外一个|其他|别的|(?:我的)?其它)(?:项目|仓库)?",
            r"(?:哪些|哪个|什么|谁)(?:项目|仓库)?(?:在|会)?\s?(?:使用|用到|用|依赖|引用)(?:了|于)?\s?(?P<subject>[a-z0-9@][\w@./+-]*)(?=\s*(?:[？?。！，]|$))",
        ]
    ),
    "ja": _compile(
        [
            r"(?:どの)(?:プロジェクト|リポジトリ)が\s?(?:他の|別の|ほかの)(?:プロジェクト|リポジトリ)[をに]\s?(?:使|利用|依存)",
            r"(?:どの(?:プロジェクト|リポジトリ)|何|どれ)が\s?(?P<subject>[a-z0-9@][a-z0-9@./+_-]*)\s?[をに]\s?(?:使|利用|依存)",
            r"(?P<subject>[a-z0-9@][a-z0-9@./+_-]*)\s?[をに]\s?(?:使って|使用して|利用して|依存して|使う|依存する)(?:いる)?"
            r"(?:のは|プロジェクト|リポジトリ|もの)",
        ]
    ),
}


# ---------------------------------------------------------------------------------------------------------------------


def _matches(patterns: list[re.Pattern[str]], folded: str, kind: str) -> list[Cue]:
    """Every match that does not overlap an earlier one: leftmost, then longest; an order of the words, not of the list."""
    found = sorted((m.start(), -m.end(), m.group().strip()) for pattern in patterns for m in pattern.finditer(folded))
    cues: list[Cue] = []
    for start, negative_end, text in found:
        if not cues or start >= cues[-1].span[1]:
            cues.append(Cue(kind, text, (start, -negative_end)))
    return cues


def _classes(language: Language) -> list[Language]:
    # Developers mix English into every language, never the other way round.
    return ["en"] if language == "en" else [language, "en"]


def _blank(text: str, spans: list[Span]) -> str:
    letters = list(text)
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return "".join(letters)


# The perfect with a deictic place or recent time is about here and now, not about all of one's work.
_PERFECT = re.compile(r"(?:[,;:.?!] ?|and |or |where |when )?have (?:i|we)\b")
_HERE_AND_NOW = re.compile(r"\b(?:this|in here|yet|just|today|yesterday|last)\b")


def _enumeration(folded: str, languages: list[Language]) -> list[Cue]:
    cues = _matches([pattern for language in languages for pattern in _ENUMERATION[language]], folded, "enumeration")
    if _HERE_AND_NOW.search(folded):
        cues = [cue for cue in cues if not _PERFECT.match(cue.text)]
    return cues


READ_CHARACTERS = 8_000
"""How much of a question its grammar is read off; bound pronouns take time with the square of it."""


def read(question: str) -> Reading:
    """Reads the grammar of `question`. A pure function of its text; knows nothing of scopes or indexes."""
    # What a question is about is said in its sentences, not in the log that was pasted behind them.
    question, rest = question[:READ_CHARACTERS], question[READ_CHARACTERS:]
    folded = fold(question)
    language = language_of(folded)
    languages = _classes(language)

    instruments = _matches([p for lang in languages for p in _INSTRUMENT[lang]], folded, "instrument")
    instrument = instruments[0] if instruments else None
    text = _blank(question, [instrument.span]) if instrument else question
    folded = _blank(folded, [instrument.span]) if instrument else folded

    relations: list[Relation] = []
    # "was hängt von click ab?" has one function word; no English sentence is worded like it.
    for lang in languages_of(folded, language):
        for pattern in _RELATION[lang]:
            for match in pattern.finditer(folded):
                subject = match.span("subject") if "subject" in pattern.groupindex and match["subject"] else None
                relations.append(Relation(Cue("relation", match.group().strip(), match.span()), subject))

    enumerations = _enumeration(folded, languages)

    deixis: list[Cue] = []
    # Whatever the enumeration says of "here" and "my" is said of the whole set of projects.
    pointing = _blank(folded, [cue.span for cue in enumerations])
    for lang in languages:
        for kind, pattern in _DEIXIS[lang].named():
            for match in pattern.finditer(pointing):
                if kind == "noun" and _introduced(pointing, match):
                    continue
                deixis.append(Cue(kind, match.group(), match.span()))
    if language == "en":
        taken = [cue.span for cue in deixis]
        for cue in _unbound_pronouns(pointing):
            if not any(start <= cue.span[0] < end for start, end in taken):
                deixis.append(cue)
    deixis.sort(key=lambda cue: cue.span)

    frame: list[Span] = []
    for cue in enumerations:
        start, end = cue.span
        for match in re.finditer(r"[^\W_]+(?:['-][^\W_]+)*", folded[start:end]):
            if match.group() in _FRAME_WORDS:
                frame.append((start + match.start(), start + match.end()))
        if language in ("zh", "ja"):
            frame.append(cue.span)
    evidence = " ".join((_blank(text, frame) + rest).split())
    enumeration = enumerations[0] if enumerations else None
    request = None if rest else request_of(folded, language)
    if request is not None and enumerations and request.kind not in (*OF_ALL, "needs"):
        request = None
    if request is not None and request.subject is None and request.kind not in OF_ALL and not deixis:
        # "What is new?": it is asked of a project that is left out altogether.
        deixis.append(Cue("request", request.text, (0, len(folded))))
    return Reading(language, enumeration, tuple(relations), tuple(deixis), instrument, evidence, request)


def _introduced(folded: str, match: re.Match[str]) -> bool:
    """Whether the noun of a definite phrase was introduced earlier in the question: then it refers back, not out."""
    noun = match.group().split()[-1]
    return (
        re.search(
            rf"\b(?:a|an|each|every|one|another|new) (?:[\w-]+ ){{0,2}}{re.escape(noun)}\b", folded[: match.start()]
        )
        is not None
    )
