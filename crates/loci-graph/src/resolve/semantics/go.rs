//! Go: packages by what their files declare, and definitions for different platforms and build tags.

use crate::extract::packed::key_of;
use crate::ids::{FileId, NameKey, SymbolId};
use crate::resolve::modules::{Family, Target};

use super::super::text::is_version;
use super::super::{Project, Trail};
use super::{PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    own_words: &[],
    parent_words: &[],
    named_results: true,
    package_imports: true,
    values_by_import: true,
    ..PLAIN
};

impl Project<'_> {
    /// The name under which a file knows a package: the one that it declares, else the last part of its path.
    pub(super) fn name_of_go_package(&self, module: &str, target: Target) -> NameKey {
        let declared = match target {
            Target::Module(module) => self.modules.package_in(module).map_or("", |package| {
                let member = self.modules.packages[package.index()][0];
                self.heads[member.index()].module
            }),
            Target::External => "",
        };
        let last = module.rsplit('/').find(|part| !is_version(part)).unwrap_or(module);
        key_of(if declared.is_empty() { last } else { declared })
    }

    /// The definitions of one name in one package of Go, seen from another file: each is of another platform or build tag, and
    /// which is compiled the sources do not say. Empty where there is one.
    pub(in crate::resolve) fn twins(&self, trail: &mut Trail, file: FileId, to: SymbolId) -> Vec<SymbolId> {
        let there = self.file_of[to.index()];
        if self.families[file.index()] != Family::Go || there == file || self.is_file(to) {
            return Vec::new();
        }
        let found = match self.owner(to) {
            SymbolId::NONE => self.packages(trail, self.modules.package_of[there.index()], self.key(to), self.name(to)),
            class => self.scope(trail, class, self.key(to)),
        };
        let elsewhere = found.iter().any(|&twin| self.file_of[twin.index()] != there);
        if elsewhere && found.contains(&to) { found.into_owned() } else { Vec::new() }
    }
}
