//! The manifests and lock files of package managers and build tools: one table for every part of loci.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A manifest by its file name. Exactly one of `name`, `ending` and `pattern` is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manifest {
    /// The file name as it is written: `Cargo.toml`.
    pub name: Option<String>,
    /// The end of the file name: `.csproj`.
    pub ending: Option<String>,
    /// A regular expression for the whole file name.
    pub pattern: Option<String>,
    /// The index in which the names in it are unique: `pypi`, `npm`, `crates`, `go` ...; empty for none.
    pub ecosystem: String,
    /// How it is written, for those who read it; empty if nobody does.
    pub format: String,
    /// Its directory is a package.
    pub package: bool,
    /// At the root of a project it describes the project.
    pub description: bool,
    /// It may say in one line what the package is.
    pub summary: bool,
}

/// A lock file of a package manager.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LockFile {
    /// The file name as it is written.
    pub name: String,
    /// As [`Manifest::ecosystem`].
    pub ecosystem: String,
    /// As [`Manifest::format`].
    pub format: String,
}

/// The table of manifests and lock files, in the order of `data/manifests.toml`: of several manifests in a directory the first
/// one speaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifests {
    /// Manifests.
    pub manifest: Vec<Manifest>,
    /// Lock files.
    pub lock: Vec<LockFile>,
}

struct Table {
    all: Manifests,
    by_name: FxHashMap<String, usize>,
    by_ending: Vec<(String, usize)>,
    by_pattern: Vec<(Regex, usize)>,
}

#[expect(clippy::expect_used, reason = "patterns of this crate that a test compiles")]
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let all: Manifests = crate::data::read("manifests.toml", include_str!("../data/manifests.toml"));
    let (mut by_name, mut by_ending, mut by_pattern) = (FxHashMap::default(), Vec::new(), Vec::new());
    for (place, manifest) in all.manifest.iter().enumerate() {
        if let Some(name) = &manifest.name {
            by_name.insert(name.clone(), place);
        }
        if let Some(ending) = &manifest.ending {
            by_ending.push((ending.clone(), place));
        }
        if let Some(pattern) = &manifest.pattern {
            by_pattern.push((Regex::new(&format!("^(?:{pattern})$")).expect("a valid pattern"), place));
        }
    }
    Table { all, by_name, by_ending, by_pattern }
});

/// Every manifest and lock file that loci knows.
pub fn manifests() -> &'static Manifests {
    &TABLE.all
}

/// The manifest that a file is, by its path; `None` for any other file. Case counts.
///
/// ```
/// use loci_collect::manifest_of;
/// assert_eq!("crates", manifest_of("crates/core/Cargo.toml").unwrap().ecosystem);
/// assert_eq!("msbuild", manifest_of("App/App.csproj").unwrap().format);
/// assert_eq!("pypi", manifest_of("dev-requirements.txt").unwrap().ecosystem);
/// assert!(manifest_of("src/main.rs").is_none());
/// ```
pub fn manifest_of(path: &str) -> Option<&'static Manifest> {
    let table = &*TABLE;
    let name = path.rsplit('/').next().unwrap_or(path);
    let place = table
        .by_name
        .get(name)
        .or_else(|| table.by_ending.iter().find(|(ending, _)| name.ends_with(ending.as_str())).map(|(_, place)| place))
        .or_else(|| table.by_pattern.iter().find(|(pattern, _)| pattern.is_match(name)).map(|(_, place)| place))?;
    Some(&table.all.manifest[*place])
}

/// Whether the file at the root of a project describes the project: its README or a manifest that does. The question that
/// names no project says which one it means in these words. Case does not count.
pub fn is_description(name: &str) -> bool {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let describing = manifests().manifest.iter().filter(|manifest| manifest.description);
        describing.filter_map(|manifest| manifest.name.as_ref()).map(|name| name.to_lowercase()).collect()
    });
    let name = name.to_lowercase();
    name.starts_with("readme") || NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_found_and_none_stands_twice() {
        let table = &*TABLE;
        for (place, manifest) in table.all.manifest.iter().enumerate() {
            let keys = [&manifest.name, &manifest.ending, &manifest.pattern];
            assert_eq!(1, keys.iter().filter(|key| key.is_some()).count(), "{manifest:?}");
            assert!(!manifest.description || manifest.name.is_some(), "{manifest:?}");
            let path = match (&manifest.name, &manifest.ending) {
                (Some(name), _) => format!("a/{name}"),
                (_, Some(ending)) => format!("a/b{ending}"),
                _ => continue,
            };
            assert_eq!(Some(&table.all.manifest[place]), manifest_of(&path), "{path}");
        }
        let locks: std::collections::BTreeSet<&str> = table.all.lock.iter().map(|lock| lock.name.as_str()).collect();
        assert_eq!(locks.len(), table.all.lock.len());
    }

    #[test]
    fn patterns_hold_for_the_whole_name() {
        for (name, format) in [
            ("requirements.txt", Some("requirements")),
            ("dev-requirements.in", Some("requirements")),
            ("requirements_test.txt", Some("requirements")),
            ("docker-compose.prod.yml", Some("compose")),
            ("compose.yaml", Some("compose")),
            ("myrequirements.txt", None),
            ("requirements.txt.bak", None),
            ("compose.yml.j2", None),
            ("cargo.toml", None),
        ] {
            assert_eq!(format, manifest_of(name).map(|manifest| manifest.format.as_str()), "{name}");
        }
    }

    #[test]
    fn readmes_and_manifests_describe_a_project() {
        for name in ["README.md", "Readme.de.md", "Cargo.toml", "pyproject.toml", "CMakeLists.txt", "Gemfile"] {
            assert!(is_description(name), "{name}");
        }
        for name in ["mix.exs", "build.gradle", "main.rs", "docs.md"] {
            assert!(!is_description(name), "{name}");
        }
    }
}
