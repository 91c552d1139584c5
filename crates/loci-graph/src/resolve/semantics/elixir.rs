//! Elixir: modules, which have full names everywhere.

use crate::extract::SymbolKind;
use crate::extract::packed::key_of;
use crate::ids::SymbolId;
use crate::resolve::modules::Family;

use super::super::{Project, Trail, is_type};
use super::{Attachment, Members, PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    members: Members::Everywhere,
    attachment: Attachment::Anywhere,
    bare_names: true,
    types_by_name: true,
    functions_as_methods: true,
    full_module_names: true,
    ..PLAIN
};

impl Project<'_> {
    /// The module of Elixir with this full name; of a protocol not what implements it.
    pub(in crate::resolve) fn module_by_full_name(&self, trail: &mut Trail, name: &str) -> Option<SymbolId> {
        let all = self.names(trail, Family::Elixir, key_of(name), name);
        let last = |symbol: SymbolId| (self.kind_of(symbol) == SymbolKind::Module, symbol);
        let fits = |symbol: SymbolId| is_type(self.kind(symbol)) || self.kind_of(symbol) == SymbolKind::Module;
        all.iter().copied().filter(|&symbol| fits(symbol)).min_by_key(|&symbol| last(symbol))
    }
}
