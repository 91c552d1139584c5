"""What manifests say: the names, the references and the lines they stand on."""

from __future__ import annotations

import pytest

from loci.core.dependencies.manifests import image_name, is_manifest, read_manifest

PYPROJECT = """[project]
name = "Pay_Client"
dependencies = [
  "click>=8",
  "acme-core @ git+https://bob:token@git.example.org/acme/core.git@v2",
]
[project.scripts]
pay = "pay.cli:main"
[project.optional-dependencies]
web = ["flask"]
[dependency-groups]
dev = [{include-group = "lint"}, "pytest"]
[tool.uv.sources]
acme-core = { path = "../core" }
"""


def said(path: str, text: str) -> tuple[set[tuple[str, str, str]], set[tuple[str, str, str, int]]]:
    declared = read_manifest(path, text)
    boards = {(b.kind, b.ecosystem, b.name) for b in declared.boards}
    return boards, {(r.kind, r.ecosystem, r.name, r.places[0][1]) for r in declared.references}


def test_a_pyproject_by_hand() -> None:
    boards, references = said("client/pyproject.toml", PYPROJECT)
    assert boards == {("distribution", "pypi", "pay-client"), ("command", "", "pay")}
    assert references == {
        ("dependency", "pypi", "click", 4),
        ("dependency", "pypi", "acme-core", 5),
        ("git", "", "git.example.org/acme/core", 5),
        ("dependency", "pypi", "flask", 10),
        ("dependency", "pypi", "pytest", 12),
        ("path", "", "core", 14),
    }


def test_no_credentials_of_an_address_are_kept() -> None:
    declared = read_manifest("pyproject.toml", PYPROJECT)
    assert "token" not in repr(declared)


@pytest.mark.parametrize(
    ("path", "text", "boards", "references"),
    [
        (
            "setup.py",
            "from setuptools import setup\nNAME = 'shop'\nsetup(name=NAME, install_requires=['click'],\n"
            "      entry_points={'console_scripts': ['shop=shop:main']})\n",
            {("distribution", "pypi", "shop"), ("command", "", "shop")},
            {("dependency", "pypi", "click", 3)},
        ),
        (
            "setup.cfg",
            "[metadata]\nname = shop\n[options]\ninstall_requires =\n  click>=8\n  # no\n",
            {("distribution", "pypi", "shop")},
            {("dependency", "pypi", "click", 5)},
        ),
        (
            "requirements/dev.txt",
            "# tools\nclick==8.1 ; python_version > '3'\n-r base.txt\n-e ../core\n",
            set(),
            {("dependency", "pypi", "click", 2), ("path", "", "core", 4)},
        ),
        (
            "web/package.json",
            '{"name": "@acme/web", "bin": "cli.js",\n "scripts": {"build": "vite build && tsc -p ."},\n'
            ' "dependencies": {"hono": "^4",\n  "@acme/ui": "file:../ui"}}',
            {("distribution", "npm", "@acme/web"), ("import", "npm", "@acme/web"), ("command", "", "web")},
            {
                ("dependency", "npm", "hono", 3),
                ("dependency", "npm", "@acme/ui", 4),
                ("path", "", "ui", 4),
                ("command", "", "vite", 2),
                ("command", "", "tsc", 2),
            },
        ),
        (
            "Cargo.toml",
            '[package]\nname = "my-tool"\n[[bin]]\nname = "mt"\n[dependencies]\n'
            'searcher = { package = "grep-searcher", version = "1" }\n[dev-dependencies]\nlocal = { path = "../local" }\n',  # noqa: E501
            {("distribution", "crates", "my_tool"), ("import", "crates", "my_tool"), ("command", "", "mt")},
            {
                ("dependency", "crates", "grep_searcher", 6),
                ("dependency", "crates", "local", 8),
                ("path", "", "../local", 8),
            },
        ),
        (
            "go.mod",
            "module example.org/acme/shop/v2\n\nrequire (\n\texample.org/acme/core v1.0.0\n\tx.org/y v1 // indirect\n)\n"  # noqa: E501
            "replace example.org/acme/core => ../core\n",
            {("distribution", "go", "example.org/acme/shop/v2"), ("import", "go", "example.org/acme/shop/v2")},
            {
                ("dependency", "go", "example.org/acme/core", 4),
                ("locked", "go", "x.org/y", 5),
                ("path", "", "../core", 7),
            },
        ),
        (
            "pom.xml",
            "<project xmlns='http://maven.apache.org/POM/4.0.0'><groupId>org.acme</groupId>\n"
            "<artifactId>shop</artifactId><properties><v>gson</v></properties>\n<dependencies><dependency>"
            "<groupId>com.google.code.gson</groupId>\n<artifactId>${v}</artifactId></dependency></dependencies></project>",
            {("distribution", "maven", "org.acme:shop")},
            {("dependency", "maven", "com.google.code.gson:gson", 3)},
        ),
        (
            "build.gradle",
            "group = 'org.acme'\ndependencies {\n  implementation 'com.google.code.gson:gson:2.10'\n"
            '  testImplementation("org.junit:junit:5")\n}\n',
            set(),
            {("dependency", "maven", "com.google.code.gson:gson", 3), ("dependency", "maven", "org.junit:junit", 4)},
        ),
        (
            "shop.gemspec",
            "s.name = 'shop'\ns.executables = %w(shop shopd)\ns.add_dependency('jekyll', '~> 4')\n",
            {
                ("distribution", "rubygems", "shop"),
                ("import", "rubygems", "shop"),
                ("command", "", "shop"),
                ("command", "", "shopd"),
            },
            {("dependency", "rubygems", "jekyll", 3)},
        ),
        (
            "composer.json",
            '{"name": "acme/shop", "autoload": {"psr-4": {"Acme\\\\Shop\\\\": "src/"}},\n'
            '"require": {"php": ">=8", "acme/core": "^1"}}',
            {("distribution", "packagist", "acme/shop"), ("import", "packagist", "Acme\\Shop")},
            {("dependency", "packagist", "acme/core", 2)},
        ),
        (
            "mix.exs",
            '[app: :shop,\n {:core, path: "../core"},\n {:jason, "~> 1.0"}]\n',
            {("distribution", "hex", "shop")},
            {("dependency", "hex", "core", 2), ("path", "", "../core", 2), ("dependency", "hex", "jason", 3)},
        ),
        (
            "src/Shop.csproj",
            "<Project><PropertyGroup><PackageId>Acme.Shop</PackageId></PropertyGroup>\n<ItemGroup>"
            '<PackageReference Include="Acme.Core" />\n<ProjectReference Include="..\\Ui\\Ui.csproj" /></ItemGroup></Project>',  # noqa: E501
            {("distribution", "nuget", "acme.shop"), ("import", "nuget", "Acme.Shop")},
            {("dependency", "nuget", "acme.core", 2), ("path", "", "Ui", 3)},
        ),
        (
            "docker-compose.yml",
            "services:\n  web:\n    build: .\n    image: acme/web:1\n  cache:\n    image: redis:7 # fast\n",
            {("image", "", "acme/web")},
            {("image", "", "redis", 6)},
        ),
        (
            ".gitmodules",
            '[submodule "core"]\n\tpath = core\n\turl = git@github.com:Acme/Core.git\n',
            set(),
            {("submodule", "", "./core", 2), ("submodule", "", "github.com/acme/core", 3)},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value and len(value) < 40 else "",
)
def test_a_manifest_by_hand(
    path: str,
    text: str,
    boards: set[tuple[str, str, str]],
    references: set[tuple[str, str, str, int]],
) -> None:
    assert is_manifest(path)
    found_boards, found_references = said(path, text)
    assert (found_boards, found_references) == (boards, references)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", "[project\nname = 1"),
        ("package.json", '{"name": }'),
        ("pom.xml", "<project><a></project>"),
        ("setup.py", "setup(name="),
        # The expansion of such an entity is how a file of one kilobyte becomes one of gigabytes.
        ("pom.xml", '<!DOCTYPE x [<!ENTITY a "aaaa">]><project><artifactId>&a;</artifactId></project>'),
        ("package.json", "[" * 100_000),
    ],
)
def test_a_broken_manifest_is_said_and_gives_nothing(path: str, text: str) -> None:
    declared = read_manifest(path, text)
    assert declared.problems and not declared.boards and not declared.references


@pytest.mark.parametrize(
    "text", ["[]", "3", '{"name": 7, "bin": [], "scripts": [1], "dependencies": "x"}', '{"bin": {"a": 1}}']
)
def test_a_manifest_of_other_types_than_expected_is_no_error(text: str) -> None:
    assert read_manifest("package.json", text).problems == []


def test_a_setup_py_is_never_run(tmp_path) -> None:
    marker = tmp_path / "ran"
    text = f"open({str(marker)!r}, 'w')\nfrom setuptools import setup\nsetup(name=input())\n"
    assert read_manifest("setup.py", text).boards == []
    assert not marker.exists()


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("redis", "redis"),
        ("docker.io/redis:7@sha256:00", "redis"),
        ("localhost:5000/a/b", "localhost:5000/a/b"),
        ("$X", ""),
    ],
)
def test_image_names(written: str, name: str) -> None:
    assert image_name(written) == name


def test_every_reader_has_a_manifest_and_no_manifest_is_read_twice():
    from loci.core.dependencies.manifests import _READERS
    from loci.episodes import manifests

    assert set(_READERS) == {each.format for each in manifests() if each.format}
    assert is_manifest("requirements/dev.txt") and is_manifest("compose.yaml") and not is_manifest("docs/dev.txt")
