//! Notes that a person named by absolute glob patterns, wherever they lie.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use gix::bstr::BStr;

/// Directory entries looked at for all patterns of one project. A pattern such as `~/**/*.md` would otherwise walk a whole
/// disk whenever somebody asks whether the index is up to date.
const MOST_ENTRIES: u64 = 100_000;

/// What the patterns lead to.
#[derive(Default)]
pub(crate) struct Notes {
    /// Files and symbolic links, each once, in the order of their paths.
    pub(crate) files: Vec<PathBuf>,
    /// Files by pattern.
    pub(crate) counts: BTreeMap<String, u64>,
    /// Patterns and directories that could not be followed, and why.
    pub(crate) unreadable: Vec<(String, String)>,
}

/// Expand patterns as a shell does: `*`, `?` and `[…]` stay within one name and take no leading dot, `**` stands for any
/// directories but hidden ones. What stands before the first of them is a path like any other and may lead through
/// symbolic links; below it none is followed.
pub(crate) fn expand(patterns: &[String]) -> Notes {
    let mut notes = Notes::default();
    let mut found = std::collections::BTreeSet::new();
    let mut budget = MOST_ENTRIES;
    for pattern in patterns {
        if !Path::new(pattern).is_absolute() {
            notes.unreadable.push((pattern.clone(), "is no absolute path".to_owned()));
            notes.counts.insert(pattern.clone(), 0);
            continue;
        }
        let mut base = PathBuf::new();
        let mut rest: Vec<String> = Vec::new();
        for part in Path::new(pattern).components() {
            let is_special = |text: &str| text.contains(['*', '?', '[']);
            match part {
                Component::Normal(name) if !rest.is_empty() || is_special(&name.to_string_lossy()) => {
                    rest.push(name.to_string_lossy().into_owned());
                }
                part => base.push(part),
            }
        }
        let mut walk = Walk { files: Vec::new(), budget: &mut budget, unreadable: &mut notes.unreadable };
        if rest.is_empty() {
            // A directory by its plain name stands for all that is in it.
            if base.is_dir() { walk.step(&base, &["**".to_owned()]) } else { walk.add(base) }
        } else {
            walk.step(&base, &rest);
        }
        let files = walk.files;
        if budget == 0 {
            notes.unreadable.push((
                pattern.clone(),
                format!(
                    "more than {MOST_ENTRIES} files and directories lie below it; a narrower pattern reads them all"
                ),
            ));
        }
        let distinct: std::collections::BTreeSet<PathBuf> = files.into_iter().collect();
        notes.counts.insert(pattern.clone(), distinct.len() as u64);
        found.extend(distinct);
    }
    notes.files = found.into_iter().collect();
    notes
}

struct Walk<'a> {
    files: Vec<PathBuf>,
    budget: &'a mut u64,
    unreadable: &'a mut Vec<(String, String)>,
}

impl Walk<'_> {
    fn step(&mut self, directory: &Path, rest: &[String]) {
        let Some((part, rest)) = rest.split_first() else { return };
        if part == "**" {
            if !rest.is_empty() {
                self.step(directory, rest);
            }
            for (path, name, kind) in self.entries(directory) {
                if name.starts_with('.') {
                    continue;
                }
                if kind.is_dir() {
                    self.step(&path, &[&["**".to_owned()], rest].concat());
                } else if rest.is_empty() {
                    self.add(path);
                }
            }
            return;
        }
        if !part.contains(['*', '?', '[', '\\']) {
            let path = directory.join(part);
            match path.symlink_metadata() {
                Ok(metadata) if metadata.is_dir() => self.step(&path, rest),
                Ok(_) if rest.is_empty() => self.add(path),
                _ => {}
            }
            return;
        }
        for (path, name, kind) in self.entries(directory) {
            let is_hit = (!name.starts_with('.') || part.starts_with('.'))
                && gix::glob::wildmatch(
                    BStr::new(part),
                    BStr::new(&name),
                    gix::glob::wildmatch::Mode::NO_MATCH_SLASH_LITERAL,
                );
            if is_hit && kind.is_dir() {
                self.step(&path, rest);
            } else if is_hit && rest.is_empty() {
                self.add(path);
            }
        }
    }

    fn add(&mut self, path: PathBuf) {
        let is_note = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file() || metadata.is_symlink());
        if is_note {
            self.files.push(path);
        }
    }

    fn entries(&mut self, directory: &Path) -> Vec<(PathBuf, String, std::fs::FileType)> {
        let listed = match std::fs::read_dir(directory) {
            Ok(listed) => listed,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.unreadable.push((shown(directory), error.to_string()));
                return Vec::new();
            }
        };
        let mut entries = Vec::new();
        for entry in listed.flatten() {
            if *self.budget == 0 {
                break;
            }
            *self.budget -= 1;
            if let Ok(kind) = entry.file_type() {
                entries.push((entry.path(), entry.file_name().to_string_lossy().into_owned(), kind));
            }
        }
        entries
    }
}

/// The path as a person writes it: with `~` for the home directory, `/` between the parts.
pub(crate) fn shown(path: &Path) -> String {
    let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from);
    let text = match home
        .filter(|home| home.is_absolute())
        .and_then(|home| path.strip_prefix(home).ok().map(Path::to_owned))
    {
        Some(inner) => format!("~/{}", inner.to_string_lossy()),
        None => path.to_string_lossy().into_owned(),
    };
    if std::path::MAIN_SEPARATOR == '\\' { text.replace('\\', "/") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(directory: &Path, patterns: &[&str]) -> (Vec<String>, Vec<u64>, Notes) {
        let patterns: Vec<String> =
            patterns.iter().map(|pattern| directory.join(pattern).to_string_lossy().into_owned()).collect();
        let notes = expand(&patterns);
        let relative = |path: &PathBuf| path.strip_prefix(directory).unwrap().to_string_lossy().into_owned();
        let counts = patterns.iter().map(|pattern| notes.counts[pattern]).collect();
        (notes.files.iter().map(relative).collect(), counts, notes)
    }

    #[test]
    fn patterns_expand_as_in_a_shell() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for path in ["a.md", "b.txt", "deep/c.md", "deep/er/d.md", ".hidden.md", ".git/e.md", "deep/[x].md"] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), "x").unwrap();
        }
        assert_eq!(vec!["a.md"], found(root, &["*.md"]).0);
        assert_eq!(vec!["a.md", "deep/[x].md", "deep/c.md", "deep/er/d.md"], found(root, &["**/*.md"]).0);
        assert_eq!(vec!["deep/er/d.md"], found(root, &["*/*/?.md"]).0);
        assert_eq!(vec![".hidden.md"], found(root, &[".*.md"]).0);
        assert_eq!(vec!["deep/[x].md", "deep/c.md", "deep/er/d.md"], found(root, &["deep"]).0);
        assert_eq!(vec!["deep/[x].md", "deep/c.md", "deep/er/d.md"], found(root, &["deep/**"]).0);
        assert_eq!(vec!["a.md"], found(root, &["a.md"]).0);
        let (files, counts, notes) = found(root, &["*.md", "a.*", "none/*.md", "**/none.md"]);
        assert_eq!((vec!["a.md".to_owned()], vec![1, 1, 0, 0]), (files, counts));
        assert!(notes.unreadable.is_empty());
        assert_eq!("is no absolute path", expand(&["notes/*.md".to_owned()]).unreadable[0].1);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_before_the_first_wildcard_only() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        std::fs::create_dir_all(root.join("real/inner")).unwrap();
        std::fs::write(root.join("real/a.md"), "x").unwrap();
        std::fs::write(root.join("real/inner/b.md"), "x").unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("real/inner/loop")).unwrap();
        assert_eq!(vec!["link/a.md", "link/inner/b.md"], found(root, &["link/**/*.md"]).0);
        assert!(found(root, &["*/inner/*/a.md"]).0.is_empty());
    }
}
