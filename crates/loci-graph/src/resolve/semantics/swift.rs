//! Swift: types of a module without imports, and extensions of types of others.

use crate::extract::SymbolKind;
use crate::extract::packed::NONE;

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
    pub(in crate::resolve) fn extension(&self, trail: &mut Trail, file: u32, key: u64, name: &str) -> Option<u32> {
        let all = self.names(trail, self.families[file as usize], key, name);
        let mut found = all.iter().copied().filter(|&symbol| {
            self.owner(symbol) == NONE
                && self.kind_of(symbol) == SymbolKind::Method
                && self.is_file(self.parents[symbol as usize])
                && self.reaches(file, self.file_of[symbol as usize])
        });
        match (found.next(), found.next()) {
            (Some(symbol), None) => Some(symbol),
            _ => None,
        }
    }
}
