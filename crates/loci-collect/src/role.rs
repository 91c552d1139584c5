//! Which role a path stands in. Decided by the path alone, so that an index, a search result and a person reading the
//! path come to the same answer without opening the file.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use serde::Deserialize;

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
    /// Documents, changelogs included (see [`crate::is_changelog`]).
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

/// The lists of `data/roles.toml`, which says what each is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Roles {
    test: TestLists,
    example: ExampleLists,
    config: ConfigLists,
    docs: DocsLists,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestLists {
    directories: FxHashSet<String>,
    directory_endings: Vec<String>,
    extensions: Vec<String>,
    stems: Vec<String>,
    stem_beginnings: Vec<String>,
    stem_endings: Vec<String>,
    parts: Vec<String>,
    whole_stems: Vec<String>,
    whole_stem_extensions: Vec<String>,
    type_endings: Vec<String>,
    type_extensions: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExampleLists {
    directories: FxHashSet<String>,
    directory_beginnings: Vec<String>,
    stem_beginnings: Vec<String>,
    stem_endings: Vec<String>,
    parts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigLists {
    names: FxHashSet<String>,
    name_beginnings: Vec<String>,
    name_endings: Vec<String>,
    parts: Vec<String>,
    extensions: FxHashSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DocsLists {
    directories: FxHashSet<String>,
    names: FxHashSet<String>,
    extensions: FxHashSet<String>,
}

static ROLES: LazyLock<Roles> = LazyLock::new(|| crate::data::read("roles.toml", include_str!("../data/roles.toml")));
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
    if parts().any(is_example_dir) || is_bench_name(name) {
        return Role::Example;
    }
    if is_config_name(name) {
        return Role::Config;
    }
    if is_document_name(name) || parts().any(|part| ROLES.docs.directories.contains(part)) {
        return Role::Docs;
    }
    if ROLES.config.extensions.contains(extension_of(name)) || (name.starts_with('.') && !name[1..].contains('.')) {
        return Role::Config;
    }
    Role::Source
}

fn begins(name: &str, beginnings: &[String]) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning.as_str()))
}

fn ends(name: &str, endings: &[String]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending.as_str()))
}

fn has(list: &[String], name: &str) -> bool {
    list.iter().any(|entry| entry == name)
}

/// Whether a name has one of these between two dots.
fn has_part(name: &str, parts: &[String]) -> bool {
    let mut inner: Vec<&str> = name.split('.').skip(1).collect();
    inner.pop();
    inner.into_iter().any(|part| has(parts, part))
}

fn stem_of(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

fn extension_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn is_test_dir(part: &str) -> bool {
    ROLES.test.directories.contains(part) || ends(part, &ROLES.test.directory_endings)
}

/// Test files by the naming habits of each language; `name` is the lower-cased form of `original`.
fn is_test_name(original: &str, name: &str) -> bool {
    let lists = &ROLES.test;
    let (stem, extension) = (stem_of(name), extension_of(name));
    if has(&lists.extensions, extension) || has(&lists.stems, stem) {
        return true;
    }
    // Documents named like tests ("test_plan.md") are documents; everything else follows the runner's habit.
    if is_document_name(name) && extension != "txt" {
        return false;
    }
    if begins(stem, &lists.stem_beginnings) || ends(stem, &lists.stem_endings) {
        return true;
    }
    if name.split('.').skip(1).any(|part| has(&lists.parts, part)) {
        return true;
    }
    if has(&lists.whole_stem_extensions, extension) && has(&lists.whole_stems, stem) {
        return true;
    }
    // JVM, .NET, Swift and PHP: the word stands as a capitalised part of the type's name.
    if has(&lists.type_extensions, extension) {
        let stem = stem_of(original);
        return lists.type_endings.iter().any(|end| stem.len() > end.len() && stem.ends_with(end.as_str()))
            || stem.strip_prefix("Test").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    }
    false
}

fn is_example_dir(part: &str) -> bool {
    ROLES.example.directories.contains(part) || begins(part, &ROLES.example.directory_beginnings)
}

fn is_bench_name(name: &str) -> bool {
    let lists = &ROLES.example;
    let stem = stem_of(name);
    ends(stem, &lists.stem_endings) || has_part(name, &lists.parts) || begins(stem, &lists.stem_beginnings)
}

fn is_requirements(name: &str) -> bool {
    name.starts_with("requirements") && name.ends_with(".txt")
}

fn is_config_name(name: &str) -> bool {
    let lists = &ROLES.config;
    lists.names.contains(name)
        || begins(name, &lists.name_beginnings)
        || ends(name, &lists.name_endings)
        || is_requirements(name)
        || has_part(name, &lists.parts)
}

/// Whether a lower-cased file name is one of a document's.
pub(crate) fn is_document_name(name: &str) -> bool {
    if ROLES.config.names.contains(name) || is_requirements(name) {
        return false;
    }
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => is_document_extension(extension) || is_man_page(stem, extension),
        _ => is_document_stem(name),
    }
}

/// Whether a lower-cased extension is one of a document's.
pub(crate) fn is_document_extension(extension: &str) -> bool {
    ROLES.docs.extensions.contains(extension)
}

fn is_document_stem(name: &str) -> bool {
    // "LICENSE-MIT", "README-macos"
    let stem = name.split(['-', '_']).next().unwrap_or(name);
    ROLES.docs.names.contains(name) || (ROLES.docs.names.contains(stem) && !name.contains('.'))
}

/// `git.1`, `jq.1.prebuilt`, `tmux.conf.5`; a bare number after a dot is otherwise rare.
pub(crate) fn is_man_page(stem: &str, extension: &str) -> bool {
    matches!(extension, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "mdoc" | "man")
        && stem.starts_with(|c: char| c.is_ascii_alphabetic())
        || extension == "prebuilt" && stem.rsplit_once('.').is_some_and(|(stem, section)| is_man_page(stem, section))
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
}
