//! From bytes to text: leniently, and saying so.

use std::borrow::Cow;

/// What a file's bytes turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decoded {
    /// Text with `\n` line ends. `lossy` if some bytes had to be guessed or replaced.
    Text {
        /// The text.
        text: String,
        /// Whether the text may differ from what its writer saw.
        lossy: bool,
    },
    /// No text.
    Binary,
}

/// Magic numbers of formats that may lack a NUL byte near their start.
const MAGIC: &[&[u8]] = &[
    b"%PDF-",
    b"\x89PNG",
    b"GIF87a",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"Rar!\x1a",
    b"\x7fELF",
    b"\xca\xfe\xba\xbe",
    b"SQLite format 3",
    b"wOFF",
    b"wOF2",
    b"\x28\xb5\x2f\xfd",
    b"RIFF",
];

/// Decode the bytes of a file.
///
/// UTF-8 with or without a byte order mark and UTF-16 with one are taken as they are. Anything else that is no binary is kept too
/// and marked lossy: mostly-UTF-8 text with bad bytes gets U+FFFD for those bytes; text without any valid multi-byte sequence is
/// read as windows-1252, the superset of Latin-1 that legacy files were written in, so that its words stay searchable.
///
/// ```
/// use loci_collect::{Decoded, decode};
/// assert_eq!(decode(b"caf\xe9\r\n"), Decoded::Text { text: "café\n".into(), lossy: true });
/// assert_eq!(decode(b"\x00\x01"), Decoded::Binary);
/// ```
pub fn decode(bytes: &[u8]) -> Decoded {
    if let Some((encoding, mark)) = encoding_rs::Encoding::for_bom(bytes) {
        // A UTF-32 mark begins like a UTF-16 one.
        if encoding != encoding_rs::UTF_8 && bytes.starts_with(b"\xff\xfe\0\0") {
            return Decoded::Binary;
        }
        let (text, lossy) = encoding.decode_without_bom_handling(&bytes[mark..]);
        if text.contains('\0') {
            return Decoded::Binary;
        }
        return Decoded::Text { text: unix_line_ends(text.into_owned()), lossy };
    }
    if MAGIC.iter().any(|magic| bytes.starts_with(magic)) || bytes.contains(&0) {
        return Decoded::Binary;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded::Text { text: unix_line_ends(text.to_owned()), lossy: false },
        Err(_) if is_mostly_control(bytes) => Decoded::Binary,
        Err(_) => {
            let (mut sequences, mut bad) = (0usize, 0usize);
            for chunk in bytes.utf8_chunks() {
                sequences += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
                bad += usize::from(!chunk.invalid().is_empty());
            }
            let text = if sequences > bad {
                String::from_utf8_lossy(bytes).into_owned()
            } else {
                encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
            };
            Decoded::Text { text: unix_line_ends(text), lossy: true }
        }
    }
}

/// Compressed or encrypted data without a NUL byte still gives itself away by control characters.
fn is_mostly_control(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(8192)];
    let control = sample.iter().filter(|byte| matches!(byte, 1..=8 | 11 | 14..=26 | 28..=31 | 127)).count();
    control * 20 > sample.len()
}

/// `\r\n` becomes `\n`; in a file of the old Macintosh habit, which has no `\n` at all, so does `\r`.
fn unix_line_ends(text: String) -> String {
    if !text.contains('\r') {
        text
    } else if text.contains('\n') {
        text.replace("\r\n", "\n")
    } else {
        text.replace('\r', "\n")
    }
}

/// Decode a commit message: by the encoding its header names, else as a file would be. Control characters are dropped.
pub(crate) fn decode_message(bytes: &[u8], encoding: Option<&[u8]>) -> String {
    let named = encoding.and_then(encoding_rs::Encoding::for_label).filter(|encoding| *encoding != encoding_rs::UTF_8);
    let text: Cow<'_, str> = match (named, std::str::from_utf8(bytes)) {
        (Some(encoding), _) => encoding.decode_without_bom_handling(bytes).0,
        (None, Ok(text)) => Cow::Borrowed(text),
        (None, Err(_)) => {
            let has_sequences = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
            if has_sequences {
                String::from_utf8_lossy(bytes)
            } else {
                encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0
            }
        }
    };
    let text = unix_line_ends(text.into_owned());
    if text.contains(|c: char| c.is_control() && c != '\n' && c != '\t') {
        text.chars().filter(|c| !c.is_control() || *c == '\n' || *c == '\t').collect()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str, lossy: bool) -> Decoded {
        Decoded::Text { text: text.to_owned(), lossy }
    }

    #[test]
    fn utf_8_and_utf_16_with_a_mark_are_exact() {
        assert_eq!(text("héllo\nworld", false), decode("héllo\r\nworld".as_bytes()));
        assert_eq!(text("a", false), decode(b"\xef\xbb\xbfa"));
        assert_eq!(text("hé", false), decode(b"\xff\xfeh\0\xe9\0"));
        assert_eq!(text("hé", false), decode(b"\xfe\xff\0h\0\xe9"));
        assert_eq!(text("", false), decode(b""));
        assert_eq!(text("a\nb", false), decode(b"a\rb"));
    }

    #[test]
    fn binary_is_binary() {
        for bytes in [&b"a\0b"[..], b"h\0i\0", b"%PDF-1.4", b"\xff\xfe\0\0h\0\0\0", b"\x01\x02\x03\xff\x05\x06"] {
            assert_eq!(Decoded::Binary, decode(bytes), "{bytes:?}");
        }
    }

    // FIELD 62, 63: a file that is not UTF-8, or has one bad byte, is kept whole.
    #[test]
    fn one_bad_byte_costs_one_character() {
        assert_eq!(text("naïve caf\u{fffd} 東京", true), decode(b"na\xc3\xafve caf\xe9 \xe6\x9d\xb1\xe4\xba\xac"));
        assert_eq!(text("Müller", true), decode(b"M\xfcller"));
        // A lone surrogate, as some tools write it.
        let Decoded::Text { text, lossy: true } = decode(b"def f(): pass # \xed\xa0\x80") else { panic!("kept") };
        assert!(text.starts_with("def f(): pass # "));
    }

    #[test]
    fn messages_follow_their_header() {
        assert_eq!("Grüße", decode_message(b"Gr\xfc\xdfe", Some(b"ISO-8859-1")));
        assert_eq!("日本", decode_message(b"\x93\xfa\x96\x7b", Some(b"Shift_JIS")));
        assert_eq!("Grüße", decode_message(b"Gr\xfc\xdfe", None));
        assert_eq!("ab\n", decode_message(b"a\x07b\r\n", Some(b"nonsense")));
    }
}
