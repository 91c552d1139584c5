//! PHP: classes by their full names, `self` and `parent`.

use super::{PLAIN, Semantics};

pub(super) const SEMANTICS: Semantics = Semantics {
    class_words: &["cls", "Self", "static", "self"],
    parent_words: &["parent"],
    bare_names: true,
    types_by_name: true,
    full_names: true,
    ..PLAIN
};
