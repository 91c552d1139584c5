//! What is read and what is not: every list and number that a person may want to change, in one struct. The lists stand in `data/`.

use std::sync::LazyLock;

use gix::bstr::{BStr, ByteSlice};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::error::CollectError;
use crate::manifest::manifests;

/// The reasons a listed file was not read, as they appear in [`crate::Listing::skipped`] and
/// [`crate::FileOutcome::Skipped`]. They are part of the interface: reports and tests name them.
pub mod reason {
    /// Named by the person's own exclude patterns.
    pub const EXCLUDED: &str = "excluded";
    /// A symbolic link: following it could leave the repository or read a file twice.
    pub const SYMLINK: &str = "symlink";
    /// A submodule or a nested repository: a scope of its own, see [`crate::Listing::submodules`].
    pub const SUBMODULE: &str = "submodule";
    /// A file that exists to hold secrets. It was not opened.
    pub const SECRET: &str = "secret-file";
    /// Other people's code, committed.
    pub const VENDORED: &str = "vendored";
    /// Written by a tool, by its name or by its header.
    pub const GENERATED: &str = "generated";
    /// A package manager's lock file.
    pub const LOCK: &str = "lock-file";
    /// A test runner's snapshot.
    pub const SNAPSHOT: &str = "snapshot";
    /// A translation catalogue other than the English one.
    pub const LOCALE: &str = "locale";
    /// Minified, or a few giant lines.
    pub const MINIFIED: &str = "minified";
    /// No text: by extension, magic number or a NUL byte.
    pub const BINARY: &str = "binary";
    /// Larger than [`crate::Policy::max_file_bytes`].
    pub const OVER_SIZE: &str = "over-size";
    /// A Git LFS pointer: the content itself is not in the work tree.
    pub const LFS_POINTER: &str = "lfs-pointer";
}

/// What loci reads of a repository and how it cuts it. `Policy::default()` is what loci ships; a JSON object with some of the
/// fields overrides just those.
///
/// Name lists hold shell patterns (`*` any run, `?` one character), compared without regard to case: against the file name, or
/// against the whole path if the pattern has a `/`.
///
/// ```
/// let policy: loci_collect::Policy = serde_json::from_str(r#"{"max_file_bytes": 65536, "exclude": ["data/"]}"#).unwrap();
/// assert_eq!(policy.max_file_bytes, 65536);
/// assert_eq!(policy.source_passage_lines, 60);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Paths to leave out, as `.gitignore` lines relative to the root of the repository. Default: none.
    pub exclude: Vec<String>,
    /// Paths to read although git ignores them or a rule below would skip them, as `.gitignore` lines. They win over every rule
    /// but `exclude` and `secret_files`. Default: none.
    pub include: Vec<String>,
    /// Further files to read, as absolute glob patterns: notes that lie outside the repository, or that git ignores inside it.
    /// They win as `include` does. Default: none.
    pub notes: Vec<String>,
    /// The directory of the repository that is read, relative to its root, with `/` between the parts; paths are then relative
    /// to it, and of the history only the commits that touched it are kept. Default: empty, the whole repository.
    pub subtree: String,
    /// Directories, relative to the root or to `subtree`, that are read as parts of their own: nothing in them is listed, and
    /// commits that touched nothing else are left out. Default: none.
    pub apart: Vec<String>,

    /// Largest file read, in bytes. Default: 1 MiB.
    pub max_file_bytes: u64,
    /// Largest file read that `include` or `notes` names, in bytes. Default: 64 MiB.
    pub max_included_bytes: u64,
    /// A source or configuration file whose lines are longer than this on average, in bytes, is `minified`. Default: 300.
    pub max_average_line_bytes: u64,
    /// The same for documents, where one paragraph a line is common. Default: 5,000.
    pub max_average_document_line_bytes: u64,
    /// Files up to this size are never `minified`: a small one-line JSON file is fine. Default: 4,096 bytes.
    pub min_minified_bytes: u64,
    /// Characters kept of one line of source. Default: 2,000.
    pub max_line_chars: usize,

    /// Longest document passage, in characters. Default: 2,500.
    pub document_passage_chars: usize,
    /// Longest source passage, in lines. Default: 60.
    pub source_passage_lines: usize,
    /// Longest source passage, in characters. Default: 6,000.
    pub source_passage_chars: usize,
    /// Neighbouring definitions are joined while the passage stays within this many lines. Default: 20.
    pub source_merge_lines: usize,

    /// File names kept of one commit. Default: 200.
    pub max_commit_files: usize,
    /// Characters kept of one commit body. Default: 20,000.
    pub max_commit_body_chars: usize,
    /// Trailers that name people or review bookkeeping; their lines are taken out of commit bodies. A `*` at the start matches
    /// any beginning. Compared without regard to case.
    pub people_trailers: Vec<String>,

    /// Files that exist to hold secrets: never opened.
    pub secret_files: Vec<String>,
    /// Exceptions to `secret_files`: templates with placeholders.
    pub secret_templates: Vec<String>,
    /// Directories of other people's code. `name` anywhere, `/name` at the root only, `/name/*` at the root and only its
    /// subdirectories, `a/b` consecutive parts anywhere.
    pub vendored_dirs: Vec<String>,
    /// Lock files of package managers.
    pub lock_files: Vec<String>,
    /// Snapshots of test runners.
    pub snapshot_files: Vec<String>,
    /// Output of generators, by name.
    pub generated_files: Vec<String>,
    /// Minified files and bundles, by name.
    pub minified_files: Vec<String>,
    /// Output of generators, by phrases in the comments of the first `generated_marker_lines` lines; lower case. Of phrases joined
    /// by `+` all must occur: people, too, write "do not edit".
    pub generated_markers: Vec<String>,
    /// How many lines are searched for `generated_markers`. Default: 20.
    pub generated_marker_lines: usize,
    /// Translation catalogues, by extension.
    pub locale_extensions: Vec<String>,
    /// Directories whose data files are translations when they are named after a language.
    pub locale_dirs: Vec<String>,
    /// Files without text, by extension.
    pub binary_extensions: Vec<String>,
}

/// The lists of `data/policy.toml`, which says what each is.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    people_trailers: Vec<String>,
    secret_files: Vec<String>,
    secret_templates: Vec<String>,
    vendored_dirs: Vec<String>,
    snapshot_files: Vec<String>,
    generated_files: Vec<String>,
    minified_files: Vec<String>,
    generated_markers: Vec<String>,
    locale_extensions: Vec<String>,
    locale_dirs: Vec<String>,
    binary_extensions: Vec<String>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| crate::data::read("policy.toml", include_str!("../data/policy.toml")));

impl Default for Policy {
    fn default() -> Self {
        let lists = LISTS.clone();
        Self {
            exclude: Vec::new(),
            include: Vec::new(),
            notes: Vec::new(),
            subtree: String::new(),
            apart: Vec::new(),
            max_file_bytes: 1 << 20,
            max_included_bytes: 64 << 20,
            max_average_line_bytes: 300,
            max_average_document_line_bytes: 5_000,
            min_minified_bytes: 4_096,
            max_line_chars: 2_000,
            document_passage_chars: 2_500,
            source_passage_lines: 60,
            source_passage_chars: 6_000,
            source_merge_lines: 20,
            max_commit_files: 200,
            max_commit_body_chars: 20_000,
            people_trailers: lists.people_trailers,
            secret_files: lists.secret_files,
            secret_templates: lists.secret_templates,
            vendored_dirs: lists.vendored_dirs,
            lock_files: manifests().lock.iter().map(|lock| lock.name.clone()).collect(),
            snapshot_files: lists.snapshot_files,
            generated_files: lists.generated_files,
            minified_files: lists.minified_files,
            generated_markers: lists.generated_markers,
            generated_marker_lines: 20,
            locale_extensions: lists.locale_extensions,
            locale_dirs: lists.locale_dirs,
            binary_extensions: lists.binary_extensions,
        }
    }
}

impl Policy {
    /// Check the numbers that would make cutting impossible, and the directories that would lead out of the repository.
    ///
    /// # Errors
    /// [`CollectError::Policy`] when a passage limit is zero, or `subtree` or `apart` holds a part like `..`.
    pub fn check(&self) -> Result<(), CollectError> {
        let limits = [
            ("document_passage_chars", self.document_passage_chars),
            ("source_passage_lines", self.source_passage_lines),
            ("source_passage_chars", self.source_passage_chars),
            ("max_line_chars", self.max_line_chars),
        ];
        match limits.iter().find(|(_, value)| *value == 0) {
            Some((name, _)) => Err(CollectError::Policy { message: format!("`{name}` must be at least 1") }),
            None => match self.apart.iter().chain([&self.subtree]).find(|dir| leads_out(dir)) {
                Some(dir) => Err(CollectError::Policy { message: format!("`{dir}` is no directory below the root") }),
                None => Ok(()),
            },
        }
    }

    /// A short hex hash over every field: two policies with the same signature read and cut alike.
    pub fn signature(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        blake3::hash(&json).to_hex()[..16].to_owned()
    }
}

/// Whether a directory that should lie below a root could lie elsewhere.
fn leads_out(dir: &str) -> bool {
    dir.starts_with('/') || dir.contains('\\') || dir.split('/').any(|part| matches!(part, "." | ".."))
}

/// Shell patterns sorted by shape, so that the usual `*.ext` and plain names cost a hash lookup.
#[derive(Default)]
struct Names {
    exact: FxHashSet<String>,
    /// Ends of names that have a dot in them, by what stands after the last one: only names with that extension end so.
    dotted_suffixes: FxHashMap<String, Vec<String>>,
    suffixes: Vec<String>,
    prefixes: Vec<String>,
    /// `*text*`.
    parts: Vec<String>,
    /// Any other pattern, after the text before its first wildcard and the text after its last.
    patterns: Vec<(String, String, String)>,
    paths: Vec<String>,
}

/// What stands after the last dot of a name; nothing for a name without one.
fn extension_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

impl Names {
    fn new(list: &[String]) -> Self {
        let mut names = Self::default();
        for pattern in list {
            let pattern = pattern.to_ascii_lowercase();
            let special = ['*', '?', '[', ']', '\\'];
            let is_special = |part: &str| part.contains(special);
            let inner = pattern.strip_prefix('*').and_then(|rest| rest.strip_suffix('*'));
            if pattern.contains('/') {
                names.paths.push(pattern);
            } else if !is_special(&pattern) {
                names.exact.insert(pattern);
            } else if let Some(suffix) = pattern.strip_prefix('*').filter(|rest| !is_special(rest)) {
                if suffix.contains('.') {
                    let suffixes = names.dotted_suffixes.entry(extension_of(suffix).to_owned()).or_default();
                    suffixes.push(suffix.to_owned());
                } else {
                    names.suffixes.push(suffix.to_owned());
                }
            } else if let Some(prefix) = pattern.strip_suffix('*').filter(|rest| !is_special(rest)) {
                names.prefixes.push(prefix.to_owned());
            } else if let Some(part) = inner.filter(|part| !is_special(part)) {
                names.parts.push(part.to_owned());
            } else {
                let before = pattern.split(special).next().unwrap_or("").to_owned();
                let after = pattern.rsplit(special).next().unwrap_or("").to_owned();
                names.patterns.push((before, after, pattern));
            }
        }
        names
    }

    /// `path` and `name` in lower case.
    fn matches(&self, path: &str, name: &str) -> bool {
        let wild = |pattern: &str, text: &str| {
            gix::glob::wildmatch(
                BStr::new(pattern),
                BStr::new(text),
                gix::glob::wildmatch::Mode::NO_MATCH_SLASH_LITERAL,
            )
        };
        let ends = |suffixes: &[String]| suffixes.iter().any(|suffix| name.ends_with(suffix.as_str()));
        self.exact.contains(name)
            || self.dotted_suffixes.get(extension_of(name)).is_some_and(|suffixes| ends(suffixes))
            || ends(&self.suffixes)
            || self.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
            || self.parts.iter().any(|part| name.contains(part.as_str()))
            || self.patterns.iter().any(|(before, after, pattern)| {
                name.starts_with(before.as_str()) && name.ends_with(after.as_str()) && wild(pattern, name)
            })
            || self.paths.iter().any(|pattern| path.ends_with(pattern.as_str()) || wild(pattern, path))
    }
}

/// A [`Policy`] made ready for matching.
pub(crate) struct Rules {
    exclude: gix::ignore::Search,
    include: gix::ignore::Search,
    has_exclude: bool,
    has_include: bool,
    /// What stands before the first wildcard of each include pattern: the directories that lead to what it names.
    include_prefixes: Vec<String>,
    max_file_bytes: u64,
    max_included_bytes: u64,
    secret: Names,
    secret_templates: Names,
    vendored: FxHashSet<String>,
    vendored_at_root: FxHashSet<String>,
    /// Only their subdirectories.
    vendored_below_root: FxHashSet<String>,
    vendored_pairs: Vec<String>,
    lock: Names,
    snapshot: Names,
    generated: Names,
    minified: Names,
    locale_extensions: FxHashSet<String>,
    locale_dirs: FxHashSet<String>,
    binary_extensions: FxHashSet<String>,
}

impl Rules {
    pub(crate) fn new(policy: &Policy) -> Self {
        let search = |lines: &[String]| {
            let mut search = gix::ignore::Search::default();
            let text = lines.join("\n");
            // With neither a file nor a base directory behind it, nothing in here can fail.
            let _ = search.add_patterns_buffer(text.as_bytes(), "policy", None, gix::ignore::search::Ignore::default());
            search
        };
        let lower = |list: &[String]| list.iter().map(|item| item.to_ascii_lowercase()).collect::<FxHashSet<_>>();
        let vendored = lower(&policy.vendored_dirs);
        let at_root = vendored.iter().filter_map(|dir| dir.strip_prefix('/'));
        Self {
            exclude: search(&policy.exclude),
            include: search(&policy.include),
            has_exclude: !policy.exclude.is_empty(),
            has_include: !policy.include.is_empty(),
            include_prefixes: policy
                .include
                .iter()
                .filter(|line| !line.starts_with(['!', '#']))
                .map(|line| line.trim_start_matches('/').split(['*', '?', '[', '\\']).next().unwrap_or("").to_owned())
                .collect(),
            max_file_bytes: policy.max_file_bytes,
            max_included_bytes: policy.max_included_bytes,
            secret: Names::new(&policy.secret_files),
            secret_templates: Names::new(&policy.secret_templates),
            vendored_at_root: at_root.clone().filter(|dir| !dir.ends_with("/*")).map(str::to_owned).collect(),
            vendored_below_root: at_root.filter_map(|dir| dir.strip_suffix("/*").map(str::to_owned)).collect(),
            vendored_pairs: vendored
                .iter()
                .filter(|dir| !dir.starts_with('/') && dir.contains('/'))
                .map(|dir| format!("/{dir}/"))
                .collect(),
            vendored: vendored.into_iter().filter(|dir| !dir.contains('/')).collect(),
            lock: Names::new(&policy.lock_files),
            snapshot: Names::new(&policy.snapshot_files),
            generated: Names::new(&policy.generated_files),
            minified: Names::new(&policy.minified_files),
            locale_extensions: lower(&policy.locale_extensions),
            locale_dirs: lower(&policy.locale_dirs),
            binary_extensions: lower(&policy.binary_extensions),
        }
    }

    /// Why the file at `path` is not read, judged by path and size alone. `included`: the person asked for it by name.
    pub(crate) fn skip_reason(&self, path: &str, size: u64, included: bool) -> Option<&'static str> {
        let lower = path.to_ascii_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if self.has_exclude && is_matched(&self.exclude, path) {
            return Some(reason::EXCLUDED);
        }
        if self.secret.matches(&lower, name) && !self.secret_templates.matches(&lower, name) {
            return Some(reason::SECRET);
        }
        if included {
            return (size > self.max_included_bytes).then_some(reason::OVER_SIZE);
        }
        if self.in_vendored_dir(&lower) {
            return Some(reason::VENDORED);
        }
        if self.lock.matches(&lower, name) {
            return Some(reason::LOCK);
        }
        if self.snapshot.matches(&lower, name) {
            return Some(reason::SNAPSHOT);
        }
        if self.minified.matches(&lower, name) {
            return Some(reason::MINIFIED);
        }
        if self.generated.matches(&lower, name) {
            return Some(reason::GENERATED);
        }
        if self.is_locale_dump(&lower, name, extension) {
            return Some(reason::LOCALE);
        }
        // A dot file has no extension: `.a` is no static library.
        if name.len() > extension.len() + 1 && self.binary_extensions.contains(extension) {
            return Some(reason::BINARY);
        }
        (size > self.max_file_bytes).then_some(reason::OVER_SIZE)
    }

    /// Whether the person asked for this file by name.
    pub(crate) fn is_included(&self, path: &str) -> bool {
        self.has_include && is_matched(&self.include, path)
    }

    /// Whether something below a directory that git ignores may be asked for by name.
    pub(crate) fn include_leads_into(&self, directory: &str) -> bool {
        self.has_include
            && (is_matched(&self.include, directory)
                || is_matched_directory(&self.include, directory)
                || self
                    .include_prefixes
                    .iter()
                    .any(|prefix| prefix.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))))
    }

    pub(crate) fn is_vendored(&self, path: &str) -> bool {
        self.in_vendored_dir(&path.to_ascii_lowercase())
    }

    pub(crate) fn is_generated(&self, path: &str) -> bool {
        let lower = path.to_ascii_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        [&self.lock, &self.snapshot, &self.generated, &self.minified].iter().any(|names| names.matches(&lower, name))
    }

    fn in_vendored_dir(&self, lower: &str) -> bool {
        let Some((dirs, _)) = lower.rsplit_once('/') else { return false };
        dirs.split('/').any(|part| self.vendored.contains(part))
            || match dirs.split_once('/') {
                Some((root, _)) => self.vendored_at_root.contains(root) || self.vendored_below_root.contains(root),
                None => self.vendored_at_root.contains(dirs),
            }
            || !self.vendored_pairs.is_empty() && {
                let bounded = format!("/{dirs}/");
                self.vendored_pairs.iter().any(|pair| bounded.contains(pair.as_str()))
            }
    }

    fn is_locale_dump(&self, lower: &str, name: &str, extension: &str) -> bool {
        if self.locale_extensions.contains(extension) {
            return true;
        }
        const DATA: &[&str] = &[
            "json",
            "json5",
            "yml",
            "yaml",
            "toml",
            "properties",
            "ini",
            "php",
            "js",
            "ts",
            "mjs",
            "csv",
            "xml",
            "ftl",
            "strings",
            "stringsdict",
            "arb",
            "resx",
            "lang",
            "rb",
        ];
        if !DATA.contains(&extension) {
            return false;
        }
        let stem = &name[..name.len() - extension.len() - 1];
        let mut below = false;
        for part in lower.split('/').rev().skip(1).collect::<Vec<_>>().into_iter().rev() {
            // Apple's `de.lproj` and Android's `values-de` say it all by themselves.
            let apple = part.strip_suffix(".lproj").is_some_and(|code| code != "base" && is_foreign_language(code));
            let android = part.strip_prefix("values-").is_some_and(is_foreign_language) && name == "strings.xml";
            if apple || android || (below && is_foreign_language(part)) {
                return true;
            }
            below |= self.locale_dirs.contains(part);
        }
        let named = is_foreign_language(stem)
            || stem.rsplit_once(['.', '_']).is_some_and(|(_, code)| is_foreign_language(code))
            || stem.split_once('.').is_some_and(|(_, code)| is_foreign_language(code))
            || stem.split_once('_').is_some_and(|(_, code)| is_foreign_language(code));
        named && (below || matches!(extension, "arb" | "resx"))
    }
}

fn is_matched(search: &gix::ignore::Search, path: &str) -> bool {
    let is_hit = |path: &str, is_dir| {
        search
            .pattern_matching_relative_path(
                path.as_bytes().as_bstr(),
                Some(is_dir),
                gix::glob::pattern::Case::Sensitive,
            )
            .map(|found| !found.pattern.is_negative())
    };
    // As in git, a directory that is named takes everything below it along; the file's own line has the last word.
    if let Some(hit) = is_hit(path, false) {
        return hit;
    }
    path.match_indices('/').any(|(end, _)| is_hit(&path[..end], true) == Some(true))
}

fn is_matched_directory(search: &gix::ignore::Search, path: &str) -> bool {
    search
        .pattern_matching_relative_path(path.as_bytes().as_bstr(), Some(true), gix::glob::pattern::Case::Sensitive)
        .is_some_and(|found| !found.pattern.is_negative())
}

/// ISO 639-1, without English and without the codes that rather mean a programming language in a file name.
const LANGUAGES: &str = " aa ab af ak am an ar av ay az ba be bg bi bm bn bo br bs ca ce ch co cs cu cv cy da de dv dz ee el eo es et eu \
    fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr \
    ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps \
    pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr tt tw ty ug uk ur uz ve vi \
    vo wa wo xh yi yo za zh zu fil kab ast ceb gsw hsb kmr ckb cnr sat nds zgh ";

/// `de`, `de-DE`, `pt_br`, `zh-hans-cn`, in lower case; not `en`, `en-us`.
fn is_foreign_language(code: &str) -> bool {
    let mut parts = code.split(['-', '_', '@']);
    let language = parts.next().unwrap_or("");
    (2..=3).contains(&language.len())
        && LANGUAGES.split_ascii_whitespace().any(|known| known == language)
        && parts.clone().count() <= 2
        && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(list: &[&str]) -> Vec<String> {
        list.iter().map(|item| (*item).to_owned()).collect()
    }

    fn skip(path: &str) -> Option<&'static str> {
        Rules::new(&Policy::default()).skip_reason(path, 100, false)
    }

    #[test]
    fn every_reason_by_path() {
        let expected = [
            ("src/app.py", None),
            (".env", Some(reason::SECRET)),
            (".env.local", Some(reason::SECRET)),
            ("config/prod.env", Some(reason::SECRET)),
            (".env.example", None),
            (".env.sample", None),
            (".env.production.template", None),
            ("secrets.example.yml", None),
            ("deploy/secrets.yml", Some(reason::SECRET)),
            ("certs/server.KEY", Some(reason::SECRET)),
            ("id_ed25519", Some(reason::SECRET)),
            (".aws/credentials", Some(reason::SECRET)),
            ("home/.docker/config.json", Some(reason::SECRET)),
            ("docker/config.json", None),
            (".npmrc", Some(reason::SECRET)),
            ("src/environment.ts", None),
            ("src/secretsManager.ts", None),
            ("web/node_modules/a/index.js", Some(reason::VENDORED)),
            ("deps/hiredis/net.c", Some(reason::VENDORED)),
            ("lib/deps/net.c", None),
            ("deps/deps.go", None),
            ("vendor.go", None),
            ("Cargo.lock", Some(reason::LOCK)),
            ("src/lock.rs", None),
            ("a/__snapshots__/x.test.ts.snap", Some(reason::SNAPSHOT)),
            ("static/app.min.js", Some(reason::MINIFIED)),
            ("api/user.pb.go", Some(reason::GENERATED)),
            ("src/a.generated.ts", Some(reason::GENERATED)),
            ("src/locale/de/LC_MESSAGES/django.po", Some(reason::LOCALE)),
            ("src/locale/messages.de_DE.xlf", Some(reason::LOCALE)),
            ("frontend/lang/messages/de-DE.json", Some(reason::LOCALE)),
            ("frontend/lang/messages/en-US.json", None),
            ("web/locales/zh-Hans/common.json", Some(reason::LOCALE)),
            ("web/locales/en/common.json", None),
            ("web/locales/index.ts", None),
            ("packages/i18n/src/translate.ts", None),
            ("app/de.lproj/Main.strings", Some(reason::LOCALE)),
            ("res/values-fr/strings.xml", Some(reason::LOCALE)),
            ("res/values-land/dimens.xml", None),
            ("docs/de/intro.md", None),
            ("src/id.ts", None),
            ("logo.png", Some(reason::BINARY)),
            (".github/workflows/ci.yml", None),
            ("Makefile", None),
        ];
        for (path, reason) in expected {
            assert_eq!(reason, skip(path), "{path}");
        }
        assert_eq!(Some(reason::OVER_SIZE), Rules::new(&Policy::default()).skip_reason("a.log", 200 << 20, false));
    }

    // FIELD 46: a committed vendor/ could not be excluded, and not be asked for either.
    #[test]
    fn own_patterns_win() {
        let policy = Policy {
            exclude: strings(&["/data/", "*.gen", "!keep.gen"]),
            include: strings(&["vendor/ours/", "*.snap", ".env", "/data/ours.csv", "*.dat", "/out/keep/*.md"]),
            ..Policy::default()
        };
        let rules = Rules::new(&policy);
        let skip = |path: &str, size| rules.skip_reason(path, size, rules.is_included(path));
        assert_eq!(Some(reason::EXCLUDED), skip("data/a/b.txt", 1));
        assert_eq!(None, skip("src/data/a.txt", 1));
        assert_eq!(Some(reason::EXCLUDED), skip("x/a.gen", 1));
        assert_eq!(None, skip("x/keep.gen", 1));
        assert_eq!(None, skip("vendor/ours/a.go", 1));
        assert_eq!(Some(reason::VENDORED), skip("vendor/theirs/a.go", 1));
        assert_eq!(None, skip("a.snap", 1));
        assert_eq!(Some(reason::SECRET), skip(".env", 1), "no pattern opens a secret-holding file");
        assert_eq!(Some(reason::EXCLUDED), skip("data/ours.csv", 1), "what is both named and excluded stays out");
        assert_eq!(None, skip("words.dat", 2 << 20), "neither the extension nor the usual size counts");
        assert_eq!(Some(reason::OVER_SIZE), skip("words.dat", 65 << 20));
        assert!(rules.include_leads_into("vendor/ours") && rules.include_leads_into("vendor/ours/deep"));
        assert!(rules.include_leads_into("vendor") && rules.include_leads_into("out"));
        assert!(!rules.include_leads_into("node_modules"));
    }

    #[test]
    fn names_are_matched_as_their_patterns_one_by_one() {
        let policy = Policy::default();
        let odd = strings(&[
            "*",
            "**",
            "*x*",
            "a[bc].t?t",
            "a[bc",
            "[!a]*",
            "x\\*y",
            "*.tar.*",
            "q*",
            "*-lock",
            "id_*.pub",
            "]",
            "a]b",
            "*.",
            ".*",
        ]);
        let stems = [
            "",
            ".env",
            "id_rsa",
            "a",
            "client_secret_1",
            "x*y",
            "my-lock",
            "credentials",
            "example",
            "x",
            "ab",
            "a]b",
        ];
        let ends = [
            "",
            ".pem",
            ".generated.ts",
            ".json",
            ".yml",
            ".yaml",
            ".example.json",
            ".",
            ".tar.gz",
            ".txt",
            "_pb2.py",
            ".t.t",
        ];
        let mut matched = 0;
        let defaults =
            [&policy.secret_files, &policy.secret_templates, &policy.generated_files, &policy.minified_files];
        let single: Vec<Vec<String>> = odd.iter().map(|pattern| vec![pattern.clone()]).collect();
        for list in defaults.into_iter().chain(&single) {
            let names = Names::new(list);
            for name in stems.iter().flat_map(|stem| ends.iter().map(move |end| format!("{stem}{end}"))) {
                let one_by_one = list.iter().filter(|pattern| !pattern.contains('/')).any(|pattern| {
                    let mode = gix::glob::wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
                    gix::glob::wildmatch(BStr::new(&pattern.to_ascii_lowercase()), BStr::new(&name), mode)
                });
                assert_eq!(one_by_one, names.matches(&name, &name), "{name} by {list:?}");
                matched += usize::from(one_by_one);
            }
        }
        assert!(matched > 500, "{matched}");
    }

    #[test]
    fn signature_follows_every_field() {
        let default = Policy::default();
        let other = Policy { exclude: strings(&["a"]), ..Policy::default() };
        assert_eq!(default.signature(), Policy::default().signature());
        assert_ne!(default.signature(), other.signature());
        let read: Policy = serde_json::from_str("{}").unwrap();
        assert_eq!(default, read);
        assert!(serde_json::from_str::<Policy>(r#"{"excludes": []}"#).is_err(), "a misspelt field is an error");
        assert!(Policy { source_passage_lines: 0, ..Policy::default() }.check().is_err());
    }
}
