//! The builder of the episode store of ONE scope: from its repository to its segment.
//!
//! [`build()`] reads a repository (`loci-collect`), tokenizes it and lays it out (`loci-index`), taking over what has not
//! changed. [`locate`] says where a passage stands in its file as the file is now.
//!
//! For: the order in which a scope is read and written. Not for: other scopes (nothing here ever sees two), what is read and
//! how it is cut (`loci-collect`), the bytes (`loci-index`), how passages are ranked (`loci-rank`), where segments live and
//! when they are rebuilt (`loci.core`).
//!
//! ```
//! use loci_collect::{Policy, Redactor};
//!
//! # let directory = tempfile::tempdir().unwrap();
//! # let root = directory.path();
//! # std::fs::create_dir_all(root.join(".git/objects")).unwrap();
//! # std::fs::create_dir_all(root.join(".git/refs")).unwrap();
//! # std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
//! # std::fs::write(root.join("README.md"), "# Cookies\n\nThey are signed.\n").unwrap();
//! let (encoded, report) =
//!     loci_episodes::build(root, &Policy::default(), &Redactor::default(), "rules", None, &|_, _, _| ())?;
//! assert_eq!([1, 0, 0], report.passages);
//! assert!(encoded.name.ends_with(".safetensors"));
//! # Ok::<(), loci_episodes::BuildError>(())
//! ```

mod build;
mod locate;

pub use build::{BuildReport, Stage, build};
pub use locate::locate;

/// Why a segment could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The repository could not be read.
    #[error(transparent)]
    Collect(#[from] loci_collect::CollectError),
    /// The segment could not be laid out, or the older one is damaged.
    #[error(transparent)]
    Segment(#[from] loci_index::SegmentError),
}
