//! Kernel errors as Python exceptions.

use loci_collect::CollectError;
use loci_container::ContainerError;
use loci_graph::GraphError;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(loci.structure._kernel, GraphMissing, PyFileNotFoundError);
pyo3::create_exception!(loci.structure._kernel, GraphDamaged, PyValueError);
pyo3::create_exception!(loci.structure._kernel, GraphOutdated, PyValueError);
pyo3::create_exception!(loci.structure._kernel, NotARepository, PyValueError);
pyo3::create_exception!(loci.structure._kernel, RepositoryUnreadable, PyOSError);

pub(crate) fn map(error: GraphError) -> PyErr {
    let message = error.to_string();
    match error {
        GraphError::File(error) => match error {
            ContainerError::Missing { .. } => GraphMissing::new_err(message),
            ContainerError::Damaged { .. } => GraphDamaged::new_err(message),
            ContainerError::Outdated { .. } => GraphOutdated::new_err(message),
            ContainerError::Io { source, path } => {
                PyOSError::new_err((source.raw_os_error(), source.to_string(), path))
            }
            ContainerError::TooLarge { .. } => PyValueError::new_err(message),
        },
        GraphError::Foreign { .. } => PyValueError::new_err(message),
        GraphError::Collect(CollectError::NotARepository { .. }) => NotARepository::new_err(message),
        GraphError::Collect(_) => RepositoryUnreadable::new_err(message),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("GraphMissing", py.get_type::<GraphMissing>())?;
    module.add("GraphDamaged", py.get_type::<GraphDamaged>())?;
    module.add("GraphOutdated", py.get_type::<GraphOutdated>())?;
    module.add("NotARepository", py.get_type::<NotARepository>())?;
    module.add("RepositoryUnreadable", py.get_type::<RepositoryUnreadable>())
}
