//! What a symbol is related to: who uses it, what it calls, what it reaches.

use rustc_hash::FxHashSet;

use crate::store::{Edge, Graph, relation, resolution};

use super::{Found, THROUGH, Traversal};

impl Graph {
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
}
