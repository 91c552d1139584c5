use std::path::PathBuf;

/// What can be wrong with a segment file.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The file that a manifest names is not there.
    #[error("the segment {path} is missing")]
    Missing {
        /// The file looked for.
        path: PathBuf,
    },
    /// The file is there, but its bytes are not those of a segment.
    #[error("the segment {path} is damaged: {detail}")]
    Damaged {
        /// The file read; empty for bytes in memory.
        path: PathBuf,
        /// What was found instead, in a few words.
        detail: String,
    },
    /// The file was written under another format or other term rules; a question cut by today's rules would miss its words.
    #[error("the segment {path} was built under other rules ({found}, now {expected})")]
    Outdated {
        /// The file read.
        path: PathBuf,
        /// Signature in the file.
        found: String,
        /// Signature of the running program.
        expected: String,
    },
    /// The operating system refused.
    #[error("cannot access {path}: {source}")]
    Io {
        /// The file concerned.
        path: PathBuf,
        /// The system's own error.
        source: std::io::Error,
    },
    /// A scope is too large for the 32-bit offsets of a segment.
    #[error("too large for one segment: {detail}")]
    TooLarge {
        /// Which part overflowed.
        detail: String,
    },
}
