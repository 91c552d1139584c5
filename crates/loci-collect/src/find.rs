//! Lines of a repository that match given patterns: what a caller needs who asks for imports and calls, not for passages.

use std::collections::BTreeMap;

use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::error::CollectError;
use crate::policy::Policy;
use crate::repository::{ListedFile, Repository};
use crate::role::{Role, role_of};

/// A file beyond this was not written by hand; its lines would cost more than they tell. A file that a rule names, such as a
/// lock file, may be as large as the policy allows.
const LARGEST: u64 = 1 << 20;

/// A captured text beyond this is no name.
const LONGEST: usize = 400;

/// Which lines are wanted of which files. A rule without `endings`, `names` and `interpreters` is applied to no file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LineRule {
    /// Ends of file names, in lower case: `.py`, `.d.ts`.
    pub endings: Vec<String>,
    /// Whole file names, in lower case: `makefile`, `.zshrc`.
    pub names: Vec<String>,
    /// Programs that a first line `#!` names, for files without an ending: `sh`, `python`.
    pub interpreters: Vec<String>,
    /// Only below this directory; empty for the whole repository.
    pub below: String,
    /// A regular expression over the bytes of the file, `^` and `$` at every line. Its first group is what is found.
    pub pattern: String,
}

/// One text that a rule found in a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Position of the rule.
    pub rule: usize,
    /// What the first group held.
    pub text: String,
    /// How many files hold it.
    pub files: u64,
    /// Path and line (from 1) of some of them, source before tests and examples, then by path.
    pub places: Vec<(String, u32)>,
}

/// What a search of one repository gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Every file of the listing and its size, by path.
    pub files: Vec<(String, u64)>,
    /// Repositories inside, as in [`crate::Listing::submodules`].
    pub submodules: Vec<String>,
    /// By rule, then text.
    pub matches: Vec<Match>,
    /// How many files each rule was applied to.
    pub searched: Vec<u64>,
    /// Files that could not be read, with the system's message.
    pub unreadable: Vec<(String, String)>,
}

/// Rules, compiled once for many repositories.
///
/// ```
/// use loci_collect::{Finder, LineRule};
///
/// let rule = LineRule { endings: vec![".py".into()], pattern: "^import ([a-z]+)".into(), ..LineRule::default() };
/// assert!(Finder::new(vec![rule]).is_ok());
/// ```
pub struct Finder {
    rules: Vec<(LineRule, Regex)>,
    by_ending: FxHashMap<String, Vec<usize>>,
    by_name: FxHashMap<String, Vec<usize>>,
    by_interpreter: FxHashMap<String, Vec<usize>>,
}

impl Finder {
    /// Compile the rules.
    ///
    /// # Errors
    /// [`CollectError::Policy`] for a pattern that is no regular expression or has no group.
    pub fn new(rules: Vec<LineRule>) -> Result<Self, CollectError> {
        let mut finder = Self {
            rules: Vec::with_capacity(rules.len()),
            by_ending: FxHashMap::default(),
            by_name: FxHashMap::default(),
            by_interpreter: FxHashMap::default(),
        };
        for (number, rule) in rules.into_iter().enumerate() {
            let pattern = RegexBuilder::new(&rule.pattern)
                .multi_line(true)
                .unicode(false)
                .build()
                .map_err(|error| CollectError::Policy { message: format!("rule {number}: {error}") })?;
            if pattern.captures_len() < 2 {
                return Err(CollectError::Policy { message: format!("rule {number}: its pattern has no group") });
            }
            let keys = [
                (&rule.endings, &mut finder.by_ending),
                (&rule.names, &mut finder.by_name),
                (&rule.interpreters, &mut finder.by_interpreter),
            ];
            for (keys, table) in keys {
                for key in keys {
                    table.entry(key.clone()).or_default().push(number);
                }
            }
            finder.rules.push((rule, pattern));
        }
        Ok(finder)
    }

    /// Search the files that git lists and the policy admits, on rayon's current pool; at most `places` places of each text.
    /// The same repository gives the same result, whatever the number of threads.
    ///
    /// # Errors
    /// As [`Repository::list`].
    pub fn find(&self, repository: &Repository, policy: &Policy, places: usize) -> Result<Found, CollectError> {
        let listing = repository.list(policy)?;
        let one = |file: &ListedFile| self.in_file(repository, file, policy);
        let each: Vec<InFile> = listing.files.par_iter().with_max_len(32).map(one).collect();
        let mut order: Vec<usize> = (0..listing.files.len()).collect();
        order.sort_by_key(|&at| apart(&listing.files[at].path));
        let mut found = Found { searched: vec![0; self.rules.len()], ..Found::default() };
        type Matches<'a> = BTreeMap<(usize, &'a str), (u64, Vec<(String, u32)>)>;
        let mut matches = Matches::new();
        for at in order {
            let path = &listing.files[at].path;
            for &rule in &each[at].searched {
                found.searched[rule] += 1;
            }
            for (rule, text, line) in &each[at].hits {
                let (files, examples) = matches.entry((*rule, text)).or_default();
                *files += 1;
                if examples.len() < places {
                    examples.push((path.clone(), *line));
                }
            }
        }
        found.matches = matches
            .into_iter()
            .map(|((rule, text), (files, places))| Match { rule, text: text.to_owned(), files, places })
            .collect();
        for (file, result) in listing.files.iter().zip(&each) {
            if let Some(message) = &result.unreadable {
                found.unreadable.push((file.path.clone(), message.clone()));
            }
        }
        found.files = listing.files.into_iter().map(|file| (file.path, file.size)).collect();
        found.submodules = listing.submodules;
        Ok(found)
    }

    fn in_file(&self, repository: &Repository, file: &ListedFile, policy: &Policy) -> InFile {
        let mut result = InFile::default();
        let lower = file.path.to_ascii_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let mut rules: Vec<usize> = self.by_name.get(name).cloned().unwrap_or_default();
        let largest = if rules.is_empty() { LARGEST } else { policy.max_file_bytes };
        for (at, _) in name.char_indices().filter(|&(_, character)| character == '.') {
            rules.extend(self.by_ending.get(&name[at..]).into_iter().flatten());
        }
        let is_script = !self.by_interpreter.is_empty() && !name.trim_start_matches('.').contains('.');
        if (rules.is_empty() && !is_script) || file.size > largest {
            return result;
        }
        let bytes = match repository.bytes_of(file, &policy.subtree, largest) {
            Ok(bytes) => bytes,
            Err(error) => {
                result.unreadable = Some(error.to_string());
                return result;
            }
        };
        if bytes.len() as u64 > largest {
            return result;
        }
        if is_script && let Some(interpreter) = interpreter(&bytes) {
            rules.extend(self.by_interpreter.get(interpreter).into_iter().flatten());
        }
        rules.retain(|&rule| file.path.starts_with(&self.rules[rule].0.below));
        rules.sort_unstable();
        rules.dedup();
        for &rule in &rules {
            self.apply(rule, &bytes, &mut result.hits);
        }
        result.searched = rules;
        result
    }

    /// The first place of each text in one file.
    fn apply(&self, rule: usize, bytes: &[u8], hits: &mut Vec<(usize, String, u32)>) {
        let mut seen: FxHashSet<&[u8]> = FxHashSet::default();
        let (mut counted, mut line) = (0, 1);
        for captures in self.rules[rule].1.captures_iter(bytes) {
            let Some(group) = captures.get(1) else { continue };
            if group.is_empty() || group.len() > LONGEST || !seen.insert(group.as_bytes()) {
                continue;
            }
            line += bytes[counted..group.start()].iter().filter(|&&byte| byte == b'\n').count();
            counted = group.start();
            let text = String::from_utf8_lossy(group.as_bytes()).into_owned();
            hits.push((rule, text, u32::try_from(line).unwrap_or(u32::MAX)));
        }
    }
}

#[derive(Default)]
struct InFile {
    searched: Vec<usize>,
    hits: Vec<(usize, String, u32)>,
    unreadable: Option<String>,
}

/// Whether a file stands apart from what the project itself is made of.
fn apart(path: &str) -> bool {
    !matches!(role_of(path), Role::Source | Role::Config)
}

/// The program of a first line `#!`, without its directory and version: `#!/usr/bin/env python3` is `python`.
fn interpreter(bytes: &[u8]) -> Option<&str> {
    let line = bytes.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line.get(..200.min(line.len()))?).ok()?;
    let program = |word: &'_ str| word.rsplit('/').next().unwrap_or(word).len();
    let word = line.split_whitespace().find(|word| {
        let end = &word[word.len() - program(word)..];
        end != "env" && !end.starts_with('-') && !end.contains('=')
    })?;
    Some(word[word.len() - program(word)..].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_has_no_directory_and_no_version() {
        assert_eq!(Some("python"), interpreter(b"#!/usr/bin/env python3.11\nimport os\n"));
        assert_eq!(Some("sh"), interpreter(b"#! /bin/sh -e\n"));
        assert_eq!(Some("bash"), interpreter(b"#!/usr/bin/env -S bash -e\n"));
        assert_eq!(None, interpreter(b"import os\n"));
        assert_eq!(None, interpreter(b"#!\n"));
        assert_eq!(None, interpreter(b"#!\xff\xfe\n"));
    }

    #[test]
    fn a_pattern_needs_a_group_and_a_sound_expression() {
        for pattern in ["^import [a-z]+", "("] {
            let rule = LineRule { pattern: pattern.to_owned(), ..LineRule::default() };
            assert!(matches!(Finder::new(vec![rule]), Err(CollectError::Policy { .. })), "{pattern}");
        }
    }

    #[test]
    fn the_first_place_in_a_file_counts_and_lines_are_counted_from_one() {
        let rule = LineRule { pattern: "^import ([a-z]+)".to_owned(), ..LineRule::default() };
        let finder = Finder::new(vec![rule]).expect("rules");
        let mut hits = Vec::new();
        finder.apply(0, b"# a\nimport os\n\nimport click\nimport os\n", &mut hits);
        assert_eq!(vec![(0, "os".to_owned(), 2), (0, "click".to_owned(), 4)], hits);
    }
}
