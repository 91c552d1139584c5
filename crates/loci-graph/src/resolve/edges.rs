//! The edges of one file: what each of its references means, and how sure that is.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::extract::packed::{File, NONE, Reference, key_of};
use crate::extract::{ReferenceKind, SymbolKind};
use crate::heads::name_number;
use crate::ids::{FileId, NameKey, SymbolId};
use crate::resolve::modules::Target;
use crate::store::{EdgeRecord, relation, resolution};

use super::semantics::{OpenCall, Receiver, Variants, ambiguous};
use super::text::{parameters_of, shared_prefix};
use super::values::varied;
use super::{Candidates, FileEdges, Here, MOST_NAMESAKES, Project, Resolution, Trail, Value, is_callable, is_type};

/// A reference of the file that is resolved.
struct Use<'f> {
    file: FileId,
    facts: &'f File<'f>,
    reference: &'f Reference,
    relation: u8,
    from: SymbolId,
    /// The symbol in which the name is looked up, by its number in the file.
    inside: u32,
    /// Without type arguments.
    name: &'f str,
    key: NameKey,
}

/// What a reference was found to mean.
enum Meaning {
    /// One symbol.
    One(SymbolId, Resolution),
    /// One of several.
    Several(Candidates),
    /// A call that leads nowhere.
    Nothing,
    /// Something that no edge is made of.
    Ignored,
}

/// Values of receivers, by where they stand and what they are.
type Receivers = FxHashMap<(u32, u32, u32, u32), (Value, Resolution)>;

impl Project<'_> {
    /// The edges of one file, and how often each name was left without a target.
    pub(super) fn edges_file(&self, trail: &mut Trail, file: FileId) -> FileEdges {
        let facts = self.facts.file(file);
        let mut edges = Vec::with_capacity(facts.references.len());
        let mut unresolved: FxHashMap<u32, u32> = FxHashMap::default();
        let mut receivers = Receivers::default();
        self.import_edges(trail, file, &mut edges);
        let in_test = |symbol: SymbolId| self.briefs[symbol.index()].test;
        let mut tested: FxHashSet<(SymbolId, SymbolId)> = FxHashSet::default();
        let varied = varied(facts);
        for reference in &facts.references {
            let one = self.read(file, facts, reference);
            let (from, line, relation) = (one.from, reference.line, one.relation);
            let here = Here::new(file, line, one.inside == NONE);
            trail.start(Here { block: reference.block, outer: reference.block == 0, ..here });
            match self.meaning(trail, &one, &varied, &mut receivers) {
                Meaning::One(to, resolution) => {
                    if to == from && relation != relation::CALLS {
                        continue;
                    }
                    edges.push(edge(from, line, relation, resolution, to, 1));
                    if relation == relation::CALLS && in_test(from) && !in_test(to) && tested.insert((from, to)) {
                        let relation = relation::TESTS;
                        edges.push(edge(from, line, relation, resolution, to, 1));
                    }
                }
                Meaning::Several((to, candidates, resolution)) => {
                    edges.extend(to.into_iter().map(|to| edge(from, line, relation, resolution, to, candidates)));
                }
                Meaning::Nothing => *unresolved.entry(name_number(facts.string(reference.name))).or_default() += 1,
                Meaning::Ignored => {}
            }
        }
        self.overrides(trail, file, &mut edges);
        edges.sort_unstable();
        edges.dedup();
        let mut unresolved: Vec<(u32, u32)> = unresolved.into_iter().collect();
        unresolved.sort_unstable();
        (edges, unresolved)
    }

    /// An edge from what imports to each thing that it imports, and to the file of that.
    fn import_edges(&self, trail: &mut Trail, file: FileId, edges: &mut Vec<EdgeRecord>) {
        let facts = self.facts.file(file);
        let own = self.own_symbols[file.index()];
        for (index, import) in facts.imports.iter().enumerate() {
            trail.start(Here::new(file, import.line, import.inside == NONE));
            let (value, _) = self.import_value(trail, file, import, 0);
            let mut to = Vec::new();
            match value {
                Value::Symbol(symbol) => to.push(symbol),
                Value::Module(module) => {
                    to.extend(self.modules.file_in(module).map(|file| self.own_symbols[file.index()]));
                }
                _ => {}
            }
            if let Target::Module(module) = self.table(file).targets[index]
                && let Some(there) = self.modules.file_in(module)
            {
                to.push(self.own_symbols[there.index()]);
            }
            if let Value::Module(package) = value
                && self.semantics(file).package_imports
                && let Some(package) = self.modules.package_in(package)
            {
                let first = self.modules.packages[package.index()][0];
                to.push(self.own_symbols[first.index()]);
            }
            to.dedup();
            edges.extend(to.into_iter().filter(|&to| to != own).map(|to| {
                edge(self.global(file, import.inside), import.line, relation::IMPORTS, resolution::IMPORT, to, 1)
            }));
        }
    }

    /// What a reference says of itself.
    fn read<'f>(&self, file: FileId, facts: &'f File<'f>, reference: &'f Reference) -> Use<'f> {
        let relation = match reference.kind {
            ReferenceKind::Call | ReferenceKind::Instantiate | ReferenceKind::MacroUse | ReferenceKind::Decorate => {
                relation::CALLS
            }
            ReferenceKind::Reference | ReferenceKind::TypeUse => relation::REFERENCES,
            ReferenceKind::Inherit => relation::INHERITS,
            ReferenceKind::Implement => relation::IMPLEMENTS,
        };
        // Decorators and bases stand outside of what they belong to.
        let inside = match reference.kind {
            ReferenceKind::Decorate | ReferenceKind::Inherit | ReferenceKind::Implement if reference.inside != NONE => {
                facts.symbols[reference.inside as usize].parent
            }
            _ => reference.inside,
        };
        let written = facts.string(reference.name);
        let name = written.split(['<', '[']).next().unwrap_or(written);
        let key = if name.len() == written.len() { facts.keys[reference.name as usize] } else { key_of(name) };
        Use { file, facts, reference, relation, from: self.global(file, reference.inside), inside, name, key }
    }

    /// What a reference means.
    fn meaning(
        &self,
        trail: &mut Trail,
        one: &Use<'_>,
        varied: &FxHashSet<NameKey>,
        receivers: &mut Receivers,
    ) -> Meaning {
        let &Use { file, reference, relation, from, .. } = one;
        let (receiver, value, resolution) = self.value_of(trail, one, varied, receivers);
        let is_type_name =
            matches!(reference.kind, ReferenceKind::TypeUse | ReferenceKind::Inherit | ReferenceKind::Implement);
        let value = match value {
            Value::Symbol(symbol) if is_type_name => Value::Symbol(self.as_type(trail, symbol).unwrap_or(symbol)),
            value => value,
        };
        let target = self.target(trail, one, value).filter(|&to| self.can_mean(file, reference.kind, to));
        if let Some(to) = target {
            let (to, resolution) = match reference.kind {
                ReferenceKind::Call => self.overload(trail, file, to, reference.arguments, resolution),
                _ => (to, resolution),
            };
            return match self.variants(trail, file, from, to, resolution) {
                Variants::One(to, resolution) => Meaning::One(to, resolution),
                Variants::Each(twins) => Meaning::Several(ambiguous(twins)),
            };
        }
        if relation != relation::CALLS {
            return Meaning::Ignored;
        }
        self.open_call(trail, one, receiver, value).map_or(Meaning::Nothing, Meaning::Several)
    }

    /// The value of a name, how sure it is, and that of what stands before it.
    fn value_of(
        &self,
        trail: &mut Trail,
        one: &Use<'_>,
        varied: &FxHashSet<NameKey>,
        receivers: &mut Receivers,
    ) -> (Option<Value>, Value, Resolution) {
        let &Use { file, facts, reference, inside, name, key, .. } = one;
        let qualifier = if reference.qualifier == NONE { None } else { Some(facts.string(reference.qualifier)) };
        match qualifier {
            None => {
                let (value, resolution) = if reference.kind == ReferenceKind::TypeUse {
                    self.type_name(trail, file, inside, name, 0)
                } else {
                    self.lookup(trail, file, inside, key, name, reference.local, 0)
                };
                (None, value, resolution)
            }
            Some("::") => {
                let all = self.names(trail, self.families[file.index()], key, name);
                let top = all.iter().copied().find(|&symbol| {
                    let outermost = self.is_file(self.parents[symbol.index()]);
                    outermost && (is_type(self.kind(symbol)) || self.kind_of(symbol) == SymbolKind::Module)
                });
                match top {
                    Some(symbol) => (None, Value::Symbol(symbol), resolution::UNIQUE_NAME),
                    None => (None, Value::External, 0),
                }
            }
            Some(qualifier) => {
                // A name with several values has another one on another line.
                let is_varied =
                    !varied.is_empty() && varied.contains(&key_of(crate::extract::walk::root_of(qualifier)));
                let line = if is_varied { reference.line } else { 0 };
                let &mut (receiver, before) = receivers
                    .entry((inside, reference.qualifier, line << 1 | u32::from(reference.local), reference.block))
                    .or_insert_with(|| self.evaluate(trail, file, inside, qualifier, reference.local, 0));
                let (value, resolution) = self.member(trail, receiver, key, name, 0);
                (Some(receiver), value, before.max(resolution))
            }
        }
    }

    /// The symbol that a value is, for an edge.
    fn target(&self, trail: &mut Trail, one: &Use<'_>, value: Value) -> Option<SymbolId> {
        let is_call = one.relation == relation::CALLS;
        let is_bare = one.reference.qualifier == NONE;
        match value {
            Value::Symbol(symbol) => Some(symbol),
            // A call of a name that holds a function is a call of that function.
            Value::Instance(class) if !is_call && is_bare => Some(class),
            Value::Super(class) if is_call && is_bare => self.constructor_above(trail, class),
            Value::Module(module) if !is_call && self.modules.file_in(module).is_some() => {
                self.modules.file_in(module).map(|file| self.own_symbols[file.index()])
            }
            Value::Module(module) if self.semantics(one.file).default_exports => {
                match self.default_export(trail, Value::Module(module), one.name) {
                    Value::Symbol(symbol) => Some(symbol),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The functions that a call may mean of whose receiver, or name, too little is known.
    fn open_call(&self, trail: &mut Trail, one: &Use<'_>, receiver: Option<Value>, value: Value) -> Option<Candidates> {
        let &Use { file, facts, reference, inside, name, key, .. } = one;
        let is_open = match (receiver, value) {
            (Some(Value::Unknown), _) => true,
            // A function as an object: of its attributes nothing is known.
            (Some(Value::Symbol(symbol)), Value::Unknown) => !is_type(self.kind(symbol)),
            // A method that only the classes below have.
            (Some(Value::Instance(class)), _) if !self.derived(trail, class).is_empty() => {
                if let Some((to, candidates)) = self.below(trail, class, key) {
                    let resolution = if candidates == 1 { resolution::UNIQUE_NAME } else { resolution::AMBIGUOUS };
                    return Some((to, candidates, resolution));
                }
                false
            }
            (None, Value::Unknown) => !reference.local,
            _ => false,
        };
        let written = receiver.map(|value| Receiver { value, text: facts.string(reference.qualifier) });
        let call = OpenCall { file, inside, receiver: written, key, name, local: reference.local };
        if let Some(found) = self.call_by_custom(trail, &call) {
            return Some(found);
        }
        let is_foreign = written.is_some_and(|of| of.value == Value::Unknown && self.is_foreign(trail, file, of.text));
        if !is_open || is_foreign {
            return None;
        }
        self.by_name(trail, file, key, name, receiver.is_some())
    }

    /// Of the functions of one name in a class and above it one that takes so many arguments; where none does, it is not sure that
    /// the function found is meant.
    pub(super) fn overload(
        &self,
        trail: &mut Trail,
        file: FileId,
        to: SymbolId,
        arguments: u32,
        resolution: Resolution,
    ) -> (SymbolId, Resolution) {
        let overloads = self.has_overloads(file, to);
        let is_function = |symbol: SymbolId| {
            matches!(self.kind_of(symbol), SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor)
        };
        let fits = |symbol: SymbolId| {
            let Some((facts, fact)) = self.fact(symbol) else { return true };
            let taken = parameters_of(facts.string(fact.signature), facts.string(fact.name));
            taken.is_none_or(|taken| taken.contains(&arguments))
        };
        if !overloads || arguments == NONE || self.is_file(to) || !is_function(to) || fits(to) {
            return (to, resolution);
        }
        let key = self.key(to);
        let mut queue = match self.owner(to) {
            SymbolId::NONE => vec![self.parents[to.index()]],
            class => vec![class],
        };
        let mut at = 0;
        while at < queue.len() && at < 64 {
            let scope = queue[at];
            at += 1;
            let found = self.scope(trail, scope, key).iter().copied().find(|&other| is_function(other) && fits(other));
            if let Some(other) = found {
                return (other, resolution);
            }
            for base in self.supers(trail, scope) {
                if !queue.contains(base) {
                    queue.push(*base);
                }
            }
        }
        (to, resolution.max(resolution::UNIQUE_NAME))
    }

    /// What a name may mean where nothing else is known: targets, how many there are, and how sure.
    pub(super) fn by_name(
        &self,
        trail: &mut Trail,
        file: FileId,
        key: NameKey,
        name: &str,
        method: bool,
    ) -> Option<Candidates> {
        let semantics = self.semantics(file);
        if !method && !semantics.bare_names {
            return None;
        }
        let all = self.namesakes(trail, self.families[file.index()], key, name)?;
        let mut found: Vec<SymbolId> = all
            .iter()
            .copied()
            .filter(|&symbol| {
                let kind = self.kind(symbol);
                let owned = self.owner(symbol) != SymbolId::NONE;
                let fits = if method {
                    is_callable(kind)
                        && (owned
                            || semantics.functions_as_methods
                            || semantics.object_functions && self.is_of_an_object(symbol))
                        || owned && semantics.object_functions && self.kind_of(symbol) == SymbolKind::Field
                } else {
                    is_callable(kind)
                        || is_type(kind)
                        || matches!(self.kind_of(symbol), SymbolKind::Table | SymbolKind::Selector)
                };
                let there = self.file_of[symbol.index()];
                // What a file keeps to itself is not meant elsewhere.
                let hidden = semantics.private_to_file && there != file && self.briefs[symbol.index()].hidden;
                fits && !hidden && self.reaches(file, there)
            })
            .collect();
        self.keep_definitions(file, &mut found);
        let count = found.len();
        if count == 0 || count > MOST_NAMESAKES {
            return None;
        }
        // A method and those that override it are one.
        if count > 1 && method {
            let root = found.iter().copied().find(|&root| {
                found.iter().all(|&other| other == root || self.is_below(trail, self.owner(other), self.owner(root)))
            });
            if let Some(root) = root
                && !self.keys.common.contains(&key)
            {
                return Some((vec![root], 1, resolution::UNIQUE_NAME));
            }
        }
        let common = method && (self.keys.common.contains(&key) || name.len() <= 2);
        if count == 1 && !common {
            return Some((found, 1, resolution::UNIQUE_NAME));
        }
        let here = self.paths[file.index()];
        found.sort_by_key(|&symbol| {
            let path = self.paths[self.file_of[symbol.index()].index()];
            (std::cmp::Reverse(shared_prefix(path, here)), symbol)
        });
        Some(ambiguous(found))
    }

    /// Whether a function was given to an object that is no class: `response.send = function () { … }`.
    pub(super) fn is_of_an_object(&self, symbol: SymbolId) -> bool {
        self.fact(symbol).is_some_and(|(facts, fact)| !facts.string(fact.container).is_empty())
    }
}

/// An edge as it is stored.
fn edge(from: SymbolId, line: u32, relation: u8, resolution: Resolution, to: SymbolId, candidates: u32) -> EdgeRecord {
    EdgeRecord { from: from.0, line, relation, resolution, to: to.0, candidates }
}
