//! A fingerprint of the rules, so that an index knows whether it was built under the ones that read it.

use std::sync::LazyLock;

use crate::class::UNICODE_VERSION;
use crate::expand::{STEMMER, expand};
use crate::stop::STOP_WORDS;

/// Counts changes of the rules. The signature also covers what the rules do to [`PROBES`], in case somebody forgets.
const RULES_VERSION: u32 = 1;

/// Words that together exercise every rule.
const PROBES: &[&str] = &[
    "HTTPServer",
    "max_retry_count",
    "foo-bar",
    "fooBar",
    "OAuth",
    "GraphQL",
    "macOS",
    "parseURLs",
    "toString",
    "to-do",
    "base64",
    "sha256",
    "d1",
    "n8n",
    "utf8Decode",
    "base64URL",
    "MD5SUM",
    "x86_64",
    "IPv6",
    "1_000_000",
    "0xDEAD_beef",
    "100ul",
    "1e10",
    "a1b2c3d",
    "fb54159861708558",
    "ed25519",
    "facade1",
    "deadbeef",
    "cafe2024",
    "fix-a1b2c3d-typo",
    "550e8400-e29b-41d4-a716-446655440000",
    "don't",
    "user's",
    "O'Reilly",
    "running",
    "international",
    "c",
    "invoice設定",
    "数据库连接",
    "猫",
    "データベース",
    "らーめん",
    "데이터베이스",
    "ไม่สามารถ",
    "ພາສາລາວ",
    "ភាសាខ្មែរ",
    "မြန်မာ",
    "Ｆｕｌｌ",
    "ﬁne",
    "cafe\u{301}",
    "co\u{AD}op",
    "İstanbul",
    "ΟΔΟΣ",
    "МойКласс",
    "हिन्दी",
    "עברית",
    "العربية",
    "J\u{30C}",
    "é",
    "㎏",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
];

/// A short hexadecimal fingerprint (16 digits) of the tokenizer: rules version, Unicode version, stemmer, stop words, and
/// the terms that the rules make of a fixed list of words. Written into every segment; a segment with another signature
/// was built under other rules and has to be built anew.
///
/// ```
/// assert_eq!(loci_text::signature().len(), 16);
/// ```
pub fn signature() -> String {
    static SIGNATURE: LazyLock<String> = LazyLock::new(compute);
    SIGNATURE.clone()
}

fn compute() -> String {
    let mut hash = Fnv::default();
    hash.field(&RULES_VERSION.to_string());
    hash.field(UNICODE_VERSION);
    hash.field(STEMMER);
    for word in STOP_WORDS {
        hash.field(word);
    }
    for probe in PROBES {
        let expansion = expand(probe);
        hash.field(&expansion.width.to_string());
        for term in expansion.terms {
            hash.field(&term.text);
            hash.field(&term.offset.to_string());
        }
    }
    hash.hex()
}

/// FNV-1a, 64 bits: enough to tell two sets of rules apart, and it needs no dependency.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// One text, ended by a byte that UTF-8 never holds, so that fields cannot run into each other.
    fn field(&mut self, text: &str) {
        self.write(text.as_bytes());
        self.write(&[0xFF]);
    }

    pub(crate) fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_matches_its_published_vectors() {
        let of = |text: &str| {
            let mut hash = Fnv::default();
            hash.write(text.as_bytes());
            hash.hex()
        };
        assert_eq!(of(""), "cbf29ce484222325");
        assert_eq!(of("a"), "af63dc4c8601ec8c");
        assert_eq!(of("foobar"), "85944171f73967e8");
    }

    #[test]
    fn a_change_of_the_rules_is_noticed() {
        // When this fails, the rules have changed: raise RULES_VERSION, and put the new signature here. Every index built
        // before then says that it is older.
        assert_eq!((RULES_VERSION, signature().as_str()), (1, "0704ca41500087be"));
    }
}
