//! Modules of Rust: paths from `crate`, `super` and `self`, inline modules, and what a crate keeps to itself.

use crate::extract::SymbolKind;
use crate::extract::packed::{NONE, key_of};
use crate::ids::{FileId, NameKey, SymbolId};
use crate::resolve::modules::Family;
use crate::store::resolution;

use super::super::text::parts_of;
use super::super::{Project, Resolution, Trail, Value, is_type};
use super::{Attachment, PLAIN, Semantics, Written};

pub(super) const SEMANTICS: Semantics = Semantics {
    path_words: &["crate", "super", "self"],
    attachment: Attachment::Crate,
    several_imports: true,
    module_files: true,
    ..PLAIN
};

impl Project<'_> {
    pub(in crate::resolve) fn rust_path(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        module: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        if module.is_empty() {
            return (Value::External, 0);
        }
        let parts = parts_of(module);
        let first = parts[0].0;
        let (mut value, mut rest) = match first {
            "crate" | "super" | "self" => {
                // Evaluating the path walks all of it.
                let (value, resolution) = self.evaluate(trail, file, inside, module, false, depth + 1);
                return (
                    if value == Value::Unknown { Value::External } else { value },
                    resolution.max(resolution::IMPORT),
                );
            }
            _ => {
                let own = self.own_symbols[file.index()];
                let key = key_of(first);
                let symbol = self
                    .scope(trail, own, key)
                    .iter()
                    .copied()
                    .find(|&symbol| self.kind_of(symbol) == SymbolKind::Module || is_type(self.kind(symbol)));
                let value = match (symbol, self.modules.rust_child(file, first), self.modules.rust_crate(first)) {
                    (Some(symbol), _, _) => self.declared(symbol),
                    (_, Some(child), _) => Value::Module(child.into()),
                    (_, _, Some(root)) => Value::Module(root.into()),
                    _ => match self.imports(trail, own, key).last() {
                        Some(&import) => {
                            let import = &self.facts.file(file).imports[import as usize];
                            self.import_value(trail, file, import, depth + 1).0
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

    /// The value of `crate`, `self` or `super::super` before the rest of a path.
    pub(super) fn start_of_rust_path(
        &self,
        file: FileId,
        inside: u32,
        written: &Written<'_>,
        rest: &mut usize,
    ) -> Option<(Value, Resolution)> {
        let parts = written.parts;
        let is_path = SEMANTICS.path_words.contains(&written.first) && (parts.len() > 1 || !parts[0].1);
        if !is_path {
            return None;
        }
        let here = self.global(file, inside);
        Some(match (written.first, self.class_around(here)) {
            ("self", Some(class)) if !written.text.starts_with("self::") => (Value::Instance(class), 0),
            ("crate", _) => (Value::Module(self.modules.rust_root(file).into()), 0),
            ("super", _) => {
                let mut steps = 1;
                while parts.get(*rest).is_some_and(|part| part.0 == "super") {
                    *rest += 1;
                    steps += 1;
                }
                // An inline module, as tests have it, is left first.
                let mut symbol = here;
                while steps > 0 && symbol != SymbolId::NONE && !self.is_file(symbol) {
                    if self.kind_of(symbol) == SymbolKind::Module {
                        steps -= 1;
                    }
                    symbol = self.parents[symbol.index()];
                }
                if steps == 0 && symbol != here {
                    return Some((self.inline_module(file, symbol), 0));
                }
                let mut at = file;
                for _ in 0..steps {
                    at = self.modules.rust_parent(at).unwrap_or(at);
                }
                (Value::Module(at.into()), 0)
            }
            _ => (self.inline_module(file, here), 0),
        })
    }

    /// What a call gives that no source defines: `Cart::default()` of a derived trait, and what unwraps a value.
    pub(super) fn rust_custom(&self, trail: &mut Trail, receiver: Value, name: &str, called: bool) -> Option<Value> {
        // `#[derive(Default)]` writes the function that gives a value of the type.
        if called
            && name == "default"
            && let Value::Symbol(class) = receiver
            && is_type(self.kind(class))
        {
            return Some(Value::Instance(class));
        }
        let key = key_of(name);
        let is_same = self.keys.identities.contains(&key)
            && matches!(receiver, Value::Instance(_))
            && self.class_member(trail, receiver, key).is_none();
        is_same.then_some(receiver)
    }

    /// The type of a name in the crate of a file.
    pub(super) fn class_of_crate(&self, trail: &mut Trail, file: FileId, key: NameKey, name: &str) -> Option<SymbolId> {
        let root = self.modules.rust_root(file);
        match self.lookup(trail, file, NONE, key, name, false, 0).0 {
            Value::Symbol(class) if is_type(self.kind(class)) => Some(class),
            _ => self
                .names(trail, Family::Rust, key, name)
                .iter()
                .copied()
                .filter(|&class| is_type(self.kind(class)))
                .find(|&class| self.modules.rust_root(self.file_of[class.index()]) == root),
        }
    }

    /// Whether a definition can be used as an attribute in a file.
    pub(super) fn is_attribute(&self, file: FileId, to: SymbolId) -> bool {
        self.kind_of(to) == SymbolKind::Macro
            || self.modules.rust_root(file) != self.modules.rust_root(self.file_of[to.index()])
    }

    /// Whether a root of another crate has a name only for itself: it imports it and does not pass it on.
    pub(in crate::resolve) fn keeps_to_itself(
        &self,
        trail: &mut Trail,
        file: FileId,
        module: Value,
        key: NameKey,
    ) -> bool {
        let Value::Module(module) = module else { return false };
        let is_rust = self.families[file.index()] == Family::Rust;
        let Some(there) = self.modules.file_in(module).filter(|_| is_rust) else { return false };
        if self.modules.rust_root(there) == self.modules.rust_root(file) {
            return false;
        }
        let own = self.own_symbols[there.index()];
        let imports = self.imports(trail, own, key);
        let facts = self.facts.file(there);
        !imports.is_empty()
            && self.scope(trail, own, key).is_empty()
            && imports.iter().all(|&import| !facts.imports[import as usize].reexport)
    }

    /// The inline module of Rust that a symbol is or stands in, or its file.
    pub(in crate::resolve) fn inline_module(&self, file: FileId, symbol: SymbolId) -> Value {
        let mut at = symbol;
        while at != SymbolId::NONE && !self.is_file(at) {
            if self.kind_of(at) == SymbolKind::Module {
                return Value::Symbol(at);
            }
            at = self.parents[at.index()];
        }
        Value::Module(file.into())
    }

    /// Whether an inline module at the top of a file of Rust imports everything that the file has.
    pub(in crate::resolve) fn opens_its_file(&self, trail: &mut Trail, file: FileId, module: SymbolId) -> bool {
        let facts = self.facts.file(file);
        self.families[file.index()] == Family::Rust
            && self.is_file(self.parents[module.index()])
            && self.wildcards(trail, file).iter().any(|&import| {
                let import = &facts.imports[import as usize];
                self.global(file, import.inside) == module && facts.string(import.module) == "super"
            })
    }
}
