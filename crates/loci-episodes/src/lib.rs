//! The episode store of ONE scope: what its repository ever wrote down, as a segment, and its passages ranked for a question.
//!
//! [`build()`] reads a repository (`loci-collect`), tokenizes it and lays it out (`loci-index`), taking over what has not
//! changed. [`Ranker`] ranks a segment's files and commits for a question, in a lane each.
//!
//! For: the order in which a scope is read and written, and how well a passage answers. Not for: other scopes (nothing
//! here ever sees two), what is read and how it is cut (`loci-collect`), the bytes (`loci-index`), where segments live
//! and when they are rebuilt (`loci.core`).
//!
//! ```
//! use loci_episodes::Ranker;
//! use loci_index::{SegmentWriter, Segment};
//!
//! let writer = SegmentWriter::from_texts(["how to install", "why the cookie is signed"], "rules");
//! let segment = Segment::from_bytes(&writer.encode()?.bytes)?;
//! let lanes = Ranker::new(&segment).search(&segment, "who signs cookies?", 10, None)?;
//! assert_eq!(1, lanes.files[0].passage);
//! assert!(lanes.commits.is_empty());
//! # Ok::<(), loci_index::SegmentError>(())
//! ```

mod build;
mod lines;
mod literals;
mod locate;
mod rank;
mod spelling;
mod twins;

pub use build::{BuildReport, Stage, build};
pub use lines::{QuestionLines, question_lines};
pub use literals::{Held, commits_of, holding, stands_in};
pub use locate::locate;
pub use rank::{Lanes, Ranker, Source, ThirdRanker};

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
