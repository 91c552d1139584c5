//! From a repository to a segment, taking over what has not changed.
//!
//! The order of passages depends on nothing but their content (path and line, or commit time and id), so a segment built
//! from an older one is byte for byte the segment that a fresh build would have written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use loci_collect::{
    Commit, FileOutcome, FileText, HistoryItem, Kind, ListedFile, Passage, Policy, Redactor, Repository, reason,
};
use loci_index::{
    CommitRecord, Encoded, FileRecord, Forward, ForwardBuilder, PassageKind, PassageRecord, Segment, SegmentWriter,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::BuildError;

/// Bytes of files that are tokenized together: large enough that repeated words are expanded once, small enough to share
/// the work between cores.
const BATCH_BYTES: u64 = 1 << 20;
/// Commits tokenized together.
const BATCH_COMMITS: usize = 2_048;
/// The key of what git ignores among the examples.
const IGNORED: &str = "ignored";
/// Paths named per reason in the report.
const EXAMPLES_PER_REASON: usize = 5;
/// Commits that touch more files do not list them as words: a sweeping change is about none of them.
const PATH_FIELD_FILES: u32 = 10;

/// What a build read and what it left out.
#[derive(Clone, Debug, Default)]
pub struct BuildReport {
    /// HEAD, hexadecimal; empty where there are no commits.
    pub commit: String,
    /// State of the repository that the segment stands for.
    pub fingerprint: String,
    /// Files that git lists, and those that the policy's `include` and `notes` add.
    pub listed: u64,
    /// Files read.
    pub read: u64,
    /// Files not read, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Files and whole directories that git ignores; they are not among those listed.
    pub ignored: u64,
    /// Files by note pattern.
    pub notes: BTreeMap<String, u64>,
    /// Directories that could not be looked into and note patterns that lead nowhere, with the reason.
    pub unreadable_dirs: Vec<(String, String)>,
    /// A few paths per reason, `ignored` included.
    pub skipped_examples: BTreeMap<String, Vec<String>>,
    /// Files that the system refused, with its message.
    pub unreadable: Vec<(String, String)>,
    /// Files that were not valid text and read leniently.
    pub lossy: Vec<String>,
    /// Submodules and nested repositories, which are scopes of their own.
    pub submodules: Vec<String>,
    /// Secrets replaced in what the segment holds, by kind.
    pub redactions: BTreeMap<String, u64>,
    /// Passages: documents, source, commits.
    pub passages: [u32; 3],
    /// Files taken over unchanged.
    pub reused_files: u64,
    /// Commits taken over.
    pub reused_commits: u64,
    /// Whether the clone is shallow: older history is not there to be read.
    pub shallow: bool,
    /// Committer time of the newest commit.
    pub last_commit_time: Option<i64>,
}

/// Where the build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading files.
    Files,
    /// Reading the history.
    Commits,
    /// Writing the segment.
    Writing,
}

/// A file as it will stand in the segment.
struct FileWork {
    path: String,
    digest: [u8; 16],
    lossy: bool,
    origin: Origin,
}

enum Origin {
    /// Number of the file in the older segment.
    Old(u32),
    /// Passages just read; the first has this place in its batch.
    New { batch: u32, first: u32, passages: Vec<Passage> },
}

struct Batch {
    forward: Forward,
    files: Vec<(String, Outcome)>,
}

enum Outcome {
    Read { digest: [u8; 16], passages: Vec<Passage>, lossy: bool, first: u32 },
    Unchanged { digest: [u8; 16], file: u32 },
    Skipped(String),
    Unreadable(String),
}

/// Builds the segment of the repository at `root`.
///
/// `previous` is the scope's older segment; what it holds and is unchanged is not read again. `progress` is told the
/// stage with the work done and in all (0: not known yet); it may be called from several threads.
///
/// # Errors
/// [`BuildError::Collect`] when git cannot be read, [`BuildError::Segment`] when the result cannot be laid out.
pub fn build(
    root: &Path,
    policy: &Policy,
    redactor: &Redactor,
    signature: &str,
    previous: Option<&Segment>,
    progress: &(dyn Fn(Stage, u64, u64) + Sync),
) -> Result<(Encoded, BuildReport), BuildError> {
    let repository = loci_collect::open(root)?;
    let previous = previous.filter(|segment| segment.header().signature == signature);
    let listing = repository.list(policy)?;
    let mut report = BuildReport {
        commit: repository.head()?.map(hexadecimal).unwrap_or_default(),
        fingerprint: repository.fingerprint_of(&listing, policy)?,
        listed: listing.listed,
        skipped: listing.skipped,
        skipped_examples: listing.skipped_examples,
        ignored: listing.ignored,
        notes: listing.notes,
        unreadable_dirs: listing.unreadable_dirs,
        submodules: listing.submodules,
        ..BuildReport::default()
    };
    if !listing.ignored_examples.is_empty() {
        report.skipped_examples.insert(IGNORED.to_owned(), listing.ignored_examples);
    }
    let unreadable = report.unreadable_dirs.iter_mut().map(|(path, _)| path);
    for path in report.skipped_examples.values_mut().flatten().chain(&mut report.submodules).chain(unreadable) {
        hide_in_path(path, redactor);
    }

    let mut batches = Vec::new();
    let files =
        read_files(&repository, &listing.files, policy, redactor, previous, &mut batches, &mut report, progress);
    let commits = read_commits(&repository, policy, redactor, previous, &mut batches, &mut report, progress)?;
    progress(Stage::Writing, 0, 1);
    let writer = assemble(files, commits, previous, batches, signature, &mut report)?;
    let encoded = writer.encode()?;
    progress(Stage::Writing, 1, 1);
    Ok((encoded, report))
}

#[expect(clippy::too_many_arguments, reason = "one call site; a struct would only rename the arguments")]
fn read_files(
    repository: &Repository,
    files: &[ListedFile],
    policy: &Policy,
    redactor: &Redactor,
    previous: Option<&Segment>,
    batches: &mut Vec<Forward>,
    report: &mut BuildReport,
    progress: &(dyn Fn(Stage, u64, u64) + Sync),
) -> Vec<FileWork> {
    let known: FxHashMap<&str, u32> = previous
        .map(|segment| (0..segment.file_count()).map(|file| (segment.file_path(file), file)).collect())
        .unwrap_or_default();
    let mut groups: Vec<&[ListedFile]> = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (index, file) in files.iter().enumerate() {
        size += file.size.min(BATCH_BYTES);
        if size >= BATCH_BYTES || index + 1 == files.len() {
            groups.push(&files[start..=index]);
            (start, size) = (index + 1, 0);
        }
    }
    let total = files.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    progress(Stage::Files, 0, total);
    let read: Vec<Batch> = groups
        .into_par_iter()
        .map(|group| {
            let mut builder = ForwardBuilder::new();
            let mut count = 0u32;
            let mut outcomes = Vec::with_capacity(group.len());
            for file in group {
                if let Cow::Owned(hidden) = redactor.redact_path(&file.path) {
                    // A citation needs the real path, and the real path is the secret.
                    outcomes.push((hidden, Outcome::Skipped(reason::SECRET.to_owned())));
                    continue;
                }
                let old = known.get(file.path.as_str()).copied();
                let digest = old.zip(previous).map(|(old, segment)| segment.file_digest(old));
                let outcome = match repository.read_if_changed(file, policy, redactor, digest.as_ref()) {
                    FileOutcome::Unchanged => {
                        let file = old.expect("only a known digest can be unchanged");
                        Outcome::Unchanged { digest: digest.expect("known"), file }
                    }
                    FileOutcome::Skipped { reason } => Outcome::Skipped(reason.to_owned()),
                    FileOutcome::Unreadable { message } => Outcome::Unreadable(message),
                    FileOutcome::Read(FileText { content_hash, passages, lossy, .. }) => {
                        let first = count;
                        for passage in &passages {
                            builder.push(
                                passage.plain.as_deref().unwrap_or(&passage.text),
                                &passage.head,
                                &passage.path,
                            );
                            count += 1;
                        }
                        Outcome::Read { digest: content_hash, passages, lossy, first }
                    }
                };
                outcomes.push((file.path.clone(), outcome));
            }
            let finished =
                done.fetch_add(group.len() as u64, std::sync::atomic::Ordering::Relaxed) + group.len() as u64;
            progress(Stage::Files, finished, total);
            Batch { forward: builder.finish(), files: outcomes }
        })
        .collect();

    let mut work = Vec::with_capacity(files.len());
    for batch in read {
        let number = batches.len() as u32;
        batches.push(batch.forward);
        for (path, outcome) in batch.files {
            match outcome {
                Outcome::Skipped(reason) => {
                    let examples = report.skipped_examples.entry(reason.clone()).or_default();
                    if examples.len() < EXAMPLES_PER_REASON {
                        examples.push(path);
                    }
                    *report.skipped.entry(reason).or_default() += 1;
                }
                Outcome::Unreadable(message) => report.unreadable.push((path, message)),
                Outcome::Unchanged { digest, file } => {
                    report.reused_files += 1;
                    let lossy = previous.is_some_and(|segment| segment.file_lossy(file));
                    work.push(FileWork { path, digest, lossy, origin: Origin::Old(file) });
                }
                Outcome::Read { digest, passages, lossy, first } => {
                    work.push(FileWork { path, digest, lossy, origin: Origin::New { batch: number, first, passages } });
                }
            }
        }
    }
    report.read = work.len() as u64;
    report.lossy = work.iter().filter(|file| file.lossy).map(|file| file.path.clone()).collect();
    work.sort_by(|a, b| a.path.cmp(&b.path));
    work
}

/// A commit as it will stand in the segment.
struct CommitWork {
    key: (i64, [u8; 20]),
    origin: CommitOrigin,
}

enum CommitOrigin {
    Old(u32),
    New { batch: u32, index: u32, commit: Commit },
}

fn read_commits(
    repository: &Repository,
    policy: &Policy,
    redactor: &Redactor,
    previous: Option<&Segment>,
    batches: &mut Vec<Forward>,
    report: &mut BuildReport,
    progress: &(dyn Fn(Stage, u64, u64) + Sync),
) -> Result<Vec<CommitWork>, BuildError> {
    let known: FxHashMap<[u8; 20], u32> = previous
        .map(|segment| (0..segment.commit_count()).map(|commit| (segment.commit_id(commit), commit)).collect())
        .unwrap_or_default();
    // Of a part of a repository the older segment does not hold every commit that was looked at.
    let is_part = !(policy.subtree.is_empty() && policy.apart.is_empty());
    let looked_at = previous
        .filter(|_| is_part)
        .and_then(|segment| commit_id(&segment.header().commit))
        .map(|commit| repository.reachable_from(commit))
        .unwrap_or_default();
    let mut work = Vec::new();
    let mut fresh = Vec::new();
    // A path is touched by many commits; what became of it is looked up from the second time on.
    let mut hidden_paths: FxHashMap<String, Option<String>> = FxHashMap::default();
    let mut seen = 0u64;
    let history =
        repository.commits(&|id| known.contains_key(id) || looked_at.contains(id), policy, redactor, &mut |item| {
            seen += 1;
            if seen.is_multiple_of(BATCH_COMMITS as u64) {
                progress(Stage::Commits, seen, 0);
            }
            match item {
                HistoryItem::Known(id) => {
                    let Some(&old) = known.get(&id) else { return };
                    let time = previous.map_or(0, |segment| segment.commit_times(old).1);
                    work.push(CommitWork { key: (time, id), origin: CommitOrigin::Old(old) });
                }
                HistoryItem::New(mut commit) => {
                    for path in &mut commit.files {
                        match hidden_paths.get(path.as_str()) {
                            Some(None) => {}
                            Some(Some(hidden)) => path.clone_from(hidden),
                            None => {
                                let before = path.clone();
                                let hidden = hide_in_path(path, redactor).then(|| path.clone());
                                hidden_paths.insert(before, hidden);
                            }
                        }
                    }
                    fresh.push(commit);
                }
            }
        })?;
    progress(Stage::Commits, seen, seen);
    report.reused_commits = work.len() as u64;
    report.shallow = history.shallow;
    let forwards: Vec<Forward> = fresh
        .par_chunks(BATCH_COMMITS)
        .map(|chunk| {
            let mut builder = ForwardBuilder::new();
            for commit in chunk {
                let paths = if commit.file_count <= PATH_FIELD_FILES { commit.files.join(" ") } else { String::new() };
                builder.push(&message(commit), &commit.subject, &paths);
            }
            builder.finish()
        })
        .collect();
    let first_batch = batches.len() as u32;
    batches.extend(forwards);
    for (place, commit) in fresh.into_iter().enumerate() {
        work.push(CommitWork {
            key: (commit.commit_time, commit.id),
            origin: CommitOrigin::New {
                batch: first_batch + (place / BATCH_COMMITS) as u32,
                index: (place % BATCH_COMMITS) as u32,
                commit,
            },
        });
    }
    work.sort_by_key(|commit| commit.key);
    report.last_commit_time = work.last().map(|commit| commit.key.0);
    Ok(work)
}

/// Hides the secrets that stand in a path itself; tells whether there were any.
fn hide_in_path(path: &mut String, redactor: &Redactor) -> bool {
    let hidden = match redactor.redact_path(path) {
        Cow::Owned(hidden) => hidden,
        Cow::Borrowed(_) => return false,
    };
    *path = hidden;
    true
}

/// Counts the marks that the redactor left, by kind. Counted in what is stored, so that passages taken over count too.
fn count_redactions(text: &str, counts: &mut BTreeMap<String, u64>) {
    const MARK: &str = "[REDACTED:";
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        rest = &rest[at + MARK.len()..];
        if let Some(end) = rest.find(']').filter(|&end| end <= 40) {
            *counts.entry(rest[..end].to_owned()).or_default() += 1;
        }
    }
}

/// The text of a commit's passage.
fn message(commit: &Commit) -> String {
    if commit.body.is_empty() { commit.subject.clone() } else { format!("{}\n\n{}", commit.subject, commit.body) }
}

fn commit_id(hexadecimal: &str) -> Option<[u8; 20]> {
    let mut id = [0; 20];
    if hexadecimal.len() != 40 || !hexadecimal.is_ascii() {
        return None;
    }
    for (place, byte) in id.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hexadecimal[2 * place..2 * place + 2], 16).ok()?;
    }
    Some(id)
}

fn hexadecimal(id: [u8; 20]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn assemble(
    files: Vec<FileWork>,
    commits: Vec<CommitWork>,
    previous: Option<&Segment>,
    mut batches: Vec<Forward>,
    signature: &str,
    report: &mut BuildReport,
) -> Result<SegmentWriter, BuildError> {
    // Passages of the older segment by file, so that an unchanged file finds its own.
    let mut old_by_file: Vec<Vec<u32>> = Vec::new();
    if let Some(segment) = previous {
        old_by_file.resize_with(segment.file_count() as usize, Vec::new);
        for passage in 0..segment.passages_of(PassageKind::Commit).start {
            old_by_file[segment.owner(passage) as usize].push(passage);
        }
    }
    enum From {
        Old(u32),
        New { batch: u32, index: u32, passage: Box<Passage> },
    }
    let mut by_kind: [Vec<(u32, From)>; 2] = [Vec::new(), Vec::new()];
    let mut records = Vec::with_capacity(files.len());
    for (owner, file) in (0u32..).zip(files) {
        match file.origin {
            Origin::Old(old) => {
                for &passage in &old_by_file[old as usize] {
                    let kind = previous.expect("an old file has an older segment").kind(passage);
                    by_kind[kind as usize].push((owner, From::Old(passage)));
                }
            }
            Origin::New { batch, first, passages } => {
                for (index, passage) in (first..).zip(passages) {
                    let kind = usize::from(passage.kind == Kind::Source);
                    by_kind[kind].push((owner, From::New { batch, index, passage: Box::new(passage) }));
                }
            }
        }
        records.push(FileRecord { path: file.path, digest: file.digest, lossy: file.lossy });
    }
    report.passages = [by_kind[0].len() as u32, by_kind[1].len() as u32, commits.len() as u32];

    // All that is taken over becomes one more batch, in the order of the older segment.
    let first_old_commit = previous.map_or(0, |segment| segment.passages_of(PassageKind::Commit).start);
    let mut keep: Vec<u32> = by_kind
        .iter()
        .flatten()
        .filter_map(|(_, from)| if let From::Old(passage) = from { Some(*passage) } else { None })
        .chain(commits.iter().filter_map(|commit| match commit.origin {
            CommitOrigin::Old(old) => Some(first_old_commit + old),
            CommitOrigin::New { .. } => None,
        }))
        .collect();
    keep.sort_unstable();
    let old_batch = batches.len() as u32;
    let mut old_texts: Vec<Option<loci_index::PassageText>> = Vec::new();
    if let Some(segment) = previous {
        old_texts.resize_with(segment.passage_count() as usize, || None);
        segment.for_texts(&keep, |passage, text| old_texts[passage as usize] = Some(text))?;
        batches.push(Forward::from_segment(segment, &keep)?);
    }
    let mut take_old = |passage: u32, owner: u32| -> (PassageRecord, (u32, u32)) {
        let segment = previous.expect("an old passage has an older segment");
        let text = old_texts[passage as usize].take().expect("every kept passage was unpacked");
        let index = keep.binary_search(&passage).expect("kept") as u32;
        let record = PassageRecord {
            role: segment.role(passage),
            owner,
            lines: segment.lines(passage),
            head: text.head,
            symbol: text.symbol,
            text: text.text,
        };
        (record, (old_batch, index))
    };

    let mut writer = SegmentWriter {
        signature: signature.to_owned(),
        commit: report.commit.clone(),
        kinds: report.passages,
        ..SegmentWriter::default()
    };
    for (owner, from) in by_kind.into_iter().flatten() {
        let (record, source) = match from {
            From::Old(passage) => take_old(passage, owner),
            From::New { batch, index, passage } => {
                let Passage { role, lines, head, symbol, text, .. } = *passage;
                (PassageRecord { role: role as u8, owner, lines, head, symbol, text }, (batch, index))
            }
        };
        writer.passages.push(record);
        writer.sources.push(source);
    }
    for (owner, commit) in (0u32..).zip(commits) {
        let (record, source, history) = match commit.origin {
            CommitOrigin::Old(old) => {
                let segment = previous.expect("an old commit has an older segment");
                let (record, source) = take_old(first_old_commit + old, owner);
                let (author_time, commit_time) = segment.commit_times(old);
                let touched = segment.touched(old).iter().map(|&path| segment.path_at(path).to_owned()).collect();
                let file_count = segment.commit_file_count(old);
                (record, source, CommitRecord { id: commit.key.1, author_time, commit_time, touched, file_count })
            }
            CommitOrigin::New { batch, index, commit } => {
                let text = message(&commit);
                let record = PassageRecord {
                    role: loci_collect::Role::Docs as u8,
                    owner,
                    lines: (0, 0),
                    head: commit.subject,
                    symbol: String::new(),
                    text,
                };
                let history = CommitRecord {
                    id: commit.id,
                    author_time: commit.author_time,
                    commit_time: commit.commit_time,
                    touched: commit.files,
                    file_count: commit.file_count,
                };
                (record, (batch, index), history)
            }
        };
        writer.passages.push(record);
        writer.sources.push(source);
        writer.commits.push(history);
    }
    for passage in &writer.passages {
        count_redactions(&passage.text, &mut report.redactions);
    }
    writer.files = records;
    writer.batches = batches;
    Ok(writer)
}
