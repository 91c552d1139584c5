//! From a repository to its graph, taking over what has not changed.
//!
//! The facts of a file depend on its path and content alone, and everything else on the facts of all files, so a graph built from an
//! older one is byte for byte the graph that a fresh build would have written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use loci_collect::{ListedFile, Policy, Redactor, Repository, TextOutcome, aisle_of, reason};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::GraphError;
use crate::cache::{self, Content, File, KIND_FILE, KINDS, NONE, Terms};
use crate::facts::{self, FileFacts, Limits};
use crate::modules::{Family, Modules, family, settings_of};
use crate::resolve;
use crate::store::{Draft, DraftFile, DraftSymbol, Encoded, FORMAT, Forward, Graph, RELATIONS, RESOLUTIONS};

/// Fast: facts are compressed while a person waits.
const FACTS_LEVEL: i32 = 1;
/// Paths named per outcome in the report.
const EXAMPLES: usize = 5;
/// The facts of one file when unpacked; what [`Limits`] lets through stays far below.
const MOST_FACT_BYTES: usize = 256 << 20;

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
        cache::LAYOUT,
        resolve::RULES,
        facts::RULES,
        loci_text::signature(),
        policy.signature(),
        redactor.signature()
    )
}

/// Path, content hash, facts, and the facts as they are stored.
type Kept<'a> = (&'a str, [u8; 16], Vec<u8>, Vec<u8>);

enum Outcome {
    Kept {
        digest: [u8; 16],
        packed: Vec<u8>,
        compressed: Vec<u8>,
        reused: bool,
        lossy: bool,
    },
    Skipped(&'static str),
    Unreadable(String),
    /// Neither source nor a manifest.
    Other,
}

/// Whether a file may hold what the graph is made of, by its name.
fn concerns(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    facts::language_of(path, "").is_some()
        || !name.contains('.')
        || matches!(name, "go.mod" | "Cargo.toml" | "package.json" | "jsconfig.json")
        || name.starts_with("tsconfig") && name.ends_with(".json")
}

/// Builds the graph of the repository at `root`.
///
/// `previous` is the scope's older graph; the facts of files that are unchanged in it are not extracted again. `progress` is told
/// the stage (`files`, `resolve`, `writing`) with the work done and in all; it may be called from several threads.
///
/// # Errors
/// [`GraphError::Collect`] when git cannot be read, [`GraphError::TooLarge`] when the result cannot be laid out.
pub fn build(
    root: &Path,
    policy: &Policy,
    redactor: &Redactor,
    previous: Option<&Graph>,
    progress: &(dyn Fn(&'static str, u64, u64) + Sync),
) -> Result<(Encoded, BuildReport), GraphError> {
    let repository = loci_collect::open(root)?;
    let signature = signature(policy, redactor);
    let previous = previous.filter(|graph| graph.header().signature == signature);
    let listing = repository.list(policy)?;
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
    let outcomes: Vec<Outcome> = listed
        .par_iter()
        .with_max_len(16)
        .map_init(Terms::default, |terms, file| {
            let old = known.get(file.path.as_str()).copied().zip(previous);
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
            Outcome::Kept { digest, packed, compressed, reused, lossy } => {
                report.reused_files += u64::from(reused);
                if lossy {
                    report.lossy.push(file.path.clone());
                }
                kept.push((file.path.as_str(), digest, packed, compressed));
            }
            Outcome::Skipped(reason) => *report.skipped.entry(reason.to_owned()).or_default() += 1,
            Outcome::Unreadable(message) => report.unreadable.push((file.path.clone(), message)),
            Outcome::Other => {}
        }
    }
    progress("resolve", 0, 1);
    let paths: Vec<&str> = kept.iter().map(|file| file.0).collect();
    let unpacked: Result<Vec<File<'_>>, GraphError> =
        kept.par_iter().map(|(_, _, packed, _)| cache::unpack(packed)).collect();
    let files = match unpacked {
        Ok(files) => files,
        // Facts that were taken over and do not hold together only cost the time to read everything again.
        Err(_) if previous.is_some() => return build(root, policy, redactor, None, progress),
        Err(error) => return Err(error),
    };
    report.files = files.len() as u64;
    for (file, path) in files.iter().zip(&paths) {
        if file.language.is_none() {
            continue;
        }
        let word = OUTCOMES[file.outcome as usize];
        *report.outcomes.entry(word.to_owned()).or_default() += 1;
        if file.outcome != 0 {
            let examples = report.examples.entry(word.to_owned()).or_default();
            if examples.len() < EXAMPLES {
                examples.push((*path).to_owned());
            }
        }
    }
    let families: Vec<Family> = files.iter().map(|file| family(file.language)).collect();
    let modules = Modules::new(&paths, &files, &families);
    let resolved = resolve::resolve(&files, &paths, &families, &modules);
    progress("resolve", 1, 1);
    progress("writing", 0, 1);
    let mut symbols = Vec::with_capacity(resolved.parents.len());
    for (place, file) in files.iter().enumerate() {
        let name = paths[place].rsplit('/').next().unwrap_or(paths[place]);
        symbols.push(DraftSymbol {
            file: place as u32,
            name: Cow::Borrowed(name),
            kind: KIND_FILE,
            lines: (1, file.lines.max(1)),
            line: 1,
            ..DraftSymbol::default()
        });
        for symbol in &file.symbols {
            let parent = resolved.parents[symbols.len()];
            symbols.push(DraftSymbol {
                file: place as u32,
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
    let forwards = files
        .iter()
        .map(|file| Forward { strings: &file.strings, ends: &file.term_ends, terms: &file.terms })
        .collect();
    let draft = Draft {
        signature,
        backend: "built-in".to_owned(),
        fingerprint: report.fingerprint.clone(),
        notes: Vec::new(),
        outcomes: report.outcomes.clone(),
        kinds: KINDS.iter().map(|(_, word)| (*word).to_owned()).collect(),
        relations: RELATIONS.map(str::to_owned).to_vec(),
        resolutions: RESOLUTIONS.map(str::to_owned).to_vec(),
        files: kept
            .iter()
            .map(|(path, digest, _, compressed)| DraftFile {
                path: Cow::Borrowed(path),
                digest: *digest,
                aisle: aisle_of(path) as u8,
                facts: Cow::Borrowed(compressed),
            })
            .collect(),
        symbols,
        edges: resolved.edges,
        unresolved: resolved.unresolved,
        forwards,
    };
    let encoded = draft.encode()?;
    report.symbols = u64::from(encoded.symbols);
    report.edges = encoded.header.edges.clone();
    report.unresolved = encoded.header.unresolved;
    progress("writing", 1, 1);
    Ok((encoded, report))
}

fn read(
    repository: &Repository,
    file: &ListedFile,
    policy: &Policy,
    redactor: &Redactor,
    old: Option<(u32, &Graph)>,
    terms: &mut Terms,
) -> Outcome {
    if let Cow::Owned(_) = redactor.redact(&file.path, "").text {
        // A citation needs the real path, and the real path is the secret.
        return Outcome::Skipped(reason::SECRET);
    }
    let before = old.map(|(place, graph)| graph.file_digest(place));
    let (digest, text, lossy) = match repository.text_if_changed(file, policy, before.as_ref()) {
        TextOutcome::Read { content_hash, text, lossy } => (content_hash, text, lossy),
        TextOutcome::Skipped { reason } => return Outcome::Skipped(reason),
        TextOutcome::Unreadable { message } => return Outcome::Unreadable(message),
        TextOutcome::Unchanged => {
            let (place, graph) = old.expect("only a known digest can be unchanged");
            let compressed = graph.file_facts(place).to_vec();
            return match decompress(&compressed) {
                Some((packed, lossy)) => {
                    Outcome::Kept { digest: before.expect("known"), packed, compressed, reused: true, lossy }
                }
                // A damaged copy only costs the time to read the file again.
                None => read(repository, file, policy, redactor, None, terms),
            };
        }
    };
    let lines = text.lines().count() as u32;
    let first_line = text.lines().next().unwrap_or("");
    let packed = if facts::language_of(&file.path, first_line).is_some() {
        let mut facts = facts::extract(&file.path, &text, &Limits::default());
        hide(&mut facts, &file.path, redactor);
        cache::pack(&Content::Facts(&facts), lines, terms)
    } else if let Some(settings) = settings_of(&file.path, &text) {
        cache::pack(&Content::Settings(&settings), lines, terms)
    } else {
        return Outcome::Other;
    };
    let compressed = compress(&packed, lossy);
    Outcome::Kept { digest, packed, compressed, reused: false, lossy }
}

fn compress(packed: &[u8], lossy: bool) -> Vec<u8> {
    let mut bytes = vec![u8::from(lossy)];
    bytes.extend(zstd::bulk::compress(packed, FACTS_LEVEL).expect("compressing into memory fails only without memory"));
    bytes
}

fn decompress(bytes: &[u8]) -> Option<(Vec<u8>, bool)> {
    let (&lossy, packed) = bytes.split_first()?;
    let size = zstd::zstd_safe::get_frame_content_size(packed).ok()??;
    let packed = zstd::bulk::decompress(packed, usize::try_from(size).ok()?.min(MOST_FACT_BYTES)).ok()?;
    Some((packed, lossy == 1))
}

/// Hides the secrets that stand in signatures and documentation.
fn hide(facts: &mut FileFacts, path: &str, redactor: &Redactor) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut all = String::new();
    for symbol in &facts.symbols {
        all.push_str(&symbol.signature);
        all.push('\n');
        all.push_str(&symbol.documentation);
        all.push('\n');
    }
    if matches!(redactor.redact(&all, name).text, Cow::Borrowed(_)) {
        return;
    }
    for symbol in &mut facts.symbols {
        for text in [&mut symbol.signature, &mut symbol.documentation] {
            if let Cow::Owned(hidden) = redactor.redact(text, name).text {
                *text = hidden;
            }
        }
    }
}
