//! Families of which nothing but a table is known: shells and Julia, SQL and the files of a web page.

use super::{PLAIN, Semantics};

/// A file sees everything that the files it runs define.
pub(super) const SCRIPTED: Semantics = Semantics { bare_names: true, imports_everything: true, ..PLAIN };

/// What one file declares all others can name.
pub(super) const DECLARED: Semantics = Semantics { bare_names: true, ..PLAIN };
