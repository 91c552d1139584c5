use std::path::PathBuf;

use loci_container::ContainerError;

/// The noun for the files of graphs in errors.
pub(crate) const WHAT: &str = "graph";

/// What can be wrong with a graph, or with building one.
#[derive(Debug, thiserror::Error)]
pub enum GraphError {
    /// The file of the graph is missing, damaged, outdated, unreadable, or would be too large.
    #[error(transparent)]
    File(#[from] ContainerError),
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
    /// What is wrong with bytes of a graph, without the file they stand in.
    pub(crate) fn damaged(detail: &str) -> Self {
        Self::File(ContainerError::Damaged { what: WHAT, path: PathBuf::new(), detail: detail.to_owned() })
    }
}
