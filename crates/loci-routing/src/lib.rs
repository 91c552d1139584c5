//! loci-routing.
