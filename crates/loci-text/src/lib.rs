//! loci-text.
