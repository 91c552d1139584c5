//! Hiding secrets before anything is stored or shown.
//!
//! A [`Redactor`] replaces the value of a secret with `[REDACTED:<kind>]` and leaves all else as it stands: the name it is given
//! to, the quotes around it, every line end. All knowledge of what a secret looks like is in one data file,
//! `data/redaction.toml`; this module only says how its rules are applied.
//!
//! Two kinds of rules exist. A *rule* knows a secret by its shape (a vendor's prefix, a header, a URL with a password). A *name*
//! knows it by the identifier it is given to. Both hang on keywords: one pass finds them, and only
//! around a hit is anything else tried, so that a text without keywords costs one scan and no allocation.
//!
//! What this is not: a proof that a text holds no secret. A password that is a plain word looks like any other word.
//!
//! ```
//! use loci_collect::Redactor;
//!
//! let redactor = Redactor::default();
//! let redacted = redactor.redact("password = \"kV9#tQ2x!mZ\"\n", "settings.py");
//! assert_eq!(redacted.text, "password = \"[REDACTED:password]\"\n");
//! assert_eq!(redacted.counts["password"], 1);
//!
//! let code = "password = os.environ[\"DB_PASSWORD\"]\n";
//! assert_eq!(redactor.redact(code, "settings.py").text, code);
//! ```

mod blocks;
mod keywords;
mod manifest;
mod names;
mod rules;
mod values;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex::Regex;

use keywords::Keywords;
use names::{Found, Mode, Names};
pub use rules::RulesError;
use rules::{Floor, RuleData, RulesFile, Shape};
use values::Values;

/// Counted up when the way the rules are applied changes, so that a store written before can be told from one written after.
const ENGINE: u32 = 4;
const FORMAT: u32 = 1;
const MARKER: &str = "[REDACTED:";
/// The rules that loci ships.
const SHIPPED: &str = include_str!("../data/redaction.toml");
/// Secrets of one line are not longer than this; a line of megabytes is looked at in pieces of this size.
const WINDOW: usize = 4096;
/// A replacement can bring to light what it stood beside; more often than this it cannot.
const PASSES: usize = 8;

static DEFAULT: LazyLock<Redactor> = LazyLock::new(|| {
    Redactor::from_rules(SHIPPED).unwrap_or_else(|error| panic!("the shipped redaction rules are damaged: {error}"))
});

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text; borrowed when nothing was replaced. It has as many lines as the text that came in.
    pub text: Cow<'a, str>,
    /// How many values were replaced, by kind; a private key counts once however many lines it has.
    pub counts: BTreeMap<String, u32>,
}

/// A compiled set of rules. Cheap to clone, and to be shared by any number of threads.
#[derive(Clone)]
pub struct Redactor {
    inner: Arc<Inner>,
}

struct Inner {
    keywords: Keywords,
    kinds: Vec<String>,
    rules: Vec<Rule>,
    names: Names,
    values: Values,
    signature: String,
}

/// What a keyword calls for when it is the start of a name and of no rule.
const NAME: usize = usize::MAX;

struct Rule {
    kind: usize,
    rank: usize,
    pattern: Regex,
    reach: usize,
    whole: bool,
    joined: bool,
    entropy: f32,
    floor: Floor,
    shape: Shape,
    allow: Vec<String>,
    needs: Option<u8>,
    run: usize,
}

fn intern(kinds: &mut Vec<String>, kind: &str) -> usize {
    kinds.iter().position(|known| known == kind).unwrap_or_else(|| {
        kinds.push(kind.to_owned());
        kinds.len() - 1
    })
}

impl Default for Redactor {
    /// The rules that loci ships; compiled once in a process.
    fn default() -> Self {
        DEFAULT.clone()
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Redactor").field("signature", &self.inner.signature).finish_non_exhaustive()
    }
}

impl Redactor {
    /// Compiles rules written as TOML in the form of `data/redaction.toml`, whose head describes it.
    ///
    /// # Errors
    /// [`RulesError::Syntax`] when the text is no TOML or has missing or unknown keys; [`RulesError::Rule`], with the kind of the rule, when a
    /// pattern is no regular expression, a rule has no keyword or no test vector, or a table has the wrong size.
    pub fn from_rules(text: &str) -> Result<Self, RulesError> {
        let file: RulesFile = toml::from_str(text)?;
        if file.version != FORMAT {
            return Err(RulesError::new(
                "version",
                format!("is {}; this build of loci reads version {FORMAT}", file.version),
            ));
        }
        let values = Values::new(&file.values)?;
        let mut kinds = Vec::new();
        let names = Names::new(&file.names, &file.files, &file.name, &mut kinds)?;
        let (mut keywords, mut compiled) = (Vec::new(), Vec::new());
        for rule in &file.rule {
            rules::check(&rule.family, &rule.kind, &rule.hit, &rule.miss)?;
            if rule.keywords.is_empty() || rule.keywords.iter().any(|keyword| keyword.len() < 2) {
                return Err(RulesError::new(
                    &rule.kind,
                    "`keywords` needs at least one, each of two or more characters",
                ));
            }
            keywords.extend(rule.keywords.iter().map(|keyword| (keyword.clone(), compiled.len())));
            compiled.push(Rule::new(rule, compiled.len(), &mut kinds)?);
        }
        // A name is read whole wherever the keyword stands in it, so `token` serves for `tokens` and `access_token` too.
        let mut spellings: Vec<String> = file.name.iter().flat_map(Names::keywords).collect();
        spellings.sort_by_key(|spelling| (spelling.len(), spelling.clone()));
        spellings.dedup();
        let mut needed: Vec<String> = Vec::new();
        for spelling in spellings {
            if !needed.iter().any(|known| spelling.contains(known.as_str())) {
                needed.push(spelling);
            }
        }
        if needed.iter().any(|spelling| spelling.len() < 2) {
            return Err(RulesError::new("name", "`endings` and `within` need two or more characters each"));
        }
        keywords.extend(needed.into_iter().map(|spelling| (spelling, NAME)));
        let keywords = Keywords::new(keywords);
        let signature = blake3::hash(format!("{ENGINE}\n{text}").as_bytes()).to_hex()[..16].to_owned();
        Ok(Self { inner: Arc::new(Inner { keywords, kinds, rules: compiled, names, values, signature }) })
    }

    /// Hides the secrets of `text`.
    ///
    /// `hint` is the name or path of the file the text comes from; its extension decides whether a bare word after `=` or `:` is
    /// a value (`.env`, `.yaml`, `.sh` …) or an expression (source). An empty or unknown one means prose: a commit message, a document.
    ///
    /// Hiding twice changes nothing more, and the number of lines stays. Never fails.
    #[must_use]
    pub fn redact<'a>(&self, text: &'a str, hint: &str) -> Redacted<'a> {
        let mut counts = BTreeMap::new();
        let mode = self.inner.names.mode(hint);
        let Some(mut current) = self.inner.pass(text, mode, &mut counts) else {
            return Redacted { text: Cow::Borrowed(text), counts };
        };
        for _ in 1..PASSES {
            match self.inner.pass(&current, mode, &mut counts) {
                Some(next) => current = next,
                None => break,
            }
        }
        Redacted { text: Cow::Owned(current), counts }
    }

    /// Writes over the secrets of `text` with letters, as many as the value has bytes, line ends kept: every other byte stays in its
    /// place, and what parsed as a language still does. `hint` as for [`Redactor::redact`]; borrowed where there is nothing to hide.
    ///
    /// ```
    /// # use loci_collect::Redactor;
    /// let code = "connect(password=\"kV9#tQ2x!mZ\")\n";
    /// assert_eq!(Redactor::default().overwrite(code, "a.py"), "connect(password=\"REDACTEDxxx\")\n");
    /// ```
    #[must_use]
    pub fn overwrite<'a>(&self, text: &'a str, hint: &str) -> Cow<'a, str> {
        let mode = self.inner.names.mode(hint);
        let mut current = Cow::Borrowed(text);
        for _ in 0..PASSES {
            let mut changed: Option<Vec<u8>> = None;
            for hit in merge(self.inner.hits(&current, mode)) {
                let letters = b"REDACTED".iter().copied().chain(std::iter::repeat(b'x'));
                for (place, letter) in hit.span.zip(letters) {
                    let byte = current.as_bytes()[place];
                    if !matches!(byte, b'\n' | b'\r') && byte != letter {
                        changed.get_or_insert_with(|| current.as_bytes().to_vec())[place] = letter;
                    }
                }
            }
            // Values begin and end between characters, so what is written over is whole ones.
            match changed.map(String::from_utf8) {
                Some(Ok(text)) => current = Cow::Owned(text),
                _ => break,
            }
        }
        current
    }

    /// Hides the secrets that stand in a path: as one text, and each name in it by itself, with and without its extension
    /// (`tokens/password=VALUE.txt`).
    #[must_use]
    pub fn redact_path<'a>(&self, path: &'a str) -> Cow<'a, str> {
        let whole = self.redact(path, "").text;
        if !path.contains(['=', ':', ' ']) {
            return whole;
        }
        let mut parts: Vec<Cow<'_, str>> = Vec::new();
        for name in whole.split('/') {
            let (stem, extension) = match name.rfind('.') {
                Some(dot) if dot > 0 && (1..=8).contains(&(name.len() - dot - 1)) => name.split_at(dot),
                _ => (name, ""),
            };
            parts.push(match (self.redact(name, "").text, self.redact(stem, "").text) {
                (_, Cow::Owned(stem)) => Cow::Owned(stem + extension),
                (hidden, Cow::Borrowed(_)) => hidden,
            });
        }
        if parts.iter().any(|part| matches!(part, Cow::Owned(_))) { Cow::Owned(parts.join("/")) } else { whole }
    }

    /// 16 hexadecimal digits over the rules and the way they are applied; a store keeps it, and a different one means that the
    /// store was written under other rules.
    #[must_use]
    pub fn signature(&self) -> String {
        self.inner.signature.clone()
    }
}

impl Rule {
    fn new(data: &RuleData, rank: usize, kinds: &mut Vec<String>) -> Result<Self, RulesError> {
        Ok(Self {
            kind: intern(kinds, &data.kind),
            rank,
            pattern: rules::compile(data, data.reach == 0 && !data.whole)?,
            reach: data.reach,
            whole: data.whole,
            joined: data.joined,
            entropy: data.entropy,
            floor: data.floor,
            shape: data.shape,
            allow: data.allow.clone(),
            run: data.run,
            needs: data
                .needs
                .map(|needed| {
                    u8::try_from(needed).map_err(|_| RulesError::new(&data.kind, "`needs` must be an ASCII character"))
                })
                .transpose()?,
        })
    }
}

/// One value to be replaced. The lower `rank` names the kind where two overlap: rules in the order of the file, then names.
struct Hit {
    span: Range<usize>,
    kind: usize,
    rank: usize,
    /// A further line of a block, which is not counted again.
    further: bool,
}

impl Inner {
    /// One round: `None` when there is nothing to hide.
    fn pass(&self, text: &str, mode: Mode, counts: &mut BTreeMap<String, u32>) -> Option<String> {
        let hits = self.hits(text, mode);
        if hits.is_empty() {
            return None;
        }
        let merged = merge(hits);
        let mut redacted = String::with_capacity(text.len());
        let mut copied = 0;
        for hit in &merged {
            redacted.push_str(&text[copied..hit.span.start]);
            redacted.push_str(MARKER);
            redacted.push_str(&self.kinds[hit.kind]);
            redacted.push(']');
            copied = hit.span.end;
            if !hit.further {
                *counts.entry(self.kinds[hit.kind].clone()).or_insert(0) += 1;
            }
        }
        redacted.push_str(&text[copied..]);
        Some(redacted)
    }

    fn hits(&self, text: &str, mode: Mode) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut found: Vec<Found> = Vec::new();
        let mut name_end = 0;
        let mut whole = Vec::new();
        self.keywords.scan(text.as_bytes(), |start, end, target| {
            if target == NAME {
                if start >= name_end {
                    name_end = self.names.look(text, start..end, mode, &self.values, &mut found);
                }
            } else if self.rules[target].whole {
                if !whole.contains(&target) {
                    whole.push(target);
                }
            } else {
                self.rule(&self.rules[target], text, start, &mut hits);
            }
        });
        for index in whole {
            let rule = &self.rules[index];
            for captures in rule.pattern.captures_iter(text) {
                self.accept(rule, text, 0, &captures, &mut hits);
            }
        }
        hits.extend(found.into_iter().map(|found| Hit {
            span: found.span,
            kind: found.kind,
            rank: usize::MAX,
            further: false,
        }));
        hits.retain(|hit| {
            !hit.span.is_empty() && !text[hit.span.clone()].contains(MARKER) && !inside_marker(text, hit.span.start)
        });
        hits
    }

    /// Tries a rule at a keyword.
    fn rule(&self, rule: &Rule, text: &str, at: usize, hits: &mut Vec<Hit>) {
        if rule.reach == 0 && !rule.joined && joined(text, at) {
            return;
        }
        let bytes = text.as_bytes();
        let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
        if rule.run > 0 && !(at >= rule.run && bytes[at - rule.run..at].iter().rev().all(digit)) {
            return;
        }
        let mut from = at.saturating_sub(rule.reach);
        if let Some(line) = bytes[from..at].iter().rposition(|&byte| byte == b'\n') {
            from += line + 1;
        }
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let limit = bytes.len().min(at + WINDOW);
        let mut to = bytes[at..limit].iter().position(|&byte| byte == b'\n').map_or(limit, |end| at + end);
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        let line = &text[from..to];
        if rule.needs.is_some_and(|byte| !line.as_bytes().contains(&byte)) || !rule.pattern.is_match(line) {
            return;
        }
        if let Some(captures) = rule.pattern.captures(line) {
            self.accept(rule, text, from, &captures, hits);
        }
    }

    /// Checks what a pattern found in the part of `text` that begins at `offset`.
    fn accept(&self, rule: &Rule, text: &str, offset: usize, captures: &regex::Captures<'_>, hits: &mut Vec<Hit>) {
        let Some(all) = captures.get(0) else { return };
        if !rule.joined && joined(text, offset + all.start()) {
            return;
        }
        if rule.shape == Shape::Block {
            let mut spans = Vec::new();
            if captures.name("edge").is_some_and(|edge| edge.as_str() == "END") {
                blocks::before(text, offset + all.start(), &mut spans);
            } else {
                blocks::after(text, offset + all.end(), &mut spans);
            }
            hits.extend(spans.into_iter().enumerate().map(|(line, span)| Hit {
                span,
                kind: rule.kind,
                rank: rule.rank,
                further: line > 0,
            }));
            return;
        }
        if rule.shape == Shape::Manifest {
            let mut spans = Vec::new();
            manifest::values(text, offset + all.start(), &mut spans);
            hits.extend(
                spans
                    .into_iter()
                    .filter(|(span, is_encoded)| self.held(&text[span.clone()], *is_encoded))
                    .map(|(span, _)| Hit { span, kind: rule.kind, rank: rule.rank, further: false }),
            );
            return;
        }
        let group = captures.name("value").or_else(|| captures.name("value2")).unwrap_or(all);
        let value = group.as_str();
        let span = offset + group.start()..offset + group.end();
        // A fixed length that goes on is something else.
        if captures.name("value").is_none() && text.as_bytes().get(span.end).is_some_and(u8::is_ascii_alphanumeric) {
            return;
        }
        // Floors are measured on the drawn part alone where a pattern names it.
        let measured = captures.name("drawn").map_or(value, |drawn| drawn.as_str());
        if values::shannon(measured) < rule.entropy
            || rule.allow.iter().any(|allowed| value.ends_with(allowed.as_str()))
        {
            return;
        }
        let secret = match rule.shape {
            Shape::Url => {
                let part = |name| captures.name(name).map_or("", |part| part.as_str());
                self.url(part("user"), value, part("host"))
            }
            Shape::Basic => self.basic(value),
            _ => self.values.passes(rule.floor, measured),
        };
        if secret {
            hits.push(Hit { span, kind: rule.kind, rank: rule.rank, further: false });
        }
    }

    /// A value of a manifest that holds secrets: everything that is encoded, unless what it says is a placeholder.
    fn held(&self, value: &str, is_encoded: bool) -> bool {
        let decoded = if is_encoded && value.len() >= 8 { values::base64(value) } else { None };
        match decoded.as_deref().map(std::str::from_utf8) {
            Some(Ok(said)) if said.trim().bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') => {
                self.values.passes(Floor::None, said.trim())
            }
            Some(_) => self.values.passes(Floor::None, value),
            None => self.values.passes(Floor::Password, value),
        }
    }

    /// `user:password` in an address, unless it is one of the pairs of every document.
    fn url(&self, user: &str, password: &str, host: &str) -> bool {
        // A slash or an `@` may be part of a password, or of a path behind a host.
        if let Some(mark) = password.find(['/', '@']) {
            let (before, rest) = (&password[..mark], &password[mark + 1..]);
            let port = !before.is_empty() && before.bytes().all(|byte| byte.is_ascii_digit());
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            let machine = password.as_bytes()[mark] == b'@' && (rest[..end].contains('.') || rest[..end].contains(':'));
            if port || machine || before.contains("//") || password.contains("://") {
                return false;
            }
        }
        !user.eq_ignore_ascii_case(password)
            && !password.contains(['<', '>', '{', '}', '$'])
            && !host.contains(['{', '$', '%'])
            && (self.values.passes(Floor::Password, password))
    }

    /// base64 of `user:password`, or anything opaque.
    fn basic(&self, value: &str) -> bool {
        let decoded =
            values::base64(value).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let foreign = decoded.chars().filter(|&character| character == char::REPLACEMENT_CHARACTER).count();
        match decoded.split_once(':') {
            Some((user, password)) if foreign <= 2 && !decoded.contains(char::is_control) => {
                user != password && !password.contains(' ') && self.values.passes(Floor::Password, password)
            }
            _ => self.values.passes(Floor::Opaque, value),
        }
    }
}

/// True where a word goes on to the left of `at`; the letter of an escape (`\n`) and the digits of `%3D` are no word.
fn joined(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    if at == 0 || !bytes[at - 1].is_ascii_alphanumeric() || !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let escape = at >= 2 && bytes[at - 2] == b'\\' && matches!(bytes[at - 1], b'n' | b'r' | b't');
    let percent =
        at >= 3 && bytes[at - 3] == b'%' && bytes[at - 2].is_ascii_hexdigit() && bytes[at - 1].is_ascii_hexdigit();
    !(escape || percent)
}

fn inside_marker(text: &str, at: usize) -> bool {
    let mut from = at.saturating_sub(64);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..at].rfind(MARKER).is_some_and(|open| !text[from + open..at].contains([']', '\n']))
}

/// Joins what overlaps; the kind is that of the better rank.
fn merge(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by_key(|hit| (hit.span.start, hit.rank, hit.span.end));
    let mut merged: Vec<Hit> = Vec::with_capacity(hits.len());
    for hit in hits {
        match merged.last_mut() {
            Some(last) if hit.span.start < last.span.end => {
                if hit.rank < last.rank {
                    last.kind = hit.kind;
                    last.rank = hit.rank;
                }
                last.span.end = last.span.end.max(hit.span.end);
                last.further &= hit.further;
            }
            _ => merged.push(hit),
        }
    }
    merged
}
