//! Opening a file: mapped, checked once, read as slices.

use std::fs::File;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memmap2::Mmap;
use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::ContainerError;

/// A type of numbers that a table may hold.
pub trait Element: bytemuck::Pod {
    /// Its name in the file.
    const DTYPE: Dtype;
}

impl Element for u8 {
    const DTYPE: Dtype = Dtype::U8;
}
impl Element for u16 {
    const DTYPE: Dtype = Dtype::U16;
}
impl Element for u32 {
    const DTYPE: Dtype = Dtype::U32;
}
impl Element for u64 {
    const DTYPE: Dtype = Dtype::U64;
}
impl Element for i64 {
    const DTYPE: Dtype = Dtype::I64;
}

/// A table of numbers in a file: its place, checked. Read it with [`Container::get`] of the file it was found in.
#[derive(Clone, Debug)]
pub struct Table<T> {
    bytes: Range<usize>,
    element: PhantomData<T>,
}

impl<T> Table<T> {
    /// How many numbers it holds.
    pub fn len(&self) -> usize {
        self.bytes.len() / size_of::<T>()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

enum Bytes {
    Mapped(Mmap),
    Owned(AlignedBytes),
}

/// Bytes whose start lies on an 8-byte border, as the widest numbers need.
struct AlignedBytes {
    words: Vec<u64>,
    length: usize,
}

/// An open file. Cheap to share between threads; all methods only read.
pub struct Container {
    what: &'static str,
    path: PathBuf,
    bytes: Bytes,
    modified: Option<SystemTime>,
}

impl std::fmt::Debug for Container {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Container").field("what", &self.what).field("path", &self.path).finish_non_exhaustive()
    }
}

impl Container {
    /// Maps the file at `path`. `what` is the noun for such files in errors.
    ///
    /// # Errors
    /// [`ContainerError::Missing`], [`ContainerError::Io`].
    pub fn open(what: &'static str, path: &Path) -> Result<Self, ContainerError> {
        let access = |source| ContainerError::access(what, path, source);
        let file = File::open(path).map_err(access)?;
        // SAFETY: files are written once under a temporary name and never changed afterwards; a replaced file is unlinked,
        // which leaves this mapping intact. A program that truncates the file in place breaks that promise.
        let map = unsafe { Mmap::map(&file) }.map_err(access)?;
        let modified = file.metadata().and_then(|metadata| metadata.modified()).ok();
        Ok(Self { what, path: path.to_owned(), bytes: Bytes::Mapped(map), modified })
    }

    /// Takes a file from memory, as [`crate::encode`] made it.
    pub fn from_bytes(what: &'static str, bytes: &[u8]) -> Self {
        let mut words = vec![0u64; bytes.len().div_ceil(8)];
        bytemuck::cast_slice_mut::<u64, u8>(&mut words)[..bytes.len()].copy_from_slice(bytes);
        let bytes = Bytes::Owned(AlignedBytes { words, length: bytes.len() });
        Self { what, path: PathBuf::new(), bytes, modified: None }
    }

    /// The file; empty for one in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// When the file says it was written; `None` in memory.
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// All bytes, to compare them with the name of the file.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Owned(owned) => &bytemuck::cast_slice(&owned.words)[..owned.length],
        }
    }

    /// Gives the mapped pages back to the system; what is read next is mapped again, from its cache or from disk.
    ///
    /// The file stays open, and other threads may be reading it. Does nothing where it is in memory, and on systems
    /// without such a call.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Bytes::Mapped(map) = &self.bytes {
            // SAFETY: the mapping is read-only, and its file is never changed: a page that is dropped, also under a reader,
            // comes back with the same bytes. A failure leaves everything as it was.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }

    /// The error that says what is wrong with the bytes of this file.
    pub fn damaged(&self, detail: impl ToString) -> ContainerError {
        ContainerError::Damaged { what: self.what, path: self.path.clone(), detail: detail.to_string() }
    }

    /// Fails with [`Container::damaged`] unless something holds.
    ///
    /// # Errors
    /// [`ContainerError::Damaged`].
    pub fn ensure(&self, holds: bool, detail: &str) -> Result<(), ContainerError> {
        if holds { Ok(()) } else { Err(self.damaged(detail)) }
    }

    /// Reads the header, an object with the keys `format` and `signature` and whatever else `H` has.
    ///
    /// # Errors
    /// [`ContainerError::Outdated`] when the format is not `format` or, where one is given, the signature another one;
    /// [`ContainerError::Damaged`] when the file is no container or has no such header.
    pub fn header<H: DeserializeOwned>(&self, format: u32, signature: Option<&str>) -> Result<H, ContainerError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        #[derive(Deserialize)]
        struct Signature {
            signature: String,
        }
        let (_, metadata) = SafeTensors::read_metadata(self.bytes()).map_err(|error| self.damaged(error))?;
        let entries = metadata.metadata().as_ref();
        let text = entries.and_then(|entries| entries.get("loci")).ok_or_else(|| self.damaged("no loci header"))?;
        let parsed = |error: serde_json::Error| self.damaged(error);
        let outdated = |found: String, expected: String| ContainerError::Outdated {
            what: self.what,
            path: self.path.clone(),
            found,
            expected,
        };
        // Another format may have another header, so its number is read alone.
        let found: Format = serde_json::from_str(text).map_err(parsed)?;
        if found.format != format {
            return Err(outdated(format!("format {}", found.format), format!("format {format}")));
        }
        let header = serde_json::from_str(text).map_err(parsed)?;
        if let Some(expected) = signature {
            let found: Signature = serde_json::from_str(text).map_err(parsed)?;
            if found.signature != expected {
                return Err(outdated(found.signature, expected.to_owned()));
            }
        }
        Ok(header)
    }

    /// The numbers of a table. It must be one of this file.
    #[inline(always)]
    pub fn get<T: Element>(&self, table: &Table<T>) -> &[T] {
        bytemuck::cast_slice(&self.bytes()[table.bytes.clone()])
    }

    /// The tensors of the file, for [`table`].
    ///
    /// # Errors
    /// [`ContainerError::Damaged`] when the file is no container, or its tensors do not fill it.
    pub fn tensors(&self) -> Result<SafeTensors<'_>, ContainerError> {
        SafeTensors::deserialize(self.bytes()).map_err(|error| self.damaged(error))
    }

    /// Finds a table by its name and checks its type and alignment.
    ///
    /// # Errors
    /// [`ContainerError::Damaged`].
    pub fn table<T: Element>(&self, tensors: &SafeTensors<'_>, name: &str) -> Result<Table<T>, ContainerError> {
        let view = tensors.tensor(name).map_err(|_| self.damaged(format!("no tensor {name}")))?;
        if view.dtype() != T::DTYPE {
            return Err(self.damaged(format!("tensor {name} is {:?}, not {:?}", view.dtype(), T::DTYPE)));
        }
        let data = view.data();
        if data.as_ptr().align_offset(align_of::<T>()) != 0 {
            return Err(self.damaged(format!("tensor {name} is not aligned")));
        }
        let start = data.as_ptr() as usize - self.bytes().as_ptr() as usize;
        Ok(Table { bytes: start..start + data.len(), element: PhantomData })
    }
}

/// Declares the tables of a format: a struct with a [`Table`] for each, and `read`, which finds and checks them all.
///
/// ```
/// loci_container::layout! {
///     /// The tables of a catalogue.
///     struct Layout {
///         offsets: u32 = "name.offsets",
///         bytes: u8 = "name.bytes",
///     }
/// }
/// # let _ = Layout::read;
/// ```
#[macro_export]
macro_rules! layout {
    ($(#[$attribute:meta])* $visibility:vis struct $layout:ident { $($table:ident: $element:ty = $name:expr),* $(,)? }) => {
        $(#[$attribute])*
        $visibility struct $layout { $($visibility $table: $crate::Table<$element>),* }

        impl $layout {
            $visibility fn read(file: &$crate::Container) -> Result<Self, $crate::ContainerError> {
                let tensors = file.tensors()?;
                Ok(Self { $($table: file.table(&tensors, $name)?),* })
            }
        }
    };
}
