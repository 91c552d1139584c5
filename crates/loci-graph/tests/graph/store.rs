//! The file of a graph: what is kept, what is not, and damage.

use loci_collect::{Policy, Redactor};
use loci_container::ContainerError;
use loci_graph::{Graph, GraphError, build};
use proptest::prelude::*;

use super::{SHOP, encode, repository};

#[test]
fn secrets_are_not_kept() {
    let key = ["AKIA", "Z7QTR4WX2MPLN6VB"].concat();
    let files = [
        ("a.py", format!("def connect(access_key=\"{key}\"):\n    pass\n")),
        // A name, a title, a key, an import, a manifest; and one that the signature's length cuts in two.
        ("b.py", format!("class C:\n    def {key}(self):\n        pass\n")),
        (
            "c.test.ts",
            format!("import x from 'https://{key}@host.example/x.js';\ntest('takes {key}', () => {{ x() }});\n"),
        ),
        (
            "d.js",
            format!(
                "const o = {{ '{key}': function () {{}} }};\nfunction long(a = ['{}', '{key}']) {{}}\n",
                "y".repeat(170)
            ),
        ),
        ("package.json", format!("{{\"name\": \"{key}\", \"main\": \"./{key}.js\"}}")),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let (encoded, _) = encode(repository(&files).path(), None);
    let graph = Graph::from_bytes(&encoded.bytes).unwrap();
    let (signature, _) = graph.texts(graph.find("connect")[0]).unwrap();
    assert_eq!("def connect(access_key=\"REDACTEDxxxxxxxxxxxx\")", signature);
    // The facts of each file are compressed.
    let mut stored = encoded.bytes.clone();
    let mut frames = 0;
    for at in 0..encoded.bytes.len() - 4 {
        if encoded.bytes[at..].starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            let mut frame = zstd::stream::read::Decoder::new(&encoded.bytes[at..]).unwrap().single_frame();
            frames += usize::from(std::io::Read::read_to_end(&mut frame, &mut stored).is_ok());
        }
    }
    assert!(frames >= files.len());
    for part in [&key[..], &key[..10], &key[10..]] {
        assert!(!stored.windows(part.len()).any(|window| window == part.as_bytes()), "{part}");
    }
}

#[test]
fn damage_is_an_error() {
    let directory = repository(SHOP);
    let (encoded, _) = encode(directory.path(), None);
    let cut = &encoded.bytes[..encoded.bytes.len() / 2];
    assert!(matches!(Graph::from_bytes(cut), Err(GraphError::File(ContainerError::Damaged { .. }))));
    let nothing = directory.path().join("nothing");
    assert!(matches!(Graph::open(&nothing, None), Err(GraphError::File(ContainerError::Missing { .. }))));
    encoded.write(directory.path()).unwrap();
    let path = directory.path().join(&encoded.name);
    assert!(matches!(Graph::open(&path, Some("other")), Err(GraphError::File(ContainerError::Outdated { .. }))));
    Graph::open(&path, Some(&encoded.header.signature)).unwrap().verify().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_flipped_byte_is_an_error_or_an_answer_but_no_panic(place in 0usize..4000, bit in 0u8..8) {
        let directory = repository(SHOP);
        let mut bytes = encode(directory.path(), None).0.bytes;
        let place = place * bytes.len() / 4000;
        bytes[place] ^= 1 << bit;
        if let Ok(graph) = Graph::from_bytes(&bytes) {
            graph.query("who calls Cart.pay?".into(), 10, false, &[], &[]);
            graph.reach("helper", 3, 10);
            let _ = graph.verify();
            let _ = build(directory.path(), &Policy::default(), &Redactor::default(), Some(&graph), &|_, _, _| {});
        }
    }
}
