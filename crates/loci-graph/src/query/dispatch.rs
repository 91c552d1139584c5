//! Calls through a base class, an interface or a trait: a value typed as one of these may hold any class below it, so that who calls
//! the base's method may call each override. Which one, the sources do not say.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::extract::packed::{NONE, decompress, unpack};
use crate::store::{Edge, Graph, relation};

/// Bases and interfaces that are looked at for one method.
const MOST_BASES: usize = 256;
/// Definitions of a name among which interfaces of Go are looked for.
const MOST_NAMESAKES: usize = 2_000;
/// What stands in front of a method of the bases where it is called as theirs, whatever the object is.
const PARENTS: &[&str] = &["super", "base", "parent"];
const THIS: &[&str] = &["self", "this", "$this", "cls", "static"];

/// How a method is called in the places where one line calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receiver {
    /// As that of the bases: `super().save()`.
    Base,
    /// On the object itself: `self.save()`.
    This,
    /// On any other value.
    Other,
}

impl Graph {
    /// The methods that a method is called through: those that it overrides, and those that these override. For a method of Go those
    /// of the interfaces that its type has all methods of.
    ///
    /// A constructor is never called through another one, and a struct of Go that embeds one is never called in its place.
    pub(crate) fn called_through(&self, method: u32) -> Vec<u32> {
        if self.kind(method) == "constructor" || self.kind(method) == "file" {
            return Vec::new();
        }
        let mut found = vec![method];
        let mut at = 0;
        while at < found.len() && found.len() < MOST_BASES {
            let one = found[at];
            at += 1;
            if self.is_go(one) {
                self.interfaces_of_go(one, &mut found);
                continue;
            }
            self.each_edge_from(one, |edge| {
                if edge.relation == relation::OVERRIDES && !found.contains(&edge.to) {
                    found.push(edge.to);
                }
            });
        }
        found.remove(0);
        found
    }

    /// Who calls a method through one that it overrides: the caller, its edge to that method, and that method. Calls that cannot be
    /// of the method are left out: those of the base's own (`super().save()`), and those on the caller's own object where that is of
    /// a class beside it. Callers that are `known` already are not looked at.
    pub(crate) fn callers_through(&self, method: u32, known: impl Fn(u32) -> bool) -> Vec<(u32, Edge, u32)> {
        let mut found = Vec::new();
        let mut receivers: FxHashMap<(u32, u32), Receivers> = FxHashMap::default();
        for base in self.called_through(method) {
            for from in self.sources_of(base).into_iter().filter(|&from| !known(from)) {
                let calls: Vec<Edge> = self
                    .edges_from(from)
                    .into_iter()
                    .filter(|edge| edge.to == base && edge.relation == relation::CALLS)
                    .collect();
                if calls.is_empty() {
                    continue;
                }
                // Only a class below the base can call what is the base's, and call itself without being the base.
                let class = self.class_around(from);
                let above = self.parent(base);
                let related =
                    class.zip(above).is_some_and(|(class, above)| class != above && self.derives(class, above));
                let may_be = |edge: &&Edge| {
                    if !related {
                        return true;
                    }
                    let file = self.file_of(from);
                    let lines = receivers.entry((file, base)).or_insert_with(|| {
                        self.receivers(file, self.name(base), above.map_or("", |above| self.name(above)))
                    });
                    match lines.get(&edge.line) {
                        Some(Receiver::Base) => false,
                        Some(Receiver::This) => class.zip(self.class_around(method)).is_none_or(|(class, own)| {
                            class == own || self.derives(own, class) || self.derives(class, own)
                        }),
                        Some(Receiver::Other) | None => true,
                    }
                };
                found.extend(calls.iter().filter(may_be).map(|edge| (from, *edge, base)));
            }
        }
        found
    }

    /// For each method that others override, these. Not for interfaces of Go, which nothing names.
    pub(crate) fn overriding(&self) -> FxHashMap<u32, Vec<u32>> {
        let mut found: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for symbol in 0..self.symbol_count() {
            if matches!(self.kind(symbol), "method" | "function" | "property") && !self.is_go(symbol) {
                self.each_edge_from(symbol, |edge| {
                    if edge.relation == relation::OVERRIDES {
                        found.entry(edge.to).or_default().push(symbol);
                    }
                });
            }
        }
        found
    }

    fn is_go(&self, symbol: u32) -> bool {
        self.file_path(self.file_of(symbol)).ends_with(".go")
    }

    /// The class, or what is like one, that a symbol is or stands in.
    fn class_around(&self, symbol: u32) -> Option<u32> {
        let mut at = Some(symbol);
        for _ in 0..64 {
            let one = at?;
            if matches!(self.kind(one), "class" | "struct" | "trait" | "interface" | "enum" | "module" | "type") {
                return Some(one);
            }
            at = self.parent(one);
        }
        None
    }

    /// Whether a class inherits from or implements another, over any number of steps.
    fn derives(&self, class: u32, base: u32) -> bool {
        let mut queue = vec![class];
        let mut at = 0;
        while at < queue.len() && at < MOST_BASES {
            let one = queue[at];
            at += 1;
            let mut is_base = false;
            self.each_edge_from(one, |edge| {
                if matches!(edge.relation, relation::INHERITS | relation::IMPLEMENTS) {
                    is_base |= edge.to == base;
                    if !queue.contains(&edge.to) {
                        queue.push(edge.to);
                    }
                }
            });
            if is_base {
                return true;
            }
        }
        false
    }

    /// How a file calls methods of a name, by line; a line that calls several ways says the freest. `class` is what they are of.
    fn receivers(&self, file: u32, name: &str, class: &str) -> Receivers {
        let mut lines = Receivers::default();
        let Some((packed, _)) = decompress(self.file_facts(file)) else { return lines };
        let Ok(facts) = unpack(&packed) else { return lines };
        for reference in &facts.references {
            let called = facts.string(reference.name);
            let receiver = if called != name {
                // `super` alone calls the base's method of the same name in Ruby.
                if called != "super" {
                    continue;
                }
                Receiver::Base
            } else if reference.qualifier == NONE {
                Receiver::Other
            } else {
                let qualifier = facts.string(reference.qualifier);
                let first = qualifier.split(['.', ':', '(', '-', '<']).next().unwrap_or(qualifier);
                let last = qualifier.rsplit(['.', ':', '>']).next().unwrap_or(qualifier);
                if PARENTS.contains(&first) || !class.is_empty() && last == class {
                    Receiver::Base
                } else if THIS.contains(&qualifier) {
                    Receiver::This
                } else {
                    Receiver::Other
                }
            };
            let known = lines.entry(reference.line).or_insert(receiver);
            if receiver == Receiver::Other || receiver == Receiver::This && *known == Receiver::Base {
                *known = receiver;
            }
        }
        lines
    }

    /// Adds the methods of a method's name in interfaces of Go whose methods its type all has, with the same types.
    fn interfaces_of_go(&self, method: u32, found: &mut Vec<u32>) {
        let (class, name) = (self.container(method), self.name(method));
        let namesakes = self.named(name);
        if class.is_empty() || namesakes.len() > MOST_NAMESAKES {
            return;
        }
        for &other in namesakes {
            let interface = self.parent(other).filter(|&parent| self.kind(parent) == "interface");
            let Some(interface) = interface.filter(|_| self.is_go(other) && !found.contains(&other)) else { continue };
            if self.parent(method) == Some(interface) || !self.same_shape(method, other) {
                continue;
            }
            let mut wanted = Vec::new();
            self.methods_of_interface(interface, &mut FxHashSet::default(), &mut wanted);
            let has = |wanted: &u32| self.method_of_go(method, *wanted, 0);
            if wanted.iter().all(has) {
                found.push(other);
            }
        }
    }

    /// The methods of an interface and of those that it embeds.
    fn methods_of_interface(&self, interface: u32, seen: &mut FxHashSet<u32>, methods: &mut Vec<u32>) {
        if !seen.insert(interface) || seen.len() > MOST_BASES {
            return;
        }
        let own = self.symbols_of_file(self.file_of(interface));
        methods.extend(own.filter(|&symbol| self.parent(symbol) == Some(interface) && self.kind(symbol) == "method"));
        for edge in self.edges_from(interface) {
            if edge.relation == relation::INHERITS {
                self.methods_of_interface(edge.to, seen, methods);
            }
        }
    }

    /// Whether the type of a method, or one that it embeds, has a method like the `wanted` one.
    fn method_of_go(&self, of: u32, wanted: u32, depth: u32) -> bool {
        let (class, package) = (self.container(of), package_of(self.file_path(self.file_of(of))));
        let here = |symbol: &u32| package_of(self.file_path(self.file_of(*symbol))) == package;
        let own = |symbol: &&u32| self.container(**symbol) == class && self.kind(**symbol) == "method" && here(symbol);
        if self.named(self.name(wanted)).iter().filter(own).any(|&symbol| self.same_shape(symbol, wanted)) {
            return true;
        }
        if depth > 8 {
            return false;
        }
        let types = self.named(class).iter().filter(|symbol| self.container(**symbol).is_empty() && here(symbol));
        let embedded = types.flat_map(|&symbol| self.edges_from(symbol));
        let mut embedded = embedded.filter(|edge| edge.relation == relation::INHERITS);
        embedded.any(|edge| {
            let symbols = self.symbols_of_file(self.file_of(edge.to));
            // A method stands for its type; of an interface those inside it do.
            let inside = |symbol: &u32| self.parent(*symbol) == Some(edge.to) && self.kind(*symbol) == "method";
            let named = |symbol: &u32| self.container(*symbol) == self.name(edge.to) && self.kind(*symbol) == "method";
            let one = symbols.clone().find(inside).or_else(|| symbols.clone().find(named));
            one.is_some_and(|one| self.method_of_go(one, wanted, depth + 1))
        })
    }

    /// Whether two methods of Go take and give the same types, as far as their signatures are known.
    fn same_shape(&self, one: u32, other: u32) -> bool {
        let shape = |symbol: u32| shape_of(&self.texts(symbol).ok()?.0, self.name(symbol));
        match (shape(one), shape(other)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }
}

type Receivers = FxHashMap<u32, Receiver>;

fn package_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The types that a method of Go takes and gives, without packages in front; `None` where its signature does not say.
fn shape_of(signature: &str, name: &str) -> Option<(Vec<String>, Vec<String>)> {
    let at = signature.match_indices(name).find(|(at, _)| {
        let before = signature[..*at].chars().next_back();
        signature[at + name.len()..].starts_with('(')
            && before.is_none_or(|before| !before.is_alphanumeric() && before != '_')
    })?;
    let rest = &signature[at.0 + name.len()..];
    let end = closing(rest)?;
    let results = rest[end + 1..].trim().trim_end_matches('{').trim();
    let results = match results.strip_prefix('(') {
        Some(_) => {
            let end = closing(results)?;
            types_of(&results[1..end])
        }
        None => types_of(results),
    };
    Some((types_of(&rest[1..end]), results))
}

/// Where the bracket that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The types of a list of parameters, each as often as it stands for a name.
fn types_of(list: &str) -> Vec<String> {
    let mut pieces: Vec<&str> = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, character) in list.char_indices() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                pieces.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&list[start..]);
    let pieces: Vec<&str> = pieces.into_iter().map(str::trim).filter(|piece| !piece.is_empty()).collect();
    // `a, b int`: what has a name in front of it is its type.
    fn named(piece: &str) -> Option<&str> {
        let (first, rest) = piece.split_once(' ')?;
        let is_name = first.chars().all(|one| one.is_alphanumeric() || one == '_');
        let is_type = matches!(first, "chan" | "func" | "map" | "struct" | "interface");
        (is_name && !is_type).then_some(rest)
    }
    let any = pieces.iter().any(|piece| named(piece).is_some());
    let mut types: Vec<String> = Vec::new();
    let mut next = String::new();
    for piece in pieces.iter().rev() {
        if let Some(of) = named(piece) {
            next = plain_type(of);
        } else if !any || next.is_empty() {
            next = plain_type(piece);
        }
        types.push(next.clone());
    }
    types.reverse();
    types
}

/// A type without spaces, and without packages in front of its names.
fn plain_type(text: &str) -> String {
    let mut plain = String::new();
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        if character == '.' && !plain.is_empty() && !plain.ends_with('.') {
            let kept = plain.trim_end_matches(|one: char| one.is_alphanumeric() || one == '_').len();
            if kept < plain.len() {
                plain.truncate(kept);
                continue;
            }
        }
        plain.push(character);
    }
    plain.replace("interface{}", "any")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(signature: &str, name: &str) -> (Vec<String>, Vec<String>) {
        shape_of(signature, name).unwrap()
    }

    #[test]
    fn methods_of_go_are_alike_whatever_their_parameters_are_called() {
        let one = shape("func (s *Disk) Save(name string, data []byte) error {", "Save");
        assert_eq!(one, shape("Save(string, []byte) error", "Save"));
        assert_eq!((vec!["string".to_owned(), "[]byte".to_owned()], vec!["error".to_owned()]), one);
        assert_eq!(shape("Add(a, b int) (sum int, err error)", "Add"), shape("Add(int, int) (int, error)", "Add"));
        assert_eq!(
            shape("Each(func(k, v int) bool, ...store.Option)", "Each"),
            shape("Each(f func(k, v int) bool, o ...Option)", "Each")
        );
        assert_eq!(shape("Wait() <-chan struct{}", "Wait"), shape("Wait() (<-chan struct{})", "Wait"));
        assert_eq!(shape("Get(k any) interface{}", "Get"), shape("Get(interface{}) any", "Get"));
        assert_ne!(shape("Save(name string) error", "Save"), shape("Save(name string)", "Save"));
        assert_ne!(shape("Save(name string)", "Save"), shape("Save(name []string)", "Save"));
        assert_eq!(None, shape_of("Save(name string", "Save"));
    }
}
