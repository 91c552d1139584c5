//! What a name or an expression can mean.

use crate::ids::{ModuleId, SymbolId};

/// What an expression stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The symbol itself: a function, a class, a variable.
    Symbol(SymbolId),
    /// Something of a class.
    Instance(SymbolId),
    /// The bases of a class.
    Super(SymbolId),
    /// A file or a package.
    Module(ModuleId),
    /// The object literal that a function gives back.
    Made(SymbolId),
    /// Outside of the project.
    External,
    Unknown,
}

/// How sure a value is: worse ways outrank better ones.
pub(super) type Resolution = u8;
