//! From repositories to graphs and answers, on repositories of a few files.
#![allow(clippy::unwrap_used)]

mod incremental;
mod query;
mod resolve;
mod store;

use std::path::Path;
use std::sync::OnceLock;

use loci_collect::{Policy, Redactor};
use loci_graph::{BuildReport, Encoded, Graph, build};

/// A repository of these files, nothing committed.
fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    std::fs::create_dir_all(root.join(".git/objects")).unwrap();
    std::fs::create_dir_all(root.join(".git/refs")).unwrap();
    std::fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    for (path, text) in files {
        write(root, path, text);
    }
    directory
}

fn write(root: &Path, path: &str, text: &str) {
    std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
    std::fs::write(root.join(path), text).unwrap();
}

fn encode(root: &Path, previous: Option<&Graph>) -> (Encoded, BuildReport) {
    // Its patterns take longer to compile than these repositories to read.
    static REDACTOR: OnceLock<Redactor> = OnceLock::new();
    build(root, &Policy::default(), REDACTOR.get_or_init(Redactor::default), previous, &|_, _, _| {}).unwrap()
}

fn graph_of(files: &[(&str, &str)]) -> Graph {
    let directory = repository(files);
    Graph::from_bytes(&encode(directory.path(), None).0.bytes).unwrap()
}

/// Edges of a relation as `from -> to (resolution)`, sorted.
fn edges(graph: &Graph, relation: &str) -> Vec<String> {
    let mut found: Vec<String> = graph
        .all_edges(None)
        .into_iter()
        .filter(|(_, edge)| graph.header().relations[edge.relation as usize] == relation)
        .map(|(from, edge)| {
            let way = &graph.header().resolutions[edge.resolution as usize];
            format!("{} -> {} ({way})", graph.qualified(from), graph.qualified(edge.to))
        })
        .collect();
    found.sort();
    found
}

const SHOP: &[(&str, &str)] = &[
    ("src/shop/__init__.py", "from .cart import Cart\n"),
    (
        "src/shop/cart.py",
        "from .prices import total as add_up\n\n\nclass Base:\n    def close(self):\n        pass\n\n    def rate(self):\n        \
         return 1\n\n\nclass Cart(Base):\n    \"\"\"Holds what a customer wants to buy.\"\"\"\n\n    def rate(self):\n        return 2\n\n    def \
         pay(self):\n        self.close()\n        return add_up(self)\n",
    ),
    ("src/shop/prices.py", "def total(cart):\n    return helper(cart)\n\n\ndef helper(cart):\n    return len(cart)\n"),
    (
        "src/shop/web.py",
        "import shop\nfrom shop import Cart\n\n\ndef checkout():\n    cart = Cart()\n    return cart.pay()\n",
    ),
    ("tests/test_cart.py", "from shop import Cart\n\n\ndef test_pay():\n    assert Cart().pay() == 0\n"),
];
