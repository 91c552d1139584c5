//! One listed file, from bytes to redacted passages.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::Redactor;
use crate::chunk::document::format_of;
use crate::chunk::{Passage, chunk};
use crate::decode::{Decoded, decode};
use crate::policy::{Policy, reason};
use crate::repository::{ListedFile, Repository};
use crate::role::role_of;

/// What became of a listed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileOutcome {
    /// It was read.
    Read(FileText),
    /// It was opened and its content is not for reading; see [`reason`].
    Skipped {
        /// One of the constants in [`reason`].
        reason: &'static str,
    },
    /// It could not be read.
    Unreadable {
        /// The system's message.
        message: String,
    },
    /// Its bytes are those the caller already has.
    Unchanged,
}

/// What became of a listed file whose text alone was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextOutcome {
    /// It was read.
    Read {
        /// As [`FileText::content_hash`].
        content_hash: [u8; 16],
        /// The whole text, its secrets in it: for an extractor that keeps names, never for storing as it is.
        text: String,
        /// Whether its bytes had to be guessed or replaced; see [`crate::decode`].
        lossy: bool,
    },
    /// It was opened and its content is not for reading; see [`reason`].
    Skipped {
        /// One of the constants in [`reason`].
        reason: &'static str,
    },
    /// It could not be read.
    Unreadable {
        /// The system's message.
        message: String,
    },
    /// Its bytes are those the caller already has.
    Unchanged,
}

/// The passages of a file that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileText {
    /// The first 16 bytes of the BLAKE3 hash of its raw bytes.
    pub content_hash: [u8; 16],
    /// In the order of their lines. Empty for an empty file.
    pub passages: Vec<Passage>,
    /// Whether its bytes had to be guessed or replaced; see [`crate::decode`].
    pub lossy: bool,
    /// Over-long lines that were clipped.
    pub clipped_lines: u32,
    /// Redactions by kind.
    pub redactions: BTreeMap<String, u32>,
}

impl Repository {
    /// Read a file of a listing: decode, redact, cut. The policy must be the one it was listed under.
    pub fn read(&self, file: &ListedFile, policy: &Policy, redactor: &Redactor) -> FileOutcome {
        self.read_if_changed(file, policy, redactor, None)
    }

    /// As [`Repository::read`], but a file whose bytes have the hash `previous` is [`FileOutcome::Unchanged`].
    pub fn read_if_changed(
        &self,
        file: &ListedFile,
        policy: &Policy,
        redactor: &Redactor,
        previous: Option<&[u8; 16]>,
    ) -> FileOutcome {
        let (content_hash, text, lossy) = match self.text_if_changed(file, policy, previous) {
            TextOutcome::Read { content_hash, text, lossy } => (content_hash, text, lossy),
            TextOutcome::Skipped { reason } => return FileOutcome::Skipped { reason },
            TextOutcome::Unreadable { message } => return FileOutcome::Unreadable { message },
            TextOutcome::Unchanged => return FileOutcome::Unchanged,
        };
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        let redacted = redactor.redact(&text, name);
        let mut chunked = chunk(file.kind_path(), &redacted.text, policy);
        if file.outside.is_some() {
            chunked.passages.iter_mut().for_each(|passage| passage.path.clone_from(&file.path));
        }
        FileOutcome::Read(FileText {
            content_hash,
            passages: chunked.passages,
            lossy,
            clipped_lines: chunked.clipped_lines,
            redactions: redacted.counts,
        })
    }

    /// The text of a file of a listing, neither redacted nor cut; a file whose bytes have the hash `previous` is
    /// [`TextOutcome::Unchanged`]. The policy must be the one it was listed under.
    pub fn text_if_changed(&self, file: &ListedFile, policy: &Policy, previous: Option<&[u8; 16]>) -> TextOutcome {
        let limit = if file.included { policy.max_included_bytes } else { policy.max_file_bytes };
        let bytes = match self.bytes_of(file, &policy.subtree, limit) {
            Ok(bytes) => bytes,
            Err(error) => return TextOutcome::Unreadable { message: error.to_string() },
        };
        if bytes.len() as u64 > limit {
            return TextOutcome::Skipped { reason: reason::OVER_SIZE };
        }
        let mut content_hash = [0; 16];
        content_hash.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..16]);
        if previous == Some(&content_hash) {
            return TextOutcome::Unchanged;
        }
        let (text, lossy) = match decode(&bytes) {
            Decoded::Text { text, lossy } => (text, lossy),
            Decoded::Binary => return TextOutcome::Skipped { reason: reason::BINARY },
        };
        if let Some(reason) = skip_by_content(file.kind_path(), &text, policy).filter(|_| !file.included) {
            return TextOutcome::Skipped { reason };
        }
        TextOutcome::Read { content_hash, text, lossy }
    }

    /// Read many files in parallel on rayon's current pool. Outcomes come in the order of `files`, whatever the number of threads.
    pub fn read_all(&self, files: &[ListedFile], policy: &Policy, redactor: &Redactor) -> Vec<FileOutcome> {
        files.par_iter().with_max_len(16).map(|file| self.read(file, policy, redactor)).collect()
    }
}

/// Reasons that only the content can give.
fn skip_by_content(path: &str, text: &str, policy: &Policy) -> Option<&'static str> {
    if text.starts_with("version https://git-lfs.github.com/spec/") && text.len() < 1024 {
        return Some(reason::LFS_POINTER);
    }
    let is_document = format_of(path, role_of(path)).is_some();
    let size = text.len() as u64;
    if size > policy.min_minified_bytes {
        let lines = text.lines().count().max(1) as u64;
        let limit = if is_document { policy.max_average_document_line_bytes } else { policy.max_average_line_bytes };
        if size / lines > limit {
            return Some(reason::MINIFIED);
        }
    }
    (!is_document && has_generated_marker(text, policy)).then_some(reason::GENERATED)
}

/// Whether a comment in the first lines says that a tool wrote this.
fn has_generated_marker(text: &str, policy: &Policy) -> bool {
    const COMMENTS: &[&str] =
        &["//", "#", "/*", "*", "--", ";", "<!--", "\"\"\"", "'''", "%", "(*", "{-", "dnl", "@rem", "rem ", "'", "!"];
    let mut in_block = false;
    let mut comments = String::new();
    for line in text.lines().take(policy.generated_marker_lines) {
        let line = line.trim_start();
        let is_comment = in_block || COMMENTS.iter().any(|mark| line.starts_with(mark));
        if line.contains("/*") || line.contains("<!--") {
            in_block = true;
        }
        if line.contains("*/") || line.contains("-->") {
            in_block = false;
        }
        if is_comment && line.len() <= 400 {
            comments.push_str(&line.to_ascii_lowercase());
            comments.push('\n');
        }
    }
    !comments.is_empty()
        && policy.generated_markers.iter().any(|marker| marker.split('+').all(|part| comments.contains(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skip(path: &str, text: &str) -> Option<&'static str> {
        skip_by_content(path, text, &Policy::default())
    }

    #[test]
    fn a_generated_header_counts_only_in_a_comment() {
        assert_eq!(Some(reason::GENERATED), skip("a.go", "// Code generated by x. DO NOT EDIT.\n\npackage a"));
        assert_eq!(Some(reason::GENERATED), skip("a.ts", "/**\n * @generated SignedSource\n */\n"));
        assert_eq!(Some(reason::GENERATED), skip("a.c", "/* licence\n\n   This file was automatically generated\n*/"));
        assert_eq!(None, skip("a.go", "package a\n\nconst header = \"DO NOT EDIT\"\n"));
        assert_eq!(None, skip("a.md", "<!-- @generated -->\n# Title"));
        assert_eq!(None, skip("a.yml", "# Please do not edit this by hand unless you must.\na: 1\n"));
        assert_eq!(None, skip("a.py", "# ### commands auto generated by Alembic - please adjust! ###\nx = 1\n"));
        assert_eq!(None, skip("a.py", &format!("{}# @generated\n", "x = 1\n".repeat(30))));
    }

    // FIELD 59: one bundle of 3.5 MB cost 52 s and 36,922 junk symbols.
    #[test]
    fn giants_of_one_line_are_minified() {
        assert_eq!(Some(reason::MINIFIED), skip("a.js", &"x=1;".repeat(2000)));
        assert_eq!(None, skip("package.json", &"x".repeat(2000)));
        assert_eq!(None, skip("a.md", &format!("{}\n", "a paragraph a line ".repeat(200))));
        assert_eq!(
            Some(reason::LFS_POINTER),
            skip("a.txt", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n")
        );
    }
}
