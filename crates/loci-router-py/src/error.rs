//! Kernel errors as Python exceptions.

use loci_index::SegmentError;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(loci.router._kernel, SegmentMissing, PyFileNotFoundError);
pyo3::create_exception!(loci.router._kernel, SegmentDamaged, PyValueError);
pyo3::create_exception!(loci.router._kernel, SegmentOutdated, PyValueError);

pub(crate) fn map(error: SegmentError) -> PyErr {
    let message = error.to_string();
    match error {
        SegmentError::Missing { .. } => SegmentMissing::new_err(message),
        SegmentError::Damaged { .. } => SegmentDamaged::new_err(message),
        SegmentError::Outdated { .. } => SegmentOutdated::new_err(message),
        SegmentError::Io { source, path } => PyOSError::new_err((source.raw_os_error(), source.to_string(), path)),
        SegmentError::TooLarge { .. } => PyValueError::new_err(message),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("SegmentMissing", py.get_type::<SegmentMissing>())?;
    module.add("SegmentDamaged", py.get_type::<SegmentDamaged>())?;
    module.add("SegmentOutdated", py.get_type::<SegmentOutdated>())
}
