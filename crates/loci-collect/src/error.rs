use std::path::PathBuf;

/// Why a repository could not be collected from. Every message names the path and what to do.
///
/// Trouble with a single file is no error: it is an outcome ([`crate::FileOutcome::Unreadable`]), so that one bad file
/// never costs the rest of the repository.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectError {
    /// The path exists (or not) but is the root of no git repository.
    #[error("`{}` is not a git repository: run `git init` there, or name the folder that holds `.git`", path.display())]
    NotARepository {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The repository stores its objects under another hash than SHA-1.
    #[error("`{}` is a git repository of object format {format}, which loci cannot read yet", path.display())]
    UnsupportedObjectFormat {
        /// The repository.
        path: PathBuf,
        /// What its configuration names, for example `sha256`.
        format: String,
    },
    /// Git's own files could not be read: a damaged index, a reference to a missing object, an unreadable `.git`.
    #[error("cannot {action} of `{}`: {message}", path.display())]
    Git {
        /// The repository.
        path: PathBuf,
        /// What was attempted, for example "read the index".
        action: &'static str,
        /// What the git library said.
        message: String,
    },
    /// A policy that cannot be used as it stands.
    #[error("the collection policy cannot be used: {message}")]
    Policy {
        /// Which value is wrong and why.
        message: String,
    },
}
