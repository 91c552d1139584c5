//! What calls what: symbols and the references between them, each with its file and line.
//!
//! [`extract`] reads ONE file: its syntax tree gives the definitions, the calls and type uses as written, the imports, and what the
//! file says of the types of its variables. Nothing here knows a second file; names are resolved across files later, from these facts.
//! Every parse has a budget, and a file that does not parse still yields what it can and says so in its [`extract::Outcome`].
//!
//! It is not for ranking, for prose, or for what only a compiler can know: a fact is what the file itself says.
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
mod dispatch;
mod error;
pub mod extract;
mod foreign;
mod heads;
mod ids;
mod labels;
mod names;
mod query;
mod resolve;
mod store;

pub use build::{BuildReport, OUTCOMES, build, signature};
pub use error::GraphError;
pub use foreign::{ForeignEdge, ForeignGraph, ForeignSymbol, read_scip};
pub use query::{Asked, Found, Near, Relations, Traversal};
pub use store::{
    Draft, DraftEdge, DraftFile, DraftSymbol, Edge, Encoded, FORMAT, Graph, Header, RELATIONS, RESOLUTIONS, relation,
    resolution,
};
