//! Laying tables out, and putting a file in its place.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rayon::prelude::*;
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use serde::Serialize;

use crate::{ContainerError, Element};

/// What one thread copies at a time.
const COPIED_AT_ONCE: usize = 256 << 10;

/// A table to be written.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    name: &'a str,
    dtype: Dtype,
    pieces: Vec<&'a [u8]>,
}

impl<'a> Part<'a> {
    /// A table of these numbers.
    pub fn of<T: Element>(name: &'a str, numbers: &'a [T]) -> Self {
        Self { name, dtype: T::DTYPE, pieces: vec![bytemuck::cast_slice(numbers)] }
    }

    /// A table of bytes that stand in several pieces.
    pub fn of_pieces(name: &'a str, pieces: Vec<&'a [u8]>) -> Self {
        Self { name, dtype: Dtype::U8, pieces }
    }
}

/// Lays tables out as one container, byte for byte as [`safetensors::serialize`] does; several threads copy the pieces once.
/// `what` is the noun for such files in errors.
///
/// # Errors
/// [`ContainerError::TooLarge`] when the tables or the header cannot be laid out.
pub fn encode(
    what: &'static str,
    mut parts: Vec<Part<'_>>,
    header: &impl Serialize,
) -> Result<Vec<u8>, ContainerError> {
    let too_large = |error: String| ContainerError::TooLarge { what, detail: error };
    let text = serde_json::to_string(header).map_err(|error| too_large(error.to_string()))?;
    // Wide numbers first, so that all are aligned.
    parts.sort_by(|one, other| other.dtype.cmp(&one.dtype).then(one.name.cmp(other.name)));
    let mut end = 0;
    let tensors = parts.iter().map(|part| {
        let (start, length) = (end, part.pieces.iter().map(|piece| piece.len()).sum::<usize>());
        end += length;
        let shape = vec![length * 8 / part.dtype.bitsize()];
        (part.name.to_owned(), TensorInfo { dtype: part.dtype, shape, data_offsets: (start, end) })
    });
    // One key only: the metadata is a hash map, and the order of two keys would change from run to run.
    let metadata = Some([("loci".to_owned(), text)].into_iter().collect());
    let metadata = Metadata::new(metadata, tensors.collect()).map_err(|error| too_large(error.to_string()))?;
    let mut metadata = serde_json::to_vec(&metadata).map_err(|error| too_large(error.to_string()))?;
    metadata.resize(metadata.len().next_multiple_of(8), b' ');
    let length = (metadata.len() as u64).to_le_bytes();
    let mut all = vec![0; length.len() + metadata.len() + end];
    let mut rest = &mut all[..];
    let mut copies = Vec::new();
    let pieces = parts.iter().flat_map(|part| &part.pieces).copied();
    for piece in [&length[..], &metadata].into_iter().chain(pieces).flat_map(|piece| piece.chunks(COPIED_AT_ONCE)) {
        let (place, after) = std::mem::take(&mut rest).split_at_mut(piece.len());
        copies.push((place, piece));
        rest = after;
    }
    copies.into_par_iter().with_min_len(8).for_each(|(place, piece)| place.copy_from_slice(piece));
    Ok(all)
}

/// The name that its content gives a file: the first 32 hexadecimal digits of its BLAKE3, and `ending`.
pub fn name_of(bytes: &[u8], ending: &str) -> String {
    named(&blake3::hash(bytes), ending)
}

/// [`name_of`] the file at `path`. Another name than it has means that the file was damaged.
///
/// # Errors
/// What the system says when it cannot be read.
pub fn content_name(path: &Path, ending: &str) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(named(&hasher.finalize(), ending))
}

fn named(hash: &blake3::Hash, ending: &str) -> String {
    format!("{}{ending}", &hash.to_hex()[..32])
}

/// Writes a file into `directory` under its name: a temporary file, synced, then renamed. `modified`, where it is given, is
/// the time that the file carries.
///
/// Nothing is written where a file of that name and content stands already. The content is compared, because building again
/// is how a file that a disk damaged gets repaired.
///
/// # Errors
/// [`ContainerError::Io`]; what was written is removed.
pub fn write(directory: &Path, name: &str, bytes: &[u8], modified: Option<SystemTime>) -> Result<(), ContainerError> {
    // Two threads of one process may write the same file, so the process id alone does not tell them apart.
    static ATTEMPT: AtomicU64 = AtomicU64::new(0);
    let target = directory.join(name);
    let same_length = target.metadata().is_ok_and(|found| found.len() == bytes.len() as u64);
    if same_length && std::fs::read(&target).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    let attempt = ATTEMPT.fetch_add(1, Ordering::Relaxed);
    let temporary = directory.join(format!("{name}.{}-{attempt}.tmp", std::process::id()));
    let put = || -> std::io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        if let Some(modified) = modified {
            file.set_modified(modified)?;
        }
        file.sync_all()?;
        std::fs::rename(&temporary, &target)
    };
    put().map_err(|source| {
        // What was written is of no use to anybody; a failure to remove it changes nothing.
        let _ = std::fs::remove_file(&temporary);
        ContainerError::Io { path: target, source }
    })
}
