//! Python binding of the kernel behind `loci.structure`: converts, detaches from the interpreter, calls, maps errors.

use pyo3::prelude::*;

mod build;
mod error;
mod foreign;
mod graph;

#[pymodule(name = "_kernel")]
fn loci_structure_kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    error::register(module)?;
    build::register(module)?;
    foreign::register(module)?;
    graph::register(module)
}
