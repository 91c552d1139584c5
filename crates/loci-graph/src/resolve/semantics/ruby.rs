//! Ruby: classes that stand open in any file, modules as bases, instance variables.

use crate::extract::packed::key_of;
use crate::ids::FileId;

use super::super::{Project, Resolution, Trail, Value};
use super::{Attachment, Members, PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    members: Members::Everywhere,
    attachment: Attachment::Anywhere,
    bare_names: true,
    types_by_name: true,
    functions_as_methods: true,
    imports_everything: true,
    modules_as_bases: true,
    ..PLAIN
};

impl Project<'_> {
    /// What `@cart` holds, of the class around it.
    pub(super) fn instance_variable(
        &self,
        trail: &mut Trail,
        file: FileId,
        inside: u32,
        name: &str,
        depth: u32,
    ) -> Option<(Value, Resolution)> {
        let field = name.starts_with('@').then(|| name.trim_start_matches('@'))?;
        Some(match self.class_around(self.global(file, inside)) {
            Some(class) => self.member(trail, Value::Instance(class), key_of(field), "", depth + 1),
            None => (Value::Unknown, 0),
        })
    }
}
