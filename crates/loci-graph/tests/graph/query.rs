//! Questions, names, users, reach and chains.

use loci_graph::{Asked, Graph, Near, Relations};

use super::{SHOP, edges, graph_of};

// FIELD 105: a production caller was linked to a fixture, and the function itself had none.
#[test]
fn production_callers_come_before_tests_and_stay_apart() {
    let graph = graph_of(SHOP);
    let callers = graph.users("Cart.pay", &["calls"], 10);
    let names: Vec<(&str, bool)> =
        callers.symbols.iter().map(|found| (graph.name(found.symbol), graph.in_tests(found.symbol))).collect();
    assert_eq!(vec![("checkout", false), ("test_pay", true)], names);
    assert_eq!(Some(7), callers.symbols[0].site);
}

#[test]
fn an_ambiguous_call_lists_its_candidates() {
    let graph = graph_of(&[
        ("a.py", "class A:\n    def render(self):\n        pass\n"),
        ("b.py", "class B:\n    def render(self):\n        pass\n"),
        ("c.py", "import a\nimport b\n\n\ndef show(thing):\n    thing.render()\n"),
    ]);
    assert_eq!(vec!["show -> A.render (ambiguous)", "show -> B.render (ambiguous)"], edges(&graph, "calls"));
    assert!(graph.callees("show", 10).symbols.iter().all(|found| found.candidates == 2));
    assert_eq!(Some(&1), graph.header().edges.get("ambiguous"), "one call, however many candidates");
    assert!(graph.reach("A.render", 3, 10).symbols.is_empty(), "what is not sure is not followed");
}

#[test]
fn a_way_goes_through_constructors() {
    let graph = graph_of(&[(
        "a.py",
        "class Request:\n    def __init__(self):\n        encode()\n\n\ndef encode():\n    pass\n\n\ndef build():\n    return Request()\n",
    )]);
    let names = |found: loci_graph::Traversal| -> Vec<String> {
        found.symbols.iter().map(|one| graph.qualified(one.symbol).clone()).collect()
    };
    assert_eq!(vec!["build", "Request", "Request.__init__", "encode"], names(graph.chain("build", "encode")));
    assert_eq!(vec!["Request.__init__", "Request", "build"], names(graph.reach("encode", 3, 40)));
    assert_eq!(vec!["Request.__init__"], names(graph.reach("encode", 1, 40)));
    assert_eq!(vec!["build"], names(graph.users("Request.__init__", &["calls"], 40)));
}

#[test]
fn a_private_name_is_found_as_it_is_shown() {
    let graph = graph_of(&[(
        "a.ts",
        "class Hono {\n  #dispatch() {}\n  fetch() { this.#dispatch(); }\n}\nfunction dispatch() {}\n",
    )]);
    for name in ["Hono.#dispatch", "#dispatch"] {
        let found = graph.find(name);
        assert_eq!(vec!["Hono.#dispatch"], found.iter().map(|&one| graph.qualified(one)).collect::<Vec<_>>(), "{name}");
        assert_eq!(1, graph.users(name, &["calls"], 10).symbols.len());
    }
    assert!(graph.find("Other.#dispatch").iter().all(|&one| graph.qualified(one) != "Hono.#dispatch"));
}

#[test]
fn a_method_of_another_class_is_not_found_for_one_that_is_not_there() {
    let graph =
        graph_of(&[("a.py", "class Cart:\n    def price(self): ...\n\n\nclass Shelf:\n    def Count(self): ...\n")]);
    assert!(graph.find("Shelf.price").is_empty());
    let names = |asked: &str| graph.find(asked).iter().map(|&symbol| graph.qualified(symbol)).collect::<Vec<_>>();
    assert_eq!(vec!["Cart.price"], names("Cart.price"));
    assert_eq!(vec!["Cart.price"], names("cart.Price"));
    assert_eq!(vec!["Shelf.Count"], names("count"));
}

/// A small project of several languages, with a name `total` and a class `Cart` in each.
const PLACES: &[(&str, &str)] = &[
    ("src/shop/__init__.py", "from .cart import Cart\n\n\ndef start():\n    pass\n"),
    ("src/shop/cart.py", "class Cart:\n    def pay(self):\n        pass\n\n\ndef total():\n    pass\n"),
    ("src/shop/types.py", "class Sum:\n    pass\n\n\nclass Info:\n    types: int\n"),
    ("engine/Cargo.toml", "[package]\nname = \"shop-engine\"\n"),
    ("engine/src/lib.rs", "pub mod cart;\npub mod net;\npub fn start() {}\n"),
    (
        "engine/src/cart.rs",
        "pub struct Cart;\nimpl Cart {\n    pub fn pay(&self) {}\n}\npub fn total() {}\npub mod inner {\n    pub fn deep() {}\n}\n",
    ),
    ("engine/src/net/mod.rs", "pub fn send() {}\n"),
    ("go.mod", "module example.org/till\n"),
    ("till.go", "package till\n\ntype Till struct{}\n\nfunc (t *Till) Ring() {}\n\nfunc Open() {}\n"),
    ("bell/loud.go", "package bell\n\nfunc Open() {}\n"),
    ("java/com/shop/Cart.java", "package com.shop;\n\npublic class Cart {\n  void pay() {}\n}\n"),
    ("lib/shop/cart.rb", "module Shop\n  class Cart\n    def pay\n    end\n  end\nend\n"),
    ("web/lib/api.service.ts", "export class Api {\n  get() {}\n}\nexport function load() {}\n"),
];

#[test]
fn a_symbol_is_found_by_its_module_package_or_file() {
    let graph = graph_of(PLACES);
    let found = |name: &str| -> Vec<String> {
        let place = |&symbol: &u32| format!("{} {}", graph.file_path(graph.file_of(symbol)), graph.qualified(symbol));
        graph.find(name).iter().map(place).collect()
    };
    let mut wrong = Vec::new();
    for (names, expected) in [
        (
            &[
                "src/shop/types.py",
                "shop/types.py",
                "./src/shop/types.py",
                "src/shop/types",
                "shop.types",
                "src.shop.types",
            ] as &[&str],
            "src/shop/types.py types.py",
        ),
        (&["shop.types.Sum", "src/shop/types.py#Sum", "shop/types.py:Sum", "types.Sum"], "src/shop/types.py Sum"),
        (&["shop.cart.Cart.pay", "shop/cart.py#Cart.pay", "shop/cart.py::Cart::pay"], "src/shop/cart.py Cart.pay"),
        (&["src/shop"], "src/shop/__init__.py __init__.py"),
        (&["shop.start"], "src/shop/__init__.py start"),
        (
            &["crate::cart::total", "shop_engine::cart::total", "engine::src::cart::total", "self::cart::total"],
            "engine/src/cart.rs total",
        ),
        (
            &["crate::cart::Cart::pay", "shop_engine::cart::Cart::pay", "engine/src/cart.rs#Cart.pay"],
            "engine/src/cart.rs Cart.pay",
        ),
        (&["crate::cart::inner::deep", "cart::inner::deep", "inner::deep"], "engine/src/cart.rs inner.deep"),
        (&["crate::start", "shop_engine::start"], "engine/src/lib.rs start"),
        (&["crate::net::send", "net::send"], "engine/src/net/mod.rs send"),
        (&["crate::cart"], "engine/src/cart.rs cart.rs"),
        (&["crate::net"], "engine/src/net/mod.rs mod.rs"),
        (&["till.Open", "example.org/till.Open"], "till.go Open"),
        (&["bell.Open", "example.org/till/bell.Open", "bell/loud.go:Open"], "bell/loud.go Open"),
        (&["till.Till.Ring", "(*Till).Ring", "Till::Ring", "Till#Ring"], "till.go Till.Ring"),
        (&["com.shop.Cart", "com/shop/Cart.java#Cart"], "java/com/shop/Cart.java Cart"),
        (&["com.shop.Cart.pay", "com.shop.Cart#pay"], "java/com/shop/Cart.java Cart.pay"),
        (&["Shop::Cart#pay", "Shop::Cart.pay"], "lib/shop/cart.rb Shop.Cart.pay"),
        (&["web/lib/api.service.ts", "lib/api.service", "@/lib/api.service"], "web/lib/api.service.ts api.service.ts"),
        (&["lib/api.service.load", "api.service.ts#load"], "web/lib/api.service.ts load"),
        (&["bell"], "bell/loud.go loud.go"),
    ] {
        for name in names {
            if found(name) != [expected] {
                wrong.push(format!("{name}: {:?}", found(name)));
            }
        }
    }
    // The name alone is every one, and a name that is nowhere is none, whatever stands in front.
    assert_eq!(2, found("total").len());
    assert_eq!(4, found("Cart.pay").len());
    for name in [
        "shop.types.Cart",
        "src/shop/nowhere.py",
        "shop/cart.rs",
        "crate::nowhere::total",
        "tokio::start",
        "com.other.Cart",
        "src/shop/cart.py#Sum",
    ] {
        if !found(name).is_empty() {
            wrong.push(format!("{name}: {:?}", found(name)));
        }
    }
    assert_eq!(Vec::<String>::new(), wrong);
    // What is not resolved of a name is not a file's.
    assert_eq!(0, graph.users("shop.types", &["calls"], 10).unresolved);
}

#[test]
fn questions_are_answered_within_their_budget() {
    let graph = graph_of(SHOP);
    let names = ["Cart.pay".to_owned()];
    let relations = Relations { callers: true, ..Relations::default() };
    let callers = Asked { text: "who calls `Cart.pay`?", names: &names, relations };
    let found = graph.query(callers, 40, false, &[], &[]);
    assert_eq!("Cart.pay", graph.qualified(found.symbols[0].symbol));
    let caller = found.symbols.iter().find(|found| graph.name(found.symbol) == "checkout").unwrap();
    assert_eq!((Some("calls"), Some("exact")), (caller.relation.as_deref(), caller.resolution.as_deref()));
    let short = graph.query(callers, 1, false, &[], &[]);
    assert_eq!((1, found.symbols.len() as u32 - 1), (short.symbols.len(), short.left_out));
    assert!(graph.query("zzqxv".into(), 40, false, &[], &[]).symbols.is_empty());
    let hinted =
        graph.query("what holds everything?".into(), 40, false, &["src/shop/prices.py#helper".to_owned()], &[]);
    assert_eq!("helper", graph.name(hinted.symbols[0].symbol));
    // Documents are no symbols, so the first file that holds some is the first hint; and what is hinted is never too weak.
    let hint = |before: &[&str]| -> Vec<String> {
        before.iter().chain(&["src/shop/prices.py#helper"]).map(|&hint| hint.to_owned()).collect()
    };
    let documents = hint(&["README.md", "docs/a.md", "docs/b.md"]);
    assert_eq!(
        graph.query("checkout".into(), 40, false, &hint(&[]), &[]),
        graph.query("checkout".into(), 40, false, &documents, &[])
    );
    let files = hint(&["src/shop/cart.py"; 9]);
    let found = graph.query("checkout".into(), 40, false, &files, &[]);
    assert!(found.symbols.iter().any(|found| graph.name(found.symbol) == "helper"));
    let documented = graph.query("what does a customer buy?".into(), 3, false, &[], &[]);
    assert_eq!("Cart", graph.name(documented.symbols[0].symbol));
}

#[test]
fn a_label_is_what_a_person_would_search_by() {
    let key = ["AKIA", "Z7QTR4WX2MPLN6VB"].concat();
    let session = format!(
        "class HTTPSession:\n    \"\"\"Talks to the bank with {key}.\"\"\"\n    limit = 3\n\n    def close_idle(self, key=\"{key}\"):\n        pass\n"
    );
    let files = [
        ("src/session.py", session.as_str()),
        ("src/again.py", "def run():\n    \"\"\"Runs it.\"\"\"\n"),
        ("src/once.py", "def run():\n    \"\"\"Runs it.\"\"\"\n"),
        ("tests/test_session.py", "def helper():\n    pass\n\ndef test_close():\n    pass\n"),
    ];
    let graph = graph_of(&files);
    let kinds = ["class", "function", "method"].map(str::to_owned);
    let labels = graph.labels(&kinds, &[0]).unwrap();
    let texts: Vec<&str> = labels.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(4, texts.len(), "no test, no field, no file: {texts:?}");
    assert_eq!(["run\nfunction\nRuns it."; 2], texts[..2], "two of one text");
    assert_eq!("http session\nclass\nTalks to the bank with REDACTEDxxxxxxxxxxxx.", texts[2]);
    assert_eq!("http session close idle\nmethod", texts[3], "the default value is not in it");
    assert!(labels.iter().all(|(symbol, _)| kinds.iter().any(|kind| kind == graph.kind(*symbol))));
    assert!(graph.labels(&kinds, &[2]).unwrap().is_empty() && graph.labels(&[], &[0]).unwrap().is_empty());
}

#[test]
fn what_means_the_same_is_found_beside_what_words_find() {
    let graph = graph_of(SHOP);
    let total = graph.find("total")[0];
    let cart = graph.find("Cart")[0];
    let ask = |question: &str, near: &[Near]| -> Vec<u32> {
        graph.query(question.into(), 40, false, &[], near).symbols.iter().map(|found| found.symbol).collect()
    };
    let near = |symbol, share| Near { symbol, share };
    assert_eq!(total, ask("zzqxv", &[near(total, 0.5)])[0], "no word leads to it");
    let words = ask("what does a customer buy?", &[]);
    assert_eq!(cart, words[0]);
    assert_eq!(
        words,
        ask("what does a customer buy?", &[near(total, 0.0), near(u32::MAX, 1.0), near(total, f32::NAN)])
    );
    assert_eq!(total, ask("what does a customer buy?", &[near(total, 20.0)])[0]);
}

#[test]
fn chains_and_reach() {
    let graph = graph_of(SHOP);
    let names = |traversal: loci_graph::Traversal| -> Vec<String> {
        traversal.symbols.iter().map(|found| graph.qualified(found.symbol)).collect()
    };
    assert_eq!(vec!["checkout", "Cart.pay", "total", "helper"], names(graph.chain("checkout", "helper")));
    assert!(names(graph.chain("helper", "checkout")).is_empty());
    assert_eq!(vec!["total", "Cart.pay", "checkout", "test_pay"], names(graph.reach("helper", 3, 10)));
    assert_eq!(vec!["total"], names(graph.reach("helper", 1, 10)));
    assert_eq!(vec!["Cart"], names(graph.found_by_name("CART", 10)));
    assert_eq!(vec!["Cart.rate"], names(graph.found_by_name("Cart#rate", 10)));
    assert_eq!(vec!["total"], names(graph.found_by_name("src/shop/prices.py#total", 10)));
}

/// Who calls a method, as `name:line (how)`.
fn callers(graph: &Graph, name: &str) -> Vec<String> {
    let shown = graph.users(name, &["calls"], 40).symbols;
    let line = |one: &loci_graph::Found| {
        let how = one.resolution.clone().unwrap_or_default();
        format!("{}:{} ({how})", graph.qualified(one.symbol), one.site.unwrap_or_default())
    };
    shown.iter().map(line).collect()
}

#[test]
fn a_call_of_what_a_method_overrides_may_be_one_of_the_method() {
    let graph = graph_of(&[(
        "mail.py",
        "class Base:\n    def __init__(self): ...\n\n    def send(self): ...\n\n    def run(self):\n        self.send()\n\n\n\
         class Mail(Base):\n    def __init__(self): ...\n\n    def send(self):\n        super().send()\n\n\n\
         class Loud(Base):\n    def send(self):\n        Base.send(self)\n        super().send()\n\n\n\
         class Quiet(Base):\n    def hush(self):\n        self.send()\n\n\n\
         class Both(Base):\n    parts: list[Base]\n\n    def send(self):\n        part: Base = self.first()\n        part.send()\n\n    \
         def first(self) -> Base: ...\n\n\n\
         def one(base: Base):\n    base.send()\n\n\ndef two(mail: Mail):\n    mail.send()\n\n\ndef make():\n    Base()\n",
    )]);
    assert_eq!(
        vec![
            "two:43 (exact)",
            // Not `super().send()` of any class, and not `Quiet`, whose own object is no `Mail`.
            "Base.run:7 (through Base.send)",
            "Both.send:33 (through Base.send)",
            "one:39 (through Base.send)",
        ],
        callers(&graph, "Mail.send")
    );
    // Nobody makes a `Mail` by making a `Base`.
    assert_eq!(Vec::<String>::new(), callers(&graph, "Mail.__init__"));
    // Of the base all calls are known, and a name without a class is every method of it.
    assert!(!callers(&graph, "Base.send").iter().any(|line| line.contains("through")));
    assert!(!callers(&graph, "send").iter().any(|line| line.contains("through")));
    // A change reaches who calls it through the base, and says so.
    let reached = graph.reach("Mail.send", 1, 20).symbols;
    let how = |name: &str| {
        reached.iter().find(|one| graph.qualified(one.symbol) == name).map(|one| one.resolution.clone().unwrap())
    };
    assert_eq!(Some("exact".to_owned()), how("two"));
    assert_eq!(Some("through Base.send".to_owned()), how("one"));
    assert_eq!(None, how("Quiet.hush"));
    // The way from a caller of the base leads on to the override.
    let way = graph.chain("one", "Mail.send").symbols;
    let steps: Vec<(String, Option<&str>)> =
        way.iter().map(|one| (graph.qualified(one.symbol), one.relation.as_deref())).collect();
    assert_eq!(
        vec![
            ("one".to_owned(), None),
            ("Base.send".to_owned(), Some("called_by")),
            ("Mail.send".to_owned(), Some("overrides")),
        ],
        steps
    );
    // How many edges are exact is as it was.
    assert!(edges(&graph, "calls").contains(&"one -> Base.send (exact)".to_owned()));
    assert!(!edges(&graph, "calls").contains(&"one -> Mail.send (exact)".to_owned()));
}

#[test]
fn a_call_through_an_interface_may_be_one_of_each_implementation() {
    let java = "interface Store {\n  void save(int a);\n}\nabstract class Base implements Store {\n  public void save(int a) {}\n}\n\
                class Disk extends Base {\n  @Override\n  public void save(int a) {\n    super.save(a);\n  }\n}\n\
                class App {\n  void run(Store store) {\n    store.save(1);\n  }\n  void own(Disk disk) {\n    disk.save(2);\n  }\n}\n";
    let kotlin = "interface Store {\n    fun save(a: Int)\n}\n\nclass Disk : Store {\n    override fun save(a: Int) {}\n}\n\n\
                  fun run(store: Store) {\n    store.save(1)\n}\n\nfun own(disk: Disk) {\n    disk.save(2)\n}\n";
    let csharp = "interface IStore {\n  void Save(int a);\n}\nclass Disk : IStore {\n  public void Save(int a) {}\n}\n\
                  class App {\n  void Run(IStore store) {\n    store.Save(1);\n  }\n  void Own(Disk disk) {\n    disk.Save(2);\n  }\n}\n";
    let script = "export interface Store {\n  save(a: number): void;\n}\nexport class Disk implements Store {\n  save(a: number) {}\n}\n\
                  export function run(store: Store) {\n  store.save(1);\n}\nexport function own(disk: Disk) {\n  disk.save(2);\n}\n";
    let rust = "pub trait Store {\n    fn save(&self, a: i32);\n}\npub struct Disk;\nimpl Store for Disk {\n    fn save(&self, a: i32) {}\n}\n\
                pub fn run(store: &dyn Store) {\n    store.save(1);\n}\npub fn own(disk: &Disk) {\n    disk.save(2);\n}\n";
    for (path, text, method, expected) in [
        ("Store.java", java, "Disk.save", ["App.own:18 (exact)", "App.run:15 (through Store.save)"]),
        ("store.kt", kotlin, "Disk.save", ["own:14 (exact)", "run:10 (through Store.save)"]),
        ("Store.cs", csharp, "Disk.Save", ["App.Own:12 (exact)", "App.Run:9 (through IStore.Save)"]),
        ("store.ts", script, "Disk.save", ["own:11 (exact)", "run:8 (through Store.save)"]),
        ("src/lib.rs", rust, "Disk.save", ["own:12 (exact)", "run:9 (through Store.save)"]),
    ] {
        assert_eq!(expected.to_vec(), callers(&graph_of(&[(path, text)]), method), "{path}");
    }
}

#[test]
fn a_type_of_go_is_called_through_the_interfaces_that_it_has_all_methods_of() {
    let graph = graph_of(&[
        ("go.mod", "module example.com/shop\n"),
        (
            "store/store.go",
            "package store\n\ntype Closer interface {\n\tClose() error\n}\n\ntype Store interface {\n\tCloser\n\tSave(name string, data []byte) \
             error\n}\n\ntype Namer interface {\n\tSave(name string) string\n}\n\nfunc Run(s Store) error {\n\treturn s.Save(\"a\", nil)\n}\n\n\
             func Other(n Namer) string {\n\treturn n.Save(\"a\")\n}\n\nfunc End(c Closer) error {\n\treturn c.Close()\n}\n",
        ),
        (
            "disk/disk.go",
            "package disk\n\ntype base struct{}\n\nfunc (b *base) Close() error {\n\treturn nil\n}\n\ntype Disk struct {\n\tbase\n}\n\n\
             func (d *Disk) Save(to string, bytes []byte) error {\n\treturn nil\n}\n",
        ),
        // Has no `Close`, and so is no `Store`.
        (
            "disk/half.go",
            "package disk\n\ntype Half struct{}\n\nfunc (h Half) Save(to string, bytes []byte) error {\n\treturn nil\n}\n",
        ),
        (
            "main.go",
            "package main\n\nimport \"example.com/shop/disk\"\n\nfunc main() {\n\tvar d disk.Disk\n\td.Save(\"a\", nil)\n}\n",
        ),
    ]);
    assert_eq!(vec!["main:7 (exact)", "Run:17 (through Store.Save)"], callers(&graph, "Disk.Save"));
    assert_eq!(Vec::<String>::new(), callers(&graph, "Half.Save"));
    assert_eq!(vec!["End:25 (through Closer.Close)"], callers(&graph, "base.Close"));
}
