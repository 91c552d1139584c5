//! What one family of languages alone does when names are resolved, a file for each.

pub(super) mod c;
mod cpp;
pub(super) mod csharp;
mod elixir;
mod foreign;
mod go;
mod kotlin;
mod python;
mod rust;
mod swift;
