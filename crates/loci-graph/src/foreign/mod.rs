//! Graphs of other tools: what one needs to become a file of this crate, and the readers of their formats.

mod graph;
mod scip;

pub use graph::{ForeignEdge, ForeignGraph, ForeignSymbol};
pub use scip::read_scip;
