//! Python binding of the kernels behind `loci.episodes`.
use pyo3::prelude::*;

#[pymodule(name = "_kernel")]
fn loci_episodes_kernel(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
