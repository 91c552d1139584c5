//! Python binding of the kernels behind `loci.router`: converts, detaches from the interpreter, calls, maps errors.

use pyo3::prelude::*;

mod error;
mod index;
mod text;

#[pymodule(name = "_kernel")]
fn loci_router_kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    error::register(module)?;
    text::register(module)?;
    index::register(module)
}
