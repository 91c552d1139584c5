//! The rules that shape a segment, as one signature.

use std::sync::OnceLock;

use loci_collect::{Policy, Redactor};
use pyo3::prelude::*;

/// The redactor that loci ships; its patterns are compiled once per process.
pub(crate) fn redactor() -> &'static Redactor {
    static SHARED: OnceLock<Redactor> = OnceLock::new();
    SHARED.get_or_init(Redactor::default)
}

/// Signature of the rules for terms, for reading and cutting, and for redaction.
pub(crate) fn signature(policy: &Policy) -> String {
    format!("{}-{}-{}", loci_text::signature(), policy.signature(), redactor().signature())
}

/// Whether a segment of this signature was written under other redaction rules than today's.
pub(crate) fn redacted_otherwise(signature: &str) -> bool {
    signature.rsplit('-').next() != Some(redactor().signature().as_str())
}

/// `text` with its secrets replaced, as prose.
#[pyfunction]
fn redact(text: &str) -> String {
    redactor().redact(text, "").text.into_owned()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(redact, module)?)
}
