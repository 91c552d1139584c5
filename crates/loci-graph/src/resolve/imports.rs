//! What imports name, and what a module has or passes on under a name.

use crate::cache::{Import, NONE, key_of};
use crate::modules::{Family, Target};
use crate::store::resolution;
use crate::tables::about;

use super::{DEPTH, Project, Trail, Value, Way, is_callable, is_type};

impl Project<'_> {
    /// The place of an import in its file.
    pub(super) fn place_of(&self, place: u32, import: &Import) -> usize {
        let first = self.facts.file(place).imports.as_ptr() as usize;
        (std::ptr::from_ref(import) as usize - first) / size_of::<Import>()
    }

    /// The module an import names.
    pub(super) fn import_module(&self, trail: &mut Trail, place: u32, import: &Import, depth: u32) -> (Value, Way) {
        let file = self.facts.file(place);
        let module = file.string(import.module);
        if self.families[place as usize] == Family::Rust {
            return self.rust_path(trail, place, import.inside, module, depth);
        }
        if self.families[place as usize] == Family::Elixir {
            return match self.module_of_elixir(trail, module) {
                Some(symbol) => (Value::Symbol(symbol), resolution::IMPORT),
                None => (Value::External, 0),
            };
        }
        // `using namespace shop;`, `using shop::total;`: a namespace, where an `#include` has no name.
        if self.families[place as usize] == Family::C && import.name != NONE {
            return match self.namespace_of(trail, place, &module.replace("::", ".")) {
                Some(symbol) => (Value::Symbol(symbol), resolution::IMPORT),
                None => (Value::External, 0),
            };
        }
        match self.table(place).targets[self.place_of(place, import)] {
            Target::Module(module) => (Value::Module(module), resolution::IMPORT),
            // `using static Shop.Prices;`, `import static shop.Prices.*;`: a class.
            Target::External
                if matches!(self.families[place as usize], Family::CSharp | Family::Jvm)
                    && import.name != NONE
                    && file.keys[import.name as usize] == self.keys.wildcard =>
            {
                self.by_namespace(trail, self.families[place as usize], module, depth + 1)
            }
            Target::External => (Value::External, 0),
        }
    }

    /// What an imported name means.
    pub(super) fn import_value(&self, trail: &mut Trail, place: u32, import: &Import, depth: u32) -> (Value, Way) {
        if depth > DEPTH {
            return (Value::Unknown, 0);
        }
        let file = self.facts.file(place);
        let which = self.families[place as usize];
        let index = self.place_of(place, import);
        trail.follow((place, index as u32), (Value::Unknown, 0), |trail| {
            let (module, _) = self.import_module(trail, place, import, depth);
            let text = file.string(import.module);
            let wildcard = import.name != NONE && file.keys[import.name as usize] == self.keys.wildcard;
            if import.name == NONE || wildcard {
                if which == Family::Python && import.alias == NONE && text.contains('.') {
                    // `import a.b.c` names `a`.
                    let top = text.split('.').next().unwrap_or(text);
                    return match self.modules.python(self.paths[place as usize], top) {
                        Some(Target::Module(module)) => (Value::Module(module), resolution::IMPORT),
                        _ if matches!(module, Value::Module(_)) => (Value::Unknown, 0),
                        _ => (Value::External, 0),
                    };
                }
                if module == Value::External && matches!(which, Family::Jvm | Family::Php) {
                    return self.by_namespace(trail, which, text, depth);
                }
                return (module, resolution::IMPORT);
            }
            let name = file.string(import.name);
            let key = file.keys[import.name as usize];
            if module == Value::External {
                return match which {
                    // A namespace package has no file of its own.
                    Family::Python => {
                        let dot = if text.ends_with('.') { "" } else { "." };
                        match self.modules.python(self.paths[place as usize], &format!("{text}{dot}{name}")) {
                            Some(Target::Module(module)) => (Value::Module(module), resolution::IMPORT),
                            _ => (Value::External, 0),
                        }
                    }
                    Family::Jvm | Family::Php | Family::CSharp => {
                        let (value, way) = self.by_namespace(trail, which, &format!("{text}.{name}"), depth);
                        (value, way)
                    }
                    _ => (Value::External, 0),
                };
            }
            if which == Family::Rust && self.keeps_to_itself(trail, place, module, key) {
                return (Value::External, 0);
            }
            let (value, _) = self.member(trail, module, key, name, depth + 1);
            // `from . import utils` in the package itself: the module, for the package has the name from this very line.
            if which == Family::Python
                && matches!(value, Value::Unknown | Value::External)
                && module == Value::Module(place)
                && let Some(Target::Module(below)) =
                    self.modules.python(self.paths[place as usize], &format!(".{name}"))
            {
                return (Value::Module(below), resolution::IMPORT);
            }
            let value = match value {
                Value::Unknown if key == self.keys.default && which == Family::Script => {
                    self.default_export(trail, module, file.string(import.alias))
                }
                // What a module of the project does not define it has from elsewhere.
                Value::Unknown => Value::External,
                value => value,
            };
            (value, resolution::IMPORT)
        })
    }

    /// A class or a member of one by its full name: the longest namespace, then its members.
    pub(super) fn by_namespace(&self, trail: &mut Trail, which: Family, name: &str, depth: u32) -> (Value, Way) {
        let name = name.replace(['\\', '/'], ".").replace("::", ".");
        let name = name.trim_matches('.');
        for (at, _) in name.rmatch_indices('.') {
            if let Some(Target::Module(module)) = self.modules.namespace(which, &name[..at]) {
                let mut value = Value::Module(module);
                for part in name[at + 1..].split('.') {
                    value = self.member(trail, value, key_of(part), part, depth + 1).0;
                }
                return match value {
                    Value::Unknown => (Value::External, 0),
                    value => (value, resolution::IMPORT),
                };
            }
        }
        (Value::External, 0)
    }

    pub(super) fn member_once(
        &self,
        trail: &mut Trail,
        value: Value,
        key: u64,
        name: &str,
        depth: u32,
    ) -> (Value, Way) {
        let number = match value {
            Value::Module(module) => module,
            Value::Symbol(symbol) => {
                // An inline module: its own symbols, then its imports.
                if let Some(symbol) = self.preferred(&self.scope(trail, symbol, key)) {
                    return (Value::Symbol(symbol), 0);
                }
                let place = self.file_of[symbol as usize];
                return match self.imports(trail, symbol, key).last() {
                    Some(&import) => {
                        self.import_value(trail, place, &self.facts.file(place).imports[import as usize], depth + 1)
                    }
                    None if self.families[place as usize] == Family::C => {
                        self.in_namespace(trail, symbol, key, name).unwrap_or((Value::Unknown, 0))
                    }
                    // `use super::*` passes on what the file has.
                    None if self.opens_its_file(trail, place, symbol) => {
                        self.member_once(trail, Value::Module(place), key, name, depth + 1)
                    }
                    None => (Value::Unknown, 0),
                };
            }
            _ => return (Value::Unknown, 0),
        };
        if number >= self.modules.files() {
            let package = number - self.modules.files();
            let found = self.preferred(&self.packages(trail, package, key, name));
            if let Some(symbol) = found {
                return (Value::Symbol(symbol), resolution::IMPORT);
            }
            let member = self.modules.packages[package as usize][0];
            let which = self.families[member as usize];
            let file = self.facts.file(member);
            let below = format!("{}.{name}", file.string(file.module));
            return match self.modules.namespace(which, &below) {
                Some(Target::Module(module)) => (Value::Module(module), resolution::IMPORT),
                _ => (Value::Unknown, 0),
            };
        }
        let mark = (number | 1 << 31, key as u32);
        if let Some(known) = trail.barren.get(&mark).copied() {
            return (known, 0);
        }
        trail.follow(mark, (Value::Unknown, 0), |trail| {
            let found = self.look_into(trail, number, key, name, depth);
            if matches!(found.0, Value::Unknown | Value::External) {
                trail.barren.insert(mark, found.0);
            }
            found
        })
    }

    /// What a file has under a name, or passes on from others.
    pub(super) fn look_into(&self, trail: &mut Trail, number: u32, key: u64, name: &str, depth: u32) -> (Value, Way) {
        let file = self.facts.file(number);
        let own = self.bases_of_files[number as usize];
        if let Some(symbol) = self.preferred(&self.scope(trail, own, key)) {
            return (self.declared(symbol), resolution::IMPORT);
        }
        let which = self.families[number as usize];
        let imports = self.imports(trail, own, key);
        // A trait and a macro may be imported under one name.
        if which == Family::Rust && imports.len() > 1 {
            for &import in imports.iter().rev() {
                let found = self.import_value(trail, number, &file.imports[import as usize], depth + 1);
                if !matches!(found.0, Value::Unknown | Value::External) {
                    return found;
                }
            }
        }
        let import = imports.last().map(|&import| &file.imports[import as usize]);
        // A script may export another thing under the name of what it imports: `export { renderApp as render }`.
        let is_seen = |import: &Import| which != Family::Script || import.reexport;
        if let Some(import) = import.filter(|import| is_seen(import)) {
            let (value, way) = self.import_value(trail, number, import, depth + 1);
            if value != Value::Unknown {
                return (value, way);
            }
        }
        match which {
            Family::Python => {
                let path = self.paths[number as usize];
                if (path.ends_with("__init__.py") || path.ends_with("__init__.pyi"))
                    && let Some(Target::Module(module)) = self.modules.python(path, &format!(".{name}"))
                {
                    return (Value::Module(module), resolution::IMPORT);
                }
            }
            Family::Rust => {
                if let Some(child) = self.modules.rust_child(number, name) {
                    return (Value::Module(child), resolution::IMPORT);
                }
            }
            // A module of Lua is the table that its file returns.
            Family::Lua => {
                if let Some(table @ Value::Symbol(_)) = self.bound(trail, own, self.keys.default, depth + 1) {
                    return (self.member(trail, table, key, name, depth + 1).0, resolution::IMPORT);
                }
            }
            _ => {}
        }
        for &import in self.wildcards(trail, number) {
            let import = &file.imports[import as usize];
            let (module, _) = self.import_module(trail, number, import, depth + 1);
            let (value, way) = self.member_once(trail, module, key, name, depth + 1);
            if !matches!(value, Value::Unknown | Value::External) {
                return (value, way.max(way_of(import)));
            }
        }
        if let Some(value) = self.bound(trail, own, key, depth) {
            return (value, resolution::IMPORT);
        }
        match import.filter(|import| !is_seen(import)) {
            Some(import) => self.import_value(trail, number, import, depth + 1),
            None => (Value::Unknown, 0),
        }
    }

    /// What a module of scripts exports without a name.
    pub(super) fn default_export(&self, trail: &mut Trail, module: Value, wanted: &str) -> Value {
        let Value::Module(module) = module else { return Value::External };
        if module >= self.modules.files() {
            return Value::External;
        }
        self.note(trail, module, about::EXPORTS);
        let own = self.bases_of_files[module as usize];
        let file = self.facts.file(module);
        if let Some(&symbol) = self.scope(trail, own, key_of(wanted)).first() {
            return Value::Symbol(symbol);
        }
        let path = self.paths[module as usize];
        let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or("");
        if let Some(&symbol) = self.scope(trail, own, key_of(stem)).first() {
            return Value::Symbol(symbol);
        }
        // A component is its file, not the `setup` in what it exports.
        if path.ends_with(".vue") || path.ends_with(".svelte") {
            return Value::Module(module);
        }
        let mut exported = file.symbols.iter().enumerate().filter(|(_, symbol)| {
            symbol.parent == NONE && symbol.exported == Some(true) && (is_callable(symbol.kind) || is_type(symbol.kind))
        });
        match (exported.next(), exported.next()) {
            (Some((local, _)), None) => Value::Symbol(own + 1 + local as u32),
            _ => Value::Module(module),
        }
    }
}

/// How sure a name is that an import of everything brings.
pub(super) fn way_of(import: &Import) -> Way {
    if import.conditional { resolution::UNIQUE_NAME } else { resolution::IMPORT }
}
