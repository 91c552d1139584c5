//! What names of files say: changelogs, manifests, languages.

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Whether a path is a project's list of changes; see `loci_collect::is_changelog`.
#[pyfunction]
fn is_changelog(path: &str) -> bool {
    loci_collect::is_changelog(path)
}

/// The table of manifests and lock files, as JSON.
#[pyfunction]
fn manifests() -> PyResult<String> {
    serde_json::to_string(loci_collect::manifests()).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Language -> extensions of its source, without the dot; of languages that are not counted none.
#[pyfunction]
fn languages() -> BTreeMap<&'static str, Vec<&'static str>> {
    let each = loci_collect::languages().iter();
    each.map(|language| (language.name.as_str(), language.extensions.iter().map(String::as_str).collect())).collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(is_changelog, module)?)?;
    module.add_function(wrap_pyfunction!(manifests, module)?)?;
    module.add_function(wrap_pyfunction!(languages, module)?)
}
