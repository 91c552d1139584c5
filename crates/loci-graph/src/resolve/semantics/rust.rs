//! Modules of Rust: paths from `crate`, `super` and `self`, inline modules, and what a crate keeps to itself.

use crate::cache::{NONE, key_of};
use crate::facts::SymbolKind;
use crate::modules::Family;
use crate::store::resolution;

use super::super::text::parts_of;
use super::super::{Project, Trail, Value, Way, is_type};

impl Project<'_> {
    pub(in crate::resolve) fn rust_path(
        &self,
        trail: &mut Trail,
        place: u32,
        inside: u32,
        module: &str,
        depth: u32,
    ) -> (Value, Way) {
        if module.is_empty() {
            return (Value::External, 0);
        }
        let parts = parts_of(module);
        let first = parts[0].0;
        let (mut value, mut rest) = match first {
            "crate" | "super" | "self" => {
                // Evaluating the path walks all of it.
                let (value, way) = self.evaluate(trail, place, inside, module, false, depth + 1);
                return (if value == Value::Unknown { Value::External } else { value }, way.max(resolution::IMPORT));
            }
            _ => {
                let own = self.bases_of_files[place as usize];
                let key = key_of(first);
                let symbol = self
                    .scope(trail, own, key)
                    .iter()
                    .copied()
                    .find(|&symbol| self.kind_of(symbol) == SymbolKind::Module || is_type(self.kind(symbol)));
                let value = match (symbol, self.modules.rust_child(place, first), self.modules.rust_crate(first)) {
                    (Some(symbol), _, _) => self.declared(symbol),
                    (_, Some(child), _) => Value::Module(child),
                    (_, _, Some(root)) => Value::Module(root),
                    _ => match self.imports(trail, own, key).last() {
                        Some(&import) => {
                            let import = &self.facts.file(place).imports[import as usize];
                            self.import_value(trail, place, import, depth + 1).0
                        }
                        None => Value::External,
                    },
                };
                (value, 1)
            }
        };
        while rest < parts.len() {
            value = self.member(trail, value, key_of(parts[rest].0), parts[rest].0, depth + 1).0;
            rest += 1;
        }
        (if value == Value::Unknown { Value::External } else { value }, resolution::IMPORT)
    }

    /// Whether a root of another crate has a name only for itself: it imports it and does not pass it on.
    pub(in crate::resolve) fn keeps_to_itself(&self, trail: &mut Trail, place: u32, module: Value, key: u64) -> bool {
        let Value::Module(there) = module else { return false };
        if there >= self.modules.files() || self.modules.rust_root(there) == self.modules.rust_root(place) {
            return false;
        }
        let own = self.bases_of_files[there as usize];
        let imports = self.imports(trail, own, key);
        let file = self.facts.file(there);
        !imports.is_empty()
            && self.scope(trail, own, key).is_empty()
            && imports.iter().all(|&import| !file.imports[import as usize].reexport)
    }

    /// The inline module of Rust that a symbol is or stands in, or its file.
    pub(in crate::resolve) fn inline_module(&self, place: u32, symbol: u32) -> Value {
        let mut at = symbol;
        while at != NONE && !self.is_file(at) {
            if self.kind_of(at) == SymbolKind::Module {
                return Value::Symbol(at);
            }
            at = self.parents[at as usize];
        }
        Value::Module(place)
    }

    /// Whether an inline module at the top of a file of Rust imports everything that the file has.
    pub(in crate::resolve) fn opens_its_file(&self, trail: &mut Trail, place: u32, module: u32) -> bool {
        let file = self.facts.file(place);
        self.families[place as usize] == Family::Rust
            && self.is_file(self.parents[module as usize])
            && self.wildcards(trail, place).iter().any(|&import| {
                let import = &file.imports[import as usize];
                self.global(place, import.inside) == module && file.string(import.module) == "super"
            })
    }
}
