//! Which role a path stands in. Decided by the path alone, so that an index, a search result and a person reading the
//! path come to the same answer without opening the file.

use std::sync::LazyLock;

use crate::policy::{Policy, Rules};

/// The part of a project that a passage stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Role {
    /// What the project ships.
    Source = 0,
    /// Tests, fixtures and test data.
    Test = 1,
    /// Documents, changelogs included (see [`is_changelog`]).
    Docs = 2,
    /// Examples, samples, demos and benchmarks.
    Example = 3,
    /// Written by a tool: lock files, snapshots, protobuf output.
    Generated = 4,
    /// Other people's code, committed.
    Vendored = 5,
    /// Settings of tools: YAML, TOML, JSON, INI, Dockerfiles, Makefiles.
    Config = 6,
}

impl Role {
    /// The name used in JSON answers: `source`, `test`, `docs`, `example`, `generated`, `vendored` or `config`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Test => "test",
            Self::Docs => "docs",
            Self::Example => "example",
            Self::Generated => "generated",
            Self::Vendored => "vendored",
            Self::Config => "config",
        }
    }
}

const TEST_DIRS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "testing",
    "testdata",
    "test-data",
    "test_data",
    "testfiles",
    "fixtures",
    "fixture",
    "__fixtures__",
    "__mocks__",
    "__snapshots__",
    "e2e",
    "cypress",
    "testsuite",
    "test-suite",
    "testutil",
    "testutils",
    "unittest",
    "unittests",
    "integration-tests",
    "integration_tests",
    "qa",
    "androidtest",
    "testfixtures",
];
const EXAMPLE_DIRS: &[&str] = &[
    "example",
    "examples",
    "_examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "playground",
    "playgrounds",
    "tutorial",
    "tutorials",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "benchsuite",
];
const DOCS_DIRS: &[&str] = &["doc", "docs", "documentation", "docs_src", "man", "manual", "wiki", "website"];
const CONFIG_EXTENSIONS: &[&str] = &[
    "yml",
    "yaml",
    "toml",
    "json",
    "jsonc",
    "json5",
    "ini",
    "cfg",
    "conf",
    "properties",
    "plist",
    "editorconfig",
    "hcl",
    "tf",
    "nix",
    "cmake",
    "mk",
    "mak",
    "bazel",
    "bzl",
    "gradle",
    "gn",
    "gni",
    "service",
    "desktop",
    "ac",
    "am",
    "m4",
    "csproj",
    "sln",
    "props",
    "targets",
    "xcconfig",
    "pbxproj",
    "rules",
    "lock",
    "in",
];
const CONFIG_NAMES: &[&str] = &[
    "dockerfile",
    "containerfile",
    "makefile",
    "gnumakefile",
    "bsdmakefile",
    "rakefile",
    "gemfile",
    "brewfile",
    "justfile",
    "procfile",
    "vagrantfile",
    "jenkinsfile",
    "cmakelists.txt",
    "requirements.txt",
    "constraints.txt",
    "meson.build",
    "meson_options.txt",
    "build",
    "workspace",
    "codeowners",
    "go.mod",
    "go.work",
    "setup.cfg",
    "tox.ini",
    "pipfile",
    "podfile",
    "cartfile",
    "robots.txt",
    "build.gradle.kts",
    "settings.gradle.kts",
];
/// Documents that carry no extension but a name everyone knows.
pub(crate) const DOCUMENT_NAMES: &[&str] = &[
    "readme",
    "changelog",
    "changes",
    "history",
    "news",
    "authors",
    "contributors",
    "maintainers",
    "copying",
    "license",
    "licence",
    "notice",
    "install",
    "hacking",
    "contributing",
    "todo",
    "faq",
    "thanks",
    "unlicense",
    "release_notes",
    "bugs",
    "credits",
    "upgrading",
    "roadmap",
];
pub(crate) const DOCUMENT_EXTENSIONS: &[&str] = &[
    "md",
    "markdown",
    "mdown",
    "mkd",
    "mdx",
    "mdc",
    "rmd",
    "qmd",
    "rst",
    "rest",
    "adoc",
    "asciidoc",
    "asc",
    "org",
    "txt",
    "text",
    "ipynb",
    "textile",
    "rdoc",
    "mediawiki",
    "wiki",
    "pod",
    "tex",
    "texi",
    "texinfo",
    "typ",
];

static RULES: LazyLock<Rules> = LazyLock::new(|| Rules::new(&Policy::default()));

/// The role of a repository-relative path with `/` between its parts, under the rules loci ships.
///
/// More specific beats more general: `tests/README.md` is `Test`, `examples/docs/a.md` is `Example`,
/// `docs/conf.py` is `Docs`, `.github/workflows/ci.yml` is `Config`.
///
/// ```
/// use loci_collect::{Role, role_of};
/// assert_eq!(role_of("src/app.py"), Role::Source);
/// assert_eq!(role_of("pkg/server_test.go"), Role::Test);
/// assert_eq!(role_of("node_modules/left-pad/index.js"), Role::Vendored);
/// ```
pub fn role_of(path: &str) -> Role {
    let lower = path.to_ascii_lowercase();
    let (dirs, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    if RULES.is_vendored(path) {
        return Role::Vendored;
    }
    if RULES.is_generated(path) {
        return Role::Generated;
    }
    let original_name = path.rsplit('/').next().unwrap_or(path);
    let parts = || dirs.split('/').filter(|part| !part.is_empty());
    if parts().any(is_test_dir) || is_test_name(original_name, name) {
        return Role::Test;
    }
    if parts().any(|part| EXAMPLE_DIRS.contains(&part) || part.starts_with("example-")) || is_bench_name(name) {
        return Role::Example;
    }
    if is_config_name(name) {
        return Role::Config;
    }
    if is_document_name(name) || parts().any(|part| DOCS_DIRS.contains(&part)) {
        return Role::Docs;
    }
    if has_extension(name, CONFIG_EXTENSIONS) || (name.starts_with('.') && !name[1..].contains('.')) {
        return Role::Config;
    }
    Role::Source
}

/// Whether a path is a project's list of changes: `CHANGELOG.md`, `CHANGES.rst`, `HISTORY`, `NEWS`, release notes and the
/// single-entry files of changelog tools (`.changeset/`, `changelog.d/`). Such files stand in [`Role::Docs`], but a
/// ranking may want to tell them apart: they mention everything once.
pub fn is_changelog(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let stem = name.split('.').next().unwrap_or(name);
    const STEMS: &[&str] = &["changelog", "changes", "history", "news", "releases", "whatsnew", "release"];
    const DIRS: &[&str] = &[
        "changelog",
        "changelogs",
        "changelog.d",
        ".changes",
        ".changeset",
        "newsfragments",
        "releases",
        "release-notes",
        "whatsnew",
    ];
    (STEMS.contains(&stem) && (is_document_name(name) || !name.contains('.')))
        || name.starts_with("changelog-")
        || name.starts_with("changelog_")
        || name.starts_with("release-notes")
        || name.starts_with("release_notes")
        || name.starts_with("releasenotes")
        || (is_document_name(name) || !name.contains('.') || lower.contains("unreleased"))
            && lower.rsplit_once('/').is_some_and(|(dirs, _)| dirs.split('/').any(|part| DIRS.contains(&part)))
}

fn is_test_dir(part: &str) -> bool {
    TEST_DIRS.contains(&part)
        || part.ends_with("-test")
        || part.ends_with("-tests")
        || part.ends_with("_test")
        || part.ends_with("_tests")
        || part.ends_with("-fixtures")
        || part.ends_with("-e2e")
        || part.ends_with(".tests")
}

/// Test files by the naming habits of each language; `name` is the lower-cased form of `original`.
fn is_test_name(original: &str, name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if matches!(extension, "bats" | "t" | "phpt") || stem == "conftest" {
        return true;
    }
    // Documents named like tests ("test_plan.md") are documents; everything else follows the runner's habit.
    if is_document_name(name) && extension != "txt" {
        return false;
    }
    if stem.starts_with("test_") || stem.starts_with("test-") {
        return true;
    }
    if ["_test", "-test", "_tests", "-tests", "_spec", "-spec", "_unittest"].iter().any(|end| stem.ends_with(end)) {
        return true;
    }
    // `a.test.ts`, `a.spec.js`, `a.cy.ts`, `a.test-d.ts`
    if name.split('.').skip(1).any(|part| matches!(part, "test" | "tests" | "spec" | "cy" | "test-d" | "e2e")) {
        return true;
    }
    if matches!(extension, "rs" | "exs" | "c" | "ml") && matches!(stem, "test" | "tests") {
        return true;
    }
    // JVM, .NET, Swift and PHP: the word stands as a capitalised part of the type's name.
    if matches!(extension, "java" | "kt" | "scala" | "groovy" | "cs" | "swift" | "php" | "dart") {
        let stem = original.split('.').next().unwrap_or(original);
        return ["Test", "Tests", "TestCase", "Spec", "IT"]
            .iter()
            .any(|end| stem.len() > end.len() && stem.ends_with(end))
            || stem.strip_prefix("Test").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    }
    false
}

fn is_bench_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    ["_bench", "-bench", ".bench", "_benchmark", "-benchmark"].iter().any(|end| stem.ends_with(end))
        || name.contains(".bench.")
        || stem.starts_with("bench_")
        || stem.starts_with("benchmark_")
}

fn is_config_name(name: &str) -> bool {
    CONFIG_NAMES.contains(&name)
        || name.starts_with("dockerfile.")
        || name.ends_with(".dockerfile")
        || name.starts_with("makefile.")
        || (name.starts_with("requirements") && name.ends_with(".txt"))
        || name.contains(".config.")
        || name.starts_with("docker-compose")
}

/// Whether a lower-cased file name is one of a document's.
pub(crate) fn is_document_name(name: &str) -> bool {
    if CONFIG_NAMES.contains(&name) || (name.starts_with("requirements") && name.ends_with(".txt")) {
        return false;
    }
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => {
            DOCUMENT_EXTENSIONS.contains(&extension) || is_man_page(stem, extension)
        }
        _ => is_document_stem(name),
    }
}

fn is_document_stem(name: &str) -> bool {
    // "LICENSE-MIT", "README-macos"
    let stem = name.split(['-', '_']).next().unwrap_or(name);
    DOCUMENT_NAMES.contains(&name) || (DOCUMENT_NAMES.contains(&stem) && !name.contains('.'))
}

/// `git.1`, `jq.1.prebuilt`, `tmux.conf.5`; a bare number after a dot is otherwise rare.
pub(crate) fn is_man_page(stem: &str, extension: &str) -> bool {
    matches!(extension, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "mdoc" | "man")
        && stem.starts_with(|c: char| c.is_ascii_alphabetic())
        || extension == "prebuilt" && stem.rsplit_once('.').is_some_and(|(stem, section)| is_man_page(stem, section))
}

pub(crate) fn has_extension(name: &str, extensions: &[&str]) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_where_a_reader_expects_them() {
        let expected = [
            ("src/flask/app.py", Role::Source),
            ("tests/test_basic.py", Role::Test),
            ("tests/README.md", Role::Test),
            ("test_plan.md", Role::Docs),
            ("pkg/a_test.go", Role::Test),
            ("src/a.test.tsx", Role::Test),
            ("src/__tests__/a.tsx", Role::Test),
            ("spec/foo_spec.rb", Role::Test),
            ("gson/src/main/java/Gson.java", Role::Source),
            ("gson/src/x/GsonTest.java", Role::Test),
            ("gson/src/x/Latest.java", Role::Source),
            ("app/FooTests.swift", Role::Test),
            ("lib/contest.py", Role::Source),
            ("src/attestation.rs", Role::Source),
            ("src/tests.rs", Role::Test),
            ("t/basic.t", Role::Test),
            ("examples/a/README.md", Role::Example),
            ("benches/bench.rs", Role::Example),
            ("src/parser.bench.ts", Role::Example),
            ("docs/conf.py", Role::Docs),
            ("README", Role::Docs),
            ("LICENSE-MIT", Role::Docs),
            ("CHANGELOG.md", Role::Docs),
            ("tmux.1", Role::Docs),
            ("jq.1.prebuilt", Role::Docs),
            ("requirements-dev.txt", Role::Config),
            ("CMakeLists.txt", Role::Config),
            (".github/workflows/ci.yml", Role::Config),
            (".github/ISSUE_TEMPLATE/bug.md", Role::Docs),
            (".gitignore", Role::Config),
            ("Dockerfile", Role::Config),
            ("docker/Dockerfile.alpine", Role::Config),
            ("vite.config.ts", Role::Config),
            ("vendor/a/b.go", Role::Vendored),
            ("deps/lua/src/lua.c", Role::Vendored),
            ("src/deps/a.py", Role::Source),
            ("yarn.lock", Role::Generated),
            ("api/v1/user.pb.go", Role::Generated),
            ("bin/run", Role::Source),
        ];
        for (path, role) in expected {
            assert_eq!(role, role_of(path), "{path}");
        }
    }

    #[test]
    fn changelogs_are_told_apart_from_other_documents() {
        for path in [
            "CHANGELOG.md",
            "CHANGES.rst",
            "docs/history.rst",
            "NEWS",
            "changelog/unreleased/issue-1",
            ".changeset/a-b.md",
            "docs/releases/1.0.md",
            "packages/x/CHANGELOG-1.md",
        ] {
            assert!(is_changelog(path), "{path}");
        }
        for path in ["README.md", "src/history.py", "src/changes/index.ts", "docs/changing.md"] {
            assert!(!is_changelog(path), "{path}");
        }
    }
}
