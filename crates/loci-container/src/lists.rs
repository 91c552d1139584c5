//! Tables of slices and of texts: offsets into one long table.

use std::cmp::Ordering;

use crate::{Container, ContainerError, Element, Table};

/// Many short lists, one after the other in one table; list `n` goes from `offsets[n]` to `offsets[n + 1]`.
#[derive(Clone, Debug)]
pub struct Lists<T> {
    offsets: Table<u32>,
    items: Table<T>,
}

impl<T: Element> Lists<T> {
    /// Lists of a file. [`Lists::check`] them before the first is read.
    pub fn new(offsets: Table<u32>, items: Table<T>) -> Self {
        Self { offsets, items }
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the lists fill the table and none ends before it begins, so that every one can be read.
    ///
    /// # Errors
    /// [`ContainerError::Damaged`], which names `what`.
    pub fn check(&self, file: &Container, what: &str) -> Result<(), ContainerError> {
        let offsets = file.get(&self.offsets);
        file.ensure(
            offsets.first() == Some(&0)
                && offsets.last().map(|&end| end as usize) == Some(self.items.len())
                && offsets.is_sorted(),
            what,
        )
    }

    /// One list. Panics where there is none of this number.
    #[inline]
    pub fn get<'a>(&self, file: &'a Container, number: u32) -> &'a [T] {
        let offsets = file.get(&self.offsets);
        &file.get(&self.items)[offsets[number as usize] as usize..offsets[number as usize + 1] as usize]
    }

    /// Where the list begins and ends in [`Lists::all`].
    #[inline]
    pub fn range(&self, file: &Container, number: u32) -> std::ops::Range<usize> {
        let offsets = file.get(&self.offsets);
        offsets[number as usize] as usize..offsets[number as usize + 1] as usize
    }

    /// All lists as one.
    #[inline]
    pub fn all<'a>(&self, file: &'a Container) -> &'a [T] {
        file.get(&self.items)
    }
}

/// Many short texts, in the order of their bytes where they are to be found by their text.
#[derive(Clone, Debug)]
pub struct Strings(Lists<u8>);

impl Strings {
    /// Texts of a file. [`Strings::check`] them before the first is read.
    pub fn new(offsets: Table<u32>, bytes: Table<u8>) -> Self {
        Self(Lists::new(offsets, bytes))
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As [`Lists::check`]; and the bytes are UTF-8, and no text is cut inside a character.
    ///
    /// # Errors
    /// [`ContainerError::Damaged`], which names `what`.
    pub fn check(&self, file: &Container, what: &str) -> Result<(), ContainerError> {
        self.0.check(file, what)?;
        let text = std::str::from_utf8(self.0.all(file)).map_err(|_| file.damaged(format!("{what}: no UTF-8")))?;
        let whole = file.get(&self.0.offsets).iter().all(|&offset| text.is_char_boundary(offset as usize));
        file.ensure(whole, what)
    }

    /// One text. Panics where there is none of this number.
    #[inline]
    pub fn get<'a>(&self, file: &'a Container, number: u32) -> &'a str {
        std::str::from_utf8(self.0.get(file, number)).unwrap_or("")
    }

    /// The bytes of one text. Panics where there is none of this number.
    #[inline]
    pub fn bytes<'a>(&self, file: &'a Container, number: u32) -> &'a [u8] {
        self.0.get(file, number)
    }

    /// The number of a text; `None` where it is not there.
    pub fn find(&self, file: &Container, text: &str) -> Option<u32> {
        let (offsets, bytes) = (file.get(&self.0.offsets), self.0.all(file));
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match bytes[offsets[middle] as usize..offsets[middle + 1] as usize].cmp(text.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle as u32),
            }
        }
        None
    }

    /// The number of the first text that does not stand before `text`; [`Strings::len`] where all do.
    pub fn first_from(&self, file: &Container, text: &str) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.bytes(file, middle) < text.as_bytes() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
