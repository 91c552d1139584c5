//! What is known of all files of a project: their symbols by number, and what each says of a name, read when it is first asked for.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock, RwLock};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::extract::packed::{File, KIND_FILE, KINDS, NONE, key_of};
use crate::extract::{ReferenceKind, SymbolKind};
use crate::modules::{Family, Modules, Target};
use crate::store::Graph;
use crate::tables::{Brief, Facts, Head, Multi, Names, about, briefs_of, merged};

use super::semantics::{Semantics, csharp};
use super::{MOST_NAMESAKES, Reach, Recorded, Trail};

/// Methods that so many types have that a single definition in the project proves nothing about an unknown receiver.
const COMMON_METHODS: &str = include_str!("lists/common_methods.txt");
/// Types whose methods are those of what they hold.
const WRAPPERS: &str = include_str!("lists/wrappers.txt");
/// Methods of wrappers that give what they hold.
const IDENTITIES: &str = include_str!("lists/identities.txt");

pub(super) struct Keys {
    pub(super) common: FxHashSet<u64>,
    pub(super) identities: FxHashSet<u64>,
    pub(super) wrappers: FxHashSet<&'static str>,
    pub(super) default: u64,
    pub(super) wildcard: u64,
    pub(super) companion: u64,
}

pub(super) struct Project<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) heads: &'a [Head<'a>],
    pub(super) paths: &'a [&'a str],
    pub(super) path_keys: Vec<u64>,
    pub(super) families: &'a [Family],
    /// Number of the symbol of each file; its own symbols follow.
    pub(super) bases_of_files: Vec<u32>,
    pub(super) file_of: Vec<u32>,
    pub(super) briefs: Vec<Brief>,
    pub(super) modules: &'a Modules<'a>,
    pub(super) names: Names<'a>,
    pub(super) tables: Vec<OnceLock<Table>>,
    /// Bindings by scope, fields by their class.
    pub(super) bindings: Vec<OnceLock<Multi>>,
    pub(super) parents: Vec<u32>,
    /// The class around each symbol that stands in one.
    pub(super) enclosing: Vec<u32>,
    /// The class of each symbol that belongs to one, wherever it stands.
    pub(super) owner: Vec<u32>,
    /// Methods by class that stand away from it.
    pub(super) attached: Multi,
    pub(super) supers: FxHashMap<u32, Vec<u32>>,
    pub(super) derived: FxHashMap<u32, Vec<u32>>,
    /// The files and packages that each file imports from.
    pub(super) next: Vec<Vec<u32>>,
    pub(super) reach: Reach,
    /// For each file of C++ those that it includes, directly or through others, a bit each.
    pub(super) included: Vec<OnceLock<Vec<u64>>>,
    /// Files of C# that may state usings for their whole project.
    pub(super) globals: OnceLock<Vec<u32>>,
    pub(super) around: Vec<OnceLock<csharp::Around>>,
    /// The other parts of partial classes of C#.
    pub(super) parts: RwLock<FxHashMap<u32, Option<Arc<[u32]>>>>,
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
    pub(super) scope: Multi,
    pub(super) imports: Multi,
    /// Places of the imports of everything.
    pub(super) wildcards: Vec<u32>,
    /// What each import means.
    pub(super) targets: Vec<Target>,
    /// Places of the references that decorate a symbol.
    pub(super) decorators: FxHashMap<u32, Vec<u32>>,
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
        older: Option<(&'a Graph, &[u32])>,
    ) -> Self {
        let mut bases_of_files = Vec::with_capacity(heads.len());
        let mut file_of = Vec::new();
        for (file, head) in heads.iter().enumerate() {
            bases_of_files.push(file_of.len() as u32);
            file_of.resize(file_of.len() + 1 + head.symbols as usize, file as u32);
        }
        let keys = Keys {
            common: COMMON_METHODS.lines().map(key_of).collect(),
            identities: IDENTITIES.lines().map(key_of).collect(),
            wrappers: WRAPPERS.lines().collect(),
            default: key_of("default"),
            wildcard: key_of("*"),
            companion: key_of("Companion"),
        };
        let is_changed = |file: u32| older.is_none_or(|(_, changed)| changed.contains(&file));
        let parts: Vec<(Vec<Brief>, Vec<u32>)> = (0..heads.len() as u32)
            .into_par_iter()
            .with_min_len(32)
            .map(|file| {
                let own = bases_of_files[file as usize];
                if let Some((graph, _)) = older.filter(|_| !is_changed(file)) {
                    let symbols = graph.symbols_of_file(file);
                    let first = symbols.start;
                    let parents = symbols.clone().map(|symbol| {
                        let parent = graph.parent(symbol).filter(|parent| symbols.contains(parent));
                        parent.map_or(NONE, |parent| parent - first + own)
                    });
                    return (symbols.clone().map(|symbol| graph.brief(symbol)).collect(), parents.collect());
                }
                let facts = facts.file(file);
                let parents = facts.symbols.iter().map(|symbol| match symbol.parent {
                    NONE => own,
                    local => own + 1 + local,
                });
                (briefs_of(facts).collect(), std::iter::once(NONE).chain(parents).collect())
            })
            .collect();
        let mut briefs: Vec<Brief> = Vec::with_capacity(file_of.len());
        let mut parents: Vec<u32> = Vec::with_capacity(file_of.len());
        for (some_briefs, some_parents) in parts {
            briefs.extend(some_briefs);
            parents.extend(some_parents);
        }
        let (mut by_family, mut by_package) = (Vec::new(), Vec::new());
        for (file, head) in heads.iter().enumerate().filter(|(file, _)| is_changed(*file as u32)) {
            let own = bases_of_files[file];
            for symbol in own + 1..=own + head.symbols {
                let brief = briefs[symbol as usize];
                if is_block(brief.kind) {
                    continue;
                }
                by_family.push((families[file] as u32, brief.key, symbol));
                if brief.top && modules.package_of[file] != NONE {
                    by_package.push((modules.package_of[file], brief.key, symbol));
                }
            }
        }
        let (by_family, by_package) = (Multi::new(by_family), Multi::new(by_package));
        let names = match older {
            None => Names::All { families: by_family, packages: by_package },
            Some((graph, _)) => {
                let mut now = vec![NONE; graph.symbol_count() as usize];
                for file in (0..heads.len() as u32).filter(|&file| !is_changed(file)) {
                    let symbols = graph.symbols_of_file(file);
                    for (offset, symbol) in symbols.enumerate() {
                        now[symbol as usize] = bases_of_files[file as usize] + offset as u32;
                    }
                }
                Names::Older { graph, now, families: by_family, packages: by_package }
            }
        };
        let enclosing: Vec<u32> = parents
            .iter()
            .map(|&parent| match briefs.get(parent as usize) {
                Some(brief) if is_type(brief.kind) => parent,
                _ => NONE,
            })
            .collect();
        let slots = heads.len();
        Project {
            facts,
            heads,
            paths,
            path_keys: paths.iter().map(|path| key_of(path)).collect(),
            families,
            bases_of_files,
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
        files: &[u32],
        work: impl Fn(&Self, &mut Trail, u32) -> T + Sync,
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
        file: u32,
        facts: &File<'_>,
        import: &crate::extract::packed::Import,
        target: Target,
    ) -> Option<u64> {
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

    pub(super) fn targets_of(&self, file: u32, facts: &File<'_>) -> Vec<Target> {
        let mut known: FxHashMap<u32, Target> = FxHashMap::default();
        let resolve = |module: u32| self.modules.resolve(file, facts.string(module));
        facts
            .imports
            .iter()
            .map(|import| *known.entry(import.module).or_insert_with(|| resolve(import.module)))
            .collect()
    }

    pub(super) fn table_of(&self, file: u32) -> Table {
        let facts = self.facts.file(file);
        let own = self.bases_of_files[file as usize];
        let global = |local: u32| if local == NONE { own } else { own + 1 + local };
        let targets = self.targets_of(file, facts);
        let mut scope = Vec::with_capacity(facts.symbols.len());
        for (local, symbol) in facts.symbols.iter().enumerate() {
            // A method away from its type is found through the type alone.
            let is_named = symbol.parent != NONE || facts.string(symbol.container).is_empty();
            if is_named && !is_block(symbol.kind) {
                scope.push((global(symbol.parent), facts.keys[symbol.name as usize], own + 1 + local as u32));
            }
        }
        let (mut imports, mut wildcards) = (Vec::with_capacity(facts.imports.len()), Vec::new());
        for (local, import) in facts.imports.iter().enumerate() {
            match self.import_key(file, facts, import, targets[local]) {
                Some(key) => imports.push((global(import.inside), key, local as u32)),
                None => wildcards.push(local as u32),
            }
        }
        let mut decorators: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
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
    pub(super) fn bindings_of(&self, file: u32) -> Multi {
        let facts = self.facts.file(file);
        let entries = facts.bindings.iter().enumerate().filter_map(|(local, binding)| {
            let inside = self.global(file, binding.inside);
            match facts.string(binding.name).strip_prefix("self.") {
                None => Some((inside, facts.keys[binding.name as usize], local as u32)),
                Some(field) => {
                    let class = self.class_around(inside).unwrap_or(inside);
                    (self.file_of[class as usize] == file).then(|| (class, key_of(field), local as u32))
                }
            }
        });
        Multi::new(entries.collect())
    }

    /// What is peculiar to the family of a file.
    pub(super) fn semantics(&self, file: u32) -> &'static Semantics {
        Semantics::of(self.families[file as usize])
    }

    /// The same, of the file of a symbol.
    pub(super) fn semantics_of(&self, symbol: u32) -> &'static Semantics {
        self.semantics(self.file_of[symbol as usize])
    }

    pub(super) fn global(&self, file: u32, local: u32) -> u32 {
        let own = self.bases_of_files[file as usize];
        if local == NONE { own } else { own + 1 + local }
    }

    pub(super) fn is_file(&self, symbol: u32) -> bool {
        self.bases_of_files[self.file_of[symbol as usize] as usize] == symbol
    }

    pub(super) fn fact(&self, symbol: u32) -> Option<(&'a File<'a>, &'a crate::extract::packed::Symbol)> {
        let file = self.file_of[symbol as usize];
        let facts = self.facts.file(file);
        (symbol.checked_sub(self.bases_of_files[file as usize] + 1))
            .map(|local| (facts, &facts.symbols[local as usize]))
    }

    pub(super) fn kind(&self, symbol: u32) -> u8 {
        self.briefs[symbol as usize].kind
    }

    pub(super) fn kind_of(&self, symbol: u32) -> SymbolKind {
        KINDS[self.kind(symbol) as usize].0
    }

    pub(super) fn key(&self, symbol: u32) -> u64 {
        self.briefs[symbol as usize].key
    }

    pub(super) fn name(&self, symbol: u32) -> &'a str {
        self.fact(symbol).map_or("", |(facts, symbol)| facts.string(symbol.name))
    }

    /// Notes that the file being resolved asked for something of another one.
    pub(super) fn note(&self, trail: &mut Trail, file: u32, what: u64) {
        trail.note(file, || self.path_keys[file as usize], what);
    }

    pub(super) fn table(&self, file: u32) -> &Table {
        self.tables[file as usize].get_or_init(|| self.table_of(file))
    }

    /// The symbols of a name in a scope: a symbol, or a file by its symbol.
    pub(super) fn scope(&self, trail: &mut Trail, group: u32, key: u64) -> Cow<'_, [u32]> {
        // A file stands in nothing.
        let Some(&file) = self.file_of.get(group as usize) else { return Cow::Borrowed(&[]) };
        self.note(trail, file, key);
        let here = self.table(file).scope.get(group, key);
        if self.stage == Stage::Attach || self.attached.is_empty() {
            return Cow::Borrowed(here);
        }
        merged(here, self.attached.get(group, key))
    }

    /// The imports under a name in a scope.
    pub(super) fn imports(&self, trail: &mut Trail, group: u32, key: u64) -> &[u32] {
        let Some(&file) = self.file_of.get(group as usize) else { return &[] };
        self.note(trail, file, key);
        self.table(file).imports.get(group, key)
    }

    /// What is said of a name in a scope.
    pub(super) fn bindings(&self, trail: &mut Trail, group: u32, key: u64) -> &[u32] {
        if self.stage == Stage::Attach {
            return &[];
        }
        let Some(&file) = self.file_of.get(group as usize) else { return &[] };
        self.note(trail, file, key);
        self.bindings[file as usize].get_or_init(|| self.bindings_of(file)).get(group, key)
    }

    pub(super) fn wildcards(&self, trail: &mut Trail, file: u32) -> &[u32] {
        self.note(trail, file, about::WILDCARDS);
        &self.table(file).wildcards
    }

    pub(super) fn decorators(&self, symbol: u32) -> &[u32] {
        self.table(self.file_of[symbol as usize]).decorators.get(&symbol).map_or(&[], Vec::as_slice)
    }

    pub(super) fn owner(&self, symbol: u32) -> u32 {
        if self.stage == Stage::Attach { self.enclosing[symbol as usize] } else { self.owner[symbol as usize] }
    }

    pub(super) fn supers(&self, trail: &mut Trail, class: u32) -> &[u32] {
        // A method may belong to no class.
        let Some(&file) = self.file_of.get(class as usize) else { return &[] };
        self.note(trail, file, about::SUPERS ^ self.key(class));
        if self.stage < Stage::Edges {
            return &[];
        }
        self.supers.get(&class).map_or(&[], Vec::as_slice)
    }

    pub(super) fn derived(&self, trail: &mut Trail, class: u32) -> &[u32] {
        // Classes of other files may derive from one of this file, so this is asked of all.
        trail.note(
            NONE - 1,
            || self.path_keys[self.file_of[class as usize] as usize],
            about::DERIVED ^ self.key(class),
        );
        if self.stage < Stage::Edges {
            return &[];
        }
        self.derived.get(&class).map_or(&[], Vec::as_slice)
    }

    /// All symbols of a name in a family.
    pub(super) fn names(&self, trail: &mut Trail, family: Family, key: u64, name: &str) -> Cow<'_, [u32]> {
        trail.note(NONE - 1, || about::FAMILY ^ family as u64, key);
        match &self.names {
            Names::All { families, .. } => Cow::Borrowed(families.get(family as u32, key)),
            Names::Older { graph, now, families, .. } => {
                let fits = |symbol: &u32| {
                    self.families[self.file_of[*symbol as usize] as usize] == family && !is_block(self.kind(*symbol))
                };
                let older = graph.named(name).iter().map(|&symbol| now[symbol as usize]);
                let older: Vec<u32> =
                    older.filter(|&symbol| symbol != NONE && !self.is_file(symbol)).filter(fits).collect();
                Cow::Owned(merged(&older, families.get(family as u32, key)).into_owned())
            }
        }
    }

    /// The symbols of a name among which the one meant can be looked for; `None` where there is none or there are very many.
    pub(super) fn namesakes(&self, trail: &mut Trail, family: Family, key: u64, name: &str) -> Option<Cow<'_, [u32]>> {
        let all = self.names(trail, family, key, name);
        (!all.is_empty() && all.len() <= 4 * MOST_NAMESAKES).then_some(all)
    }

    /// The symbols of a name at the top of the files of a package.
    pub(super) fn packages(&self, trail: &mut Trail, package: u32, key: u64, name: &str) -> Cow<'_, [u32]> {
        if package == NONE {
            return Cow::Borrowed(&[]);
        }
        trail.note(NONE - 1, || about::PACKAGE ^ u64::from(package), key);
        match &self.names {
            Names::All { packages, .. } => Cow::Borrowed(packages.get(package, key)),
            Names::Older { graph, now, packages, .. } => {
                let fits = |symbol: &u32| {
                    self.briefs[*symbol as usize].top
                        && !is_block(self.kind(*symbol))
                        && self.modules.package_of[self.file_of[*symbol as usize] as usize] == package
                };
                let older = graph.named(name).iter().map(|&symbol| now[symbol as usize]);
                let older: Vec<u32> =
                    older.filter(|&symbol| symbol != NONE && !self.is_file(symbol)).filter(fits).collect();
                Cow::Owned(merged(&older, packages.get(package, key)).into_owned())
            }
        }
    }
}
