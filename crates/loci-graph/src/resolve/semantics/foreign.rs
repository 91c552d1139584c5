//! Receivers that are nobody's here: `std::move`, `Vec::new`, `GenServer.start_link`, `Math.Max`. What they call is another
//! project's, whatever is called so in this one.

use crate::extract::packed::key_of;
use crate::ids::FileId;
use crate::resolve::modules::Family;

use super::super::{Project, Trail};

/// Where the standard libraries of C++ and Rust begin, whose modules are written small. (`core` may be anybody's variable.)
const STANDARD: &str = "std";
/// The types that C# has keywords for.
const PREDEFINED: &[&str] = &[
    "bool", "byte", "char", "decimal", "double", "float", "int", "long", "object", "sbyte", "short", "string", "uint",
    "ulong", "ushort",
];

impl Project<'_> {
    /// Whether a receiver of which nothing is known can only be a type or a module of another project: it is written as one, and
    /// nothing of this project has its name.
    pub(in crate::resolve) fn is_foreign(&self, trail: &mut Trail, file: FileId, qualifier: &str) -> bool {
        let family = self.families[file.index()];
        if !names_a_type(family, qualifier) {
            return false;
        }
        let mut parts = qualifier.split(['.', ':', '<']).filter(|part| !part.is_empty());
        let first = parts.next().unwrap_or_default();
        let last = parts.next_back().unwrap_or(first);
        [first, last].into_iter().all(|name| self.names(trail, family, key_of(name), name).is_empty())
    }
}

/// Whether a receiver is written as a type or a module is, and not as a value.
fn names_a_type(family: Family, qualifier: &str) -> bool {
    if qualifier.contains(['(', '[', '?', '$', '@', '-']) {
        return false;
    }
    let first = qualifier.split(['.', ':', '<']).find(|part| !part.is_empty()).unwrap_or_default();
    // One letter is a type parameter, which has methods of this project.
    let large = first.len() > 1 && first.starts_with(|c: char| c.is_uppercase());
    let path = qualifier.contains("::") && !qualifier.contains('.');
    match family {
        Family::Elixir => large,
        Family::Rust | Family::C => {
            qualifier == STANDARD || (family == Family::Rust && large && !qualifier.contains('.')) || path
        }
        Family::CSharp => large || PREDEFINED.contains(&qualifier),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_told_from_a_value_by_how_it_is_written() {
        for (family, qualifier, type_) in [
            (Family::Elixir, "GenServer", true),
            (Family::Elixir, "Oban.Repo", true),
            (Family::Elixir, "state", false),
            (Family::Elixir, "__MODULE__", false),
            (Family::Rust, "Vec", true),
            (Family::Rust, "Vec<u8>", true),
            (Family::Rust, "std", true),
            (Family::Rust, "std::mem", true),
            (Family::Rust, "T", false),
            (Family::Rust, "self.items", false),
            (Family::Rust, "items", false),
            (Family::Rust, "Self.items", false),
            (Family::C, "std", true),
            (Family::C, "std::chrono", true),
            (Family::C, "Sink", false),
            (Family::C, "sink->next", false),
            (Family::CSharp, "Math", true),
            (Family::CSharp, "string", true),
            (Family::CSharp, "items", false),
            (Family::CSharp, "Build()", false),
            (Family::Python, "Session", false),
        ] {
            assert_eq!(type_, names_a_type(family, qualifier), "{qualifier}");
        }
    }
}
