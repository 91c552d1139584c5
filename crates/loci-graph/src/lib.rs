//! What calls what: symbols and the references between them, each with its file and line.
//!
//! For: finding the definitions of a repository, what each calls, uses, imports, inherits, overrides and tests, and answering from
//! that who uses a name or what a question speaks of. Not for: ranking prose, or what only a compiler knows. A fact is what a file
//! says; an edge says how sure it is.
//!
//! The rooms, in the order in which a graph is made and used:
//!
//! - [`extract`] reads ONE file: its syntax tree gives the definitions, the calls and type uses as written, the imports, and what the
//!   file says of the types of its variables. Every parse has a budget; a file that does not parse yields what it can and says so in
//!   its [`extract::Outcome`].
//! - `resolve` finds what the names of each file mean in the others. The general rules name no language: each family of languages
//!   has a table in `resolve/semantics` and a file of what it alone does.
//! - `store` is the graph as one immutable file; [`build()`] brings it up to date.
//! - `query` answers from it: symbols of a question, users, callees, reach, chains.
//! - `foreign` makes the same file of another tool's graph.
//!
//! Rule of thumb: what one file alone shows is `extract`; what takes two files is `resolve`.
//!
//! ```
//! use loci_graph::extract::{Limits, Outcome, extract};
//!
//! let facts = extract("shop/cart.py", "class Cart:\n    def total(self):\n        return add(self.items)\n", &Limits::default());
//! assert_eq!(Outcome::Whole, facts.outcome);
//! let names: Vec<&str> = facts.symbols.iter().map(|symbol| symbol.qualified.as_str()).collect();
//! assert_eq!(["Cart", "Cart.total"], names[..]);
//! assert_eq!(("add", 3), (facts.references[0].name.as_str(), facts.references[0].line));
//! ```

#![deny(missing_docs)]

mod build;
mod error;
pub mod extract;
mod foreign;
mod heads;
mod ids;
mod query;
mod resolve;
mod store;

pub use build::{BuildReport, OUTCOMES, build, signature};
pub use error::GraphError;
pub use foreign::{ForeignEdge, ForeignGraph, ForeignSymbol, read_scip};
pub use query::{Asked, Found, Near, Relations, Traversal};
pub use store::{
    Edge, EdgeRecord, Encoded, FORMAT, FileRecord, Graph, GraphWriter, Header, RELATIONS, RESOLUTIONS, SymbolRecord,
    relation, resolution,
};
