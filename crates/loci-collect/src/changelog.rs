//! Which files are a project's list of changes.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;
use serde::Deserialize;

use crate::role::is_document_name;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changelogs {
    stems: Vec<String>,
    beginnings: Vec<String>,
    directories: FxHashSet<String>,
}

static CHANGELOGS: LazyLock<Changelogs> =
    LazyLock::new(|| crate::data::read("changelogs.toml", include_str!("../data/changelogs.toml")));

/// Whether a path is a project's list of changes: `CHANGELOG.md`, `CHANGES.rst`, `HISTORY`, `NEWS-2.0`, release notes and the
/// documents in directories of such (`docs/releases/`, `.changeset/`, `changelog.d/`). Lists: `data/changelogs.toml`.
///
/// Such files have the role [`crate::Role::Docs`], but they mention everything once, so a ranking tells them apart, and a
/// question for a version is answered from them.
///
/// ```
/// use loci_collect::is_changelog;
/// assert!(is_changelog("docs/releases/notes.md") && is_changelog("CHANGES-4.0.txt"));
/// assert!(!is_changelog("docs/newsletter.md") && !is_changelog("src/history.py"));
/// ```
pub fn is_changelog(path: &str) -> bool {
    let lists = &*CHANGELOGS;
    let lower = path.to_ascii_lowercase();
    let (directories, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    if lists.beginnings.iter().any(|beginning| name.starts_with(beginning.as_str())) {
        return true;
    }
    let document = is_document_name(name) || extension_of(name).is_none_or(is_number);
    if document && lists.stems.iter().any(|stem| name.strip_prefix(stem.as_str()).is_some_and(ends_a_stem)) {
        return true;
    }
    (document || lower.contains("unreleased"))
        && directories.split('/').any(|directory| lists.directories.contains(directory))
}

fn extension_of(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, extension)| extension)
}

/// Whether what follows a stem is an extension, a version or nothing.
fn ends_a_stem(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('.') || rest.strip_prefix(['-', '_']).is_some_and(is_version)
}

/// `ChangeLog.2019`, `1.0`: a number behind a dot is no extension.
fn is_number(extension: &str) -> bool {
    extension.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_version(text: &str) -> bool {
    text.strip_prefix('v').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changelogs_are_told_apart_from_other_documents() {
        for path in [
            "CHANGELOG.md",
            "CHANGES.rst",
            "CHANGES-4.0.md",
            "NEWS-v2",
            "ChangeLog.2019",
            "00-RELEASENOTES",
            "RELEASE_NOTES.txt",
            "docs/history.rst",
            "NEWS",
            "changelog/unreleased/issue-1",
            "changelogs/unreleased/issue-1.yml",
            ".changeset/a-b.md",
            "docs/releases/1.0.md",
            "docs/releases/notes.md",
            "doc/source/whatsnew/v1.5.0.rst",
            "packages/x/CHANGELOG-1.md",
        ] {
            assert!(is_changelog(path), "{path}");
        }
        for path in [
            "README.md",
            "docs/newsletter.md",
            "docs/news-letter.md",
            "docs/changes-to-come.md",
            "src/history.py",
            "src/history.2.py",
            "src/changes/index.ts",
            "src/releases/fetch.go",
            "docs/changing.md",
            "docs/changesets.md",
        ] {
            assert!(!is_changelog(path), "{path}");
        }
    }
}
