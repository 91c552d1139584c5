//! Which symbols a question speaks of: by its words, by the names that it writes as code, and by what these are related to.

use loci_rank::bm25;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::extract::packed::{Terms, field};
use crate::store::{Graph, relation, resolution};

use super::{Asked, Found, Near, Step, Traversal};

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
/// Hints are worth this much at first rank, as a share of the best score.
const HINT_SYMBOL: f32 = 1.5;
const HINT_PATH: f32 = 0.9;
/// How fast hints lose: the one at rank `r` is worth `1 / (1 + HINT_DECAY * r)` of the first.
const HINT_DECAY: f32 = 0.6;

impl Graph {
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
            let idf = bm25::idf(count as f32, df);
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
                let score = bm25::saturate(idf * frequency * (K1 + 1.0), frequency, K1 * length);
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
}
