//! Namespaces of C++: blocks of one name in any number of files are one, of which a file sees what it includes. A function that an
//! included file declares is the one that another file defines.

use crate::extract::packed::{NONE, key_of};
use crate::extract::{DECLARED, SymbolKind};
use crate::ids::{FileId, NameKey, SymbolId};
use crate::resolve::modules::{Family, Target};
use crate::store::resolution;

use super::super::{Candidates, MOST_NAMESAKES, Project, Resolution, Trail, Value, is_callable};
use super::ambiguous;

impl Project<'_> {
    /// Whether a file is the other or includes it, directly or through others.
    pub(in crate::resolve) fn includes(&self, from: FileId, to: FileId) -> bool {
        let row = self.included[from.index()].get_or_init(|| {
            let mut row = vec![0u64; self.facts.len().div_ceil(64)];
            let mut queue = vec![from];
            while let Some(at) = queue.pop() {
                let word = &mut row[at.index() / 64];
                if *word >> (at.index() % 64) & 1 == 1 {
                    continue;
                }
                *word |= 1 << (at.index() % 64);
                let includes = self.table(at).targets.iter().filter_map(|target| match target {
                    Target::Module(module) => self.modules.file_in(*module),
                    _ => None,
                });
                queue.extend(includes);
            }
            row
        });
        row[to.index() / 64] >> (to.index() % 64) & 1 == 1
    }

    /// Whether the full name of a symbol is `path`, its parts joined with dots.
    pub(in crate::resolve) fn is_called(&self, symbol: SymbolId, path: &str) -> bool {
        self.fact(symbol).is_some_and(|(facts, fact)| {
            let (container, name) = (facts.string(fact.container), facts.string(fact.name));
            match path.strip_suffix(name) {
                Some(before) if container.is_empty() => before.is_empty(),
                Some(before) => before.strip_suffix('.') == Some(container),
                None => false,
            }
        })
    }

    fn full_name(&self, symbol: SymbolId) -> Option<String> {
        let (facts, fact) = self.fact(symbol)?;
        let (container, name) = (facts.string(fact.container), facts.string(fact.name));
        Some(if container.is_empty() { name.to_owned() } else { format!("{container}.{name}") })
    }

    /// A block of the namespace with this full name that a file sees.
    pub(in crate::resolve) fn namespace_of(&self, trail: &mut Trail, file: FileId, path: &str) -> Option<SymbolId> {
        let name = path.rsplit('.').next().unwrap_or(path);
        let all = self.names(trail, Family::C, key_of(name), name);
        let fits = |symbol: SymbolId| self.kind_of(symbol) == SymbolKind::Module && self.is_called(symbol, path);
        let mut blocks = all.iter().copied().filter(|&symbol| fits(symbol));
        blocks.find(|&symbol| self.includes(file, self.file_of[symbol.index()]))
    }

    /// The names of the functions that a file declares without a body, outside of classes.
    pub(in crate::resolve) fn declared_names(&self, file: FileId) -> Vec<NameKey> {
        let facts = self.facts.file(file);
        let names = facts.bindings.iter().filter_map(|binding| facts.string(binding.name).strip_suffix(DECLARED));
        names.map(key_of).collect()
    }

    /// Whether a file declares the function `name` in the namespace `path`.
    fn declares(&self, trail: &mut Trail, file: FileId, path: &str, name: &str) -> bool {
        let key = key_of(&format!("{name}{DECLARED}"));
        self.note(trail, file, key.0);
        let facts = self.facts.file(file);
        facts.bindings.iter().any(|binding| {
            facts.keys[binding.name as usize] == key
                && binding.inside != NONE
                && self.is_called(self.global(file, binding.inside), path)
        })
    }

    /// What the namespace around `block` has under a name, of what the file being resolved sees. `None` where it has nothing of it,
    /// or several files have one each.
    pub(in crate::resolve) fn in_namespace(
        &self,
        trail: &mut Trail,
        block: SymbolId,
        key: NameKey,
        name: &str,
    ) -> Option<(Value, Resolution)> {
        self.below_path(trail, &self.full_name(block)?, key, name)
    }

    /// The same for the namespaces around a method that stands away from its class, and so in nothing: `shop` of `shop.Cart.total`.
    pub(in crate::resolve) fn around_path(
        &self,
        trail: &mut Trail,
        symbol: SymbolId,
        key: NameKey,
        name: &str,
    ) -> Option<(Value, Resolution)> {
        let (facts, fact) = self.fact(symbol).filter(|(_, fact)| fact.parent == NONE)?;
        let container = facts.string(fact.container);
        container.rmatch_indices('.').find_map(|(at, _)| self.below_path(trail, &container[..at], key, name))
    }

    fn below_path(&self, trail: &mut Trail, path: &str, key: NameKey, name: &str) -> Option<(Value, Resolution)> {
        let file = trail.file();
        let all = self.namesakes(trail, Family::C, key, name).filter(|_| file != FileId::NONE)?;
        let members: Vec<SymbolId> = all
            .iter()
            .copied()
            .filter(|&symbol| self.fact(symbol).is_some_and(|(facts, fact)| facts.string(fact.container) == path))
            .collect();
        let seen: Vec<SymbolId> =
            members.iter().copied().filter(|&symbol| self.is_seen(trail, file, symbol, path, name)).collect();
        let symbol = self.preferred(&seen)?;
        let there = self.file_of[symbol.index()];
        // A namespace in it is the same whichever block is meant; anything else stands in one file.
        let one = self.kind_of(symbol) == SymbolKind::Module
            || seen.iter().all(|&other| self.file_of[other.index()] == there);
        one.then_some((Value::Symbol(symbol), if there == file { resolution::EXACT } else { resolution::IMPORT }))
    }

    /// Whether a file sees a member of a namespace: it includes the definition or a declaration, which the file of the definition
    /// includes as well.
    fn is_seen(&self, trail: &mut Trail, file: FileId, symbol: SymbolId, path: &str, name: &str) -> bool {
        let there = self.file_of[symbol.index()];
        if self.includes(file, there) {
            return true;
        }
        if self.briefs[symbol.index()].hidden {
            return false;
        }
        self.table(there).targets.iter().any(|target| match target {
            Target::Module(header) => self
                .modules
                .file_in(*header)
                .is_some_and(|header| self.includes(file, header) && self.declares(trail, header, path, name)),
            _ => false,
        })
    }

    /// What a path like `shop::total` may mean by its names alone.
    pub(in crate::resolve) fn by_path(
        &self,
        trail: &mut Trail,
        qualifier: &str,
        key: NameKey,
        name: &str,
    ) -> Option<Candidates> {
        let path = qualifier.trim_start_matches("::");
        if path.is_empty() || path.contains(['.', '(', '-', '>']) {
            return None;
        }
        let path = path.replace("::", ".");
        let all = self.names(trail, Family::C, key, name);
        let found: Vec<SymbolId> = all
            .iter()
            .copied()
            .filter(|&symbol| {
                is_callable(self.kind(symbol))
                    && !self.is_declaration(symbol)
                    && self.fact(symbol).is_some_and(|(facts, fact)| {
                        let before = facts.string(fact.container).strip_suffix(path.as_str());
                        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
                    })
            })
            .collect();
        if found.is_empty() || found.len() > MOST_NAMESAKES {
            return None;
        }
        let there = self.file_of[found[0].index()];
        if found.iter().all(|&symbol| self.file_of[symbol.index()] == there) {
            return self.preferred(&found).map(|symbol| (vec![symbol], 1, resolution::UNIQUE_NAME));
        }
        Some(ambiguous(found))
    }
}
