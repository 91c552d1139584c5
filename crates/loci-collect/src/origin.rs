//! Which project a repository is, and who writes it: what is needed to recognise a clone that moved and to tell one's own
//! projects from others'. Nothing of this is kept in an index.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::FindExt as _;
use rustc_hash::FxHashSet;

use crate::error::CollectError;
use crate::history::Headers;
use crate::repository::{Repository, git_error};

/// See [`Repository::origin`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The first commit of the line of first parents: the same for every clone, whatever was merged into it since. `None`
    /// where the history does not reach that far (a shallow clone, missing objects) or has not begun.
    pub root_commit: Option<[u8; 20]>,
    /// Commits on that line.
    pub first_parents: u64,
    /// Authors of the newest commits that were asked for, by mail address in lower case, with their number of commits.
    pub authors: BTreeMap<String, u32>,
}

impl Repository {
    /// Follow the first parents from HEAD to the root commit, reading who wrote the newest `recent` commits that are no merges.
    ///
    /// # Errors
    /// [`CollectError::Git`] when HEAD or the shallow boundary cannot be read. A history that breaks off has no root commit.
    pub fn origin(&self, recent: u32) -> Result<Origin, CollectError> {
        let mut origin = Origin::default();
        let Some(head) = self.head()? else { return Ok(origin) };
        let mut local = self.inner.to_thread_local();
        let shallow: FxHashSet<ObjectId> = local
            .shallow_commits()
            .map_err(|error| git_error(self.root(), "read the shallow boundary", &error))?
            .map(|commits| commits.iter().copied().collect())
            .unwrap_or_default();
        local.objects.refresh_never();
        let mut buffer = Vec::new();
        let mut read = 0;
        let mut next = Some(ObjectId::from_bytes_or_panic(&head));
        while let Some(id) = next {
            let Ok(object) = local.objects.find(&id, &mut buffer) else { return Ok(origin) };
            let headers = Headers::of(object.data);
            origin.first_parents += 1;
            // What was merged was written by whoever wrote the commits of that side, of which the newest is enough.
            let author = headers.author_mail().to_str_lossy().to_lowercase();
            let parents: Vec<ObjectId> = headers.parents().collect();
            if read < recent {
                read += 1;
                let side = parents.get(1).copied().and_then(|side| {
                    let mut buffer = Vec::new();
                    let object = local.objects.find(&side, &mut buffer).ok()?;
                    Some(Headers::of(object.data).author_mail().to_str_lossy().to_lowercase())
                });
                *origin.authors.entry(side.unwrap_or(author)).or_default() += 1;
            }
            if shallow.contains(&id) {
                return Ok(origin);
            }
            next = parents.first().copied();
            if next.is_none() {
                origin.root_commit = id.as_bytes().try_into().ok();
            }
        }
        Ok(origin)
    }
}
