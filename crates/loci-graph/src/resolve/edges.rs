//! The edges of one file: what each of its references means, and how sure that is.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cache::{NONE, key_of};
use crate::facts::{Language, ReferenceKind, SymbolKind};
use crate::modules::{Family, Target};
use crate::store::{DraftEdge, relation, resolution};
use crate::tables::name_number;

use super::semantics::c::Platforms;
use super::text::{parameters_of, shared_prefix};
use super::values::varied;
use super::{FileEdges, Here, MOST_CANDIDATES, MOST_NAMESAKES, Project, Trail, Value, Way, is_callable, is_type};

impl Project<'_> {
    /// The edges of one file, and how often each name was left without a target.
    pub(super) fn edges_file(&self, trail: &mut Trail, place: u32) -> FileEdges {
        let file = self.facts.file(place);
        let mut edges = Vec::with_capacity(file.references.len());
        let mut unresolved: FxHashMap<u32, u32> = FxHashMap::default();
        let mut receivers: FxHashMap<(u32, u32, u32, u32), (Value, Way)> = FxHashMap::default();
        let own = self.bases_of_files[place as usize];
        for (index, import) in file.imports.iter().enumerate() {
            trail.start(Here::new(place, import.line, import.inside == NONE));
            let (value, _) = self.import_value(trail, place, import, 0);
            let from = self.global(place, import.inside);
            let mut to = Vec::new();
            match value {
                Value::Symbol(symbol) => to.push(symbol),
                Value::Module(module) if module < self.modules.files() => to.push(self.bases_of_files[module as usize]),
                _ => {}
            }
            if let Target::Module(module) = self.table(place).targets[index]
                && module < self.modules.files()
            {
                to.push(self.bases_of_files[module as usize]);
            }
            if let (Family::Go, Value::Module(package)) = (self.families[place as usize], value)
                && package >= self.modules.files()
            {
                let first = self.modules.packages[(package - self.modules.files()) as usize][0];
                to.push(self.bases_of_files[first as usize]);
            }
            to.dedup();
            for to in to.into_iter().filter(|&to| to != own) {
                edges.push(DraftEdge {
                    from,
                    line: import.line,
                    relation: relation::IMPORTS,
                    resolution: resolution::IMPORT,
                    to,
                    candidates: 1,
                });
            }
        }
        let in_test = |symbol: u32| self.briefs[symbol as usize].test;
        let mut tested: FxHashSet<(u32, u32)> = FxHashSet::default();
        let varied = varied(file);
        for reference in &file.references {
            let which = match reference.kind {
                ReferenceKind::Call
                | ReferenceKind::Instantiate
                | ReferenceKind::MacroUse
                | ReferenceKind::Decorate => relation::CALLS,
                ReferenceKind::Reference | ReferenceKind::TypeUse => relation::REFERENCES,
                ReferenceKind::Inherit => relation::INHERITS,
                ReferenceKind::Implement => relation::IMPLEMENTS,
            };
            let from = self.global(place, reference.inside);
            // Decorators and bases stand outside of what they belong to.
            let inside = match reference.kind {
                ReferenceKind::Decorate | ReferenceKind::Inherit | ReferenceKind::Implement
                    if reference.inside != NONE =>
                {
                    file.symbols[reference.inside as usize].parent
                }
                _ => reference.inside,
            };
            let here = Here::new(place, reference.line, inside == NONE);
            trail.start(Here { block: reference.block, outer: reference.block == 0, ..here });
            let name = file.string(reference.name);
            let clean = name.split(['<', '[']).next().unwrap_or(name);
            let key = if clean.len() == name.len() { file.keys[reference.name as usize] } else { key_of(clean) };
            let mut receiver = None;
            let (value, way) = if reference.qualifier == NONE {
                if reference.kind == ReferenceKind::TypeUse {
                    self.type_name(trail, place, inside, clean, 0)
                } else {
                    self.lookup(trail, place, inside, key, clean, reference.local, 0)
                }
            } else if file.string(reference.qualifier) == "::" {
                let all = self.names(trail, self.families[place as usize], key, clean);
                let top = all.iter().copied().find(|&symbol| {
                    let outermost = self.is_file(self.parents[symbol as usize]);
                    outermost && (is_type(self.kind(symbol)) || self.kind_of(symbol) == SymbolKind::Module)
                });
                top.map_or((Value::External, 0), |symbol| (Value::Symbol(symbol), resolution::UNIQUE_NAME))
            } else {
                let qualifier = file.string(reference.qualifier);
                // A name with several values has another one on another line.
                let line = if varied.is_empty() || !varied.contains(&key_of(crate::walk::root_of(qualifier))) {
                    0
                } else {
                    reference.line
                };
                let cached = receivers
                    .entry((inside, reference.qualifier, line << 1 | u32::from(reference.local), reference.block))
                    .or_insert_with(|| self.evaluate(trail, place, inside, qualifier, reference.local, 0));
                receiver = Some(cached.0);
                let (value, way) = self.member(trail, cached.0, key, clean, 0);
                (value, cached.1.max(way))
            };
            let value = match value {
                Value::Symbol(symbol)
                    if matches!(
                        reference.kind,
                        ReferenceKind::TypeUse | ReferenceKind::Inherit | ReferenceKind::Implement
                    ) =>
                {
                    Value::Symbol(self.as_type(trail, symbol).unwrap_or(symbol))
                }
                value => value,
            };
            let mut add = |to: u32, way: u8, candidates: u32| {
                edges.push(DraftEdge { from, line: reference.line, relation: which, resolution: way, to, candidates });
            };
            let target = match value {
                Value::Symbol(symbol) => Some(symbol),
                // A call of a name that holds a function is a call of that function.
                Value::Instance(class) if which != relation::CALLS && reference.qualifier == NONE => Some(class),
                Value::Super(class) if which == relation::CALLS && reference.qualifier == NONE => {
                    self.constructor_above(trail, class)
                }
                Value::Module(module) if which != relation::CALLS && module < self.modules.files() => {
                    Some(self.bases_of_files[module as usize])
                }
                Value::Module(module) if self.families[place as usize] == Family::Script => {
                    match self.default_export(trail, Value::Module(module), clean) {
                        Value::Symbol(symbol) => Some(symbol),
                        _ => None,
                    }
                }
                _ => None,
            };
            // A macro of another crate is used as an attribute; `#[test]` is no function of that name.
            let target = target.filter(|&to| {
                reference.kind != ReferenceKind::Decorate
                    || self.families[place as usize] != Family::Rust
                    || self.kind_of(to) == SymbolKind::Macro
                    || self.modules.rust_root(place) != self.modules.rust_root(self.file_of[to as usize])
            });
            if let Some(to) = target {
                let (to, way) = match reference.kind {
                    ReferenceKind::Call => self.overload(trail, place, to, reference.arguments, way),
                    _ => (to, way),
                };
                let (to, way) = if self.families[place as usize] == Family::C {
                    match self.of_platforms(trail, from, to) {
                        Platforms::Any => (to, way),
                        Platforms::Some => (to, way.max(resolution::UNIQUE_NAME)),
                        Platforms::Each(twins) => {
                            for &twin in twins.iter().take(MOST_CANDIDATES) {
                                add(twin, resolution::AMBIGUOUS, twins.len() as u32);
                            }
                            continue;
                        }
                    }
                } else {
                    (to, way)
                };
                let twins = self.twins(trail, place, to);
                let own = twins.iter().copied().find(|&twin| self.file_of[twin as usize] == place);
                let to = own.unwrap_or(to);
                if own.is_none() && !twins.is_empty() {
                    for &twin in twins.iter().take(MOST_CANDIDATES) {
                        add(twin, resolution::AMBIGUOUS, twins.len() as u32);
                    }
                    continue;
                }
                if to != from || which == relation::CALLS {
                    add(to, way, 1);
                    if which == relation::CALLS && in_test(from) && !in_test(to) && tested.insert((from, to)) {
                        edges.push(DraftEdge {
                            from,
                            line: reference.line,
                            relation: relation::TESTS,
                            resolution: way,
                            to,
                            candidates: 1,
                        });
                    }
                }
                continue;
            }
            if which != relation::CALLS {
                continue;
            }
            let open = match (receiver, value) {
                (Some(Value::Unknown), _) => true,
                // A function as an object: of its attributes nothing is known.
                (Some(Value::Symbol(symbol)), Value::Unknown) => !is_type(self.kind(symbol)),
                // A method that only the classes below have.
                (Some(Value::Instance(class)), _) if !self.derived(trail, class).is_empty() => {
                    if let Some((to, candidates)) = self.below(trail, class, key) {
                        let way = if candidates == 1 { resolution::UNIQUE_NAME } else { resolution::AMBIGUOUS };
                        for to in to {
                            add(to, way, candidates);
                        }
                        continue;
                    }
                    false
                }
                (None, Value::Unknown) => !reference.local,
                _ => false,
            };
            // `shop::total()` of a function that more than one file defines, or that no included file declares.
            if self.families[place as usize] == Family::C
                && !reference.local
                && let Some(Value::Unknown | Value::Symbol(_)) = receiver
                && let Some((to, candidates, way)) = self.by_path(trail, file.string(reference.qualifier), key, clean)
            {
                for to in to {
                    add(to, way, candidates);
                }
                continue;
            }
            if self.families[place as usize] == Family::CSharp
                && let Some(of) = receiver
                && let Some((to, candidates, way)) =
                    self.extensions(trail, place, inside, (of, file.string(reference.qualifier)), key, clean)
            {
                for to in to {
                    add(to, way, candidates);
                }
                continue;
            }
            // `"order".shout()`, and `shout()` in another extension: of a type that is not the project's, or another file's.
            if self.families[place as usize] == Family::Jvm
                && let Some((to, candidates, way)) = self.extensions_of_kotlin(
                    trail,
                    place,
                    inside,
                    receiver.map(|receiver| (receiver, file.string(reference.qualifier))),
                    key,
                    clean,
                )
            {
                for to in to {
                    add(to, way, candidates);
                }
                continue;
            }
            if matches!(receiver, Some(Value::External | Value::Unknown))
                && self.families[place as usize] == Family::Swift
                && let Some(to) = self.extension(trail, place, key, clean)
            {
                add(to, resolution::UNIQUE_NAME, 1);
                continue;
            }
            let foreign = matches!(receiver, Some(Value::Unknown))
                && self.is_foreign(trail, place, file.string(reference.qualifier));
            if open
                && !foreign
                && let Some((to, candidates, way)) = self.by_name(trail, place, key, clean, receiver.is_some())
            {
                for to in to {
                    add(to, way, candidates);
                }
                continue;
            }
            *unresolved.entry(name_number(name)).or_default() += 1;
        }
        self.overrides(trail, place, &mut edges);
        edges.sort_unstable();
        edges.dedup();
        let mut unresolved: Vec<(u32, u32)> = unresolved.into_iter().collect();
        unresolved.sort_unstable();
        (edges, unresolved)
    }

    /// Of the functions of one name in a class and above it one that takes so many arguments; where none does, it is not sure that
    /// the function found is meant.
    pub(super) fn overload(&self, trail: &mut Trail, place: u32, to: u32, arguments: u32, way: Way) -> (u32, Way) {
        let overloads = match self.facts.file(place).language {
            Some(Language::Java | Language::Kotlin | Language::CSharp) => true,
            Some(Language::Cpp) => self.owner(to) != NONE,
            _ => false,
        };
        let is_function = |symbol: u32| {
            matches!(self.kind_of(symbol), SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor)
        };
        let fits = |symbol: u32| {
            let Some((file, fact)) = self.fact(symbol) else { return true };
            let taken = parameters_of(file.string(fact.signature), file.string(fact.name));
            taken.is_none_or(|taken| taken.contains(&arguments))
        };
        if !overloads || arguments == NONE || self.is_file(to) || !is_function(to) || fits(to) {
            return (to, way);
        }
        let key = self.key(to);
        let mut queue = match self.owner(to) {
            NONE => vec![self.parents[to as usize]],
            class => vec![class],
        };
        let mut at = 0;
        while at < queue.len() && at < 64 {
            let scope = queue[at];
            at += 1;
            let found = self.scope(trail, scope, key).iter().copied().find(|&other| is_function(other) && fits(other));
            if let Some(other) = found {
                return (other, way);
            }
            for base in self.supers(trail, scope) {
                if !queue.contains(base) {
                    queue.push(*base);
                }
            }
        }
        (to, way.max(resolution::UNIQUE_NAME))
    }

    /// What a name may mean where nothing else is known: targets, how many there are, and how sure.
    pub(super) fn by_name(
        &self,
        trail: &mut Trail,
        place: u32,
        key: u64,
        name: &str,
        method: bool,
    ) -> Option<(Vec<u32>, u32, u8)> {
        let which = self.families[place as usize];
        // A bare name reaches another file without an import in these languages alone.
        if !method
            && !matches!(
                which,
                Family::C
                    | Family::Ruby
                    | Family::Shell
                    | Family::Lua
                    | Family::Sql
                    | Family::Swift
                    | Family::Elixir
                    | Family::Julia
                    | Family::Php
                    | Family::Web
            )
        {
            return None;
        }
        let all = self.namesakes(trail, which, key, name)?;
        let mut found: Vec<u32> = all
            .iter()
            .copied()
            .filter(|&symbol| {
                let kind = self.kind(symbol);
                let owned = self.owner(symbol) != NONE;
                let fits = if method {
                    is_callable(kind)
                        && (owned
                            || matches!(which, Family::Ruby | Family::Lua | Family::Elixir)
                            || which == Family::Script && self.is_of_an_object(symbol))
                        || owned && which == Family::Script && self.kind_of(symbol) == SymbolKind::Field
                } else {
                    is_callable(kind)
                        || is_type(kind)
                        || matches!(self.kind_of(symbol), SymbolKind::Table | SymbolKind::Selector)
                };
                let there = self.file_of[symbol as usize];
                // What a file keeps to itself is not meant elsewhere.
                let hidden = which == Family::C && there != place && self.briefs[symbol as usize].hidden;
                fits && !hidden && self.reaches(place, there)
            })
            .collect();
        // A declaration beside its definition is no second meaning.
        if which == Family::C && found.len() > 1 {
            let long = |symbol: u32| self.briefs[symbol as usize].long;
            if found.iter().any(|&symbol| long(symbol)) {
                let headers = |symbol: u32| {
                    let path = self.paths[self.file_of[symbol as usize] as usize];
                    path.ends_with(".h") || path.ends_with(".hpp")
                };
                let bodies: Vec<u32> =
                    found.iter().copied().filter(|&symbol| long(symbol) || !headers(symbol)).collect();
                if !bodies.is_empty() {
                    found = bodies;
                }
            }
        }
        if which == Family::C && found.len() > 1 {
            let defined: FxHashSet<u32> = found
                .iter()
                .filter(|&&symbol| !self.is_declaration(symbol))
                .map(|&symbol| self.owner(symbol))
                .filter(|&class| class != NONE)
                .collect();
            // Nor is a constructor beside its class.
            let classes: FxHashSet<u32> = found.iter().copied().filter(|&symbol| is_type(self.kind(symbol))).collect();
            found.retain(|&symbol| {
                let declared = defined.contains(&self.owner(symbol)) && self.is_declaration(symbol);
                let constructs =
                    self.kind_of(symbol) == SymbolKind::Constructor && classes.contains(&self.owner(symbol));
                !declared && !constructs
            });
        }
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
        let here = self.paths[place as usize];
        found.sort_by_key(|&symbol| {
            let path = self.paths[self.file_of[symbol as usize] as usize];
            (std::cmp::Reverse(shared_prefix(path, here)), symbol)
        });
        found.truncate(MOST_CANDIDATES);
        Some((found, count as u32, resolution::AMBIGUOUS))
    }

    /// Whether a function was given to an object that is no class: `response.send = function () { … }`.
    pub(super) fn is_of_an_object(&self, symbol: u32) -> bool {
        self.fact(symbol).is_some_and(|(file, fact)| !file.string(fact.container).is_empty())
    }
}
