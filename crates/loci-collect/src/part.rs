//! Which paths of a repository a policy's `subtree` and `apart` leave: one package of a monorepo, or all but its packages.

use gix::bstr::{BStr, BString, ByteSlice};
use rustc_hash::FxHashSet;

use crate::policy::Policy;

/// A policy's part of a repository, made ready for matching. Paths are those of git, from the root of the repository.
pub(crate) struct Part {
    /// Empty, or the subtree with a closing slash.
    prefix: BString,
    /// Directories that are read apart, from the root of the repository, without a closing slash.
    apart: FxHashSet<BString>,
}

impl Part {
    pub(crate) fn of(policy: &Policy) -> Self {
        let mut prefix = BString::from(policy.subtree.trim_matches('/'));
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        let apart: FxHashSet<BString> = policy
            .apart
            .iter()
            .map(|dir| dir.trim_matches('/'))
            .filter(|dir| !dir.is_empty())
            .map(|dir| {
                let mut full = prefix.clone();
                full.extend_from_slice(dir.as_bytes());
                full
            })
            .collect();
        Self { prefix, apart }
    }

    /// Whether this is the repository as a whole.
    pub(crate) fn is_whole(&self) -> bool {
        self.prefix.is_empty() && self.apart.is_empty()
    }

    /// The subtree, with a closing slash; empty for the root.
    pub(crate) fn prefix(&self) -> &BStr {
        self.prefix.as_bstr()
    }

    /// The subtree without a closing slash; empty for the root.
    pub(crate) fn directory(&self) -> &BStr {
        self.prefix.strip_suffix(b"/").unwrap_or(&self.prefix).as_bstr()
    }

    /// Whether `dir` is one of the directories that are read apart.
    pub(crate) fn is_apart(&self, dir: &BStr) -> bool {
        self.apart.contains(dir)
    }

    /// Whether the file at `path` lies in the subtree.
    pub(crate) fn is_inside(&self, path: &BStr) -> bool {
        path.starts_with(&self.prefix)
    }

    /// Whether the file at `path` lies in a directory that is read apart.
    pub(crate) fn is_elsewhere(&self, path: &BStr) -> bool {
        !self.apart.is_empty() && path.find_iter(b"/").any(|end| self.apart.contains(path[..end].as_bstr()))
    }

    /// The same for a path relative to the subtree.
    pub(crate) fn is_below_apart(&self, path: &BStr) -> bool {
        if self.apart.is_empty() {
            return false;
        }
        let mut full = self.prefix.clone();
        full.extend_from_slice(path);
        self.is_elsewhere(full.as_bstr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(subtree: &str, apart: &[&str]) -> Part {
        let apart = apart.iter().map(|dir| (*dir).to_owned()).collect();
        Part::of(&Policy { subtree: subtree.to_owned(), apart, ..Policy::default() })
    }

    #[test]
    fn whole_directories_are_compared() {
        let outer = part("", &["client", "packages/a"]);
        let elsewhere = |path: &str| outer.is_elsewhere(path.into());
        assert!(elsewhere("client/x.py") && elsewhere("client/deep/x.py") && elsewhere("packages/a/x"));
        assert!(!elsewhere("client") && !elsewhere("client2/x.py") && !elsewhere("src/client/x.py"));
        assert!(!elsewhere("packages/b/x") && !elsewhere("packages/ab/x"));
        let inner = part("packages/a/", &["deep"]);
        assert_eq!(
            ("packages/a/", "packages/a"),
            (inner.prefix().to_str().unwrap_or_default(), inner.directory().to_str().unwrap_or_default())
        );
        assert!(inner.is_inside("packages/a/x".into()) && !inner.is_inside("packages/ab/x".into()));
        assert!(inner.is_elsewhere("packages/a/deep/x".into()) && !inner.is_elsewhere("packages/a/x".into()));
        assert!(part("", &[]).is_whole() && !outer.is_whole() && !inner.is_whole());
    }
}
