"""What is shown of a store that was written when fewer secrets were known."""

from __future__ import annotations

import json
import random
import string
from pathlib import Path

import zstandard
from repositories import make

from loci.episodes import Episodes, build, redact

_SHUFFLED = random.Random(4)
TAIL = "_" + "".join(_SHUFFLED.choice(string.ascii_letters + string.digits) for _ in range(36))
KNOWN = "ghp" + TAIL
"""Of the shape of a token that today's rules hide."""
UNKNOWN = "zhq" + TAIL


def age(segment: Path) -> None:
    """Writes into a segment of one text block what no build of today lets in, and the signature of other rules."""
    content = segment.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    about = header["__metadata__"]
    tensors = {name: data[slice(*entry["data_offsets"])] for name, entry in header.items() if name != "__metadata__"}
    packed = tensors["text.bytes"]
    plain = zstandard.ZstdDecompressor().decompress(packed)
    new = zstandard.ZstdCompressor().compress(plain.replace(UNKNOWN.encode(), KNOWN.encode()))
    # A frame that readers skip keeps what follows aligned.
    filler = (len(packed) - len(new)) % 8
    new += b"\x50\x2a\x4d\x18" + filler.to_bytes(4, "little") + bytes(filler)
    tensors["text.bytes"] = new
    tensors["text.offsets"] = (0).to_bytes(8, "little") + len(new).to_bytes(8, "little")
    tensors["path.bytes"] = tensors["path.bytes"].replace(UNKNOWN.encode(), KNOWN.encode())
    start, parts = 0, []
    for name, entry in sorted(
        ((name, entry) for name, entry in header.items() if name != "__metadata__"),
        key=lambda item: item[1]["data_offsets"],
    ):
        part = tensors[name]
        if name == "text.bytes":
            entry["shape"] = [len(part)]
        entry["data_offsets"] = [start, start + len(part)]
        start += len(part)
        parts.append(part)
    assert "-" in json.dumps(about)
    for key, value in about.items():
        about[key] = value.replace(Episodes.open(segment).signature, "older-older-older")
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    segment.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))


def test_secrets_in_paths_headings_and_symbols_of_an_older_store_are_hidden(tmp_path: Path) -> None:
    assert KNOWN not in redact(KNOWN)
    assert redact(UNKNOWN) == UNKNOWN
    copied = f"# Cookie of {UNKNOWN}\n\nIt is signed.\n"
    files: dict[str, str | bytes] = {
        f"docs/{UNKNOWN}.md": copied,
        f"docs/{UNKNOWN}-2.md": copied,
        "sign.py": f"def {UNKNOWN}():\n    return 'cookie'\n",
    }
    root = make(tmp_path / "repo", files, message=f"Sign the cookie\n\nKey {UNKNOWN}")
    segment = tmp_path / build(root, directory=tmp_path).segment
    age(segment)
    for path in list((root / "docs").iterdir()):
        path.rename(path.with_name(path.name.replace(UNKNOWN, KNOWN)))
    store = Episodes.open(segment)
    assert store.signature == "older-older-older"
    found = store.search("cookie", root=root)
    assert sorted(passage.kind for passage in found) == ["commit", "document", "source"]
    shown = "\n".join(json.dumps(passage.to_json()) for passage in found)
    assert TAIL not in shown
    document = next(passage for passage in found if passage.kind == "document")
    assert document.path.startswith("docs/[REDACTED:")
    assert document.heading.startswith("Cookie of [REDACTED:")
    assert len(document.also_at) == 1
    assert document.also_at[0].path.startswith("docs/[REDACTED:")
    assert not document.stale, "the file is found by its real path"
    assert next(passage for passage in found if passage.kind == "source").symbol.startswith("[REDACTED:")
    assert TAIL not in "\n".join(json.dumps(passage.to_json()) for passage in store.all_passages())


def test_a_store_of_todays_rules_is_shown_as_it_is(tmp_path: Path) -> None:
    root = make(tmp_path / "repo", {f"docs/{UNKNOWN}.md": "# Cookie\n"})
    (found,) = Episodes.open(tmp_path / build(root, directory=tmp_path).segment).lanes("cookie").files
    assert found.path == f"docs/{UNKNOWN}.md"
