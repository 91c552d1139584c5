//! Python binding of the kernels behind `loci.router`.
use pyo3::prelude::*;

#[pymodule(name = "_kernel")]
fn loci_router_kernel(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
