//! Definitions of Go for different platforms and build tags.

use crate::cache::NONE;
use crate::modules::Family;

use super::super::{Project, Trail};

impl Project<'_> {
    /// The definitions of one name in one package of Go, seen from another file: each is of another platform or build tag, and
    /// which is compiled the sources do not say. Empty where there is one.
    pub(in crate::resolve) fn twins(&self, trail: &mut Trail, place: u32, to: u32) -> Vec<u32> {
        let there = self.file_of[to as usize];
        if self.families[place as usize] != Family::Go || there == place || self.is_file(to) {
            return Vec::new();
        }
        let found = match self.owner(to) {
            NONE => self.packages(trail, self.modules.package_of[there as usize], self.key(to), self.name(to)),
            class => self.scope(trail, class, self.key(to)),
        };
        let elsewhere = found.iter().any(|&twin| self.file_of[twin as usize] != there);
        if elsewhere && found.contains(&to) { found.into_owned() } else { Vec::new() }
    }
}
