//! The tokenizer.

use pyo3::prelude::*;

/// Terms of a text with their positions.
#[pyfunction]
fn tokenize(text: &str) -> Vec<(String, u32)> {
    loci_text::tokenize(text).into_iter().map(|token| (token.term, token.position)).collect()
}

/// Signature of the term rules.
#[pyfunction]
fn signature() -> String {
    loci_text::signature()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tokenize, module)?)?;
    module.add_function(wrap_pyfunction!(signature, module)?)
}
