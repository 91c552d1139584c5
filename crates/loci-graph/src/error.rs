use std::path::PathBuf;

/// What can be wrong with a graph, or with building one.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// The file that a manifest names is not there.
    #[error("the graph {path} is missing")]
    Missing {
        /// The file looked for.
        path: PathBuf,
    },
    /// The file is there, but its bytes are not those of a graph.
    #[error("the graph {path} is damaged: {detail}")]
    Damaged {
        /// The file read; empty for bytes in memory.
        path: PathBuf,
        /// What was found instead, in a few words.
        detail: String,
    },
    /// The file was written under another layout or other rules.
    #[error("the graph {path} was built under other rules ({found}, now {expected})")]
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
    /// A scope is too large for the 32-bit numbers of a graph.
    #[error("too large for one graph: {detail}")]
    TooLarge {
        /// Which part overflowed.
        detail: String,
    },
    /// A file of another tool is not what its name says.
    #[error("{path} cannot be read: {detail}")]
    Foreign {
        /// The file read.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The repository cannot be listed.
    #[error(transparent)]
    Collect(#[from] loci_collect::CollectError),
}

impl GraphError {
    pub(crate) fn damaged(detail: &str) -> Self {
        Self::Damaged { path: PathBuf::new(), detail: detail.to_owned() }
    }

    /// The same error, naming the file.
    pub(crate) fn at(self, file: &std::path::Path) -> Self {
        match self {
            Self::Damaged { path, detail } if path.as_os_str().is_empty() => {
                Self::Damaged { path: file.to_owned(), detail }
            }
            other => other,
        }
    }
}
