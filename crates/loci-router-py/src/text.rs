//! The tokenizer.

use pyo3::prelude::*;

/// Terms of a text with their positions.
#[pyfunction]
fn tokenize(text: &str) -> Vec<(String, u32)> {
    loci_text::tokenize(text).into_iter().map(|token| (token.term, token.position)).collect()
}

/// Number of content positions of a text.
#[pyfunction]
fn content_length(text: &str) -> u32 {
    loci_text::words(text).map(|word| loci_text::expand(word).width).sum()
}

/// Signature of the term rules.
#[pyfunction]
fn signature() -> String {
    loci_text::signature()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tokenize, module)?)?;
    module.add_function(wrap_pyfunction!(content_length, module)?)?;
    module.add_function(wrap_pyfunction!(signature, module)?)
}
