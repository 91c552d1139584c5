//! Python binding of the kernels behind `loci.episodes`: converts, detaches from the interpreter, calls, maps errors.

use pyo3::prelude::*;

mod build;
mod error;
mod find;
mod names;
mod rules;
mod store;

#[pymodule(name = "_kernel")]
fn loci_episodes_kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    error::register(module)?;
    rules::register(module)?;
    build::register(module)?;
    find::register(module)?;
    names::register(module)?;
    store::register(module)
}
