"""The tokenizer once more, written for reading only.

Everything the kernel decides with tables and one pass is decided here with the `unicodedata` of Python, regular
expressions over strings of character classes, and no regard for speed. The two share no code and no data but Snowball's
grammar of English. `loci-text/src/lib.rs` states the rules and their reasons.

Python's tables are older than the kernel's: a text may hold only characters that this Python knows, see `is_known`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import snowballstemmer

LONGEST = 64
# Small letters in older tables, letters without case in newer ones.
RECLASSIFIED = "\u0295\u02e4"
STEMMER = snowballstemmer.stemmer("english")

CLOSED_CLASSES = """
    a an the
    i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
    it its itself they them their theirs themselves this that these those someone somebody something anyone anybody
    anything everyone everybody everything nobody nothing here there
    all any another both each either every few many more most much neither other others several some such
    about after against among around as at before between by during for from in into of off on onto out over per since
    than through to toward towards under until up upon via with within without
    be am is are was were been being have has had having do does did doing can cannot could may might must ought shall
    should will would
    what whatever when whenever where wherever whether which whichever who whoever whom whose why how however
    and but or nor so if then because although though while whereas unless yet
    not no
    aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt mightnt mustnt neednt shant shouldnt wasnt werent
    wont wouldnt im ive youre youve theyre theyve weve thats theres whats whos
"""
STOP_WORDS = frozenset(CLOSED_CLASSES.split())
# Unicode names of the letters of scripts written without spaces. Kana are told apart below.
UNSEGMENTED = re.compile(
    """(?x)
    (?P<Han> CJK\\ UNIFIED | CJK\\ COMPATIBILITY | IDEOGRAPHIC\\ (ITERATION\\ MARK|NUMBER) | HANGZHOU
        | VERTICAL\\ IDEOGRAPHIC | OLD\\ CHINESE )
    | (?P<Hiragana> HIRAGANA | HENTAIGANA ) | (?P<Katakana> KATAKANA ) | (?P<Hangul> HANGUL )
    | (?P<Thai> THAI\\ ) | (?P<Lao> LAO\\ ) | (?P<Khmer> KHMER ) | (?P<Myanmar> MYANMAR )
    | (?P<TaiLe> TAI\\ LE\\ ) | (?P<NewTaiLue> NEW\\ TAI\\ LUE ) | (?P<TaiTham> TAI\\ THAM ) | (?P<TaiViet> TAI\\ VIET )
    | (?P<Ahom> AHOM ) | (?P<Balinese> BALINESE ) | (?P<Javanese> JAVANESE\\ (?!PANGRANGKEP) )
    | (?P<Bopomofo> BOPOMOFO ) | (?P<Yi> YI\\ ) | (?P<Tangut> TANGUT ) | (?P<Nushu> NUSHU ) | (?P<Khitan> KHITAN )
    """
)
# A word over the classes of its characters: a letter, d digit, m mark, and the connectors as themselves.
WORD = re.compile("[ad](?:[adm]|_[_m]*(?=[ad])|-(?=[ad])|(?<=[am])'(?=a))*")
SUFFIX = "(?:[ul]{0,3}|[uif](?:8|16|32|64|128|size))"
NUMBER = re.compile(f"0x[0-9a-f]+{SUFFIX}|0b[01]+{SUFFIX}|0o[0-7]+{SUFFIX}|[0-9]+{SUFFIX}|[0-9]+e[0-9]+")
UUID = re.compile("[0-9a-f]{8} [0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{12}")
# A camelCase border over cases: U upper, L lower, s the letter s (lower too), D digit, O other letter.
BORDER = re.compile("(?<=[Ls])(?=U)|(?<=U)(?=U(?:L|s[Ls]))|(?<=D)(?=U[Ls])")
DIGITS_AFTER_SMALL = re.compile("(?<=[Ls])D+(?=U)")


def is_known(text: str) -> bool:
    """Tells whether the tables of this Python and of the kernel agree on every character of a text."""
    return not any(
        c in RECLASSIFIED
        or unicodedata.category(c) in ("Cn", "Cs")
        or (unicodedata.category(c)[0] == "L" and not unicodedata.name(c, ""))
        for c in text
    )


def nfkc(text: str) -> str:
    """Returns the text in normal form KC."""
    return unicodedata.normalize("NFKC", text)


@cache
def char_class(c: str) -> str:
    """Returns the class of a character: a, d, m, _, -, ', i for an invisible sign, or a space for a separator."""
    category = unicodedata.category(c)
    if c in "_-'":
        return c
    if c in "\u2010\u2011":
        return "-"
    if c == "\u2019":
        return "'"
    if category[0] == "L" or category == "Nl":
        return "a"
    if category in ("Nd", "No"):
        return "d"
    if re.fullmatch("[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]", c):
        return "i"
    if category[0] == "M":
        return "m"
    if category == "Cf":
        return " " if c == "\u200b" else "i"
    if category[0] in "PS":
        normal = nfkc(c)
        if normal != c:
            classes = [char_class(part) for part in normal]
            if len(classes) == 1:
                return classes[0]
            if "a" in classes or "d" in classes:
                return "a"
    return " "


def classes(text: str) -> str:
    """Returns the classes of a text, one character each."""
    return "".join(map(char_class, text))


def without(text: str, unwanted: str) -> str:
    """Returns the text without the characters of some classes."""
    return "".join(c for c in text if char_class(c) not in unwanted)


def words(text: str) -> list[str]:
    """Returns the raw words of a text, invisible signs removed."""
    visible = without(text, "i")
    return [visible[match.start() : match.end()] for match in WORD.finditer(classes(visible))]


def is_stop_word(word: str) -> bool:
    """Tells whether a lower-case piece without apostrophes is a stop word."""
    return word in STOP_WORDS


def is_number(piece: str) -> bool:
    """Tells whether a lower-case piece is a bare number or a literal."""
    if piece.isascii():
        return NUMBER.fullmatch(piece) is not None
    return set(classes(piece)) <= {"d", "m"}


def is_hash(piece: str) -> bool:
    """Tells whether a piece is a commit hash or another digest."""
    if not re.fullmatch("[0-9a-f]{7,64}", piece):
        return False
    changes = len(re.findall("[0-9](?=[a-f])|[a-f](?=[0-9])", piece))
    return changes >= 2 or (changes == 1 and len(piece) >= 12)


def is_blob(part: str) -> bool:
    """Tells whether a part is encoded data."""
    return part.isascii() and len(part) > LONGEST and 16 * len(re.findall("[0-9]", part)) >= len(part)


def lower(text: str) -> str:
    """Returns the text in lower case, one character after the other, in normal form."""
    folded = {"ς": "σ", "İ": "i"}
    return nfkc("".join(folded.get(c, c.lower()) for c in text))


def stem(piece: str) -> str:
    """Returns the stem of a piece of ASCII letters, and any other piece as it is."""
    return STEMMER.stemWord(piece) if re.fullmatch("[a-z]+", piece) else piece


def script_of(c: str, before: str) -> str:
    """Returns the unsegmented script of a character, or nothing; `before` is that of the character before it."""
    if c == "ー":
        return "Hiragana" if before == "Hiragana" else "Katakana"
    if char_class(c) == "m":
        return before
    match = UNSEGMENTED.match(unicodedata.name(c, "")) if char_class(c) == "a" else None
    return (match.lastgroup or "") if match else ""


def script_runs(word: str) -> list[tuple[str, str]]:
    """Cuts a word into runs of one unsegmented script and what is between them: (script or nothing, run)."""
    runs: list[tuple[str, str]] = []
    before = ""
    for c in word:
        script = script_of(c, before)
        if runs and runs[-1][0] == script:
            runs[-1] = (script, runs[-1][1] + c)
        else:
            runs.append((script, c))
        before = script
    return runs


def case(c: str) -> str:
    """Returns the case of a character at a camelCase border."""
    if c == "s":
        return "s"
    return {"Lu": "U", "Lt": "U", "Ll": "L", "Nd": "D", "No": "D"}.get(unicodedata.category(c), "O")


def clusters_of(text: str) -> list[str]:
    """Cuts a text that begins with no mark into characters with their marks."""
    clusters: list[str] = []
    for c in text:
        if char_class(c) == "m":
            clusters[-1] += c
        else:
            clusters.append(c)
    return clusters


def camel_pieces(chunk: str) -> list[str]:
    """Cuts at camelCase borders."""
    clusters = clusters_of(chunk)
    cases = "".join(case(cluster[0]) for cluster in clusters)
    borders = {match.start() for match in BORDER.finditer(cases)}
    borders |= {match.end() for match in DIGITS_AFTER_SMALL.finditer(cases)}
    edges = [0, *sorted(borders), len(clusters)]
    return ["".join(clusters[start:end]) for start, end in pairwise(edges)]


def pieces(part: str) -> list[str]:
    """Returns the pieces of a part of a word, in lower case."""
    part = part.replace("’", "'")
    if "'" in part:
        plain = lower(part.replace("'", ""))
        if is_stop_word(plain):
            return [plain]
        part = re.sub("'(?:s|ll|re|ve|d|m)$", "", part, flags=re.IGNORECASE | re.ASCII)
    if is_number(lower(part)):
        return [lower(part)]
    return [lower(piece) for chunk in part.split("'") if chunk for piece in camel_pieces(chunk)]


def admitted(piece: str) -> bool:
    """Tells whether a piece or a joined form may be a term."""
    return not (len(piece) > LONGEST or is_number(piece) or is_hash(piece) or is_stop_word(piece))


def size(piece: str) -> int:
    """Returns the number of characters that are no marks."""
    return len(without(piece, "m"))


def expand_alphabetic(word: str) -> tuple[list[tuple[str, int]], int]:
    """Returns the terms of a word of an alphabet with their offsets, and its width."""
    parts = [part.lstrip("".join(c for c in set(part) if char_class(c) == "m")) for part in re.split("[-_‐]", word)]
    parts = [part for part in parts if part]
    if len(parts) > 1 and not re.search("[-‐]", word) and is_number(lower("".join(parts))):
        return [], 0
    kept: list[str] = []
    while parts:
        if UUID.fullmatch(" ".join(parts[:5]).lower()):
            parts = parts[5:]
            continue
        part = parts.pop(0)
        if not (is_hash(part.lower()) or is_blob(part)):
            kept.append(part)

    split = [found for found in map(pieces, kept) if found]
    alone = sum(map(len, split)) == 1
    terms: list[tuple[str, int]] = []
    width = 0

    def emit(term: str, offset: int) -> None:
        if (stem(term), offset) not in terms:
            terms.append((stem(term), offset))

    def emit_joined(joined: str, offset: int) -> None:
        nonlocal width
        if size(joined) > 1 and admitted(joined):
            emit(joined, offset)
            width = max(width, offset + 1)

    for found in split:
        start = width
        for piece in found:
            if (size(piece) == 1 and (not alone or piece.isascii())) or not admitted(piece):
                continue
            emit(piece, width)
            letters = [""]
            for c in piece:
                if char_class(c) == "d":
                    letters.append("")
                elif char_class(c) == "a" or letters[-1]:
                    letters[-1] += c
            if len(letters) > 1:
                for run in letters:
                    if size(run) > 1 and admitted(run):
                        emit(run, width)
            width += 1
        if len(found) > 1:
            emit_joined("".join(found), start)
    if len(split) > 1:
        emit_joined("".join("".join(found) for found in split), 0)
    return terms, width


def expand_unsegmented(run: str) -> tuple[list[tuple[str, int]], int]:
    """Returns the bigrams of a run and the run itself with their offsets, and its width."""
    clusters = clusters_of(run)
    found = [(a + b, offset) for offset, (a, b) in enumerate(pairwise(clusters))]
    width = max(1, len(found))
    if (run, 0) not in found:
        found.append((run, 0))
    return [(term, offset) for term, offset in found if len(term) <= LONGEST], width


def expand(word: str) -> Iterator[tuple[list[tuple[str, int]], int]]:
    """Yields the terms and the width of each run of a raw word."""
    for normal in words(nfkc(word)):
        for script, run in script_runs(normal):
            yield expand_unsegmented(run) if script else expand_alphabetic(run)


def tokenize(text: str) -> list[tuple[str, int]]:
    """Returns the terms of a text with their content positions, in the kernel's order."""
    tokens: list[tuple[str, int]] = []
    position = 0
    for word in words(text):
        for terms, width in expand(word):
            tokens += [(term, position + offset) for term, offset in terms]
            position += width
    return tokens
