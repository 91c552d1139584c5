//! Lua: a module is the table that its file returns.

use crate::ids::{FileId, NameKey};
use crate::store::resolution;

use super::super::{Project, Resolution, Trail, Value};
use super::{Attachment, Members, PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    members: Members::Everywhere,
    attachment: Attachment::Anywhere,
    bare_names: true,
    types_by_name: true,
    functions_as_methods: true,
    ..PLAIN
};

impl Project<'_> {
    /// What the table that a file returns has under a name.
    pub(super) fn in_returned_table(
        &self,
        trail: &mut Trail,
        file: FileId,
        key: NameKey,
        name: &str,
        depth: u32,
    ) -> Option<(Value, Resolution)> {
        match self.bound(trail, self.own_symbols[file.index()], self.keys.default, depth + 1) {
            Some(table @ Value::Symbol(_)) => {
                Some((self.member(trail, table, key, name, depth + 1).0, resolution::IMPORT))
            }
            _ => None,
        }
    }
}
