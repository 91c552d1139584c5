//! Opening a repository and listing what git would list, in this process and without writing a byte into it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::Entry;
use gix::index::entry::Mode;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::CollectError;
use crate::notes;
use crate::part::Part;
use crate::policy::{Policy, Rules, reason};

/// How many paths are kept as examples of one skip reason.
const EXAMPLES: usize = 5;

/// One file that git would list, and that passed the rules on paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// Relative to the root, `/` between the parts; absolute or below `~` for a note outside the repository. Bytes that are not
    /// UTF-8 show as U+FFFD; the file is found all the same.
    pub path: String,
    /// Size in bytes when it was listed.
    pub size: u64,
    /// Modification time in nanoseconds since 1970.
    pub modified_ns: i64,
    /// Whether the index knows it; else it is untracked and not ignored.
    pub tracked: bool,
    /// Whether the person's own include patterns name it, so that its content is no reason to skip it either.
    pub(crate) included: bool,
    /// Where it is, for a note outside the repository; `path` is then that with `~` for the home directory.
    pub(crate) outside: Option<PathBuf>,
    /// The path as git stores it, only where it is not UTF-8.
    raw_path: Option<Vec<u8>>,
    /// Change time in nanoseconds since 1970: notices an edit whose modification time was set back.
    changed_ns: i64,
}

impl ListedFile {
    /// The path that decides what the file is: of a note outside the repository the name alone, since the directories that lead
    /// there say nothing about this project.
    pub(crate) fn kind_path(&self) -> &str {
        if self.outside.is_some() { self.path.rsplit('/').next().unwrap_or(&self.path) } else { &self.path }
    }

    /// When its content or its entry last changed, in nanoseconds since 1970.
    pub fn written_ns(&self) -> i64 {
        self.modified_ns.max(self.changed_ns)
    }

    fn relative(&self) -> PathBuf {
        match &self.raw_path {
            Some(raw) => gix::path::from_bstr(BStr::new(raw)).into_owned_lossy(),
            None => PathBuf::from(&self.path),
        }
    }
}

/// `gix::path::from_bstr` fails on Windows alone, where such a name cannot exist on disk.
trait IntoOwnedLossy {
    fn into_owned_lossy(self) -> PathBuf;
}
impl IntoOwnedLossy for gix::Result<std::borrow::Cow<'_, Path>> {
    fn into_owned_lossy(self) -> PathBuf {
        self.map(std::borrow::Cow::into_owned).unwrap_or_default()
    }
}

/// What a repository holds: files to read, and everything else with the reason why it is not read.
///
/// `listed = files.len() + the sum of skipped`: nothing git lists is unexplained.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Files to read, ordered by the bytes of their path.
    pub files: Vec<ListedFile>,
    /// Number of entries left out, by [`reason`].
    pub skipped: BTreeMap<String, u64>,
    /// Up to five paths for each reason, the first by the bytes of their path.
    pub skipped_examples: BTreeMap<String, Vec<String>>,
    /// Submodules and nested repositories, as paths relative to the root. Each is a scope of its own.
    pub submodules: Vec<String>,
    /// Entries that `git ls-files --cached --others --exclude-standard` names, without those missing from the work tree, and files
    /// that [`Policy::include`] and [`Policy::notes`] add to them.
    pub listed: u64,
    /// Files and whole directories that git ignores. They are not listed.
    pub ignored: u64,
    /// Up to five of those.
    pub ignored_examples: Vec<String>,
    /// Files by pattern of [`Policy::notes`], whether they are read or skipped.
    pub notes: BTreeMap<String, u64>,
    /// Tracked files that are not in the work tree: deleted, or left out by a sparse checkout.
    pub missing: u64,
    /// Directories that could not be looked into, with the system's message. Untracked files below them are unknown.
    pub unreadable_dirs: Vec<(String, String)>,
    /// Directories that the repository ignores and that are repositories themselves. What else lies in ignored directories is
    /// not looked at.
    pub ignored_repositories: Vec<String>,
}

/// An open repository. It only ever reads: no index refresh, no hooks, no filters, no commands from its configuration.
pub struct Repository {
    pub(crate) inner: gix::ThreadSafeRepository,
    root: PathBuf,
    work_tree: Option<PathBuf>,
}

/// Open the repository whose root is `root`: a work tree, a linked work tree or a bare repository.
///
/// A directory inside a work tree is no repository: the caller decides what its scope is.
///
/// # Errors
/// [`CollectError::NotARepository`], [`CollectError::UnsupportedObjectFormat`], and [`CollectError::Git`] for one that is damaged.
pub fn open(root: impl AsRef<Path>) -> Result<Repository, CollectError> {
    let root = root.as_ref();
    // `GIT_DIR`, `GIT_INDEX_FILE` and friends belong to whichever git runs us, for example from a hook, and would silently
    // answer for another repository.
    let mut permissions = gix::open::Permissions::all();
    permissions.env.git_prefix = gix::sec::Permission::Deny;
    permissions.env.objects = gix::sec::Permission::Deny;
    permissions.config.env = false;
    permissions.config.git_binary = false;
    permissions.attributes.git_binary = false;
    // Git refuses another person's repository since its configuration may name commands to run. We run none, so ownership
    // must not make the answer silently poorer.
    let options = gix::open::Options::default()
        .permissions(permissions)
        .with(gix::sec::Trust::Full)
        .filter_config_section(|_| true);
    let mut inner = match gix::ThreadSafeRepository::open_opts(root, options) {
        Ok(repository) => repository,
        Err(error) => return Err(open_error(root, &error)),
    };
    let local = inner.to_thread_local();
    if local.object_hash() != gix::hash::Kind::Sha1 {
        return Err(CollectError::UnsupportedObjectFormat {
            path: root.to_owned(),
            format: local.object_hash().to_string(),
        });
    }
    // A repository may name any directory as its work tree (`core.worktree`). Where `.git` lies in the root, the root is the
    // work tree: a hostile configuration must not turn the home directory into "untracked files".
    let has_dot_git = root.join(".git").symlink_metadata().is_ok();
    let mut work_tree = inner.work_dir().map(Path::to_owned);
    if has_dot_git && work_tree.is_some() {
        if inner.work_dir().and_then(|dir| dir.canonicalize().ok()) != root.canonicalize().ok() {
            let mut local = inner.to_thread_local();
            local.set_workdir(root.to_owned()).map_err(|error| git_error(root, "open the work tree", &error))?;
            inner = local.into_sync();
        }
        work_tree = Some(root.to_owned());
    }
    Ok(Repository { inner, root: root.to_owned(), work_tree: work_tree.filter(|dir| dir.is_dir()) })
}

fn open_error(root: &Path, error: &gix::Error) -> CollectError {
    let is_git = |path: &Path| path.join("HEAD").exists() && path.join("objects").exists();
    let looks_like_one = root.join(".git").exists() || is_git(root);
    if !looks_like_one {
        return CollectError::NotARepository { path: root.to_owned() };
    }
    // Old readers meet a newer hash as an unknown extension value.
    let config = std::fs::read_to_string(root.join(".git/config"))
        .or_else(|_| std::fs::read_to_string(root.join("config")))
        .unwrap_or_default();
    if config.to_ascii_lowercase().split_whitespace().collect::<String>().contains("objectformat=sha256") {
        return CollectError::UnsupportedObjectFormat { path: root.to_owned(), format: "sha256".to_owned() };
    }
    CollectError::Git { path: root.to_owned(), action: "open the repository", message: one_line(&error.to_string()) }
}

pub(crate) fn git_error(root: &Path, action: &'static str, error: &dyn std::fmt::Display) -> CollectError {
    CollectError::Git { path: root.to_owned(), action, message: one_line(&error.to_string()) }
}

/// A message fit for one line of a report: what a damaged file holds is no part of it.
fn one_line(message: &str) -> String {
    const LONGEST: usize = 300;
    let mut line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(LONGEST) {
        line.truncate(end);
        line.push('…');
    }
    line
}

impl Repository {
    /// The root as it was given to [`open`].
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The work tree; `None` for a bare repository, whose history alone can be collected.
    pub fn work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref()
    }

    /// The directory shared by all work trees of this repository (`.git` of the main one): the same for two work trees of one
    /// repository, and different for two clones.
    pub fn common_dir(&self) -> PathBuf {
        let local = self.inner.to_thread_local();
        let dir = local.common_dir();
        dir.canonicalize().unwrap_or_else(|_| dir.to_owned())
    }

    /// The commit that is checked out; `None` while there is none.
    ///
    /// # Errors
    /// [`CollectError::Git`] when `HEAD` cannot be read or points at no commit.
    pub fn head(&self) -> Result<Option<[u8; 20]>, CollectError> {
        let local = self.inner.to_thread_local();
        let mut head = local.head().map_err(|error| git_error(&self.root, "read HEAD", &error))?;
        let id = head.try_peel_to_id().map_err(|error| git_error(&self.root, "resolve HEAD", &error))?;
        Ok(id.and_then(|id| id.as_bytes().try_into().ok()))
    }

    /// What git would list here, sorted into files to read and reasons not to. Nothing is opened: the contents are judged by
    /// [`Repository::read`]. A bare repository lists nothing. Called from a thread of a rayon pool, it uses that
    /// pool; from any other thread no other, so that a disk that does not answer holds up nobody else.
    ///
    /// # Errors
    /// [`CollectError::Git`] when the index or the ignore files cannot be read, [`CollectError::Policy`] for an unusable policy.
    pub fn list(&self, policy: &Policy) -> Result<Listing, CollectError> {
        policy.check()?;
        let Some(work_tree) = &self.work_tree else { return Ok(Listing::default()) };
        let local = self.inner.to_thread_local();
        let index = local.index_or_empty().map_err(|error| git_error(&self.root, "read the index", &error))?;
        let rules = Rules::new(policy);
        let part = Part::of(policy);
        let mut listing = Listing::default();
        let mut tracked = Tracked::default();
        tracked.files.reserve(index.entries().len());
        let mut in_part: Vec<&Entry> = Vec::with_capacity(index.entries().len());
        let mut previous: Option<&BStr> = None;
        for entry in index.entries() {
            let path = entry.path(&index);
            // One path may stand in the index up to three times while a merge is unresolved.
            if previous == Some(path) {
                continue;
            }
            previous = Some(path);
            let is_ours = part.is_inside(path) && !part.is_elsewhere(path);
            tracked.add(path, entry.mode, is_ours.then_some(in_part.len() as u32));
            if is_ours {
                in_part.push(entry);
            }
        }

        let mut real_dirs = RealDirs::new(work_tree);
        let start = part.directory().to_owned();
        // A link in place of the subtree would lead out of it.
        let known =
            if real_dirs.leads_to(part.prefix()) { known_dirs(work_tree, &tracked, &part, start) } else { Vec::new() };
        let mut at: Vec<Option<Found>> = (0..in_part.len()).map(|_| None).collect();
        let mut unknown = Vec::new();
        for dir in known {
            for (place, item) in dir.tracked {
                at[place as usize] = item;
            }
            unknown.extend(dir.unknown);
            listing.unreadable_dirs.extend(dir.unreadable);
        }
        let mut found: Vec<Found> = Vec::with_capacity(in_part.len());
        for (entry, item) in in_part.into_iter().zip(at) {
            if entry.mode == Mode::DIR {
                // A directory left out by a sparse checkout, standing for all that is in it.
                listing.missing += 1;
                continue;
            }
            let path = entry.path(&index);
            // What no walk came by: it is gone, something else than a file, or in a directory that may not be listed.
            let item = item
                .or_else(|| if real_dirs.leads_to(path) { Found::at(work_tree, path.to_owned(), true) } else { None });
            match item {
                None => listing.missing += 1,
                Some(mut item) => {
                    if entry.mode == Mode::COMMIT {
                        item.kind = FoundKind::Repository;
                    }
                    // A directory where the index has a file: the file is gone, what is inside is untracked.
                    if item.kind == FoundKind::Directory {
                        listing.missing += 1;
                    } else {
                        found.push(item);
                    }
                }
            }
        }

        let mut excludes = local
            .excludes(&index, None, gix::worktree::stack::state::ignore::Source::WorktreeThenIdMappingIfNotSkipped)
            .map_err(|error| git_error(&self.root, "read the ignore files", &error))?;
        let mut walk = Walk {
            work_tree,
            tracked: &tracked,
            rules: &rules,
            found: &mut found,
            unreadable_dirs: &mut listing.unreadable_dirs,
            ignored: Vec::new(),
            ignored_repositories: &mut listing.ignored_repositories,
            part: &part,
            is_ignored: |path: &BStr, is_dir: bool| {
                let mode = if is_dir { Mode::DIR } else { Mode::FILE };
                excludes.at_entry(path, Some(mode)).is_ok_and(|platform| platform.is_excluded())
            },
        };
        for (path, is_dir) in unknown {
            if is_dir {
                let mut full = work_tree.join(gix::path::from_bstr(path.as_bstr()).into_owned_lossy());
                walk.subdirectory(&mut full, &mut { path });
            } else {
                walk.file(&path);
            }
        }
        let mut ignored = std::mem::take(&mut walk.ignored);
        ignored.sort_unstable();
        listing.ignored = ignored.len() as u64;
        listing.ignored_examples = ignored.iter().take(EXAMPLES).map(|path| path.to_str_lossy().into_owned()).collect();
        let (asked, outside) = notes_of(work_tree, policy, &mut listing);
        let asked: FxHashSet<BString> = asked
            .into_iter()
            .filter(|path| part.is_inside(path.as_bstr()) && !part.is_elsewhere(path.as_bstr()))
            .collect();
        found.extend(asked.iter().filter_map(|path| Found::at(work_tree, path.clone(), false)));
        let from_part = |path: &BStr| path[part.prefix().len().min(path.len())..].as_bstr().to_owned();
        let asked: FxHashSet<BString> = asked.iter().map(|path| from_part(path.as_bstr())).collect();
        if !part.prefix().is_empty() {
            for item in &mut found {
                item.path = from_part(item.path.as_bstr());
            }
        }
        found.retain(|item| !item.path.is_empty());

        found.sort_unstable_by(|a, b| a.path.cmp(&b.path).then(b.tracked.cmp(&a.tracked)));
        found.dedup_by(|a, b| a.path == b.path);
        listing.listed = (found.len() + outside.len()) as u64;
        listing.unreadable_dirs.sort();
        listing.ignored_repositories.sort();
        let judge = |item: &Found| {
            let path = item.path.to_str_lossy().into_owned();
            let included = rules.is_included(&path) || asked.contains(&item.path);
            let reason = match item.kind {
                FoundKind::Repository => Some(reason::SUBMODULE),
                FoundKind::Symlink => Some(reason::SYMLINK),
                FoundKind::File | FoundKind::Directory => rules.skip_reason(&path, item.size, included),
            };
            (path, included, reason)
        };
        let judged: Vec<(String, bool, Option<&str>)> = if in_pool() {
            found.par_iter().with_min_len(256).map(judge).collect()
        } else {
            found.iter().map(judge).collect()
        };
        for (item, (path, included, reason)) in found.into_iter().zip(judged) {
            if item.kind == FoundKind::Repository {
                listing.submodules.push(path.clone());
            }
            match reason {
                Some(reason) => skip(&mut listing, reason, path),
                None => listing.files.push(ListedFile {
                    included,
                    outside: None,
                    raw_path: (item.path.as_bytes() != path.as_bytes()).then(|| item.path.into()),
                    path,
                    size: item.size,
                    modified_ns: item.modified_ns,
                    tracked: item.tracked,
                    changed_ns: item.changed_ns,
                }),
            }
        }
        let repository_files = listing.files.len();
        for full in outside {
            let path = notes::shown(&full);
            let Ok(metadata) = full.symlink_metadata() else {
                listing.listed -= 1;
                continue;
            };
            let reason =
                if metadata.is_file() { rules.skip_reason(&path, metadata.len(), true) } else { Some(reason::SYMLINK) };
            if let Some(reason) = reason {
                skip(&mut listing, reason, path);
                continue;
            }
            let (modified_ns, changed_ns) = times(&metadata);
            listing.files.push(ListedFile {
                path,
                size: metadata.len(),
                modified_ns,
                tracked: false,
                included: true,
                outside: Some(full),
                raw_path: None,
                changed_ns,
            });
        }
        if listing.files.len() > repository_files {
            listing.files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        Ok(listing)
    }

    /// A hash of everything an index of this repository depends on, without opening a file: HEAD, the shallow boundary, path,
    /// size and times of every listed file, what is left out and why, and the policy. Equal fingerprints mean that a new build
    /// would give the same.
    ///
    /// # Errors
    /// As [`Repository::list`] and [`Repository::head`].
    pub fn fingerprint(&self, policy: &Policy) -> Result<String, CollectError> {
        let listing = self.list(policy)?;
        self.fingerprint_of(&listing, policy)
    }

    /// [`Repository::fingerprint`] for a listing made under the same policy, to save the second walk.
    ///
    /// # Errors
    /// As [`Repository::head`].
    pub fn fingerprint_of(&self, listing: &Listing, policy: &Policy) -> Result<String, CollectError> {
        // Hashed as a whole, which is several times quicker than part by part.
        let mut all = Vec::with_capacity(128 * listing.files.len() + 4096);
        // Every part is led by its length, so that parts cannot run into each other.
        let mut part = |bytes: &[u8]| {
            all.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            all.extend_from_slice(bytes);
        };
        part(b"loci-collect 1");
        part(policy.signature().as_bytes());
        part(&self.head()?.map(|id| id.to_vec()).unwrap_or_default());
        // `git fetch --unshallow` brings history while HEAD stays.
        let shallow = self.inner.to_thread_local().shallow_file().ok().and_then(|file| std::fs::read(file).ok());
        part(&shallow.unwrap_or_default());
        for file in &listing.files {
            part(file.raw_path.as_deref().unwrap_or(file.path.as_bytes()));
            let mut state = [0; 25];
            state[..8].copy_from_slice(&file.size.to_le_bytes());
            state[8..16].copy_from_slice(&file.modified_ns.to_le_bytes());
            state[16..24].copy_from_slice(&file.changed_ns.to_le_bytes());
            state[24] = u8::from(file.tracked);
            part(&state);
        }
        for (reason, count) in &listing.skipped {
            part(reason.as_bytes());
            part(&count.to_le_bytes());
        }
        for paths in listing.skipped_examples.values() {
            paths.iter().for_each(|path| part(path.as_bytes()));
        }
        listing.submodules.iter().for_each(|path| part(path.as_bytes()));
        part(&listing.missing.to_le_bytes());
        for (pattern, count) in &listing.notes {
            part(pattern.as_bytes());
            part(&count.to_le_bytes());
        }
        for (dir, message) in &listing.unreadable_dirs {
            part(dir.as_bytes());
            part(message.as_bytes());
        }
        Ok(blake3::hash(&all).to_hex()[..32].to_owned())
    }

    /// The bytes of a file listed under a policy with this `subtree`, never through a symbolic link and never from anything but a regular file.
    pub(crate) fn bytes_of(&self, file: &ListedFile, subtree: &str, limit: u64) -> std::io::Result<Vec<u8>> {
        use std::io::Read;
        let path = match &file.outside {
            Some(path) => path.clone(),
            None => {
                let work_tree = self.work_tree.as_deref().ok_or(std::io::ErrorKind::NotFound)?;
                work_tree.join(subtree.trim_matches('/')).join(file.relative())
            }
        };
        let mut options = std::fs::OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // The file may have been replaced since it was listed; without NONBLOCK a pipe in its place would hang us.
            options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC);
        }
        let opened = options.open(&path)?;
        let metadata = opened.metadata()?;
        if !metadata.is_file() {
            return Err(std::io::Error::other("is no longer a regular file"));
        }
        // A growing log must not grow into memory.
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0) + 1);
        opened.take(limit + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// The files that the person's note patterns lead to: those inside the work tree by relative path, and the others.
fn notes_of(work_tree: &Path, policy: &Policy, listing: &mut Listing) -> (FxHashSet<BString>, Vec<PathBuf>) {
    let (mut inside, mut outside) = (FxHashSet::default(), Vec::new());
    if policy.notes.is_empty() {
        return (inside, outside);
    }
    let found = notes::expand(&policy.notes);
    listing.notes = found.counts;
    listing.unreadable_dirs.extend(found.unreadable);
    let root = work_tree.canonicalize().unwrap_or_else(|_| work_tree.to_owned());
    let mut parents: FxHashMap<PathBuf, Option<PathBuf>> = FxHashMap::default();
    for full in found.files {
        let (Some(parent), Some(name)) = (full.parent(), full.file_name()) else { continue };
        let known = parents.entry(parent.to_owned()).or_insert_with(|| {
            parent.canonicalize().ok().and_then(|parent| parent.strip_prefix(&root).ok().map(Path::to_owned))
        });
        match known.as_ref().map(|parent| parent.join(name)) {
            // Git's own files are no notes.
            Some(relative) if relative.starts_with(".git") => {}
            Some(relative) => {
                if let Ok(relative) = gix::path::into_bstr(relative) {
                    inside.insert(gix::path::to_unix_separators_on_windows(relative).into_owned());
                }
            }
            None => outside.push(full),
        }
    }
    (inside, outside)
}

fn skip(listing: &mut Listing, reason: &str, path: String) {
    if let Some(count) = listing.skipped.get_mut(reason) {
        *count += 1;
    } else {
        listing.skipped.insert(reason.to_owned(), 1);
    }
    let examples = listing.skipped_examples.entry(reason.to_owned()).or_default();
    if examples.len() < EXAMPLES {
        examples.push(path);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FoundKind {
    File,
    Symlink,
    Directory,
    Repository,
}

/// One entry of git's list as it stands on disk.
struct Found {
    path: BString,
    kind: FoundKind,
    size: u64,
    modified_ns: i64,
    changed_ns: i64,
    tracked: bool,
}

impl Found {
    /// `None` if nothing git could hold stands there.
    fn at(work_tree: &Path, path: BString, tracked: bool) -> Option<Self> {
        let full = work_tree.join(gix::path::from_bstr(path.as_bstr()).into_owned_lossy());
        Self::of(full.symlink_metadata(), path, tracked)
    }

    /// The same by what the system says of it, links not followed.
    fn of(metadata: std::io::Result<std::fs::Metadata>, path: BString, tracked: bool) -> Option<Self> {
        let empty = |kind, path| Self { path, kind, size: 0, modified_ns: 0, changed_ns: 0, tracked };
        let metadata = match metadata {
            Ok(metadata) => metadata,
            // In a directory that may not be searched: git lists it, reading it will say why not.
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                return Some(empty(FoundKind::File, path));
            }
            Err(_) => return None,
        };
        let kind = match metadata.file_type() {
            kind if kind.is_file() => FoundKind::File,
            kind if kind.is_symlink() => FoundKind::Symlink,
            kind if kind.is_dir() => FoundKind::Directory,
            _ => return None,
        };
        let (modified_ns, changed_ns) = times(&metadata);
        Some(Self { path, kind, size: metadata.len(), modified_ns, changed_ns, tracked })
    }
}

#[cfg(unix)]
fn times(metadata: &std::fs::Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    (nanoseconds(metadata.mtime(), metadata.mtime_nsec()), nanoseconds(metadata.ctime(), metadata.ctime_nsec()))
}

#[cfg(not(unix))]
fn times(metadata: &std::fs::Metadata) -> (i64, i64) {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    (since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)), 0)
}

/// What the index knows, for the walk over untracked files.
#[derive(Default)]
struct Tracked<'index> {
    /// With their places among the entries of the part that is listed.
    files: FxHashMap<&'index BStr, Option<u32>>,
    dirs: FxHashSet<&'index BStr>,
    repositories: FxHashSet<&'index BStr>,
}

impl<'index> Tracked<'index> {
    fn add(&mut self, path: &'index BStr, mode: Mode, place: Option<u32>) {
        let path = path.strip_suffix(b"/").map_or(path, BStr::new);
        match mode {
            Mode::COMMIT => _ = self.repositories.insert(path),
            Mode::DIR => _ = self.dirs.insert(path),
            _ => _ = self.files.insert(path, place),
        }
        let mut dir = path;
        while let Some(end) = dir.rfind_byte(b'/') {
            dir = dir[..end].as_bstr();
            if !self.dirs.insert(dir) {
                break;
            }
        }
    }
}

/// Whether the directories that lead to a path are directories, or a symbolic link that leads elsewhere.
struct RealDirs<'a> {
    work_tree: &'a Path,
    known: FxHashMap<BString, bool>,
}

impl<'a> RealDirs<'a> {
    fn new(work_tree: &'a Path) -> Self {
        Self { work_tree, known: FxHashMap::default() }
    }

    fn leads_to(&mut self, path: &BStr) -> bool {
        let Some(end) = path.rfind_byte(b'/') else { return true };
        let dir = path[..end].as_bstr();
        if let Some(known) = self.known.get(dir) {
            return *known;
        }
        let full = self.work_tree.join(gix::path::from_bstr(dir).into_owned_lossy());
        let is_real = self.leads_to(dir)
            && match full.symlink_metadata() {
                Ok(metadata) => metadata.is_dir(),
                Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
            };
        self.known.insert(dir.to_owned(), is_real);
        is_real
    }
}

/// Whether the work may be shared with the other threads of a pool.
fn in_pool() -> bool {
    rayon::current_thread_index().is_some()
}

/// Calls `each` for the directories, files and links of a directory but `.git`: path in the work tree, whether it is a directory,
/// entry. `path` names the directory, and is as before on return.
fn each_entry(
    entries: std::fs::ReadDir,
    path: &mut BString,
    mut each: impl FnMut(&mut BString, bool, &std::fs::DirEntry),
) {
    let parent = path.len();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Ok(kind) = entry.file_type() else { continue };
        let Ok(bytes) = gix::path::os_str_into_bstr(&name) else { continue };
        if bytes == ".git" || !(kind.is_dir() || kind.is_file() || kind.is_symlink()) {
            continue;
        }
        if parent > 0 {
            path.push(b'/');
        }
        path.extend_from_slice(bytes);
        each(path, kind.is_dir(), &entry);
        path.truncate(parent);
    }
}

/// What one directory of the index holds.
#[derive(Default)]
struct KnownDir {
    /// Files of the index by their place; `None` for one that is gone by the time it is looked at.
    tracked: Vec<(u32, Option<Found>)>,
    /// What the index does not know, and whether it is a directory.
    unknown: Vec<(BString, bool)>,
    /// Directories of the index.
    below: Vec<BString>,
    /// The directory and the system's message, where it could not be listed.
    unreadable: Option<(String, String)>,
}

impl KnownDir {
    fn read(work_tree: &Path, tracked: &Tracked<'_>, part: &Part, path: &BString) -> Self {
        let mut dir = Self::default();
        let entries = match std::fs::read_dir(work_tree.join(gix::path::from_bstr(path.as_bstr()).into_owned_lossy())) {
            Ok(entries) => entries,
            Err(error) => {
                dir.unreadable = Some((path.to_str_lossy().into_owned(), error.to_string()));
                return dir;
            }
        };
        each_entry(entries, &mut path.clone(), |path, is_dir, entry| {
            if is_dir {
                let is_known = tracked.dirs.contains(path.as_bstr())
                    && !tracked.repositories.contains(path.as_bstr())
                    && !part.is_apart(path.as_bstr());
                if is_known {
                    dir.below.push(path.clone());
                } else {
                    dir.unknown.push((path.clone(), true));
                }
            } else {
                match tracked.files.get(path.as_bstr()) {
                    // The entry is looked up from its directory, which is quicker than by its whole path.
                    Some(Some(place)) => dir.tracked.push((*place, Found::of(entry.metadata(), path.clone(), true))),
                    Some(None) => {}
                    None => dir.unknown.push((path.clone(), false)),
                }
            }
        });
        dir
    }
}

/// The directories of the index from `start` downwards, each listed and its files looked at. Only what is a directory is gone
/// into, so that none is reached through a link.
fn known_dirs(work_tree: &Path, tracked: &Tracked<'_>, part: &Part, start: BString) -> Vec<KnownDir> {
    let mut all = Vec::new();
    let mut level = vec![start];
    while !level.is_empty() {
        let read = |path: &BString| KnownDir::read(work_tree, tracked, part, path);
        let read: Vec<KnownDir> = if in_pool() {
            level.par_iter().with_max_len(16).map(read).collect()
        } else {
            level.iter().map(read).collect()
        };
        level.clear();
        for mut dir in read {
            level.append(&mut dir.below);
            all.push(dir);
        }
    }
    all
}

/// The walk over the work tree for what the index does not know.
struct Walk<'a, F> {
    work_tree: &'a Path,
    tracked: &'a Tracked<'a>,
    rules: &'a Rules,
    found: &'a mut Vec<Found>,
    unreadable_dirs: &'a mut Vec<(String, String)>,
    /// What git ignores: a directory stands for all that is in it.
    ignored: Vec<BString>,
    ignored_repositories: &'a mut Vec<String>,
    part: &'a Part,
    is_ignored: F,
}

impl<F: FnMut(&BStr, bool) -> bool> Walk<'_, F> {
    /// `full` and `path` name the directory; both are as before on return.
    fn directory(&mut self, full: &mut PathBuf, path: &mut BString) {
        let entries = match std::fs::read_dir(&*full) {
            Ok(entries) => entries,
            Err(error) => {
                self.unreadable_dirs.push((path.to_str_lossy().into_owned(), error.to_string()));
                return;
            }
        };
        each_entry(entries, path, |path, is_dir, entry| {
            if is_dir {
                full.push(entry.file_name());
                self.subdirectory(full, path);
                full.pop();
            } else if !self.tracked.files.contains_key(path.as_bstr()) {
                self.file(path);
            }
        });
    }

    /// A file or link that the index does not know.
    fn file(&mut self, path: &BString) {
        if (self.is_ignored)(path.as_bstr(), false) && !self.rules.is_included(&self.seen_by_rules(path)) {
            self.ignored.push(path.clone());
        } else if let Some(found) = Found::at(self.work_tree, path.clone(), false) {
            self.found.push(found);
        }
    }

    /// The path as the rules see it.
    fn seen_by_rules<'p>(&self, path: &'p BString) -> std::borrow::Cow<'p, str> {
        path[self.part.prefix().len().min(path.len())..].to_str_lossy()
    }

    fn subdirectory(&mut self, full: &mut PathBuf, path: &mut BString) {
        if self.tracked.repositories.contains(path.as_bstr()) || self.part.is_apart(path.as_bstr()) {
            return;
        }
        if !self.tracked.dirs.contains(path.as_bstr()) {
            if (self.is_ignored)(path.as_bstr(), true) && !self.rules.include_leads_into(&self.seen_by_rules(path)) {
                if full.join(".git").symlink_metadata().is_ok() {
                    self.ignored_repositories.push(path.to_str_lossy().into_owned());
                }
                self.ignored.push(path.clone());
                return;
            }
            // Both a clone (`.git` directory) and a work tree or submodule (`.git` file).
            if full.join(".git").symlink_metadata().is_ok() {
                self.found.push(Found {
                    path: path.clone(),
                    kind: FoundKind::Repository,
                    size: 0,
                    modified_ns: 0,
                    changed_ns: 0,
                    tracked: false,
                });
                return;
            }
        }
        self.directory(full, path);
    }
}
