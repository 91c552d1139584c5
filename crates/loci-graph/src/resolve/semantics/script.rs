//! JavaScript and TypeScript: types beside values, default exports, functions of objects.

use crate::extract::packed::{NONE, key_of};
use crate::resolve::tables::about;

use super::super::{Project, Trail, Value, is_callable, is_type};
use super::{PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    own_words: &["this"],
    methods_need_receivers: true,
    object_functions: true,
    types_beside_values: true,
    last_definition: true,
    nameless_scopes: true,
    returned_objects: true,
    own_exports: true,
    default_exports: true,
    values_by_import: true,
    ..PLAIN
};

impl Project<'_> {
    /// What a module of scripts exports without a name.
    pub(in crate::resolve) fn default_export(&self, trail: &mut Trail, module: Value, wanted: &str) -> Value {
        let Value::Module(module) = module else { return Value::External };
        let Some(module) = self.modules.file_in(module) else { return Value::External };
        self.note(trail, module, about::EXPORTS);
        let own = self.own_symbols[module.index()];
        let facts = self.facts.file(module);
        if let Some(&symbol) = self.scope(trail, own, key_of(wanted)).first() {
            return Value::Symbol(symbol);
        }
        let path = self.paths[module.index()];
        let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or("");
        if let Some(&symbol) = self.scope(trail, own, key_of(stem)).first() {
            return Value::Symbol(symbol);
        }
        // A component is its file, not the `setup` in what it exports.
        if path.ends_with(".vue") || path.ends_with(".svelte") {
            return Value::Module(module.into());
        }
        let mut exported = facts.symbols.iter().enumerate().filter(|(_, symbol)| {
            symbol.parent == NONE && symbol.exported == Some(true) && (is_callable(symbol.kind) || is_type(symbol.kind))
        });
        match (exported.next(), exported.next()) {
            (Some((local, _)), None) => Value::Symbol(own.nth(local as u32)),
            _ => Value::Module(module.into()),
        }
    }
}
