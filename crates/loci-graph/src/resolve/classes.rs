//! Classes: what belongs to each, from which others each has more, and what replaces what.

use std::sync::OnceLock;

use crate::extract::packed::{NONE, key_of};
use crate::extract::{ReferenceKind, SymbolKind};
use crate::ids::{FileId, NameKey, SymbolId};
use crate::resolve::tables::Multi;
use crate::store::{EdgeRecord, relation, resolution};

use super::{Here, MOST_CANDIDATES, Project, Trail, Value, is_callable, is_type};

impl Project<'_> {
    /// The class that a symbol is or stands in.
    pub(super) fn class_around(&self, symbol: SymbolId) -> Option<SymbolId> {
        let mut at = symbol;
        for _ in 0..64 {
            if is_type(self.kind(at)) {
                return Some(at);
            }
            if self.owner(at) != SymbolId::NONE {
                return Some(self.owner(at));
            }
            at = self.parents[at.index()];
            if at == SymbolId::NONE {
                return None;
            }
        }
        None
    }

    /// Methods of a file that stand away from their type, with it: in the same package, crate or, for C++ and Ruby, anywhere.
    pub(super) fn attach_file(&self, trail: &mut Trail, file: FileId) -> Vec<(SymbolId, SymbolId)> {
        let mut found: Vec<(SymbolId, SymbolId)> = Vec::new();
        let facts = self.facts.file(file);
        for (local, symbol) in facts.symbols.iter().enumerate() {
            let container = facts.string(symbol.container);
            if symbol.parent != NONE || container.is_empty() {
                continue;
            }
            trail.start(Here::new(file, symbol.name_line, true));
            let name = container.rsplit('.').next().unwrap_or(container);
            let key = key_of(name);
            let number = self.global(file, local as u32);
            let here = self.scope(trail, self.own_symbols[file.index()], key);
            let near = self.packages(trail, self.modules.package_of[file.index()], key, name);
            let classes = here.iter().chain(near.iter()).copied();
            let class = classes
                .clone()
                .find(|&class| is_type(self.kind(class)))
                .or_else(|| self.class_elsewhere(trail, file, (key, name), container));
            if let Some(class) = class {
                found.push((number, class));
            }
        }
        found
    }

    pub(super) fn set_attached(&mut self, pairs: impl Iterator<Item = (SymbolId, SymbolId)>) {
        self.owner.clone_from(&self.enclosing);
        let mut entries = Vec::new();
        for (number, class) in pairs {
            self.owner[number.index()] = class;
            entries.push((class, self.key(number), number));
        }
        self.attached = Multi::new(entries);
        self.bindings.iter_mut().for_each(|slot| *slot = OnceLock::new());
    }

    /// The classes of a file with each of their bases in the project.
    pub(super) fn bases_file(&self, trail: &mut Trail, file: FileId) -> Vec<(SymbolId, SymbolId)> {
        let facts = self.facts.file(file);
        let mut found: Vec<(SymbolId, SymbolId)> = Vec::new();
        for reference in &facts.references {
            if !matches!(reference.kind, ReferenceKind::Inherit | ReferenceKind::Implement) || reference.inside == NONE
            {
                continue;
            }
            let class = self.global(file, reference.inside);
            let around = facts.symbols[reference.inside as usize].parent;
            trail.start(Here::new(file, reference.line, around == NONE));
            let value = match self.path(trail, file, around, facts, reference.qualifier, reference.name, false, 0).0 {
                Value::Symbol(symbol) => Value::Symbol(self.as_type(trail, symbol).unwrap_or(symbol)),
                value => value,
            };
            if let Value::Symbol(base) | Value::Instance(base) = value
                && base != class
                && (is_type(self.kind(base))
                    || self.semantics(file).modules_as_bases && self.kind_of(base) == SymbolKind::Module)
                && !found.contains(&(class, base))
            {
                found.push((class, base));
            }
        }
        found
    }

    pub(super) fn set_bases(&mut self, pairs: impl Iterator<Item = (SymbolId, SymbolId)>) {
        self.supers.clear();
        self.derived.clear();
        for (class, base) in pairs {
            self.supers.entry(class).or_default().push(base);
            self.derived.entry(base).or_default().push(class);
        }
        for list in self.derived.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
    }

    /// A member of a class or of its bases, the nearest first.
    pub(super) fn class_member(&self, trail: &mut Trail, value: Value, key: NameKey) -> Option<SymbolId> {
        let (class, above) = match value {
            Value::Symbol(class) | Value::Instance(class) => (class, false),
            Value::Super(class) => (class, true),
            _ => return None,
        };
        let mut queue = if above { self.supers(trail, class).to_vec() } else { vec![class] };
        let mut at = 0;
        while at < queue.len() && at < 256 {
            let class = queue[at];
            at += 1;
            let members = self.scope(trail, class, key);
            if let Some(member) = self.preferred(&members) {
                return Some(member);
            }
            self.queue_parts(trail, class, &mut queue, at);
            for base in self.supers(trail, class) {
                if !queue.contains(base) {
                    queue.push(*base);
                }
            }
        }
        if !above && self.semantics_of(class).companions {
            return self.companion_member(trail, &queue, key);
        }
        None
    }

    /// The other parts of a partial class come before its bases.
    pub(super) fn queue_parts(&self, trail: &mut Trail, class: SymbolId, queue: &mut Vec<SymbolId>, at: usize) {
        // While a changed project is resolved, a base may be gone.
        let Some(&file) = self.file_of.get(class.index()) else { return };
        if self.semantics(file).partial_classes {
            for &part in self.parts_of_class(trail, class).iter().flat_map(|parts| parts.iter()) {
                if !queue.contains(&part) {
                    queue.insert(at, part);
                }
            }
        }
    }

    /// What a field of a class or of its bases holds.
    pub(super) fn field(&self, trail: &mut Trail, class: SymbolId, key: NameKey, depth: u32) -> Option<Value> {
        let mut queue = vec![class];
        let mut at = 0;
        while at < queue.len() && at < 256 {
            let class = queue[at];
            at += 1;
            if let Some(value) = self.bound(trail, class, key, depth) {
                return Some(value);
            }
            self.queue_parts(trail, class, &mut queue, at);
            for base in self.supers(trail, class) {
                if !queue.contains(base) {
                    queue.push(*base);
                }
            }
        }
        None
    }

    /// A method that classes below `class` define.
    pub(super) fn below(&self, trail: &mut Trail, class: SymbolId, key: NameKey) -> Option<(Vec<SymbolId>, u32)> {
        let mut found = Vec::new();
        let mut queue = vec![class];
        let mut at = 0;
        while at < queue.len() && at < 256 {
            for &derived in self.derived(trail, queue[at]) {
                if !queue.contains(&derived) {
                    queue.push(derived);
                    found.extend(self.preferred(&self.scope(trail, derived, key)));
                }
            }
            at += 1;
        }
        let count = found.len() as u32;
        found.truncate(MOST_CANDIDATES);
        (count > 0).then_some((found, count))
    }

    pub(super) fn is_below(&self, trail: &mut Trail, class: SymbolId, base: SymbolId) -> bool {
        let mut queue = vec![class];
        let mut at = 0;
        while at < queue.len() && at < 64 {
            if queue[at] == base {
                return true;
            }
            let bases = self.supers(trail, queue[at]).to_vec();
            queue.extend(bases);
            self.queue_parts(trail, queue[at], &mut queue, at + 1);
            at += 1;
        }
        false
    }

    /// Methods that replace those of a base.
    pub(super) fn overrides(&self, trail: &mut Trail, file: FileId, edges: &mut Vec<EdgeRecord>) {
        for symbol in self.symbols_of(file) {
            let class = self.owner(symbol);
            if class == SymbolId::NONE || !is_callable(self.kind(symbol)) || self.supers(trail, class).is_empty() {
                continue;
            }
            if let Some(base) =
                self.class_member(trail, Value::Super(class), self.key(symbol)).filter(|&base| base != symbol)
            {
                let line = self.fact(symbol).map_or(1, |(_, fact)| fact.name_line);
                edges.push(EdgeRecord {
                    from: symbol.0,
                    line,
                    relation: relation::OVERRIDES,
                    resolution: resolution::EXACT,
                    to: base.0,
                    candidates: 1,
                });
            }
        }
    }

    /// The constructor that `super(…)` and `: base(…)` call.
    pub(super) fn constructor_above(&self, trail: &mut Trail, class: SymbolId) -> Option<SymbolId> {
        self.class_member(trail, Value::Super(class), key_of("constructor")).or_else(|| {
            self.supers(trail, class).iter().find_map(|&base| {
                let constructors = self.scope(trail, base, self.key(base));
                constructors.iter().copied().find(|&symbol| self.kind_of(symbol) == SymbolKind::Constructor)
            })
        })
    }
}
