//! loci-collect.

pub mod redact;
pub use redact::{Redacted, Redactor, RulesError};
