//! Numbers of files, symbols, packages and modules, each a type of its own: none can stand where another is meant.

/// No number, where one of a list of a file may stand.
pub(crate) const NONE: u32 = u32::MAX;

/// Declares a number that is an index of one kind of thing.
macro_rules! number {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            /// The place of its value in a list of one for each.
            #[inline(always)]
            pub(crate) const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

number! {
    /// A file of the project, by its place among the sorted paths.
    FileId
}

number! {
    /// A symbol of the project. Symbols are numbered file by file, each file's own symbol first.
    SymbolId
}

number! {
    /// A package: a namespace, or a folder of files that belong together.
    PackageId
}

number! {
    /// What an import can name: a file, or from the number of files on a package.
    ModuleId
}

/// A name as a number: equal names have equal keys, and different ones do not in practice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub(crate) struct NameKey(pub(crate) u64);

impl PackageId {
    /// No package.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

impl From<FileId> for ModuleId {
    fn from(file: FileId) -> Self {
        Self(file.0)
    }
}

impl FileId {
    /// No file.
    pub(crate) const NONE: Self = Self(u32::MAX);
    /// Not one file but all of them.
    pub(crate) const ALL: Self = Self(u32::MAX - 1);
}

impl SymbolId {
    /// No symbol.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// The symbol with the number `local` in the file whose own symbol this is.
    #[inline(always)]
    pub(crate) const fn nth(self, local: u32) -> Self {
        Self(self.0 + 1 + local)
    }

    /// The same; with no number this symbol itself.
    #[inline(always)]
    pub(crate) const fn of_file(self, local: u32) -> Self {
        if local == NONE { self } else { self.nth(local) }
    }
}
