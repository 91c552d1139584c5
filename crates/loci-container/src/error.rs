use std::path::{Path, PathBuf};

/// What can be wrong with a file. `what` is the noun for the kind of file: `segment`, `graph`.
#[derive(Debug, thiserror::Error)]
pub enum ContainerError {
    /// The file is not there.
    #[error("the {what} {path} is missing")]
    Missing {
        /// What the file should be.
        what: &'static str,
        /// The file looked for.
        path: PathBuf,
    },
    /// The file is there, but its bytes are not what they should be.
    #[error("the {what} {path} is damaged: {detail}")]
    Damaged {
        /// What the file should be.
        what: &'static str,
        /// The file read; empty for bytes in memory.
        path: PathBuf,
        /// What was found instead, in a few words.
        detail: String,
    },
    /// The file was written under another format or other rules.
    #[error("the {what} {path} was built under other rules ({found}, now {expected})")]
    Outdated {
        /// What the file is.
        what: &'static str,
        /// The file read.
        path: PathBuf,
        /// Format or signature in the file.
        found: String,
        /// Format or signature of the running program.
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
    /// The content does not fit into the numbers of the format.
    #[error("too large for one {what}: {detail}")]
    TooLarge {
        /// What was to be written.
        what: &'static str,
        /// Which part overflowed.
        detail: String,
    },
}

impl ContainerError {
    /// What the system said when a file was opened or read: [`ContainerError::Missing`] or [`ContainerError::Io`].
    pub fn access(what: &'static str, path: &Path, source: std::io::Error) -> Self {
        match source.kind() {
            std::io::ErrorKind::NotFound => Self::Missing { what, path: path.to_owned() },
            _ => Self::Io { path: path.to_owned(), source },
        }
    }

    /// Whether a build makes the file anew: it is gone, damaged or of other rules. An older file only saves work.
    pub fn is_replaceable(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::Damaged { .. } | Self::Outdated { .. })
    }
}
