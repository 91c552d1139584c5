//! Asking a graph: which symbols a question speaks of, and what they are related to.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::GraphError;
use crate::extract::packed::{Terms, field};
use crate::names::normal;
use crate::store::{Edge, Graph, relation, resolution};

/// Saturation and length normalisation of the score of a term in a symbol (BM25F).
const K1: f32 = 1.2;
const B: f32 = 0.6;
/// What a term is worth by where it stands.
const NAME: f32 = 2.2;
const CONTAINER: f32 = 0.7;
const SIGNATURE: f32 = 0.8;
const DOCUMENTATION: f32 = 1.2;
const USES: f32 = 0.9;
/// Of a term in the path of a symbol's file.
const PATH_NAME: f32 = 0.8;
const PATH_FOLDER: f32 = 0.35;
/// What each symbol has of the score of its file.
const FILE: f32 = 0.5;
/// A symbol that the question writes as code, in units of the idf of a name that stands once.
const EXACT: f32 = 4.0;
/// Symbols whose relations are looked at.
const SEEDS: usize = 48;
/// What passes along a relation, of the score of the symbol it comes from.
const SPREAD: f32 = 0.35;
/// Each further symbol of one file is worth this much of the one before: the first ones shown are of different files.
const SAME_FILE: f32 = 0.5;
/// Symbols below this share of the best one are not shown, unless the question or a hint names them or their file.
const WEAK: f32 = 0.2;
/// How a call is resolved that may be one of an override of what it calls: this and the name of what it calls.
const THROUGH: &str = "through ";
/// Hints are worth this much at first rank, as a share of the best score.
const HINT_SYMBOL: f32 = 1.5;
const HINT_PATH: f32 = 0.9;
/// How fast hints lose: the one at rank `r` is worth `1 / (1 + HINT_DECAY * r)` of the first.
const HINT_DECAY: f32 = 0.6;

/// A symbol of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Number of the symbol.
    pub symbol: u32,
    /// What it is to [`Found::of`], a word such as `calls` or `called_by`; `None` for a symbol that was asked for itself.
    pub relation: Option<String>,
    /// The symbol it is related to.
    pub of: Option<u32>,
    /// How the relation was resolved; `through Base.save` where it is one to a method that the symbol overrides, and only
    /// possibly one to it.
    pub resolution: Option<String>,
    /// Where the relation stands: line of the call or use, in the file of the symbol that refers.
    pub site: Option<u32>,
    /// How many symbols an ambiguous reference may mean; 1 for others.
    pub candidates: u32,
    /// The score, or for direct questions the distance.
    pub score: f32,
}

/// A symbol whose meaning is close to a question's, as another judge than words sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Number of the symbol.
    pub symbol: u32,
    /// What that is worth, as a share of the best score of words; nothing at 0 and below.
    pub share: f32,
}

/// Symbols, best first, and how many more there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Traversal {
    /// The symbols shown.
    pub symbols: Vec<Found>,
    /// How many were left out for the budget.
    pub left_out: u32,
    /// Uses of the name asked for that have no target that is known.
    pub unresolved: u32,
}

/// The relations that a question asks for, whatever the symbols: related ones by these gain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    /// What calls the symbols, or depends on them.
    pub callers: bool,
    /// What they call.
    pub callees: bool,
    /// What inherits from them, implements or overrides them.
    pub implementers: bool,
    /// What imports them.
    pub importers: bool,
    /// What tests them.
    pub tests: bool,
}

impl Relations {
    /// The relations by their names, the fields of this type; `Err` with the first that is none.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, &'a str> {
        let mut relations = Self::default();
        for name in names {
            match name {
                "callers" => relations.callers = true,
                "callees" => relations.callees = true,
                "implementers" => relations.implementers = true,
                "importers" => relations.importers = true,
                "tests" => relations.tests = true,
                other => return Err(other),
            }
        }
        Ok(relations)
    }
}

/// A question, as whoever read it understood it. Here its text is only turned into terms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// Any text.
    pub text: &'a str,
    /// The names that it writes as code: `Session.close`, `open_session`.
    pub names: &'a [String],
    /// The relations that it asks for.
    pub relations: Relations,
}

impl<'a> From<&'a str> for Asked<'a> {
    /// Words that name no symbol and ask for no relation.
    fn from(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }
}

/// What relates one symbol to another.
#[derive(Clone, Copy)]
struct Step {
    symbol: u32,
    edge: Edge,
    forward: bool,
}

impl Graph {
    /// The word for an edge seen from its target (`forward` false) or from where it starts.
    fn word(&self, relation: u8, forward: bool) -> String {
        let word = self.header().relations.get(relation as usize).map_or("", String::as_str);
        if forward {
            return word.to_owned();
        }
        match word {
            "contains" => "contained_in",
            "calls" => "called_by",
            "references" => "referenced_by",
            "imports" => "imported_by",
            "inherits" => "inherited_by",
            "implements" => "implemented_by",
            "overrides" => "overridden_by",
            "tests" => "tested_by",
            other => return format!("{other}_of"),
        }
        .to_owned()
    }

    /// What refers to a symbol: each source with its edges to it.
    fn incoming(&self, symbol: u32) -> Vec<(u32, Edge)> {
        let mut found = Vec::new();
        for from in self.sources_of(symbol) {
            found.extend(self.edges_from(from).into_iter().filter(|edge| edge.to == symbol).map(|edge| (from, edge)));
        }
        found
    }

    /// Whether a symbol stands in tests, or is one.
    pub fn in_tests(&self, symbol: u32) -> bool {
        self.is_test(symbol) || self.file_role(self.file_of(symbol)) == 1
    }

    /// The names of all symbols but files, in a role or everywhere.
    pub fn vocabulary(&self, role: Option<u8>) -> Vec<&str> {
        let mut names: FxHashSet<&str> = FxHashSet::default();
        for file in 0..self.file_count() {
            if role.is_some_and(|role| role != self.file_role(file)) {
                continue;
            }
            for symbol in self.symbols_of_file(file) {
                if self.kind(symbol) != "file" {
                    names.insert(self.name(symbol));
                }
            }
        }
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        names
    }

    /// How much each symbol matches the words of a question.
    fn scores(&self, question: &str) -> (Vec<f32>, Vec<u32>) {
        let count = self.symbol_count();
        let mut scores = vec![0f32; count as usize];
        let mut terms: Vec<String> = Vec::new();
        Terms::default().each(question, |term| {
            if !terms.iter().any(|known| known == term) {
                terms.push(term.to_owned());
            }
        });
        let sizes = self.sizes();
        let average = (sizes.iter().map(|&size| u64::from(size)).sum::<u64>() as f32 / count.max(1) as f32).max(1.0);
        // Per file, the sum over the terms of what the best symbol of the file makes of each.
        let mut whole = vec![0f32; self.file_count() as usize];
        for term in &terms {
            let Some(number) = self.term(term) else { continue };
            let df = self.term_df(number) as f32;
            let idf = (1.0 + (count as f32 - df + 0.5) / (df + 0.5)).ln();
            let mut file = 0;
            let mut end = 0;
            let mut most = 0f32;
            self.postings(number, |symbol, mask| {
                if symbol >= end {
                    if most > 0.0 {
                        whole[file as usize] += most;
                    }
                    file = self.file_of(symbol);
                    end = self.symbols_of_file(file).end;
                    most = 0.0;
                }
                if self.symbols_of_file(file).start == symbol && self.kind(symbol) == "file" {
                    let weight = if mask & field::NAME != 0 {
                        PATH_NAME
                    } else if mask & field::CONTAINER != 0 {
                        PATH_FOLDER
                    } else {
                        0.0
                    };
                    most = weight * idf;
                    if mask & field::USES == 0 {
                        return;
                    }
                }
                let worth = [
                    (field::NAME, NAME),
                    (field::CONTAINER, CONTAINER),
                    (field::SIGNATURE, SIGNATURE),
                    (field::DOCUMENTATION, DOCUMENTATION),
                    (field::USES, USES),
                ];
                let frequency: f32 = worth.iter().filter(|(bit, _)| mask & bit != 0).map(|(_, weight)| weight).sum();
                let length = 1.0 - B + B * sizes[symbol as usize] as f32 / average;
                let score = idf * frequency * (K1 + 1.0) / (frequency + K1 * length);
                scores[symbol as usize] += score;
                most = most.max(score);
            });
            if most > 0.0 {
                whole[file as usize] += most;
            }
        }
        // The words of a question are spread over the symbols of the file that answers, and its path.
        for file in 0..self.file_count() {
            let support = FILE * whole[file as usize];
            if support > 0.0 {
                for symbol in self.symbols_of_file(file) {
                    if scores[symbol as usize] > 0.0 {
                        scores[symbol as usize] += support;
                    }
                }
            }
        }
        let touched = (0..count).filter(|&symbol| scores[symbol as usize] > 0.0).collect();
        (scores, touched)
    }

    /// The weight of a symbol by where it stands.
    fn role_prior(&self, symbol: u32, tests: bool) -> f32 {
        match self.file_role(self.file_of(symbol)) {
            0 => 1.0,
            1 if tests => 1.1,
            1 => 0.45,
            3 => 0.6,
            4 | 5 => 0.4,
            2 => 0.5,
            _ => 0.7,
        }
    }

    /// The weight of a symbol by what it is and where it stands.
    fn prior(&self, symbol: u32, tests: bool) -> f32 {
        let kind = match self.kind(symbol) {
            "function" | "method" | "constructor" => 1.0,
            "class" | "struct" | "interface" | "trait" => 0.9,
            "macro" | "property" | "enum" | "type" | "table" => 0.8,
            "file" => 0.55,
            "test" => 0.6,
            "selector" => 0.4,
            _ => 0.55,
        };
        let test = if self.is_test(symbol) && !tests { 0.6 } else { 1.0 };
        self.role_prior(symbol, tests) * kind * test
    }

    /// Symbols and relations that answer a question.
    ///
    /// `budget` is the largest number of symbols shown. `depth_first` follows the best relation as far as it goes before the next.
    /// `hints` are paths (`src/app.py`), names (`Flask.wsgi_app`) or both (`src/app.py#Flask.wsgi_app`), best first: what another
    /// store found for the same question. `near` are symbols that mean what the question means, where a model says so.
    pub fn query(
        &self,
        asked: Asked<'_>,
        budget: usize,
        depth_first: bool,
        hints: &[String],
        near: &[Near],
    ) -> Traversal {
        let wanted = asked.relations;
        let (mut scores, mut touched) = self.scores(asked.text);
        for &symbol in &touched {
            scores[symbol as usize] *= self.prior(symbol, wanted.tests);
        }
        let best = touched.iter().map(|&symbol| scores[symbol as usize]).fold(0f32, f32::max);
        let add = |scores: &mut Vec<f32>, touched: &mut Vec<u32>, symbol: u32, score: f32| {
            if scores[symbol as usize] == 0.0 {
                touched.push(symbol);
            }
            scores[symbol as usize] += score;
        };
        // A name that the question writes as code is what it is about.
        let unit = (1.0 + self.symbol_count() as f32).ln();
        let mut named: FxHashSet<u32> = FxHashSet::default();
        for name in asked.names {
            let found = self.find(name);
            for &symbol in found.iter().take(64) {
                named.insert(symbol);
                let share = EXACT * unit * self.prior(symbol, wanted.tests) / (found.len() as f32).sqrt();
                add(&mut scores, &mut touched, symbol, share);
            }
        }
        let scale = best.max(unit);
        // Ranks count the files that hold symbols: documents before them say nothing of the order of the others.
        let mut rank = 0;
        let mut hinted: FxHashSet<u32> = FxHashSet::default();
        for hint in hints {
            let share = scale / (1.0 + HINT_DECAY * rank as f32);
            let mut known = false;
            let (path, name) = match hint.split_once('#') {
                Some((path, name)) => (Some(path), Some(name)),
                None if hint.contains('/') || !self.files_of(hint).is_empty() => (Some(hint.as_str()), None),
                None => (None, Some(hint.as_str())),
            };
            let mut direct = false;
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                let found = match path {
                    Some(path) => self.find(&format!("{path}#{name}")),
                    None => self.find(name),
                };
                for &symbol in found.iter().take(4) {
                    direct = true;
                    known = true;
                    hinted.insert(symbol);
                    let worth = HINT_SYMBOL * share * self.prior(symbol, wanted.tests) / found.len().min(4) as f32;
                    add(&mut scores, &mut touched, symbol, worth);
                }
            }
            if let Some(path) = path {
                let worth = HINT_PATH * share * if direct { 0.6 } else { 1.0 };
                for file in self.files_of(path).into_iter().take(2) {
                    known = true;
                    let symbols = self.symbols_of_file(file);
                    let own = symbols.clone().map(|symbol| scores[symbol as usize]).fold(0f32, f32::max);
                    hinted.extend(symbols.clone().find(|&symbol| scores[symbol as usize] == own));
                    if own == 0.0 {
                        add(
                            &mut scores,
                            &mut touched,
                            symbols.start,
                            worth * self.role_prior(symbols.start, wanted.tests),
                        );
                    }
                    for symbol in symbols.filter(|_| own > 0.0) {
                        let part = scores[symbol as usize] / own;
                        scores[symbol as usize] += worth * part * part;
                    }
                }
            }
            rank += u32::from(known);
        }
        for one in near.iter().filter(|one| one.symbol < self.symbol_count() && one.share > 0.0) {
            let worth = scale * one.share * self.prior(one.symbol, wanted.tests);
            add(&mut scores, &mut touched, one.symbol, worth);
        }
        touched.sort_unstable_by(|&a, &b| scores[b as usize].total_cmp(&scores[a as usize]).then(a.cmp(&b)));
        let top = touched.first().map_or(0.0, |&symbol| scores[symbol as usize]);
        if top == 0.0 {
            return Traversal::default();
        }
        // What is related to the best symbols shares in their score, and symbols that speak for each other gain.
        let mut total: FxHashMap<u32, f32> = FxHashMap::default();
        let mut reasons: FxHashMap<u32, (f32, Step)> = FxHashMap::default();
        for &seed in touched.iter().take(400) {
            total.insert(seed, scores[seed as usize]);
        }
        for &seed in touched.iter().take(SEEDS) {
            let score = scores[seed as usize];
            let mut steps: Vec<Step> = Vec::new();
            let out = self.edges_from(seed);
            steps.extend(out.iter().map(|&edge| Step { symbol: edge.to, edge, forward: true }));
            let sources = self.sources_of(seed);
            if sources.len() <= 400 {
                steps.extend(self.incoming(seed).into_iter().map(|(from, edge)| Step {
                    symbol: from,
                    edge,
                    forward: false,
                }));
            }
            steps.sort_by_key(|step| (step.symbol, step.edge.relation, step.edge.resolution, step.edge.line));
            steps.dedup_by_key(|step| step.symbol);
            let forward = steps.iter().filter(|step| step.forward).count().max(1) as f32;
            let backward = (steps.len() as f32 - forward).max(1.0);
            for step in steps {
                if step.symbol == seed || self.kind(step.symbol) == "file" && step.edge.relation != relation::IMPORTS {
                    continue;
                }
                let fits = match (step.edge.relation, step.forward) {
                    (relation::CALLS, false) => 1.0 + f32::from(u8::from(wanted.callers)),
                    (relation::CALLS, true) => 0.8 + f32::from(u8::from(wanted.callees)),
                    (relation::INHERITS | relation::IMPLEMENTS | relation::OVERRIDES, false) => {
                        0.7 + f32::from(u8::from(wanted.implementers))
                    }
                    (relation::IMPORTS, _) => 0.2 + f32::from(u8::from(wanted.importers)),
                    (relation::TESTS, _) => 0.3 + f32::from(u8::from(wanted.tests)),
                    (relation::REFERENCES, _) => 0.4,
                    _ => 0.6,
                };
                let sure = match step.edge.resolution {
                    resolution::AMBIGUOUS => 0.35 / (step.edge.candidates.max(1) as f32).sqrt(),
                    resolution::UNIQUE_NAME => 0.8,
                    _ => 1.0,
                };
                let degree = if step.forward { forward } else { backward };
                let gain =
                    SPREAD * score * fits * sure * self.prior(step.symbol, wanted.tests) / (1.0 + degree.sqrt() / 2.0);
                *total.entry(step.symbol).or_insert(0.0) += gain;
                let known = reasons.entry(step.symbol).or_insert((0.0, step));
                if gain > known.0 {
                    *known = (gain, Step { symbol: seed, ..step });
                }
            }
        }
        let mut order: Vec<(u32, f32)> = total.into_iter().collect();
        order.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let strongest = order.first().map_or(0.0, |entry| entry.1);
        order.retain(|(symbol, score)| named.contains(symbol) || hinted.contains(symbol) || *score >= WEAK * strongest);
        // Each file gives its best first, so that an answer is not one file's list of contents.
        let mut per_file: FxHashMap<u32, i32> = FxHashMap::default();
        let mut ranked: Vec<(u32, f32, f32)> = Vec::with_capacity(order.len());
        for (symbol, score) in order {
            let seen = per_file.entry(self.file_of(symbol)).or_default();
            ranked.push((symbol, score * SAME_FILE.powi(*seen), score));
            *seen += 1;
        }
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        if depth_first {
            ranked = self.follow(ranked, &reasons);
        }
        let left_out = ranked.len().saturating_sub(budget) as u32;
        let shown: FxHashSet<u32> = ranked.iter().take(budget).map(|entry| entry.0).collect();
        let symbols = ranked
            .into_iter()
            .take(budget)
            .map(|(symbol, _, score)| {
                let reason = reasons.get(&symbol).filter(|(gain, step)| {
                    // A symbol that answers by its own words is there for itself.
                    !named.contains(&symbol)
                        && *gain > 0.4 * score
                        && shown.contains(&step.symbol)
                        && step.symbol != symbol
                });
                match reason {
                    None => self.found(symbol, score),
                    Some((_, step)) => Found {
                        symbol,
                        relation: Some(self.word(step.edge.relation, !step.forward)),
                        of: Some(step.symbol),
                        resolution: self.header().resolutions.get(step.edge.resolution as usize).cloned(),
                        site: Some(step.edge.line),
                        candidates: step.edge.candidates,
                        score,
                    },
                }
            })
            .collect();
        Traversal { symbols, left_out, unresolved: 0 }
    }

    fn found(&self, symbol: u32, score: f32) -> Found {
        Found { symbol, relation: None, of: None, resolution: None, site: None, candidates: 1, score }
    }

    /// The order in which each symbol is followed by what is related to it.
    fn follow(&self, ranked: Vec<(u32, f32, f32)>, reasons: &FxHashMap<u32, (f32, Step)>) -> Vec<(u32, f32, f32)> {
        let mut below: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (place, entry) in ranked.iter().enumerate() {
            if let Some((_, step)) = reasons.get(&entry.0) {
                below.entry(step.symbol).or_default().push(place);
            }
        }
        let mut taken = vec![false; ranked.len()];
        let mut order = Vec::with_capacity(ranked.len());
        for start in 0..ranked.len() {
            let mut stack = vec![start];
            while let Some(place) = stack.pop() {
                if std::mem::replace(&mut taken[place], true) {
                    continue;
                }
                order.push(ranked[place]);
                if let Some(children) = below.get(&ranked[place].0) {
                    stack.extend(children.iter().rev().filter(|&&child| !taken[child]));
                }
            }
        }
        order
    }

    fn related(&self, of: u32, symbol: u32, edge: &Edge, word: String, score: f32) -> Found {
        Found {
            symbol,
            relation: Some(word),
            of: Some(of),
            resolution: self.header().resolutions.get(edge.resolution as usize).cloned(),
            site: Some(edge.line),
            candidates: edge.candidates,
            score,
        }
    }

    /// A call of a method that may be one of the method `of`, which overrides it.
    fn related_through(&self, of: u32, symbol: u32, edge: &Edge, base: u32, score: f32) -> Found {
        let mut found = self.related(of, symbol, edge, self.word(relation::CALLS, true), score);
        found.resolution = Some(format!("{THROUGH}{}", self.qualified(base)));
        found
    }

    fn limited(&self, mut found: Vec<Found>, budget: usize, unresolved: u32) -> Traversal {
        let left_out = found.len().saturating_sub(budget) as u32;
        found.truncate(budget);
        Traversal { symbols: found, left_out, unresolved }
    }

    /// How many uses of the last part of a name have no target that is known; none where the name is that of files.
    fn unresolved_of(&self, name: &str, found: &[u32]) -> u32 {
        if !found.is_empty() && found.iter().all(|&symbol| self.kind(symbol) == "file") {
            return 0;
        }
        let full = normal(name);
        self.unresolved_uses(full.rsplit('.').next().unwrap_or(&full))
    }

    /// [`Graph::find`] as an answer: production before tests, definitions that others can use first.
    pub fn found_by_name(&self, name: &str, budget: usize) -> Traversal {
        let symbols = self.find(name);
        let unresolved = self.unresolved_of(name, &symbols);
        let mut found: Vec<Found> = symbols.into_iter().map(|symbol| self.found(symbol, 1.0)).collect();
        found.sort_by_key(|one| (self.in_tests(one.symbol), self.exported(one.symbol) == Some(false), one.symbol));
        self.limited(found, budget, unresolved)
    }

    /// What refers to the symbols of a name by one of the `relations`, words such as `calls`; production before tests, sure
    /// before unsure. Tests of a class are also those of its methods. Last come calls of what a method overrides, each resolved as
    /// `through Base.save`: they may be calls of this one.
    pub fn users(&self, name: &str, relations: &[&str], budget: usize) -> Traversal {
        let words = self.header().relations.iter();
        let numbers: Vec<u8> = (0u8..)
            .zip(words)
            .filter(|(_, word)| relations.contains(&word.as_str()))
            .map(|(number, _)| number)
            .collect();
        let mut found = Vec::new();
        let targets = self.find(name);
        let unresolved = self.unresolved_of(name, &targets);
        for &target in &targets {
            let mut inside = if numbers.contains(&relation::TESTS) { self.with_members(target) } else { vec![target] };
            // Who makes an object calls its constructor.
            if self.kind(target) == "constructor" && numbers.contains(&relation::CALLS) {
                inside.extend(self.parent(target));
            }
            for target in inside {
                for (from, edge) in self.incoming(target) {
                    if numbers.contains(&edge.relation) {
                        found.push(self.related(target, from, &edge, self.word(edge.relation, true), 1.0));
                    }
                }
            }
        }
        if numbers.contains(&relation::CALLS) {
            let direct: FxHashSet<(u32, Option<u32>)> = found.iter().map(|one| (one.symbol, one.site)).collect();
            for &target in &targets {
                for (from, edge, base) in self.callers_through(target, |_| false) {
                    // One of several methods of the name may be what another one overrides.
                    if !targets.contains(&base) && !direct.contains(&(from, Some(edge.line))) {
                        found.push(self.related_through(target, from, &edge, base, 1.0));
                    }
                }
            }
        }
        found.sort_by_key(|one| {
            let through = one.resolution.as_deref().is_some_and(|way| way.starts_with(THROUGH));
            let sure = (through, one.candidates > 1, one.resolution.clone());
            (self.in_tests(one.symbol), sure, one.symbol, one.site)
        });
        // A place that may mean several definitions of the name is one place.
        found.dedup_by(|b, a| {
            let same = (a.symbol, a.site, &a.relation) == (b.symbol, b.site, &b.relation);
            let through = |one: &Found| one.resolution.as_deref().is_some_and(|way| way.starts_with(THROUGH));
            same && (a.candidates > 1 && b.candidates > 1 || through(a) && through(b))
        });
        self.limited(found, budget, unresolved)
    }

    /// A class or module with everything in it; another symbol alone.
    fn with_members(&self, symbol: u32) -> Vec<u32> {
        match self.kind(symbol) {
            "class" | "struct" | "trait" | "interface" | "enum" | "module" => {
                let symbols = self.symbols_of_file(self.file_of(symbol));
                symbols.filter(|&inside| inside == symbol || self.is_inside(inside, symbol)).collect()
            }
            _ => vec![symbol],
        }
    }

    /// What the symbols of a name call, in the order of their lines.
    pub fn callees(&self, name: &str, budget: usize) -> Traversal {
        let mut found = Vec::new();
        for from in self.find(name) {
            // What a class does its methods do.
            let inside = self.with_members(from);
            for from in inside {
                for edge in self.edges_from(from) {
                    if edge.relation == relation::CALLS {
                        found.push(self.related(from, edge.to, &edge, "called_by".to_owned(), 1.0));
                    }
                }
            }
        }
        self.limited(found, budget, 0)
    }

    fn is_inside(&self, symbol: u32, class: u32) -> bool {
        let mut at = Some(symbol);
        for _ in 0..64 {
            match at {
                Some(found) if found == class => return true,
                Some(found) => at = self.parent(found),
                None => return false,
            }
        }
        false
    }

    /// What a change of the symbols of a name would reach: callers, users, heirs and tests, and theirs, up to `depth` steps.
    /// Ambiguous relations are not followed; calls of what a method overrides are, as `through Base.save`. The score is the distance.
    pub fn reach(&self, name: &str, depth: u32, budget: usize) -> Traversal {
        let targets = self.find(name);
        let unresolved = self.unresolved_of(name, &targets);
        let mut seen: FxHashSet<u32> = targets.iter().copied().collect();
        let mut front = targets;
        let mut found = Vec::new();
        for distance in 1..=depth {
            let mut next = Vec::new();
            for &target in &front {
                // Who makes an object calls its constructor.
                if self.kind(target) == "constructor"
                    && let Some(class) = self.parent(target)
                    && seen.insert(class)
                {
                    let (relation, line) = (relation::CONTAINS, self.line(target));
                    let edge = Edge { to: target, relation, resolution: resolution::EXACT, line, candidates: 1 };
                    found.push(self.related(target, class, &edge, self.word(relation, true), distance as f32));
                    next.push(class);
                }
                for from in self.sources_of(target) {
                    // Its relations are not read again: a symbol that half of the project calls back has very many.
                    if seen.contains(&from) {
                        continue;
                    }
                    let edge = self.edges_from(from).into_iter().find(|edge| {
                        edge.to == target
                            && edge.resolution != resolution::AMBIGUOUS
                            && edge.relation != relation::CONTAINS
                            // Who imports a symbol and uses it is found by the use.
                            && (edge.relation != relation::IMPORTS || self.kind(target) == "file")
                    });
                    let Some(edge) = edge else { continue };
                    seen.insert(from);
                    let word = self.word(edge.relation, true);
                    found.push(self.related(target, from, &edge, word, distance as f32));
                    next.push(from);
                }
                for (from, edge, base) in self.callers_through(target, |from| seen.contains(&from)) {
                    if edge.resolution != resolution::AMBIGUOUS && seen.insert(from) {
                        found.push(self.related_through(target, from, &edge, base, distance as f32));
                        next.push(from);
                    }
                }
            }
            next.sort_unstable();
            front = next;
        }
        found.sort_by(|a, b| {
            a.score
                .total_cmp(&b.score)
                .then_with(|| self.in_tests(a.symbol).cmp(&self.in_tests(b.symbol)))
                .then(a.symbol.cmp(&b.symbol))
        });
        self.limited(found, budget, unresolved)
    }

    /// The shortest chain of calls from one symbol to another; where there is none, one that goes on from a method to what overrides
    /// it, and then one of any relation. Empty without one.
    pub fn chain(&self, from: &str, to: &str) -> Traversal {
        let targets: FxHashSet<u32> = self.find(to).into_iter().collect();
        let starts = self.find(from);
        for (calls_only, overrides) in [(true, false), (true, true), (false, false)] {
            let overriding = if overrides { self.overriding() } else { FxHashMap::default() };
            let mut before: FxHashMap<u32, Option<(u32, Edge)>> = starts.iter().map(|&start| (start, None)).collect();
            let mut front = starts.clone();
            while !front.is_empty() {
                let mut next = Vec::new();
                for &symbol in &front {
                    if targets.contains(&symbol) {
                        return self.trace(symbol, &before);
                    }
                    // Who makes an object calls its constructor.
                    for constructor in self.constructors(symbol) {
                        before.entry(constructor).or_insert_with(|| {
                            let (relation, line) = (relation::CONTAINS, self.line(constructor));
                            let resolution = resolution::EXACT;
                            next.push(constructor);
                            Some((symbol, Edge { to: constructor, relation, resolution, line, candidates: 1 }))
                        });
                    }
                    // A call of a method may be one of what overrides it.
                    for &method in overriding.get(&symbol).into_iter().flatten() {
                        before.entry(method).or_insert_with(|| {
                            let (relation, line) = (relation::OVERRIDES, self.line(method));
                            let resolution = resolution::EXACT;
                            next.push(method);
                            Some((symbol, Edge { to: symbol, relation, resolution, line, candidates: 1 }))
                        });
                    }
                    for edge in self.edges_from(symbol) {
                        let fits = edge.relation == relation::CALLS || !calls_only;
                        if fits && edge.resolution != resolution::AMBIGUOUS && !before.contains_key(&edge.to) {
                            before.insert(edge.to, Some((symbol, edge)));
                            next.push(edge.to);
                        }
                    }
                }
                front = next;
            }
        }
        Traversal::default()
    }

    /// What runs when an object of a class is made; none for other symbols.
    fn constructors(&self, class: u32) -> Vec<u32> {
        if !matches!(self.kind(class), "class" | "struct" | "enum") {
            return Vec::new();
        }
        let symbols = self.symbols_of_file(self.file_of(class));
        symbols.filter(|&symbol| self.kind(symbol) == "constructor" && self.parent(symbol) == Some(class)).collect()
    }

    fn trace(&self, end: u32, before: &FxHashMap<u32, Option<(u32, Edge)>>) -> Traversal {
        let mut symbols = Vec::new();
        let mut at = end;
        while let Some(Some((from, edge))) = before.get(&at) {
            // An override leads back to what it overrides.
            symbols.push(self.related(*from, at, edge, self.word(edge.relation, edge.to == *from), 1.0));
            at = *from;
        }
        symbols.push(self.found(at, 1.0));
        symbols.reverse();
        Traversal { symbols, left_out: 0, unresolved: 0 }
    }

    /// All edges of the symbols of a file, or of all files: symbol that refers, edge.
    pub fn all_edges(&self, file: Option<u32>) -> Vec<(u32, Edge)> {
        let symbols = match file {
            Some(file) => self.symbols_of_file(file),
            None => 0..self.symbol_count(),
        };
        symbols.flat_map(|symbol| self.edges_from(symbol).into_iter().map(move |edge| (symbol, edge))).collect()
    }

    /// Checks that every part of the graph can be read, as a repair tool would.
    ///
    /// # Errors
    /// [`GraphError::Damaged`].
    pub fn verify(&self) -> Result<(), GraphError> {
        for symbol in 0..self.symbol_count() {
            self.texts(symbol)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_have_names_and_nothing_else_has() {
        let found = Relations::named(["callers", "tests", "tests"]);
        assert_eq!(Ok(Relations { callers: true, tests: true, ..Relations::default() }), found);
        assert_eq!(Err("reach"), Relations::named(["callees", "reach", "users"]));
    }
}
