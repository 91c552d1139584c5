//! Containers against the reference implementation, against bytes written down by hand, and against damage.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::time::{Duration, SystemTime};

use loci_container::{Container, ContainerError, Lists, Part, Strings, content_name, encode, layout, name_of, write};
use proptest::prelude::*;
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    format: u32,
    signature: String,
}

layout! {
    struct Layout {
        offsets: u32 = "offsets",
        bytes: u8 = "bytes",
        times: i64 = "times",
    }
}

fn header() -> Header {
    Header { format: 1, signature: "r".to_owned() }
}

/// `offsets` 0 1 3, `bytes` "abb", `times` -1.
fn small() -> Vec<u8> {
    let parts = vec![Part::of("bytes", b"abb"), Part::of("offsets", &[0u32, 1, 3]), Part::of("times", &[-1i64])];
    encode("thing", parts, &header()).unwrap()
}

fn opened(bytes: &[u8]) -> Result<(Container, Layout), ContainerError> {
    let file = Container::from_bytes("thing", bytes);
    file.header::<Header>(1, Some("r"))?;
    let layout = Layout::read(&file)?;
    Strings::new(layout.offsets.clone(), layout.bytes.clone()).check(&file, "strings")?;
    Ok((file, layout))
}

#[test]
fn the_bytes_are_those_written_down_here() {
    let bytes = small();
    let json = concat!(
        r#"{"__metadata__":{"loci":"{\"format\":1,\"signature\":\"r\"}"},"#,
        r#""times":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},"#,
        r#""offsets":{"dtype":"U32","shape":[3],"data_offsets":[8,20]},"#,
        r#""bytes":{"dtype":"U8","shape":[3],"data_offsets":[20,23]}}"#
    );
    let padded = format!("{json:<width$}", width = json.len().next_multiple_of(8));
    let mut expected = (padded.len() as u64).to_le_bytes().to_vec();
    expected.extend(padded.as_bytes());
    expected.extend([255; 8]);
    expected.extend([0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0]);
    expected.extend(b"abb");
    assert_eq!(String::from_utf8_lossy(&expected), String::from_utf8_lossy(&bytes));
    assert_eq!(expected, bytes);
}

#[test]
fn tables_are_read_as_they_were_written() {
    let (file, layout) = opened(&small()).unwrap();
    assert_eq!((&[0u32, 1, 3][..], &b"abb"[..]), (file.get(&layout.offsets), file.get(&layout.bytes)));
    assert_eq!((&[-1i64][..], 1, 3), (file.get(&layout.times), layout.times.len(), layout.bytes.len()));
    let strings = Strings::new(layout.offsets.clone(), layout.bytes.clone());
    assert_eq!((2, "a", "bb"), (strings.len(), strings.get(&file, 0), strings.get(&file, 1)));
    assert_eq!([Some(0), Some(1), None, None], ["a", "bb", "b", ""].map(|text| strings.find(&file, text)));
    assert_eq!([0, 0, 1, 1, 2], ["", "a", "aa", "bb", "c"].map(|text| strings.first_from(&file, text)));
    let lists = Lists::new(layout.offsets, layout.bytes);
    assert_eq!((1..3, &b"bb"[..]), (lists.range(&file, 1), lists.get(&file, 1)));
}

#[test]
fn other_rules_are_told_apart_from_damage() {
    let bytes = small();
    let file = Container::from_bytes("thing", &bytes);
    assert_eq!(header(), file.header(1, None).unwrap());
    let of_format = file.header::<Header>(2, None).unwrap_err();
    assert_eq!("the thing  was built under other rules (format 1, now format 2)", of_format.to_string());
    let of_rules = file.header::<Header>(1, Some("new")).unwrap_err();
    assert_eq!("the thing  was built under other rules (r, now new)", of_rules.to_string());
    // The header of a later format may have other keys.
    let later = encode("thing", vec![], &serde_json::json!({"format": 9, "rules": []})).unwrap();
    let error = Container::from_bytes("thing", &later).header::<Header>(1, None).unwrap_err();
    assert!(matches!(error, ContainerError::Outdated { .. }), "{error}");
    let none = encode("thing", vec![], &serde_json::json!({"signature": "r"})).unwrap();
    let error = Container::from_bytes("thing", &none).header::<Header>(1, None).unwrap_err();
    assert!(matches!(error, ContainerError::Damaged { .. }), "{error}");
}

#[test]
fn damage_is_found_when_a_file_is_opened() {
    let bytes = small();
    for cut in 0..bytes.len() {
        let error = opened(&bytes[..cut]).err().unwrap();
        assert!(matches!(error, ContainerError::Damaged { .. }), "{cut}: {error}");
    }
    let with = |parts: Vec<Part<'_>>| opened(&encode("thing", parts, &header()).unwrap()).err().unwrap().to_string();
    let times = || Part::of("times", &[1i64]);
    let cases = [
        (vec![Part::of("offsets", &[0u32]), times()], "no tensor bytes"),
        (vec![Part::of("offsets", &[0u64]), Part::of("bytes", b""), times()], "tensor offsets is U64, not U32"),
        (vec![Part::of("offsets", &[0u32; 0]), Part::of("bytes", b""), times()], "strings"),
        (vec![Part::of("offsets", &[1u32, 2]), Part::of("bytes", b"ab"), times()], "strings"),
        (vec![Part::of("offsets", &[0u32, 1]), Part::of("bytes", b"ab"), times()], "strings"),
        (vec![Part::of("offsets", &[0u32, 2, 1, 2]), Part::of("bytes", b"ab"), times()], "strings"),
        (vec![Part::of("offsets", &[0u32, 1]), Part::of("bytes", b"\xff"), times()], "strings: no UTF-8"),
        (vec![Part::of("offsets", &[0u32, 1, 2]), Part::of("bytes", "é".as_bytes()), times()], "strings"),
    ];
    for (parts, detail) in cases {
        assert_eq!(format!("the thing  is damaged: {detail}"), with(parts));
    }
}

#[test]
fn a_file_is_named_by_its_content_and_put_in_place_whole() {
    let directory = tempfile::tempdir().unwrap();
    let bytes = small();
    let name = name_of(&bytes, ".thing");
    assert_eq!((32 + 6, true), (name.len(), name.ends_with(".thing")));
    let read_at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    write(directory.path(), &name, &bytes, Some(read_at)).unwrap();
    let path = directory.path().join(&name);
    let file = Container::open("thing", &path).unwrap();
    assert_eq!((Some(read_at), &bytes[..]), (file.modified(), file.bytes()));
    file.release();
    assert_eq!(&bytes[..], file.bytes());
    assert_eq!(name, content_name(&path, ".thing").unwrap());
    // What is there already is left alone; what a disk damaged is repaired, also where the length is the same.
    write(directory.path(), &name, &bytes, None).unwrap();
    assert_eq!(Some(read_at), Container::open("thing", &path).unwrap().modified());
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    assert_ne!(name, content_name(&path, ".thing").unwrap());
    write(directory.path(), &name, &bytes, None).unwrap();
    assert_eq!(bytes, std::fs::read(&path).unwrap());
    assert_eq!(1, std::fs::read_dir(directory.path()).unwrap().count(), "nothing temporary is left");
}

#[test]
fn a_file_that_cannot_be_read_or_written_says_which() {
    let directory = tempfile::tempdir().unwrap();
    let none = directory.path().join("none");
    let error = Container::open("thing", &none).unwrap_err();
    assert_eq!(format!("the thing {} is missing", none.display()), error.to_string());
    let error = write(&none, "a", b"b", None).unwrap_err();
    assert!(matches!(&error, ContainerError::Io { path, .. } if *path == none.join("a")), "{error}");
    // A directory stands in the way: what was written beside it is removed.
    std::fs::create_dir(directory.path().join("a")).unwrap();
    assert!(write(directory.path(), "a", b"b", None).is_err());
    assert_eq!(1, std::fs::read_dir(directory.path()).unwrap().count());
}

#[test]
fn pieces_are_laid_out_as_whole_tables() {
    let long: Vec<u8> = (0..700_000u32).map(|place| place as u8).collect();
    let wide: Vec<u64> = (0..5).collect();
    let parts = vec![
        Part::of_pieces("narrow", vec![&long[..5], &[], &long[5..600_000], &long[600_000..]]),
        Part::of("wide", &wide),
        Part::of("a_word", &[7u32]),
        Part::of_pieces("empty", vec![]),
    ];
    let wide_bytes: Vec<u8> = wide.iter().flat_map(|number| number.to_le_bytes()).collect();
    let views = [
        ("empty", TensorView::new(Dtype::U8, vec![0], &[]).unwrap()),
        ("wide", TensorView::new(Dtype::U64, vec![5], &wide_bytes).unwrap()),
        ("narrow", TensorView::new(Dtype::U8, vec![700_000], &long).unwrap()),
        ("a_word", TensorView::new(Dtype::U32, vec![1], &[7, 0, 0, 0]).unwrap()),
    ];
    let text = serde_json::to_string(&header()).unwrap();
    let expected = safetensors::serialize(views, Some([("loci".to_owned(), text)].into_iter().collect())).unwrap();
    assert!(encode("thing", parts, &header()).unwrap() == expected);
}

proptest! {
    #[test]
    fn texts_are_found_as_in_a_sorted_list(
        mut texts in proptest::collection::vec("[abé]{0,3}", 0..20), asked in "[abé]{0,3}"
    ) {
        texts.sort();
        texts.dedup();
        let bytes: Vec<u8> = texts.concat().into_bytes();
        let mut offsets = vec![0u32];
        offsets.extend(texts.iter().scan(0, |end, text| { *end += text.len() as u32; Some(*end) }));
        let parts = vec![Part::of("offsets", &offsets), Part::of("bytes", &bytes), Part::of("times", &[0i64])];
        let (file, layout) = opened(&encode("thing", parts, &header()).unwrap()).unwrap();
        let strings = Strings::new(layout.offsets, layout.bytes);
        let expected = texts.binary_search(&asked);
        prop_assert_eq!(expected.ok().map(|place| place as u32), strings.find(&file, &asked));
        prop_assert_eq!(expected.unwrap_or_else(|place| place) as u32, strings.first_from(&file, &asked));
        for (number, text) in (0..).zip(&texts) {
            prop_assert_eq!(text, strings.get(&file, number));
        }
    }

    /// Whatever the bytes are: either they are refused, or everything can be read.
    #[test]
    fn a_changed_byte_is_refused_or_harmless(at in 0usize..400, value: u8) {
        let mut bytes = small();
        let at = at % bytes.len();
        bytes[at] = value;
        if let Ok((file, layout)) = opened(&bytes) {
            let strings = Strings::new(layout.offsets, layout.bytes);
            let total: usize = (0..strings.len() as u32).map(|number| strings.get(&file, number).len()).sum();
            prop_assert!(total <= bytes.len());
            prop_assert!(file.get(&layout.times).len() <= bytes.len());
        }
    }
}
