//! A rebuild gives the bytes of a fresh build, and changes nothing but what changed.

use loci_graph::{Encoded, Graph};
use proptest::prelude::*;

use super::{SHOP, edges, encode, repository, write};

#[test]
fn what_is_deleted_disappears() {
    let directory = repository(SHOP);
    let root = directory.path();
    let before = Graph::from_bytes(&encode(root, None).0.bytes).unwrap();
    assert_eq!(1, before.find("helper").len());
    write(root, "src/shop/prices.py", "def total(cart):\n    return 0\n");
    std::fs::remove_file(root.join("src/shop/web.py")).unwrap();
    let (encoded, report) = encode(root, Some(&before));
    let after = Graph::from_bytes(&encoded.bytes).unwrap();
    assert!(after.find("helper").is_empty() && after.find("checkout").is_empty());
    assert_eq!(report.files - 1, report.reused_files);
    assert_eq!(encode(root, None).0.name, encoded.name);
}

#[test]
fn a_class_knows_a_method_that_another_file_begins_to_give_it() {
    let classes = "class Base { int size(); };\nclass Heir : public Base { int area(); };\n";
    let directory = repository(&[("classes.cpp", classes), ("methods.cpp", "\n")]);
    let root = directory.path();
    let before = Graph::from_bytes(&encode(root, None).0.bytes).unwrap();
    assert!(edges(&before, "overrides").is_empty());
    write(root, "methods.cpp", "int Base::area() { return 1; }\n");
    let after = encode(root, Some(&before)).0;
    assert_eq!(vec!["Heir.area -> Base.area (exact)"], edges(&Graph::from_bytes(&after.bytes).unwrap(), "overrides"));
    assert_eq!(encode(root, None).0.bytes, after.bytes);
}

/// Small Python files that refer to each other.
fn program() -> impl Strategy<Value = Vec<(String, String)>> {
    let line = (0usize..4, 0usize..4, 0usize..5).prop_map(|(name, other, shape)| match shape {
        0 => format!("from m{other} import f{name}\n"),
        1 => format!("def f{name}():\n    f{other}()\n"),
        2 => format!("class C{name}:\n    def f{other}(self):\n        self.f{name}()\n"),
        3 => format!("import m{other}\nm{other}.f{name}()\n"),
        _ => format!("x{name} = C{other}()\nx{name}.f{name}()\n"),
    });
    let file = (0usize..4, proptest::collection::vec(line, 0..5))
        .prop_map(|(name, lines)| (format!("m{name}.py"), lines.concat()));
    proptest::collection::vec(file, 0..5)
}

/// Lines of each language that refer to other files: `A` and `B` stand for one of four names each.
const LINES: &[(&str, &str, &[&str])] = &[
    (
        "py",
        "",
        &[
            "from mA import fB\n",
            "from mA import *\n",
            "import mA\nmA.fB()\n",
            "def fA() -> CB:\n    fB()\n    return x.fA()\n",
            "class CA(CB):\n    def fB(self):\n        self.fA().fB()\n        self.y = CB()\n        self.y.fA()\n",
            "@fA\ndef fB(thing):\n    thing.fA()\n    CB().fA()\n",
            "xA = CB()\nxA.fB()\n",
        ],
    ),
    (
        "ts",
        "",
        &[
            "import { fA, CB } from './mB';\n",
            "export * from './mA';\n",
            "export { fA as fB } from './mA';\n",
            "import thing from './mA';\nthing.fB();\n",
            "export default function fA() { fB(); }\n",
            "export function fA(c: CB): CA { fB(); return c.fA(); }\n",
            "export class CA extends CB { fA() { this.fB(); } get y(): CB { return this.y.fA(); } }\n",
            "describe('fA', () => { fB(); });\n",
            "export function fA() { return { fB, xA: CB, close() {} }; }\n",
            "const { fA, xB: fB } = fB();\nfA();\nfB().fA();\n",
            "class CA { y = inject(CB); fB() { this.y.fA(); } }\n",
        ],
    ),
    (
        "go",
        "package main\n",
        &[
            "func fA() *CB { fB(); return nil }\n",
            "type CA struct { CB }\n",
            "func (c *CA) fB() { c.fA(); fB() }\n",
            "func (c *CA) gB(d CB) { c.d = fB(); c.d.fA(); d.fB() }\n",
            "var xA = fB()\n",
        ],
    ),
    (
        "rs",
        "",
        &[
            "mod mA;\n",
            "use crate::mA::CB;\n",
            "use super::mA::*;\n",
            "pub struct CA;\n",
            "pub trait TA: TB {\n    fn fB(&self);\n}\n",
            "impl CA {\n    pub fn fB(&self) -> CB {\n        self.fA();\n        fA()\n    }\n}\n",
            "impl TA for CB {\n    fn fA(&self) {\n        crate::mB::fA();\n    }\n}\n",
            "pub fn fA() -> CB {\n    CA::fB()\n}\n",
            "pub fn fA(x: Cell<CB>) {\n    x.take().fA();\n    CA::default().fB();\n}\n",
        ],
    ),
    (
        "java",
        "package p;\n",
        &[
            "class CA extends CB { CB y; void fB() { fA(); y.fB(); new CA().fA(); } }\n",
            "interface TA { void fB(); }\n",
            "class CA implements TB { public void fB() { super.fA(); } }\n",
        ],
    ),
    (
        "rb",
        "",
        &[
            "require_relative 'mA'\n",
            "def fA\n  fB\nend\n",
            "class CA < CB\n  def fB\n    fA\n    @y = CB.new\n    @y.fA\n  end\nend\n",
            "module MA\n  def self.fB\n    CA.new.fB\n  end\nend\n",
        ],
    ),
    (
        "cpp",
        "",
        &[
            "#include \"mA.cpp\"\n",
            "class CA : public CB { void fB(); CB y; };\n",
            "void CA::fB() { fA(); y.fB(); }\n",
            "int fA() { fB(); return 1; }\n",
            "static int fA();\n",
            "namespace mA { int fB(); class CA; }\n",
            "namespace mA { int fB() { return fA(); } namespace mB { class CA { int fA(); }; } }\n",
            "int mA::fB() { return mB::fA(); }\n",
            "using namespace mA;\nint gA(mA::CB y) { return mA::mB::fA() + y.fB(); }\n",
        ],
    ),
    (
        "using.cs",
        "",
        &[
            "global using MA.MB;\n",
            "using static MA.CB;\n",
            "namespace MA { public partial class CA : CB { public int fB() => fA(); } }\n",
            "namespace MA.MB { public static class CA { public static int fB(this string s) => s.Length; } }\n",
            "namespace MA { public static class CA { public static int fB(this CB c) => c.fA(); } }\n",
            "public class CA { CB y; int fB(string s) { return s.fA() + y.fB() + fA(); } }\n",
        ],
    ),
];

/// One of the lines of a language and what `A` and `B` stand for in it.
type Line = (usize, char, char);

fn text() -> impl Strategy<Value = Vec<Line>> {
    proptest::collection::vec((0usize..64, "[0-3]", "[0-3]"), 0..6).prop_map(|lines| {
        let name = |text: String| text.chars().next().unwrap();
        lines.into_iter().map(|(shape, one, other)| (shape, name(one), name(other))).collect()
    })
}

fn written(language: usize, lines: &[Line]) -> String {
    let (_, head, shapes) = LINES[language];
    let body = lines.iter().map(|(shape, one, other)| {
        let mut text = String::new();
        let mut before = ' ';
        for character in shapes[shape % shapes.len()].chars() {
            // A name is one small letter or capital and one of the two places: `fA`, `CB`.
            let place = matches!(before, 'f' | 'C' | 'm' | 'x' | 'T' | 'M' | 'g');
            text.push(match character {
                'A' if place => *one,
                'B' if place => *other,
                other => other,
            });
            before = character;
        }
        text
    });
    std::iter::once(head.to_owned()).chain(body).collect()
}

/// Some files of one or two languages: language, name, lines.
fn project() -> impl Strategy<Value = Vec<(usize, usize, Vec<Line>)>> {
    let languages = (0..LINES.len(), 0..LINES.len());
    let files = proptest::collection::vec((0usize..4, 0usize..5, text()), 2..7);
    (languages, files).prop_map(|((one, other), files)| {
        files.into_iter().map(|(name, which, lines)| (if which == 0 { other } else { one }, name, lines)).collect()
    })
}

/// What happens to one of the files.
#[derive(Clone, Debug)]
enum Change {
    Write(Vec<Line>),
    Append(Vec<Line>),
    /// The first lines go.
    Cut(usize),
    Swap,
    Delete,
    Rename(usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        2 => text().prop_map(Change::Write),
        4 => text().prop_map(Change::Append),
        3 => (1usize..3).prop_map(Change::Cut),
        2 => Just(Change::Swap),
        1 => Just(Change::Delete),
        1 => (0usize..4).prop_map(Change::Rename),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_edit_gives_the_bytes_of_a_fresh_build(
        files in project(),
        changes in proptest::collection::vec((0usize..8, change()), 1..4),
    ) {
        let directory = repository(&[]);
        let root = directory.path();
        let path_of = |language: usize, name: usize| format!("m{name}.{}", LINES[language].0);
        let mut files = files;
        for (language, name, lines) in &files {
            write(root, &path_of(*language, *name), &written(*language, lines));
        }
        let mut graph = Graph::from_bytes(&encode(root, None).0.bytes).unwrap();
        for (which, change) in changes {
            let which = which % files.len();
            let (language, name, lines) = &mut files[which];
            let path = path_of(*language, *name);
            match change {
                Change::Write(text) => *lines = text,
                Change::Append(text) => lines.extend(text),
                Change::Cut(count) => drop(lines.drain(..count.min(lines.len()))),
                Change::Swap => lines.reverse(),
                Change::Delete => {
                    let _ = std::fs::remove_file(root.join(&path));
                    lines.clear();
                }
                Change::Rename(other) => {
                    let _ = std::fs::remove_file(root.join(&path));
                    *name = other;
                }
            }
            if !lines.is_empty() {
                write(root, &path_of(*language, *name), &written(*language, lines));
            }
            let fresh = encode(root, None).0;
            let (incremental, _) = encode(root, Some(&graph));
            prop_assert!(fresh.bytes == incremental.bytes, "{:?}", difference(&fresh, &incremental));
            graph = Graph::from_bytes(&incremental.bytes).unwrap();
            graph.verify().unwrap();
        }
    }
}

/// The parts of two graphs that are not the same, and the edges of both.
fn difference(one: &Encoded, other: &Encoded) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (_, header) = safetensors::SafeTensors::read_metadata(&one.bytes).unwrap();
    let (first, second) = (
        safetensors::SafeTensors::deserialize(&one.bytes).unwrap(),
        safetensors::SafeTensors::deserialize(&other.bytes).unwrap(),
    );
    let mut names: Vec<String> = header.tensors().into_keys().collect();
    names.retain(|name| first.tensor(name).unwrap().data() != second.tensor(name).unwrap().data());
    let edges = |encoded: &Encoded| {
        let graph = Graph::from_bytes(&encoded.bytes).unwrap();
        let all = graph.all_edges(None);
        all.into_iter()
            .map(|(from, edge)| {
                let path = graph.file_path(graph.file_of(edge.to)).to_owned();
                let (from, to) = (graph.qualified(from), graph.qualified(edge.to));
                format!("{from} -{}-> {path} {to} ({}) {}", edge.relation, edge.resolution, edge.candidates)
            })
            .collect::<Vec<_>>()
    };
    let (here, there) = (edges(one), edges(other));
    let only = |list: &[String], rest: &[String]| list.iter().filter(|edge| !rest.contains(edge)).cloned().collect();
    (names, only(&here, &there), only(&there, &here))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_incremental_build_gives_the_bytes_of_a_fresh_one(before in program(), after in program()) {
        let directory = repository(&[]);
        let root = directory.path();
        for (path, text) in &before {
            write(root, path, text);
        }
        let old = Graph::from_bytes(&encode(root, None).0.bytes).unwrap();
        for (path, _) in &before {
            if !after.iter().any(|(kept, _)| kept == path) {
                let _ = std::fs::remove_file(root.join(path));
            }
        }
        for (path, text) in &after {
            write(root, path, text);
        }
        let fresh = encode(root, None).0;
        let incremental = encode(root, Some(&old)).0;
        prop_assert_eq!(&fresh.bytes, &incremental.bytes);
        Graph::from_bytes(&fresh.bytes).unwrap().verify().unwrap();
    }
}
