"""How a project's name counts as a name.

An alias in a question is only a string of letters until the sentence uses it as a name. "How does click parse options?"
names a project; "when I click a shape" does not; "a Flask app" says what something is made with. What decides is

* the **form** in which it stands: owner/name, quoted, with the project noun ("the X repo"), possessive, followed by a
  command-line flag, as written with its hyphens;
* the **frame** around it: subject of the question's own clause ("does X ..."), place ("in X"), topic ("X: ..."),
  oblique ("to X"), modifier ("an X plugin"), common noun ("the query"), verb ("to express");
* how **common** the word is in the OTHER scopes of this very corpus: a word nobody else has is a name wherever it
  stands, a tool that several projects use is a name in the frames that make it the subject, and a word that most
  projects use is a name only where no ordinary word could stand.

The result is a weight between 0 and 1 per mention; the router multiplies its boost for a named project with it, and
takes a mention of `IDENTIFYING` or more as the subject. Everything is a table below; nothing is learnt.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .model import Scope
from .question import Language, Question, Span
from .question.text import fold, words

Commonness = Literal["distinctive", "shared", "ordinary"]

IDENTIFYING = 0.75
"""A mention of this weight or more is the subject of the question; below, it is a hint added to the evidence."""

DISTINCTIVE_SHARE = 0.12
"""A word that less than this share of the other scopes holds is nobody else's word."""

ORDINARY_SHARE = 0.5
"""A word that more than this share of the other scopes holds is everybody's word."""

# ---------------------------------------------------------------------------------------------------------------------
# Weights: frame -> (distinctive, shared, ordinary). A dash of the reason beside each.

WEIGHTS: dict[str, tuple[float, float, float]] = {
    "owner/name": (1.0, 1.0, 1.0),  # no ordinary word is written so
    "X repo": (1.0, 1.0, 1.0),  # the apposition says that it is a project
    "topic": (1.0, 1.0, 0.9),  # set off at the start: what the question is about
    "X 1.2": (1.0, 1.0, 0.9),  # only what is released has a version
    "X's": (1.0, 1.0, 0.8),  # a possessor without article is a proper name
    "X --flag": (1.0, 1.0, 0.8),  # a command line
    "in X": (1.0, 1.0, 0.8),  # a bare noun as a place is a proper name
    "asked about": (1.0, 0.9, 0.9),  # "what is X?": all that the question asks of, and without an article
    "release of X": (1.0, 0.9, 0.3),  # what only a project has; but memory and locks are released too
    "does X": (1.0, 0.9, 0.8),  # a bare singular count noun cannot be a subject: it is a name
    "does X N": (0.9, 0.5, 0.1),  # but "does query planning ..." is a compound
    "as written": (1.0, 0.9, 0.8),  # several parts joined the way the name joins them
    "quoted": (1.0, 0.8, 0.5),  # mentioned, not used; code is quoted too
    "my X": (0.9, 0.8, 0.1),  # "my dotfiles"; but "my query"
    "the X": (0.9, 0.5, 0.0),  # an article makes a common noun of it
    "the X N": (0.9, 0.75, 0.1),  # "the helix picker": a definite phrase anchored in X is a part of X
    "an X N": (0.6, 0.0, 0.0),  # "a Flask app": a kind of thing made with X, not X
    "V X": (0.9, 0.6, 0.1),  # object of the question's own verb: "how do I configure X?"
    "the N of X": (1.0, 0.75, 0.2),  # a possessor without article: "the cookie of flask"
    "to X": (0.9, 0.35, 0.1),  # oblique: goes to, comes from, is compared with X
    "bare": (0.9, 0.0, 0.0),  # any other position: a word like any other
    "statement": (0.8, 0.3, 0.0),  # in a circumstance ("X went away; what ...", "when X ..., why"), not in the question
    "verb": (0.3, 0.0, 0.0),  # "I click", "to express"
    "plural": (0.5, 0.1, 0.0),  # plural form with plural agreement: a common noun
}

PARTNER_WEIGHT = 0.75
"""What a bare "to X", "from X", "than X", "like X", "and X" weighs beside another project that is certainly named: the
partner of a transfer or comparison is of the same kind as the subject. Ordinary words included, since the frame asks
for a name; a compound ("to query strings") does not."""

# Where the position of a name is decided by what stands before it.
_LOCATIVE = words("in inside within into im innerhalb dentro")
_OPENING_PREPOSITIONS = words(
    "in inside within with for using on under at via from of regarding about concerning bei mit für von en con para"
)
_OBLIQUE = words(
    """to from than like unlike versus vs with of for by via using on into onto against through about between and or
    plus over under at as bei mit von für aus nach zu und oder als wie de con para por y o que como a
    """
)
_PARTNER = words(
    """to from than like unlike versus vs and or with into against between plus und oder mit als wie von zu y o con que
    como de a"""
)
_INDEFINITE = words(
    """a an one any some which what each every another no two three several ein eine einen einem einer kein un una algún
    qué cada"""
)
_DEFINITE = words("the this that these those der die das den dem des dieses diese el la los las este esta")
_MY = words("my our mein meine meinem meinen meiner unser unsere unserem mi mis nuestro nuestra nuestros")
_AUXILIARY = words(
    """do does did can could will would shall should may might must is are was were has have had doesn't don't didn't
    can't couldn't won't isn't wasn't hasn't haven't"""
)
_SINGULAR_AUXILIARY = words("does is was has doesn't isn't wasn't hasn't")
_PASSIVE = words("is was are were has have had isn't wasn't aren't weren't hasn't haven't")
_PLURAL_AUXILIARY = words("do are were have don't aren't weren't haven't")
_WH = words(
    "how why where when what which who whose whether if wie warum wo wann was welche cómo como por qué dónde cuándo"
)
_PRONOUN_SUBJECT = words("i we you they he she it who users people someone ich wir man")
# What may follow a name that ends its phrase. Everything else after it is read as part of a compound.
_BOUNDARY = words(
    """a an the this that these those my our your its their some any each every which what who whose where when why how
    if whether while until because since so than as of in on at by for from to into with without within inside over
    under about after before between through during per via against and or but not never also only just even still
    already again then there here i we you he she it they is are was were be been does do did has have had can could
    will would should may might must use uses used using do-support actually really currently always ever internally
    handle handles support supports allow allows work works keep keeps make makes treat treats decide decides know
    knows get gets store stores write writes read reads show shows need needs give gives take takes start starts stop
    stops run runs return returns raise raises throw throws call calls set sets choose chooses pick picks find finds
    follow follows detect detects avoid avoids resolve resolves turn turns cache caches load loads build builds parse
    parses render renders send sends receive receives emit emits generate generates compute computes compare compares
    last next lately recently yesterday today tomorrow nowadays now convert converts fail fails break breaks crash
    crashes hang hangs wait waits retry retries ignore ignores skip
    skips print prints look looks behave behaves let lets limit limits manage manages map maps match matches merge
    merges encode encodes decode decodes sample samples sign signs hash hashes encrypt encrypts validate validates
    wrap wraps deal deals cope copes und oder nicht in im mit von für auf bei ist sind wird werden wenn y o en con de
    para por es son si der die das den dem des ein eine einen einem einer el la los las un una"""
)
_PROJECT_NOUN = (
    r"(?:project|repo|repository|codebase|code ?base|source(?: code| tree)?|git repo|monorepo|checkout|maintainers?|"
    r"projekt|repositorium|quelltext|proyecto|repositorio)"
)
_PROJECT_AFTER = re.compile(rf"^['’]?s?[ -]{_PROJECT_NOUN}\b|^\s?(?:项目|仓库|代码库|プロジェクト|リポジトリ)")
_PROJECT_BEFORE = re.compile(
    rf"(?:\b{_PROJECT_NOUN}(?:,| called| named| namens| llamado)? |(?:项目|仓库|プロジェクト|リポジトリ)\s?)$"
)
# What projects have and hardly anything else has: "the last release of X", "the changelog for X".
_PROJECT_HAS = words(
    """release releases version versions changelog maintainer maintainers contributors readme roadmap repository repo
    codebase fork checkout"""
)
# "requests 2.32.5", "slim v4", "click version 8.1"; but "port 8080" and "step 3".
_VERSION_AFTER = re.compile(
    r"^[ -]?(?:@|v(?:ersion|\.)? ?)?\d+(?:\.(?:\d+|x)){1,3}\w*(?![\w.]*\.(?:py|js|md)\b)|^ v(?:ersion )?\d+\b"
)
# In Chinese and Japanese the particle after the name says what it is in the sentence.
_CJK_PLACE_AFTER = re.compile(
    r"^\s?(?:里|中|裡|内|の中|内で|において|では|で|は|が|是|在|怎么|如何|为什么|能|会|有没有)"
)
_CJK_POSSESSIVE_AFTER = re.compile(r"^\s?(?:的|の)")
_CJK_PLACE_BEFORE = re.compile(r"在\s?$")

_PARTS = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True)
class Mention:
    """A place where a question says an alias of a scope.

    Attributes:
        scope: The scope's id.
        alias: The alias as it is registered.
        text: The words of the question.
        span: Where they stand.
        frame: Which row of `WEIGHTS` applied.
        commonness: How common the word is in the other scopes.
        weight: How much of a name it is, 0 to 1.

    """

    scope: str
    alias: str
    text: str
    span: Span
    frame: str
    commonness: Commonness
    weight: float


@dataclass(frozen=True)
class _Alias:
    scope: str
    text: str
    pattern: re.Pattern[str]
    parts: tuple[str, ...]
    bare_directory: bool


def alias_parts(alias: str) -> tuple[str, ...]:
    """The words of an alias, folded: "paperless-ngx" -> ("paperless", "ngx"), "RipGrep" -> ("ripgrep",).

    A capital inside a word does not split it: people write "ripgrep", "RipGrep" and "RIPGREP" for the same thing, and
    the pattern of the parts allows a separator there anyway.
    """
    return tuple(_PARTS.findall(fold(alias)))


def _pattern(alias: str) -> re.Pattern[str] | None:
    """Matches `alias` in a folded question however people join its words: hyphen, underscore, dot, space, nothing."""
    if "/" in alias and not alias.startswith(("/", "@")):
        owner, _, name = alias.partition("/")
        inner = (
            r"[-_. ]?".join(map(re.escape, alias_parts(owner)))
            + "/"
            + r"[-_. ]?".join(map(re.escape, alias_parts(name)))
        )
        return re.compile(rf"(?<![\w/.-]){inner}(?![\w/-])") if alias_parts(owner) and alias_parts(name) else None
    parts = alias_parts(" ".join(_CAMEL.split(alias)))
    if not parts or (len("".join(parts)) < 2 and not _CJK.search(alias)):
        return None  # a single letter is never a name in running text
    inner = r"[-_./ ]?".join(map(re.escape, parts))
    if _CJK.search(alias):
        return re.compile(inner)
    # A name may touch CJK letters ("redis缓存") but no other letters, and is no file name or path ("celery.py",
    # "hono/src").
    js = "(?:[.]?js)?" if not inner.endswith("js") else ""
    return re.compile(rf"(?<![a-z0-9_@/.\\-])@?{inner}{js}(?![a-z0-9_])(?!\.[a-z0-9])(?![-/][a-z0-9])")


class Names:
    """Every alias of every scope, ready to be looked for in questions.

    Args:
        scopes: The registered scopes.
        spread: word -> the number of scopes that hold it, and of those whether the given scope is one:
            called as `spread(word, scope_id)`, it returns (how many OTHER scopes hold the word, how many others there
            are).

    """

    def __init__(self, scopes: Iterable[Scope], spread: Callable[[str, str], tuple[int, int]]) -> None:
        scopes = sorted(scopes, key=lambda scope: scope.id)
        self._spread = spread
        self._common: dict[tuple[str, str], Commonness] = {}
        self._aliases: list[_Alias] = []
        inside = _subprojects(scopes)
        for scope in scopes:
            seen: set[str] = set()
            directory = fold(scope.path.name) if scope.path is not None and scope.id in inside else None
            spellings = [scope.name, scope.id, *scope.aliases]
            if scope.id in inside:
                # "the acme client": parent and directory together are a name.
                spellings += [f"{inside[scope.id].name} {scope.name}"]
            for alias in spellings:
                pattern = _pattern(alias)
                if pattern is None or pattern.pattern in seen:
                    continue
                seen.add(pattern.pattern)
                bare = directory is not None and fold(alias) == directory
                self._aliases.append(_Alias(scope.id, alias, pattern, alias_parts(alias), bare))
        # One alternation of all first parts skips nearly every question that names nothing.
        starts = sorted({alias.parts[0] for alias in self._aliases if alias.parts})
        self._any = re.compile("|".join(map(re.escape, starts))) if starts else None

    def commonness(self, alias: _Alias) -> Commonness:
        """How common the alias is in the other scopes; an alias of several words is as rare as its rarest word."""
        key = (alias.scope, alias.text)
        if key not in self._common:
            self._common[key] = self._measure(alias)
        return self._common[key]

    def _measure(self, alias: _Alias) -> Commonness:
        if alias.bare_directory:
            return "ordinary"
        shares = []
        for part in alias.parts:
            held, others = self._spread(part, alias.scope)
            # One imagined holder among two imagined scopes: in a corpus of two, nothing is known to be rare.
            shares.append((held + 0.5) / (others + 2.0))
        share = min(shares)
        if share < DISTINCTIVE_SHARE:
            return "distinctive"
        return "ordinary" if share > ORDINARY_SHARE else "shared"

    def find(self, question: Question) -> list[Mention]:
        """The strongest mention of each scope, by scope id; a longer alias claims the words of a shorter one."""
        folded = fold(question.text)
        if self._any is None or not self._any.search(folded):
            return []
        found: list[tuple[_Alias, Span]] = []
        for alias in self._aliases:
            found += [(alias, match.span()) for match in alias.pattern.finditer(folded)]
        # "redis-cli" is not also "redis"; equal spans of two scopes are both kept: the name is ambiguous.
        found = [
            (alias, span)
            for alias, span in found
            if not any(o[0] <= span[0] and span[1] <= o[1] and o[1] - o[0] > span[1] - span[0] for _, o in found)
        ]
        mentions = [self._weigh(question, folded, alias, span) for alias, span in found]
        mentions = _partners(folded, mentions)
        best: dict[str, Mention] = {}
        for mention in sorted(mentions, key=lambda m: (m.scope, -m.weight, m.span)):
            best.setdefault(mention.scope, mention)
        return list(best.values())

    def resolve(self, text: str) -> list[str]:
        """The ids of the scopes that `text`, taken as a whole, is a name of."""
        folded = fold(text).strip()
        return sorted(
            {a.scope for a in self._aliases if (m := a.pattern.search(folded)) and m.span() == (0, len(folded))}
        )

    def asked_about(self, question: Question, span: Span) -> list[Mention]:
        """The scopes that the words at `span` are a name of, in a question that asks of nothing else."""
        asked = question.cut(span)
        folded = fold(asked)
        found: dict[str, Mention] = {}
        for alias in self._aliases:
            if alias.pattern.fullmatch(folded):
                mention = _mention(alias, asked, span, "asked about", self.commonness(alias))
                if alias.scope not in found or found[alias.scope].weight < mention.weight:
                    found[alias.scope] = mention
        return [found[scope] for scope in sorted(found)]

    def _weigh(self, question: Question, folded: str, alias: _Alias, span: Span) -> Mention:
        common = self.commonness(alias)
        frame = _frame(question.language, folded, alias, span, common)
        return _mention(alias, question.cut(span), span, frame, common)


def _mention(alias: _Alias, text: str, span: Span, frame: str, common: Commonness) -> Mention:
    column = ("distinctive", "shared", "ordinary").index(common)
    return Mention(alias.scope, alias.text, text, span, frame, common, WEIGHTS[frame][column])


def _subprojects(scopes: Sequence[Scope]) -> dict[str, Scope]:
    """Scope id -> the deepest scope whose directory contains its directory."""
    by_path = {scope.path: scope for scope in scopes if scope.path is not None}
    inside: dict[str, Scope] = {}
    for scope in scopes:
        if scope.path is not None:
            for parent in scope.path.parents:
                if parent in by_path:
                    inside[scope.id] = by_path[parent]
                    break
    return inside


_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[^\s\w]")


def _frame(language: Language, folded: str, alias: _Alias, span: Span, common: Commonness) -> str:
    """Which row of `WEIGHTS` applies: first what is certain by form, then what stands before and after decides."""
    start, end = span
    before, after = folded[:start], folded[end:]
    written = folded[start:end]

    if "/" in written:
        return "owner/name"
    if _PROJECT_AFTER.match(after) or _PROJECT_BEFORE.search(before):
        return "X repo"

    words_before = _TOKEN.findall(before)
    words_after = _TOKEN.findall(after)
    previous = words_before[-1] if words_before else ""
    following = words_after[0] if words_after else ""
    quoted = before[-1:] in ("`", '"', "'") and after[:1] == before[-1:]
    if quoted:
        words_before = words_before[:-1]
        previous = words_before[-1] if words_before else ""
        following = words_after[1] if len(words_after) > 1 else ""
    if re.match(r"\s+--?[a-z]", after) and not re.match(r"\s+-\s", after):
        return "X --flag"
    first = not words_before or previous in ".!?"
    if first and re.match(r"\s?(?::|,| -+ |–|—)", after):
        return "topic"
    if _VERSION_AFTER.match(after) and previous not in _INDEFINITE:
        return "X 1.2"
    if re.match(r"'s?(?!\w)", after) and not quoted:
        # "the query's plan" has an article; a name has none.
        return "X's" if previous not in _DEFINITE | _INDEFINITE | _MY else "the X N"

    if language in ("zh", "ja"):
        if _CJK_PLACE_AFTER.match(after) or _CJK_PLACE_BEFORE.search(before):
            return "in X"
        return "the X N" if _CJK_POSSESSIVE_AFTER.match(after) else "bare"

    if quoted:
        return (
            "an X N" if previous in _DEFINITE | _INDEFINITE and following and following not in _BOUNDARY else "quoted"
        )

    joined_as_written = (
        len(alias.parts) > 1 and len(written) > len("".join(alias.parts)) and re.search(r"[-_.]", written)
    )
    ends_phrase = not following or not following[0].isalnum() or following in _BOUNDARY
    # "was the cookie in flask dropped": the participle that the auxiliary waits for.
    if not ends_phrase and following.endswith("ed") and words_before and _participle_awaited(words_before):
        ends_phrase = True
    plural_form = (
        len(alias.parts) == 1 and alias.parts[0].endswith("s") and not alias.parts[0].endswith(("ss", "is", "us"))
    )

    if previous in _MY:
        return "my X"
    if previous in _DEFINITE:
        if not ends_phrase:
            return "the X N"
        return "as written" if joined_as_written else "the X"
    if previous in _INDEFINITE and previous not in _WH:
        return "an X N"
    if previous in _WH and previous in ("which", "what", "qué"):
        return "an X N"
    if len(words_before) > 1 and previous not in _AUXILIARY | _OBLIQUE | _LOCATIVE and words_before[-2] in _INDEFINITE:
        return "an X N"  # "a floating tmux pane": another modifier stands between
    if joined_as_written:
        return "as written"

    if previous in _AUXILIARY and _inverted(words_before):
        if plural_form and previous in _PLURAL_AUXILIARY:
            return "plural"
        if plural_form and previous in _SINGULAR_AUXILIARY:
            return "in X"  # a plural form with a singular verb can only be a name
        if _subject_of_verb(words_after, common):
            return "does X"
        return "does X N"
    if previous in _PRONOUN_SUBJECT or (previous in _AUXILIARY and not _inverted(words_before)):
        return "verb"
    if previous == "to" and common == "ordinary" and not ends_phrase:
        return "verb"

    opening = len(words_before) == 1 or (len(words_before) > 1 and words_before[-2] in ".!?,;:")
    if previous in ("in", "inside", "within", "im", "innerhalb", "dentro", "en") and ends_phrase:
        return "in X"
    if previous in _OPENING_PREPOSITIONS and opening and ends_phrase and re.match(r"\s?(?:,|:| -)", after):
        return "in X"  # "With X, how ...": a setting, like a place
    if previous in ("of", "for") and len(words_before) > 1 and words_before[-2] in _PROJECT_HAS and ends_phrase:
        return "release of X"
    if previous == "of" and len(words_before) > 2 and words_before[-3] in _DEFINITE and ends_phrase:
        return "the N of X"
    if previous in _OBLIQUE | _LOCATIVE:
        return "to X" if ends_phrase else "bare"
    if previous in ("way", "how", "why", "when", "where", "whether", "if") and following in _BOUNDARY:
        # "the way X does", "how X handles": subject of an embedded question.
        return "does X"
    if previous in ("how", "why", "where"):
        return "does X N"
    if first or _circumstance(words_before):
        return "statement"
    if ends_phrase and _questioned(words_before) and (not following or not following[0].isalnum()):
        return "V X"
    return "bare"


_SUBORDINATORS = words(
    "if when while after before because since although unless until once whenever wenn als falls si cuando"
)


def _clause(words_before: Sequence[str]) -> list[str]:
    """The words of the clause that `words_before` ends in."""
    clause: list[str] = []
    for word in reversed(words_before):
        if not word[0].isalnum():
            break
        clause.append(word)
    return clause[::-1]


def _circumstance(words_before: Sequence[str]) -> bool:
    """Whether the clause is subordinate and comes first: it sets the scene for a question that follows."""
    clause = _clause(words_before)
    return len(clause) == len(words_before) and bool(clause) and clause[0] in _SUBORDINATORS


def _questioned(words_before: Sequence[str]) -> bool:
    """Whether the clause is the question itself: it opens with a wh-word or an auxiliary."""
    clause = _clause(words_before)
    return bool(clause) and (clause[0] in _WH or clause[0] in _AUXILIARY)


def _inverted(words_before: Sequence[str]) -> bool:
    """Whether the auxiliary that ends `words_before` stands in front of its subject: clause start, or wh-phrase."""
    if len(words_before) == 1:
        return True
    clause: list[str] = []
    for word in reversed(words_before[:-1]):
        if not word[0].isalnum() or word in ("and", "or", "but", "so"):
            break
        clause.append(word)
    if not clause:
        return True
    # Behind a wh-phrase of at most three words: "how", "how often", "which files of its".
    return (
        any(word in _WH for word in clause)
        and len(clause) <= 4
        and not any(word in _PRONOUN_SUBJECT for word in clause)
    )


def _participle_awaited(words_before: Sequence[str]) -> bool:
    """Whether a form of "be" or "have" stands in front of its subject in this clause."""
    clause = _clause(words_before)
    return any(word in _PASSIVE and _inverted(clause[: place + 1]) for place, word in enumerate(clause))


def _subject_of_verb(words_after: Sequence[str], common: Commonness) -> bool:
    """Whether a verb can follow directly, so that the name is a whole noun phrase and not the start of a compound."""
    if not words_after or not words_after[0][0].isalnum():
        return True  # "is redis down": nothing that could make a compound
    if words_after[0] in _BOUNDARY:
        return True
    # Any other word is a verb or a noun. For a word that is nobody else's the compound is a part of the project just as
    # well; for an ordinary one a later function word decides: "click parse the options", but "click handling work".
    if common != "ordinary":
        return True
    return len(words_after) > 1 and words_after[1] in _BOUNDARY and not words_after[0].endswith("ing")


_LISTED = re.compile(r"\s*(?:,|,?\s*(?:and|or|vs\.?|versus|und|oder|y|o)\b)\s*")


def _listed(folded: str, mentions: list[Mention]) -> list[Mention]:
    """Raises what is listed beside a project that is certainly named: "did flask, click and httpx ..."."""
    order = sorted(range(len(mentions)), key=lambda number: mentions[number].span)
    raised = list(mentions)
    for places in (order, order[::-1]):
        for one, other in itertools.pairwise(places):
            first, second = sorted((raised[one], raised[other]), key=lambda mention: mention.span)
            if (
                raised[one].weight >= IDENTIFYING > raised[other].weight
                and raised[other].frame in ("bare", "to X", "V X", "statement")
                and _LISTED.fullmatch(folded, first.span[1], second.span[0])
            ):
                raised[other] = replace(raised[other], weight=PARTNER_WEIGHT)
    return raised


def _partners(folded: str, mentions: list[Mention]) -> list[Mention]:
    """Raises the partner of a comparison or transfer when another project is certainly named in the same question."""
    mentions = _listed(folded, mentions)
    certain = {m.scope for m in mentions if m.weight >= IDENTIFYING}
    raised: list[Mention] = []
    for mention in mentions:
        others = certain - {mention.scope}
        previous = _TOKEN.findall(folded[: mention.span[0]])[-1:]
        if others and mention.weight < IDENTIFYING and mention.frame == "to X" and previous and previous[0] in _PARTNER:
            mention = replace(mention, weight=PARTNER_WEIGHT, frame="to X")
        raised.append(mention)
    return raised


def name_weights(mentions: Iterable[Mention]) -> Mapping[str, float]:
    """Scope id -> the weight of its strongest mention, mentions of weight 0 left out."""
    return {mention.scope: mention.weight for mention in mentions if mention.weight > 0.0}
