//! What the resolver looks names up in, read file by file as it is asked for, and a record of what it asked.
//!
//! A graph keeps of each file what resolving it asked of the other files. A later build resolves again the files that changed and
//! those that had asked for something that changed; every other file would get the same answers and so the same edges.

use std::borrow::Cow;
use std::hash::Hash;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;

use crate::extract::packed::{self, File, NONE};
use crate::ids::{FileId, NameKey, PackageId, SymbolId};
use crate::resolve::modules::Family;
use crate::store::Graph;

/// The facts of all files, unpacked when they are first asked for.
pub(crate) struct Facts<'a> {
    packed: &'a [OnceLock<Vec<u8>>],
    compressed: Vec<&'a [u8]>,
    /// How many symbols each file must have; [`NONE`] where nothing is known yet.
    counts: Vec<u32>,
    files: Vec<OnceLock<File<'a>>>,
    damaged: AtomicBool,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(packed: &'a [OnceLock<Vec<u8>>], compressed: Vec<&'a [u8]>, counts: Vec<u32>) -> Self {
        let files = (0..packed.len()).map(|_| OnceLock::new()).collect();
        Self { packed, compressed, counts, files, damaged: AtomicBool::new(false) }
    }

    pub(crate) fn len(&self) -> usize {
        self.packed.len()
    }

    /// The facts of a file. Those that do not hold together are as good as none, and [`Facts::damaged`] says so.
    pub(crate) fn file(&self, file: FileId) -> &File<'a> {
        let place = file.index();
        self.files[place].get_or_init(|| {
            let bytes = self.packed[place].get_or_init(|| {
                packed::decompress(self.compressed[place]).map(|(packed, _)| packed).unwrap_or_default()
            });
            let count = self.counts[place];
            match packed::unpack(bytes) {
                Ok(file) if count == NONE || file.symbols.len() == count as usize => file,
                _ => {
                    self.damaged.store(true, Ordering::Relaxed);
                    File::blank(if count == NONE { 0 } else { count as usize })
                }
            }
        })
    }

    /// Whether the facts of a file that was asked for did not hold together.
    pub(crate) fn damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }
}

/// Many values by a pair of keys, those of one pair ascending.
pub(crate) struct Multi<G, V> {
    ranges: FxHashMap<(G, NameKey), (u32, u32)>,
    values: Vec<V>,
}

impl<G, V> Default for Multi<G, V> {
    fn default() -> Self {
        Self { ranges: FxHashMap::default(), values: Vec::new() }
    }
}

impl<G: Copy + Ord + Hash, V: Ord> Multi<G, V> {
    pub(crate) fn new(mut entries: Vec<(G, NameKey, V)>) -> Self {
        entries.sort_unstable();
        let mut ranges = FxHashMap::with_capacity_and_hasher(entries.len(), Default::default());
        let mut start = 0;
        while start < entries.len() {
            let (group, key) = (entries[start].0, entries[start].1);
            let mut end = start + 1;
            while end < entries.len() && (entries[end].0, entries[end].1) == (group, key) {
                end += 1;
            }
            ranges.insert((group, key), (start as u32, end as u32));
            start = end;
        }
        Self { ranges, values: entries.into_iter().map(|entry| entry.2).collect() }
    }

    #[inline]
    pub(crate) fn get(&self, group: G, key: NameKey) -> &[V] {
        self.ranges.get(&(group, key)).map_or(&[], |&(start, end)| &self.values[start as usize..end as usize])
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// Symbols by name over all files.
pub(crate) enum Names<'a> {
    /// By family and by package.
    All { families: Multi<Family, SymbolId>, packages: Multi<PackageId, SymbolId> },
    /// Those of an older graph, where files that changed have others.
    Older {
        graph: &'a Graph,
        /// Each symbol of the older graph as it is now; [`SymbolId::NONE`] in files that changed.
        now: Vec<SymbolId>,
        families: Multi<Family, SymbolId>,
        packages: Multi<PackageId, SymbolId>,
    },
}

/// Two sorted lists as one.
pub(crate) fn merged<'s>(one: &'s [SymbolId], other: &[SymbolId]) -> Cow<'s, [SymbolId]> {
    if other.is_empty() {
        return Cow::Borrowed(one);
    }
    let mut both = [one, other].concat();
    both.sort_unstable();
    Cow::Owned(both)
}

/// Bits of a record of what was asked: few enough that a set of them is a small bitmap, enough that two questions are rarely one.
const BITS: u32 = 20;

/// What was asked, as a small number: something of a file, or of all.
#[inline]
pub(crate) fn asked(whom: u64, what: u64) -> u32 {
    let mixed = (whom.rotate_left(23) ^ what).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> (64 - BITS)) as u32
}

/// Whom and what a question can be about, besides a name in a file.
pub(crate) mod about {
    pub(crate) const EXPORTS: u64 = 0x51;
    pub(crate) const WILDCARDS: u64 = 0x52;
    pub(crate) const SUPERS: u64 = 0x5300_0000_0000_0000;
    pub(crate) const DERIVED: u64 = 0x5400_0000_0000_0000;
    pub(crate) const FAMILY: u64 = 0x5500_0000_0000_0000;
    pub(crate) const PACKAGE: u64 = 0x5600_0000_0000_0000;
}

/// A set of such questions.
pub(crate) struct Questions {
    bits: Vec<u64>,
    pub(crate) empty: bool,
}

impl Questions {
    pub(crate) fn new() -> Self {
        Self { bits: vec![0; 1 << (BITS - 6)], empty: true }
    }

    pub(crate) fn add(&mut self, question: u32) {
        self.bits[question as usize / 64] |= 1 << (question % 64);
        self.empty = false;
    }

    pub(crate) fn has(&self, question: u32) -> bool {
        self.bits.get(question as usize / 64).is_some_and(|word| word >> (question % 64) & 1 == 1)
    }
}
