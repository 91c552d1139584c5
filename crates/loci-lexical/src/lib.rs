//! loci-lexical.
