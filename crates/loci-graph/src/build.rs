//! From a repository to its graph, taking over what has not changed.
//!
//! The facts of a file depend on its path and content alone, so they are kept as long as these stay. What its names mean depends on
//! other files as well: the graph keeps what each file asked of others, and of the same files only those are resolved again that
//! changed or asked for something that did. A graph built from an older one is byte for byte the graph that a fresh build would have
//! written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use loci_collect::{ListedFile, Policy, Redactor, Repository, TextOutcome, reason, role_of};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::GraphError;
use crate::extract::packed::{self, Content, File, KIND_FILE, KINDS, NONE, Terms};
use crate::extract::{self, Limits};
use crate::heads::Head;
use crate::ids::FileId;
use crate::resolve::modules::{Family, Modules, family, is_dotnet, settings_of};
use crate::resolve::tables::Facts;
use crate::resolve::{self, Rebuilt};
use crate::store::{
    EdgeRecord, Encoded, FORMAT, FileRecord, Forward, Graph, GraphWriter, RELATIONS, RESOLUTIONS, Record, SymbolRecord,
    Taken,
};

/// A file that was written so shortly before it was read may have been written again since, within one tick of its clock.
const SETTLED_NS: i64 = 2_000_000_000;
/// Paths named per outcome in the report.
const EXAMPLES: usize = 5;
/// Where more than one in so many files changed, everything is resolved again.
const MOST_CHANGED: usize = 8;

/// Words for the outcomes of files, in the order of their numbers.
pub const OUTCOMES: [&str; 4] = ["parsed", "partial", "timed_out", "unparsed"];

/// What a build read and what it left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// State of the repository that the graph stands for.
    pub fingerprint: String,
    /// Files that git lists.
    pub listed: u64,
    /// Source files and manifests in the graph.
    pub files: u64,
    /// Files whose facts were taken over.
    pub reused_files: u64,
    /// Source files by outcome: [`OUTCOMES`].
    pub outcomes: BTreeMap<String, u64>,
    /// A few paths per outcome other than `parsed`.
    pub examples: BTreeMap<String, Vec<String>>,
    /// Files not read, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Files that the system refused, with its message.
    pub unreadable: Vec<(String, String)>,
    /// Files that were not valid text and read leniently.
    pub lossy: Vec<String>,
    /// Symbols, files included.
    pub symbols: u64,
    /// Edges by how they were resolved.
    pub edges: BTreeMap<String, u64>,
    /// References without a target.
    pub unresolved: u64,
}

/// Signature of the rules that shape a graph: a graph of another one is built anew.
pub fn signature(policy: &Policy, redactor: &Redactor) -> String {
    format!(
        "graph{FORMAT}.{}.{}.{}-{}-{}-{}",
        packed::LAYOUT,
        resolve::RULES,
        extract::RULES,
        loci_text::signature(),
        policy.signature(),
        redactor.signature()
    )
}

/// Told the stage with the work done and in all.
type Progress<'p> = &'p (dyn Fn(&'static str, u64, u64) + Sync);

/// A source file or manifest of the graph.
struct Kept<'a> {
    path: &'a str,
    digest: [u8; 16],
    /// See [`stamp_of`].
    stamp: u64,
    /// Its facts, if they were not taken over.
    packed: Option<Vec<u8>>,
    /// Its facts as they are stored.
    facts: Cow<'a, [u8]>,
}

enum Outcome<'a> {
    Kept(Kept<'a>),
    Skipped(&'static str),
    Unreadable(String),
    /// Neither source nor a manifest.
    Other,
}

/// Whether a file may hold what the graph is made of, by its name.
fn concerns(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    extract::language_of(path, "").is_some()
        || !name.contains('.')
        || is_dotnet(name)
        || matches!(name, "go.mod" | "Cargo.toml" | "package.json" | "jsconfig.json")
        || name.starts_with("tsconfig") && name.ends_with(".json")
}

/// Whether a file is what others import when they import its folder. Some are written by generators, and without what they pass on
/// nothing leads to what they stand for.
fn is_entry(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "__init__.py" | "__init__.pyi" | "index.ts" | "index.tsx" | "index.js" | "index.mjs" | "mod.rs")
}

/// Builds the graph of the repository at `root`.
///
/// `previous` is the scope's older graph; the facts of files that are unchanged in it are not extracted again. `progress` is told
/// the stage (`files`, `resolve`, `writing`) with the work done and in all; it may be called from several threads.
///
/// # Errors
/// [`GraphError::Collect`] when git cannot be read, [`GraphError::File`] when the result cannot be laid out.
pub fn build(
    root: &Path,
    policy: &Policy,
    redactor: &Redactor,
    previous: Option<&Graph>,
    progress: Progress<'_>,
) -> Result<(Encoded, BuildReport), GraphError> {
    let started = SystemTime::now();
    let repository = loci_collect::open(root)?;
    let signature = signature(policy, redactor);
    let previous = previous.filter(|graph| graph.header().signature == signature);
    let listing = repository.list(policy)?;
    let entries = Policy { generated_markers: Vec::new(), ..policy.clone() };
    let mut report = BuildReport {
        fingerprint: repository.fingerprint_of(&listing, policy)?,
        listed: listing.listed,
        skipped: listing.skipped.clone(),
        ..BuildReport::default()
    };
    let mut listed: Vec<&ListedFile> = listing.files.iter().filter(|file| concerns(&file.path)).collect();
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    let known: FxHashMap<&str, u32> = previous
        .map(|graph| (0..graph.file_count()).map(|file| (graph.file_path(file), file)).collect())
        .unwrap_or_default();
    let total = listed.len() as u64;
    let done = AtomicU64::new(0);
    progress("files", 0, total);
    let outcomes: Vec<Outcome<'_>> = listed
        .par_iter()
        .with_max_len(16)
        .map_init(Terms::default, |terms, file| {
            let old = known.get(file.path.as_str()).copied().zip(previous);
            let policy = if is_entry(&file.path) { &entries } else { policy };
            let outcome = read(&repository, file, policy, redactor, old, terms);
            let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
            if finished.is_multiple_of(64) || finished == total {
                progress("files", finished, total);
            }
            outcome
        })
        .collect();

    let mut kept: Vec<Kept<'_>> = Vec::with_capacity(outcomes.len());
    for (file, outcome) in listed.iter().zip(outcomes) {
        match outcome {
            Outcome::Kept(taken) => {
                report.reused_files += u64::from(taken.packed.is_none());
                if taken.facts.first() == Some(&1) {
                    report.lossy.push(file.path.clone());
                }
                kept.push(taken);
            }
            Outcome::Skipped(reason) => *report.skipped.entry(reason.to_owned()).or_default() += 1,
            Outcome::Unreadable(message) => report.unreadable.push((file.path.clone(), message)),
            Outcome::Other => {}
        }
    }
    progress("resolve", 0, 1);
    let encoded = match previous {
        Some(graph) if same_paths(graph, &kept) => encode_changed(&mut kept, graph, &signature, &mut report, progress)?,
        _ => None,
    };
    let mut encoded = match encoded {
        Some(encoded) => encoded,
        None => match encode_all(&mut kept, signature, &mut report, progress)? {
            Some(encoded) => encoded,
            // Facts that were taken over and do not hold together only cost the time to read everything again.
            None => return build(root, policy, redactor, None, progress),
        },
    };
    encoded.read_at = Some(started);
    progress("writing", 1, 1);
    report.symbols = u64::from(encoded.symbols);
    report.edges = encoded.header.edges.clone();
    report.unresolved = encoded.header.unresolved;
    Ok((encoded, report))
}

/// Whether a graph is of the same files.
fn same_paths(graph: &Graph, kept: &[Kept<'_>]) -> bool {
    graph.file_count() as usize == kept.len()
        && kept.iter().enumerate().all(|(place, file)| graph.file_path(place as u32) == file.path)
}

/// Counts the outcomes of source files.
fn count_outcomes(kept: &[Kept<'_>], heads: &[Head<'_>], report: &mut BuildReport) {
    report.files = kept.len() as u64;
    report.outcomes.clear();
    report.examples.clear();
    for (file, head) in kept.iter().zip(heads).filter(|(_, head)| head.language.is_some()) {
        let word = OUTCOMES[head.outcome.min(3) as usize];
        *report.outcomes.entry(word.to_owned()).or_default() += 1;
        if head.outcome != 0 {
            let examples = report.examples.entry(word.to_owned()).or_default();
            if examples.len() < EXAMPLES {
                examples.push(file.path.to_owned());
            }
        }
    }
}

/// The graph of files that are all resolved anew; `None` where facts that were taken over do not hold together.
fn encode_all(
    kept: &mut [Kept<'_>],
    signature: String,
    report: &mut BuildReport,
    progress: Progress<'_>,
) -> Result<Option<Encoded>, GraphError> {
    let packed: Vec<OnceLock<Vec<u8>>> = kept.iter_mut().map(|file| slot(file.packed.take())).collect();
    let compressed = kept.iter().map(|file| &*file.facts).collect();
    let facts = Facts::new(&packed, compressed, vec![NONE; kept.len()]);
    let heads: Vec<Head<'_>> = (0..kept.len() as u32)
        .into_par_iter()
        .with_max_len(32)
        .map(|place| Head::of(facts.file(FileId(place))))
        .collect();
    if facts.damaged() {
        return Ok(None);
    }
    count_outcomes(kept, &heads, report);
    let paths: Vec<&str> = kept.iter().map(|file| file.path).collect();
    let families: Vec<Family> = heads.iter().map(|head| family(head.language)).collect();
    let modules = Modules::new(&paths, &heads, &families);
    let (resolved, parents) = resolve::resolve(&facts, &heads, &paths, &families, &modules);
    progress("resolve", 1, 1);
    progress("writing", 0, 1);
    let mut symbols = Vec::with_capacity(parents.len());
    for place in 0..kept.len() as u32 {
        let own = &parents[symbols.len()..];
        draft_symbols(place, paths[place as usize], facts.file(FileId(place)), own, &mut symbols);
    }
    let forwards = (0..kept.len() as u32).map(|place| Some(forward(facts.file(FileId(place))))).collect();
    let (mut edges, mut records) = (Vec::new(), Vec::with_capacity(kept.len()));
    for file in resolved {
        edges.extend(file.edges);
        records.push(file.record);
    }
    let draft = GraphWriter {
        symbols,
        edges,
        unresolved: unresolved_of(records.iter()),
        forwards,
        files: draft_files(kept, &heads, records),
        ..draft_of(signature, report)
    };
    draft.encode().map(Some)
}

/// The graph of the same files as an older one's, some with other content: what depends on none of these is taken over. `None` where
/// everything has to be resolved again, since what imports mean may be another thing now.
fn encode_changed(
    kept: &mut [Kept<'_>],
    graph: &Graph,
    signature: &str,
    report: &mut BuildReport,
    progress: Progress<'_>,
) -> Result<Option<Encoded>, GraphError> {
    let changed: Vec<u32> = (0..kept.len() as u32).filter(|&place| kept[place as usize].packed.is_some()).collect();
    // Each file that changed is looked at for what it says of others; with many it is quicker to start over.
    if changed.len() * MOST_CHANGED > kept.len().max(MOST_CHANGED * MOST_CHANGED) {
        return Ok(None);
    }
    let copies: Vec<OnceLock<Vec<u8>>> = kept.iter().map(|file| slot(file.packed.clone())).collect();
    let compressed = kept.iter().map(|file| &*file.facts).collect();
    let mut counts = vec![NONE; kept.len()];
    for place in 0..kept.len() as u32 {
        let symbols = graph.symbols_of_file(place);
        if symbols.is_empty() || graph.kind_number(symbols.start) != KIND_FILE {
            return Ok(None);
        }
        if kept[place as usize].packed.is_none() {
            counts[place as usize] = symbols.len() as u32 - 1;
        }
    }
    let facts = Facts::new(&copies, compressed, counts.clone());
    let mut before_bytes = Vec::with_capacity(changed.len());
    for &place in &changed {
        let Some((bytes, _)) = packed::decompress(graph.file_facts(place)) else { return Ok(None) };
        before_bytes.push(bytes);
    }
    let mut before = Vec::with_capacity(changed.len());
    for (&place, bytes) in changed.iter().zip(&before_bytes) {
        match packed::unpack(bytes) {
            Ok(file) if file.symbols.len() + 1 == graph.symbols_of_file(place).len() => before.push(file),
            _ => return Ok(None),
        }
    }
    let mut heads = Vec::with_capacity(kept.len());
    for place in 0..kept.len() as u32 {
        let head = graph.head(place);
        let known = counts[place as usize] != NONE;
        heads.push(match head {
            Some(head) if known && head.language.is_some() => head,
            _ => Head::of(facts.file(FileId(place))),
        });
    }
    for (&place, older) in changed.iter().zip(&before) {
        let head = &heads[place as usize];
        if (Head { symbols: head.symbols, outcome: head.outcome, ..Head::of(older) }) != *head {
            return Ok(None);
        }
    }
    let paths: Vec<&str> = kept.iter().map(|file| file.path).collect();
    let families: Vec<Family> = heads.iter().map(|head| family(head.language)).collect();
    let modules = Modules::new(&paths, &heads, &families);
    let pairs: Vec<(u32, &File<'_>)> = changed.iter().copied().zip(&before).collect();
    let Some(rebuilt) = resolve::resolve_changed(&facts, &heads, &paths, &families, &modules, graph, &pairs) else {
        return Ok(None);
    };
    count_outcomes(kept, &heads, report);

    progress("resolve", 1, 1);
    progress("writing", 0, 1);
    let taken = Taken::new(graph, counts.iter().map(|&count| count != NONE).collect(), &heads);
    let with_texts = taken.files_with_texts(&paths);
    let Rebuilt { resolved, records, now, parents } = rebuilt;
    let mut first = Vec::with_capacity(kept.len());
    let mut count = 0;
    for head in &heads {
        first.push(count);
        count += head.symbols as usize + 1;
    }
    let symbols_of = |place: u32| {
        let own = &parents[first[place as usize]..];
        let mut symbols = Vec::new();
        if counts[place as usize] == NONE || with_texts[place as usize] {
            draft_symbols(place, paths[place as usize], facts.file(FileId(place)), own, &mut symbols);
            return symbols;
        }
        // Its name and texts are copied as they stand in the older graph.
        symbols.extend(graph.symbols_of_file(place).zip(own).map(|(symbol, &parent)| SymbolRecord {
            file: place,
            kind: graph.kind_number(symbol),
            lines: graph.lines(symbol),
            line: graph.line(symbol),
            parent: Some(parent).filter(|parent| *parent != NONE),
            test: graph.is_test(symbol),
            exported: graph.exported(symbol),
            ..SymbolRecord::default()
        }));
        symbols
    };
    let edges_of = |place: u32, resolved: Option<&[EdgeRecord]>| {
        let mut edges = Vec::new();
        if let Some(resolved) = resolved {
            edges.extend_from_slice(resolved);
            edges.sort_unstable();
            return edges;
        }
        for from in graph.symbols_of_file(place) {
            graph.each_edge_from(from, |edge| {
                edges.push(EdgeRecord {
                    from: now[from as usize],
                    line: edge.line,
                    relation: edge.relation,
                    resolution: edge.resolution,
                    to: now[edge.to as usize],
                    candidates: edge.candidates,
                });
            });
        }
        edges
    };
    let places = || (0..kept.len() as u32).into_par_iter().with_min_len(64);
    let (symbols, (edges, unresolved)) = rayon::join(
        || places().flat_map_iter(symbols_of).collect::<Vec<_>>(),
        || {
            rayon::join(
                || {
                    let resolved = |place: u32| resolved[place as usize].as_ref().map(|resolved| &*resolved.edges);
                    places().flat_map_iter(|place| edges_of(place, resolved(place))).collect::<Vec<_>>()
                },
                || {
                    let own = resolved.iter().zip(&records);
                    unresolved_of(own.map(|(resolved, record)| resolved.as_ref().map_or(record, |it| &it.record)))
                },
            )
        },
    );
    let records = resolved.into_iter().zip(records).map(|(own, older)| own.map_or(older, |own| own.record)).collect();
    if facts.damaged() || edges.par_iter().any(|edge| edge.from == NONE || edge.to == NONE) {
        return Ok(None);
    }
    let is_new = |place: u32| counts[place as usize] == NONE;
    let forwards =
        (0..kept.len() as u32).map(|place| is_new(place).then(|| forward(facts.file(FileId(place))))).collect();
    let draft = GraphWriter {
        symbols,
        edges,
        unresolved,
        forwards,
        files: draft_files(kept, &heads, records),
        ..draft_of(signature.to_owned(), report)
    };
    draft.encode_with(Some(&taken)).map(Some)
}

fn slot(bytes: Option<Vec<u8>>) -> OnceLock<Vec<u8>> {
    bytes.map_or_else(OnceLock::new, OnceLock::from)
}

/// The symbol of a file and those in it; `parents` are theirs, in that order.
fn draft_symbols<'a>(place: u32, path: &'a str, file: &File<'a>, parents: &[u32], symbols: &mut Vec<SymbolRecord<'a>>) {
    symbols.push(SymbolRecord {
        file: place,
        name: Cow::Borrowed(path.rsplit('/').next().unwrap_or(path)),
        kind: KIND_FILE,
        lines: (1, file.lines.max(1)),
        line: 1,
        ..SymbolRecord::default()
    });
    for (symbol, &parent) in file.symbols.iter().zip(&parents[1..]) {
        symbols.push(SymbolRecord {
            file: place,
            name: Cow::Borrowed(file.string(symbol.name)),
            container: Cow::Borrowed(file.string(symbol.container)),
            kind: symbol.kind,
            lines: symbol.lines,
            line: symbol.name_line,
            parent: (parent != NONE).then_some(parent),
            test: symbol.test,
            exported: symbol.exported,
            signature: Cow::Borrowed(file.string(symbol.signature)),
            documentation: Cow::Borrowed(file.string(symbol.documentation)),
        });
    }
}

fn forward<'f>(file: &'f File<'_>) -> Forward<'f> {
    Forward { strings: &file.strings, ends: &file.term_ends, terms: &file.terms }
}

fn draft_files<'a>(kept: &'a [Kept<'_>], heads: &[Head<'a>], records: Vec<Record>) -> Vec<FileRecord<'a>> {
    kept.par_iter()
        .zip(heads)
        .zip(records)
        .with_min_len(64)
        .map(|((file, head), record)| FileRecord {
            path: Cow::Borrowed(file.path),
            digest: file.digest,
            role: role_of(file.path) as u8,
            facts: Cow::Borrowed(&file.facts),
            stamp: file.stamp,
            kind: head.number(),
            module: Cow::Borrowed(head.module),
            record,
        })
        .collect()
}

/// How often each name was used without a target, over all files.
fn unresolved_of<'r>(records: impl Iterator<Item = &'r Record>) -> FxHashMap<u32, u32> {
    let mut unresolved: FxHashMap<u32, u32> = FxHashMap::default();
    for &(name, count) in records.flat_map(|record| &record.unresolved) {
        let sum = unresolved.entry(name).or_default();
        *sum = sum.saturating_add(count);
    }
    unresolved
}

fn draft_of<'a>(signature: String, report: &BuildReport) -> GraphWriter<'a> {
    GraphWriter {
        signature,
        backend: "built-in".to_owned(),
        fingerprint: report.fingerprint.clone(),
        outcomes: report.outcomes.clone(),
        kinds: KINDS.iter().map(|(_, word)| (*word).to_owned()).collect(),
        relations: RELATIONS.map(str::to_owned).to_vec(),
        resolutions: RESOLUTIONS.map(str::to_owned).to_vec(),
        ..GraphWriter::default()
    }
}

/// Size and times of a file as one number: as long as it stays the same, so does the content.
fn stamp_of(file: &ListedFile) -> u64 {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&file.size.to_le_bytes());
    bytes[8..16].copy_from_slice(&file.modified_ns.to_le_bytes());
    bytes[16..].copy_from_slice(&file.written_ns().to_le_bytes());
    let mut stamp = [0; 8];
    stamp.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..8]);
    u64::from_le_bytes(stamp)
}

fn read<'g>(
    repository: &Repository,
    file: &'g ListedFile,
    policy: &Policy,
    redactor: &Redactor,
    old: Option<(u32, &'g Graph)>,
    terms: &mut Terms,
) -> Outcome<'g> {
    // A path that stands in a graph of the same rules was looked at when that was made.
    if old.is_none()
        && let Cow::Owned(_) = redactor.redact_path(&file.path)
    {
        // A citation needs the real path, and the real path is the secret.
        return Outcome::Skipped(reason::SECRET);
    }
    let stamp = stamp_of(file);
    let take_over = |place: u32, graph: &'g Graph| {
        let (digest, facts) = (graph.file_digest(place), Cow::Borrowed(graph.file_facts(place)));
        Outcome::Kept(Kept { path: &file.path, digest, stamp, packed: None, facts })
    };
    if let Some((place, graph)) = old
        && graph.file_stamp(place) == stamp
        && file.written_ns() < graph.read_ns().saturating_sub(SETTLED_NS)
    {
        return take_over(place, graph);
    }
    let before = old.map(|(place, graph)| graph.file_digest(place));
    let (digest, text, lossy) = match repository.text_if_changed(file, policy, before.as_ref()) {
        TextOutcome::Read { content_hash, text, lossy } => (content_hash, text, lossy),
        TextOutcome::Skipped { reason } => return Outcome::Skipped(reason),
        TextOutcome::Unreadable { message } => return Outcome::Unreadable(message),
        TextOutcome::Unchanged => {
            let (place, graph) = old.expect("only a known digest can be unchanged");
            return take_over(place, graph);
        }
    };
    // A secret may be a name, a title of a test or part of an import, and half of one is none that could be recognised.
    let text = redactor.overwrite(&text, file.path.rsplit('/').next().unwrap_or(&file.path));
    let lines = text.lines().count() as u32;
    let first_line = text.lines().next().unwrap_or("");
    let packed = if extract::language_of(&file.path, first_line).is_some() {
        let facts = extract::extract(&file.path, &text, &Limits::default());
        packed::pack(&Content::Facts(&facts), lines, terms)
    } else if let Some(settings) = settings_of(&file.path, &text) {
        packed::pack(&Content::Settings(&settings), lines, terms)
    } else {
        return Outcome::Other;
    };
    let facts = Cow::Owned(packed::compress(&packed, lossy));
    Outcome::Kept(Kept { path: &file.path, digest, stamp, packed: Some(packed), facts })
}
