//! What a later build needs to know of how each file was resolved.

use loci_text::varint::{get, put};

/// What a later build needs to know of how a file was resolved. Symbols are places in the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// Its methods that stand away from their class, with that.
    pub(crate) attached: Vec<(u32, u32)>,
    /// Its classes with each of their bases.
    pub(crate) bases: Vec<(u32, u32)>,
    /// The files, and from the number of files on packages, that it imports from; ascending.
    pub(crate) next: Vec<u32>,
    /// What it asked of other files, ascending: see [`crate::heads`].
    pub(crate) asked: Vec<u32>,
    /// How often it uses names without a target, by [`crate::heads::name_number`]; ascending.
    pub(crate) unresolved: Vec<(u32, u32)>,
}

impl Record {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for pairs in [&self.attached, &self.bases] {
            put(out, pairs.len() as u32);
            for &(one, other) in pairs {
                put(out, one);
                put(out, other);
            }
        }
        for list in [&self.next, &self.asked] {
            put(out, list.len() as u32);
            let mut before = 0;
            for &number in list {
                put(out, number - before);
                before = number;
            }
        }
        put(out, self.unresolved.len() as u32);
        let mut before = 0;
        for &(name, count) in &self.unresolved {
            put(out, name - before);
            put(out, count);
            before = name;
        }
    }

    /// Reads what [`Record::write`] wrote; `None` for anything else.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut record = Self::default();
        let mut at = 0;
        let count = |at: &mut usize| get(bytes, at).map(|count| count as usize).filter(|&count| count <= bytes.len());
        for pairs in [&mut record.attached, &mut record.bases] {
            for _ in 0..count(&mut at)? {
                pairs.push((get(bytes, &mut at)?, get(bytes, &mut at)?));
            }
        }
        for list in [&mut record.next, &mut record.asked] {
            let length = count(&mut at)?;
            list.reserve(length);
            let mut number = 0u32;
            for _ in 0..length {
                number = number.checked_add(get(bytes, &mut at)?)?;
                list.push(number);
            }
        }
        let mut name = 0u32;
        for _ in 0..count(&mut at)? {
            name = name.checked_add(get(bytes, &mut at)?)?;
            record.unresolved.push((name, get(bytes, &mut at)?));
        }
        (at == bytes.len()).then_some(record)
    }
}
