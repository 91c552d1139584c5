//! Resolving again what a change may have touched: the files that changed, and those that asked for something that changed.

use std::sync::OnceLock;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::extract::ReferenceKind;
use crate::extract::packed::{File, NONE, key_of};
use crate::heads::Head;
use crate::ids::{FileId, ModuleId, NameKey, SymbolId};
use crate::resolve::modules::{Family, Modules};
use crate::resolve::tables::{Facts, Names, Questions, about, asked};
use crate::store::{Graph, Record};

use super::semantics::{Semantics, csharp};
use super::{Project, Reach, Resolved, Stage, is_callable, is_type, rows_of, stored};

/// What a build takes over from an older one of the same files, some of them with other content.
pub(crate) struct Rebuilt {
    /// By file; `None` for those that keep what they had.
    pub(crate) resolved: Vec<Option<Resolved>>,
    /// The records of the files that keep what they had, in the numbers of now.
    pub(crate) records: Vec<Record>,
    /// Number now of each symbol of the older graph; [`NONE`] for those that are gone.
    pub(crate) now: Vec<u32>,
    /// The parent of each symbol.
    pub(crate) parents: Vec<u32>,
}

/// Resolves the files that changed since the older `graph` and those that asked for something that changed. `before` are the changed
/// files' places and older facts; paths, languages, packages and manifests of all files must be those of the graph.
///
/// `None` when the graph does not hold together.
pub(crate) fn resolve_changed<'a>(
    facts: &'a Facts<'a>,
    heads: &'a [Head<'a>],
    paths: &'a [&'a str],
    families: &'a [Family],
    modules: &'a Modules<'a>,
    graph: &'a Graph,
    before: &[(u32, &File<'_>)],
) -> Option<Rebuilt> {
    let files = facts.len() as u32;
    let changed: Vec<FileId> = before.iter().map(|(file, _)| FileId(*file)).collect();
    let mut project = Project::new(facts, heads, paths, families, modules, Some((graph, &changed)));
    let (now, questions, mut dirty) = changes(&project, graph, before)?;
    let to_now = |symbol: u32| now.get(symbol as usize).copied().unwrap_or(SymbolId::NONE);
    let gone = |symbol: u32| to_now(symbol) == SymbolId::NONE;
    for &(file, _) in before {
        for symbol in graph.symbols_of_file(file).filter(|&symbol| gone(symbol)) {
            graph.sources_of(symbol).into_iter().for_each(|from| dirty[graph.file_of(from) as usize] = true);
        }
    }
    let records = (0..files).into_par_iter().with_min_len(64).map(|file| graph.record(file));
    let older: Vec<Record> = records.collect::<Option<_>>()?;
    let nodes = files + modules.packages.len() as u32;
    if older.iter().any(|record| record.next.last().is_some_and(|&last| last >= nodes)) {
        return None;
    }
    for (file, record) in older.iter().enumerate() {
        let pairs = record.attached.iter().chain(&record.bases);
        dirty[file] |= pairs.into_iter().any(|&(one, other)| gone(one) || gone(other));
    }
    let mapped = |pairs: &[(u32, u32)]| -> Vec<(SymbolId, SymbolId)> {
        pairs.iter().map(|&(one, other)| (to_now(one), to_now(other))).collect()
    };
    loop {
        for (file, record) in older.iter().enumerate() {
            dirty[file] |= record.asked.iter().any(|&question| questions.has(question));
        }
        let list: Vec<FileId> = (0..files).map(FileId).filter(|&file| dirty[file.index()]).collect();
        let mut place_of = vec![usize::MAX; files as usize];
        list.iter().enumerate().for_each(|(index, &file)| place_of[file.index()] = index);
        let mut more = Questions::new();

        project.stage = Stage::Attach;
        let attached = project.of_files(&list, Project::attach_file);
        let mut all = Vec::new();
        let mut grown = false;
        for (file, record) in older.iter().enumerate() {
            let then = mapped(&record.attached);
            let Some((found, _)) = attached.get(place_of[file]) else {
                all.extend(then);
                continue;
            };
            if *found != then {
                project.attachments_differ(FileId(file as u32), found.iter().chain(&then), &mut more);
                // What a file asks of itself is not kept, and its classes have other members now.
                for &(_, class) in found.iter().chain(&then).filter(|(_, class)| *class != SymbolId::NONE) {
                    let home = project.file_of[class.index()].index();
                    grown |= !std::mem::replace(&mut dirty[home], true);
                }
            }
            all.extend(found);
        }
        project.set_attached(all.into_iter());

        project.stage = Stage::Bases;
        let bases = project.of_files(&list, Project::bases_file);
        let mut all = Vec::new();
        for (file, record) in older.iter().enumerate() {
            let then = mapped(&record.bases);
            let Some((found, _)) = bases.get(place_of[file]) else {
                all.extend(then);
                continue;
            };
            if *found != then {
                project.bases_differ(found.iter().chain(&then), &mut more);
            }
            all.extend(found);
        }
        project.set_bases(all.into_iter());

        project.stage = Stage::Edges;
        let next = project.of_files(&list, Project::next_file);
        let modules_of = |record: &Record| -> Vec<ModuleId> { record.next.iter().copied().map(ModuleId).collect() };
        let then: Vec<Vec<ModuleId>> = older.iter().map(modules_of).collect();
        project.next = then
            .iter()
            .enumerate()
            .map(|(file, then)| next.get(place_of[file]).map_or_else(|| then.clone(), |(found, _)| found.clone()))
            .collect();
        if project.next != then {
            for file in project.reach_differs(&then, &older) {
                grown |= !std::mem::replace(&mut dirty[file.index()], true);
            }
        }
        for (file, record) in older.iter().enumerate() {
            if !dirty[file] && record.asked.iter().any(|&question| more.has(question)) {
                dirty[file] = true;
                grown = true;
            }
        }
        if grown {
            continue;
        }
        project.reach = Reach::Rows((0..files).map(|_| OnceLock::new()).collect());
        let edges = project.of_files(&list, Project::edges_file);
        let mut resolved: Vec<Option<Resolved>> = (0..files).map(|_| None).collect();
        let parts = list.iter().zip(attached).zip(bases).zip(next).zip(edges);
        for ((((&file, attached), bases), next), edges) in parts {
            resolved[file.index()] = Some(Resolved::new(attached, bases, next, edges));
        }
        let records = older
            .into_iter()
            .map(|record| Record {
                attached: stored(&mapped(&record.attached)),
                bases: stored(&mapped(&record.bases)),
                ..record
            })
            .collect();
        let raw = |symbols: &[SymbolId]| symbols.iter().map(|symbol| symbol.0).collect();
        return Some(Rebuilt { resolved, records, parents: raw(&project.parents), now: raw(&now) });
    }
}

/// What the changed files make of an older graph: what each of its symbols is now, the questions whose answers changed, and the files
/// that have to be resolved again; `None` when it does not hold together.
fn changes(
    project: &Project<'_>,
    graph: &Graph,
    before: &[(u32, &File<'_>)],
) -> Option<(Vec<SymbolId>, Questions, Vec<bool>)> {
    let mut questions = Questions::new();
    let mut now = match &project.names {
        Names::Older { now, .. } => now.clone(),
        Names::All { .. } => return None,
    };
    let mut dirty = vec![false; project.facts.len()];
    for &(file, older) in before {
        let file = FileId(file);
        dirty[file.index()] = true;
        let newer = project.facts.file(file);
        project.differences(file, older, newer, &mut questions);
        let known: FxHashMap<u64, u32> = identities(newer).into_iter().zip(0..).collect();
        let (first, own) = (graph.symbols_of_file(file.0).start, project.own_symbols[file.index()]);
        *now.get_mut(first as usize)? = own;
        for (local, identity) in identities(older).into_iter().enumerate() {
            let symbol = now.get_mut(first as usize + 1 + local)?;
            *symbol = known.get(&identity).map_or(SymbolId::NONE, |&local| own.nth(local));
        }
    }
    Some((now, questions, dirty))
}

/// What each symbol of a file is: its name and kind and those of what it stands in, and which one of several such.
fn identities(facts: &File<'_>) -> Vec<u64> {
    let mut seen: FxHashMap<(u32, NameKey, u8), u32> = FxHashMap::default();
    let own: Vec<u64> = facts
        .symbols
        .iter()
        .map(|symbol| {
            let key = facts.keys[symbol.name as usize];
            let nth = seen.entry((symbol.parent, key, symbol.kind)).or_default();
            *nth += 1;
            digest(&[key.0, u64::from(symbol.kind), u64::from(*nth)])
        })
        .collect();
    (0..facts.symbols.len())
        .map(|local| {
            let (mut identity, mut at) = (own[local], facts.symbols[local].parent);
            for _ in 0..64 {
                let Some(symbol) = facts.symbols.get(at as usize) else { break };
                identity = digest(&[identity, own[at as usize]]);
                at = symbol.parent;
            }
            identity
        })
        .collect()
}

/// Numbers as one that differs where they do.
fn digest(parts: &[u64]) -> u64 {
    parts.iter().fold(0x243f_6a88_85a3_08d3, |hash, part| {
        let mixed = (hash ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    })
}

impl Project<'_> {
    /// Adds a question for everything that others can ask of a file and that is another in its newer facts.
    pub(super) fn differences(&self, file: FileId, older: &File<'_>, newer: &File<'_>, questions: &mut Questions) {
        let (then, now) = (self.said(file, older), self.said(file, newer));
        let differing = then.iter().filter(|(key, digest)| now.get(key) != Some(digest));
        let added = now.keys().filter(|key| !then.contains_key(key));
        for key in differing.map(|(key, _)| key).chain(added) {
            self.ask(file, *key, questions);
        }
    }

    /// Adds the questions that a name of a file can answer.
    pub(super) fn ask(&self, file: FileId, key: u64, questions: &mut Questions) {
        questions.add(asked(self.path_keys[file.index()].0, key));
        questions.add(asked(about::FAMILY ^ self.families[file.index()] as u64, key));
        questions.add(asked(about::PACKAGE ^ u64::from(self.modules.package_of[file.index()].0), key));
    }

    /// What a file says of each name, as far as another file can be told it: one number each.
    pub(super) fn said(&self, file: FileId, facts: &File<'_>) -> FxHashMap<u64, u64> {
        let identities = identities(facts);
        let inside = |local: u32| identities.get(local as usize).copied().unwrap_or(0);
        let text = |number: u32| if number == NONE { 0 } else { facts.keys[number as usize].0 };
        let mut said: FxHashMap<u64, u64> = FxHashMap::default();
        let mut say = |key: u64, parts: &[u64]| {
            let before = said.entry(key).or_default();
            *before = digest(&[*before, digest(parts)]);
        };
        let mut decorators: FxHashMap<u32, u64> = FxHashMap::default();
        for reference in facts.references.iter().filter(|reference| reference.kind == ReferenceKind::Decorate) {
            let before = decorators.entry(reference.inside).or_default();
            *before = digest(&[*before, text(reference.name), text(reference.qualifier)]);
        }
        for (local, symbol) in facts.symbols.iter().enumerate() {
            let exported = symbol.exported.map_or(0, |exported| 1 + u64::from(exported));
            let flags = exported | u64::from(symbol.test) << 2 | u64::from(symbol.lines.1 > symbol.lines.0) << 3;
            let flags = flags | u64::from(csharp::is_partial(facts, symbol)) << 4;
            let decorated = decorators.get(&(local as u32)).copied().unwrap_or(0);
            let parts = [1, identities[local], text(symbol.container), text(symbol.returns), flags, decorated];
            say(facts.keys[symbol.name as usize].0, &parts);
            if symbol.parent == NONE && exported == 2 && (is_callable(symbol.kind) || is_type(symbol.kind)) {
                say(about::EXPORTS, &[identities[local]]);
            }
        }
        let mut lines: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for binding in &facts.bindings {
            lines.entry(text(binding.name)).or_default().push(binding.line);
        }
        for binding in &facts.bindings {
            let name = facts.string(binding.name);
            // Which value of another name it was given goes by what had been said of that one before.
            let root = key_of(crate::extract::walk::root_of(facts.string(binding.of).trim_start_matches('=')));
            let before =
                lines.get(&root.0).map_or(0, |lines| lines.iter().filter(|&&line| line <= binding.line).count());
            let length = u64::from(binding.until.saturating_sub(binding.line));
            let parts = digest(&[inside(binding.inside), text(binding.of), before as u64, length]);
            match name.strip_prefix("self.") {
                Some(field) => say(key_of(field).0, &[2, parts]),
                None => say(text(binding.name), &[3, parts]),
            }
        }
        let targets = self.targets_of(file, facts);
        for (import, target) in facts.imports.iter().zip(targets) {
            let key = self.import_key(file, facts, import, target).map(|key| key.0).unwrap_or(about::WILDCARDS);
            let passed_on = u64::from(import.reexport) | u64::from(import.conditional) << 1;
            let parts = [text(import.module), text(import.name), text(import.alias), inside(import.inside), passed_on];
            say(key, &[4, digest(&parts)]);
        }
        said
    }

    /// Adds the questions whose answers change where methods of a file belong to other classes than before.
    pub(super) fn attachments_differ<'p>(
        &self,
        file: FileId,
        pairs: impl Iterator<Item = &'p (SymbolId, SymbolId)>,
        questions: &mut Questions,
    ) {
        let facts = self.facts.file(file);
        for symbol in &facts.symbols {
            self.ask(file, facts.keys[symbol.name as usize].0, questions);
        }
        for binding in &facts.bindings {
            let name = facts.string(binding.name);
            self.ask(file, key_of(name.strip_prefix("self.").unwrap_or(name)).0, questions);
        }
        for &(method, class) in pairs.filter(|(method, class)| *method != SymbolId::NONE && *class != SymbolId::NONE) {
            self.ask(self.file_of[class.index()], self.key(method).0, questions);
        }
    }

    /// Adds the questions whose answers change where classes have other bases than before.
    pub(super) fn bases_differ<'p>(
        &self,
        pairs: impl Iterator<Item = &'p (SymbolId, SymbolId)>,
        questions: &mut Questions,
    ) {
        let of = |symbol: SymbolId| self.path_keys[self.file_of[symbol.index()].index()].0;
        for &(class, base) in pairs {
            if class != SymbolId::NONE {
                questions.add(asked(of(class), about::SUPERS ^ self.key(class).0));
            }
            if base != SymbolId::NONE {
                questions.add(asked(of(base), about::DERIVED ^ self.key(base).0));
            }
        }
    }

    /// Files that asked for a name which a file has that they did not reach before, or do not any more.
    pub(super) fn reach_differs(&self, then: &[Vec<ModuleId>], records: &[Record]) -> Vec<FileId> {
        let words = self.facts.len().div_ceil(64);
        let (then, now) = (rows_of(then, &self.modules.packages), rows_of(&self.next, &self.modules.packages));
        let mut known: FxHashMap<(Vec<u64>, Family), Questions> = FxHashMap::default();
        let mut found = Vec::new();
        for (file, record) in records.iter().enumerate() {
            let range = file * words..(file + 1) * words;
            let family = self.families[file];
            let semantics = Semantics::of(family);
            let is_asked = semantics.values_by_import || semantics.open_namespaces;
            if then[range.clone()] == now[range.clone()] || !is_asked {
                continue;
            }
            let differing: Vec<u64> = then[range.clone()].iter().zip(&now[range]).map(|(a, b)| a ^ b).collect();
            let questions = known.entry((differing, family)).or_insert_with_key(|(differing, family)| {
                let mut questions = Questions::new();
                let files = (0..self.facts.len()).filter(|other| differing[other / 64] >> (other % 64) & 1 == 1);
                let files = files.map(|other| FileId(other as u32));
                for other in files.filter(|&other| self.families[other.index()] == *family) {
                    for symbol in self.symbols_of(other) {
                        questions.add(asked(about::FAMILY ^ *family as u64, self.key(symbol).0));
                    }
                    if semantics.open_namespaces {
                        for key in self.declared_names(other) {
                            questions.add(asked(about::FAMILY ^ *family as u64, key.0));
                        }
                    }
                }
                questions
            });
            if record.asked.iter().any(|&question| questions.has(question)) {
                found.push(FileId(file as u32));
            }
        }
        found
    }
}
