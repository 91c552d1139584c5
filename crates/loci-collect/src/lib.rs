//! What a project wrote down, read from its git repository and cut into passages.
//!
//! Given the root of a repository this crate lists what git would list, reads what is worth reading as text, hides secrets, cuts
//! documents by heading and source by definition, and walks the whole history with the names of the files each commit touched.
//! Everything happens in this process, through libraries: no git is started, nothing from a repository's configuration is run,
//! and not a byte is written into it. The same repository gives the same result, whatever the number of threads.
//!
//! It is not for ranking, storing or deciding which project a question is about, and it does not parse: definitions are found by
//! rules of thumb that any file survives. Who wrote a commit is not kept.
//!
//! The pieces, in reading order: [`open`] a [`Repository`]; [`Repository::list`] sorts git's list into files and reasons under a
//! [`Policy`]; [`Repository::read`] turns a file into [`Passage`]s by way of [`decode`], a [`Redactor`] and [`chunk`];
//! [`Repository::commits`] walks the history; [`Repository::fingerprint`] tells cheaply whether any of it changed;
//! [`Repository::origin`] tells which project it is and who writes it.
//! The facts about names of files that several parts of loci need stand in `data/`, once: what is a document, a test, a changelog, a
//! manifest, a lock file, a language. [`role_of`], [`is_changelog`], [`manifest_of`], [`manifests`] and [`languages`] ask them.
//! Nothing goes missing without a reason: files read, files skipped (by reason) and files unreadable add up to what git lists.
//!
//! ```
//! use loci_collect::{FileOutcome, Policy, Redactor, open};
//!
//! # let directory = tempfile::tempdir().unwrap();
//! # let root = directory.path();
//! # std::fs::create_dir_all(root.join(".git/objects")).unwrap();
//! # std::fs::create_dir_all(root.join(".git/refs")).unwrap();
//! # std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
//! # std::fs::write(root.join("README.md"), "# Cookies\n\nThey are signed.\n").unwrap();
//! let repository = open(root)?;
//! let (policy, redactor) = (Policy::default(), Redactor::default());
//! for file in repository.list(&policy)?.files {
//!     if let FileOutcome::Read(text) = repository.read(&file, &policy, &redactor) {
//!         assert_eq!("Cookies", text.passages[0].head);
//!         assert_eq!((1, 3), text.passages[0].lines);
//!     }
//! }
//! let mut commits = 0;
//! repository.commits(&|_| false, &policy, &redactor, &mut |_| commits += 1)?;
//! assert_eq!(0, commits, "nothing is committed yet");
//! # Ok::<(), loci_collect::CollectError>(())
//! ```

#![deny(missing_docs)]

mod changelog;
mod chunk;
mod data;
mod decode;
mod error;
mod find;
mod history;
mod languages;
mod manifest;
mod notes;
mod origin;
mod part;
mod policy;
mod read;
pub mod redact;
mod repository;
mod role;

pub use changelog::is_changelog;
pub use chunk::{Chunked, Kind, Passage, chunk};
pub use decode::{Decoded, decode};
pub use error::CollectError;
pub use find::{Finder, Found, LineRule, Match};
pub use history::{Commit, HistoryItem, HistoryReport};
pub use languages::{Language, language_of_extension, languages};
pub use manifest::{LockFile, Manifest, Manifests, is_description, manifest_of, manifests};
pub use origin::Origin;
pub use policy::{Policy, reason};
pub use read::{FileOutcome, FileText, TextOutcome};
pub use redact::{Redacted, Redactor, RulesError};
pub use repository::{ListedFile, Listing, Repository, open};
pub use role::{Role, role_of};
