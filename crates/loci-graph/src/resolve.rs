//! From what each file says to edges between symbols.
//!
//! Every name is looked up as its language does: local scopes, the class and its bases, the file, its imports, its package. What a
//! variable, field or call holds is followed as far as annotations, constructors and declared return types say. A name that leads
//! out of the project stays without a target, and so does one that leads nowhere; only a method on a receiver of which nothing is
//! known, and a bare name in a language without imports, are looked for by name alone, and the edge says so.

mod cpp;
mod csharp;
mod foreign;
mod kotlin;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, OnceLock, RwLock};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cache::{File, KIND_FILE, KINDS, NONE, key_of};
use crate::facts::{Language, RETURNED, ReferenceKind, SymbolKind};
use crate::modules::{Family, Modules, Target};
use crate::store::{DraftEdge, Graph, Record, relation, resolution};
use crate::tables::{
    Brief, Facts, Head, Multi, Names, Questions, about, asked, briefs_of, merged, name_number, note, recorded,
};

/// Version of the rules below; part of the signature of every graph.
pub(crate) const RULES: u32 = 11;

/// Candidates that an ambiguous reference lists.
const MOST_CANDIDATES: usize = 6;
/// A name with more definitions than this says nothing about which one is meant.
const MOST_NAMESAKES: usize = 40;
/// How far a chain of aliases, imports and types is followed.
const DEPTH: u32 = 12;

/// Methods that so many types have that a single definition in the project proves nothing about an unknown receiver.
const COMMON: &[&str] = &[
    "add",
    "all",
    "any",
    "append",
    "apply",
    "call",
    "clear",
    "clone",
    "close",
    "connect",
    "contains",
    "copy",
    "count",
    "create",
    "decode",
    "delete",
    "each",
    "emit",
    "encode",
    "end",
    "entries",
    "equals",
    "error",
    "exec",
    "execute",
    "exists",
    "expect",
    "extend",
    "fetch",
    "filter",
    "find",
    "first",
    "flush",
    "forEach",
    "format",
    "from",
    "get",
    "has",
    "hash",
    "index",
    "info",
    "init",
    "insert",
    "into",
    "is_empty",
    "items",
    "iter",
    "join",
    "keys",
    "last",
    "len",
    "length",
    "list",
    "load",
    "lock",
    "log",
    "main",
    "map",
    "match",
    "merge",
    "name",
    "new",
    "next",
    "of",
    "on",
    "open",
    "parse",
    "path",
    "pop",
    "print",
    "push",
    "put",
    "query",
    "read",
    "readline",
    "reduce",
    "remove",
    "replace",
    "reset",
    "resolve",
    "run",
    "save",
    "search",
    "seek",
    "send",
    "set",
    "setup",
    "size",
    "sort",
    "split",
    "start",
    "stop",
    "strip",
    "sub",
    "test",
    "text",
    "then",
    "to_string",
    "toString",
    "trim",
    "type",
    "unwrap",
    "update",
    "value",
    "values",
    "wait",
    "warn",
    "write",
    "writeln",
    "Close",
    "Error",
    "Get",
    "Read",
    "Write",
    "String",
    "Run",
    "Set",
    "Add",
    "Len",
    "Name",
    "Open",
    "Start",
    "Stop",
    "Next",
    "Reset",
];

/// Types whose methods are those of what they hold.
const WRAPPERS: &[&str] = &[
    "Optional",
    "Annotated",
    "Final",
    "ClassVar",
    "Required",
    "NotRequired",
    "Awaitable",
    "Coroutine",
    "Iterator",
    "AsyncIterator",
    "Generator",
    "AsyncGenerator",
    "ContextManager",
    "AbstractContextManager",
    "Promise",
    "PromiseLike",
    "Readonly",
    "Partial",
    "Required",
    "NonNullable",
    "Ref",
    "ComputedRef",
    "Box",
    "Arc",
    "Rc",
    "Cow",
    "Pin",
    "RefMut",
    "Cell",
    "RefCell",
    "Weak",
    "OnceCell",
    "OnceLock",
    "LazyLock",
    "LazyCell",
    "Mutex",
    "RwLock",
    "ArcSwap",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "Option",
    "Result",
    "unique_ptr",
    "shared_ptr",
    "std::unique_ptr",
    "std::shared_ptr",
    "Optional",
    "Provider",
    "Lazy",
    "CompletableFuture",
    "Task",
    "ValueTask",
    "Nullable",
    "Awaited",
];
/// Methods of wrappers that give what they hold.
const IDENTITIES: &[&str] = &[
    "unwrap",
    "expect",
    "as_ref",
    "as_mut",
    "clone",
    "borrow",
    "borrow_mut",
    "lock",
    "read",
    "write",
    "await",
    "to_owned",
    "unwrap_or_default",
    "unwrap_or_else",
    "unwrap_or",
    "ok",
    "as_deref",
    "as_deref_mut",
    "deref",
    "iter",
    "into_inner",
    "cloned",
    "copied",
    "take",
    "replace",
    "upgrade",
    "get_mut",
    "get_or_init",
    "load",
    "load_full",
    "ok_or",
    "ok_or_else",
    "map_err",
    "try_lock",
    "try_borrow",
    "try_borrow_mut",
    "context",
    "with_context",
];

/// Lookups that one reference may cost. Types that are said in terms of each other can be followed in endlessly many ways; a
/// reference that needs more stays unknown.
const STEPS: u32 = 400;
/// Definitions of one name in one scope that are compared, from each end.
const MOST_COMPARED: usize = 64;
/// Bindings of one name that are looked at.
const MOST_BINDINGS: usize = 6;

/// What an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// The symbol itself: a function, a class, a variable.
    Symbol(u32),
    /// Something of a class.
    Instance(u32),
    /// The bases of a class.
    Super(u32),
    /// A file, or from the number of files on a package.
    Module(u32),
    /// The object literal that a function gives back.
    Made(u32),
    /// Outside of the project.
    External,
    Unknown,
}

/// How sure a value is: worse ways outrank better ones.
type Way = u8;

/// Where a function of C exists.
enum Platforms {
    /// As far as the file says everywhere.
    Any,
    /// Where a condition holds that names platforms; elsewhere the name means something else.
    Some,
    /// The file has one of these for each.
    Each(Vec<u32>),
}

/// What resolving one file gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) edges: Vec<DraftEdge>,
    pub(crate) record: Record,
}

struct Keys {
    this: FxHashSet<u64>,
    parents: FxHashSet<u64>,
    common: FxHashSet<u64>,
    identities: FxHashSet<u64>,
    default: u64,
    wildcard: u64,
    companion: u64,
}

pub(crate) struct Project<'a> {
    facts: &'a Facts<'a>,
    heads: &'a [Head<'a>],
    paths: &'a [&'a str],
    path_keys: Vec<u64>,
    families: &'a [Family],
    /// Number of the symbol of each file; its own symbols follow.
    bases_of_files: Vec<u32>,
    file_of: Vec<u32>,
    briefs: Vec<Brief>,
    modules: &'a Modules<'a>,
    names: Names<'a>,
    tables: Vec<OnceLock<Table>>,
    /// Bindings by scope, fields by their class.
    bindings: Vec<OnceLock<Multi>>,
    parents: Vec<u32>,
    /// The class around each symbol that stands in one.
    enclosing: Vec<u32>,
    /// The class of each symbol that belongs to one, wherever it stands.
    owner: Vec<u32>,
    /// Methods by class that stand away from it.
    attached: Multi,
    supers: FxHashMap<u32, Vec<u32>>,
    derived: FxHashMap<u32, Vec<u32>>,
    /// The files and packages that each file imports from.
    next: Vec<Vec<u32>>,
    reach: Reach,
    /// For each file of C++ those that it includes, directly or through others, a bit each.
    included: Vec<OnceLock<Vec<u64>>>,
    /// Files of C# that may state usings for their whole project.
    globals: OnceLock<Vec<u32>>,
    around: Vec<OnceLock<csharp::Around>>,
    /// The other parts of partial classes of C#.
    parts: RwLock<FxHashMap<u32, Option<Arc<[u32]>>>>,
    keys: Keys,
    stage: Stage,
}

/// Files are resolved in stages; each sees what all files gave in the stages before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Methods that stand away from their types.
    Attach,
    /// Bases of classes.
    Bases,
    /// Everything else.
    Edges,
}

/// What one file declares, by symbol and name.
struct Table {
    scope: Multi,
    imports: Multi,
    /// Places of the imports of everything.
    wildcards: Vec<u32>,
    /// What each import means.
    targets: Vec<Target>,
    /// Places of the references that decorate a symbol.
    decorators: FxHashMap<u32, Vec<u32>>,
}

/// Which files a file can have values from.
enum Reach {
    /// A row of bits for each file.
    Sets { rows: Vec<u64>, words: usize },
    /// Rows found when they are asked for.
    Rows(Vec<OnceLock<Vec<u64>>>),
}

thread_local! {
    /// Chains being followed in this thread, so that a circle of imports or aliases ends.
    static FOLLOWING: RefCell<Vec<(u32, u32)>> = const { RefCell::new(Vec::new()) };
    /// Lookups left to the reference that is being resolved in this thread.
    static STEPS_LEFT: Cell<u32> = const { Cell::new(STEPS) };
    /// Where what is being followed in this thread is written.
    static HERE: Cell<Here> = const { Cell::new(Here::NOWHERE) };
    /// Modules, and those whose names they pass on, in which that reference found no such name: in a ring of modules that pass on
    /// each other's names there are endlessly many ways to each.
    static BARREN: RefCell<FxHashMap<(u32, u32), Value>> = RefCell::new(FxHashMap::default());
}

/// Where a name is written: which of its values is meant goes by that.
#[derive(Clone, Copy)]
struct Here {
    place: u32,
    line: u32,
    /// Outside of everything that the file defines.
    top: bool,
    /// The last line of the block that the name is one of; 0 for none.
    block: u32,
    /// It may be one of a block around that one as well, or of the symbol as a whole.
    outer: bool,
}

impl Here {
    const NOWHERE: Here = Here::new(NONE, 0, false);

    const fn new(place: u32, line: u32, top: bool) -> Here {
        Here { place, line, top, block: 0, outer: true }
    }
}

/// Gives the next reference its lookups; `here` is where it is written.
fn start_reference(here: Here) {
    STEPS_LEFT.set(STEPS);
    HERE.set(here);
    BARREN.with_borrow_mut(|barren| {
        if !barren.is_empty() {
            barren.clear();
        }
    });
}

/// Takes one lookup; false when none is left.
fn step() -> bool {
    let left = STEPS_LEFT.get();
    STEPS_LEFT.set(left.saturating_sub(1));
    left > 0
}

fn is_type(kind: u8) -> bool {
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
fn is_block(kind: u8) -> bool {
    KINDS[kind as usize].0 == SymbolKind::Test
}

fn is_callable(kind: u8) -> bool {
    matches!(
        KINDS[kind as usize].0,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Property | SymbolKind::Macro
    )
}

/// Parts of a path as written: name and whether it is called. Separators are `.`, `::`, `->`, `\` and `:`.
fn parts_of(path: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let bytes = path.as_bytes();
    let (mut start, mut at, mut depth) = (0, 0, 0i32);
    while at <= bytes.len() {
        let byte = bytes.get(at).copied().unwrap_or(b'.');
        match byte {
            b'(' | b'[' | b'<' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'>' if at == 0 || bytes[at - 1] != b'-' => depth -= 1,
            _ => {}
        }
        let arrow = byte == b'-' && bytes.get(at + 1) == Some(&b'>');
        if at == bytes.len() || depth <= 0 && (matches!(byte, b'.' | b':' | b'\\') || arrow) {
            let part = path[start..at].trim_matches('?');
            if !part.is_empty() {
                parts.push(match part.strip_suffix("()") {
                    Some(called) => (called, true),
                    None => (part, false),
                });
            }
            at += 1 + usize::from(arrow);
            start = at;
        } else {
            at += 1;
        }
    }
    parts
}

/// Resolves all files; symbols are numbered file by file, each file's own symbol first. With the results comes the parent of each symbol.
pub(crate) fn resolve<'a>(
    facts: &'a Facts<'a>,
    heads: &'a [Head<'a>],
    paths: &'a [&'a str],
    families: &'a [Family],
    modules: &'a Modules<'a>,
) -> (Vec<Resolved>, Vec<u32>) {
    let mut project = Project::new(facts, heads, paths, families, modules, None);
    let all: Vec<u32> = (0..facts.len() as u32).collect();
    let attached = project.of_files(&all, Project::attach_file);
    project.set_attached(attached.iter().flat_map(|(pairs, _)| pairs).copied());
    project.stage = Stage::Bases;
    let bases = project.of_files(&all, Project::bases_file);
    project.set_bases(bases.iter().flat_map(|(pairs, _)| pairs).copied());
    project.stage = Stage::Edges;
    let next = project.of_files(&all, Project::next_file);
    project.next = next.iter().map(|(list, _)| list.clone()).collect();
    let words = all.len().div_ceil(64);
    project.reach = Reach::Sets { rows: rows_of(&project.next, &modules.packages), words };
    let edges = project.of_files(&all, Project::edges_file);
    let resolved = attached
        .into_iter()
        .zip(bases)
        .zip(next)
        .zip(edges)
        .map(|(((attached, bases), next), edges)| Resolved::new(attached, bases, next, edges))
        .collect();
    (resolved, project.parents)
}

/// A result and what it asked of other files.
type Recorded<T> = (T, Vec<u32>);
/// The edges of a file, and how often each name was left without a target.
type FileEdges = (Vec<DraftEdge>, Vec<(u32, u32)>);

impl Resolved {
    fn new(
        attached: Recorded<Vec<(u32, u32)>>,
        bases: Recorded<Vec<(u32, u32)>>,
        next: Recorded<Vec<u32>>,
        edges: Recorded<FileEdges>,
    ) -> Self {
        let mut asked = [attached.1, bases.1, next.1, edges.1].concat();
        asked.sort_unstable();
        asked.dedup();
        let (edges, unresolved) = edges.0;
        Self { edges, record: Record { attached: attached.0, bases: bases.0, next: next.0, asked, unresolved } }
    }
}

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
    let changed: Vec<u32> = before.iter().map(|(place, _)| *place).collect();
    let mut project = Project::new(facts, heads, paths, families, modules, Some((graph, &changed)));
    let mut questions = Questions::new();
    let mut now = match &project.names {
        Names::Older { now, .. } => now.clone(),
        Names::All { .. } => return None,
    };
    let mut dirty = vec![false; files as usize];
    for &(place, older) in before {
        dirty[place as usize] = true;
        let newer = facts.file(place);
        project.differences(place, older, newer, &mut questions);
        let known: FxHashMap<u64, u32> = identities(newer).into_iter().zip(0..).collect();
        let (first, own) = (graph.symbols_of_file(place).start, project.bases_of_files[place as usize]);
        *now.get_mut(first as usize)? = own;
        for (local, identity) in identities(older).into_iter().enumerate() {
            let symbol = now.get_mut(first as usize + 1 + local)?;
            *symbol = known.get(&identity).map_or(NONE, |&local| own + 1 + local);
        }
    }
    let to_now = |symbol: u32| now.get(symbol as usize).copied().unwrap_or(NONE);
    let gone = |symbol: u32| to_now(symbol) == NONE;
    for &(place, _) in before {
        for symbol in graph.symbols_of_file(place).filter(|&symbol| gone(symbol)) {
            graph.sources_of(symbol).into_iter().for_each(|from| dirty[graph.file_of(from) as usize] = true);
        }
    }
    let records = (0..files).into_par_iter().with_min_len(64).map(|place| graph.record(place));
    let older: Vec<Record> = records.collect::<Option<_>>()?;
    let nodes = files + modules.packages.len() as u32;
    if older.iter().any(|record| record.next.last().is_some_and(|&last| last >= nodes)) {
        return None;
    }
    for (place, record) in older.iter().enumerate() {
        let pairs = record.attached.iter().chain(&record.bases);
        dirty[place] |= pairs.into_iter().any(|&(one, other)| gone(one) || gone(other));
    }
    let mapped = |pairs: &[(u32, u32)]| -> Vec<(u32, u32)> {
        pairs.iter().map(|&(one, other)| (to_now(one), to_now(other))).collect()
    };
    loop {
        for (place, record) in older.iter().enumerate() {
            dirty[place] |= record.asked.iter().any(|&question| questions.has(question));
        }
        let list: Vec<u32> = (0..files).filter(|&place| dirty[place as usize]).collect();
        let mut place_of = vec![usize::MAX; files as usize];
        list.iter().enumerate().for_each(|(index, &place)| place_of[place as usize] = index);
        let mut more = Questions::new();

        project.stage = Stage::Attach;
        let attached = project.of_files(&list, Project::attach_file);
        let mut all = Vec::new();
        let mut grown = false;
        for (place, record) in older.iter().enumerate() {
            let then = mapped(&record.attached);
            let Some((found, _)) = attached.get(place_of[place]) else {
                all.extend(then);
                continue;
            };
            if *found != then {
                project.attachments_differ(place as u32, found.iter().chain(&then), &mut more);
                // What a file asks of itself is not kept, and its classes have other members now.
                for &(_, class) in found.iter().chain(&then).filter(|(_, class)| *class != NONE) {
                    let home = project.file_of[class as usize] as usize;
                    grown |= !std::mem::replace(&mut dirty[home], true);
                }
            }
            all.extend(found);
        }
        project.set_attached(all.into_iter());

        project.stage = Stage::Bases;
        let bases = project.of_files(&list, Project::bases_file);
        let mut all = Vec::new();
        for (place, record) in older.iter().enumerate() {
            let then = mapped(&record.bases);
            let Some((found, _)) = bases.get(place_of[place]) else {
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
        project.next = older
            .iter()
            .enumerate()
            .map(|(place, record)| {
                next.get(place_of[place]).map_or_else(|| record.next.clone(), |(found, _)| found.clone())
            })
            .collect();
        if project.next.iter().zip(&older).any(|(found, record)| *found != record.next) {
            let then: Vec<Vec<u32>> = older.iter().map(|record| record.next.clone()).collect();
            for place in project.reach_differs(&then, &older) {
                grown |= !std::mem::replace(&mut dirty[place as usize], true);
            }
        }
        for (place, record) in older.iter().enumerate() {
            if !dirty[place] && record.asked.iter().any(|&question| more.has(question)) {
                dirty[place] = true;
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
        for ((((&place, attached), bases), next), edges) in parts {
            resolved[place as usize] = Some(Resolved::new(attached, bases, next, edges));
        }
        let records = older
            .into_iter()
            .map(|record| Record { attached: mapped(&record.attached), bases: mapped(&record.bases), ..record })
            .collect();
        return Some(Rebuilt { resolved, records, parents: project.parents, now });
    }
}

/// What each symbol of a file is: its name and kind and those of what it stands in, and which one of several such.
fn identities(file: &File<'_>) -> Vec<u64> {
    let mut seen: FxHashMap<(u32, u64, u8), u32> = FxHashMap::default();
    let own: Vec<u64> = file
        .symbols
        .iter()
        .map(|symbol| {
            let key = file.keys[symbol.name as usize];
            let place = seen.entry((symbol.parent, key, symbol.kind)).or_default();
            *place += 1;
            digest(&[key, u64::from(symbol.kind), u64::from(*place)])
        })
        .collect();
    (0..file.symbols.len())
        .map(|local| {
            let (mut identity, mut at) = (own[local], file.symbols[local].parent);
            for _ in 0..64 {
                let Some(symbol) = file.symbols.get(at as usize) else { break };
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

impl<'a> Project<'a> {
    fn new(
        facts: &'a Facts<'a>,
        heads: &'a [Head<'a>],
        paths: &'a [&'a str],
        families: &'a [Family],
        modules: &'a Modules<'a>,
        older: Option<(&'a Graph, &[u32])>,
    ) -> Self {
        let mut bases_of_files = Vec::with_capacity(heads.len());
        let mut file_of = Vec::new();
        for (place, head) in heads.iter().enumerate() {
            bases_of_files.push(file_of.len() as u32);
            file_of.resize(file_of.len() + 1 + head.symbols as usize, place as u32);
        }
        let keys = Keys {
            this: ["self", "cls", "this", "$this", "Self", "static", "@", "__MODULE__"]
                .map(key_of)
                .into_iter()
                .collect(),
            parents: ["super", "base", "parent", "Base"].map(key_of).into_iter().collect(),
            common: COMMON.iter().map(|name| key_of(name)).collect(),
            identities: IDENTITIES.iter().map(|name| key_of(name)).collect(),
            default: key_of("default"),
            wildcard: key_of("*"),
            companion: key_of("Companion"),
        };
        let is_changed = |place: u32| older.is_none_or(|(_, changed)| changed.contains(&place));
        let parts: Vec<(Vec<Brief>, Vec<u32>)> = (0..heads.len() as u32)
            .into_par_iter()
            .with_min_len(32)
            .map(|place| {
                let own = bases_of_files[place as usize];
                if let Some((graph, _)) = older.filter(|_| !is_changed(place)) {
                    let symbols = graph.symbols_of_file(place);
                    let first = symbols.start;
                    let parents = symbols.clone().map(|symbol| {
                        let parent = graph.parent(symbol).filter(|parent| symbols.contains(parent));
                        parent.map_or(NONE, |parent| parent - first + own)
                    });
                    return (symbols.clone().map(|symbol| graph.brief(symbol)).collect(), parents.collect());
                }
                let file = facts.file(place);
                let parents = file.symbols.iter().map(|symbol| match symbol.parent {
                    NONE => own,
                    local => own + 1 + local,
                });
                (briefs_of(file).collect(), std::iter::once(NONE).chain(parents).collect())
            })
            .collect();
        let mut briefs: Vec<Brief> = Vec::with_capacity(file_of.len());
        let mut parents: Vec<u32> = Vec::with_capacity(file_of.len());
        for (some_briefs, some_parents) in parts {
            briefs.extend(some_briefs);
            parents.extend(some_parents);
        }
        let (mut by_family, mut by_package) = (Vec::new(), Vec::new());
        for (place, head) in heads.iter().enumerate().filter(|(place, _)| is_changed(*place as u32)) {
            let own = bases_of_files[place];
            for symbol in own + 1..=own + head.symbols {
                let brief = briefs[symbol as usize];
                if is_block(brief.kind) {
                    continue;
                }
                by_family.push((families[place] as u32, brief.key, symbol));
                if brief.top && modules.package_of[place] != NONE {
                    by_package.push((modules.package_of[place], brief.key, symbol));
                }
            }
        }
        let (by_family, by_package) = (Multi::new(by_family), Multi::new(by_package));
        let names = match older {
            None => Names::All { families: by_family, packages: by_package },
            Some((graph, _)) => {
                let mut now = vec![NONE; graph.symbol_count() as usize];
                for place in (0..heads.len() as u32).filter(|&place| !is_changed(place)) {
                    let symbols = graph.symbols_of_file(place);
                    for (offset, symbol) in symbols.enumerate() {
                        now[symbol as usize] = bases_of_files[place as usize] + offset as u32;
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
    fn of_files<T: Send>(&self, places: &[u32], work: impl Fn(&Self, u32) -> T + Sync) -> Vec<Recorded<T>> {
        places.par_iter().map(|&place| recorded(place, || work(self, place))).collect()
    }

    /// The name under which a file knows an import; `None` for imports of everything.
    fn import_key(&self, place: u32, file: &File<'_>, import: &crate::cache::Import, target: Target) -> Option<u64> {
        let which = self.families[place as usize];
        let name = file.string(import.name);
        let bare = import.name == NONE && import.alias == NONE;
        if name == "*" && import.alias == NONE
            || bare && matches!(which, Family::CSharp | Family::C | Family::Ruby | Family::Shell | Family::Julia)
        {
            return None;
        }
        if import.alias != NONE {
            return Some(file.keys[import.alias as usize]);
        }
        if import.name != NONE {
            return Some(file.keys[import.name as usize]);
        }
        let module = file.string(import.module);
        Some(match which {
            Family::Python => key_of(module.split('.').next().unwrap_or(module)),
            Family::Go => {
                let declared = match target {
                    Target::Module(module) if module >= self.modules.files() => {
                        let member = self.modules.packages[(module - self.modules.files()) as usize][0];
                        self.heads[member as usize].module
                    }
                    _ => "",
                };
                let last = module.rsplit('/').find(|part| !is_version(part)).unwrap_or(module);
                key_of(if declared.is_empty() { last } else { declared })
            }
            _ => key_of(module.rsplit(['.', ':', '\\', '/']).next().unwrap_or(module)),
        })
    }

    fn targets_of(&self, place: u32, file: &File<'_>) -> Vec<Target> {
        let mut known: FxHashMap<u32, Target> = FxHashMap::default();
        let resolve = |module: u32| self.modules.resolve(place, file.string(module));
        file.imports
            .iter()
            .map(|import| *known.entry(import.module).or_insert_with(|| resolve(import.module)))
            .collect()
    }

    fn table_of(&self, place: u32) -> Table {
        let file = self.facts.file(place);
        let own = self.bases_of_files[place as usize];
        let global = |local: u32| if local == NONE { own } else { own + 1 + local };
        let targets = self.targets_of(place, file);
        let mut scope = Vec::with_capacity(file.symbols.len());
        for (local, symbol) in file.symbols.iter().enumerate() {
            // A method away from its type is found through the type alone.
            let is_named = symbol.parent != NONE || file.string(symbol.container).is_empty();
            if is_named && !is_block(symbol.kind) {
                scope.push((global(symbol.parent), file.keys[symbol.name as usize], own + 1 + local as u32));
            }
        }
        let (mut imports, mut wildcards) = (Vec::with_capacity(file.imports.len()), Vec::new());
        for (local, import) in file.imports.iter().enumerate() {
            match self.import_key(place, file, import, targets[local]) {
                Some(key) => imports.push((global(import.inside), key, local as u32)),
                None => wildcards.push(local as u32),
            }
        }
        let mut decorators: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        if self.families[place as usize] == Family::Python {
            for (number, reference) in file.references.iter().enumerate() {
                if reference.kind == ReferenceKind::Decorate && reference.inside != NONE {
                    decorators.entry(global(reference.inside)).or_default().push(number as u32);
                }
            }
        }
        Table { scope: Multi::new(scope), imports: Multi::new(imports), wildcards, targets, decorators }
    }

    /// What a file says of names, by the symbol in which it holds; of fields by their class, where that stands in the file.
    fn bindings_of(&self, place: u32) -> Multi {
        let file = self.facts.file(place);
        let entries = file.bindings.iter().enumerate().filter_map(|(local, binding)| {
            let inside = self.global(place, binding.inside);
            match file.string(binding.name).strip_prefix("self.") {
                None => Some((inside, file.keys[binding.name as usize], local as u32)),
                Some(field) => {
                    let class = self.class_around(inside).unwrap_or(inside);
                    (self.file_of[class as usize] == place).then(|| (class, key_of(field), local as u32))
                }
            }
        });
        Multi::new(entries.collect())
    }

    /// Adds a question for everything that others can ask of a file and that is another in its newer facts.
    fn differences(&self, place: u32, older: &File<'_>, newer: &File<'_>, questions: &mut Questions) {
        let (then, now) = (self.said(place, older), self.said(place, newer));
        let differing = then.iter().filter(|(key, digest)| now.get(key) != Some(digest));
        let added = now.keys().filter(|key| !then.contains_key(key));
        for key in differing.map(|(key, _)| key).chain(added) {
            self.ask(place, *key, questions);
        }
    }

    /// Adds the questions that a name of a file can answer.
    fn ask(&self, place: u32, key: u64, questions: &mut Questions) {
        questions.add(asked(self.path_keys[place as usize], key));
        questions.add(asked(about::FAMILY ^ self.families[place as usize] as u64, key));
        questions.add(asked(about::PACKAGE ^ u64::from(self.modules.package_of[place as usize]), key));
    }

    /// What a file says of each name, as far as another file can be told it: one number each.
    fn said(&self, place: u32, file: &File<'_>) -> FxHashMap<u64, u64> {
        let identities = identities(file);
        let inside = |local: u32| identities.get(local as usize).copied().unwrap_or(0);
        let text = |number: u32| if number == NONE { 0 } else { file.keys[number as usize] };
        let mut said: FxHashMap<u64, u64> = FxHashMap::default();
        let mut say = |key: u64, parts: &[u64]| {
            let before = said.entry(key).or_default();
            *before = digest(&[*before, digest(parts)]);
        };
        let mut decorators: FxHashMap<u32, u64> = FxHashMap::default();
        for reference in file.references.iter().filter(|reference| reference.kind == ReferenceKind::Decorate) {
            let before = decorators.entry(reference.inside).or_default();
            *before = digest(&[*before, text(reference.name), text(reference.qualifier)]);
        }
        for (local, symbol) in file.symbols.iter().enumerate() {
            let exported = symbol.exported.map_or(0, |exported| 1 + u64::from(exported));
            let flags = exported | u64::from(symbol.test) << 2 | u64::from(symbol.lines.1 > symbol.lines.0) << 3;
            let flags = flags | u64::from(csharp::is_partial(file, symbol)) << 4;
            let decorated = decorators.get(&(local as u32)).copied().unwrap_or(0);
            let parts = [1, identities[local], text(symbol.container), text(symbol.returns), flags, decorated];
            say(file.keys[symbol.name as usize], &parts);
            if symbol.parent == NONE && exported == 2 && (is_callable(symbol.kind) || is_type(symbol.kind)) {
                say(about::EXPORTS, &[identities[local]]);
            }
        }
        let mut lines: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for binding in &file.bindings {
            lines.entry(text(binding.name)).or_default().push(binding.line);
        }
        for binding in &file.bindings {
            let name = file.string(binding.name);
            // Which value of another name it was given goes by what had been said of that one before.
            let root = key_of(crate::walk::root_of(file.string(binding.of).trim_start_matches('=')));
            let before = lines.get(&root).map_or(0, |lines| lines.iter().filter(|&&line| line <= binding.line).count());
            let length = u64::from(binding.until.saturating_sub(binding.line));
            let parts = digest(&[inside(binding.inside), text(binding.of), before as u64, length]);
            match name.strip_prefix("self.") {
                Some(field) => say(key_of(field), &[2, parts]),
                None => say(text(binding.name), &[3, parts]),
            }
        }
        let targets = self.targets_of(place, file);
        for (import, target) in file.imports.iter().zip(targets) {
            let key = self.import_key(place, file, import, target).unwrap_or(about::WILDCARDS);
            let passed_on = u64::from(import.reexport) | u64::from(import.conditional) << 1;
            let parts = [text(import.module), text(import.name), text(import.alias), inside(import.inside), passed_on];
            say(key, &[4, digest(&parts)]);
        }
        said
    }

    /// Adds the questions whose answers change where methods of a file belong to other classes than before.
    fn attachments_differ<'p>(
        &self,
        place: u32,
        pairs: impl Iterator<Item = &'p (u32, u32)>,
        questions: &mut Questions,
    ) {
        let file = self.facts.file(place);
        for symbol in &file.symbols {
            self.ask(place, file.keys[symbol.name as usize], questions);
        }
        for binding in &file.bindings {
            let name = file.string(binding.name);
            self.ask(place, key_of(name.strip_prefix("self.").unwrap_or(name)), questions);
        }
        for &(method, class) in pairs.filter(|(method, class)| *method != NONE && *class != NONE) {
            self.ask(self.file_of[class as usize], self.key(method), questions);
        }
    }

    /// Adds the questions whose answers change where classes have other bases than before.
    fn bases_differ<'p>(&self, pairs: impl Iterator<Item = &'p (u32, u32)>, questions: &mut Questions) {
        let of = |symbol: u32| self.path_keys[self.file_of[symbol as usize] as usize];
        for &(class, base) in pairs {
            if class != NONE {
                questions.add(asked(of(class), about::SUPERS ^ self.key(class)));
            }
            if base != NONE {
                questions.add(asked(of(base), about::DERIVED ^ self.key(base)));
            }
        }
    }

    /// Files that asked for a name which a file has that they did not reach before, or do not any more.
    fn reach_differs(&self, then: &[Vec<u32>], records: &[Record]) -> Vec<u32> {
        let words = self.facts.len().div_ceil(64);
        let (then, now) = (rows_of(then, &self.modules.packages), rows_of(&self.next, &self.modules.packages));
        let mut known: FxHashMap<(Vec<u64>, Family), Questions> = FxHashMap::default();
        let mut found = Vec::new();
        for (place, record) in records.iter().enumerate() {
            let range = place * words..(place + 1) * words;
            let which = self.families[place];
            if then[range.clone()] == now[range.clone()] || !is_reach_asked(which) && which != Family::C {
                continue;
            }
            let differing: Vec<u64> = then[range.clone()].iter().zip(&now[range]).map(|(a, b)| a ^ b).collect();
            let questions = known.entry((differing, which)).or_insert_with_key(|(differing, which)| {
                let mut questions = Questions::new();
                let files = (0..self.facts.len()).filter(|file| differing[file / 64] >> (file % 64) & 1 == 1);
                for file in files.filter(|&file| self.families[file] == *which) {
                    let own = self.bases_of_files[file];
                    for symbol in own + 1..=own + self.heads[file].symbols {
                        questions.add(asked(about::FAMILY ^ *which as u64, self.key(symbol)));
                    }
                    if *which == Family::C {
                        for key in self.declared_names(file as u32) {
                            questions.add(asked(about::FAMILY ^ *which as u64, key));
                        }
                    }
                }
                questions
            });
            if record.asked.iter().any(|&question| questions.has(question)) {
                found.push(place as u32);
            }
        }
        found
    }

    fn global(&self, file: u32, local: u32) -> u32 {
        let own = self.bases_of_files[file as usize];
        if local == NONE { own } else { own + 1 + local }
    }

    fn is_file(&self, symbol: u32) -> bool {
        self.bases_of_files[self.file_of[symbol as usize] as usize] == symbol
    }

    fn fact(&self, symbol: u32) -> Option<(&'a File<'a>, &'a crate::cache::Symbol)> {
        let place = self.file_of[symbol as usize];
        let file = self.facts.file(place);
        (symbol.checked_sub(self.bases_of_files[place as usize] + 1)).map(|local| (file, &file.symbols[local as usize]))
    }

    fn kind(&self, symbol: u32) -> u8 {
        self.briefs[symbol as usize].kind
    }

    fn kind_of(&self, symbol: u32) -> SymbolKind {
        KINDS[self.kind(symbol) as usize].0
    }

    fn key(&self, symbol: u32) -> u64 {
        self.briefs[symbol as usize].key
    }

    fn name(&self, symbol: u32) -> &'a str {
        self.fact(symbol).map_or("", |(file, symbol)| file.string(symbol.name))
    }

    /// Notes that the file being resolved asked for something of another one.
    fn note(&self, file: u32, what: u64) {
        note(file, || self.path_keys[file as usize], what);
    }

    fn table(&self, place: u32) -> &Table {
        self.tables[place as usize].get_or_init(|| self.table_of(place))
    }

    /// The symbols of a name in a scope: a symbol, or a file by its symbol.
    fn scope(&self, group: u32, key: u64) -> Cow<'_, [u32]> {
        // A file stands in nothing.
        let Some(&place) = self.file_of.get(group as usize) else { return Cow::Borrowed(&[]) };
        self.note(place, key);
        let here = self.table(place).scope.get(group, key);
        if self.stage == Stage::Attach || self.attached.is_empty() {
            return Cow::Borrowed(here);
        }
        merged(here, self.attached.get(group, key))
    }

    /// The imports under a name in a scope.
    fn imports(&self, group: u32, key: u64) -> &[u32] {
        let Some(&place) = self.file_of.get(group as usize) else { return &[] };
        self.note(place, key);
        self.table(place).imports.get(group, key)
    }

    /// What is said of a name in a scope.
    fn bindings(&self, group: u32, key: u64) -> &[u32] {
        if self.stage == Stage::Attach {
            return &[];
        }
        let Some(&place) = self.file_of.get(group as usize) else { return &[] };
        self.note(place, key);
        self.bindings[place as usize].get_or_init(|| self.bindings_of(place)).get(group, key)
    }

    fn wildcards(&self, place: u32) -> &[u32] {
        self.note(place, about::WILDCARDS);
        &self.table(place).wildcards
    }

    fn decorators(&self, symbol: u32) -> &[u32] {
        self.table(self.file_of[symbol as usize]).decorators.get(&symbol).map_or(&[], Vec::as_slice)
    }

    fn owner(&self, symbol: u32) -> u32 {
        if self.stage == Stage::Attach { self.enclosing[symbol as usize] } else { self.owner[symbol as usize] }
    }

    fn supers(&self, class: u32) -> &[u32] {
        // A method may belong to no class.
        let Some(&place) = self.file_of.get(class as usize) else { return &[] };
        self.note(place, about::SUPERS ^ self.key(class));
        if self.stage < Stage::Edges {
            return &[];
        }
        self.supers.get(&class).map_or(&[], Vec::as_slice)
    }

    fn derived(&self, class: u32) -> &[u32] {
        // Classes of other files may derive from one of this file, so this is asked of all.
        note(NONE - 1, || self.path_keys[self.file_of[class as usize] as usize], about::DERIVED ^ self.key(class));
        if self.stage < Stage::Edges {
            return &[];
        }
        self.derived.get(&class).map_or(&[], Vec::as_slice)
    }

    /// All symbols of a name in a family.
    fn names(&self, which: Family, key: u64, name: &str) -> Cow<'_, [u32]> {
        note(NONE - 1, || about::FAMILY ^ which as u64, key);
        match &self.names {
            Names::All { families, .. } => Cow::Borrowed(families.get(which as u32, key)),
            Names::Older { graph, now, families, .. } => {
                let fits = |symbol: &u32| {
                    self.families[self.file_of[*symbol as usize] as usize] == which && !is_block(self.kind(*symbol))
                };
                let older = graph.named(name).iter().map(|&symbol| now[symbol as usize]);
                let older: Vec<u32> =
                    older.filter(|&symbol| symbol != NONE && !self.is_file(symbol)).filter(fits).collect();
                Cow::Owned(merged(&older, families.get(which as u32, key)).into_owned())
            }
        }
    }

    /// The symbols of a name among which the one meant can be looked for; `None` where there is none or there are very many.
    fn namesakes(&self, which: Family, key: u64, name: &str) -> Option<Cow<'_, [u32]>> {
        let all = self.names(which, key, name);
        (!all.is_empty() && all.len() <= 4 * MOST_NAMESAKES).then_some(all)
    }

    /// The symbols of a name at the top of the files of a package.
    fn packages(&self, package: u32, key: u64, name: &str) -> Cow<'_, [u32]> {
        if package == NONE {
            return Cow::Borrowed(&[]);
        }
        note(NONE - 1, || about::PACKAGE ^ u64::from(package), key);
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

    /// The class that a symbol is or stands in.
    fn class_around(&self, symbol: u32) -> Option<u32> {
        let mut at = symbol;
        for _ in 0..64 {
            if is_type(self.kind(at)) {
                return Some(at);
            }
            if self.owner(at) != NONE {
                return Some(self.owner(at));
            }
            at = self.parents[at as usize];
            if at == NONE {
                return None;
            }
        }
        None
    }

    /// Methods of a file that stand away from their type, with it: in the same package, crate or, for C++ and Ruby, anywhere.
    fn attach_file(&self, place: u32) -> Vec<(u32, u32)> {
        let mut found: Vec<(u32, u32)> = Vec::new();
        let file = self.facts.file(place);
        for (local, symbol) in file.symbols.iter().enumerate() {
            let container = file.string(symbol.container);
            if symbol.parent != NONE || container.is_empty() {
                continue;
            }
            start_reference(Here::new(place, symbol.name_line, true));
            let name = container.rsplit('.').next().unwrap_or(container);
            let key = key_of(name);
            let number = self.global(place, local as u32);
            let which = self.families[place as usize];
            let here = self.scope(self.bases_of_files[place as usize], key);
            let near = self.packages(self.modules.package_of[place as usize], key, name);
            let classes = here.iter().chain(near.iter()).copied();
            let class = classes.clone().find(|&class| is_type(self.kind(class))).or_else(|| match which {
                Family::Rust => {
                    let root = self.modules.rust_root(place);
                    match self.lookup(place, NONE, key, name, false, 0).0 {
                        Value::Symbol(class) if is_type(self.kind(class)) => Some(class),
                        _ => self
                            .names(which, key, name)
                            .iter()
                            .copied()
                            .filter(|&class| is_type(self.kind(class)))
                            .find(|&class| self.modules.rust_root(self.file_of[class as usize]) == root),
                    }
                }
                Family::C | Family::Ruby | Family::Swift | Family::Lua | Family::Elixir | Family::CSharp => self
                    .names(which, key, name)
                    .iter()
                    .copied()
                    .filter(|&class| is_type(self.kind(class)) || self.kind_of(class) == SymbolKind::Module)
                    .max_by_key(|&class| {
                        let path = self.paths[self.file_of[class as usize] as usize];
                        let named = which == Family::C && self.is_called(class, container);
                        let seen = which == Family::C && self.includes(place, self.file_of[class as usize]);
                        (named, seen, shared_prefix(path, self.paths[place as usize]), std::cmp::Reverse(class))
                    }),
                _ => None,
            });
            if let Some(class) = class {
                found.push((number, class));
            }
        }
        found
    }

    fn set_attached(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        self.owner.clone_from(&self.enclosing);
        let mut entries = Vec::new();
        for (number, class) in pairs {
            self.owner[number as usize] = class;
            entries.push((class, self.key(number), number));
        }
        self.attached = Multi::new(entries);
        self.bindings.iter_mut().for_each(|slot| *slot = OnceLock::new());
    }

    /// The classes of a file with each of their bases in the project.
    fn bases_file(&self, place: u32) -> Vec<(u32, u32)> {
        let file = self.facts.file(place);
        let mut found: Vec<(u32, u32)> = Vec::new();
        for reference in &file.references {
            if !matches!(reference.kind, ReferenceKind::Inherit | ReferenceKind::Implement) || reference.inside == NONE
            {
                continue;
            }
            let class = self.global(place, reference.inside);
            let around = file.symbols[reference.inside as usize].parent;
            start_reference(Here::new(place, reference.line, around == NONE));
            let value = match self.path(place, around, file, reference.qualifier, reference.name, false, 0).0 {
                Value::Symbol(symbol) => Value::Symbol(self.as_type(symbol).unwrap_or(symbol)),
                value => value,
            };
            if let Value::Symbol(base) | Value::Instance(base) = value
                && base != class
                && (is_type(self.kind(base))
                    || self.families[place as usize] == Family::Ruby && self.kind_of(base) == SymbolKind::Module)
                && !found.contains(&(class, base))
            {
                found.push((class, base));
            }
        }
        found
    }

    fn set_bases(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
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

    /// The files, and from the number of files on packages, that a file imports from.
    fn next_file(&self, place: u32) -> Vec<u32> {
        let mut list = Vec::new();
        let file = self.facts.file(place);
        for (import, target) in file.imports.iter().zip(&self.table(place).targets) {
            if let Target::Module(module) = target {
                list.push(*module);
            }
            start_reference(Here::new(place, import.line, import.inside == NONE));
            match self.import_value(place, import, 0).0 {
                Value::Symbol(symbol) | Value::Instance(symbol) => list.push(self.file_of[symbol as usize]),
                Value::Module(module) => list.push(module),
                _ => {}
            }
        }
        let package = self.modules.package_of[place as usize];
        if package != NONE {
            list.push(self.modules.files() + package);
        }
        if self.families[place as usize] == Family::CSharp {
            list.extend(self.outer_namespaces(place).iter().map(|package| self.modules.files() + package));
            for &(file, import) in self.global_usings(place) {
                match self.import_module(file, &self.facts.file(file).imports[import as usize], 0).0 {
                    Value::Module(module) => list.push(module),
                    Value::Symbol(class) => list.push(self.file_of[class as usize]),
                    _ => {}
                }
            }
        }
        list.sort_unstable();
        list.dedup();
        list
    }

    fn reaches(&self, from: u32, to: u32) -> bool {
        if !is_reach_asked(self.families[from as usize]) {
            return true;
        }
        match &self.reach {
            Reach::Sets { rows, words } => {
                let word = rows[from as usize * words + to as usize / 64];
                word >> (to % 64) & 1 == 1
            }
            Reach::Rows(rows) => {
                let row = rows[from as usize].get_or_init(|| self.row_of(from));
                row[to as usize / 64] >> (to % 64) & 1 == 1
            }
        }
    }

    /// The files that one file reaches, itself among them.
    fn row_of(&self, from: u32) -> Vec<u64> {
        let files = self.facts.len();
        let mut seen = vec![0u64; (files + self.modules.packages.len()).div_ceil(64)];
        seen[from as usize / 64] |= 1 << (from % 64);
        let mut queue = vec![from];
        while let Some(node) = queue.pop() {
            let next = match (node as usize).checked_sub(files) {
                None => &self.next[node as usize],
                Some(package) => &self.modules.packages[package],
            };
            for &to in next {
                let word = &mut seen[to as usize / 64];
                if *word >> (to % 64) & 1 == 0 {
                    *word |= 1 << (to % 64);
                    queue.push(to);
                }
            }
        }
        seen.truncate(files.div_ceil(64));
        seen
    }

    /// The value of a path in a file: `qualifier` and then `name`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one reference")]
    fn path(
        &self,
        place: u32,
        inside: u32,
        file: &File<'a>,
        qualifier: u32,
        name: u32,
        local: bool,
        depth: u32,
    ) -> (Value, Way) {
        let text = file.string(name);
        let (clean, key) = match text.split_once(['<', '[']) {
            Some((clean, _)) => (clean, key_of(clean)),
            None => (text, file.keys[name as usize]),
        };
        if qualifier == NONE {
            return self.lookup(place, inside, key, clean, local, depth);
        }
        let (receiver, way) = self.evaluate(place, inside, file.string(qualifier), local, depth + 1);
        let (value, more) = self.member(receiver, key, clean, depth + 1);
        (value, way.max(more))
    }

    /// The value of an expression as written.
    fn evaluate(&self, place: u32, inside: u32, text: &str, local: bool, depth: u32) -> (Value, Way) {
        if depth > DEPTH || !step() {
            return (Value::Unknown, 0);
        }
        if text.starts_with("(literal)") {
            return (Value::External, 0);
        }
        if text.starts_with("(expr)") {
            return (Value::Unknown, 0);
        }
        let text = text.trim_start_matches("await ").trim_start_matches(['*', '&']);
        let parts = parts_of(text);
        let Some(&(first, called)) = parts.first() else { return (Value::Unknown, 0) };
        let which = self.families[place as usize];
        let first_name = first.split(['<', '[']).next().unwrap_or(first);
        let key = key_of(first_name);
        let absolute = text.starts_with("::") || text.starts_with('\\');
        let mut rest = 1;
        let (mut value, mut way) = if first_name.starts_with('@') && which == Family::Ruby {
            let class = self.class_around(self.global(place, inside));
            match class {
                Some(class) => {
                    self.member(Value::Instance(class), key_of(first_name.trim_start_matches('@')), "", depth + 1)
                }
                None => (Value::Unknown, 0),
            }
        } else if which == Family::Rust
            && matches!(first_name, "crate" | "super" | "self")
            && (parts.len() > 1 || !called)
        {
            match (first_name, self.class_around(self.global(place, inside))) {
                ("self", Some(class)) if !text.starts_with("self::") => (Value::Instance(class), 0),
                ("crate", _) => (Value::Module(self.modules.rust_root(place)), 0),
                ("super", _) => {
                    let here = self.global(place, inside);
                    let mut at = place;
                    let mut steps = 1;
                    while parts.get(rest).is_some_and(|part| part.0 == "super") {
                        rest += 1;
                        steps += 1;
                    }
                    // An inline module, as tests have it, is left first.
                    let mut symbol = self.global(place, inside);
                    while steps > 0 && symbol != NONE && !self.is_file(symbol) {
                        if self.kind_of(symbol) == SymbolKind::Module {
                            steps -= 1;
                        }
                        symbol = self.parents[symbol as usize];
                    }
                    if steps == 0 && symbol != here {
                        (self.inline_module(place, symbol), 0)
                    } else {
                        for _ in 0..steps {
                            at = self.modules.rust_parent(at).unwrap_or(at);
                        }
                        (Value::Module(at), 0)
                    }
                }
                _ => (self.inline_module(place, self.global(place, inside)), 0),
            }
        } else if which == Family::Python && first_name.starts_with('.') {
            (Value::Unknown, 0)
        } else {
            self.lookup(place, if absolute { NONE } else { inside }, key, first_name, local, depth)
        };
        // A dotted module path may be longer than the modules it goes through: `import a.b.c`.
        if which == Family::Python && value == Value::Unknown && !local && parts.len() > 1 {
            (value, way) = self.dotted_module(place, inside, &parts, &mut rest);
        }
        if which == Family::Elixir
            && value == Value::Unknown
            && let Some(module) = self.module_of_elixir(text)
        {
            return (Value::Symbol(module), resolution::IMPORT);
        }
        if called {
            value = self.called(value, depth + 1);
        } else if rest <= parts.len() && parts.len() > 1 {
            value = self.held(value, depth + 1);
        }
        for (index, &(part, called)) in parts.iter().enumerate().skip(rest) {
            let name = part.split(['<', '[']).next().unwrap_or(part);
            let key = key_of(name);
            let receiver = value;
            let (next, more) = self.member(value, key, name, depth + 1);
            value = next;
            way = way.max(more);
            if value == Value::Unknown || value == Value::External {
                // `#[derive(Default)]` writes the function that gives a value of the type.
                if which == Family::Rust
                    && called
                    && name == "default"
                    && let Value::Symbol(class) = receiver
                    && is_type(self.kind(class))
                {
                    value = Value::Instance(class);
                    continue;
                }
                let so_far = if index == rest { first_name } else { "" };
                if which == Family::CSharp
                    && let Some(other) = self.otherwise(place, inside, (receiver, so_far), name, called)
                {
                    value = if called { self.called(other, depth + 1) } else { other };
                    if matches!(other, Value::Instance(_)) {
                        value = other;
                    }
                    way = way.max(resolution::UNIQUE_NAME);
                    continue;
                }
                if self.keys.identities.contains(&key)
                    && matches!(receiver, Value::Instance(_))
                    && which == Family::Rust
                    && self.class_member(receiver, key).is_none()
                {
                    value = receiver;
                    continue;
                }
                return (value, way);
            }
            if called {
                value = self.called(value, depth + 1);
            } else if index + 1 < parts.len() {
                value = self.held(value, depth + 1);
            }
        }
        // What is asked for is what stands before a member.
        (self.held(value, depth + 1), way)
    }

    fn dotted_module(&self, place: u32, inside: u32, parts: &[(&str, bool)], rest: &mut usize) -> (Value, Way) {
        let file = self.facts.file(place);
        let mut best = None;
        for import in &file.imports {
            if import.name != NONE || import.alias != NONE || !(import.inside == NONE || import.inside == inside) {
                continue;
            }
            let module = file.string(import.module);
            let names: Vec<&str> = module.split('.').collect();
            if names.len() <= parts.len() && names.iter().zip(parts).all(|(name, part)| *name == part.0) {
                let longer = best.is_none_or(|(length, _)| names.len() > length);
                if longer && let Some(Target::Module(module)) = self.modules.python(self.paths[place as usize], module)
                {
                    best = Some((names.len(), module));
                }
            }
        }
        match best {
            Some((length, module)) => {
                *rest = length;
                (Value::Module(module), resolution::IMPORT)
            }
            None => (Value::Unknown, 0),
        }
    }

    /// What a name means where it stands.
    fn lookup(&self, place: u32, inside: u32, key: u64, name: &str, local: bool, depth: u32) -> (Value, Way) {
        if depth > DEPTH || !step() {
            return (Value::Unknown, 0);
        }
        let which = self.families[place as usize];
        let here = self.global(place, inside);
        let itself = match which {
            Family::Go => false,
            Family::C | Family::Script => name == "this",
            Family::Python => matches!(name, "self" | "cls"),
            _ => true,
        };
        if itself && self.keys.this.contains(&key) {
            let class = self.class_around(here);
            let itself = matches!(name, "cls" | "Self" | "static") || name == "self" && which == Family::Php;
            if let Some(class) = class {
                return (if itself { Value::Symbol(class) } else { Value::Instance(class) }, 0);
            }
            if local {
                return (Value::Unknown, 0);
            }
        }
        let parent = match name {
            "base" | "Base" => which == Family::CSharp,
            "parent" => which == Family::Php,
            _ => !matches!(which, Family::Go | Family::C | Family::CSharp | Family::Php),
        };
        if self.keys.parents.contains(&key)
            && parent
            && let Some(class) = self.class_around(here)
        {
            return (Value::Super(class), 0);
        }
        let own = self.bases_of_files[place as usize];
        let mut at = here;
        let mut first = true;
        while at != NONE && at != own {
            let kind = self.kind(at);
            if is_type(kind) {
                // Python's class bodies are seen from inside alone, other languages see the members of the class.
                let implicit = matches!(
                    which,
                    Family::Jvm
                        | Family::CSharp
                        | Family::C
                        | Family::Ruby
                        | Family::Swift
                        | Family::Lua
                        | Family::Elixir
                );
                if implicit || first && which == Family::Python {
                    if !local && let Some(symbol) = self.class_member(Value::Instance(at), key) {
                        return (Value::Symbol(symbol), 0);
                    }
                    if !local && let Some(value) = self.field(at, key, depth) {
                        return (value, 0);
                    }
                }
            } else {
                let symbols = self.scope(at, key);
                let bare = |symbol: &u32| self.is_bare(*symbol);
                if let Some(symbol) = symbols.iter().copied().rfind(|symbol| bare(symbol) && self.is_value(*symbol)) {
                    return (Value::Symbol(symbol), 0);
                }
                if let Some(value) = self.bound(at, key, depth) {
                    return (value, 0);
                }
                if let Some(&import) = self.imports(at, key).last() {
                    let import = &self.facts.file(place).imports[import as usize];
                    return self.import_value(place, import, depth + 1);
                }
                if which == Family::C
                    && !local
                    && self.kind_of(at) == SymbolKind::Module
                    && let Some(found) = self.in_namespace(at, key, name)
                {
                    return found;
                }
                if let Some(symbol) = symbols.iter().copied().rfind(bare) {
                    return (Value::Symbol(symbol), 0);
                }
                let owner = self.owner(at);
                if owner != NONE
                    && !local
                    && matches!(
                        which,
                        Family::Jvm
                            | Family::CSharp
                            | Family::C
                            | Family::Ruby
                            | Family::Swift
                            | Family::Lua
                            | Family::Elixir
                    )
                {
                    if let Some(symbol) = self.class_member(Value::Instance(owner), key) {
                        return (Value::Symbol(symbol), 0);
                    }
                    if let Some(value) = self.field(owner, key, depth) {
                        return (value, 0);
                    }
                }
            }
            if which == Family::C
                && !local
                && let Some(found) = self.around_path(at, key, name)
            {
                return found;
            }
            at = self.parents[at as usize];
            first = false;
        }
        if local {
            return self.fixture(place, inside, key, depth);
        }
        match self.in_file(place, key, name, depth) {
            (Value::Unknown, _) if matches!(which, Family::Swift | Family::C) => self.type_anywhere(which, key, name),
            found => found,
        }
    }

    /// The type of a name that nothing else in the project has, in languages that see it without an import.
    fn type_anywhere(&self, which: Family, key: u64, name: &str) -> (Value, Way) {
        let all = self.names(which, key, name);
        let class = all.iter().copied().find(|&symbol| is_type(self.kind(symbol)));
        let of_the_type = |symbol: u32, class: u32| symbol == class || self.owner(symbol) == class;
        match class.filter(|&class| all.iter().all(|&symbol| of_the_type(symbol, class))) {
            Some(class) => (Value::Symbol(class), resolution::UNIQUE_NAME),
            None => (Value::Unknown, 0),
        }
    }

    /// Whether a name alone can mean the symbol: in a script a method is only reached through what it belongs to.
    fn is_bare(&self, symbol: u32) -> bool {
        self.families[self.file_of[symbol as usize] as usize] != Family::Script
            || !matches!(self.kind_of(symbol), SymbolKind::Method | SymbolKind::Property | SymbolKind::Field)
    }

    /// Whether a symbol is something while a program runs: a script's interfaces and type aliases are not, and may share the name
    /// of a value.
    fn is_value(&self, symbol: u32) -> bool {
        self.families[self.file_of[symbol as usize] as usize] != Family::Script
            || !matches!(self.kind_of(symbol), SymbolKind::Interface | SymbolKind::Type)
    }

    /// The type that a symbol is, or that shares its name: `interface Cart` beside `const Cart`.
    fn as_type(&self, symbol: u32) -> Option<u32> {
        if is_type(self.kind(symbol)) || self.families[self.file_of[symbol as usize] as usize] != Family::Script {
            return is_type(self.kind(symbol)).then_some(symbol);
        }
        let beside = self.scope(self.parents[symbol as usize], self.key(symbol));
        beside.iter().copied().find(|&other| is_type(self.kind(other)))
    }

    /// A parameter of a test without a type: pytest passes what the fixture of that name returns.
    fn fixture(&self, place: u32, inside: u32, key: u64, depth: u32) -> (Value, Way) {
        if self.families[place as usize] != Family::Python || inside == NONE {
            return (Value::Unknown, 0);
        }
        let path = self.paths[place as usize];
        let file_name = path.rsplit('/').next().unwrap_or(path);
        if !(file_name.starts_with("test_") || file_name.ends_with("_test.py") || file_name == "conftest.py") {
            return (Value::Unknown, 0);
        }
        let provides = |module: u32| {
            self.scope(self.bases_of_files[module as usize], key).iter().copied().find(|&symbol| {
                let file = self.facts.file(module);
                self.decorators(symbol)
                    .iter()
                    .any(|&reference| file.string(file.references[reference as usize].name).ends_with("fixture"))
            })
        };
        let mut found = provides(place);
        let mut folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        while found.is_none() {
            let conftest = if folder.is_empty() { "conftest.py".to_owned() } else { format!("{folder}/conftest.py") };
            if let Ok(module) = self.paths.binary_search(&conftest.as_str()) {
                found = provides(module as u32);
            }
            if folder.is_empty() {
                break;
            }
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        }
        match found {
            Some(symbol) => (self.called(Value::Symbol(symbol), depth + 1), resolution::IMPORT),
            None => (Value::Unknown, 0),
        }
    }

    /// What a name means at the top of a file.
    fn in_file(&self, place: u32, key: u64, name: &str, depth: u32) -> (Value, Way) {
        let which = self.families[place as usize];
        let own = self.bases_of_files[place as usize];
        let symbols = self.scope(own, key);
        let bare: Vec<u32>;
        let symbols: &[u32] = if symbols.iter().all(|&symbol| self.is_bare(symbol)) {
            &symbols
        } else {
            bare = symbols.iter().copied().filter(|&symbol| self.is_bare(symbol)).collect();
            &bare
        };
        if let Some(symbol) = self.preferred(symbols) {
            return (self.declared(symbol), 0);
        }
        let imports = self.imports(own, key);
        for &import in imports.iter().rev().filter(|_| which == Family::Rust && imports.len() > 1) {
            let found = self.import_value(place, &self.facts.file(place).imports[import as usize], depth + 1);
            if !matches!(found.0, Value::Unknown | Value::External) {
                return found;
            }
        }
        if let Some(&import) = imports.last() {
            let import = &self.facts.file(place).imports[import as usize];
            let (value, way) = self.import_value(place, import, depth + 1);
            // A module may be imported for its name alone, to be gone through part by part.
            if !(which == Family::Python && import.name == NONE && import.alias == NONE && value == Value::Unknown) {
                return (value, way);
            }
        }
        if let Some(value) = self.bound(own, key, depth) {
            return (value, 0);
        }
        let package = self.modules.package_of[place as usize];
        if package != NONE
            && let Some(symbol) = self.preferred(&self.packages(package, key, name))
        {
            return (Value::Symbol(symbol), 0);
        }
        if which == Family::CSharp {
            for &package in self.outer_namespaces(place) {
                if let Some(symbol) = self.preferred(&self.packages(package, key, name)) {
                    return (Value::Symbol(symbol), 0);
                }
            }
        }
        if which == Family::Rust
            && let Some(child) = self.modules.rust_child(place, name)
        {
            return (Value::Module(child), 0);
        }
        for &import in self.wildcards(place) {
            let import = &self.facts.file(place).imports[import as usize];
            let (module, _) = self.import_module(place, import, depth + 1);
            if let Value::Module(_) | Value::Symbol(_) = module {
                let (value, way) = self.used(module, key, name, depth);
                if !matches!(value, Value::Unknown | Value::External) {
                    return (value, way.max(way_of(import)));
                }
            }
        }
        if which == Family::CSharp
            && let Some(found) = self.around_file(place, key, name, depth)
        {
            return found;
        }
        if which == Family::Rust
            && let Some(root) = self.modules.rust_crate(name)
        {
            return (Value::Module(root), resolution::IMPORT);
        }
        if matches!(which, Family::Jvm | Family::CSharp | Family::Php)
            && let Some(Target::Module(module)) = self.modules.namespace(which, name)
        {
            return (Value::Module(module), resolution::IMPORT);
        }
        (Value::Unknown, 0)
    }

    /// A symbol, or where it only declares a module of Rust that has a file of its own, that file.
    fn declared(&self, symbol: u32) -> Value {
        let place = self.file_of[symbol as usize];
        if self.families[place as usize] == Family::Rust
            && self.kind_of(symbol) == SymbolKind::Module
            && let Some((file, fact)) = self.fact(symbol)
            && let Some(child) = self.modules.rust_child(place, file.string(fact.name))
        {
            return Value::Module(child);
        }
        Value::Symbol(symbol)
    }

    /// Of several definitions of one name the one that is a definition: not a declaration or an overload's head.
    fn preferred(&self, symbols: &[u32]) -> Option<u32> {
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
                    let lines = i64::from(self.briefs[symbol as usize].long);
                    // In Python and TypeScript the heads of overloads stand before the function itself.
                    let last = kind != KIND_FILE
                        && self.kind_of(symbol) != SymbolKind::Property
                        && matches!(
                            self.families[self.file_of[symbol as usize] as usize],
                            Family::Python | Family::Script
                        );
                    let place = if last { i64::from(symbol) } else { -i64::from(symbol) };
                    let declared = self.is_declaration(symbol);
                    // A function of a script that stands in a nameless one is no other file's.
                    let script = self.families[self.file_of[symbol as usize] as usize] == Family::Script;
                    let seen = self.is_value(symbol) && !(script && self.briefs[symbol as usize].hidden);
                    (seen, is_callable(kind) || is_type(kind), !declared, if last { 1 } else { lines }, place)
                }),
        }
    }

    /// A method of C++ that stands in its class without a body: its definition is another symbol.
    fn is_declaration(&self, symbol: u32) -> bool {
        self.families[self.file_of[symbol as usize] as usize] == Family::C
            && matches!(self.kind_of(symbol), SymbolKind::Method | SymbolKind::Constructor)
            && !self.briefs[symbol as usize].long
            && self.fact(symbol).is_some_and(|(_, fact)| fact.exported.is_none())
    }

    /// Runs `work` unless this thread is already following the same thing.
    fn following<R>(&self, what: (u32, u32), otherwise: R, work: impl FnOnce() -> R) -> R {
        let free = FOLLOWING.with_borrow_mut(|list| {
            let free = !list.contains(&what) && list.len() < 64;
            if free {
                list.push(what);
            }
            free
        });
        if !free {
            return otherwise;
        }
        let result = work();
        FOLLOWING.with_borrow_mut(Vec::pop);
        result
    }

    /// The place of an import in its file.
    fn place_of(&self, place: u32, import: &crate::cache::Import) -> usize {
        let first = self.facts.file(place).imports.as_ptr() as usize;
        (std::ptr::from_ref(import) as usize - first) / size_of::<crate::cache::Import>()
    }

    /// The module an import names.
    fn import_module(&self, place: u32, import: &crate::cache::Import, depth: u32) -> (Value, Way) {
        let file = self.facts.file(place);
        let module = file.string(import.module);
        if self.families[place as usize] == Family::Rust {
            return self.rust_path(place, import.inside, module, depth);
        }
        if self.families[place as usize] == Family::Elixir {
            return match self.module_of_elixir(module) {
                Some(symbol) => (Value::Symbol(symbol), resolution::IMPORT),
                None => (Value::External, 0),
            };
        }
        // `using namespace shop;`, `using shop::total;`: a namespace, where an `#include` has no name.
        if self.families[place as usize] == Family::C && import.name != NONE {
            return match self.namespace_of(place, &module.replace("::", ".")) {
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
                self.by_namespace(self.families[place as usize], module, depth + 1)
            }
            Target::External => (Value::External, 0),
        }
    }

    /// The module of Elixir with this full name; of a protocol not what implements it.
    fn module_of_elixir(&self, name: &str) -> Option<u32> {
        let all = self.names(Family::Elixir, key_of(name), name);
        let last = |symbol: u32| (self.kind_of(symbol) == SymbolKind::Module, symbol);
        let fits = |symbol: u32| is_type(self.kind(symbol)) || self.kind_of(symbol) == SymbolKind::Module;
        all.iter().copied().filter(|&symbol| fits(symbol)).min_by_key(|&symbol| last(symbol))
    }

    fn rust_path(&self, place: u32, inside: u32, module: &str, depth: u32) -> (Value, Way) {
        if module.is_empty() {
            return (Value::External, 0);
        }
        let parts = parts_of(module);
        let first = parts[0].0;
        let (mut value, mut rest) = match first {
            "crate" | "super" | "self" => {
                // Evaluating the path walks all of it.
                let (value, way) = self.evaluate(place, inside, module, false, depth + 1);
                return (if value == Value::Unknown { Value::External } else { value }, way.max(resolution::IMPORT));
            }
            _ => {
                let own = self.bases_of_files[place as usize];
                let key = key_of(first);
                let symbol = self
                    .scope(own, key)
                    .iter()
                    .copied()
                    .find(|&symbol| self.kind_of(symbol) == SymbolKind::Module || is_type(self.kind(symbol)));
                let value = match (symbol, self.modules.rust_child(place, first), self.modules.rust_crate(first)) {
                    (Some(symbol), _, _) => self.declared(symbol),
                    (_, Some(child), _) => Value::Module(child),
                    (_, _, Some(root)) => Value::Module(root),
                    _ => match self.imports(own, key).last() {
                        Some(&import) => {
                            let import = &self.facts.file(place).imports[import as usize];
                            self.import_value(place, import, depth + 1).0
                        }
                        None => Value::External,
                    },
                };
                (value, 1)
            }
        };
        while rest < parts.len() {
            value = self.member(value, key_of(parts[rest].0), parts[rest].0, depth + 1).0;
            rest += 1;
        }
        (if value == Value::Unknown { Value::External } else { value }, resolution::IMPORT)
    }

    /// Whether a root of another crate has a name only for itself: it imports it and does not pass it on.
    fn keeps_to_itself(&self, place: u32, module: Value, key: u64) -> bool {
        let Value::Module(there) = module else { return false };
        if there >= self.modules.files() || self.modules.rust_root(there) == self.modules.rust_root(place) {
            return false;
        }
        let own = self.bases_of_files[there as usize];
        let imports = self.imports(own, key);
        let file = self.facts.file(there);
        !imports.is_empty()
            && self.scope(own, key).is_empty()
            && imports.iter().all(|&import| !file.imports[import as usize].reexport)
    }

    /// What an imported name means.
    fn import_value(&self, place: u32, import: &crate::cache::Import, depth: u32) -> (Value, Way) {
        if depth > DEPTH {
            return (Value::Unknown, 0);
        }
        let file = self.facts.file(place);
        let which = self.families[place as usize];
        let index = self.place_of(place, import);
        self.following((place, index as u32), (Value::Unknown, 0), || {
            let (module, _) = self.import_module(place, import, depth);
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
                    return self.by_namespace(which, text, depth);
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
                        let (value, way) = self.by_namespace(which, &format!("{text}.{name}"), depth);
                        (value, way)
                    }
                    _ => (Value::External, 0),
                };
            }
            if which == Family::Rust && self.keeps_to_itself(place, module, key) {
                return (Value::External, 0);
            }
            let (value, _) = self.member(module, key, name, depth + 1);
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
                    self.default_export(module, file.string(import.alias))
                }
                // What a module of the project does not define it has from elsewhere.
                Value::Unknown => Value::External,
                value => value,
            };
            (value, resolution::IMPORT)
        })
    }

    /// A class or a member of one by its full name: the longest namespace, then its members.
    fn by_namespace(&self, which: Family, name: &str, depth: u32) -> (Value, Way) {
        let name = name.replace(['\\', '/'], ".").replace("::", ".");
        let name = name.trim_matches('.');
        for (at, _) in name.rmatch_indices('.') {
            if let Some(Target::Module(module)) = self.modules.namespace(which, &name[..at]) {
                let mut value = Value::Module(module);
                for part in name[at + 1..].split('.') {
                    value = self.member(value, key_of(part), part, depth + 1).0;
                }
                return match value {
                    Value::Unknown => (Value::External, 0),
                    value => (value, resolution::IMPORT),
                };
            }
        }
        (Value::External, 0)
    }

    /// What a module of scripts exports without a name.
    fn default_export(&self, module: Value, wanted: &str) -> Value {
        let Value::Module(module) = module else { return Value::External };
        if module >= self.modules.files() {
            return Value::External;
        }
        self.note(module, about::EXPORTS);
        let own = self.bases_of_files[module as usize];
        let file = self.facts.file(module);
        if let Some(&symbol) = self.scope(own, key_of(wanted)).first() {
            return Value::Symbol(symbol);
        }
        let path = self.paths[module as usize];
        let stem = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or("");
        if let Some(&symbol) = self.scope(own, key_of(stem)).first() {
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

    /// The member `key` of a value.
    fn member(&self, value: Value, key: u64, name: &str, depth: u32) -> (Value, Way) {
        if depth > DEPTH || !step() {
            return (Value::Unknown, 0);
        }
        match value {
            Value::Unknown | Value::External => (value, 0),
            Value::Made(function) => match self.bound(function, key_of(&format!("{RETURNED}.{name}")), depth + 1) {
                Some(value) => (value, 0),
                None => match self.scope(function, key).last() {
                    Some(&member) if is_callable(self.kind(member)) => (Value::Symbol(member), 0),
                    _ => (Value::Unknown, 0),
                },
            },
            Value::Module(_) => self.member_once(value, key, name, depth),
            Value::Symbol(symbol) if self.kind_of(symbol) == SymbolKind::Module && !self.is_file(symbol) => {
                self.member_once(value, key, name, depth)
            }
            Value::Symbol(symbol) if is_type(self.kind(symbol)) => match self.class_member(value, key) {
                Some(member) => (Value::Symbol(member), 0),
                None => (self.field(symbol, key, depth).unwrap_or(Value::External), 0),
            },
            Value::Symbol(_) => match self.held(value, depth + 1) {
                Value::Symbol(symbol) if Value::Symbol(symbol) == value => {
                    // A property of a function or an object literal.
                    match self.scope(symbol, key).last() {
                        Some(&member) => (Value::Symbol(member), 0),
                        None => match self.decorated(symbol, depth + 1) {
                            Value::Symbol(_) | Value::Unknown => (Value::Unknown, 0),
                            made => self.member(made, key, name, depth + 1),
                        },
                    }
                }
                held => self.member(held, key, name, depth + 1),
            },
            Value::Instance(class) | Value::Super(class) => match self.class_member(value, key) {
                Some(member) => (Value::Symbol(member), 0),
                None => (self.field(class, key, depth).unwrap_or(Value::External), 0),
            },
        }
    }

    /// What the decorators of a function made of it, as far as they say.
    fn decorated(&self, symbol: u32, depth: u32) -> Value {
        let place = self.file_of[symbol as usize];
        let file = self.facts.file(place);
        for &number in self.decorators(symbol) {
            let reference = &file.references[number as usize];
            let around = self.fact(symbol).map_or(NONE, |(_, fact)| fact.parent);
            let (value, _) = self.path(place, around, file, reference.qualifier, reference.name, false, depth + 1);
            let made = self.called(value, depth + 1);
            if matches!(made, Value::Instance(_)) {
                return made;
            }
        }
        Value::Unknown
    }

    fn member_once(&self, value: Value, key: u64, name: &str, depth: u32) -> (Value, Way) {
        let number = match value {
            Value::Module(module) => module,
            Value::Symbol(symbol) => {
                // An inline module: its own symbols, then its imports.
                if let Some(symbol) = self.preferred(&self.scope(symbol, key)) {
                    return (Value::Symbol(symbol), 0);
                }
                let place = self.file_of[symbol as usize];
                return match self.imports(symbol, key).last() {
                    Some(&import) => {
                        self.import_value(place, &self.facts.file(place).imports[import as usize], depth + 1)
                    }
                    None if self.families[place as usize] == Family::C => {
                        self.in_namespace(symbol, key, name).unwrap_or((Value::Unknown, 0))
                    }
                    // `use super::*` passes on what the file has.
                    None if self.opens_its_file(place, symbol) => {
                        self.member_once(Value::Module(place), key, name, depth + 1)
                    }
                    None => (Value::Unknown, 0),
                };
            }
            _ => return (Value::Unknown, 0),
        };
        if number >= self.modules.files() {
            let package = number - self.modules.files();
            let found = self.preferred(&self.packages(package, key, name));
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
        if let Some(known) = BARREN.with_borrow(|barren| barren.get(&mark).copied()) {
            return (known, 0);
        }
        self.following(mark, (Value::Unknown, 0), || {
            let found = self.look_into(number, key, name, depth);
            if matches!(found.0, Value::Unknown | Value::External) {
                BARREN.with_borrow_mut(|barren| barren.insert(mark, found.0));
            }
            found
        })
    }

    /// The inline module of Rust that a symbol is or stands in, or its file.
    fn inline_module(&self, place: u32, symbol: u32) -> Value {
        let mut at = symbol;
        while at != NONE && !self.is_file(at) {
            if self.kind_of(at) == SymbolKind::Module {
                return Value::Symbol(at);
            }
            at = self.parents[at as usize];
        }
        Value::Module(place)
    }

    /// Whether an inline module at the top of a file of Rust imports everything that the file has.
    fn opens_its_file(&self, place: u32, module: u32) -> bool {
        let file = self.facts.file(place);
        self.families[place as usize] == Family::Rust
            && self.is_file(self.parents[module as usize])
            && self.wildcards(place).iter().any(|&import| {
                let import = &file.imports[import as usize];
                self.global(place, import.inside) == module && file.string(import.module) == "super"
            })
    }

    /// What a file has under a name, or passes on from others.
    fn look_into(&self, number: u32, key: u64, name: &str, depth: u32) -> (Value, Way) {
        let file = self.facts.file(number);
        let own = self.bases_of_files[number as usize];
        if let Some(symbol) = self.preferred(&self.scope(own, key)) {
            return (self.declared(symbol), resolution::IMPORT);
        }
        let which = self.families[number as usize];
        let imports = self.imports(own, key);
        // A trait and a macro may be imported under one name.
        if which == Family::Rust && imports.len() > 1 {
            for &import in imports.iter().rev() {
                let found = self.import_value(number, &file.imports[import as usize], depth + 1);
                if !matches!(found.0, Value::Unknown | Value::External) {
                    return found;
                }
            }
        }
        let import = imports.last().map(|&import| &file.imports[import as usize]);
        // A script may export another thing under the name of what it imports: `export { renderApp as render }`.
        let is_seen = |import: &crate::cache::Import| which != Family::Script || import.reexport;
        if let Some(import) = import.filter(|import| is_seen(import)) {
            let (value, way) = self.import_value(number, import, depth + 1);
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
                if let Some(table @ Value::Symbol(_)) = self.bound(own, self.keys.default, depth + 1) {
                    return (self.member(table, key, name, depth + 1).0, resolution::IMPORT);
                }
            }
            _ => {}
        }
        for &import in self.wildcards(number) {
            let import = &file.imports[import as usize];
            let (module, _) = self.import_module(number, import, depth + 1);
            let (value, way) = self.member_once(module, key, name, depth + 1);
            if !matches!(value, Value::Unknown | Value::External) {
                return (value, way.max(way_of(import)));
            }
        }
        if let Some(value) = self.bound(own, key, depth) {
            return (value, resolution::IMPORT);
        }
        match import.filter(|import| !is_seen(import)) {
            Some(import) => self.import_value(number, import, depth + 1),
            None => (Value::Unknown, 0),
        }
    }

    /// A member of a class or of its bases, the nearest first.
    fn class_member(&self, value: Value, key: u64) -> Option<u32> {
        let (class, above) = match value {
            Value::Symbol(class) | Value::Instance(class) => (class, false),
            Value::Super(class) => (class, true),
            _ => return None,
        };
        let mut queue = if above { self.supers(class).to_vec() } else { vec![class] };
        let mut at = 0;
        while at < queue.len() && at < 256 {
            let class = queue[at];
            at += 1;
            let members = self.scope(class, key);
            if let Some(member) = self.preferred(&members) {
                return Some(member);
            }
            self.queue_parts(class, &mut queue, at);
            for base in self.supers(class) {
                if !queue.contains(base) {
                    queue.push(*base);
                }
            }
        }
        if !above && self.families[self.file_of[class as usize] as usize] == Family::Jvm {
            return self.companion_member(&queue, key);
        }
        None
    }

    /// The other parts of a partial class come before its bases.
    fn queue_parts(&self, class: u32, queue: &mut Vec<u32>, at: usize) {
        // While a changed project is resolved, a base may be gone.
        let Some(&place) = self.file_of.get(class as usize) else { return };
        if self.families[place as usize] == Family::CSharp {
            for &part in self.parts_of_class(class).iter().flat_map(|parts| parts.iter()) {
                if !queue.contains(&part) {
                    queue.insert(at, part);
                }
            }
        }
    }

    /// A member of the `companion object` of a class of Kotlin, which is called as one of the class.
    fn companion_member(&self, classes: &[u32], key: u64) -> Option<u32> {
        classes.iter().find_map(|&class| {
            let companions = self.scope(class, self.keys.companion);
            let companion = companions.iter().copied().find(|&companion| is_type(self.kind(companion)))?;
            self.preferred(&self.scope(companion, key))
        })
    }

    /// What a field of a class or of its bases holds.
    fn field(&self, class: u32, key: u64, depth: u32) -> Option<Value> {
        let mut queue = vec![class];
        let mut at = 0;
        while at < queue.len() && at < 256 {
            let class = queue[at];
            at += 1;
            if let Some(value) = self.bound(class, key, depth) {
                return Some(value);
            }
            self.queue_parts(class, &mut queue, at);
            for base in self.supers(class) {
                if !queue.contains(base) {
                    queue.push(*base);
                }
            }
        }
        None
    }

    /// What a variable, parameter or field holds, by what is said where it is bound.
    fn bound(&self, scope: u32, key: u64, depth: u32) -> Option<Value> {
        let bindings = self.bindings(scope, key);
        if bindings.is_empty() {
            return None;
        }
        let place = self.file_of[scope as usize];
        let file = self.facts.file(place);
        let bindings = self.meant(scope, place, file, bindings);
        if bindings.is_empty() {
            return None;
        }
        let mut unknown = false;
        let mut outside = false;
        for &number in bindings.iter().take(MOST_BINDINGS) {
            let Some(binding) = file.bindings.get(number as usize) else { continue };
            // Another variable of the name, of which nothing is known.
            if file.string(binding.of).is_empty() {
                if bindings.len() == 1 || HERE.get().place == place {
                    unknown = !outside;
                    break;
                }
                continue;
            }
            match self.binding_value(place, number, binding, depth) {
                Value::Unknown => unknown = true,
                Value::External => outside = true,
                value => return Some(value),
            }
        }
        Some(if unknown || !outside { Value::Unknown } else { Value::External })
    }

    /// What is said of a name in a scope, first what counts where it is read: in the innermost block, the last before that line.
    fn meant<'b>(&self, scope: u32, place: u32, file: &File<'a>, bindings: &'b [u32]) -> Cow<'b, [u32]> {
        let here = HERE.get();
        if here.place != place || here.line == 0 || is_type(self.kind(scope)) {
            return Cow::Borrowed(bindings);
        }
        let of = |number: u32| file.bindings.get(number as usize);
        let in_blocks = bindings.iter().any(|&number| of(number).is_some_and(|one| one.until != 0));
        if bindings.len() == 1 && !in_blocks {
            return Cow::Borrowed(bindings);
        }
        let ordered = match self.fact(scope) {
            Some((_, fact)) => (fact.lines.0..=fact.lines.1).contains(&here.line),
            None => here.top,
        };
        if !ordered && !in_blocks {
            return Cow::Borrowed(bindings);
        }
        let visible = |one: &crate::cache::Binding| match one.until {
            0 => here.outer,
            until if here.outer && here.block != 0 => until >= here.block && (one.line..=until).contains(&here.line),
            until => until == here.block && (one.line..=until).contains(&here.line),
        };
        let mut seen: Vec<u32> = bindings
            .iter()
            .copied()
            .filter(|&number| of(number).is_some_and(visible))
            .take(4 * MOST_COMPARED)
            .collect();
        if ordered {
            seen.sort_by_key(|&number| {
                let (until, line) = of(number).map_or((0, 0), |one| (one.until, one.line));
                let block = if until == 0 { u32::MAX } else { until };
                let later = line > here.line;
                (block, later, if later { i64::from(line) } else { -i64::from(line) }, std::cmp::Reverse(number))
            });
        }
        Cow::Owned(seen)
    }

    fn binding_value(&self, place: u32, number: u32, binding: &crate::cache::Binding, depth: u32) -> Value {
        if depth > DEPTH {
            return Value::Unknown;
        }
        let file = self.facts.file(place);
        let text = file.string(binding.of);
        self.following((place, number | 1 << 31), Value::Unknown, || {
            let here = Here::new(place, binding.line, binding.inside == NONE);
            let around = HERE.replace(Here { block: binding.until, ..here });
            let value = if let Some(path) = text.strip_prefix('=') {
                self.evaluate(place, binding.inside, path, false, depth + 1).0
            } else if text.ends_with("()") {
                self.evaluate(place, binding.inside, text, false, depth + 1).0
            } else {
                self.type_value(place, binding.inside, text, depth + 1)
            };
            HERE.set(around);
            value
        })
    }

    /// An instance of the type that a text names.
    fn type_value(&self, place: u32, inside: u32, text: &str, depth: u32) -> Value {
        if depth > DEPTH || !step() {
            return Value::Unknown;
        }
        let mut text = text.trim().trim_matches(['"', '\'', ' ']);
        loop {
            let before = text;
            for prefix in [
                "&",
                "*",
                "mut ",
                "dyn ",
                "impl ",
                "const ",
                "final ",
                "readonly ",
                "volatile ",
                "struct ",
                "...",
                "async ",
                "static ",
                "unsigned ",
                "class ",
                "enum ",
                "some ",
                "any ",
                "?",
            ] {
                text = text.strip_prefix(prefix).unwrap_or(text).trim_start();
            }
            if text.starts_with('\'') {
                // A lifetime.
                text = text.split_once(' ').map_or("", |(_, rest)| rest);
            }
            text = text.trim_end_matches(['?', '!', '&', '*', ' ']);
            if text == before {
                break;
            }
        }
        let which = self.families[place as usize];
        if text.is_empty() || text.starts_with("fn") && text[2..].starts_with(['(', ' ']) || text.starts_with("func(") {
            return Value::Unknown;
        }
        if text.starts_with('[') || text.starts_with("map[") || text.ends_with("[]") || text.starts_with('{') {
            return Value::External;
        }
        if let Some(inner) = text.strip_prefix('(') {
            // Several results: the first is the one that carries methods.
            let inner = top_level(inner.trim_end_matches(')'), ',').next().unwrap_or("");
            let inner = inner.trim();
            let inner = match (which, inner.split_once(' ')) {
                (Family::Go, Some((_, after))) => after,
                _ => inner,
            };
            return self.type_value(place, inside, inner, depth + 1);
        }
        let mut alternatives = top_level(text, '|')
            .map(str::trim)
            .filter(|part| !matches!(*part, "None" | "null" | "undefined" | "" | "void"));
        let one = alternatives.next().unwrap_or("");
        let second = alternatives.next();
        if second.is_some() {
            for part in top_level(text, '|') {
                let value = self.type_value(place, inside, part, depth + 1);
                if matches!(value, Value::Instance(_)) {
                    return value;
                }
            }
            return Value::External;
        }
        let text = one;
        let (name, arguments) = match text.find(['<', '[']) {
            Some(at) if at > 0 => (&text[..at], text[at + 1..].trim_end_matches(['>', ']'])),
            _ => (text, ""),
        };
        let name = name.trim_end_matches("::");
        let last = name.rsplit(['.', ':']).next().unwrap_or(name);
        if !arguments.is_empty() {
            let inner = match last {
                "Coroutine" => top_level(arguments, ',').last(),
                "type" | "Type" => {
                    return match self.type_value(place, inside, arguments, depth + 1) {
                        Value::Instance(class) => Value::Symbol(class),
                        value => value,
                    };
                }
                // Unless the project has a type of that name itself.
                _ if WRAPPERS.contains(&last)
                    && !matches!(self.type_name(place, inside, name, depth).0, Value::Symbol(_)) =>
                {
                    top_level(arguments, ',').find(|part| !part.trim().starts_with('\''))
                }
                _ => None,
            };
            if let Some(inner) = inner {
                return self.type_value(place, inside, inner, depth + 1);
            }
        }
        if matches!(
            last,
            "Any" | "any" | "object" | "unknown" | "interface{}" | "auto" | "var" | "let" | "id" | "mixed" | "dynamic"
        ) || last.len() == 1 && last.starts_with(|c: char| c.is_ascii_uppercase())
        {
            return Value::Unknown;
        }
        if matches!(last, "Self" | "self" | "static" | "this")
            && let Some(class) = self.class_around(self.global(place, inside))
        {
            return Value::Instance(class);
        }
        let mut parts = parts_of(name).into_iter();
        let Some((first, _)) = parts.next() else { return Value::Unknown };
        let (mut value, _) = if which == Family::Rust && matches!(first, "crate" | "super" | "self") {
            let (value, way) = self.evaluate(place, inside, name, false, depth + 1);
            parts = Vec::new().into_iter();
            (value, way)
        } else {
            self.type_name(place, inside, first, depth)
        };
        for (part, _) in parts {
            value = self.member(value, key_of(part), part, depth + 1).0;
        }
        // `Shop.Orders.Order`, where nothing stands in `Shop` itself.
        if value == Value::Unknown && which == Family::CSharp && name.contains('.') {
            value = self.by_namespace(which, name, depth + 1).0;
        }
        match value {
            Value::Symbol(symbol) => self.as_type(symbol).map_or(Value::Unknown, |class| self.alias(class, depth)),
            Value::Instance(class) => Value::Instance(class),
            _ => Value::External,
        }
    }

    /// A type as an instance; one that is another name for a type stands for that.
    fn alias(&self, symbol: u32, depth: u32) -> Value {
        if self.kind_of(symbol) == SymbolKind::Type
            && let Some((file, fact)) = self.fact(symbol)
            && fact.returns != NONE
        {
            let place = self.file_of[symbol as usize];
            let value = self.type_value(place, fact.parent, file.string(fact.returns), depth + 1);
            if matches!(value, Value::Instance(_)) {
                return value;
            }
        }
        Value::Instance(symbol)
    }

    /// A name where a type stands: a variable of the same name is not meant.
    fn type_name(&self, place: u32, inside: u32, name: &str, depth: u32) -> (Value, Way) {
        let key = key_of(name);
        let own = self.bases_of_files[place as usize];
        let mut at = self.global(place, inside);
        while at != NONE && at != own {
            let found = self.scope(at, key).iter().copied().find(|&symbol| is_type(self.kind(symbol)));
            if let Some(symbol) = found {
                return (Value::Symbol(symbol), 0);
            }
            if is_type(self.kind(at))
                && self.families[place as usize] == Family::CSharp
                && let Some(symbol) = self.class_member(Value::Symbol(at), key).filter(|&one| is_type(self.kind(one)))
            {
                return (Value::Symbol(symbol), 0);
            }
            if let Some(&import) = self.imports(at, key).last() {
                return self.import_value(place, &self.facts.file(place).imports[import as usize], depth + 1);
            }
            if self.families[place as usize] == Family::C
                && self.kind_of(at) == SymbolKind::Module
                && let Some((Value::Symbol(symbol), way)) = self.in_namespace(at, key, name)
                && is_type(self.kind(symbol))
            {
                return (Value::Symbol(symbol), way);
            }
            let owner = self.owner(at);
            if owner != NONE
                && let Some(symbol) =
                    self.class_member(Value::Symbol(owner), key).filter(|&member| is_type(self.kind(member)))
            {
                return (Value::Symbol(symbol), 0);
            }
            if self.families[place as usize] == Family::C
                && let Some((Value::Symbol(symbol), way)) = self.around_path(at, key, name)
                && is_type(self.kind(symbol))
            {
                return (Value::Symbol(symbol), way);
            }
            at = self.parents[at as usize];
        }
        if let Some(symbol) = self.scope(own, key).iter().copied().find(|&symbol| is_type(self.kind(symbol))) {
            return (Value::Symbol(symbol), 0);
        }
        let found = self.in_file(place, key, name, depth + 1);
        if found.0 != Value::Unknown {
            return found;
        }
        let which = self.families[place as usize];
        if matches!(which, Family::C | Family::Ruby | Family::Swift | Family::Php | Family::Elixir | Family::Lua) {
            let all = self.names(which, key, name);
            let mut types = all.iter().copied().filter(|&symbol| is_type(self.kind(symbol)));
            if let (Some(symbol), None) = (types.next(), types.next()) {
                return (Value::Symbol(symbol), resolution::UNIQUE_NAME);
            }
        }
        (Value::Unknown, 0)
    }

    /// What a call of a value gives.
    fn called(&self, value: Value, depth: u32) -> Value {
        if depth > DEPTH {
            return Value::Unknown;
        }
        match value {
            Value::Symbol(symbol) if is_type(self.kind(symbol)) => Value::Instance(symbol),
            Value::Symbol(symbol) => {
                let Some((file, fact)) = self.fact(symbol) else { return Value::Unknown };
                let place = self.file_of[symbol as usize];
                let local = symbol - self.bases_of_files[place as usize] - 1;
                if self.kind_of(symbol) == SymbolKind::Constructor
                    && let Some(class) = self.class_around(symbol)
                {
                    return Value::Instance(class);
                }
                let makes = is_callable(fact.kind)
                    && self.families[place as usize] == Family::Script
                    && !self.bindings(symbol, key_of(RETURNED)).is_empty();
                if fact.returns != NONE {
                    let text = file.string(fact.returns);
                    return match self.type_value(place, local, text, depth + 1) {
                        Value::Unknown | Value::External if makes => Value::Made(symbol),
                        value => value,
                    };
                }
                if is_callable(fact.kind) {
                    return if makes { Value::Made(symbol) } else { Value::Unknown };
                }
                match self.held(value, depth + 1) {
                    held if held == value => Value::Unknown,
                    Value::Symbol(other) => self.called(Value::Symbol(other), depth + 1),
                    Value::External => Value::External,
                    _ => Value::Unknown,
                }
            }
            // `super()` is written as a call.
            Value::Super(class) => Value::Super(class),
            Value::External => Value::External,
            Value::Module(module) => match self.default_export(Value::Module(module), "") {
                Value::Symbol(symbol) => self.called(Value::Symbol(symbol), depth + 1),
                _ => Value::Unknown,
            },
            Value::Instance(class) => match self.class_member(Value::Instance(class), key_of("__call__")) {
                Some(member) => self.called(Value::Symbol(member), depth + 1),
                None => Value::Unknown,
            },
            Value::Made(_) | Value::Unknown => Value::Unknown,
        }
    }

    /// What a variable, field or property holds; anything else is itself.
    fn held(&self, value: Value, depth: u32) -> Value {
        let Value::Symbol(symbol) = value else { return value };
        if depth > DEPTH {
            return Value::Unknown;
        }
        match self.kind_of(symbol) {
            SymbolKind::Property => match (self.called(value, depth + 1), self.owner(symbol)) {
                // With a type in the place of a field's.
                (Value::Unknown, class) if class != NONE => {
                    self.field(class, self.key(symbol), depth + 1).unwrap_or(Value::Unknown)
                }
                (value, _) => value,
            },
            SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field => {
                let key = self.key(symbol);
                let scope = match self.owner(symbol) {
                    NONE => self.parents[symbol as usize],
                    class => class,
                };
                let bound = if self.owner(symbol) == NONE {
                    self.bound(scope, key, depth + 1)
                } else {
                    self.field(scope, key, depth + 1)
                };
                match bound {
                    Some(Value::Unknown) | None => match self.fact(symbol) {
                        Some((file, fact)) if fact.returns != NONE => self.type_value(
                            self.file_of[symbol as usize],
                            fact.parent,
                            file.string(fact.returns),
                            depth + 1,
                        ),
                        _ if bound.is_some() => Value::Unknown,
                        _ => value,
                    },
                    Some(bound) => bound,
                }
            }
            SymbolKind::Variant => match self.owner(symbol) {
                NONE => value,
                class => Value::Instance(class),
            },
            _ => value,
        }
    }

    /// The edges of one file, and how often each name was left without a target.
    fn edges_file(&self, place: u32) -> FileEdges {
        let file = self.facts.file(place);
        let mut edges = Vec::with_capacity(file.references.len());
        let mut unresolved: FxHashMap<u32, u32> = FxHashMap::default();
        let mut receivers: FxHashMap<(u32, u32, u32, u32), (Value, Way)> = FxHashMap::default();
        let own = self.bases_of_files[place as usize];
        for (index, import) in file.imports.iter().enumerate() {
            start_reference(Here::new(place, import.line, import.inside == NONE));
            let (value, _) = self.import_value(place, import, 0);
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
            start_reference(Here { block: reference.block, outer: reference.block == 0, ..here });
            let name = file.string(reference.name);
            let clean = name.split(['<', '[']).next().unwrap_or(name);
            let key = if clean.len() == name.len() { file.keys[reference.name as usize] } else { key_of(clean) };
            let mut receiver = None;
            let (value, way) = if reference.qualifier == NONE {
                if reference.kind == ReferenceKind::TypeUse {
                    self.type_name(place, inside, clean, 0)
                } else {
                    self.lookup(place, inside, key, clean, reference.local, 0)
                }
            } else if file.string(reference.qualifier) == "::" {
                let all = self.names(self.families[place as usize], key, clean);
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
                    .or_insert_with(|| self.evaluate(place, inside, qualifier, reference.local, 0));
                receiver = Some(cached.0);
                let (value, way) = self.member(cached.0, key, clean, 0);
                (value, cached.1.max(way))
            };
            let value = match value {
                Value::Symbol(symbol)
                    if matches!(
                        reference.kind,
                        ReferenceKind::TypeUse | ReferenceKind::Inherit | ReferenceKind::Implement
                    ) =>
                {
                    Value::Symbol(self.as_type(symbol).unwrap_or(symbol))
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
                    self.constructor_above(class)
                }
                Value::Module(module) if which != relation::CALLS && module < self.modules.files() => {
                    Some(self.bases_of_files[module as usize])
                }
                Value::Module(module) if self.families[place as usize] == Family::Script => {
                    match self.default_export(Value::Module(module), clean) {
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
                    ReferenceKind::Call => self.overload(place, to, reference.arguments, way),
                    _ => (to, way),
                };
                let (to, way) = if self.families[place as usize] == Family::C {
                    match self.of_platforms(from, to) {
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
                let twins = self.twins(place, to);
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
                (Some(Value::Instance(class)), _) if !self.derived(class).is_empty() => {
                    if let Some((to, candidates)) = self.below(class, key) {
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
                && let Some((to, candidates, way)) = self.by_path(file.string(reference.qualifier), key, clean)
            {
                for to in to {
                    add(to, way, candidates);
                }
                continue;
            }
            if self.families[place as usize] == Family::CSharp
                && let Some(of) = receiver
                && let Some((to, candidates, way)) =
                    self.extensions(place, inside, (of, file.string(reference.qualifier)), key, clean)
            {
                for to in to {
                    add(to, way, candidates);
                }
                continue;
            }
            // `"order".shout()`, and `shout()` in another extension: of a type that is not the project's, or another file's.
            if self.families[place as usize] == Family::Jvm
                && let Some((to, candidates, way)) = self.extensions_of_kotlin(
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
                && let Some(to) = self.extension(place, key, clean)
            {
                add(to, resolution::UNIQUE_NAME, 1);
                continue;
            }
            let foreign =
                matches!(receiver, Some(Value::Unknown)) && self.is_foreign(place, file.string(reference.qualifier));
            if open
                && !foreign
                && let Some((to, candidates, way)) = self.by_name(place, key, clean, receiver.is_some())
            {
                for to in to {
                    add(to, way, candidates);
                }
                continue;
            }
            *unresolved.entry(name_number(name)).or_default() += 1;
        }
        self.overrides(place, &mut edges);
        edges.sort_unstable();
        edges.dedup();
        let mut unresolved: Vec<(u32, u32)> = unresolved.into_iter().collect();
        unresolved.sort_unstable();
        (edges, unresolved)
    }

    /// Of the functions of one name in a class and above it one that takes so many arguments; where none does, it is not sure that
    /// the function found is meant.
    fn overload(&self, place: u32, to: u32, arguments: u32, way: Way) -> (u32, Way) {
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
            let found = self.scope(scope, key).iter().copied().find(|&other| is_function(other) && fits(other));
            if let Some(other) = found {
                return (other, way);
            }
            for base in self.supers(scope) {
                if !queue.contains(base) {
                    queue.push(*base);
                }
            }
        }
        (to, way.max(resolution::UNIQUE_NAME))
    }

    /// The constructor that `super(…)` and `: base(…)` call.
    fn constructor_above(&self, class: u32) -> Option<u32> {
        self.class_member(Value::Super(class), key_of("constructor")).or_else(|| {
            self.supers(class).iter().find_map(|&base| {
                let constructors = self.scope(base, self.key(base));
                constructors.iter().copied().find(|&symbol| self.kind_of(symbol) == SymbolKind::Constructor)
            })
        })
    }

    /// For which platforms a function of C that is used in `from` is defined: see [`Platforms`].
    fn of_platforms(&self, from: u32, to: u32) -> Platforms {
        // What is compiled for some platforms alone says of itself neither that others can use it nor that they cannot.
        let is_code = |symbol: u32| {
            matches!(self.kind_of(symbol), SymbolKind::Function | SymbolKind::Macro | SymbolKind::Constant)
        };
        let conditional =
            |symbol: u32| is_code(symbol) && self.fact(symbol).is_some_and(|(_, fact)| fact.exported.is_none());
        if self.is_file(to) || !is_code(to) {
            return Platforms::Any;
        }
        // What is compiled for the same platforms knows which is meant, as far as anybody does.
        if self.file_of[from as usize] == self.file_of[to as usize] && !self.is_file(from) && conditional(from) {
            return Platforms::Any;
        }
        let there = self.bases_of_files[self.file_of[to as usize] as usize];
        let twins = self.scope(there, self.key(to));
        let mut twins: Vec<u32> = twins.iter().copied().filter(|&twin| is_code(twin)).collect();
        // Where a macro stands for a function that is left out, the function stands in a file of its own.
        if twins.iter().all(|&twin| self.kind_of(twin) != SymbolKind::Function) {
            let all = self.names(Family::C, self.key(to), self.name(to));
            let functions = all.iter().copied().filter(|&twin| {
                let visible =
                    !self.briefs[twin as usize].hidden || self.file_of[twin as usize] == self.file_of[from as usize];
                self.kind_of(twin) == SymbolKind::Function && visible
            });
            twins.extend(functions.take(MOST_CANDIDATES));
        }
        match twins.iter().filter(|&&twin| conditional(twin)).count() {
            0 => Platforms::Any,
            _ if twins.len() > 1 && twins.contains(&to) => Platforms::Each(twins),
            _ => Platforms::Some,
        }
    }

    /// The definitions of one name in one package of Go, seen from another file: each is of another platform or build tag, and
    /// which is compiled the sources do not say. Empty where there is one.
    fn twins(&self, place: u32, to: u32) -> Vec<u32> {
        let there = self.file_of[to as usize];
        if self.families[place as usize] != Family::Go || there == place || self.is_file(to) {
            return Vec::new();
        }
        let found = match self.owner(to) {
            NONE => self.packages(self.modules.package_of[there as usize], self.key(to), self.name(to)),
            class => self.scope(class, self.key(to)),
        };
        let elsewhere = found.iter().any(|&twin| self.file_of[twin as usize] != there);
        if elsewhere && found.contains(&to) { found.into_owned() } else { Vec::new() }
    }

    /// The only function that extends a type of others by this name: `fun String.shout()`.
    fn extension(&self, place: u32, key: u64, name: &str) -> Option<u32> {
        let all = self.names(self.families[place as usize], key, name);
        let mut found = all.iter().copied().filter(|&symbol| {
            self.owner(symbol) == NONE
                && self.kind_of(symbol) == SymbolKind::Method
                && self.is_file(self.parents[symbol as usize])
                && self.reaches(place, self.file_of[symbol as usize])
        });
        match (found.next(), found.next()) {
            (Some(symbol), None) => Some(symbol),
            _ => None,
        }
    }

    /// A method that classes below `class` define.
    fn below(&self, class: u32, key: u64) -> Option<(Vec<u32>, u32)> {
        let mut found = Vec::new();
        let mut queue = vec![class];
        let mut at = 0;
        while at < queue.len() && at < 256 {
            for &derived in self.derived(queue[at]) {
                if !queue.contains(&derived) {
                    queue.push(derived);
                    found.extend(self.preferred(&self.scope(derived, key)));
                }
            }
            at += 1;
        }
        let count = found.len() as u32;
        found.truncate(MOST_CANDIDATES);
        (count > 0).then_some((found, count))
    }

    /// What a name may mean where nothing else is known: targets, how many there are, and how sure.
    fn by_name(&self, place: u32, key: u64, name: &str, method: bool) -> Option<(Vec<u32>, u32, u8)> {
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
        let all = self.namesakes(which, key, name)?;
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
                found.iter().all(|&other| other == root || self.is_below(self.owner(other), self.owner(root)))
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
    fn is_of_an_object(&self, symbol: u32) -> bool {
        self.fact(symbol).is_some_and(|(file, fact)| !file.string(fact.container).is_empty())
    }

    fn is_below(&self, class: u32, base: u32) -> bool {
        let mut queue = vec![class];
        let mut at = 0;
        while at < queue.len() && at < 64 {
            if queue[at] == base {
                return true;
            }
            let bases = self.supers(queue[at]).to_vec();
            queue.extend(bases);
            self.queue_parts(queue[at], &mut queue, at + 1);
            at += 1;
        }
        false
    }

    /// Methods that replace those of a base.
    fn overrides(&self, place: u32, edges: &mut Vec<DraftEdge>) {
        let own = self.bases_of_files[place as usize];
        for symbol in own + 1..=own + self.heads[place as usize].symbols {
            let class = self.owner(symbol);
            if class == NONE || !is_callable(self.kind(symbol)) || self.supers(class).is_empty() {
                continue;
            }
            if let Some(base) = self.class_member(Value::Super(class), self.key(symbol)).filter(|&base| base != symbol)
            {
                let line = self.fact(symbol).map_or(1, |(_, fact)| fact.name_line);
                edges.push(DraftEdge {
                    from: symbol,
                    line,
                    relation: relation::OVERRIDES,
                    resolution: resolution::EXACT,
                    to: base,
                    candidates: 1,
                });
            }
        }
    }
}

/// How sure a name is that an import of everything brings.
fn way_of(import: &crate::cache::Import) -> Way {
    if import.conditional { resolution::UNIQUE_NAME } else { resolution::IMPORT }
}

/// How many arguments a function takes, by its signature as written; `None` where that does not show.
fn parameters_of(signature: &str, name: &str) -> Option<std::ops::RangeInclusive<u32>> {
    let (at, _) = signature.match_indices(name).find(|(at, _)| {
        let after = signature[at + name.len()..].trim_start();
        let word = |c: char| c.is_alphanumeric() || c == '_';
        !signature[..*at].ends_with(word) && after.starts_with(['(', '<'])
    })?;
    let mut rest = signature[at + name.len()..].trim_start();
    if rest.starts_with('<') {
        rest = rest.split_once('(').map(|(generic, _)| &rest[generic.len()..])?;
    }
    let mut depth = 0;
    let end = rest.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    let inner = rest.get(1..end)?.trim();
    if inner.is_empty() || inner == "void" {
        return Some(0..=0);
    }
    if inner.contains("->") || inner.contains("=>") {
        return None;
    }
    let (mut least, mut most) = (0, 0);
    for part in top_level(inner, ',').map(str::trim) {
        let several = part.contains("...") || part.starts_with("vararg ") || part.contains("params ");
        most = if several { 10_000 } else { most + 1 };
        // An extension of C# is called with what it extends before it.
        least += u32::from(!several && !part.contains('=') && !part.starts_with("this "));
    }
    Some(least..=most)
}

/// Keys of the names of which a file says more than one thing in one place, or something that holds for some lines alone.
fn varied(file: &File<'_>) -> FxHashSet<u64> {
    let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
    let bindings = file.bindings.iter();
    let varied = bindings.filter(|binding| !seen.insert((binding.inside, binding.name)) || binding.until != 0);
    varied.map(|binding| file.keys[binding.name as usize]).collect()
}

/// Whether a file of the family has only values from files that it reaches.
fn is_reach_asked(which: Family) -> bool {
    matches!(which, Family::Python | Family::Script | Family::Go | Family::Jvm | Family::CSharp)
}

/// For each file the files that it reaches, a row of bits each: what it imports, and what those import.
fn rows_of(next: &[Vec<u32>], packages: &[Vec<u32>]) -> Vec<u64> {
    let files = next.len();
    let next: Vec<&[u32]> = next.iter().chain(packages).map(Vec::as_slice).collect();
    // Strongly connected components share one set; Tarjan's order gives each after those it reaches.
    let component = components(&next);
    let count = component.iter().copied().max().map_or(0, |last| last as usize + 1);
    let words = files.div_ceil(64);
    let mut sets = vec![0u64; count * words];
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (node, &number) in component.iter().enumerate() {
        members[number as usize].push(node as u32);
    }
    for number in 0..count {
        for &node in &members[number] {
            if (node as usize) < files {
                sets[number * words + node as usize / 64] |= 1 << (node % 64);
            }
            for &to in next[node as usize] {
                let other = component[to as usize] as usize;
                if other != number {
                    let (low, high) = sets.split_at_mut(number * words);
                    for (own, its) in high[..words].iter_mut().zip(&low[other * words..(other + 1) * words]) {
                        *own |= its;
                    }
                }
            }
        }
    }
    let mut rows = vec![0; files * words];
    for (place, &number) in component.iter().enumerate().take(files) {
        let number = number as usize;
        rows[place * words..(place + 1) * words].copy_from_slice(&sets[number * words..(number + 1) * words]);
    }
    rows
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn shared_prefix(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

/// The parts of a text between separators that stand in no brackets.
fn top_level(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    text.split(move |character: char| {
        match character {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth -= 1,
            _ => {}
        }
        character == separator && depth == 0
    })
}

/// Strongly connected components (Tarjan, without recursion), numbered so that each comes after those it leads to.
fn components(next: &[&[u32]]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let count = next.len();
    let mut index = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut component = vec![UNSEEN; count];
    let (mut stack, mut clock, mut number) = (Vec::new(), 0u32, 0u32);
    for start in 0..count {
        if index[start] != UNSEEN {
            continue;
        }
        let mut work = vec![(start, 0usize)];
        while let Some(&mut (node, ref mut edge)) = work.last_mut() {
            if *edge == 0 && index[node] == UNSEEN {
                index[node] = clock;
                low[node] = clock;
                clock += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&to) = next[node].get(*edge) {
                *edge += 1;
                let to = to as usize;
                if index[to] == UNSEEN {
                    work.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(index[to]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component[member] = number;
                    if member == node {
                        break;
                    }
                }
                number += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_cut_outside_of_brackets() {
        assert_eq!(vec![("self", false), ("session", false)], parts_of("self.session"));
        assert_eq!(vec![("make_app", true), ("client", false)], parts_of("make_app().client"));
        assert_eq!(vec![("crate", false), ("a", false), ("B", false)], parts_of("crate::a::B"));
        assert_eq!(vec![("p", false), ("next", false)], parts_of("p->next"));
        assert_eq!(vec![("Vec<a::B>", false), ("new", true)], parts_of("Vec<a::B>::new()"));
        assert_eq!(Vec::<(&str, bool)>::new(), parts_of(""));
    }

    #[test]
    fn a_signature_tells_how_many_arguments_a_function_takes() {
        let taken =
            |signature: &str, name: &str| parameters_of(signature, name).map(|range| (*range.start(), *range.end()));
        assert_eq!(Some((1, 1)), taken("public CSVFormat withEscape(final char escape)", "withEscape"));
        assert_eq!(Some((0, 0)), taken("private static void show()", "show"));
        assert_eq!(Some((2, 2)), taken("<T> void put(Map<String, List<T>> all, T one) throws E", "put"));
        assert_eq!(Some((1, 10_000)), taken("String format(final Locale locale, final Object... values)", "format"));
        assert_eq!(Some((1, 2)), taken("fun sink(file: Path, mustCreate: Boolean = false): Sink", "sink"));
        assert_eq!(Some((1, 2)), taken("static T Query<T>(this IDbConnection cnn, string sql)", "Query"));
        // Cut off, or with a function as a parameter: it does not show.
        assert_eq!(None, taken("void many(int a, int b,", "many"));
        assert_eq!(None, taken("fun each(action: (Int) -> Unit)", "each"));
        assert_eq!(None, taken("val total", "total"));
    }

    #[test]
    fn components_come_after_what_they_lead_to() {
        // 0 <-> 1 -> 2 -> 3 <-> 4
        let component = components(&[&[1], &[0, 2], &[3], &[4], &[3]]);
        assert_eq!(component[0], component[1]);
        assert_eq!(component[3], component[4]);
        assert!(component[0] > component[2] && component[2] > component[3]);
    }
}
