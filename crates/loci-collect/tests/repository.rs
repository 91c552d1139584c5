//! Real repositories, made by git in temporary directories: what is listed, read and walked, against what git itself says.

#![allow(clippy::unwrap_used, reason = "a failing step of a test is a failing test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use loci_collect::{
    CollectError, Commit, FileOutcome, HistoryItem, HistoryReport, Listing, Policy, Redactor, Repository, open, reason,
};

/// A repository in a temporary directory of its own, beside an empty home so that nobody's settings matter.
struct Sandbox {
    directory: tempfile::TempDir,
}

impl Sandbox {
    fn empty() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(directory.path().join("home")).unwrap();
        std::fs::create_dir_all(directory.path().join("repo")).unwrap();
        Self { directory }
    }

    fn new() -> Self {
        let sandbox = Self::empty();
        sandbox.git(&["init", "-q", "-b", "main"]);
        // Stands for the person's own ignore file, and keeps that of whoever runs the tests out.
        let ignore = sandbox.directory.path().join("home/ignore");
        std::fs::write(&ignore, "*.global\n").unwrap();
        sandbox.git(&["config", "core.excludesFile", ignore.to_str().unwrap()]);
        sandbox
    }

    fn root(&self) -> PathBuf {
        self.directory.path().join("repo")
    }

    fn git_in(&self, directory: &Path, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=T",
                "-c",
                "user.email=t@example.org",
                "-c",
                "protocol.file.allow=always",
                "-c",
                "core.quotePath=false",
            ])
            .args(arguments)
            .current_dir(directory)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.directory.path().join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", "1700000000 +0000")
            .env("GIT_COMMITTER_DATE", "1700000000 +0000")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.root(), arguments)
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let full = self.root().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, content).unwrap();
    }

    fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn open(&self) -> Repository {
        open(self.root()).unwrap()
    }

    fn list(&self) -> Listing {
        let listing = self.open().list(&Policy::default()).unwrap();
        assert_eq!(listing, self.listed_by_a_pool(), "one thread or several, the list is the same");
        listing
    }

    fn listed_by_a_pool(&self) -> Listing {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.install(|| self.open().list(&Policy::default()).unwrap())
    }
}

fn paths(listing: &Listing) -> Vec<&str> {
    listing.files.iter().map(|file| file.path.as_str()).collect()
}

fn read(repository: &Repository, path: &str) -> FileOutcome {
    let policy = Policy::default();
    let listing = repository.list(&policy).unwrap();
    let file =
        listing.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path} is listed: {listing:?}"));
    repository.read(file, &policy, &Redactor::default())
}

fn text_of(outcome: &FileOutcome) -> String {
    match outcome {
        FileOutcome::Read(text) => {
            text.passages.iter().map(|passage| passage.text.as_str()).collect::<Vec<_>>().join("\n")
        }
        other => panic!("not read: {other:?}"),
    }
}

fn walk(repository: &Repository) -> (Vec<Commit>, HistoryReport) {
    let mut commits = Vec::new();
    let report = repository
        .commits(&|_| false, &Policy::default(), &Redactor::default(), &mut |item| match item {
            HistoryItem::New(commit) => commits.push(commit),
            HistoryItem::Known(_) => panic!("nothing is known"),
        })
        .unwrap();
    (commits, report)
}

fn hex(id: &[u8; 20]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Nothing git lists goes missing without a reason.
fn explained(repository: &Repository) -> BTreeMap<String, u64> {
    let policy = Policy::default();
    let listing = repository.list(&policy).unwrap();
    let mut sums = listing.skipped.clone();
    for outcome in repository.read_all(&listing.files, &policy, &Redactor::default()) {
        let name = match outcome {
            FileOutcome::Read(_) => "read",
            FileOutcome::Skipped { reason } => reason,
            FileOutcome::Unreadable { .. } => "unreadable",
            FileOutcome::Unchanged => "unchanged",
        };
        *sums.entry(name.to_owned()).or_default() += 1;
    }
    assert_eq!(listing.listed, sums.values().sum::<u64>());
    sums
}

#[test]
fn a_path_that_is_no_repository() {
    let directory = tempfile::tempdir().unwrap();
    let Err(CollectError::NotARepository { path }) = open(directory.path()) else { panic!("no repository") };
    assert_eq!(directory.path(), path);
    assert!(matches!(open(directory.path().join("missing")), Err(CollectError::NotARepository { .. })));
    let message = open(directory.path()).err().unwrap().to_string();
    assert!(message.contains("is not a git repository") && message.contains("git init"), "{message}");
    // A directory inside a work tree is the caller's business, not a repository.
    let sandbox = Sandbox::new();
    sandbox.write("sub/a.txt", "a");
    assert!(matches!(open(sandbox.root().join("sub")), Err(CollectError::NotARepository { .. })));
}

#[test]
fn without_commits_the_work_tree_is_listed_and_history_is_empty() {
    let sandbox = Sandbox::new();
    let repository = sandbox.open();
    assert_eq!(None, repository.head().unwrap());
    assert_eq!(Listing::default(), sandbox.list());
    sandbox.write("README.md", "# A\n");
    assert_eq!(vec!["README.md"], paths(&sandbox.list()));
    let (commits, report) = walk(&repository);
    assert_eq!((0, HistoryReport::default()), (commits.len(), report));
    repository.fingerprint(&Policy::default()).unwrap();
}

// FIELD 44, 47, 48: ignore files count, nested ones and the person's own included.
#[test]
fn ignored_files_are_not_listed() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitignore", "build/\n*.log\n!keep.log\n");
    sandbox.write("sub/.gitignore", "/local\n*.tmp\n");
    sandbox.write(".git/info/exclude", "*.private\n");
    for path in [
        "build/deep/a.c",
        "a.log",
        "keep.log",
        "sub/local/x.c",
        "sub/a.tmp",
        "a.private",
        "sub/a.global",
        "sub/deep/b.private",
        "sub/ok.c",
        "local/y.c",
    ] {
        sandbox.write(path, "text\n");
    }
    // Tracked although ignored: git lists it, and so do we.
    sandbox.write("build/forced.c", "int a;\n");
    sandbox.git(&["add", "-f", "build/forced.c"]);
    let listing = sandbox.list();
    assert_eq!(
        vec![".gitignore", "build/forced.c", "keep.log", "local/y.c", "sub/.gitignore", "sub/ok.c"],
        paths(&listing)
    );
    let git = sandbox.git(&["ls-files", "--cached", "--others", "--exclude-standard"]);
    assert_eq!(git.lines().collect::<BTreeSet<_>>(), paths(&listing).into_iter().collect());
    assert_eq!(
        vec![true],
        listing.files.iter().filter(|file| file.tracked).map(|file| file.path == "build/forced.c").collect::<Vec<_>>()
    );
}

// FIELD 64: an ignore file in a legacy code page or with a mark keeps its rules.
#[test]
fn an_ignore_file_in_another_encoding_still_ignores() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitignore", b"# f\xfcr alle\nsecret-notes\n");
    sandbox.write("sub/.gitignore", b"\xef\xbb\xbfhidden\n");
    sandbox.write("secret-notes", "x");
    sandbox.write("sub/hidden", "x");
    assert_eq!(vec![".gitignore", "sub/.gitignore"], paths(&sandbox.list()));
}

// FIELD 49, 50, 51: a submodule is reported as one, never silently empty, and a clone inside a repository is not ours.
#[test]
fn submodules_and_nested_repositories_are_named_and_not_walked() {
    let library = Sandbox::new();
    library.write("lib.c", "int a;\n");
    library.commit("lib");
    let sandbox = Sandbox::new();
    sandbox.write("main.c", "int main;\n");
    sandbox.git(&["submodule", "--quiet", "add", library.root().to_str().unwrap(), "libs/lib"]);
    sandbox.commit("with a submodule");
    std::fs::create_dir_all(sandbox.root().join("clones")).unwrap();
    sandbox.git_in(&sandbox.root().join("clones"), &["clone", "-q", library.root().to_str().unwrap(), "nested"]);
    let listing = sandbox.list();
    assert_eq!(vec![".gitmodules", "main.c"], paths(&listing));
    assert_eq!(vec!["clones/nested", "libs/lib"], listing.submodules);
    assert_eq!(Some(&2), listing.skipped.get(reason::SUBMODULE));
    assert_eq!(4, listing.listed);
    explained(&sandbox.open());
    // The submodule itself is a repository like any other, and its `.git` is a file.
    let submodule = open(sandbox.root().join("libs/lib")).unwrap();
    assert_eq!(vec!["lib.c"], paths(&submodule.list(&Policy::default()).unwrap()));
    assert_eq!(1, walk(&submodule).0.len());
    // Not checked out: still named, still not walked.
    sandbox.git(&["submodule", "--quiet", "deinit", "-f", "libs/lib"]);
    assert_eq!(vec!["clones/nested", "libs/lib"], sandbox.list().submodules);
}

// FIELD 58: nothing outside the repository is ever read.
#[test]
#[cfg(unix)]
fn symbolic_links_are_counted_and_not_followed() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    let outside = sandbox.directory.path().join("home/outside");
    std::fs::create_dir_all(outside.join("dir")).unwrap();
    std::fs::write(outside.join("dir/passwd.txt"), "hunter2").unwrap();
    sandbox.write("dir/passwd.txt", "ours");
    sandbox.write("a.txt", "ours");
    sandbox.commit("real files");
    symlink(outside.join("dir/passwd.txt"), sandbox.root().join("link.txt")).unwrap();
    symlink(&outside, sandbox.root().join("linked-dir")).unwrap();
    symlink("nowhere", sandbox.root().join("dangling")).unwrap();
    // A tracked directory that became a link: git calls its files deleted.
    std::fs::remove_dir_all(sandbox.root().join("dir")).unwrap();
    symlink(outside.join("dir"), sandbox.root().join("dir")).unwrap();
    let repository = sandbox.open();
    let listing = sandbox.list();
    assert_eq!(vec!["a.txt"], paths(&listing));
    assert_eq!(Some(&4), listing.skipped.get(reason::SYMLINK));
    assert_eq!(1, listing.missing);
    // Replaced between listing and reading.
    std::fs::remove_file(sandbox.root().join("a.txt")).unwrap();
    symlink(outside.join("dir/passwd.txt"), sandbox.root().join("a.txt")).unwrap();
    let outcome = repository.read(&listing.files[0], &Policy::default(), &Redactor::default());
    assert!(matches!(outcome, FileOutcome::Unreadable { .. }), "{outcome:?}");
}

#[test]
#[cfg(unix)]
fn pipes_never_block() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "text");
    let listing = sandbox.list();
    std::fs::remove_file(sandbox.root().join("a.txt")).unwrap();
    assert!(Command::new("mkfifo").arg(sandbox.root().join("a.txt")).status().unwrap().success());
    assert!(sandbox.list().files.is_empty(), "git lists no pipes");
    let outcome = sandbox.open().read(&listing.files[0], &Policy::default(), &Redactor::default());
    assert!(matches!(outcome, FileOutcome::Unreadable { .. }), "{outcome:?}");
}

#[test]
#[cfg(unix)]
fn an_unreadable_file_is_named_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "text");
    sandbox.write("b.txt", "text");
    sandbox.write("locked/c.txt", "text");
    sandbox.commit("files");
    let lock = |path: &str, mode: u32| {
        std::fs::set_permissions(sandbox.root().join(path), std::fs::Permissions::from_mode(mode)).unwrap()
    };
    lock("a.txt", 0);
    // Root reads everything; the deleted file below stands for what cannot be read.
    let is_root = std::fs::read(sandbox.root().join("a.txt")).is_ok();
    if !is_root {
        lock("locked", 0);
        let listing = sandbox.list();
        assert_eq!(vec!["a.txt", "b.txt", "locked/c.txt"], paths(&listing));
        assert_eq!("locked", listing.unreadable_dirs[0].0);
        let sums = explained(&sandbox.open());
        assert_eq!((Some(&2), Some(&1)), (sums.get("unreadable"), sums.get("read")));
        lock("locked", 0o755);
    }
    lock("a.txt", 0o644);
    let listing = sandbox.list();
    std::fs::remove_file(sandbox.root().join("b.txt")).unwrap();
    let outcomes = sandbox.open().read_all(&listing.files, &Policy::default(), &Redactor::default());
    assert!(matches!(&outcomes[0], FileOutcome::Read(_)));
    assert!(
        matches!(&outcomes[1], FileOutcome::Unreadable { message } if message.contains("No such file")),
        "{:?}",
        outcomes[1]
    );
    assert!(matches!(&outcomes[2], FileOutcome::Read(_)));
}

// FIELD 62, 63: what is not UTF-8 is read, kept and said.
#[test]
fn every_encoding_is_read_or_explained() {
    let sandbox = Sandbox::new();
    sandbox.write("latin.py", b"# M\xfcller\ndef f():\n    pass\n");
    sandbox.write("broken.py", "def good():\n    return 'héé'\n".bytes().chain(*b"# \xff\n").collect::<Vec<u8>>());
    sandbox.write(
        "wide.txt",
        "\u{feff}Überschrift\r\nzwei".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
    );
    sandbox.write("wide-without-mark.txt", "plain".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    sandbox.write("nul.txt", b"a\0b");
    sandbox.write("windows.txt", "one\r\n\r\ntwo\r\n");
    sandbox.write("empty.txt", "");
    sandbox.write("one-line.js", "x=1;".repeat(100_000));
    sandbox.write("giant.js", "x=1;".repeat(800_000));
    sandbox.write("table.csv", format!("{}\n", "1,2,3\n".repeat(10)));
    let repository = sandbox.open();
    let lossy = |path: &str| match read(&repository, path) {
        FileOutcome::Read(text) => text.lossy,
        other => panic!("{path}: {other:?}"),
    };
    assert!(text_of(&read(&repository, "latin.py")).contains("Müller"));
    assert!(text_of(&read(&repository, "broken.py")).contains("def good():\n    return 'héé'"));
    assert_eq!("Überschrift\nzwei", text_of(&read(&repository, "wide.txt")));
    assert_eq!((true, true, false), (lossy("latin.py"), lossy("broken.py"), lossy("wide.txt")));
    for path in ["nul.txt", "wide-without-mark.txt"] {
        assert_eq!(FileOutcome::Skipped { reason: reason::BINARY }, read(&repository, path));
    }
    let FileOutcome::Read(text) = read(&repository, "windows.txt") else { panic!("read") };
    assert_eq!(((1, 3), "one\n\ntwo"), (text.passages[0].lines, &*text.passages[0].text));
    assert!(matches!(read(&repository, "empty.txt"), FileOutcome::Read(text) if text.passages.is_empty()));
    assert_eq!(FileOutcome::Skipped { reason: reason::MINIFIED }, read(&repository, "one-line.js"));
    let sums = explained(&repository);
    assert_eq!(Some(&1), sums.get(reason::OVER_SIZE), "a line of 3 MB");
    assert_eq!(vec!["giant.js"], sandbox.list().skipped_examples[reason::OVER_SIZE]);
}

// FIELD 45, 46: other people's code is counted, not read, tracked or not.
#[test]
fn what_is_skipped_is_counted_with_examples() {
    let sandbox = Sandbox::new();
    for n in 0..7 {
        sandbox.write(&format!("vendor/lib/{n}.go"), "package lib\n");
    }
    sandbox.write("package-lock.json", "{}");
    sandbox.write(".env", "KEY=hunter2\n");
    sandbox.write(".env.example", "KEY=\n");
    sandbox.write("api.pb.go", "package api\n");
    sandbox.write("gen.go", "// Code generated by x. DO NOT EDIT.\npackage api\n");
    sandbox.write("locales/de.json", "{}\n");
    sandbox.write("locales/en.json", "{\"a\": \"b\"}\n");
    sandbox.write("main.go", "package main\n");
    sandbox.write(".github/workflows/ci.yml", "on: push\n");
    sandbox.write("bin/tool", "#!/bin/sh\necho hi\n");
    sandbox.commit("all");
    let listing = sandbox.list();
    assert_eq!(
        vec![".env.example", ".github/workflows/ci.yml", "bin/tool", "gen.go", "locales/en.json", "main.go"],
        paths(&listing)
    );
    assert_eq!(Some(&7), listing.skipped.get(reason::VENDORED));
    assert_eq!(5, listing.skipped_examples[reason::VENDORED].len());
    let sums = explained(&sandbox.open());
    assert_eq!(
        (Some(&1), Some(&2), Some(&1), Some(&1)),
        (sums.get(reason::SECRET), sums.get(reason::GENERATED), sums.get(reason::LOCK), sums.get(reason::LOCALE))
    );

    let policy: Policy = serde_json::from_str(r#"{"include": ["/vendor/lib/0.go"], "exclude": ["*.yml"]}"#).unwrap();
    let listing = sandbox.open().list(&policy).unwrap();
    assert!(paths(&listing).contains(&"vendor/lib/0.go") && !paths(&listing).contains(&".github/workflows/ci.yml"));
    assert_eq!(Some(&1), listing.skipped.get(reason::EXCLUDED));
}

#[test]
fn deleted_files_are_not_listed_and_untracked_ones_are() {
    let sandbox = Sandbox::new();
    sandbox.write("gone.txt", "a");
    sandbox.write("dir/gone.txt", "a");
    sandbox.write("stays.txt", "a");
    sandbox.commit("three");
    std::fs::remove_file(sandbox.root().join("gone.txt")).unwrap();
    std::fs::remove_dir_all(sandbox.root().join("dir")).unwrap();
    sandbox.write("new/untracked.txt", "a");
    // A directory in the place of a tracked file.
    sandbox.write("gone.txt/inside.txt", "a");
    let listing = sandbox.list();
    assert_eq!(vec!["gone.txt/inside.txt", "new/untracked.txt", "stays.txt"], paths(&listing));
    assert_eq!((2, 3), (listing.missing, listing.listed));
}

#[test]
#[cfg(unix)]
fn names_that_are_no_utf_8_are_read_too() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.txt");
    if std::fs::write(sandbox.root().join(name), "coffee").is_err() {
        return; // The file system insists on UTF-8.
    }
    sandbox.write("日本語/ファイル.txt", "text");
    sandbox.commit("names");
    let repository = sandbox.open();
    assert_eq!(vec!["caf\u{fffd}.txt", "日本語/ファイル.txt"], paths(&sandbox.list()));
    assert_eq!("coffee", text_of(&read(&repository, "caf\u{fffd}.txt")));
}

#[test]
fn an_unresolved_merge_lists_each_path_once() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "base\n");
    sandbox.commit("base");
    sandbox.git(&["checkout", "-q", "-b", "side"]);
    sandbox.write("a.txt", "side\n");
    sandbox.commit("side");
    sandbox.git(&["checkout", "-q", "main"]);
    sandbox.write("a.txt", "main\n");
    sandbox.commit("main");
    let conflict = Command::new("git")
        .args(["merge", "side"])
        .current_dir(sandbox.root())
        .env("HOME", sandbox.directory.path())
        .output()
        .unwrap();
    assert!(!conflict.status.success());
    assert_eq!(vec!["a.txt"], paths(&sandbox.list()));
}

#[test]
fn history_is_what_git_says() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "1\n");
    sandbox.write("dir/b.txt", "1\n");
    sandbox.write("dir-x/c.txt", "1\n");
    let first = sandbox.commit("Root");
    sandbox.git(&["checkout", "-q", "-b", "side"]);
    sandbox.git(&["mv", "dir/b.txt", "dir/renamed.txt"]);
    sandbox.commit("Rename\n\nBecause.\n\nCo-authored-by: A <a@example.org>\n");
    sandbox.git(&["checkout", "-q", "main"]);
    // A file becomes a directory.
    sandbox.git(&["rm", "-q", "a.txt"]);
    sandbox.write("a.txt/inner.txt", "1\n");
    sandbox.commit("File to directory");
    sandbox.git(&["merge", "-q", "--no-ff", "-m", "Merge side", "side"]);
    sandbox.git(&["commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", "Nothing\nat all\n\n\nbody  \n"]);

    let repository = sandbox.open();
    let (commits, report) = walk(&repository);
    assert_eq!((5, 5, 0, false), (report.commits, report.read, report.unknown_files, report.shallow));
    let ours: BTreeMap<String, (String, BTreeSet<String>)> = commits
        .iter()
        .map(|commit| (hex(&commit.id), (commit.subject.clone(), commit.files.iter().cloned().collect())))
        .collect();
    let git = sandbox.git(&["log", "--name-only", "--no-renames", "--format=%x01%H%x02%s"]);
    let theirs: BTreeMap<String, (String, BTreeSet<String>)> = git
        .split('\u{1}')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (head, files) = part.split_once('\n').unwrap_or((part, ""));
            let (id, subject) = head.split_once('\u{2}').unwrap();
            (
                id.to_owned(),
                (subject.to_owned(), files.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()),
            )
        })
        .collect();
    assert_eq!(theirs, ours);
    let by_subject = |subject: &str| commits.iter().find(|commit| commit.subject == subject).unwrap();
    assert_eq!(first, hex(&by_subject("Root").id));
    assert_eq!(3, by_subject("Root").file_count);
    assert_eq!("Because.", by_subject("Rename").body);
    assert_eq!("body", by_subject("Nothing at all").body);
    assert!(by_subject("Merge side").files.is_empty());
    assert_eq!(vec!["a.txt", "a.txt/inner.txt"], by_subject("File to directory").files);
    assert_eq!(1_700_000_000, by_subject("Root").author_time);
    assert_eq!("Nothing at all", commits[0].subject, "newest first");

    // The same order with any number of threads.
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(commits, pool.install(|| walk(&repository).0));
    }
}

#[test]
fn known_commits_are_walked_and_not_read() {
    let sandbox = Sandbox::new();
    let ids: Vec<String> = (0..5)
        .map(|n| {
            sandbox.write("a.txt", format!("{n}\n"));
            sandbox.commit(&format!("Change {n}"))
        })
        .collect();
    let mut items = Vec::new();
    let report = sandbox
        .open()
        .commits(&|id| hex(id) != ids[4], &Policy::default(), &Redactor::default(), &mut |item| items.push(item))
        .unwrap();
    assert_eq!((5, 1), (report.commits, report.read));
    let new: Vec<&str> = items
        .iter()
        .filter_map(|item| if let HistoryItem::New(commit) = item { Some(commit.subject.as_str()) } else { None })
        .collect();
    assert_eq!(vec!["Change 4"], new);
    let known: BTreeSet<String> =
        items.iter().filter_map(|item| if let HistoryItem::Known(id) = item { Some(hex(id)) } else { None }).collect();
    assert_eq!(ids[..4].iter().cloned().collect::<BTreeSet<_>>(), known);
}

#[test]
fn odd_commits_are_read() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a\n");
    sandbox.commit("First");
    let tree = sandbox.git(&["rev-parse", "HEAD^{tree}"]);
    let parent = sandbox.git(&["rev-parse", "HEAD"]);
    // Written raw: before 1970, Latin-1 with its header, a body of 5 MB.
    let mut raw = format!("tree {tree}\nparent {parent}\nauthor A <a@b> -86400 +0000\ncommitter A <a@b> 1700000001 +0000\nencoding ISO-8859-1\n\n").into_bytes();
    raw.extend_from_slice(b"Gr\xfc\xdfe\n\n");
    raw.extend(b"word ".iter().cycle().take(5 << 20));
    std::fs::write(sandbox.root().join(".git/raw"), &raw).unwrap();
    let id = sandbox.git(&["hash-object", "-t", "commit", "-w", ".git/raw"]);
    sandbox.git(&["update-ref", "HEAD", &id]);
    let (commits, report) = walk(&sandbox.open());
    assert_eq!((2, 1), (commits.len(), report.clipped_bodies));
    assert_eq!(("Grüße", -86_400), (commits[0].subject.as_str(), commits[0].author_time));
    assert_eq!(20_000, commits[0].body.chars().count());
}

#[test]
fn many_files_in_one_commit_are_counted_beyond_those_kept() {
    let sandbox = Sandbox::new();
    for n in 0..300 {
        sandbox.write(&format!("d{}/f{n}.txt", n % 7), "x\n");
    }
    sandbox.commit("Import");
    let (commits, _) = walk(&sandbox.open());
    assert_eq!((200, 300), (commits[0].files.len(), commits[0].file_count));
}

#[test]
fn linked_work_trees_detached_heads_and_bare_repositories() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a\n");
    sandbox.commit("First");
    sandbox.write("b.txt", "b\n");
    let second = sandbox.commit("Second");
    let linked = sandbox.directory.path().join("linked");
    sandbox.git(&["worktree", "add", "-q", "--detach", linked.to_str().unwrap(), "HEAD~1"]);
    let repository = open(&linked).unwrap();
    assert_eq!(vec!["a.txt"], paths(&repository.list(&Policy::default()).unwrap()));
    assert_eq!(1, walk(&repository).0.len());
    assert_eq!(sandbox.open().common_dir(), repository.common_dir());
    // A work tree inside the main one is not walked by it.
    let inside = sandbox.root().join("worktrees/x");
    sandbox.git(&["worktree", "add", "-q", "--detach", inside.to_str().unwrap()]);
    assert_eq!(vec!["worktrees/x"], sandbox.list().submodules);

    let bare = sandbox.directory.path().join("bare.git");
    sandbox.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let repository = open(&bare).unwrap();
    assert_eq!(None, repository.work_tree());
    assert_eq!(Listing::default(), repository.list(&Policy::default()).unwrap());
    assert_eq!(second, hex(&repository.head().unwrap().unwrap()));
    assert_eq!(2, walk(&repository).0.len());
    repository.fingerprint(&Policy::default()).unwrap();
}

#[test]
fn shallow_and_alternate_clones() {
    let sandbox = Sandbox::new();
    for n in 0..4 {
        sandbox.write(&format!("{n}.txt"), "x\n");
        sandbox.commit(&format!("Commit {n}"));
    }
    let shallow = sandbox.directory.path().join("shallow");
    sandbox.git(&[
        "clone",
        "-q",
        "--depth",
        "2",
        &format!("file://{}", sandbox.root().display()),
        shallow.to_str().unwrap(),
    ]);
    let repository = open(&shallow).unwrap();
    let (commits, report) = walk(&repository);
    assert_eq!((2, true, 1, 0), (commits.len(), report.shallow, report.unknown_files, report.missing_commits));
    assert_eq!((vec!["3.txt".to_owned()], 1), (commits[0].files.clone(), commits[0].file_count));
    assert_eq!(
        (Vec::<String>::new(), 0),
        (commits[1].files.clone(), commits[1].file_count),
        "the boundary did not touch everything"
    );
    let before = repository.fingerprint(&Policy::default()).unwrap();
    sandbox.git_in(&shallow, &["fetch", "-q", "--unshallow"]);
    assert_ne!(before, open(&shallow).unwrap().fingerprint(&Policy::default()).unwrap());
    assert_eq!(4, walk(&open(&shallow).unwrap()).0.len());

    let borrowing = sandbox.directory.path().join("borrowing");
    sandbox.git(&["clone", "-q", "--shared", ".", borrowing.to_str().unwrap()]);
    assert!(borrowing.join(".git/objects/info/alternates").exists());
    assert_eq!(4, walk(&open(&borrowing).unwrap()).0.len());
}

#[test]
fn missing_objects_cost_their_commit_its_files_and_nothing_else() {
    let sandbox = Sandbox::new();
    for n in 0..3 {
        sandbox.write("dir/a.txt", format!("{n}\n"));
        sandbox.commit(&format!("Commit {n}"));
    }
    let object = |name: &str| {
        let id = sandbox.git(&["rev-parse", name]);
        sandbox.root().join(".git/objects").join(&id[..2]).join(&id[2..])
    };
    // As in a partial clone: every blob, and one tree.
    for n in 0..3 {
        std::fs::remove_file(object(&format!("HEAD~{n}:dir/a.txt"))).unwrap();
    }
    std::fs::remove_file(object("HEAD~1:dir")).unwrap();
    let (commits, report) = walk(&sandbox.open());
    assert_eq!((3, 2), (commits.len(), report.unknown_files));
    assert_eq!(vec!["dir/a.txt"], commits[2].files);
    // A parent that is gone ends that line of history, and is counted.
    std::fs::remove_file(object("HEAD~2")).unwrap();
    let (commits, report) = walk(&sandbox.open());
    assert_eq!((2, 1), (commits.len(), report.missing_commits));
    // HEAD itself is needed.
    std::fs::remove_file(object("HEAD")).unwrap();
    let walked = sandbox.open().commits(&|_| false, &Policy::default(), &Redactor::default(), &mut |_| {});
    let message = walked.unwrap_err().to_string();
    assert!(message.contains("HEAD") && message.contains("repo"), "{message}");
}

#[test]
fn the_fingerprint_follows_every_change() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.write("vendor/b.go", "package b\n");
    sandbox.commit("First");
    let policy = Policy::default();
    let fingerprint = || sandbox.open().fingerprint(&policy).unwrap();
    let mut seen = vec![fingerprint()];
    assert_eq!(seen[0], fingerprint(), "nothing changed");
    let mut changed = |what: &str| {
        let now = fingerprint();
        assert!(!seen.contains(&now), "{what}");
        seen.push(now);
    };
    // The same size, and the modification time set back: the change time tells.
    let time = std::fs::metadata(sandbox.root().join("a.txt")).unwrap().modified().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    sandbox.write("a.txt", "two\n");
    std::fs::File::options().write(true).open(sandbox.root().join("a.txt")).unwrap().set_modified(time).unwrap();
    changed("an edit of the same size");
    sandbox.write("untracked.txt", "x");
    changed("an untracked file");
    sandbox.write("vendor/c.go", "package c\n");
    changed("one more skipped file");
    sandbox.git(&["commit", "-q", "--allow-empty", "-m", "Second"]);
    changed("a commit");
    std::fs::remove_file(sandbox.root().join("untracked.txt")).unwrap();
    changed("a deleted file");
    let other = Policy { exclude: vec!["a.txt".to_owned()], ..Policy::default() };
    assert_ne!(fingerprint(), sandbox.open().fingerprint(&other).unwrap());
}

#[test]
fn unchanged_bytes_are_recognised() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "text\n");
    let (repository, policy, redactor) = (sandbox.open(), Policy::default(), Redactor::default());
    let file = &sandbox.list().files[0];
    let FileOutcome::Read(text) = repository.read(file, &policy, &redactor) else { panic!("read") };
    assert_eq!(FileOutcome::Unchanged, repository.read_if_changed(file, &policy, &redactor, Some(&text.content_hash)));
    assert!(matches!(repository.read_if_changed(file, &policy, &redactor, Some(&[0; 16])), FileOutcome::Read(_)));
}

#[test]
fn secrets_in_files_and_messages_are_hidden_and_counted() {
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let sandbox = Sandbox::new();
    sandbox.write("a.py", format!("TOKEN = \"{token}\"\n"));
    sandbox.commit(&format!("Add token {token}\n\nIt is {token}."));
    let repository = sandbox.open();
    let FileOutcome::Read(text) = read(&repository, "a.py") else { panic!("read") };
    assert!(
        !text.passages[0].text.contains(&token) && text.passages[0].text.contains("[REDACTED:"),
        "{}",
        text.passages[0].text
    );
    assert!(!text.redactions.is_empty());
    let (commits, report) = walk(&repository);
    assert!(!commits[0].subject.contains(&token) && !commits[0].body.contains(&token));
    assert_eq!(2, report.redactions.values().sum::<u32>());
}

// A hostile configuration must neither run anything nor lead elsewhere, and no ownership rule makes the answer poorer.
#[test]
fn configuration_cannot_lead_outside_or_run_commands() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a\n");
    sandbox.commit("First");
    let outside = sandbox.directory.path().join("home");
    std::fs::write(outside.join("diary.txt"), "dear diary").unwrap();
    let witness = sandbox.directory.path().join("ran");
    sandbox.git(&["config", "core.fsmonitor", &format!("touch {}", witness.display())]);
    sandbox.git(&["config", "filter.x.smudge", &format!("touch {}", witness.display())]);
    sandbox.git(&["config", "filter.x.clean", &format!("touch {}", witness.display())]);
    sandbox.write(".git/info/attributes", "* filter=x\n");
    sandbox.git(&["config", "core.worktree", outside.to_str().unwrap()]);
    assert_eq!(vec!["a.txt"], paths(&sandbox.list()));
    assert_eq!("a", text_of(&read(&sandbox.open(), "a.txt")));
    assert_eq!(1, walk(&sandbox.open()).0.len());
    assert!(!witness.exists());
}

#[test]
fn nothing_is_written_into_the_repository() {
    fn state(directory: &Path, into: &mut BTreeMap<PathBuf, (u64, std::time::SystemTime)>) {
        for entry in std::fs::read_dir(directory).unwrap().flatten() {
            let metadata = entry.metadata().unwrap();
            into.insert(entry.path(), (metadata.len(), metadata.modified().unwrap()));
            if metadata.is_dir() {
                state(&entry.path(), into);
            }
        }
    }
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a\n");
    sandbox.commit("First");
    // An index whose stat data is stale, which git itself would refresh.
    sandbox.write("a.txt", "b\n");
    let mut before = BTreeMap::new();
    state(&sandbox.root(), &mut before);
    let repository = sandbox.open();
    explained(&repository);
    walk(&repository);
    repository.fingerprint(&Policy::default()).unwrap();
    let mut after = BTreeMap::new();
    state(&sandbox.root(), &mut after);
    assert_eq!(before, after);
}

#[test]
fn a_newer_object_format_and_a_damaged_index_are_named() {
    let sandbox = Sandbox::empty();
    sandbox.git(&["init", "-q", "--object-format=sha256"]);
    let Err(CollectError::UnsupportedObjectFormat { format, .. }) = open(sandbox.root()) else { panic!("refused") };
    assert_eq!("sha256", format);

    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a\n");
    sandbox.commit("First");
    sandbox.write(".git/index", "damaged");
    let message = sandbox.open().list(&Policy::default()).unwrap_err().to_string();
    assert!(message.contains("read the index"), "{message}");
    assert_eq!(1, walk(&sandbox.open()).0.len(), "the history does not need the index");
}

#[test]
fn many_small_files_are_listed_and_read() {
    let sandbox = Sandbox::new();
    for n in 0..2_000 {
        sandbox.write(&format!("d{}/{n}.txt", n % 50), "x\n");
    }
    let started = std::time::Instant::now();
    let sums = explained(&sandbox.open());
    assert_eq!(Some(&2_000), sums.get("read"));
    assert!(started.elapsed().as_secs() < 30);
}

fn part(subtree: &str, apart: &[&str]) -> Policy {
    Policy {
        subtree: subtree.to_owned(),
        apart: apart.iter().map(|dir| (*dir).to_owned()).collect(),
        ..Policy::default()
    }
}

fn subjects(repository: &Repository, policy: &Policy) -> Vec<String> {
    let mut subjects = Vec::new();
    repository
        .commits(&|_| false, policy, &Redactor::default(), &mut |item| {
            if let HistoryItem::New(commit) = item {
                subjects.push(format!("{} {}", commit.subject, commit.files.join(",")).trim().to_owned());
            }
        })
        .unwrap();
    subjects.sort();
    subjects
}

#[test]
fn a_part_and_the_rest_hold_every_file_once() {
    let world = Sandbox::new();
    for path in
        ["README.md", "client/app.py", "client/deep/x.py", "src/client/y.py", "clients/z.py", "node/vendor/v.py"]
    {
        world.write(path, "x = 1\n");
    }
    world.write(".gitignore", "*.log\n");
    world.commit("all");
    world.write("client/new.py", "x = 2\n");
    world.write("client/noise.log", "x\n");
    let repository = world.open();
    let (client, rest) = (part("client", &["deep"]), part("", &["client"]));
    let deep = part("client/deep", &[]);
    assert_eq!(vec!["app.py", "new.py"], paths(&repository.list(&client).unwrap()));
    assert_eq!(vec!["x.py"], paths(&repository.list(&deep).unwrap()));
    assert_eq!(
        vec![".gitignore", "README.md", "clients/z.py", "src/client/y.py"],
        paths(&repository.list(&rest).unwrap())
    );
    let whole = repository.list(&Policy::default()).unwrap();
    let listed = |policy: &Policy| repository.list(policy).unwrap().listed;
    assert_eq!(whole.listed, listed(&client) + listed(&deep) + listed(&rest));
    let file = repository.list(&client).unwrap().files.remove(1);
    assert_eq!("x = 2", text_of(&repository.read(&file, &client, &Redactor::default())).trim());
    assert!(paths(&repository.list(&part("missing", &[])).unwrap()).is_empty());
    for outside in ["../x", "/etc", "a/../../b", "."] {
        assert!(matches!(repository.list(&part(outside, &[])), Err(CollectError::Policy { .. })), "{outside}");
    }
}

#[cfg(unix)]
#[test]
fn a_part_that_is_a_link_is_empty() {
    let world = Sandbox::new();
    world.write("README.md", "x\n");
    world.commit("first");
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.md"), "not yours\n").unwrap();
    std::os::unix::fs::symlink(outside.path(), world.root().join("client")).unwrap();
    assert!(world.open().list(&part("client", &[])).unwrap().files.is_empty());
}

#[test]
fn the_history_of_a_part_is_what_touched_it() {
    let world = Sandbox::new();
    world.write("client/a.py", "1\n");
    world.write("server/a.py", "1\n");
    world.commit("both");
    world.write("client/a.py", "2\n");
    world.commit("client only");
    world.write("server/a.py", "2\n");
    world.commit("server only");
    world.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    world.write("client/b.py", "1\n");
    world.commit("client on the side");
    world.git(&["checkout", "-q", "main"]);
    world.git(&["merge", "-q", "--no-ff", "-m", "merge the side", "side"]);
    world.commit("nothing at all");
    let repository = world.open();
    assert_eq!(
        vec!["both a.py", "client on the side b.py", "client only a.py", "merge the side"],
        subjects(&repository, &part("client", &[]))
    );
    assert_eq!(vec!["both a.py", "server only a.py"], subjects(&repository, &part("server", &[])));
    assert_eq!(
        vec![
            "both client/a.py",
            "client on the side client/b.py",
            "client only client/a.py",
            "merge the side",
            "nothing at all"
        ],
        subjects(&repository, &part("", &["server"]))
    );
    assert_eq!(vec!["nothing at all"], subjects(&repository, &part("", &["client", "server"])));
    let git = world.git(&["log", "--format=%s", "--full-history", "--no-merges", "--", "client"]);
    let mut said: Vec<&str> = git.lines().collect();
    said.sort_unstable();
    assert_eq!(vec!["both", "client on the side", "client only"], said);
    let head: [u8; 20] = repository.head().unwrap().unwrap();
    assert_eq!(6, repository.reachable_from(head).len());
    assert!(!repository.reachable_from([7; 20]).contains(&head), "a commit that is not there leads nowhere");
}

#[test]
fn the_origin_is_the_same_in_every_clone_but_a_shallow_one() {
    let world = Sandbox::new();
    let root = world.commit("first");
    world.git(&["checkout", "-q", "--orphan", "other"]);
    world.commit("another beginning");
    world.git(&["checkout", "-q", "main"]);
    world.commit("second");
    world.git(&["merge", "-q", "--allow-unrelated-histories", "-m", "join", "other"]);
    let origin = world.open().origin(2).unwrap();
    assert_eq!(Some(root.clone()), origin.root_commit.map(|id| hex(&id)));
    assert_eq!(3, origin.first_parents);
    assert_eq!(2, origin.authors.values().sum::<u32>());
    let clones = tempfile::tempdir().unwrap();
    let url = format!("file://{}", world.root().display());
    world.git_in(clones.path(), &["clone", "-q", &url, "whole"]);
    world.git_in(clones.path(), &["clone", "-q", "--depth", "1", &url, "shallow"]);
    let of = |name: &str| open(clones.path().join(name)).unwrap().origin(0).unwrap().root_commit.map(|id| hex(&id));
    assert_eq!((Some(root), None), (of("whole"), of("shallow")));
    world.git_in(clones.path(), &["init", "-q", "unborn"]);
    assert_eq!(None, of("unborn"));
}

/// The files that git knows and that are still there, and those that it does not know and does not ignore.
fn by_git(sandbox: &Sandbox) -> BTreeSet<String> {
    let root = sandbox.root();
    let is_there = |path: &str| {
        let parents = Path::new(path).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
        let mut parents = parents.map(|parent| root.join(parent).symlink_metadata());
        let kind = root.join(path).symlink_metadata().map(|metadata| metadata.file_type());
        parents.all(|parent| parent.is_ok_and(|it| it.is_dir())) && kind.is_ok_and(|it| it.is_file() || it.is_symlink())
    };
    let paths = |arguments: &[&str]| {
        let output = sandbox.git(arguments);
        output.split('\0').filter(|path| is_there(path)).map(str::to_owned).collect::<Vec<_>>()
    };
    let known = paths(&["ls-files", "-z", "--cached"]);
    known.into_iter().chain(paths(&["ls-files", "-z", "--others", "--exclude-standard"])).collect()
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 24, ..Default::default() })]

    /// Whatever was committed, and whatever became of it: files for directories, links for either, ignored, deleted, new.
    #[test]
    fn a_work_tree_in_any_state_is_listed_as_git_lists_it(
        committed in proptest::collection::vec((0usize..4, 0usize..4, 0usize..4), 1..12),
        changes in proptest::collection::vec((0usize..6, 0usize..4, 0usize..4, 0usize..4), 0..10),
    ) {
        const DIRS: [&str; 4] = ["", "a/", "a/b/", "c/out/"];
        const NAMES: [&str; 4] = ["x.txt", "b", "out", "y.log"];
        let sandbox = Sandbox::new();
        let put = |path: &str, text: &str| {
            // Where a file stands in place of a directory, or the reverse, the state is as good without this one.
            let full = sandbox.root().join(path);
            let _ = std::fs::create_dir_all(full.parent().unwrap());
            let _ = std::fs::write(full, text);
        };
        put(".gitignore", "out\n*.log\n");
        for &(dir, name, other) in &committed {
            put(&format!("{}{}", DIRS[dir], NAMES[name]), &other.to_string());
        }
        sandbox.git(&["add", "-A", "-f"]);
        for &(change, dir, name, other) in &changes {
            let path = sandbox.root().join(format!("{}{}", DIRS[dir], NAMES[name]));
            match change {
                0 => put(&format!("{}{}", DIRS[dir], NAMES[name]), "changed"),
                1 => _ = std::fs::remove_file(&path),
                2 => _ = std::fs::remove_dir_all(&path),
                #[cfg(unix)]
                3 => _ = std::os::unix::fs::symlink(sandbox.root().join(DIRS[other]), &path),
                4 => {
                    let away = sandbox.root().join(format!("{}moved", DIRS[other]));
                    let _ = std::fs::rename(sandbox.root().join(DIRS[dir].trim_end_matches('/')), away);
                }
                _ => put(&format!("{}{}/deep/new.txt", DIRS[dir], NAMES[name]), "new"),
            }
        }
        let listing = sandbox.list();
        let expected = by_git(&sandbox);
        let is_link = |path: &&String| sandbox.root().join(path).is_symlink();
        proptest::prop_assert_eq!(expected.len() as u64, listing.listed, "{:?} beside {:?}", &expected, &listing);
        let files: BTreeSet<&str> = paths(&listing).into_iter().collect();
        let plain: BTreeSet<&str> = expected.iter().filter(|path| !is_link(path)).map(String::as_str).collect();
        proptest::prop_assert_eq!(plain, files);
    }
}
