//! How one symbol leads to another.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::store::{Edge, Graph, relation, resolution};

use super::Traversal;

impl Graph {
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
    pub(super) fn constructors(&self, class: u32) -> Vec<u32> {
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
}
