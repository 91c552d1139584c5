"""No byte of a secret reaches the home directory: every family of the rules, every kind of file, through the real path.

No secret stands in this file: all are drawn, from a fixed seed, when the test runs.
"""

from __future__ import annotations

import base64
import contextlib
import random
import re
import string
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from loci.core import Memory

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

RULES = Path(__file__).parents[1] / "crates" / "loci-collect" / "data" / "redaction.toml"
LEAK = 12
"""So many characters of a secret in a row, whatever their case, are a leak: chance does not make them."""

LETTERS, DIGITS = string.ascii_letters, string.digits
ALPHABETS = {
    "alnum": LETTERS + DIGITS,
    "letters": LETTERS,
    "hex": "0123456789abcdef",
    "base32": string.ascii_uppercase + "234567",
    "base64": LETTERS + DIGITS + "+/",
    "base64url": LETTERS + DIGITS + "-_",
    "digit": DIGITS[1:],
    "lowernum": string.ascii_lowercase + DIGITS,
    "uppernum": string.ascii_uppercase + DIGITS,
}

NAMED: dict[str, list[tuple[str, str]]] = {
    "alibaba": [("cloud id", "LTAI{alnum:20}")],
    "anthropic": [("model", "sk-ant-api03-{base64url:93}AA")],
    "api-key": [("api key", "{alnum:32}"), ("access key", "{hex:40}")],
    "authorization": [("header", "Bearer {alnum:40}"), ("header", "Authorization: token {hex:40}")],
    "aws": [("access key id", "AKIA{base32:16}"), ("aws secret access key", "{base64:40}")],
    "azure": [
        ("storage", "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={base64:86}==;EndpointSuffix=x.net"),
        ("blob", "{base64:86}=="),
        ("link", "https://acme.blob.core.windows.net/b/f?sv=2022-11-02&sig={alnum:43}%3D"),
    ],
    "brevo": [("mail", "xkeysib-{hex:64}-{alnum:16}")],
    "cloudflare": [("cloudflare api token", "{base64url:40}")],
    "connection-string": [("connection", "Server=db;Database=x;User Id=sa;Password={password:14};Encrypt=true")],
    "credentials": [("credentials", "{base64:36}")],
    "digitalocean": [("cloud", "dop_v1_{hex:64}")],
    "discord": [("bot", "{snowflake:18}.G{alnum:5}.{base64url:38}")],
    "docker": [("registry", "dckr_pat_{base64url:27}")],
    "gcp": [("maps", "AIza{base64url:35}")],
    "github": [("gh", "ghp_{alnum:36}"), ("gh", "github_pat_{alnum:22}_{alnum:59}")],
    "gitlab": [("gl", "glpat-{base64url:20}")],
    "google-oauth": [("google", "ya29.a0{base64url:150}"), ("google", "GOCSPX-{base64url:28}")],
    "heroku": [("heroku api key", "{uuid:36}")],
    "huggingface": [("model", "hf_{letters:34}")],
    "jwt": [("session", "eyJ{base64url:33}.eyJ{base64url:80}.{base64url:43}")],
    "mailgun": [("mail", "key-{hex:32}")],
    "model-api": [("model", "gsk_{alnum:52}")],
    "npm": [("registry", "npm_{alnum:36}")],
    "openai": [("model", "sk-proj-{base64url:124}"), ("model", "sk-{alnum:48}")],
    "password": [("db password", "{password:16}"), ("passphrase", "{password:24}")],
    "paypal": [("pay", "access_token$production${lowernum:16}${hex:32}")],
    "pypi": [("registry", "pypi-AgEIcHlwaS5vcmc{base64url:150}")],
    "razorpay": [("pay", "rzp_live_{alnum:14}")],
    "rubygems": [("registry", "rubygems_{hex:48}")],
    "secret": [("client secret", "{alnum:32}"), ("jwt secret", "{hex:64}")],
    "sendgrid": [("mail", "SG.{base64url:22}.{base64url:43}")],
    "shopify": [("shop", "shpat_{hex:32}")],
    "slack": [("bot", "xoxb-{digit:12}-{digit:13}-{alnum:24}")],
    "square": [("shop", "EAAA{base64url:60}")],
    "stripe": [("pay", "sk_live_{alnum:24}"), ("hook", "whsec_{alnum:32}")],
    "telegram": [("bot", "{digit:10}:AA{base64url:33}")],
    "terraform": [("cloud", "{alnum:14}.atlasv1.{base64url:67}")],
    "token": [("access token", "{alnum:40}"), ("refresh token", "{base64url:64}")],
    "tool": [("grafana", "glsa_{alnum:32}_{hex:8}"), ("linear", "lin_api_{alnum:40}")],
    "twilio": [("sid", "SK{hex:32}"), ("twilio auth token", "{hex:32}")],
    "url": [
        ("database url", "postgres://app:{alnum:16}@db.acme.io:5432/app"),
        ("database url", "mysql://app:{alnum:13}/{alnum:12}@db.acme.io/app"),
        ("remote", "https://{hex:40}@git.acme.io/a/b.git"),
    ],
    "vault": [("vault", "hvs.{base64url:90}")],
}
WHOLE = {
    "kubernetes": '{{"apiVersion":"v1","kind":"Secret","data":{{"pin":"{base64:24}"}}}}',
    "private-key": "-----BEGIN PRIVATE KEY-----\\n{base64:64}\\n{base64:40}\\n-----END PRIVATE KEY-----",
}
"""Families whose secret is a text of its own and not the value of a name: written into a comment."""

KINDS: dict[str, tuple[str, str]] = {
    "app.py": ('config = {{"{snake}": "{value}"}}', "# {value}"),
    "app.ts": ('export const {camel}: string = "{value}";', "// {value}"),
    "main.go": ('\t{camel} := "{value}"', "// {value}"),
    "app.yaml": ("{snake}: {value}", "# {value}"),
    "app.json": ('{{\n  "{camel}": "{value}"\n}}', "{value}"),
    "app.toml": ('{snake} = "{value}"', "# {value}"),
    "ENVIRONMENT.md": ("```sh\nexport {upper}={value}\n```", "```\n{value}\n```"),
    "app.xml": ("<config><{camel}>{value}</{camel}></config>", "<!-- {value} -->"),
    "run.sh": ("tool --{kebab} '{value}' --quiet", "# {value}"),
    "README.md": ("Set `{upper}={value}` before the first start.", "As in `{value}`."),
    "app.properties": ("app.{snake}={value}", "# {value}"),
    "Dockerfile": ("ENV {upper}={value}", "# {value}"),
}


class Draw:
    """Fills templates and remembers what it drew."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.drawn: list[str] = []

    def piece(self, name: str, length: int) -> str:
        pick = self.random.choice
        if name == "uuid":
            text = "".join(pick(ALPHABETS["hex"]) for _ in range(32))
            return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"
        if name == "snowflake":
            digits = "".join(pick(ALPHABETS["digit"]) for _ in range(length))
            return base64.b64encode(digits.encode()).decode().rstrip("=")
        if name == "password":
            rest = "".join(pick(ALPHABETS["alnum"] + "!#%+^*_-") for _ in range(length - 5))
            return f"{pick('abcdef')}{pick('GHJKLM')}{pick('23456789')}{rest}{pick('ABCDEF')}{pick('xyz')}"
        return "".join(pick(ALPHABETS[name]) for _ in range(length))

    def fill(self, template: str) -> str:
        def replace(match: re.Match[str]) -> str:
            self.drawn.append(self.piece(match[1], int(match[2])))
            return self.drawn[-1]

        return re.sub(r"\{(\w+):(\d+)\}", replace, template).replace("{{", "{").replace("}}", "}")


def styled(form: str, name: str, value: str) -> str:
    words = name.split()
    return form.format(
        snake="_".join(words),
        kebab="-".join(words),
        upper="_".join(words).upper(),
        camel=words[0] + "".join(word.title() for word in words[1:]),
        value=value,
    )


def everything_in(directory: Path) -> bytes:
    """All bytes below a directory, names of files included, and what is packed in them unpacked; in lower case."""
    parts: list[bytes] = []
    for path in sorted(directory.rglob("*")):
        parts.append(str(path.relative_to(directory)).encode())
        if not path.is_file():
            continue
        content = path.read_bytes()
        parts.append(content)
        at = content.find(b"\x28\xb5\x2f\xfd")
        while at >= 0:
            # Four bytes may only look like a beginning.
            with contextlib.suppress(zstandard.ZstdError):
                parts.append(zstandard.ZstdDecompressor().decompressobj().decompress(content[at:]))
            at = content.find(b"\x28\xb5\x2f\xfd", at + 1)
    return b"\0".join(parts).lower()


def windows(secret: str) -> set[bytes]:
    lowered = secret.lower().encode()
    return {lowered[at : at + LEAK] for at in range(max(1, len(lowered) - LEAK + 1))}


@pytest.mark.timeout(300)
def test_no_secret_of_any_family_reaches_the_home_directory(
    tmp_path: Path, make_repository: Callable[..., Path], git: Callable[..., str]
) -> None:
    """FIELD 96, 97: hard-coded keys were stored verbatim and became permanently searchable."""
    rules = tomllib.loads(RULES.read_text(encoding="utf-8"))
    families = {rule["family"] for rule in [*rules["rule"], *rules["name"]]}
    assert families == NAMED.keys() | WHOLE.keys(), "every family of the rules is tried here"

    draw = Draw(20_261_130)
    where: dict[str, str] = {}
    files: dict[str, str] = {}
    messages: list[str] = ["Begin"]

    def place(family: str, name: str, template: str, index: int) -> None:
        for kind, (named, whole) in KINDS.items():
            draw.drawn = []
            value = draw.fill(template)
            form = whole if family in WHOLE else named
            file = f"{family}-{index}/{kind}"
            files[file] = f"walrus {family}\n\n{styled(form, name, value)}\n" if kind.endswith(".md") else (
                styled(form, name, value) + "\n"
            )  # fmt: skip
            where.update(dict.fromkeys(draw.drawn, file))
        draw.drawn = []
        value = draw.fill(template)
        assignment = value if family in WHOLE else f"{'_'.join(name.split()).upper()}={value}"
        messages.append(f"Rotate the walrus of {family}\n\nIt was\n\n    {assignment}\n")
        where.update(dict.fromkeys(draw.drawn, f"commit on {family}"))

    for family in sorted(families):
        shapes = NAMED.get(family) or [(family, WHOLE[family])]
        for index, (name, template) in enumerate(shapes):
            place(family, name, template, index)
    # A path is stored as well, in the table of files and as words.
    draw.drawn = []
    files[draw.fill("notes/password={alnum:16}.txt")] = "a walrus\n"
    files[draw.fill("notes/ghp_{alnum:36}/a.md")] = "a walrus\n"
    where.update(dict.fromkeys(draw.drawn, "a path"))
    placed = sum(len(piece) >= LEAK for piece in where)
    assert placed >= 300

    root = make_repository(tmp_path / "shop", files, *messages)
    git(root, "tag", draw.fill("release-ghp_{alnum:36}"))
    where[draw.drawn[-1]] = "a tag"
    memory = Memory.open(tmp_path / "home")
    memory.add(root)
    report = memory.index()
    (scope,) = report.scopes
    assert scope.outcome == "built", scope.message
    assert scope.counts.get("read", 0) == len(files) - 2
    answer = memory.ask("what is the walrus?", scope="shop")
    assert answer.scopes[0].passages, "what stands around the secrets is still found"

    stored = everything_in(tmp_path / "home") + repr(report).lower().encode()
    assert b"walrus" in stored and b"[redacted:" in stored, "the scan sees what is packed"
    present = {stored[at : at + LEAK] for at in range(len(stored) - LEAK)}
    leaked = sorted(
        f"{place}: {secret}" for secret, place in where.items() if len(secret) >= LEAK and windows(secret) & present
    )
    assert leaked == [], f"{len(leaked)} of {placed} secrets are still there"
