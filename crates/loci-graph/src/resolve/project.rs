//! What is known of all files of a project: their symbols by number, and what each says of a name, read when it is first asked for.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock, RwLock};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::extract::packed::{File, KIND_FILE, KINDS, NONE, key_of};
use crate::extract::{ReferenceKind, SymbolKind};
use crate::heads::{Brief, Head, briefs_of};
use crate::ids::{FileId, ModuleId, NameKey, PackageId, SymbolId};
use crate::resolve::modules::{Family, Modules, Target};
use crate::resolve::tables::{Facts, Multi, Names, about, merged};
use crate::store::Graph;

use super::semantics::{Semantics, csharp};
use super::{MOST_NAMESAKES, Reach, Recorded, Trail};

/// Methods that so many types have that a single definition in the project proves nothing about an unknown receiver.
const COMMON_METHODS: &str = include_str!("lists/common_methods.txt");
/// Types whose methods are those of what they hold.
const WRAPPERS: &str = include_str!("lists/wrappers.txt");
/// Methods of wrappers that give what they hold.
const IDENTITIES: &str = include_str!("lists/identities.txt");

pub(super) struct Keys {
    pub(super) common: FxHashSet<NameKey>,
    pub(super) identities: FxHashSet<NameKey>,
    pub(super) wrappers: FxHashSet<&'static str>,
    pub(super) default: NameKey,
    pub(super) wildcard: NameKey,
    pub(super) companion: NameKey,
}

pub(super) struct Project<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) heads: &'a [Head<'a>],
    pub(super) paths: &'a [&'a str],
    pub(super) path_keys: Vec<NameKey>,
    pub(super) families: &'a [Family],
    /// Number of the symbol of each file; its own symbols follow.
    pub(super) own_symbols: Vec<SymbolId>,
    pub(super) file_of: Vec<FileId>,
    pub(super) briefs: Vec<Brief>,
    pub(super) modules: &'a Modules<'a>,
    pub(super) names: Names<'a>,
    pub(super) tables: Vec<OnceLock<Table>>,
    /// Bindings by scope, fields by their class.
    pub(super) bindings: Vec<OnceLock<Multi<SymbolId, u32>>>,
    pub(super) parents: Vec<SymbolId>,
    /// The class around each symbol that stands in one.
    pub(super) enclosing: Vec<SymbolId>,
    /// The class of each symbol that belongs to one, wherever it stands.
    pub(super) owner: Vec<SymbolId>,
    /// Methods by class that stand away from it.
    pub(super) attached: Multi<SymbolId, SymbolId>,
    pub(super) supers: FxHashMap<SymbolId, Vec<SymbolId>>,
    pub(super) derived: FxHashMap<SymbolId, Vec<SymbolId>>,
    /// The files and packages that each file imports from.
    pub(super) next: Vec<Vec<ModuleId>>,
    pub(super) reach: Reach,
    /// For each file of C++ those that it includes, directly or through others, a bit each.
    pub(super) included: Vec<OnceLock<Vec<u64>>>,
    /// Files of C# that may state usings for their whole project.
    pub(super) globals: OnceLock<Vec<FileId>>,
    pub(super) around: Vec<OnceLock<csharp::Around>>,
    /// The other parts of partial classes of C#.
    pub(super) parts: RwLock<FxHashMap<SymbolId, Option<Arc<[SymbolId]>>>>,
    pub(super) keys: Keys,
    pub(super) stage: Stage,
}

/// Files are resolved in stages; each sees what all files gave in the stages before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Methods that stand away from their types.
    Attach,
    /// Bases of classes.
    Bases,
    /// Everything else.
    Edges,
}

/// What one file declares, by symbol and name.
pub(super) struct Table {
    pub(super) scope: Multi<SymbolId, SymbolId>,
    pub(super) imports: Multi<SymbolId, u32>,
    /// Places of the imports of everything.
    pub(super) wildcards: Vec<u32>,
    /// What each import means.
    pub(super) targets: Vec<Target>,
    /// Places of the references that decorate a symbol.
    pub(super) decorators: FxHashMap<SymbolId, Vec<u32>>,
}

pub(super) fn is_type(kind: u8) -> bool {
    matches!(
        KINDS[kind as usize].0,
        SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Enum
            | SymbolKind::Type
    ) && kind != KIND_FILE
}

/// `describe("total", …)` is called after a function, and no code can call it.
pub(super) fn is_block(kind: u8) -> bool {
    KINDS[kind as usize].0 == SymbolKind::Test
}

pub(super) fn is_callable(kind: u8) -> bool {
    matches!(
        KINDS[kind as usize].0,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Property | SymbolKind::Macro
    )
}

impl<'a> Project<'a> {
    pub(super) fn new(
        facts: &'a Facts<'a>,
        heads: &'a [Head<'a>],
        paths: &'a [&'a str],
        families: &'a [Family],
        modules: &'a Modules<'a>,
        older: Option<(&'a Graph, &[FileId])>,
    ) -> Self {
        let mut own_symbols = Vec::with_capacity(heads.len());
        let mut file_of = Vec::new();
        for (file, head) in heads.iter().enumerate() {
            own_symbols.push(SymbolId(file_of.len() as u32));
            file_of.resize(file_of.len() + 1 + head.symbols as usize, FileId(file as u32));
        }
        let keys = Keys {
            common: COMMON_METHODS.lines().map(key_of).collect(),
            identities: IDENTITIES.lines().map(key_of).collect(),
            wrappers: WRAPPERS.lines().collect(),
            default: key_of("default"),
            wildcard: key_of("*"),
            companion: key_of("Companion"),
        };
        let is_changed = |file: FileId| older.is_none_or(|(_, changed)| changed.contains(&file));
        let files = || (0..heads.len() as u32).map(FileId);
        let parts: Vec<(Vec<Brief>, Vec<SymbolId>)> = (0..heads.len() as u32)
            .into_par_iter()
            .with_min_len(32)
            .map(|file| {
                let file = FileId(file);
                let own = own_symbols[file.index()];
                if let Some((graph, _)) = older.filter(|_| !is_changed(file)) {
                    let symbols = graph.symbols_of_file(file.0);
                    let first = symbols.start;
                    let parents = symbols.clone().map(|symbol| {
                        let parent = graph.parent(symbol).filter(|parent| symbols.contains(parent));
                        parent.map_or(SymbolId::NONE, |parent| SymbolId(parent - first + own.0))
                    });
                    return (symbols.clone().map(|symbol| graph.brief(symbol)).collect(), parents.collect());
                }
                let facts = facts.file(file);
                let parents = facts.symbols.iter().map(|symbol| own.of_file(symbol.parent));
                (briefs_of(facts).collect(), std::iter::once(SymbolId::NONE).chain(parents).collect())
            })
            .collect();
        let mut briefs: Vec<Brief> = Vec::with_capacity(file_of.len());
        let mut parents: Vec<SymbolId> = Vec::with_capacity(file_of.len());
        for (some_briefs, some_parents) in parts {
            briefs.extend(some_briefs);
            parents.extend(some_parents);
        }
        let (mut by_family, mut by_package) = (Vec::new(), Vec::new());
        for file in files().filter(|&file| is_changed(file)) {
            let package = modules.package_of[file.index()];
            for local in 0..heads[file.index()].symbols {
                let symbol = own_symbols[file.index()].nth(local);
                let brief = briefs[symbol.index()];
                if is_block(brief.kind) {
                    continue;
                }
                by_family.push((families[file.index()], brief.key, symbol));
                if brief.top && package != PackageId::NONE {
                    by_package.push((package, brief.key, symbol));
                }
            }
        }
        let (by_family, by_package) = (Multi::new(by_family), Multi::new(by_package));
        let names = match older {
            None => Names::All { families: by_family, packages: by_package },
            Some((graph, _)) => {
                let mut now = vec![SymbolId::NONE; graph.symbol_count() as usize];
                for file in files().filter(|&file| !is_changed(file)) {
                    let symbols = graph.symbols_of_file(file.0);
                    for (offset, symbol) in symbols.enumerate() {
                        now[symbol as usize] = SymbolId(own_symbols[file.index()].0 + offset as u32);
                    }
                }
                Names::Older { graph, now, families: by_family, packages: by_package }
            }
        };
        let enclosing: Vec<SymbolId> = parents
            .iter()
            .map(|&parent| match briefs.get(parent.index()) {
                Some(brief) if is_type(brief.kind) => parent,
                _ => SymbolId::NONE,
            })
            .collect();
        let slots = heads.len();
        Project {
            facts,
            heads,
            paths,
            path_keys: paths.iter().map(|path| key_of(path)).collect(),
            families,
            own_symbols,
            file_of,
            briefs,
            modules,
            names,
            tables: (0..slots).map(|_| OnceLock::new()).collect(),
            bindings: (0..slots).map(|_| OnceLock::new()).collect(),
            owner: enclosing.clone(),
            parents,
            enclosing,
            attached: Multi::default(),
            supers: FxHashMap::default(),
            derived: FxHashMap::default(),
            next: Vec::new(),
            reach: Reach::Rows(Vec::new()),
            included: (0..slots).map(|_| OnceLock::new()).collect(),
            globals: OnceLock::new(),
            around: (0..slots).map(|_| OnceLock::new()).collect(),
            parts: RwLock::default(),
            keys,
            stage: Stage::Attach,
        }
    }

    /// One stage for some files, in parallel, with what each asked of others.
    pub(super) fn of_files<T: Send>(
        &self,
        files: &[FileId],
        work: impl Fn(&Self, &mut Trail, FileId) -> T + Sync,
    ) -> Vec<Recorded<T>> {
        files
            .par_iter()
            .map(|&file| {
                let mut trail = Trail::of(file);
                let result = work(self, &mut trail, file);
                (result, trail.into_asked())
            })
            .collect()
    }

    /// The name under which a file knows an import; `None` for imports of everything.
    pub(super) fn import_key(
        &self,
        file: FileId,
        facts: &File<'_>,
        import: &crate::extract::packed::Import,
        target: Target,
    ) -> Option<NameKey> {
        let name = facts.string(import.name);
        let bare = import.name == NONE && import.alias == NONE;
        if name == "*" && import.alias == NONE || bare && self.semantics(file).imports_everything {
            return None;
        }
        if import.alias != NONE {
            return Some(facts.keys[import.alias as usize]);
        }
        if import.name != NONE {
            return Some(facts.keys[import.name as usize]);
        }
        let module = facts.string(import.module);
        Some(self.name_of_module(file, module, target))
    }

    pub(super) fn targets_of(&self, file: FileId, facts: &File<'_>) -> Vec<Target> {
        let mut known: FxHashMap<u32, Target> = FxHashMap::default();
        let resolve = |module: u32| self.modules.resolve(file, facts.string(module));
        facts
            .imports
            .iter()
            .map(|import| *known.entry(import.module).or_insert_with(|| resolve(import.module)))
            .collect()
    }

    pub(super) fn table_of(&self, file: FileId) -> Table {
        let facts = self.facts.file(file);
        let own = self.own_symbols[file.index()];
        let global = |local: u32| own.of_file(local);
        let targets = self.targets_of(file, facts);
        let mut scope = Vec::with_capacity(facts.symbols.len());
        for (local, symbol) in facts.symbols.iter().enumerate() {
            // A method away from its type is found through the type alone.
            let is_named = symbol.parent != NONE || facts.string(symbol.container).is_empty();
            if is_named && !is_block(symbol.kind) {
                scope.push((global(symbol.parent), facts.keys[symbol.name as usize], own.nth(local as u32)));
            }
        }
        let (mut imports, mut wildcards) = (Vec::with_capacity(facts.imports.len()), Vec::new());
        for (local, import) in facts.imports.iter().enumerate() {
            match self.import_key(file, facts, import, targets[local]) {
                Some(key) => imports.push((global(import.inside), key, local as u32)),
                None => wildcards.push(local as u32),
            }
        }
        let mut decorators: FxHashMap<SymbolId, Vec<u32>> = FxHashMap::default();
        if self.semantics(file).decorators_make_values {
            for (number, reference) in facts.references.iter().enumerate() {
                if reference.kind == ReferenceKind::Decorate && reference.inside != NONE {
                    decorators.entry(global(reference.inside)).or_default().push(number as u32);
                }
            }
        }
        Table { scope: Multi::new(scope), imports: Multi::new(imports), wildcards, targets, decorators }
    }

    /// What a file says of names, by the symbol in which it holds; of fields by their class, where that stands in the file.
    pub(super) fn bindings_of(&self, file: FileId) -> Multi<SymbolId, u32> {
        let facts = self.facts.file(file);
        let entries = facts.bindings.iter().enumerate().filter_map(|(local, binding)| {
            let inside = self.global(file, binding.inside);
            match facts.string(binding.name).strip_prefix("self.") {
                None => Some((inside, facts.keys[binding.name as usize], local as u32)),
                Some(field) => {
                    let class = self.class_around(inside).unwrap_or(inside);
                    (self.file_of[class.index()] == file).then(|| (class, key_of(field), local as u32))
                }
            }
        });
        Multi::new(entries.collect())
    }

    /// What is peculiar to the family of a file.
    pub(super) fn semantics(&self, file: FileId) -> &'static Semantics {
        Semantics::of(self.families[file.index()])
    }

    /// The same, of the file of a symbol.
    pub(super) fn semantics_of(&self, symbol: SymbolId) -> &'static Semantics {
        self.semantics(self.file_of[symbol.index()])
    }

    /// The symbol with a number in a file, or without one the file's own.
    pub(super) fn global(&self, file: FileId, local: u32) -> SymbolId {
        self.own_symbols[file.index()].of_file(local)
    }

    /// The number of a symbol in its file.
    pub(super) fn local(&self, symbol: SymbolId) -> u32 {
        symbol.0 - self.own_symbols[self.file_of[symbol.index()].index()].0 - 1
    }

    /// The symbols of a file but its own.
    pub(super) fn symbols_of(&self, file: FileId) -> impl Iterator<Item = SymbolId> + use<> {
        let own = self.own_symbols[file.index()];
        (0..self.heads[file.index()].symbols).map(move |local| own.nth(local))
    }

    pub(super) fn is_file(&self, symbol: SymbolId) -> bool {
        self.own_symbols[self.file_of[symbol.index()].index()] == symbol
    }

    pub(super) fn fact(&self, symbol: SymbolId) -> Option<(&'a File<'a>, &'a crate::extract::packed::Symbol)> {
        let file = self.file_of[symbol.index()];
        let facts = self.facts.file(file);
        let local = symbol.0.checked_sub(self.own_symbols[file.index()].0 + 1)?;
        Some((facts, &facts.symbols[local as usize]))
    }

    pub(super) fn kind(&self, symbol: SymbolId) -> u8 {
        self.briefs[symbol.index()].kind
    }

    pub(super) fn kind_of(&self, symbol: SymbolId) -> SymbolKind {
        KINDS[self.kind(symbol) as usize].0
    }

    pub(super) fn key(&self, symbol: SymbolId) -> NameKey {
        self.briefs[symbol.index()].key
    }

    pub(super) fn name(&self, symbol: SymbolId) -> &'a str {
        self.fact(symbol).map_or("", |(facts, symbol)| facts.string(symbol.name))
    }

    /// Notes that the file being resolved asked for something of another one.
    pub(super) fn note(&self, trail: &mut Trail, file: FileId, what: u64) {
        trail.note(file, || self.path_keys[file.index()].0, what);
    }

    pub(super) fn table(&self, file: FileId) -> &Table {
        self.tables[file.index()].get_or_init(|| self.table_of(file))
    }

    /// The symbols of a name in a scope: a symbol, or a file by its symbol.
    pub(super) fn scope(&self, trail: &mut Trail, group: SymbolId, key: NameKey) -> Cow<'_, [SymbolId]> {
        // A file stands in nothing.
        let Some(&file) = self.file_of.get(group.index()) else { return Cow::Borrowed(&[]) };
        self.note(trail, file, key.0);
        let here = self.table(file).scope.get(group, key);
        if self.stage == Stage::Attach || self.attached.is_empty() {
            return Cow::Borrowed(here);
        }
        merged(here, self.attached.get(group, key))
    }

    /// The imports under a name in a scope.
    pub(super) fn imports(&self, trail: &mut Trail, group: SymbolId, key: NameKey) -> &[u32] {
        let Some(&file) = self.file_of.get(group.index()) else { return &[] };
        self.note(trail, file, key.0);
        self.table(file).imports.get(group, key)
    }

    /// What is said of a name in a scope.
    pub(super) fn bindings(&self, trail: &mut Trail, group: SymbolId, key: NameKey) -> &[u32] {
        if self.stage == Stage::Attach {
            return &[];
        }
        let Some(&file) = self.file_of.get(group.index()) else { return &[] };
        self.note(trail, file, key.0);
        self.bindings[file.index()].get_or_init(|| self.bindings_of(file)).get(group, key)
    }

    pub(super) fn wildcards(&self, trail: &mut Trail, file: FileId) -> &[u32] {
        self.note(trail, file, about::WILDCARDS);
        &self.table(file).wildcards
    }

    pub(super) fn decorators(&self, symbol: SymbolId) -> &[u32] {
        self.table(self.file_of[symbol.index()]).decorators.get(&symbol).map_or(&[], Vec::as_slice)
    }

    pub(super) fn owner(&self, symbol: SymbolId) -> SymbolId {
        if self.stage == Stage::Attach { self.enclosing[symbol.index()] } else { self.owner[symbol.index()] }
    }

    pub(super) fn supers(&self, trail: &mut Trail, class: SymbolId) -> &[SymbolId] {
        // A method may belong to no class.
        let Some(&file) = self.file_of.get(class.index()) else { return &[] };
        self.note(trail, file, about::SUPERS ^ self.key(class).0);
        if self.stage < Stage::Edges {
            return &[];
        }
        self.supers.get(&class).map_or(&[], Vec::as_slice)
    }

    pub(super) fn derived(&self, trail: &mut Trail, class: SymbolId) -> &[SymbolId] {
        // Classes of other files may derive from one of this file, so this is asked of all.
        trail.note(
            FileId::ALL,
            || self.path_keys[self.file_of[class.index()].index()].0,
            about::DERIVED ^ self.key(class).0,
        );
        if self.stage < Stage::Edges {
            return &[];
        }
        self.derived.get(&class).map_or(&[], Vec::as_slice)
    }

    /// All symbols of a name in a family.
    pub(super) fn names(&self, trail: &mut Trail, family: Family, key: NameKey, name: &str) -> Cow<'_, [SymbolId]> {
        trail.note(FileId::ALL, || about::FAMILY ^ family as u64, key.0);
        match &self.names {
            Names::All { families, .. } => Cow::Borrowed(families.get(family, key)),
            Names::Older { graph, now, families, .. } => {
                let fits = |symbol: &SymbolId| {
                    self.families[self.file_of[symbol.index()].index()] == family && !is_block(self.kind(*symbol))
                };
                let older = graph.named(name).iter().map(|&symbol| now[symbol as usize]);
                let older: Vec<SymbolId> =
                    older.filter(|&symbol| symbol != SymbolId::NONE && !self.is_file(symbol)).filter(fits).collect();
                Cow::Owned(merged(&older, families.get(family, key)).into_owned())
            }
        }
    }

    /// The symbols of a name among which the one meant can be looked for; `None` where there is none or there are very many.
    pub(super) fn namesakes(
        &self,
        trail: &mut Trail,
        family: Family,
        key: NameKey,
        name: &str,
    ) -> Option<Cow<'_, [SymbolId]>> {
        let all = self.names(trail, family, key, name);
        (!all.is_empty() && all.len() <= 4 * MOST_NAMESAKES).then_some(all)
    }

    /// The symbols of a name at the top of the files of a package.
    pub(super) fn packages(
        &self,
        trail: &mut Trail,
        package: PackageId,
        key: NameKey,
        name: &str,
    ) -> Cow<'_, [SymbolId]> {
        if package == PackageId::NONE {
            return Cow::Borrowed(&[]);
        }
        trail.note(FileId::ALL, || about::PACKAGE ^ u64::from(package.0), key.0);
        match &self.names {
            Names::All { packages, .. } => Cow::Borrowed(packages.get(package, key)),
            Names::Older { graph, now, packages, .. } => {
                let fits = |symbol: &SymbolId| {
                    self.briefs[symbol.index()].top
                        && !is_block(self.kind(*symbol))
                        && self.modules.package_of[self.file_of[symbol.index()].index()] == package
                };
                let older = graph.named(name).iter().map(|&symbol| now[symbol as usize]);
                let older: Vec<SymbolId> =
                    older.filter(|&symbol| symbol != SymbolId::NONE && !self.is_file(symbol)).filter(fits).collect();
                Cow::Owned(merged(&older, packages.get(package, key)).into_owned())
            }
        }
    }
}
