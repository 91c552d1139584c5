//! What a name means where it stands: in local scopes, the classes around, the file, its imports, its package.

use crate::extract::SymbolKind;
use crate::extract::packed::{KIND_FILE, NONE, key_of};
use crate::ids::{FileId, NameKey, PackageId, SymbolId};
use crate::resolve::modules::{Family, Target};
use crate::store::resolution;

use super::imports::resolution_of;
use super::semantics::Members;
use super::{DEPTH, MOST_COMPARED, Project, Resolution, Trail, Value, is_callable, is_type};

impl Project<'_> {
    /// What a name means where it stands.
    #[expect(clippy::too_many_arguments, reason = "the parts of one reference")]
    pub(super) fn lookup(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        key: NameKey,
        name: &str,
        local: bool,
        depth: u32,
    ) -> (Value, Resolution) {
        if depth > DEPTH || !trail.step() {
            return (Value::Unknown, 0);
        }
        let semantics = self.semantics(file);
        let here = self.global(file, inside);
        if semantics.own_words.contains(&name) {
            if let Some(class) = self.class_around(here) {
                let is_class = semantics.class_words.contains(&name);
                return (if is_class { Value::Symbol(class) } else { Value::Instance(class) }, 0);
            }
            if local {
                return (Value::Unknown, 0);
            }
        }
        if semantics.parent_words.contains(&name)
            && let Some(class) = self.class_around(here)
        {
            return (Value::Super(class), 0);
        }
        let own = self.own_symbols[file.index()];
        let mut at = here;
        let mut first = true;
        while at != SymbolId::NONE && at != own {
            let kind = self.kind(at);
            if is_type(kind) {
                let is_seen = match semantics.members {
                    Members::Everywhere => true,
                    Members::InBody => first,
                    Members::ByReceiver => false,
                };
                if is_seen {
                    if !local && let Some(symbol) = self.class_member(trail, Value::Instance(at), key) {
                        return (Value::Symbol(symbol), 0);
                    }
                    if !local && let Some(value) = self.field(trail, at, key, depth) {
                        return (value, 0);
                    }
                }
            } else {
                let symbols = self.scope(trail, at, key);
                let bare = |symbol: &SymbolId| self.is_bare(*symbol);
                if let Some(symbol) = symbols.iter().copied().rfind(|symbol| bare(symbol) && self.is_value(*symbol)) {
                    return (Value::Symbol(symbol), 0);
                }
                if let Some(value) = self.bound(trail, at, key, depth) {
                    return (value, 0);
                }
                if let Some(&import) = self.imports(trail, at, key).last() {
                    let import = &self.facts.file(file).imports[import as usize];
                    return self.import_value(trail, file, import, depth + 1);
                }
                if semantics.open_namespaces
                    && !local
                    && self.kind_of(at) == SymbolKind::Module
                    && let Some(found) = self.in_namespace(trail, at, key, name)
                {
                    return found;
                }
                if let Some(symbol) = symbols.iter().copied().rfind(bare) {
                    return (Value::Symbol(symbol), 0);
                }
                let owner = self.owner(at);
                if owner != SymbolId::NONE && !local && semantics.members == Members::Everywhere {
                    if let Some(symbol) = self.class_member(trail, Value::Instance(owner), key) {
                        return (Value::Symbol(symbol), 0);
                    }
                    if let Some(value) = self.field(trail, owner, key, depth) {
                        return (value, 0);
                    }
                }
            }
            if semantics.open_namespaces
                && !local
                && let Some(found) = self.around_path(trail, at, key, name)
            {
                return found;
            }
            at = self.parents[at.index()];
            first = false;
        }
        if local {
            return self.fixture(trail, file, inside, key, depth);
        }
        match self.in_file(trail, file, key, name, depth) {
            (Value::Unknown, _) if semantics.types_without_imports => {
                self.type_anywhere(trail, self.families[file.index()], key, name)
            }
            found => found,
        }
    }

    /// The type of a name that nothing else in the project has, in languages that see it without an import.
    pub(super) fn type_anywhere(
        &self,
        trail: &mut Trail,
        family: Family,
        key: NameKey,
        name: &str,
    ) -> (Value, Resolution) {
        let all = self.names(trail, family, key, name);
        let class = all.iter().copied().find(|&symbol| is_type(self.kind(symbol)));
        let of_the_type = |symbol: SymbolId, class: SymbolId| symbol == class || self.owner(symbol) == class;
        match class.filter(|&class| all.iter().all(|&symbol| of_the_type(symbol, class))) {
            Some(class) => (Value::Symbol(class), resolution::UNIQUE_NAME),
            None => (Value::Unknown, 0),
        }
    }

    /// Whether a name alone can mean the symbol: in a script a method is only reached through what it belongs to.
    pub(super) fn is_bare(&self, symbol: SymbolId) -> bool {
        !self.semantics_of(symbol).methods_need_receivers
            || !matches!(self.kind_of(symbol), SymbolKind::Method | SymbolKind::Property | SymbolKind::Field)
    }

    /// Whether a symbol is something while a program runs: a script's interfaces and type aliases are not, and may share the name
    /// of a value.
    pub(super) fn is_value(&self, symbol: SymbolId) -> bool {
        !self.semantics_of(symbol).types_beside_values
            || !matches!(self.kind_of(symbol), SymbolKind::Interface | SymbolKind::Type)
    }

    /// The type that a symbol is, or that shares its name: `interface Cart` beside `const Cart`.
    pub(super) fn as_type(&self, trail: &mut Trail, symbol: SymbolId) -> Option<SymbolId> {
        if is_type(self.kind(symbol)) || !self.semantics_of(symbol).types_beside_values {
            return is_type(self.kind(symbol)).then_some(symbol);
        }
        let beside = self.scope(trail, self.parents[symbol.index()], self.key(symbol));
        beside.iter().copied().find(|&other| is_type(self.kind(other)))
    }

    /// What a name means at the top of a file.
    pub(super) fn in_file(
        &self,
        trail: &mut Trail,
        file: FileId,
        key: NameKey,
        name: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        let semantics = self.semantics(file);
        let own = self.own_symbols[file.index()];
        let symbols = self.scope(trail, own, key);
        let bare: Vec<SymbolId>;
        let symbols: &[SymbolId] = if symbols.iter().all(|&symbol| self.is_bare(symbol)) {
            &symbols
        } else {
            bare = symbols.iter().copied().filter(|&symbol| self.is_bare(symbol)).collect();
            &bare
        };
        if let Some(symbol) = self.preferred(symbols) {
            return (self.declared(symbol), 0);
        }
        let imports = self.imports(trail, own, key);
        for &import in imports.iter().rev().filter(|_| semantics.several_imports && imports.len() > 1) {
            let found = self.import_value(trail, file, &self.facts.file(file).imports[import as usize], depth + 1);
            if !matches!(found.0, Value::Unknown | Value::External) {
                return found;
            }
        }
        if let Some(&import) = imports.last() {
            let import = &self.facts.file(file).imports[import as usize];
            let (value, resolution) = self.import_value(trail, file, import, depth + 1);
            // A module may be imported for its name alone, to be gone through part by part.
            if !(semantics.dotted_imports && import.name == NONE && import.alias == NONE && value == Value::Unknown) {
                return (value, resolution);
            }
        }
        if let Some(value) = self.bound(trail, own, key, depth) {
            return (value, 0);
        }
        let package = self.modules.package_of[file.index()];
        if package != PackageId::NONE
            && let Some(symbol) = self.preferred(&self.packages(trail, package, key, name))
        {
            return (Value::Symbol(symbol), 0);
        }
        if semantics.outer_namespaces {
            for &package in self.outer_namespaces(trail, file) {
                if let Some(symbol) = self.preferred(&self.packages(trail, package, key, name)) {
                    return (Value::Symbol(symbol), 0);
                }
            }
        }
        if semantics.module_files
            && let Some(child) = self.modules.rust_child(file, name)
        {
            return (Value::Module(child.into()), 0);
        }
        for &import in self.wildcards(trail, file) {
            let import = &self.facts.file(file).imports[import as usize];
            let (module, _) = self.import_module(trail, file, import, depth + 1);
            if let Value::Module(_) | Value::Symbol(_) = module {
                let (value, resolution) = self.used(trail, module, key, name, depth);
                if !matches!(value, Value::Unknown | Value::External) {
                    return (value, resolution.max(resolution_of(import)));
                }
            }
        }
        if semantics.outer_namespaces
            && let Some(found) = self.around_file(trail, file, key, name, depth)
        {
            return found;
        }
        if semantics.module_files
            && let Some(root) = self.modules.rust_crate(name)
        {
            return (Value::Module(root.into()), resolution::IMPORT);
        }
        if semantics.full_names
            && let Some(Target::Module(module)) = self.modules.namespace(self.families[file.index()], name)
        {
            return (Value::Module(module), resolution::IMPORT);
        }
        (Value::Unknown, 0)
    }

    /// A symbol, or where it only declares a module of Rust that has a file of its own, that file.
    pub(super) fn declared(&self, symbol: SymbolId) -> Value {
        let file = self.file_of[symbol.index()];
        if self.semantics(file).module_files
            && self.kind_of(symbol) == SymbolKind::Module
            && let Some((facts, fact)) = self.fact(symbol)
            && let Some(child) = self.modules.rust_child(file, facts.string(fact.name))
        {
            return Value::Module(child.into());
        }
        Value::Symbol(symbol)
    }

    /// Of several definitions of one name the one that is a definition: not a declaration or an overload's head.
    pub(super) fn preferred(&self, symbols: &[SymbolId]) -> Option<SymbolId> {
        match symbols {
            [] => None,
            [one] => Some(*one),
            // The first and the last of very many tell as much as all of them.
            many => many[..many.len().min(MOST_COMPARED)]
                .iter()
                .chain(&many[many.len().saturating_sub(MOST_COMPARED).max(many.len().min(MOST_COMPARED))..])
                .copied()
                .max_by_key(|&symbol| {
                    let kind = self.kind(symbol);
                    let lines = i64::from(self.briefs[symbol.index()].long);
                    let semantics = self.semantics_of(symbol);
                    // The heads of overloads may stand before the function itself.
                    let last =
                        kind != KIND_FILE && self.kind_of(symbol) != SymbolKind::Property && semantics.last_definition;
                    let order = if last { i64::from(symbol.0) } else { -i64::from(symbol.0) };
                    let declared = self.is_declaration(symbol);
                    // A function that stands in a nameless one is no other file's.
                    let hidden = semantics.nameless_scopes && self.briefs[symbol.index()].hidden;
                    let seen = self.is_value(symbol) && !hidden;
                    (seen, is_callable(kind) || is_type(kind), !declared, if last { 1 } else { lines }, order)
                }),
        }
    }

    /// A name where a type stands: a variable of the same name is not meant.
    pub(super) fn type_name(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        name: &str,
        depth: u32,
    ) -> (Value, Resolution) {
        let key = key_of(name);
        let own = self.own_symbols[file.index()];
        let semantics = self.semantics(file);
        let mut at = self.global(file, inside);
        while at != SymbolId::NONE && at != own {
            let found = self.scope(trail, at, key).iter().copied().find(|&symbol| is_type(self.kind(symbol)));
            if let Some(symbol) = found {
                return (Value::Symbol(symbol), 0);
            }
            if is_type(self.kind(at))
                && semantics.member_types
                && let Some(symbol) =
                    self.class_member(trail, Value::Symbol(at), key).filter(|&one| is_type(self.kind(one)))
            {
                return (Value::Symbol(symbol), 0);
            }
            if let Some(&import) = self.imports(trail, at, key).last() {
                return self.import_value(trail, file, &self.facts.file(file).imports[import as usize], depth + 1);
            }
            if semantics.open_namespaces
                && self.kind_of(at) == SymbolKind::Module
                && let Some((Value::Symbol(symbol), resolution)) = self.in_namespace(trail, at, key, name)
                && is_type(self.kind(symbol))
            {
                return (Value::Symbol(symbol), resolution);
            }
            let owner = self.owner(at);
            if owner != SymbolId::NONE
                && let Some(symbol) =
                    self.class_member(trail, Value::Symbol(owner), key).filter(|&member| is_type(self.kind(member)))
            {
                return (Value::Symbol(symbol), 0);
            }
            if semantics.open_namespaces
                && let Some((Value::Symbol(symbol), resolution)) = self.around_path(trail, at, key, name)
                && is_type(self.kind(symbol))
            {
                return (Value::Symbol(symbol), resolution);
            }
            at = self.parents[at.index()];
        }
        if let Some(symbol) = self.scope(trail, own, key).iter().copied().find(|&symbol| is_type(self.kind(symbol))) {
            return (Value::Symbol(symbol), 0);
        }
        let found = self.in_file(trail, file, key, name, depth + 1);
        if found.0 != Value::Unknown {
            return found;
        }
        if semantics.types_by_name {
            let all = self.names(trail, self.families[file.index()], key, name);
            let mut types = all.iter().copied().filter(|&symbol| is_type(self.kind(symbol)));
            if let (Some(symbol), None) = (types.next(), types.next()) {
                return (Value::Symbol(symbol), resolution::UNIQUE_NAME);
            }
        }
        (Value::Unknown, 0)
    }
}
