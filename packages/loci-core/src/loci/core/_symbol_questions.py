"""What a question asks of the symbols of a project: the names in it, and which of their relations.

Wordings of developers, as patterns. A question that fits none is still answered from the names that it writes as code
does (`code_names`), so a missing wording costs the order of the answer and not the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

LONGEST_NAME = 200
"""A longer one is no name that anybody gave, and a note would repeat all of it."""

# What a name may not touch: letters of Latin alphabets. Chinese, Japanese and Korean put no space between a name and
# its neighbours. (A class that leaves those scripts out by ranges takes 3 ms to compile, in each of forty patterns.)
_LETTER = "[0-9A-Za-z_\u00c0-\u024f]"
_EDGE = rf"(?<!{_LETTER})"

_CODE_NAME = re.compile(
    rf"(?<!{_LETTER})(?<![./:#-])"
    r"(?:[A-Za-z_]\w*(?:(?:::|\.|#)[A-Za-z_]\w*)+"  # Session.close, Router::nest
    r"|_*[a-z0-9]+(?:_[a-z0-9]+)+_*|_+[a-z][a-z0-9]*_*"  # open_session, _populate_page, sink_it_, __init__
    r"|[A-Z]?[a-z0-9]+(?:[A-Z][a-z0-9]+)+)"  # FlushEvents, sendFile
    rf"(?!{_LETTER})(?![/:#-])(?!\.\w)"
)
# HTTPClient, toJSON; but also OAuth and macOS.
_CAPITALS = re.compile(
    rf"{_EDGE}(?:[A-Z]{{2,}}[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+)*|[A-Z]?[a-z0-9]+[A-Z]{{2,}}[a-z0-9]*)(?!{_LETTER})"
)
# Node.js, app.py; com.example.shop and os.path, which name a place rather than a symbol.
_NO_MEMBERS = re.compile(r"\.(?:[a-z]\w?\w?|html|java|json|lock|swift|toml|yaml)$|^[a-z0-9_]+(?:\.[a-z0-9_]+)+$")
_QUOTED = re.compile(r"`([A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)(?:\(\))?`", re.ASCII)
_CALLED = re.compile(rf"{_EDGE}([A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*)\(\)", re.ASCII)

WRITTEN_AS_CODE = re.compile(r"[A-Z_.:#$>]")
"""What tells the name of a symbol from a word, where "uses" may speak of either."""
_JOINED = re.compile(r"[a-z0-9][A-Z]|[_.:#$>]")
"""What no name of a product or a language has, or hardly one."""

_UNMISTAKABLE = re.compile(r"_|\.|::|#|->|^[a-z][a-z0-9]*[A-Z]|^(?:[A-Z][a-z0-9]+){3}")

_NOUN = r"(?:function|method|class|constructor|macro|routine|symbol|type|interface|trait|struct|helper|component|hook)"
_NAME = (
    rf"(?:(?:the|our|my)\s+)?(?:{_NOUN}\s+)?"
    r"`?(?P<name>[A-Za-z_$][A-Za-z0-9_$]*(?:(?:\.|::|\#|->)[A-Za-z_$][A-Za-z0-9_$]*)*)(?:\(\))?`?"
)
_IS = r"(?:'s|\u2019s|\s+(?:is|are|was|does|do|did|gets?))"
_SOME = (
    r"(?:who|what|which|where|every(?:thing|one|body)|any(?:thing|one|body)|some(?:thing|one)|functions?|methods?|places?)"
    r"(?:'s|\u2019s)?"
)
_FILLER = r"(?:\s+(?!(?:do|does|did|is|are|was)\b)\w+){0,3}?"
_ADVERB = r"(?:(?:still|ever|even|actually|currently|really|also|else|being|directly|\w+ly)\s+)*"
_TO_CHANGE = r"(?:chang|modify|edit|remov|renam|delet|drop|break|touch|refactor|replac|mov|inlin)(?:e|es|ing|ed)?"
_SOMETHING_OF = (
    r"(?:(?:what|how|where|when|whether)\s+|(?:the|its)\s+(?:\w+\s+){1,2}(?:of|in)\s+"
    r"|(?:an?|another|one)\s+(?:\w+\s+){1,2}(?:to|of|from)\s+)?"
)
_DOES = (
    r"(?:calls?|calling|invok(?:es?|ing)|use[sd]?|using|trigger(?:s|ing)?|execut(?:es?|ing)|runs?|running|needs?"
    r"|references?|instantiates?|constructs?)"
)
_DONE_TO = r"(?:called|invoked|used|triggered|executed|run|needed|referenced|instantiated|constructed)"
_RELATIONS_ASKED: tuple[tuple[str, tuple[str, ...], str], ...] = tuple(
    (relation, tuple(words.split()), rf"{_EDGE}{pattern}")
    for relation, words, pattern in (
        # who calls X, which functions call X, what else is calling X, who's calling X; where do we call X
        (
            "callers",
            "call invok use using trigger execut run need referenc instantiat construct",
            rf"{_SOME}{_FILLER}\s+(?:(?:is|are)\s+)?{_ADVERB}(?P<verb>{_DOES})\s+{_NAME}",
        ),
        (
            "callers",
            "call invoke use reference",
            rf"where\s+(?:do|does|did)\s+(?:\w+\s+){{1,3}}?(?P<verb>call|invoke|use|reference)\s+{_NAME}",
        ),
        # does anybody use X, do we still call X anywhere
        (
            "callers",
            "use using call invoke reference need",
            r"(?:does|do|did|is|are)\s+(?:we|you|they|any\w*|some\w*)(?:\s+\w+)?\s+"
            rf"{_ADVERB}(?P<verb>use|using|call|calling|invoke|reference|need)\s+{_NAME}",
        ),
        # callers of X, the calls to X, call sites of X, references to X
        (
            "callers",
            "caller invoker calls invocation sites",
            rf"(?:callers?|invokers?|calls|invocations|call\s+sites?)\s+(?:of|to|for)\s+{_NAME}",
        ),
        (
            "callers",
            "user usage uses reference",
            rf"(?P<verb>users?|usages?|uses|references?)\s+(?:of|to|for)\s+{_NAME}",
        ),
        # where is X called, where's X used, from which functions is X called
        (
            "callers",
            "called invoked used triggered executed run needed referenced instantiated constructed",
            r"(?:where|when|(?:by|from)\s+\w+(?:\s+\w+)?|which\s+\w+(?:\s+\w+)?|how\s+often)"
            rf"{_IS}\s+{_NAME}(?:\s+{_NOUN})?\s+{_ADVERB}(?:get\s+)?(?P<verb>{_DONE_TO})\b",
        ),
        # is X still used anywhere, is X dead code, can I remove X
        (
            "callers",
            "used called needed referenced invoked",
            rf"(?P<doubt>)(?:is|are)\s+{_NAME}\s+{_ADVERB}(?P<verb>used|called|needed|referenced|invoked)\b",
        ),
        (
            "callers",
            "dead unused obsolete unreachable",
            rf"(?:is|are)\s+{_NAME}\s+(?:now\s+)?(?P<verb>(?:dead|unused|obsolete|unreachable))\b",
        ),
        (
            "callers",
            "remove delete drop",
            rf"(?:can|may|could|should)\s+(?:i|we|you)\s+{_ADVERB}(?P<verb>remove|delete|drop)\s+{_NAME}",
        ),
        # what does X call, which functions does X invoke
        (
            "callees",
            "call invoke use depend rely need",
            rf"(?:what|which){_FILLER}\s+(?:do|does)\s+{_NAME}(?:\s+{_NOUN})?\s+{_ADVERB}"
            r"(?P<verb>call|invoke|use|depend\s+on|rely\s+on|need)\b",
        ),
        ("callees", "callee dependencies", rf"(?:callees?|dependencies)\s+of\s+{_NAME}"),
        # which classes implement X, what extends X, who inherits from X
        (
            "implementers",
            "implement extend overrid subclass satisf conform inherit deriv descend made",
            rf"{_SOME}{_FILLER}\s+(?:(?:is|are)\s+)?{_ADVERB}"
            r"(?:implement(?:s|ing)?|extend(?:s|ing)?|overrid(?:es?|ing)|subclass(?:es)?|satisf(?:y|ies)|conforms?\s+to|"
            rf"(?:inherit(?:s|ing|ed)?|deriv(?:es?|ing|ed)|descend(?:s|ing|ed)?|subclassed|made)\s+from)\s+{_NAME}",
        ),
        (
            "implementers",
            "implement subclass subtype class type override heir children",
            r"(?:implementations?|implementers?|implementors?|(?:sub|derived\s+|child\s+)(?:class|type)(?:es|s)?|overrides?"
            rf"|heirs?|children)\s+of\s+{_NAME}",
        ),
        (
            "implementers",
            "implemented extended overridden satisfied",
            rf"(?:by|which)\s+\w+(?:\s+\w+)?{_IS}\s+{_NAME}\s+(?:implemented|extended|overridden|satisfied)\b",
        ),
        # which tests cover X, what tests X; tests for X, is X tested, do we have tests that cover X
        (
            "tests",
            "test",
            r"tests?\s+(?:(?:that|which)\s+)?"
            rf"(?:cover(?:s|ing)?|exercis(?:es?|ing)|check(?:s|ing)?|call(?:s|ing)?|us(?:es?|ing)|for|of)\s+{_NAME}",
        ),
        ("tests", "test", rf"(?:what|who)\s+tests\s+{_NAME}"),
        (
            "tests",
            "tested covered",
            rf"(?:is|are|where(?:'s|\u2019s|\s+is)|how(?:'s|\u2019s|\s+is))\s+{_NAME}\s+{_ADVERB}(?:tested|covered)\b",
        ),
        # which tests fail if I break X
        (
            "tests",
            "test",
            r"tests?\s+(?:\w+\s+){0,2}?(?:fails?|breaks?|run|change)\s+(?:if|when)\s+\w+\s+"
            rf"{_TO_CHANGE}\s+{_SOMETHING_OF}{_NAME}",
        ),
        # who imports X, where is X imported
        ("importers", "import", rf"{_SOME}{_FILLER}\s+imports?\s+{_NAME}"),
        ("importers", "imported", rf"where{_IS}\s+{_NAME}\s+{_ADVERB}imported\b"),
        # what would a change of X reach, what does changing X affect
        (
            "reach",
            "reach affect break impact touch change",
            rf"what{_FILLER}\s+(?:would|does|will|do|could|can|might)\s+(?:a\s+|any\s+)?"
            rf"(?:changes?\s+(?:of|to|in)|{_TO_CHANGE})\s+{_SOMETHING_OF}{_NAME}\s+"
            r"(?:reach|affect|break|impact|touch|change)\b",
        ),
        # what breaks if I change X, what is affected when we remove X, what is affected by a change to X
        (
            "reach",
            "break fail change affected impacted happen reached touched",
            r"what\b[\w\s]{0,40}?\b(?:breaks?|fails?|changes?|affected|impacted|happens?|reached|touched)\s+(?:if|when|by)\s+"
            rf"(?:\w+\s+)?(?:changes?\s+(?:of|to|in)|changes?|{_TO_CHANGE})\s+{_SOMETHING_OF}{_NAME}",
        ),
        # if I add a parameter to X, what do I have to touch
        (
            "reach",
            "if when once before",
            rf"(?P<doubt>)(?:if|when|once|before)\s+(?:i|we|you|one)\s+(?:{_TO_CHANGE}|add|make|give)\s+{_SOMETHING_OF}{_NAME}\W"
            r"[^.?!]{0,60}?\b(?:what|which|who|where)\b",
        ),
        # what else has to change when X changes
        (
            "reach",
            "if when once",
            rf"(?P<doubt>)what\b[\w\s]{{0,40}}?\b(?:if|when|once)\s+{_NAME}\s+(?:changes?|is\s+\w+(?:ed|en)|goes|breaks?|fails?)\b",
        ),
        # the impact of changing X, everything that depends on X
        (
            "reach",
            "impact effect reach radius",
            r"(?:impact|effects?|reach|blast\s+radius)\s+of\s+"
            rf"(?:(?:a\s+)?changes?\s+(?:of|to|in)\s+|{_TO_CHANGE}\s+)?{_NAME}",
        ),
        ("reach", "depend relies rely", rf"{_SOME}{_FILLER}\s+(?P<verb>depends?|relies|rely)\s+on\s+{_NAME}"),
        # what is called by X, the functions called in X
        (
            "callees",
            "called invoked",
            rf"(?:is|are|gets?|functions?|methods?|everything)\s+(?P<verb>called|invoked)\s+(?:by|in|from|inside)\s+{_NAME}",
        ),
        # The commonest in other languages: wer ruft X auf, wo wird X verwendet
        (
            "callers",
            "ruft rufen nutzt verwende",
            rf"(?:wer|was|wo)\s+(?:\w+\s+)?(?:ruft|rufen|nutzt|benutzt|verwendet|verwenden)\s+(?:\w+\s+)??{_NAME}",
        ),
        (
            "callers",
            "wird",
            rf"(?:wo|woher|von\s+\w+)\s+(?:\w+\s+)?wird\s+{_NAME}\s+(?:\w+\s+)?(?:aufgerufen|verwendet|benutzt|genutzt)",
        ),
        # qui appelle X, où est utilisé X
        (
            "callers",
            "appel utilis",
            r"(?:qui|qu'est-ce\s+qui|où)\s+(?:\w+[\s-]){0,2}?"
            rf"(?:appelle|appelons|utilise|est\s+appelée?|est\s+utilisée?)\s+{_NAME}",
        ),
        # quién llama a X, dónde se usa X; quem chama X, onde é usado X; chi chiama X
        (
            "callers",
            "llama usa utiliza chama chiama",
            r"(?:quién|qué|dónde|quem|onde|o\s+que|chi|cosa|dove)\s+(?:se\s+|si\s+|é\s+)?"
            rf"(?:llama|usa|utiliza|chama|chiama|usad[oa]|chamad[oa])\s+(?:a\s+)?{_NAME}",
        ),
        # who calls X, what uses X in Chinese; where is X called in Chinese and Japanese
        (
            "callers",
            "\u7528",
            rf"(?:\u8c01|\u54ea\u91cc|\u54ea\u4e9b\w*?|\u4ec0\u4e48)(?:\u8c03\u7528|\u4f7f\u7528|\u7528)(?:\u4e86|\u5230)?\s*{_NAME}",
        ),
        (
            "callers",
            "\u88ab \u306f\u3069\u3053 \u3092\u547c",
            rf"{_NAME}\s*(?:\u5728\u54ea\u91cc\u88ab|\u88ab\u8c01|\u88ab\u54ea\u4e9b|\u306f\u3069\u3053|\u3092\u547c\u3073\u51fa|\u3092\u547c\u3093)",
        ),
    )
)
"""What is asked for, beginnings of words without which a question does not ask for it, and how it is worded. The words
spare a question that is about nothing of the kind the making of forty patterns, which takes longer than routing.
"""

_CHAINS_ASKED = (
    # how does A reach B, how do we get from A to B, the chain from A to B
    rf"how\s+(?:does|do|can|is)\s+{_NAME}\s+(?:reach|call|get\s+to|lead\s+to|end\s+up\s+(?:in|at|calling))\s+"
    + _NAME.replace("<name>", "<end>"),
    rf"\bfrom\s+{_NAME}\s+(?:down\s+|up\s+)?to\s+" + _NAME.replace("<name>", "<end>"),
    rf"(?:path|chain|way|route|connection)\s+between\s+{_NAME}\s+and\s+" + _NAME.replace("<name>", "<end>"),
)

_REACHES = re.compile(
    r"how\b.*\b(?:reach|call|get\s+to|lead|end\s+up)|\bfrom\b.*\bto\b|between", re.IGNORECASE | re.DOTALL
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ALSO_OF_PEOPLE = re.compile(
    r"us|depend|rel|need|run|trigger|execut|refer|construct|instant|dead|unused|obsolete|unreach|remove|delete|drop"
    r"|nutz|benutz|verwend|utilis|utiliz"
)
"""Beginnings of verbs of which projects, people and plain things are the object as well: "what depends on click" asks
for no function `click`, and "can I remove files" for no function `files`.
"""

_NEVER_A_NAME = frozenset(
    """
    a all an and any anything anywhere are be been by code data did do does each either else everything
    files for from here him his how i if in into is it its itself just me more my no not nothing of on one
    only or other others our out own some something such that the their them then there these they this
    those to too up us was we were what when where which who why with you your
    """.split()  # noqa: SIM905 - a list of words is read, not a list of strings
)
"""Words that stand where a name would: "who calls it" asks for no symbol `it`, even where a test has one."""


LONGEST_QUESTION = 4_000
"""Of a longer one, in which a log or a file is pasted, so much of both ends is read."""


def read_of(question: str) -> str:
    """What is read of a question: all, or its beginning and its end."""
    half = LONGEST_QUESTION // 2
    return question if len(question) <= LONGEST_QUESTION else f"{question[:half]}\n{question[-half:]}"


def plain_name(name: str) -> str:
    """A name with dots for whatever its language joins names by: `Router.nest` of `Router::nest`."""
    return name.replace("::", ".").replace("#", ".").replace("->", ".")


def names_a_place(name: str) -> bool:
    """Whether a name looks like that of a file (`app.py`) or a package (`com.example.shop`) rather than of a symbol."""
    return _NO_MEMBERS.search(name) is not None


def is_unmistakable(name: str) -> bool:
    """Whether a name can only be one of code: products and techniques have two capitals as well.

    >>> [is_unmistakable(name) for name in ("set_color", "sendFile", "ShouldPassByPosition", "WebSocket", "close")]
    [True, True, True, False, False]
    """
    return _UNMISTAKABLE.search(name) is not None


def joined_names(question: str) -> list[str]:
    """The names that are nothing but code: of several words without a space.

    >>> joined_names("why does `close` call Session.flush_all and then toJSON() on macOS?")
    ['Session.flush_all']
    """
    question = read_of(question)
    return [name for name in dict.fromkeys(_CODE_NAME.findall(question)) if len(name) <= LONGEST_NAME]


def code_names(question: str) -> list[str]:
    """These, and what may be a name: in backquotes, with `()` behind, or with capitals inside.

    >>> code_names("why does `close` call Session.flush_all and then toJSON() on macOS?")
    ['Session.flush_all', 'close', 'toJSON', 'macOS']
    """
    question = read_of(question)
    found = [*joined_names(question), *_QUOTED.findall(question), *_CALLED.findall(question)]
    return [name for name in dict.fromkeys([*found, *_CAPITALS.findall(question)]) if len(name) <= LONGEST_NAME]


def relations_asked(question: str) -> list[tuple[str, str]]:
    """Names that a question asks the relations of, as `(name, relation)`; there may be no such symbol.

    The relation is callers, callees, reach, implementers, tests or importers, or users where the question says "uses".

    >>> relations_asked("who calls open_session, and what does Session.close call?")
    [('open_session', 'callers'), ('Session.close', 'callees')]
    >>> relations_asked("which classes implement Store, and what breaks if I change Store.get?")
    [('Store', 'implementers'), ('Store.get', 'reach')]
    >>> relations_asked("who uses the cache?")
    []
    """
    # The first wording that fits a place is the one meant: "which tests call X" asks for no other callers.
    asked: dict[int, tuple[str, str]] = {}
    for each in sorted(_asked(question), key=lambda each: (each.place, _MORE_TELLING.index(each.relation))):
        asked.setdefault(each.place, (each.name, each.relation))
    return list(dict.fromkeys(asked.values()))


def names_asked(question: str) -> list[str]:
    """The names in these and in `chains_asked` that can only be symbols; "is Redis still used" may speak of a database.

    >>> names_asked("who calls open_session, is Redis still used, and what calls the scheduler?")
    ['open_session']
    """
    names = [
        each.name
        for each in _asked(question)
        if not (each.doubtful and not each.marked and not _JOINED.search(each.name))
        and not _is_word(question, each.name)
    ]
    return list(dict.fromkeys([*names, *(name for chain in chains_asked(question) for name in chain)]))


class _Asked(NamedTuple):
    """A name in a wording. `doubtful`: it may speak of other things. `marked`: as code, by what surrounds the name."""

    place: int
    name: str
    relation: str
    doubtful: bool
    marked: bool


def _asked(question: str) -> Iterator[_Asked]:
    question = read_of(question)
    folded = question.casefold()
    for relation, words, pattern in _RELATIONS_ASKED:
        if not any(word in folded for word in words):
            continue
        for match in _compiled(pattern).finditer(question):
            name = match["name"]
            if name.casefold() in _NEVER_A_NAME:
                continue
            groups = match.groupdict()
            verb = (groups.get("verb") or "").casefold()
            doubtful = "doubt" in groups or relation in ("tests", "importers") or bool(_ALSO_OF_PEOPLE.match(verb))
            start, end = match.span("name")
            marked = question[start - 1 : start] == "`" or question[end : end + 2] == "()"
            if doubtful and not (marked or WRITTEN_AS_CODE.search(name)):
                continue
            # Heirs and references use it as well.
            users = relation == "callers" and verb != "" and not verb.startswith(("call", "invo"))
            yield _Asked(start, name, "users" if users else relation, doubtful, marked)


_MORE_TELLING = ("tests", "implementers", "importers", "reach", "callees", "callers", "users")


def chains_asked(question: str) -> list[tuple[str, str]]:
    """Pairs of names that a question asks the way between, as `(start, end)`; there may be no such symbols.

    >>> chains_asked("how does Flask.wsgi_app reach make_response?")
    [('Flask.wsgi_app', 'make_response')]
    """
    question = read_of(question)
    found = (
        (match.start("name"), match["name"], match["end"])
        for pattern in _CHAINS_ASKED
        if _REACHES.search(question)
        for match in _compiled(pattern).finditer(question)
        if not {match["name"].casefold(), match["end"].casefold()} & _NEVER_A_NAME
        # "from master to main" speaks of branches, whatever is called so.
        and any(
            question[match.start(each) - 1 : match.start(each)] == "`" or WRITTEN_AS_CODE.search(match[each])
            for each in ("name", "end")
        )
    )
    return list(dict.fromkeys((start, end) for _, start, end in sorted(found)))


def _is_word(question: str, name: str) -> bool:
    """Whether a name stands there as a plain word with an article: "what calls the scheduler" may mean no function."""
    if WRITTEN_AS_CODE.search(name):
        return False
    return re.search(rf"\b(?:an?|the)\s+{re.escape(name)}\b(?!\(|`)", question, re.IGNORECASE) is not None
