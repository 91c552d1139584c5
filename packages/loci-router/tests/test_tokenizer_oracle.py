"""The tokenizer kernel against the plain reading of its rules in `oracle_text`."""

from __future__ import annotations

import unicodedata

import oracle_text
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loci.router._kernel import signature, tokenize

# Characters that the rules treat in different ways, so that random texts meet every rule and their mixtures.
SIGNS = (
    "abcdefsxuABSXUÉé0123456789__---''’ .,/=:\0\n\u0301\u0338\u0323\u00ad\u200b\u200d\ufe0f\ufeff設定猫々〇〆ァイー"
    "らめ데터각เปิด์ກໍ້កូ្ကုဒ်ςΣİıßяЯשहि्ؤｶﾞ＿－＇Ａ１①½㎏℡™ﷺͺⅫ❶‐‑´゛ǅᾈĲ"
)
known_text = st.text(st.characters(exclude_categories=["Cs", "Cn"]), max_size=40).filter(oracle_text.is_known)
mixed_text = st.text(st.sampled_from(SIGNS), max_size=40)

FRAGMENTS = """
    HTTP Server URLs max retry count OAuth GraphQL mac OS to is the not base64 sha256 d1 n8n utf8 MD5 x86 64 0x1F 100ul
    1e10 a1b2c3d ed25519 deadbeef fb54159861708558 don't user's O'Reilly s running S 設定 データ API é я
    데이터 iVBORw0KGgo 550e8400-e29b-41d4-a716-446655440000
"""
fragment = st.one_of(
    st.sampled_from(FRAGMENTS.split()),
    st.text("abcdefxyzABCDEFXYZ0123456789", min_size=1, max_size=12),
    st.text("0123456789abcdef", min_size=6, max_size=66),
)
identifier = st.lists(st.tuples(fragment, st.sampled_from(["", "", "_", "-", "__", "'", ".", " "])), max_size=8).map(
    lambda pairs: "".join(part + joint for part, joint in pairs)
)


@pytest.mark.parametrize("text", ["", "Why does OAuth2Client retry?", "invoice設定 HTTPServer's x86_64 a1b2c3d"])
def test_the_oracle_has_something_to_say(text: str):
    assert bool(oracle_text.tokenize(text)) == bool(text)


@settings(max_examples=1000, deadline=None)
@given(identifier)
def test_identifiers_have_the_terms_of_the_oracle(text: str):
    assert tokenize(text) == oracle_text.tokenize(text)


@settings(max_examples=1000, deadline=None)
@given(mixed_text)
def test_mixtures_of_scripts_and_signs_have_the_terms_of_the_oracle(text: str):
    assert tokenize(text) == oracle_text.tokenize(text)


@settings(max_examples=1000, deadline=None)
@given(known_text)
def test_any_text_has_the_terms_of_the_oracle(text: str):
    assert tokenize(text) == oracle_text.tokenize(text)


def test_every_letter_of_the_basic_plane_has_the_terms_of_the_oracle():
    # In context: before and after letters, and beside itself, where scripts, cases and connectors show.
    for code in range(0x10000):
        c = chr(code)
        if (
            not oracle_text.is_known(c)
            or unicodedata.category(c) == "Co"
            or 0x3400 < code < 0x9FFF
            or 0xAC00 < code < 0xD7A3
        ):
            continue
        text = f"ab{c}cd {c}{c} 設{c}B2"
        assert tokenize(text) == oracle_text.tokenize(text), f"U+{code:04X}"


@pytest.mark.parametrize("word", sorted(oracle_text.STOP_WORDS))
def test_the_stop_words_of_the_oracle_have_no_term(word: str):
    assert tokenize(f"{word} {word.capitalize()}") == []


def test_the_signature_is_short_hexadecimal():
    assert len(signature()) == 16
    assert int(signature(), 16) >= 0
