//! loci-collect.
