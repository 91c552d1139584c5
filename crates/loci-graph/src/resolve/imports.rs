//! What imports name, and what a module has or passes on under a name.

use crate::extract::packed::{Import, NONE, key_of};
use crate::ids::{FileId, NameKey};
use crate::resolve::modules::{Family, Target};
use crate::store::resolution;

use super::trail::Followed;
use super::{DEPTH, Project, Resolution, Trail, Value};

impl Project<'_> {
    /// The place of an import in its file.
    pub(super) fn place_of(&self, file: FileId, import: &Import) -> usize {
        let first = self.facts.file(file).imports.as_ptr() as usize;
        (std::ptr::from_ref(import) as usize - first) / size_of::<Import>()
    }

    /// The module an import names.
    pub(super) fn import_module(
        &self,
        trail: &mut Trail,
        file: FileId,
        import: &Import,
        depth: u32,
    ) -> (Value, Resolution) {
        let facts = self.facts.file(file);
        let module = facts.string(import.module);
        if let Some(found) = self.module_by_custom(trail, file, import, depth) {
            return found;
        }
        match self.table(file).targets[self.place_of(file, import)] {
            Target::Module(module) => (Value::Module(module), resolution::IMPORT),
            // `using static Shop.Prices;`, `import static shop.Prices.*;`: a class.
            Target::External
                if self.semantics(file).imports_classes
                    && import.name != NONE
                    && facts.keys[import.name as usize] == self.keys.wildcard =>
            {
                self.by_namespace(trail, self.families[file.index()], module, depth + 1)
            }
            Target::External => (Value::External, 0),
        }
    }

    /// What an imported name means.
    pub(super) fn import_value(
        &self,
        trail: &mut Trail,
        file: FileId,
        import: &Import,
        depth: u32,
    ) -> (Value, Resolution) {
        if depth > DEPTH {
            return (Value::Unknown, 0);
        }
        let facts = self.facts.file(file);
        let index = self.place_of(file, import);
        trail.follow(Followed::Import(file, index as u32), (Value::Unknown, 0), |trail| {
            let (module, _) = self.import_module(trail, file, import, depth);
            let text = facts.string(import.module);
            let wildcard = import.name != NONE && facts.keys[import.name as usize] == self.keys.wildcard;
            if import.name == NONE || wildcard {
                if let Some(found) = self.whole_module(trail, file, import, module, depth) {
                    return found;
                }
                return (module, resolution::IMPORT);
            }
            let name = facts.string(import.name);
            let key = facts.keys[import.name as usize];
            if module == Value::External {
                return self.beyond_modules(trail, file, text, name, depth);
            }
            if self.keeps_to_itself(trail, file, module, key) {
                return (Value::External, 0);
            }
            let (value, _) = self.member(trail, module, key, name, depth + 1);
            if let Some(below) = self.below_itself(file, module, value, name) {
                return (below, resolution::IMPORT);
            }
            let value = match value {
                Value::Unknown if key == self.keys.default && self.semantics(file).default_exports => {
                    self.default_export(trail, module, facts.string(import.alias))
                }
                // What a module of the project does not define it has from elsewhere.
                Value::Unknown => Value::External,
                value => value,
            };
            (value, resolution::IMPORT)
        })
    }

    /// A class or a member of one by its full name: the longest namespace, then its members.
    pub(super) fn by_namespace(
        &self,
        trail: &mut Trail,
        family: Family,
        name: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        let name = name.replace(['\\', '/'], ".").replace("::", ".");
        let name = name.trim_matches('.');
        for (at, _) in name.rmatch_indices('.') {
            if let Some(Target::Module(module)) = self.modules.namespace(family, &name[..at]) {
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
        key: NameKey,
        name: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        let number = match value {
            Value::Module(module) => module,
            Value::Symbol(symbol) => {
                // An inline module: its own symbols, then its imports.
                if let Some(symbol) = self.preferred(&self.scope(trail, symbol, key)) {
                    return (Value::Symbol(symbol), 0);
                }
                let file = self.file_of[symbol.index()];
                return match self.imports(trail, symbol, key).last() {
                    Some(&import) => {
                        self.import_value(trail, file, &self.facts.file(file).imports[import as usize], depth + 1)
                    }
                    None if self.semantics(file).open_namespaces => {
                        self.in_namespace(trail, symbol, key, name).unwrap_or((Value::Unknown, 0))
                    }
                    // `use super::*` passes on what the file has.
                    None if self.opens_its_file(trail, file, symbol) => {
                        self.member_once(trail, Value::Module(file.into()), key, name, depth + 1)
                    }
                    None => (Value::Unknown, 0),
                };
            }
            _ => return (Value::Unknown, 0),
        };
        if let Some(package) = self.modules.package_in(number) {
            let found = self.preferred(&self.packages(trail, package, key, name));
            if let Some(symbol) = found {
                return (Value::Symbol(symbol), resolution::IMPORT);
            }
            let member = self.modules.packages[package.index()][0];
            let family = self.families[member.index()];
            let facts = self.facts.file(member);
            let below = format!("{}.{name}", facts.string(facts.module));
            return match self.modules.namespace(family, &below) {
                Some(Target::Module(module)) => (Value::Module(module), resolution::IMPORT),
                _ => (Value::Unknown, 0),
            };
        }
        let number = FileId(number.0);
        let mark = (number, key);
        if let Some(known) = trail.barren.get(&mark).copied() {
            return (known, 0);
        }
        trail.follow(Followed::Name(number, key), (Value::Unknown, 0), |trail| {
            let found = self.look_into(trail, number, key, name, depth);
            if matches!(found.0, Value::Unknown | Value::External) {
                trail.barren.insert(mark, found.0);
            }
            found
        })
    }

    /// What a file has under a name, or passes on from others.
    pub(super) fn look_into(
        &self,
        trail: &mut Trail,
        number: FileId,
        key: NameKey,
        name: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        let facts = self.facts.file(number);
        let own = self.own_symbols[number.index()];
        if let Some(symbol) = self.preferred(&self.scope(trail, own, key)) {
            return (self.declared(symbol), resolution::IMPORT);
        }
        let semantics = self.semantics(number);
        let imports = self.imports(trail, own, key);
        // A trait and a macro may be imported under one name.
        if semantics.several_imports && imports.len() > 1 {
            for &import in imports.iter().rev() {
                let found = self.import_value(trail, number, &facts.imports[import as usize], depth + 1);
                if !matches!(found.0, Value::Unknown | Value::External) {
                    return found;
                }
            }
        }
        let import = imports.last().map(|&import| &facts.imports[import as usize]);
        // A script may export another thing under the name of what it imports: `export { renderApp as render }`.
        let is_seen = |import: &Import| !semantics.own_exports || import.reexport;
        if let Some(import) = import.filter(|import| is_seen(import)) {
            let (value, resolution) = self.import_value(trail, number, import, depth + 1);
            if value != Value::Unknown {
                return (value, resolution);
            }
        }
        if let Some(found) = self.had_by_custom(trail, number, key, name, depth) {
            return found;
        }
        for &import in self.wildcards(trail, number) {
            let import = &facts.imports[import as usize];
            let (module, _) = self.import_module(trail, number, import, depth + 1);
            let (value, resolution) = self.member_once(trail, module, key, name, depth + 1);
            if !matches!(value, Value::Unknown | Value::External) {
                return (value, resolution.max(resolution_of(import)));
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
}

/// How sure a name is that an import of everything brings.
pub(super) fn resolution_of(import: &Import) -> Resolution {
    if import.conditional { resolution::UNIQUE_NAME } else { resolution::IMPORT }
}
