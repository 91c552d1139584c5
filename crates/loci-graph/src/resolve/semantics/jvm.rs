//! Java, Kotlin and Scala; functions of Kotlin that extend types, `fun Cart.total()`: which of them a file sees, and of which type
//! each is.

use crate::extract::SymbolKind;
use crate::extract::packed::NONE;
use crate::ids::{FileId, NameKey, PackageId, SymbolId};
use crate::resolve::modules::{Family, Target};
use crate::store::resolution;

use super::super::{Candidates, Project, Trail, Value, is_callable, is_type};
use super::{Members, PLAIN, Semantics, ambiguous};

pub(super) const SEMANTICS: Semantics = Semantics {
    members: Members::Everywhere,
    imports_classes: true,
    values_by_import: true,
    full_names: true,
    companions: true,
    ..PLAIN
};

impl Project<'_> {
    /// Extensions of this name that a file sees, how many there are, and how surely one of them is meant. Without a receiver the
    /// functions around say of what: an extension calls those of its own type by their names alone.
    pub(in crate::resolve) fn extensions_of_kotlin(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        receiver: Option<(Value, &str)>,
        key: NameKey,
        name: &str,
    ) -> Option<Candidates> {
        let all = self.namesakes(trail, Family::Jvm, key, name)?;
        let seen: Vec<SymbolId> = all
            .iter()
            .copied()
            .filter(|&symbol| {
                self.kind_of(symbol) == SymbolKind::Method
                    && self.is_file(self.parents[symbol.index()])
                    && self.sees_extension(file, symbol, key)
            })
            .collect();
        if seen.is_empty() {
            return None;
        }
        let types: Vec<&str> = match receiver {
            Some((Value::External | Value::Unknown | Value::Instance(_), text)) => {
                self.written_type(trail, file, inside, text).into_iter().collect()
            }
            Some(_) => return None,
            None => self.extended_around(file, inside),
        };
        let of_types = |symbol: &SymbolId| {
            self.fact(*symbol).is_some_and(|(facts, fact)| types.contains(&facts.string(fact.container)))
        };
        // By its name alone a function rarely calls itself, and a member of its type that is called so comes first.
        let own = if receiver.is_none() { self.global(file, inside) } else { SymbolId::NONE };
        let sure: Vec<SymbolId> = seen.iter().copied().filter(of_types).filter(|&symbol| symbol != own).collect();
        if let Some(&symbol) = sure.first() {
            let here = self.file_of[symbol.index()] == file;
            return Some((vec![symbol], 1, if here { resolution::EXACT } else { resolution::IMPORT }));
        }
        let candidates: Vec<SymbolId> = match receiver? {
            // What is of another project is none of this one's types, and one of them has what it has.
            (Value::External, _) => seen.into_iter().filter(|&symbol| self.owner(symbol) == SymbolId::NONE).collect(),
            (Value::Instance(_), _) => return None,
            // It may as well be of a class that has such a method.
            _ => {
                let method = |symbol: SymbolId| self.owner(symbol) != SymbolId::NONE && is_callable(self.kind(symbol));
                let fits = |symbol: SymbolId| method(symbol) && self.reaches(file, self.file_of[symbol.index()]);
                all.iter().copied().filter(|&symbol| seen.contains(&symbol) || fits(symbol)).collect()
            }
        };
        match candidates.as_slice() {
            [] => None,
            [one] => Some((vec![*one], 1, resolution::UNIQUE_NAME)),
            many => Some(ambiguous(many.to_vec())),
        }
    }

    /// Whether a file sees a function by its name: it is of the same package, or imported.
    fn sees_extension(&self, file: FileId, symbol: SymbolId, key: NameKey) -> bool {
        let there = self.file_of[symbol.index()];
        let package = self.modules.package_of[there.index()];
        if there == file || package != PackageId::NONE && self.modules.package_of[file.index()] == package {
            return there == file || !self.briefs[symbol.index()].hidden;
        }
        let facts = self.facts.file(file);
        !self.briefs[symbol.index()].hidden
            && facts.imports.iter().zip(&self.table(file).targets).any(|(import, target)| {
                let named = import.name != NONE
                    && (facts.keys[import.name as usize] == key
                        || facts.keys[import.name as usize] == self.keys.wildcard);
                named && *target == Target::Module(self.modules.module_of(package))
            })
    }

    /// The types that the functions around a place extend, and the classes in which it stands, the nearest first.
    fn extended_around(&self, file: FileId, inside: u32) -> Vec<&str> {
        let mut found = Vec::new();
        let mut at = self.global(file, inside);
        for _ in 0..16 {
            if at == SymbolId::NONE || self.is_file(at) {
                break;
            }
            if let Some((facts, fact)) = self.fact(at) {
                let extends = self.kind_of(at) == SymbolKind::Method && fact.parent == NONE;
                let name = facts.string(if extends { fact.container } else { fact.name });
                if (extends || is_type(self.kind(at))) && !name.is_empty() {
                    found.push(name);
                }
            }
            at = self.parents[at.index()];
        }
        found
    }

    /// A member of the `companion object` of a class of Kotlin, which is called as one of the class.
    pub(in crate::resolve) fn companion_member(
        &self,
        trail: &mut Trail,
        classes: &[SymbolId],
        key: NameKey,
    ) -> Option<SymbolId> {
        classes.iter().find_map(|&class| {
            let companions = self.scope(trail, class, self.keys.companion);
            let companion = companions.iter().copied().find(|&companion| is_type(self.kind(companion)))?;
            self.preferred(&self.scope(trail, companion, key))
        })
    }
}
