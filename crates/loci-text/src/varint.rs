//! LEB128 variable-length integers: small numbers, which postings are made of, take one byte. Segments and graphs are written in them.
//!
//! ```
//! use loci_text::varint::{get, put};
//!
//! let mut bytes = Vec::new();
//! put(&mut bytes, 300);
//! assert_eq!((vec![0xac, 2], Some(300)), (bytes.clone(), get(&bytes, &mut 0)));
//! ```

/// Appends `value` in little-endian base 128.
pub fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push((value as u8) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads one integer at `*at` and moves `*at` behind it; `None` when the bytes end first or the number needs over 32 bits.
#[inline]
pub fn get(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 {
        return Some(u32::from(first));
    }
    let mut value = u32::from(first & 0x7f);
    let mut shift = 7;
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if shift == 28 && byte > 0x0f {
            return None;
        }
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
        shift += 7;
        if shift > 28 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_put_is_read_back(values in proptest::collection::vec(any::<u32>(), 0..50)) {
            let mut bytes = Vec::new();
            for &value in &values {
                put(&mut bytes, value);
            }
            let mut at = 0;
            for &value in &values {
                prop_assert_eq!(get(&bytes, &mut at), Some(value));
            }
            prop_assert_eq!(at, bytes.len());
            prop_assert_eq!(get(&bytes, &mut at), None);
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let mut at = 0;
            while get(&bytes, &mut at).is_some() {}
            prop_assert!(at <= bytes.len());
        }
    }

    #[test]
    fn known_encodings() {
        for (value, expected) in [(0, vec![0]), (127, vec![127]), (128, vec![0x80, 1]), (300, vec![0xac, 2])] {
            let mut bytes = Vec::new();
            put(&mut bytes, value);
            assert_eq!(expected, bytes);
        }
        // Six bytes, and a fifth byte with bits past the 32nd, are no 32-bit number.
        assert_eq!(None, get(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x01], &mut 0));
        assert_eq!(None, get(&[0xff, 0xff, 0xff, 0xff, 0x1f], &mut 0));
    }
}
