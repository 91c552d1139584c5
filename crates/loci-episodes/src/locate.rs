//! Whether a citation still holds: where a passage stands in its file as the file is now.

use std::path::Path;

use loci_collect::{Decoded, Redactor, decode};

/// Larger files are not searched for a passage: an answer must not wait for a log that grew.
const MAX_BYTES: u64 = 4 << 20;

/// Lines (first and last, from 1) at which `text` stands in the file at `path` now, the place nearest to `lines` if there
/// are several; `None` when it is not there any more. `digest` is that of the file the passage was cut from: an unchanged
/// file is not searched.
pub fn locate(path: &Path, digest: [u8; 16], text: &str, lines: (u32, u32), redactor: &Redactor) -> Option<(u32, u32)> {
    // A file that became a link may lead anywhere; its text is not this project's.
    let metadata = path.symlink_metadata().ok()?;
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    if blake3::hash(&bytes).as_bytes()[..16] == digest {
        return Some(lines);
    }
    let Decoded::Text { text: decoded, .. } = decode(&bytes) else { return None };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // The passage was redacted before it was stored, so it can only be found in redacted text.
    let current = redactor.redact(&decoded, &name);
    find_lines(&current.text, text, lines.0)
}

fn find_lines(haystack: &str, needle: &str, near: u32) -> Option<(u32, u32)> {
    let wanted: Vec<&str> = needle.lines().collect();
    let there: Vec<&str> = haystack.lines().collect();
    if wanted.is_empty() {
        return None;
    }
    let found = there
        .windows(wanted.len())
        .enumerate()
        .filter(|(_, window)| *window == wanted)
        .map(|(start, _)| start as u32 + 1)
        .min_by_key(|start| start.abs_diff(near))?;
    Some((found, found + wanted.len() as u32 - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_several_places_is_taken() {
        let file = "a\nb\nc\na\nb\n";
        assert_eq!(Some((1, 2)), find_lines(file, "a\nb", 1));
        assert_eq!(Some((4, 5)), find_lines(file, "a\nb", 5));
        assert_eq!(None, find_lines(file, "b\na", 1));
        assert_eq!(None, find_lines(file, "", 1));
        assert_eq!(None, find_lines("", "a", 1));
    }

    /// FIELD 34: stored line ranges cut out a different function's body after an edit.
    #[test]
    fn moved_text_is_found_again_and_changed_text_is_not() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.py");
        std::fs::write(&path, "import os\n\ndef f():\n    return 1\n").expect("written");
        let redactor = Redactor::default();
        let place = |text: &str| locate(&path, [0; 16], text, (1, 2), &redactor);
        assert_eq!(Some((3, 4)), place("def f():\n    return 1"));
        assert_eq!(None, place("def f():\n    return 2"));
        let unchanged = blake3::hash(b"import os\n\ndef f():\n    return 1\n").as_bytes()[..16].try_into().expect("16");
        assert_eq!(Some((7, 8)), locate(&path, unchanged, "anything", (7, 8), &redactor));
        assert_eq!(None, locate(&directory.path().join("gone"), [0; 16], "x", (1, 1), &redactor));
    }
}
