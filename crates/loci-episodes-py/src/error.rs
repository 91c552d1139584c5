//! Kernel errors as Python exceptions.

use loci_collect::CollectError;
use loci_episodes::BuildError;
use loci_index::SegmentError;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(loci.episodes._kernel, SegmentMissing, PyFileNotFoundError);
pyo3::create_exception!(loci.episodes._kernel, SegmentDamaged, PyValueError);
pyo3::create_exception!(loci.episodes._kernel, SegmentOutdated, PyValueError);
pyo3::create_exception!(loci.episodes._kernel, NotARepository, PyValueError);
pyo3::create_exception!(loci.episodes._kernel, RepositoryUnreadable, PyOSError);

pub(crate) fn map_segment(error: SegmentError) -> PyErr {
    let message = error.to_string();
    match error {
        SegmentError::Missing { .. } => SegmentMissing::new_err(message),
        SegmentError::Damaged { .. } => SegmentDamaged::new_err(message),
        SegmentError::Outdated { .. } => SegmentOutdated::new_err(message),
        SegmentError::Io { source, path } => PyOSError::new_err((source.raw_os_error(), source.to_string(), path)),
        SegmentError::TooLarge { .. } => PyValueError::new_err(message),
    }
}

pub(crate) fn map_collect(error: CollectError) -> PyErr {
    let message = error.to_string();
    match error {
        CollectError::NotARepository { .. } => NotARepository::new_err(message),
        CollectError::Policy { .. } => PyValueError::new_err(message),
        _ => RepositoryUnreadable::new_err(message),
    }
}

pub(crate) fn map(error: BuildError) -> PyErr {
    match error {
        BuildError::Segment(error) => map_segment(error),
        BuildError::Collect(error) => map_collect(error),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("SegmentMissing", py.get_type::<SegmentMissing>())?;
    module.add("SegmentDamaged", py.get_type::<SegmentDamaged>())?;
    module.add("SegmentOutdated", py.get_type::<SegmentOutdated>())?;
    module.add("NotARepository", py.get_type::<NotARepository>())?;
    module.add("RepositoryUnreadable", py.get_type::<RepositoryUnreadable>())
}
