//! Swift: types of a module without imports, and extensions of types of others.

use crate::extract::SymbolKind;
use crate::ids::{FileId, NameKey, SymbolId};

use super::super::{Project, Trail};
use super::{Attachment, Members, PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    members: Members::Everywhere,
    attachment: Attachment::Anywhere,
    bare_names: true,
    types_without_imports: true,
    types_by_name: true,
    ..PLAIN
};

impl Project<'_> {
    /// The only function that extends a type of others by this name: `fun String.shout()`.
    pub(in crate::resolve) fn extension(
        &self,
        trail: &mut Trail,
        file: FileId,
        key: NameKey,
        name: &str,
    ) -> Option<SymbolId> {
        let all = self.names(trail, self.families[file.index()], key, name);
        let mut found = all.iter().copied().filter(|&symbol| {
            self.owner(symbol) == SymbolId::NONE
                && self.kind_of(symbol) == SymbolKind::Method
                && self.is_file(self.parents[symbol.index()])
                && self.reaches(file, self.file_of[symbol.index()])
        });
        match (found.next(), found.next()) {
            (Some(symbol), None) => Some(symbol),
            _ => None,
        }
    }
}
