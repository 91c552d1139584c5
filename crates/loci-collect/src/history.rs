//! The whole history, each commit once, with the names of the files it touched. Blobs are never read.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Arc, Mutex};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::FindExt as _;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Redactor;
use crate::decode::decode_message;
use crate::error::CollectError;
use crate::part::Part;
use crate::policy::Policy;
use crate::repository::{Repository, git_error};

/// Commits walked ahead of those being read. Large enough to keep all threads busy, small enough to stay in memory.
const BATCH: usize = 4096;
/// Commits that one thread reads in a row: neighbours share most of their trees.
const PIECE: usize = 128;
/// Bytes that all threads together may keep in each of their two caches, of decoded trees and of delta bases …
const CACHE_BYTES: usize = 256 << 20;
/// … and the bounds of one thread's share.
const CACHE_SHARE: (usize, usize) = (8 << 20, 48 << 20);

fn cache_share() -> usize {
    (CACHE_BYTES / rayon::current_num_threads().max(1)).clamp(CACHE_SHARE.0, CACHE_SHARE.1)
}

/// One commit as an episode. Who wrote it is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its SHA-1.
    pub id: [u8; 20],
    /// When the change was made, in seconds since 1970 (negative before).
    pub author_time: i64,
    /// When it was committed, in seconds since 1970 (negative before).
    pub commit_time: i64,
    /// The first paragraph of the message on one line, redacted.
    pub subject: String,
    /// The rest without trailers that name people, redacted, clipped to [`Policy::max_commit_body_chars`].
    pub body: String,
    /// Paths touched against the first parent, without rename detection, at most [`Policy::max_commit_files`]. All files for a
    /// root commit, none for a merge.
    pub files: Vec<String>,
    /// How many paths were touched, those not kept included.
    pub file_count: u32,
}

/// One step of the walk over the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryItem {
    /// A commit the caller said it knows; it was walked over but not read.
    Known([u8; 20]),
    /// Any other commit.
    New(Commit),
}

/// What the walk met.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryReport {
    /// Commits reachable from HEAD, known ones included.
    pub commits: u64,
    /// Commits read.
    pub read: u64,
    /// Commit objects that a child names and that are not there, beyond the boundary of a shallow clone.
    pub missing_commits: u64,
    /// Commits whose files are unknown since a tree is not there (a treeless clone), or since they stand on the boundary of a
    /// shallow clone, where git would call every file of the project touched.
    pub unknown_files: u64,
    /// Bodies that were clipped.
    pub clipped_bodies: u64,
    /// Whether the clone is shallow, so that older history is not there at all.
    pub shallow: bool,
    /// Redactions by kind.
    pub redactions: BTreeMap<String, u32>,
}

/// A commit on the frontier of the walk: newest first, and among equals by id, so that the order is the repository's own.
struct Waiting {
    time: i64,
    id: ObjectId,
    data: Vec<u8>,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.cmp(&other.time).then_with(|| other.id.cmp(&self.id))
    }
}

/// A walked commit on its way to being read.
struct Walked {
    id: ObjectId,
    /// Its raw object, empty if the commit is known.
    data: Vec<u8>,
    /// The tree of its first parent, where one is needed for the comparison.
    base: Base,
}

enum Base {
    Nothing,
    Commit(ObjectId),
    /// Files cannot be told: the parent lies beyond the boundary of a shallow clone.
    Unknown,
}

impl Repository {
    /// Walk the whole history reachable from HEAD, newest first, and hand every commit to `sink` once, in an order that depends
    /// on the repository alone. Commits for which `known` says yes are named but not read: a second build of a large history
    /// costs the walk only. An unborn HEAD gives an empty history.
    ///
    /// Under a policy with `subtree` or `apart` the commits that touched nothing of that part are passed over: a merge belongs
    /// to it where its part differs from that of its first parent, an empty commit to whatever holds the root.
    ///
    /// Reading is parallel (rayon's current pool); `sink` runs on the calling thread.
    ///
    /// # Errors
    /// [`CollectError::Git`] when HEAD or the commit it names cannot be read. Other missing objects are counted instead.
    pub fn commits(
        &self,
        known: &(dyn Fn(&[u8; 20]) -> bool + Sync),
        policy: &Policy,
        redactor: &Redactor,
        sink: &mut dyn FnMut(HistoryItem),
    ) -> Result<HistoryReport, CollectError> {
        let mut report = HistoryReport::default();
        let Some(head) = self.head()? else { return Ok(report) };
        let local = self.inner.to_thread_local();
        let shallow: FxHashSet<ObjectId> = local
            .shallow_commits()
            .map_err(|error| git_error(self.root(), "read the shallow boundary", &error))?
            .map(|commits| commits.iter().copied().collect())
            .unwrap_or_default();
        report.shallow = !shallow.is_empty();

        let mut walker = Walker {
            reader: Reader::new(local),
            seen: FxHashSet::default(),
            heap: BinaryHeap::new(),
            shallow,
            known,
            missing: 0,
        };
        let part = Part::of(policy);
        let head = ObjectId::from_bytes_or_panic(&head);
        if !walker.push(head) {
            return Err(git_error(self.root(), "read the commit of HEAD", &format!("{head} is not in the repository")));
        }
        let readers: Mutex<Vec<Reader>> = Mutex::new(Vec::new());
        let mut batch = walker.next_batch();
        while !batch.is_empty() {
            let (pieces, next) = rayon::join(
                || {
                    batch
                        .par_chunks(PIECE)
                        .map(|piece| {
                            let reader = readers.lock().ok().and_then(|mut readers| readers.pop());
                            let mut reader = reader.unwrap_or_else(|| Reader::new(self.inner.to_thread_local()));
                            let read: Vec<Read> =
                                piece.iter().map(|walked| reader.read(walked, &part, policy, redactor)).collect();
                            if let Ok(mut readers) = readers.lock() {
                                readers.push(reader);
                            }
                            read
                        })
                        .collect::<Vec<_>>()
                },
                || walker.next_batch(),
            );
            for read in pieces.into_iter().flatten() {
                report.commits += 1;
                let Some(item) = read.item else { continue };
                if matches!(item, HistoryItem::New(_)) {
                    report.read += 1;
                    report.unknown_files += u64::from(read.unknown_files);
                    report.clipped_bodies += u64::from(read.clipped);
                    for (kind, count) in read.redactions {
                        *report.redactions.entry(kind).or_default() += count;
                    }
                }
                sink(item);
            }
            batch = next;
        }
        report.missing_commits = walker.missing;
        Ok(report)
    }

    /// `commit` and everything reachable from it: what a build that ended there has looked at, whether it kept it or not.
    /// Commits that are not there are passed over.
    pub fn reachable_from(&self, commit: [u8; 20]) -> FxHashSet<[u8; 20]> {
        let local = self.inner.to_thread_local();
        let mut walker = Walker {
            reader: Reader::new(local),
            seen: FxHashSet::default(),
            heap: BinaryHeap::new(),
            shallow: FxHashSet::default(),
            known: &|_| true,
            missing: 0,
        };
        walker.push(ObjectId::from_bytes_or_panic(&commit));
        while !walker.next_batch().is_empty() {}
        walker.seen.iter().filter_map(|id| id.as_bytes().try_into().ok()).collect()
    }
}

struct Walker<'a> {
    reader: Reader,
    seen: FxHashSet<ObjectId>,
    heap: BinaryHeap<Waiting>,
    shallow: FxHashSet<ObjectId>,
    known: &'a (dyn Fn(&[u8; 20]) -> bool + Sync),
    missing: u64,
}

impl Walker<'_> {
    /// Put a commit on the frontier. `false` if it is not in the repository.
    fn push(&mut self, id: ObjectId) -> bool {
        if !self.seen.insert(id) {
            return true;
        }
        let mut data = Vec::new();
        let is_commit = self
            .reader
            .repository
            .objects
            .find(&id, &mut data)
            .is_ok_and(|object| object.kind == gix::objs::Kind::Commit);
        if !is_commit {
            self.missing += 1;
            return false;
        }
        self.heap.push(Waiting { time: Headers::of(&data).commit_time(), id, data });
        true
    }

    fn next_batch(&mut self) -> Vec<Walked> {
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some(Waiting { id, data, .. }) = self.heap.pop()
        {
            let headers = Headers::of(&data);
            let parents: Vec<ObjectId> = headers.parents().collect();
            let is_boundary = self.shallow.contains(&id);
            let mut first_is_there = true;
            if !is_boundary {
                for (position, parent) in parents.iter().enumerate() {
                    let is_there = self.push(*parent);
                    first_is_there &= is_there || position > 0;
                }
            }
            let base = match parents.as_slice() {
                [] => Base::Nothing,
                [first, ..] if first_is_there && !is_boundary => Base::Commit(*first),
                _ => Base::Unknown,
            };
            let is_known = id.as_bytes().try_into().is_ok_and(|bytes: &[u8; 20]| (self.known)(bytes));
            batch.push(Walked { id, data: if is_known { Vec::new() } else { data }, base });
        }
        batch
    }
}

/// The parts of a raw commit object. Written by hand since old tools left commits that strict parsers refuse.
pub(crate) struct Headers<'a> {
    lines: &'a [u8],
    message: &'a [u8],
}

impl<'a> Headers<'a> {
    pub(crate) fn of(data: &'a [u8]) -> Self {
        match data.find(b"\n\n") {
            Some(end) => Self { lines: &data[..end], message: &data[end + 2..] },
            None => Self { lines: data, message: &[] },
        }
    }

    fn value(&self, name: &'static [u8]) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.lines.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(b" "))
    }

    fn tree(&self) -> Option<ObjectId> {
        self.value(b"tree").next().and_then(|hex| ObjectId::from_hex(hex.trim()).ok())
    }

    pub(crate) fn is_merge(&self) -> bool {
        self.parents().nth(1).is_some()
    }

    pub(crate) fn parents(&self) -> impl Iterator<Item = ObjectId> + use<'a> {
        self.value(b"parent").filter_map(|hex| ObjectId::from_hex(hex.trim()).ok())
    }

    /// The mail address of the author, as it stands there; empty if there is none.
    pub(crate) fn author_mail(&self) -> &'a [u8] {
        let Some(person) = self.value(b"author").next() else { return &[] };
        let (Some(start), Some(end)) = (person.find_byte(b'<'), person.rfind_byte(b'>')) else { return &[] };
        person.get(start + 1..end).unwrap_or_default().trim()
    }

    fn time(&self, name: &'static [u8]) -> i64 {
        let Some(person) = self.value(name).next() else { return 0 };
        // "name <mail> seconds zone"; names may hold a stray '>'.
        let rest = person.rfind_byte(b'>').map_or(person, |end| &person[end + 1..]);
        rest.fields().next().and_then(|seconds| seconds.to_str().ok()?.parse().ok()).unwrap_or(0)
    }

    fn commit_time(&self) -> i64 {
        self.time(b"committer")
    }
}

/// What reading one commit gave; no item for one that touched nothing of the part that is read.
struct Read {
    item: Option<HistoryItem>,
    unknown_files: bool,
    clipped: bool,
    redactions: BTreeMap<String, u32>,
}

/// One thread's way into the object database, with the trees it met lately.
struct Reader {
    repository: gix::Repository,
    trees: TreeCache,
    commit_trees: FxHashMap<ObjectId, ObjectId>,
    buffer: Vec<u8>,
}

/// Recently used trees in two generations: when the young one is full it becomes the old one. Cheaper than a strict order of
/// use, and as good for a history in which neighbours share nearly everything.
struct TreeCache {
    limit: usize,
    young: FxHashMap<ObjectId, Arc<[u8]>>,
    old: FxHashMap<ObjectId, Arc<[u8]>>,
    young_bytes: usize,
}

impl TreeCache {
    fn get(&mut self, id: &ObjectId) -> Option<Arc<[u8]>> {
        if let Some(tree) = self.young.get(id) {
            return Some(tree.clone());
        }
        let tree = self.old.remove(id)?;
        self.put(*id, tree.clone());
        Some(tree)
    }

    fn put(&mut self, id: ObjectId, tree: Arc<[u8]>) {
        self.young_bytes += tree.len() + 64;
        self.young.insert(id, tree);
        if self.young_bytes > self.limit / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
    }
}

impl Reader {
    fn new(mut repository: gix::Repository) -> Self {
        let share = cache_share();
        // A missing object stays missing: looking for new packs on every miss would cost a partial clone minutes.
        repository.objects.refresh_never();
        repository
            .objects
            .set_pack_cache(move || Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(share)));
        repository.objects.unset_object_cache();
        Self {
            repository,
            trees: TreeCache { limit: share, young: FxHashMap::default(), old: FxHashMap::default(), young_bytes: 0 },
            commit_trees: FxHashMap::default(),
            buffer: Vec::new(),
        }
    }

    fn read(&mut self, walked: &Walked, part: &Part, policy: &Policy, redactor: &Redactor) -> Read {
        let id: [u8; 20] = walked.id.as_bytes().try_into().unwrap_or_default();
        let without_text = |item| Read { item, unknown_files: false, clipped: false, redactions: BTreeMap::new() };
        if walked.data.is_empty() {
            return without_text(Some(HistoryItem::Known(id)));
        }
        let headers = Headers::of(&walked.data);
        let mut touched = Touched { part, files: Vec::new(), count: 0, elsewhere: 0, limit: policy.max_commit_files };
        let compared = self.touched(walked, &headers, part, &mut touched);
        let unknown_files = compared.is_err();
        if unknown_files {
            // Half a list would look like a whole one.
            touched.files.clear();
            touched.count = 0;
        }
        if !part.is_whole() {
            let belongs = match compared {
                Err(MissingTree) => self.has_part(&headers, part),
                Ok(()) => touched.count > 0 || (part.prefix().is_empty() && touched.elsewhere == 0),
            };
            if !belongs {
                return without_text(None);
            }
            if headers.is_merge() {
                touched.files.clear();
                touched.count = 0;
            }
        }
        let encoding = headers.value(b"encoding").next();
        let message = decode_message(headers.message, encoding);
        let (subject, body) = split_message(&message, &policy.people_trailers);
        let (body, clipped) = clip_chars(body, policy.max_commit_body_chars);
        let mut redactions = BTreeMap::new();
        let mut redact = |text: String| {
            let redacted = redactor.redact(&text, "");
            for (kind, count) in redacted.counts {
                *redactions.entry(kind).or_insert(0) += count;
            }
            redacted.text.into_owned()
        };
        let subject = redact(subject);
        let body = redact(body);

        let commit = Commit {
            id,
            author_time: headers.time(b"author"),
            commit_time: headers.commit_time(),
            subject,
            body,
            files: touched.files,
            file_count: touched.count,
        };
        Read { item: Some(HistoryItem::New(commit)), unknown_files, clipped, redactions }
    }

    /// Name what a commit touched against its first parent. A merge of the whole repository is not compared: it names no files.
    fn touched(
        &mut self,
        walked: &Walked,
        headers: &Headers<'_>,
        part: &Part,
        touched: &mut Touched<'_>,
    ) -> Result<(), MissingTree> {
        let tree = headers.tree();
        if let Some(tree) = tree {
            self.commit_trees.insert(walked.id, tree);
        }
        if headers.is_merge() && part.is_whole() {
            return Ok(());
        }
        let tree = self.subtree(tree.ok_or(MissingTree)?, part)?;
        let base = match &walked.base {
            Base::Nothing => None,
            Base::Commit(parent) => {
                let base = self.tree_of(parent).ok_or(MissingTree)?;
                self.subtree(base, part)?
            }
            Base::Unknown => return Err(MissingTree),
        };
        self.compare(base, tree, &mut Vec::new(), touched)
    }

    /// The tree of the part's directory below `tree`; `None` where there is no such directory.
    fn subtree(&mut self, tree: ObjectId, part: &Part) -> Result<Option<ObjectId>, MissingTree> {
        let mut tree = tree;
        for name in part.prefix().split_str(b"/").filter(|name| !name.is_empty()) {
            let data = self.tree(&tree)?;
            let mut entries = Entries { rest: &data };
            let next = std::iter::from_fn(|| entries.next()).find(|entry| entry.name == name && entry.is_tree());
            match next {
                Some(entry) => tree = entry.object(),
                None => return Ok(None),
            }
        }
        Ok(Some(tree))
    }

    /// Whether the part is there at all in a commit whose files cannot be told.
    fn has_part(&mut self, headers: &Headers<'_>, part: &Part) -> bool {
        headers.tree().is_some_and(|tree| !matches!(self.subtree(tree, part), Ok(None)))
    }

    fn tree_of(&mut self, commit: &ObjectId) -> Option<ObjectId> {
        if let Some(tree) = self.commit_trees.get(commit) {
            return Some(*tree);
        }
        let object = self.repository.objects.find(commit, &mut self.buffer).ok()?;
        let tree = Headers::of(object.data).tree()?;
        self.commit_trees.insert(*commit, tree);
        Some(tree)
    }

    fn tree(&mut self, id: &ObjectId) -> Result<Arc<[u8]>, MissingTree> {
        if let Some(tree) = self.trees.get(id) {
            return Ok(tree);
        }
        let object = self.repository.objects.find(id, &mut self.buffer).map_err(|_| MissingTree)?;
        if object.kind != gix::objs::Kind::Tree {
            return Err(MissingTree);
        }
        let tree: Arc<[u8]> = object.data.into();
        self.trees.put(*id, tree.clone());
        Ok(tree)
    }

    /// Name every path that differs between two trees, descending only where their ids differ. `path` is the directory they
    /// stand for, with a closing slash.
    fn compare(
        &mut self,
        old: Option<ObjectId>,
        new: Option<ObjectId>,
        path: &mut Vec<u8>,
        touched: &mut Touched<'_>,
    ) -> Result<(), MissingTree> {
        if old == new {
            return Ok(());
        }
        let old = old.map(|id| self.tree(&id)).transpose()?;
        let new = new.map(|id| self.tree(&id)).transpose()?;
        let mut left = Entries { rest: old.as_deref().unwrap_or_default() };
        let mut right = Entries { rest: new.as_deref().unwrap_or_default() };
        left.skip_common(&mut right);
        let (mut a, mut b) = (left.next(), right.next());
        loop {
            let order = match (&a, &b) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.tree_order(b),
            };
            match order {
                Ordering::Less => {
                    self.note(a.as_ref(), None, path, touched)?;
                    a = left.next();
                }
                Ordering::Greater => {
                    self.note(None, b.as_ref(), path, touched)?;
                    b = right.next();
                }
                Ordering::Equal => {
                    if let (Some(x), Some(y)) = (&a, &b)
                        && (x.id != y.id || x.mode != y.mode)
                    {
                        self.note(a.as_ref(), b.as_ref(), path, touched)?;
                    }
                    a = left.next();
                    b = right.next();
                }
            }
        }
    }

    fn note(
        &mut self,
        old: Option<&Entry<'_>>,
        new: Option<&Entry<'_>>,
        path: &mut Vec<u8>,
        touched: &mut Touched<'_>,
    ) -> Result<(), MissingTree> {
        let Some(entry) = new.or(old) else { return Ok(()) };
        let parent = path.len();
        path.extend_from_slice(entry.name);
        if entry.is_tree() {
            path.push(b'/');
            self.compare(old.map(Entry::object), new.map(Entry::object), path, touched)?;
        } else {
            touched.add(path);
        }
        path.truncate(parent);
        Ok(())
    }
}

#[derive(Debug)]
struct MissingTree;

struct Touched<'a> {
    part: &'a Part,
    files: Vec<String>,
    count: u32,
    /// How many paths were touched in directories that are read apart.
    elsewhere: u32,
    limit: usize,
}

impl Touched<'_> {
    /// `path` is relative to the part.
    fn add(&mut self, path: &[u8]) {
        if self.part.is_below_apart(path.as_bstr()) {
            self.elsewhere += 1;
            return;
        }
        self.count += 1;
        if self.files.len() < self.limit {
            self.files.push(path.to_str_lossy().into_owned());
        }
    }
}

/// The entries of a raw tree object: `mode name\0` and twenty bytes of id.
struct Entries<'a> {
    rest: &'a [u8],
}

struct Entry<'a> {
    mode: &'a [u8],
    name: &'a [u8],
    id: &'a [u8],
}

impl<'a> Entries<'a> {
    /// Pass over the whole entries that two trees begin with alike.
    fn skip_common(&mut self, other: &mut Self) {
        loop {
            let (mut mine, mut theirs) = (Self { rest: self.rest }, Self { rest: other.rest });
            match (mine.next(), theirs.next()) {
                (Some(a), Some(b)) if a.id == b.id && a.name == b.name && a.mode == b.mode => {
                    self.rest = mine.rest;
                    other.rest = theirs.rest;
                }
                _ => return,
            }
        }
    }

    fn next(&mut self) -> Option<Entry<'a>> {
        let space = self.rest.find_byte(b' ')?;
        let (mode, rest) = (&self.rest[..space], &self.rest[space + 1..]);
        let end = rest.find_byte(0)?;
        let (name, rest) = (&rest[..end], &rest[end + 1..]);
        let id = rest.get(..20)?;
        self.rest = &rest[20..];
        Some(Entry { mode, name, id })
    }
}

impl Entry<'_> {
    fn is_tree(&self) -> bool {
        // "40000", and "040000" from some old writers.
        self.mode.strip_prefix(b"0").unwrap_or(self.mode) == b"40000"
    }

    fn object(&self) -> ObjectId {
        ObjectId::from_bytes_or_panic(self.id)
    }

    /// Git sorts a tree as if the names of directories ended in a slash. A file and a directory of one name are two entries.
    fn tree_order(&self, other: &Self) -> Ordering {
        let shared = self.name.len().min(other.name.len());
        self.name[..shared].cmp(&other.name[..shared]).then_with(|| {
            let end = |entry: &Self| match entry.name.get(shared) {
                Some(byte) => *byte,
                None if entry.is_tree() => b'/',
                None => 0,
            };
            end(self).cmp(&end(other)).then_with(|| self.name.len().cmp(&other.name.len()))
        })
    }
}

/// Subject and body of a message: the first paragraph on one line, and the rest without trailers that name people.
fn split_message(message: &str, people_trailers: &[String]) -> (String, String) {
    let message = message.trim_start_matches('\n').trim_end();
    let mut lines = message.split('\n');
    let mut subject = String::new();
    for line in lines.by_ref() {
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if !subject.is_empty() {
            subject.push(' ');
        }
        subject.push_str(line);
    }
    let mut body = String::with_capacity(message.len() - subject.len().min(message.len()));
    let mut in_trailer = false;
    for line in lines {
        // A folded trailer goes on with leading blanks.
        in_trailer = is_people_trailer(line, people_trailers) || (in_trailer && line.starts_with([' ', '\t']));
        if !in_trailer {
            body.push_str(line.trim_end());
            body.push('\n');
        }
    }
    (subject, body.trim_matches('\n').trim_end().to_owned())
}

fn is_people_trailer(line: &str, patterns: &[String]) -> bool {
    let Some((key, value)) = line.split_once(':') else { return false };
    if key.is_empty()
        || value.trim().is_empty()
        || !key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    {
        return false;
    }
    let key = key.to_ascii_lowercase();
    patterns.iter().any(|pattern| match pattern.strip_prefix('*') {
        Some(end) => key.len() > end.len() && key.ends_with(&end.to_ascii_lowercase()),
        None => key == pattern.to_ascii_lowercase(),
    })
}

fn clip_chars(text: String, limit: usize) -> (String, bool) {
    match text.char_indices().nth(limit) {
        Some((end, _)) => (text[..end].to_owned(), true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(message: &str) -> (String, String) {
        split_message(message, &Policy::default().people_trailers)
    }

    #[test]
    fn people_are_no_content() {
        let (subject, body) = split(
            "\nFix the\n cookie\n\nBecause it was dropped.\n\nFixes: #12\nSigned-off-by: A <a@example.org>\nCo-Authored-By: B\n  <b@example.org>\nSee: https://x\n",
        );
        assert_eq!("Fix the cookie", subject);
        assert_eq!("Because it was dropped.\n\nFixes: #12\nSee: https://x", body);
        assert_eq!(("".to_owned(), "".to_owned()), split(""));
        assert_eq!("stand-by: ready mode", split("stand-by: ready mode").0, "subjects are left alone");
    }

    #[test]
    fn headers_survive_odd_commits() {
        let data = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A > B <a@b> -86400 +0100\ncommitter X <> 12 +0000\nencoding latin1\n\nhello";
        let headers = Headers::of(data);
        assert_eq!(-86_400, headers.time(b"author"));
        assert_eq!(12, headers.commit_time());
        assert_eq!(b"hello", headers.message);
        assert_eq!(0, Headers::of(b"tree x").commit_time());
    }

    #[test]
    fn trees_are_ordered_as_git_orders_them() {
        let entry = |mode: &'static str, name: &'static str| Entry {
            mode: mode.as_bytes(),
            name: name.as_bytes(),
            id: &[0; 20],
        };
        assert_eq!(Ordering::Less, entry("100644", "a-b").tree_order(&entry("40000", "a")));
        assert_eq!(Ordering::Greater, entry("100644", "a0").tree_order(&entry("40000", "a")));
        assert_eq!(Ordering::Less, entry("100644", "a").tree_order(&entry("40000", "a")));
        assert_eq!(Ordering::Equal, entry("40000", "a").tree_order(&entry("040000", "a")));
    }

    #[test]
    fn clipping_keeps_whole_characters() {
        assert_eq!(("日本".to_owned(), true), clip_chars("日本語".to_owned(), 2));
        assert_eq!(("日本語".to_owned(), false), clip_chars("日本語".to_owned(), 3));
    }
}
