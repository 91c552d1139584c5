//! C and C++: functions that exist on some platforms alone, and declarations beside their definitions. Namespaces stand in `cpp`.

use rustc_hash::FxHashSet;

use crate::extract::SymbolKind;
use crate::ids::{FileId, NameKey, SymbolId};
use crate::resolve::modules::Family;

use super::super::text::shared_prefix;
use super::super::{MOST_CANDIDATES, Project, Trail, is_type};
use super::{Attachment, Members, PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    own_words: &["this"],
    parent_words: &[],
    members: Members::Everywhere,
    attachment: Attachment::Anywhere,
    bare_names: true,
    types_without_imports: true,
    types_by_name: true,
    private_to_file: true,
    imports_everything: true,
    open_namespaces: true,
    ..PLAIN
};

/// Where a function of C exists.
pub(in crate::resolve) enum Platforms {
    /// As far as the file says everywhere.
    Any,
    /// Where a condition holds that names platforms; elsewhere the name means something else.
    Some,
    /// The file has one of these for each.
    Each(Vec<SymbolId>),
}

impl Project<'_> {
    /// For which platforms a function of C that is used in `from` is defined: see [`Platforms`].
    pub(in crate::resolve) fn of_platforms(&self, trail: &mut Trail, from: SymbolId, to: SymbolId) -> Platforms {
        // What is compiled for some platforms alone says of itself neither that others can use it nor that they cannot.
        let is_code = |symbol: SymbolId| {
            matches!(self.kind_of(symbol), SymbolKind::Function | SymbolKind::Macro | SymbolKind::Constant)
        };
        let conditional =
            |symbol: SymbolId| is_code(symbol) && self.fact(symbol).is_some_and(|(_, fact)| fact.exported.is_none());
        if self.is_file(to) || !is_code(to) {
            return Platforms::Any;
        }
        // What is compiled for the same platforms knows which is meant, as far as anybody does.
        if self.file_of[from.index()] == self.file_of[to.index()] && !self.is_file(from) && conditional(from) {
            return Platforms::Any;
        }
        let there = self.own_symbols[self.file_of[to.index()].index()];
        let twins = self.scope(trail, there, self.key(to));
        let mut twins: Vec<SymbolId> = twins.iter().copied().filter(|&twin| is_code(twin)).collect();
        // Where a macro stands for a function that is left out, the function stands in a file of its own.
        if twins.iter().all(|&twin| self.kind_of(twin) != SymbolKind::Function) {
            let all = self.names(trail, Family::C, self.key(to), self.name(to));
            let functions = all.iter().copied().filter(|&twin| {
                let visible =
                    !self.briefs[twin.index()].hidden || self.file_of[twin.index()] == self.file_of[from.index()];
                self.kind_of(twin) == SymbolKind::Function && visible
            });
            twins.extend(functions.take(MOST_CANDIDATES));
        }
        match twins.iter().filter(|&&twin| conditional(twin)).count() {
            0 => Platforms::Any,
            _ if twins.len() > 1 && twins.contains(&to) => Platforms::Each(twins),
            _ => Platforms::Some,
        }
    }

    /// A method of C++ that stands in its class without a body: its definition is another symbol.
    pub(in crate::resolve) fn is_declaration(&self, symbol: SymbolId) -> bool {
        self.families[self.file_of[symbol.index()].index()] == Family::C
            && matches!(self.kind_of(symbol), SymbolKind::Method | SymbolKind::Constructor)
            && !self.briefs[symbol.index()].long
            && self.fact(symbol).is_some_and(|(_, fact)| fact.exported.is_none())
    }

    /// Leaves of several definitions of a name those that are no declarations of another.
    pub(in crate::resolve) fn keep_definitions(&self, file: FileId, found: &mut Vec<SymbolId>) {
        if self.families[file.index()] != Family::C {
            return;
        }
        // A declaration beside its definition is no second meaning.
        if found.len() > 1 {
            let long = |symbol: SymbolId| self.briefs[symbol.index()].long;
            if found.iter().any(|&symbol| long(symbol)) {
                let headers = |symbol: SymbolId| {
                    let path = self.paths[self.file_of[symbol.index()].index()];
                    path.ends_with(".h") || path.ends_with(".hpp")
                };
                let bodies: Vec<SymbolId> =
                    found.iter().copied().filter(|&symbol| long(symbol) || !headers(symbol)).collect();
                if !bodies.is_empty() {
                    *found = bodies;
                }
            }
        }
        if found.len() > 1 {
            let defined: FxHashSet<SymbolId> = found
                .iter()
                .filter(|&&symbol| !self.is_declaration(symbol))
                .map(|&symbol| self.owner(symbol))
                .filter(|&class| class != SymbolId::NONE)
                .collect();
            // Nor is a constructor beside its class.
            let classes: FxHashSet<SymbolId> =
                found.iter().copied().filter(|&symbol| is_type(self.kind(symbol))).collect();
            found.retain(|&symbol| {
                let declared = defined.contains(&self.owner(symbol)) && self.is_declaration(symbol);
                let constructs =
                    self.kind_of(symbol) == SymbolKind::Constructor && classes.contains(&self.owner(symbol));
                !declared && !constructs
            });
        }
    }

    /// The type of a method that stands away from it, in whichever file; of several the one that is named in full, or seen.
    pub(super) fn class_of_any_file(
        &self,
        trail: &mut Trail,
        file: FileId,
        (key, name): (NameKey, &str),
        container: &str,
    ) -> Option<SymbolId> {
        let is_c = self.families[file.index()] == Family::C;
        let all = self.names(trail, self.families[file.index()], key, name);
        let fits = |class: SymbolId| is_type(self.kind(class)) || self.kind_of(class) == SymbolKind::Module;
        all.iter().copied().filter(|&class| fits(class)).max_by_key(|&class| {
            let path = self.paths[self.file_of[class.index()].index()];
            let named = is_c && self.is_called(class, container);
            let seen = is_c && self.includes(file, self.file_of[class.index()]);
            (named, seen, shared_prefix(path, self.paths[file.index()]), std::cmp::Reverse(class))
        })
    }
}
