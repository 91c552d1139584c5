//! Functions of C that exist on some platforms alone, and declarations beside their definitions.

use crate::facts::SymbolKind;
use crate::modules::Family;

use super::super::{MOST_CANDIDATES, Project, Trail};

/// Where a function of C exists.
pub(in crate::resolve) enum Platforms {
    /// As far as the file says everywhere.
    Any,
    /// Where a condition holds that names platforms; elsewhere the name means something else.
    Some,
    /// The file has one of these for each.
    Each(Vec<u32>),
}

impl Project<'_> {
    /// For which platforms a function of C that is used in `from` is defined: see [`Platforms`].
    pub(in crate::resolve) fn of_platforms(&self, trail: &mut Trail, from: u32, to: u32) -> Platforms {
        // What is compiled for some platforms alone says of itself neither that others can use it nor that they cannot.
        let is_code = |symbol: u32| {
            matches!(self.kind_of(symbol), SymbolKind::Function | SymbolKind::Macro | SymbolKind::Constant)
        };
        let conditional =
            |symbol: u32| is_code(symbol) && self.fact(symbol).is_some_and(|(_, fact)| fact.exported.is_none());
        if self.is_file(to) || !is_code(to) {
            return Platforms::Any;
        }
        // What is compiled for the same platforms knows which is meant, as far as anybody does.
        if self.file_of[from as usize] == self.file_of[to as usize] && !self.is_file(from) && conditional(from) {
            return Platforms::Any;
        }
        let there = self.bases_of_files[self.file_of[to as usize] as usize];
        let twins = self.scope(trail, there, self.key(to));
        let mut twins: Vec<u32> = twins.iter().copied().filter(|&twin| is_code(twin)).collect();
        // Where a macro stands for a function that is left out, the function stands in a file of its own.
        if twins.iter().all(|&twin| self.kind_of(twin) != SymbolKind::Function) {
            let all = self.names(trail, Family::C, self.key(to), self.name(to));
            let functions = all.iter().copied().filter(|&twin| {
                let visible =
                    !self.briefs[twin as usize].hidden || self.file_of[twin as usize] == self.file_of[from as usize];
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
    pub(in crate::resolve) fn is_declaration(&self, symbol: u32) -> bool {
        self.families[self.file_of[symbol as usize] as usize] == Family::C
            && matches!(self.kind_of(symbol), SymbolKind::Method | SymbolKind::Constructor)
            && !self.briefs[symbol as usize].long
            && self.fact(symbol).is_some_and(|(_, fact)| fact.exported.is_none())
    }
}
