//! The trail of one file's resolution: where the name stands that is followed, what is being followed, how many lookups are left, and
//! what the file asked of others.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ids::{FileId, NameKey};
use crate::resolve::tables::asked;

use super::meaning::Value;

/// Lookups that one reference may cost. Types that are said in terms of each other can be followed in endlessly many ways; a
/// reference that needs more stays unknown.
pub(super) const STEPS: u32 = 400;
/// Chains that are followed at once.
const MOST_FOLLOWED: usize = 64;

/// Where a name is written: which of its values is meant goes by that.
#[derive(Clone, Copy)]
pub(super) struct Here {
    pub(super) file: FileId,
    pub(super) line: u32,
    /// Outside of everything that the file defines.
    pub(super) top: bool,
    /// The last line of the block that the name is one of; 0 for none.
    pub(super) block: u32,
    /// It may be one of a block around that one as well, or of the symbol as a whole.
    pub(super) outer: bool,
}

impl Here {
    pub(super) const NOWHERE: Here = Here::new(FileId::NONE, 0, false);

    pub(super) const fn new(file: FileId, line: u32, top: bool) -> Here {
        Here { file, line, top, block: 0, outer: true }
    }
}

/// Something that is followed, so that it is not followed again on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Followed {
    /// An import of a file, by its number there.
    Import(FileId, u32),
    /// A binding of a file, by its number there.
    Binding(FileId, u32),
    /// A name in a file.
    Name(FileId, NameKey),
}

/// What is passed down while the references of one file are resolved.
pub(super) struct Trail {
    /// The file that is resolved; [`FileId::NONE`] for none. Questions about itself are not kept.
    file: FileId,
    /// What it asked of other files.
    asked: FxHashSet<u32>,
    /// Chains being followed, so that a circle of imports or aliases ends.
    following: Vec<Followed>,
    /// Lookups left to the reference that is being resolved.
    steps_left: u32,
    /// Where what is being followed is written.
    pub(super) here: Here,
    /// Modules, and those whose names they pass on, in which that reference found no such name: in a ring of modules that pass on
    /// each other's names there are endlessly many ways to each.
    pub(super) barren: FxHashMap<(FileId, NameKey), Value>,
}

impl Trail {
    /// The trail of a file that is resolved.
    pub(super) fn of(file: FileId) -> Self {
        Self {
            file,
            asked: FxHashSet::default(),
            following: Vec::new(),
            steps_left: STEPS,
            here: Here::NOWHERE,
            barren: FxHashMap::default(),
        }
    }

    /// The file that is resolved.
    pub(super) fn file(&self) -> FileId {
        self.file
    }

    /// Gives the next reference its lookups; `here` is where it is written.
    pub(super) fn start(&mut self, here: Here) {
        self.steps_left = STEPS;
        self.here = here;
        self.barren.clear();
    }

    /// Takes one lookup; false when none is left.
    pub(super) fn step(&mut self) -> bool {
        let is_left = self.steps_left > 0;
        self.steps_left = self.steps_left.saturating_sub(1);
        is_left
    }

    /// Runs `work` unless the same thing is being followed already.
    pub(super) fn follow<R>(&mut self, what: Followed, otherwise: R, work: impl FnOnce(&mut Self) -> R) -> R {
        if self.following.contains(&what) || self.following.len() >= MOST_FOLLOWED {
            return otherwise;
        }
        self.following.push(what);
        let result = work(self);
        self.following.pop();
        result
    }

    /// Notes a question about a file, or with [`FileId::ALL`] about all.
    #[inline]
    pub(super) fn note(&mut self, file: FileId, whom: impl FnOnce() -> u64, what: u64) {
        if self.file != file {
            self.asked.insert(asked(whom(), what));
        }
    }

    /// What the file asked of others, ascending.
    pub(super) fn into_asked(self) -> Vec<u32> {
        let mut questions: Vec<u32> = self.asked.into_iter().collect();
        questions.sort_unstable();
        questions
    }
}
