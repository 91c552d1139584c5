//! Indexes that real indexers made of three small projects, read beside their sources.
//!
//! Made in `/tmp/project` by scip-typescript 0.4.0, scip-python 0.6.6 and scip-go 0.2 from the sources beside them.
#![allow(clippy::unwrap_used, reason = "a failing step of a test is a failing test")]

use std::path::{Path, PathBuf};

use loci_collect::Redactor;
use loci_container::ContainerError;
use loci_graph::{ForeignEdge, ForeignGraph, ForeignSymbol, Graph, GraphError, read_scip};

fn project(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign").join(language)
}

fn graph_of(root: &Path) -> Graph {
    let foreign = read_scip(&root.join("index.scip"), root, &Redactor::default()).unwrap();
    Graph::from_bytes(&foreign.encode().unwrap().bytes).unwrap()
}

/// Edges of a relation, as `from -> to line`.
fn edges(graph: &Graph, relation: &str) -> Vec<String> {
    graph
        .all_edges(None)
        .into_iter()
        .filter(|(_, edge)| graph.header().relations[edge.relation as usize] == relation)
        .map(|(from, edge)| {
            assert_eq!("compiler", graph.header().resolutions[edge.resolution as usize]);
            format!("{} -> {} {}", graph.qualified(from), graph.qualified(edge.to), edge.line)
        })
        .collect()
}

/// Symbols as `kind name first-last @line`.
fn symbols(graph: &Graph) -> Vec<String> {
    (0..graph.symbol_count())
        .map(|symbol| {
            let (first, last) = graph.lines(symbol);
            format!("{} {} {first}-{last} @{}", graph.kind(symbol), graph.qualified(symbol), graph.line(symbol))
        })
        .collect()
}

#[test]
fn an_index_of_typescript_says_what_a_compiler_sees() {
    let graph = graph_of(&project("typescript"));
    assert_eq!(
        ("scip", "by scip-typescript 0.4.0"),
        (graph.header().backend.as_str(), graph.header().notes[0].as_str())
    );
    assert_eq!(
        vec![
            "file cart.ts 1-23 @1",
            "class Cart 4-16 @4",
            "field Cart.items 5-5 @5",
            "method Cart.add 9-11 @9",
            "method Cart.total 13-15 @13",
            "function checkout 18-22 @18",
            "file money.ts 1-18 @1",
            "variable TAX 1-1 @1",
            "function withTax 4-6 @4",
            "interface Rounding 8-10 @8",
            "method Rounding.apply 9-9 @9",
            "class Cash 13-17 @13",
            "method Cash.apply 14-16 @14",
        ],
        symbols(&graph)
    );
    // The type of a parameter decides which `apply` is called, and `new Cart()` is a call of the class.
    assert_eq!(
        vec![
            "Cart.total -> Rounding.apply 14",
            "checkout -> Cart 19",
            "checkout -> Cash 19",
            "checkout -> Cart.add 20",
            "checkout -> Cart.total 21",
        ],
        edges(&graph, "calls")
    );
    // A function that is handed on is used, not called.
    assert!(edges(&graph, "references").contains(&"Cart.total -> withTax 14".to_owned()));
    assert_eq!(vec!["Cash -> Rounding 13"], edges(&graph, "implements"));
    assert_eq!(vec!["Cash.apply -> Rounding.apply 14"], edges(&graph, "overrides"));
    assert_eq!(
        vec![
            "cart.ts -> money.ts 1",
            "cart.ts -> withTax 1",
            "cart.ts -> Cash 1",
            "cart.ts -> money.ts 2",
            "cart.ts -> Rounding 2"
        ],
        edges(&graph, "imports")
    );
    let with_tax = graph.find("withTax")[0];
    assert_eq!(
        ("function withTax(cents: number): number".to_owned(), "Adds the tax to an amount.".to_owned()),
        graph.texts(with_tax).unwrap()
    );
    assert_eq!(Some("Cart"), graph.parent(graph.find("Cart.add")[0]).map(|parent| graph.name(parent)));
}

#[test]
fn an_index_of_python_knows_the_tests() {
    let graph = graph_of(&project("python"));
    assert_eq!(
        vec![
            "cart.py -> checkout 31",
            "Cart.total -> with_tax 20",
            "Cart.total -> Rounding.apply 20",
            "checkout -> Cart 24",
            "checkout -> Cash 24",
            "checkout -> Cart.add 26",
            "checkout -> Cart.total 27",
            "test_checkout_adds_tax -> checkout 5",
        ],
        edges(&graph, "calls")
    );
    assert_eq!(vec!["test_checkout_adds_tax -> checkout 5"], edges(&graph, "tests"));
    assert_eq!(vec!["Cash -> Rounding 18"], edges(&graph, "inherits"));
    assert_eq!(vec!["Cash.apply -> Rounding.apply 21"], edges(&graph, "overrides"));
}

#[test]
fn two_names_of_one_module_in_a_src_folder_are_one() {
    // scip-python defines `src.shop.money` there and refers to `shop.money`.
    let graph = graph_of(&project("python-src"));
    let imports = edges(&graph, "imports");
    for line in ["cart.py -> money.py 3", "cart.py -> money.py 4", "test_cart.py -> cart.py 1"] {
        assert!(imports.iter().any(|edge| edge == line), "{line}: {imports:#?}");
    }
}

#[test]
fn an_index_of_go_names_kinds() {
    let graph = graph_of(&project("go"));
    let found = symbols(&graph);
    for line in
        ["constant Tax 4-5 @5", "interface Rounding 7-10 @8", "struct Cash 12-13 @13", "function WithTax 21-23 @21"]
    {
        assert!(found.iter().any(|symbol| symbol == line), "{line}: {found:#?}");
    }
    assert_eq!(
        vec!["checkout -> WithTax 12", "checkout -> Rounding.Apply 14", "main -> checkout 18"],
        edges(&graph, "calls")
    );
    assert_eq!(vec!["Cash -> Rounding 13"], edges(&graph, "implements"));
}

/// A copy of a project that a test may change.
fn copy_of(language: &str) -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                copy(&entry.path(), &target);
            } else {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(&project(language), folder.path());
    folder
}

#[test]
fn a_file_that_changed_since_is_left_out_and_said() {
    let folder = copy_of("typescript");
    let path = folder.path().join("src/money.ts");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("// Moved by a line.\n{text}")).unwrap();
    let graph = graph_of(folder.path());
    assert_eq!(
        "1 of 2 files of the index changed or went since it was made: make it anew",
        graph.header().notes[1].as_str()
    );
    assert_eq!(
        vec!["checkout -> Cart 19", "checkout -> Cart.add 20", "checkout -> Cart.total 21"],
        edges(&graph, "calls")
    );
    std::fs::remove_file(&path).unwrap();
    assert_eq!(1, graph_of(folder.path()).file_count());
    // What was added behind everything else moved nothing.
    std::fs::write(&path, format!("{text}\nexport const MORE = 1;\n")).unwrap();
    assert_eq!(2, graph_of(folder.path()).file_count());
}

#[test]
fn an_index_names_no_file_outside_of_the_project() {
    let folder = copy_of("typescript");
    let inner = folder.path().join("src");
    let foreign = read_scip(&folder.path().join("index.scip"), &inner, &Redactor::default()).unwrap();
    assert!(foreign.symbols.is_empty());
    assert!(foreign.notes[1].starts_with("2 of 2 files"), "{:?}", foreign.notes);
    #[cfg(unix)]
    {
        let away = tempfile::tempdir().unwrap();
        std::fs::rename(folder.path().join("src/money.ts"), away.path().join("money.ts")).unwrap();
        std::os::unix::fs::symlink(away.path().join("money.ts"), folder.path().join("src/money.ts")).unwrap();
        assert_eq!(1, graph_of(folder.path()).file_count());
    }
}

#[test]
fn bytes_that_are_no_index_are_one_clear_error() {
    let folder = copy_of("typescript");
    let path = folder.path().join("index.scip");
    let whole = std::fs::read(&path).unwrap();
    let read = || read_scip(&path, folder.path(), &Redactor::default());
    std::fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    let error = read().unwrap_err();
    assert!(matches!(error, GraphError::Foreign { .. }));
    assert_eq!(format!("{} cannot be read: it ends in the middle of a field", path.display()), error.to_string());
    for bytes in [&b""[..], b"{\"nodes\": []}", b"\x08\x01", b"PK\x03\x04", &[0xff; 64]] {
        std::fs::write(&path, bytes).unwrap();
        assert!(matches!(read(), Err(GraphError::Foreign { .. })), "{bytes:?}");
    }
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(read(), Err(GraphError::File(ContainerError::Missing { .. }))));
}

#[test]
fn no_byte_of_an_index_can_break_the_reader() {
    let folder = copy_of("go");
    let path = folder.path().join("index.scip");
    let whole = std::fs::read(&path).unwrap();
    let mut kept = 0;
    for place in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[place] = bytes[place].wrapping_mul(31).wrapping_add(171);
        if place % 5 == 0 {
            bytes.truncate(place);
        }
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(foreign) = read_scip(&path, folder.path(), &Redactor::default()) {
            Graph::from_bytes(&foreign.encode().unwrap().bytes).unwrap().verify().unwrap();
            kept += 1;
        }
    }
    assert!(kept > 0 && kept < whole.len());
}

#[test]
fn what_another_tool_says_holds_no_secret_and_claims_no_more_than_it_can() {
    let key = ["AKIA", "Z7QTR4WX2MPLN6VB"].concat();
    let symbol = |place: u32, name: &str, path: &str| ForeignSymbol {
        key: format!("{place}"),
        name: name.to_owned(),
        container: format!("Around {key}"),
        kind: "function".to_owned(),
        path: path.to_owned(),
        line: place,
        signature: format!("def f(a=\"{key}\")"),
        documentation: format!("Takes {key}."),
        ..ForeignSymbol::default()
    };
    let hidden_path = format!("keys/{key}/a.py");
    let mut foreign = ForeignGraph {
        backend: "graphify".to_owned(),
        notes: vec![format!("by tool {key}")],
        symbols: vec![
            symbol(1, &format!("takes {key}"), "a.py"),
            symbol(2, "plain", "a.py"),
            symbol(3, "f", &hidden_path),
        ],
        // More words than there is room for: what finds none is no certainty.
        edges: (0..40)
            .map(|place| ForeignEdge {
                from: "1".to_owned(),
                to: "2".to_owned(),
                relation: "calls".to_owned(),
                resolution: format!("word {place}"),
                line: place + 1,
            })
            .collect(),
        ..ForeignGraph::default()
    };
    foreign.hide(&Redactor::default());
    let bytes = foreign.encode().unwrap().bytes;
    assert!(!bytes.windows(10).any(|window| window == &key.as_bytes()[..10]));
    let graph = Graph::from_bytes(&bytes).unwrap();
    assert_eq!(1, graph.file_count());
    assert!(
        graph.all_edges(None).iter().all(|(_, edge)| graph.header().resolutions[edge.resolution as usize] != "exact")
    );
}
