//! Finding the keywords of all rules in one pass.
//!
//! Every byte is put into one of 32 classes (letters without case), and a bit for each of the 32^3 triples says whether any
//! keyword begins with it. The table fits a first-level cache and no step waits for the one before, which makes the pass several
//! times faster than an automaton that reports overlapping matches; an automaton that does not would lose `token` in
//! `access_token$`. Only where the bit is set are the few keywords of that triple compared.

const TRIPLES: usize = 1 << 15;

struct Keyword {
    /// In lower case, unless `exact`.
    text: Vec<u8>,
    exact: bool,
    target: usize,
}

pub(super) struct Keywords {
    classes: [u16; 256],
    begins: Vec<u64>,
    /// Of every triple, where its keywords begin in `sorted`.
    starts: Vec<u16>,
    sorted: Vec<Keyword>,
}

fn class(byte: u8) -> u16 {
    match byte {
        b'a'..=b'z' => u16::from(byte - b'a') + 1,
        b'A'..=b'Z' => u16::from(byte - b'A') + 1,
        b'0'..=b'9' => 27,
        b'_' | b'-' => 28,
        b':' | b'/' => 29,
        b'"' | b'.' | b'~' | b'<' | b'=' => 30,
        b'?' | b'&' | b';' | b'$' | b' ' => 31,
        _ => 0,
    }
}

fn triple(a: u16, b: u16, c: u16) -> usize {
    usize::from(a << 10 | b << 5 | c)
}

impl Keywords {
    /// `keywords` with what each calls for; one with a capital letter is compared with its case. Each has two bytes or more.
    pub(super) fn new(keywords: impl IntoIterator<Item = (String, usize)>) -> Self {
        let mut placed: Vec<(usize, Keyword)> = Vec::new();
        for (text, target) in keywords {
            let exact = text.bytes().any(|byte| byte.is_ascii_uppercase());
            let bytes = text.as_bytes();
            let thirds = match bytes.get(2) {
                Some(&third) => class(third)..class(third) + 1,
                None => 0..32,
            };
            for third in thirds {
                let keyword = Keyword { text: bytes.to_vec(), exact, target };
                placed.push((triple(class(bytes[0]), class(bytes[1]), third), keyword));
            }
        }
        placed.sort_by(|(a, left), (b, right)| (a, &left.text, left.target).cmp(&(b, &right.text, right.target)));
        let mut begins = vec![0u64; TRIPLES / 64];
        let mut starts = vec![0u16; TRIPLES + 1];
        for (at, _) in &placed {
            begins[at / 64] |= 1 << (at % 64);
            starts[at + 1] += 1;
        }
        for at in 0..TRIPLES {
            starts[at + 1] += starts[at];
        }
        let mut classes = [0; 256];
        for (byte, cell) in (0u8..=255).zip(&mut classes) {
            *cell = class(byte);
        }
        Self { classes, begins, starts, sorted: placed.into_iter().map(|(_, keyword)| keyword).collect() }
    }

    /// Calls `visit(start, end, target)` for every keyword at every place, from left to right.
    pub(super) fn scan(&self, text: &[u8], mut visit: impl FnMut(usize, usize, usize)) {
        let mut rolling = 0usize;
        for (at, &byte) in text.iter().enumerate() {
            rolling = (rolling << 5 | usize::from(self.classes[usize::from(byte)])) & (TRIPLES - 1);
            if self.begins[rolling / 64] >> (rolling % 64) & 1 == 1 && at >= 2 {
                self.compare(text, at - 2, rolling, &mut visit);
            }
        }
        // A keyword of two bytes at the very end.
        if text.len() >= 2 {
            self.compare(text, text.len() - 2, rolling << 5 & (TRIPLES - 1), &mut visit);
        }
    }

    #[inline(never)]
    fn compare(&self, text: &[u8], at: usize, triple: usize, visit: &mut impl FnMut(usize, usize, usize)) {
        for keyword in &self.sorted[usize::from(self.starts[triple])..usize::from(self.starts[triple + 1])] {
            let end = at + keyword.text.len();
            let Some(found) = text.get(at..end) else { continue };
            // The last byte tells most of them apart.
            if (found[found.len() - 1] ^ keyword.text[found.len() - 1]) & !0x20 != 0 {
                continue;
            }
            if if keyword.exact { found == keyword.text } else { found.eq_ignore_ascii_case(&keyword.text) } {
                visit(at, end, keyword.target);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Keywords;

    const KEYWORDS: [&str; 7] = ["token", "access_token$", "pw", "SKa", "://", "en", "ok"];

    fn found(text: &str) -> Vec<(usize, &str, &'static str)> {
        let mut found = Vec::new();
        Keywords::new(KEYWORDS.iter().enumerate().map(|(at, keyword)| ((*keyword).to_owned(), at)))
            .scan(text.as_bytes(), |start, end, target| found.push((start, &text[start..end], KEYWORDS[target])));
        found
    }

    #[test]
    fn every_keyword_is_found_at_every_place() {
        assert_eq!(
            [
                (0, "Access_TOKEN$", "access_token$"),
                (7, "TOKEN", "token"),
                (8, "OK", "ok"),
                (10, "EN", "en"),
                (14, "pw", "pw"),
            ],
            *found("Access_TOKEN$ pw"),
        );
        assert_eq!([(4, "SKa", "SKa"), (9, "://", "://")], *found("ska SKa a://"));
        assert_eq!([(0, "pw", "pw")], *found("pw"));
        assert!(found("p").is_empty());
        assert_eq!([(2, "pw", "pw")], *found("épwé"));
    }
}
