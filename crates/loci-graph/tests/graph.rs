//! From repositories to graphs and answers: what is resolved, what is not, and that a rebuild changes nothing but what changed.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::OnceLock;

use loci_collect::{Policy, Redactor};
use loci_graph::{Asked, BuildReport, Encoded, Graph, GraphError, Near, Relations, build};
use proptest::prelude::*;

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

#[test]
fn calls_are_followed_through_imports_types_and_bases() {
    let graph = graph_of(SHOP);
    assert_eq!(
        vec![
            "Cart.pay -> Base.close (exact)",
            "Cart.pay -> total (import)",
            "checkout -> Cart (import)",
            "checkout -> Cart.pay (exact)",
            "test_pay -> Cart (import)",
            "test_pay -> Cart.pay (import)",
            "total -> helper (exact)",
        ],
        edges(&graph, "calls")
    );
    assert_eq!(vec!["Cart -> Base (exact)"], edges(&graph, "inherits"));
    assert_eq!(vec!["Cart.rate -> Base.rate (exact)"], edges(&graph, "overrides"));
    assert_eq!(vec!["test_pay -> Cart (import)", "test_pay -> Cart.pay (import)"], edges(&graph, "tests"));
    // `len` is nobody's here.
    assert_eq!(1, graph.header().unresolved);
}

// FIELD 102: an unresolved call was bound to any function of that name.
#[test]
fn a_name_that_is_not_imported_is_not_bound() {
    let graph = graph_of(&[("a.py", "def save():\n    pass\n"), ("b.py", "def run():\n    save()\n")]);
    assert_eq!(Vec::<String>::new(), edges(&graph, "calls"));
    assert_eq!(1, graph.unresolved_uses("save"));
    assert_eq!(1, graph.users("save", &["calls"], 10).unresolved);
}

// FIELD 103: a parameter was bound to a method of a package that the file never imports.
#[test]
fn a_parameter_that_is_called_is_no_function_of_the_project() {
    let graph = graph_of(&[
        ("a.py", "def handler():\n    pass\n\n\ndef each(handler):\n    handler()\n"),
        ("lib/store.py", "class Store:\n    def persist(self):\n        pass\n"),
        ("b.py", "def use(thing):\n    thing.persist()\n"),
    ]);
    assert_eq!(Vec::<String>::new(), edges(&graph, "calls"));
}

// FIELD 104: the qualifier that is written was dropped.
#[test]
fn the_written_module_decides() {
    let graph = graph_of(&[
        ("go.mod", "module example.org/app\n"),
        ("one/one.go", "package one\n\nfunc Load() {}\n"),
        ("two/two.go", "package two\n\nfunc Load() {}\n"),
        ("main.go", "package main\n\nimport \"example.org/app/two\"\n\nfunc main() {\n\ttwo.Load()\n\tos.Load()\n}\n"),
    ]);
    let callees = graph.callees("main", 10);
    let found: Vec<&str> = callees.symbols.iter().map(|found| graph.file_path(graph.file_of(found.symbol))).collect();
    assert_eq!(vec!["two/two.go"], found);
}

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
fn scripts_are_resolved_through_extensions_re_exports_and_workspaces() {
    let graph = graph_of(&[
        ("packages/core/package.json", r#"{"name": "@shop/core", "main": "./dist/index.js"}"#),
        ("packages/core/src/index.ts", "export { total as sum } from './total';\n"),
        ("packages/core/src/total.ts", "export function total(): number {\n  return 1;\n}\n"),
        ("packages/web/app.ts", "import { sum } from '@shop/core';\n\nexport function show() {\n  return sum();\n}\n"),
    ]);
    assert_eq!(vec!["show -> total (import)"], edges(&graph, "calls"));
}

#[test]
fn what_a_module_exports_under_a_name_that_it_imports_is_what_it_exports() {
    let graph = graph_of(&[
        (
            "src/helper.ts",
            "import { render, clean } from 'library';\n\nconst renderApp = async () => {\n  render();\n};\n\nexport { renderApp as \
             render };\nexport * from './more';\nexport { clean as tidy } from './clean';\n",
        ),
        ("src/more.ts", "export function more() {}\n"),
        ("src/clean.ts", "export function clean() {}\n"),
        (
            "src/use.ts",
            "import { render, more, tidy, clean } from './helper';\n\nexport function show() {\n  render();\n  more();\n  tidy();\n  \
             clean();\n}\n",
        ),
    ]);
    // What the library of others defines is nobody's here.
    assert_eq!(
        vec!["show -> clean (import)", "show -> more (import)", "show -> renderApp (import)"],
        edges(&graph, "calls")
    );
}

// FIELD 104, as judged in restic: two calls of one name on one line, one of them of the standard library.
#[test]
fn a_call_of_go_never_binds_into_a_package_that_it_does_not_name() {
    let graph = graph_of(&[
        ("go.mod", "module example.org/app\n"),
        ("fs/reader.go", "package fs\n\nfunc NewReader(name string) int { return 1 }\n"),
        ("bytes/own.go", "package bytes\n\nfunc NewReader(name string) int { return 1 }\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"bytes\"\n\t\"example.org/app/fs\"\n)\n\nfunc one() {\n\tbytes.NewReader(nil)\n}\n\nfunc \
             two() {\n\tfs.NewReader(\"a\")\n}\n",
        ),
    ]);
    let paths: Vec<String> = graph
        .all_edges(None)
        .into_iter()
        .filter(|(_, edge)| graph.header().relations[edge.relation as usize] == "calls")
        .map(|(from, edge)| format!("{} -> {}", graph.name(from), graph.file_path(graph.file_of(edge.to))))
        .collect();
    assert_eq!(vec!["two -> fs/reader.go"], paths);
}

#[test]
fn a_grammar_calls_the_functions_in_it() {
    let graph = graph_of(&[
        (
            "src/sum.y",
            "%{\n#include \"sum.h\"\nstatic int combine(int a, int b) { return total(a) + b; }\n%}\n%%\nSum:\n  Sum Term { $$ = \
             combine($1, $2); }\n| Term\n;\nTerm: NUMBER { $$ = release($1); };\n%%\nint parse_sum(void) { return yyparse(); }\n",
        ),
        ("src/sum.h", "int total(int a);\n"),
        (
            "src/sum.c",
            "#include \"sum.h\"\nint total(int a) {\n  return a;\n}\nint release(int a) {\n  return parse_sum();\n}\n",
        ),
    ]);
    assert_eq!(
        vec![
            "Sum -> combine (exact)",
            "Term -> release (unique-name)",
            "combine -> total (unique-name)",
            "release -> parse_sum (unique-name)",
        ],
        edges(&graph, "calls")
    );
    assert_eq!(vec!["Sum -> Term (exact)"], edges(&graph, "references"));
}

#[test]
fn a_function_of_c_for_some_platforms_is_not_claimed_for_all() {
    let graph = graph_of(&[
        (
            "thread.h",
            "#ifdef _WIN32\nstatic inline int lock(int *m) {\n  return wait_for(m);\n}\n#else\n#include \
             <pthread.h>\n#endif\n#if !defined(_WIN32)\nstatic inline int only_here(void) {\n  return 1;\n}\n#endif\n",
        ),
        (
            "main.c",
            "#include \"thread.h\"\n#if defined(__APPLE__)\nstatic int now(void) {\n  return mach();\n}\n#else\nstatic int \
             now(void) {\n  return 2;\n}\n#endif\n#ifdef _WIN32\nint both(void) {\n  return 3;\n}\nint pair(void) {\n  return \
             both();\n}\n#endif\nint run(int *m) {\n  lock(m);\n  only_here();\n  return now();\n}\n",
        ),
    ]);
    assert_eq!(
        vec![
            "pair -> both (exact)",
            "run -> lock (unique-name)",
            "run -> now (ambiguous)",
            "run -> now (ambiguous)",
            "run -> only_here (import)",
        ],
        edges(&graph, "calls")
    );
}

#[test]
fn a_parameter_of_a_nameless_function_hides_the_variable_around_it() {
    let graph = graph_of(&[
        ("go.mod", "module example.org/shop\n"),
        (
            "shop.go",
            "package shop\n\nimport \"net/http\"\n\ntype Router interface {\n\tGet(path string)\n}\n\ntype Mux struct{}\n\nfunc NewMux() *Mux { return &Mux{} \
             }\n\nfunc (m *Mux) Get(path string) {}\n\nfunc (m *Mux) Group(f func(r Router)) {}\n\nfunc one() {\n\tr := \
             NewMux()\n\tr.Group(func(r Router) {\n\t\tr.Get(\"/a\")\n\t})\n\tr.Get(\"/b\")\n}\n\nfunc two() {\n\tr := \
             NewMux()\n\tr.Group(func(r *http.Request) {\n\t\tr.Get(\"/a\")\n\t})\n}\n",
        ),
        (
            "cart.ts",
            "export class Cart {\n  total() {}\n}\n\nexport function sum(each: any) {\n  const cart = new Cart();\n  each(cart, (cart) => \
             {\n    cart.total();\n  });\n  each(cart, () => cart.total());\n}\n",
        ),
    ]);
    assert_eq!(
        vec![
            "NewMux -> Mux (exact)",
            "one -> Mux.Get (exact)",
            "one -> Mux.Group (exact)",
            "one -> NewMux (exact)",
            "one -> Router.Get (exact)",
            "sum -> Cart (exact)",
            "sum -> Cart.total (exact)",
            // Of the inner `cart` nothing is known but that it has such a method.
            "sum -> Cart.total (unique-name)",
            "two -> Mux.Group (exact)",
            "two -> NewMux (exact)",
        ],
        edges(&graph, "calls")
    );
}

#[test]
fn a_variable_is_what_it_was_given_last() {
    let graph = graph_of(&[(
        "shop.py",
        "class Cart:\n    def total(self):\n        pass\n\n\nclass Order:\n    def total(self):\n        pass\n\n\ndef \
         run(wanted):\n    thing = Cart()\n    thing.total()\n    thing = Order()\n    thing.total()\n    if wanted:\n        thing = \
         wanted\n    thing.total()\n",
    )]);
    let calls: Vec<String> = graph
        .all_edges(None)
        .into_iter()
        .filter(|(_, edge)| graph.name(edge.to) == "total")
        .filter(|(_, edge)| graph.header().relations[edge.relation as usize] == "calls")
        .map(|(_, edge)| format!("{} {}", edge.line, graph.qualified(edge.to)))
        .collect();
    // Of what `wanted` is nothing is known.
    assert_eq!(vec!["13 Cart.total", "15 Order.total", "18 Order.total"], calls);
}

#[test]
fn a_type_and_a_value_of_one_name_are_each_meant_in_their_place() {
    let graph = graph_of(&[
        (
            "src/core.ts",
            "export interface Maker<T> {\n  init(of: T): void;\n}\n\nexport function make(): Maker<Cart> {\n  return null \
             as any;\n}\n\nexport interface Cart {\n  total(): number;\n}\nexport const Cart: Maker<Cart> = make();\n",
        ),
        (
            "src/use.ts",
            "import { Cart } from './core';\n\nexport function run(cart: Cart) {\n  Cart.init(cart);\n  cart.total();\n  const order = \
             make();\n  type order = number;\n  order.ship();\n}\n\nclass Order {\n  ship() {}\n}\n\nfunction make(): Order {\n  return \
             new Order();\n}\n",
        ),
    ]);
    assert_eq!(
        vec![
            "make -> Order (exact)",
            "run -> Cart.total (exact)",
            "run -> Maker.init (import)",
            "run -> Order.ship (exact)",
            "run -> make (exact)",
        ],
        edges(&graph, "calls").into_iter().filter(|edge| !edge.starts_with("core.ts")).collect::<Vec<_>>()
    );
}

#[test]
fn what_a_nameless_function_keeps_to_itself_is_not_what_the_module_exports() {
    let graph = graph_of(&[
        (
            "src/make.ts",
            "export const makeCart = (() => {\n  function makeCart() {}\n  return makeCart;\n})();\n\nconst pay = (a: any) => \
             a;\nexport const till = wrap({\n  pay: (a: any) => pay(a),\n});\n",
        ),
        ("src/use.ts", "import { makeCart } from './make';\n\nexport function run() {\n  makeCart();\n}\n"),
    ]);
    let calls: Vec<(String, u32)> = graph
        .all_edges(None)
        .into_iter()
        .filter(|(_, edge)| graph.header().relations[edge.relation as usize] == "calls")
        .map(|(from, edge)| (graph.name(from).to_owned(), graph.line(edge.to)))
        .collect();
    assert_eq!(vec![("pay".to_owned(), 6), ("run".to_owned(), 1)], calls);
}

#[test]
fn a_variable_of_go_may_be_called_parent() {
    let graph = graph_of(&[
        ("go.mod", "module example.org/shop\n"),
        (
            "node.go",
            "package shop\n\ntype Node struct{}\n\nfunc (n *Node) Add() {}\n\ntype Case struct{}\n\nfunc (c *Case) run() {\n\tparent := \
             &Node{}\n\tparent.Add()\n}\n",
        ),
    ]);
    assert_eq!(vec!["Case.run -> Node (exact)", "Case.run -> Node.Add (exact)"], edges(&graph, "calls"));
}

#[test]
fn a_package_imports_its_own_modules() {
    let graph = graph_of(&[
        ("src/shop/__init__.py", "from . import prices\nfrom . import missing\n"),
        ("src/shop/prices.py", "def total():\n    pass\n"),
        (
            "tests/test_shop.py",
            "import shop\n\n\ndef test_total():\n    shop.prices.total()\n    shop.missing.total()\n",
        ),
    ]);
    assert_eq!(vec!["test_total -> total (import)"], edges(&graph, "calls"));
}

#[test]
fn a_macro_of_one_branch_is_not_claimed_beside_a_function() {
    let graph = graph_of(&[
        (
            "cart.h",
            "#ifndef CART_H\n#define CART_H\n#ifdef WITH_CART\nint cart_total(int a);\n#else\n#define cart_total(a) 0\n#endif\n#define \
             cart_twice(a) ((a) + (a))\n#ifdef __VMS\n#include \"vms.h\"\n#endif\n#endif\n",
        ),
        ("cart.c", "#include \"cart.h\"\nint cart_total(int a) {\n  return cart_twice(a);\n}\n"),
        ("vms.h", "#define getenv(a) vms_getenv(a)\n"),
        ("main.c", "#include \"cart.h\"\nint main(void) {\n  getenv(\"HOME\");\n  return cart_total(1);\n}\n"),
    ]);
    assert_eq!(
        vec![
            "cart_total -> cart_twice (import)",
            "main -> cart_total (ambiguous)",
            "main -> cart_total (ambiguous)",
            "main -> getenv (unique-name)",
        ],
        edges(&graph, "calls")
    );
}

#[test]
fn comments_in_macros_and_macros_between_statements_hide_nothing() {
    let graph = graph_of(&[(
        "loop.c",
        "#define LOOP_FIELDS \\\n  /* The queue. */ \\\n  int queue; \\\n  /* Its \\\n     time. */ \\\n  long time; \\\n  int \
         last;\n\nint run(int a) {\n  return time(a);\n}\n\nstatic void check(double a, void *b) {\n}\n\nint both(void) \
         {\n  run(1);\n  CHECK_BEGIN\n  check(1.0, 0);\n  CHECK_END\n  run(2);\n  return 0;\n}\n",
    )]);
    assert_eq!(vec!["both -> check (exact)", "both -> run (exact)", "both -> run (exact)"], edges(&graph, "calls"));
    assert!(graph.find("time").is_empty());
}

#[test]
fn the_number_of_arguments_tells_overloads_apart() {
    let graph = graph_of(&[
        (
            "src/Till.java",
            "class Till extends Base {\n  void show() {}\n  void show(String a, int... b) {}\n  void print(String a) {}\n  void \
             run(Till till) {\n    show();\n    till.show(\"a\", 1, 2);\n    print(\"a\", /* twice */ \"b\");\n    print(1, 2, 3);\n  }\n}\n",
        ),
        ("src/Base.java", "class Base {\n  void print(String a, String b) {}\n}\n"),
        (
            "src/Check.kt",
            "class Check {\n  fun require(count: Long) {}\n\n  fun run(a: Long) {\n    require(a)\n    require(a > 1) { \"few\" \
             }\n  }\n}\n",
        ),
    ]);
    let calls: Vec<String> = graph
        .all_edges(None)
        .into_iter()
        .filter(|(_, edge)| graph.header().relations[edge.relation as usize] == "calls")
        .map(|(from, edge)| {
            let way = &graph.header().resolutions[edge.resolution as usize];
            let path = graph.file_path(graph.file_of(from));
            format!("{path}:{} {}:{} {way}", edge.line, graph.name(edge.to), graph.line(edge.to))
        })
        .collect();
    assert_eq!(
        vec![
            "src/Check.kt:5 require:2 exact",
            "src/Check.kt:6 require:2 unique-name",
            "src/Till.java:6 show:2 exact",
            "src/Till.java:7 show:3 exact",
            "src/Till.java:8 print:2 exact",
            "src/Till.java:9 print:4 unique-name",
        ],
        calls
    );
}

#[test]
fn attributes_and_absolute_names_mean_nothing_of_the_file() {
    let graph = graph_of(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/lib.rs", "#[test]\nfn test() {\n    run();\n}\n\nfn run() {}\n"),
        (
            "log.rb",
            "module Shop\n  class Logger\n    def call\n      ::Logger.new\n      Logger.new\n    end\n  end\nend\n",
        ),
    ]);
    assert_eq!(vec!["Shop.Logger.call -> Shop.Logger (exact)", "test -> run (exact)"], edges(&graph, "calls"));
}

#[test]
fn an_alias_of_go_is_what_it_names_and_not_its_type_arguments() {
    let graph = graph_of(&[
        ("go.mod", "module example.org/shop\n"),
        (
            "flag.go",
            "package shop\n\ntype Base[T any, V any] struct{}\n\nfunc (b *Base[T, V]) String() string { return \"\" }\n\ntype number[T any] \
             struct{}\n\nfunc (n number[T]) String() string { return \"\" }\n\ntype (\n\tFlag = Base[int, number[int]]\n)\n\nfunc \
             show() {\n\tflag := Flag{}\n\tflag.String()\n}\n",
        ),
    ]);
    assert_eq!(vec!["show -> Base.String (exact)", "show -> Flag (exact)"], edges(&graph, "calls"));
    assert_eq!(Vec::<String>::new(), edges(&graph, "inherits"));
}

#[test]
fn a_bare_name_of_a_script_is_no_method_of_the_object_around_it() {
    let graph = graph_of(&[
        ("src/keys.ts", "export function bindKeys() {}\n"),
        (
            "src/serve.ts",
            "import { bindKeys } from './keys';\n\nexport function serve() {\n  const server = {\n    bindKeys() {\n      bindKeys();\n    \
             },\n  };\n  return server;\n}\n",
        ),
    ]);
    let calls = edges(&graph, "calls");
    assert_eq!(1, calls.len(), "{calls:?}");
    assert!(calls[0].ends_with("-> bindKeys (import)"), "{calls:?}");
}

#[test]
fn an_awaited_call_with_a_type_argument_is_a_call() {
    let graph = graph_of(&[(
        "src/api.ts",
        "interface Requests {\n  get<T>(url: string): Promise<T>;\n}\n\nexport class Api {\n  requests: Requests;\n\n  async about() \
         {\n    return await this.requests.get<string>('/about');\n  }\n\n  async all() {\n    return await load<string>('/all');\n  \
         }\n}\n\nfunction load<T>(url: string): T {\n  return url as T;\n}\n",
    )]);
    assert_eq!(vec!["Api.about -> Requests.get (exact)", "Api.all -> load (exact)"], edges(&graph, "calls"));
}

#[test]
fn a_named_block_of_tests_is_no_function() {
    let graph = graph_of(&[
        ("src/url.ts", "export function splitPath(path: string) {\n  return path.split('/')\n}\n"),
        (
            "src/url.test.ts",
            "import { splitPath } from './url'\n\ndescribe('splitPath', () => {\n  it('splits', () => {\n    \
             splitPath('/a')\n  })\n})\n",
        ),
    ]);
    let calls = edges(&graph, "calls");
    assert!(calls.iter().all(|edge| !edge.contains("-> splitPath (exact)")), "{calls:?}");
    assert_eq!(vec!["splitPath.splits -> splitPath (import)"], calls);
}

#[test]
fn names_taken_out_of_what_a_function_gives_back_are_its_functions() {
    let graph = graph_of(&[
        (
            "tty.ts",
            "import { log } from './log';\nexport function useTty() {\n  const set = (on: boolean) => {};\n  function other() {}\n  return { set, \
             renamed: other, log, close() {} };\n}\nexport const useLog = () => ({ log });\n",
        ),
        ("log.ts", "export function log() {}\n"),
        (
            "a.test.ts",
            "import { useTty, useLog } from './tty';\nconst { log } = useLog();\nexport function run() {\n  const { set, renamed: again, \
             close } = useTty();\n  set(true);\n  again();\n  close();\n  useTty().log();\n  const tty = useTty();\n  tty.set(false);\n  \
             tty.nothing();\n}\n",
        ),
    ]);
    let found = edges(&graph, "calls");
    for expected in [
        "run -> useTty.set (exact)",
        "run -> useTty.other (exact)",
        "run -> useTty.close (exact)",
        "run -> log (import)",
    ] {
        assert!(found.iter().any(|edge| edge == expected), "{expected}: {found:?}");
    }
    assert!(!found.iter().any(|edge| edge.contains("nothing")));
}

#[test]
fn a_service_is_what_it_is_injected_as() {
    let graph = graph_of(&[
        ("toast.ts", "export class Toast {\n  show() {}\n}\n"),
        (
            "view.ts",
            "import { inject } from '@angular/core';\nimport { Toast } from './toast';\nclass View {\n  private toast = inject(Toast);\n  \
             save() {\n    this.toast.show();\n  }\n}\n",
        ),
    ]);
    assert!(
        edges(&graph, "calls").contains(&"View.save -> Toast.show (exact)".to_owned()),
        "{:?}",
        edges(&graph, "calls")
    );
}

#[test]
fn a_function_given_to_an_object_is_a_method_of_whatever_is_not_known() {
    let graph = graph_of(&[
        ("lib/response.js", "var res = module.exports = {};\nres.sendFile = function sendFile(path) {};\n"),
        ("index.js", "module.exports = require('./lib/response');\n"),
        (
            "test/send.js",
            "var res = require('..');\nfunction handler(request, response) {\n  response.sendFile('a');\n}\n",
        ),
        ("other.js", "function elsewhere(response) {\n  response.sendFile('a');\n}\n"),
    ]);
    let found = edges(&graph, "calls");
    assert!(
        found.iter().any(|edge| edge.starts_with("handler -> ") && edge.ends_with("sendFile (unique-name)")),
        "{found:?}"
    );
    assert!(!found.iter().any(|edge| edge.starts_with("elsewhere")), "{found:?}");
}

#[test]
fn rust_sees_through_cells_derived_defaults_and_renamed_crates() {
    let graph = graph_of(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"app\", \"kit\"]\n"),
        (
            "app/Cargo.toml",
            "[package]\nname = \"app\"\n[dependencies]\ntools = { path = \"../kit\", package = \"my-kit\" }\n",
        ),
        ("kit/Cargo.toml", "[package]\nname = \"my-kit\"\n"),
        ("kit/src/lib.rs", "pub fn sharpen() {}\n"),
        (
            "app/src/lib.rs",
            "use std::cell::Cell;\nuse tools::sharpen;\n\n#[derive(Default)]\npub struct History;\nimpl History {\n    pub fn revision(&self) \
             {}\n}\npub struct Document {\n    history: Cell<History>,\n}\nimpl Document {\n    pub fn modified(&self) {\n        let history = \
             self.history.take();\n        history.revision();\n    }\n}\npub fn fresh() {\n    let history = History::default();\n    \
             history.revision();\n    sharpen();\n}\n",
        ),
    ]);
    let found = edges(&graph, "calls");
    for expected in [
        "Document.modified -> History.revision (exact)",
        "fresh -> History.revision (exact)",
        "fresh -> sharpen (import)",
    ] {
        assert!(found.iter().any(|edge| edge == expected), "{expected}: {found:?}");
    }
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
fn what_an_impl_for_a_tuple_defines_is_no_function_of_the_module() {
    let graph = graph_of(&[
        ("Cargo.toml", "[package]\nname = \"t\"\n"),
        ("src/lib.rs", "pub mod response;\n"),
        (
            "src/response/mod.rs",
            "mod append;\nmod into;\npub use self::into::Into;\nimpl<R> Into for (u8, R) {\n    fn into(self) {}\n}\n",
        ),
        ("src/response/into.rs", "pub trait Into {\n    fn into(self);\n}\n"),
        (
            "src/response/append.rs",
            "use super::Into;\npub struct Append;\nimpl Into for Append {\n    fn into(self) {}\n}\n",
        ),
    ]);
    assert!(
        edges(&graph, "implements").contains(&"Append -> Into (import)".to_owned()),
        "{:?}",
        edges(&graph, "implements")
    );
    assert_eq!(
        "(u8, R).into",
        graph.qualified(*graph.find("into").iter().find(|&&one| graph.qualified(one).contains('R')).unwrap())
    );
}

#[test]
fn what_a_crate_imports_for_itself_another_crate_does_not_get() {
    let graph = graph_of(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"app\", \"core\", \"macros\"]\n"),
        ("macros/Cargo.toml", "[package]\nname = \"my-macros\"\n"),
        ("macros/src/lib.rs", "mod kinds;\nuse kinds::Kind::FromParts;\n"),
        ("macros/src/kinds.rs", "pub enum Kind { FromParts }\n"),
        ("core/Cargo.toml", "[package]\nname = \"my-core\"\n"),
        ("core/src/lib.rs", "pub trait FromParts {}\n"),
        ("app/Cargo.toml", "[package]\nname = \"app\"\n"),
        ("app/src/lib.rs", "pub mod query;\npub use my_core::FromParts;\npub use my_macros::FromParts;\n"),
        ("app/src/query.rs", "use crate::FromParts;\npub struct Query;\nimpl FromParts for Query {}\n"),
    ]);
    let found = edges(&graph, "implements");
    assert_eq!(vec!["Query -> FromParts (import)"], found);
    let query = graph.find("Query")[0];
    let target =
        graph.all_edges(None).into_iter().find(|(from, edge)| *from == query && edge.relation == 5).unwrap().1.to;
    assert_eq!("core/src/lib.rs", graph.file_path(graph.file_of(target)));
}

#[test]
fn a_package_whose_names_a_generator_lists_is_reached() {
    let graph = graph_of(&[
        ("schema/__init__.py", "# This file is auto-generated by a script, do not edit.\nfrom .model import Model\n"),
        ("schema/model.py", "class Model:\n    pass\n"),
        ("schema/other.py", "# This file is auto-generated by a script, do not edit.\nclass Other:\n    pass\n"),
        ("app.py", "from schema import Model\n\n\nclass Recipe(Model):\n    pass\n"),
    ]);
    assert_eq!(vec!["Recipe -> Model (import)"], edges(&graph, "inherits"));
    assert!(graph.find("Other").is_empty());
}

#[test]
fn a_function_of_go_for_each_platform_is_ambiguous() {
    let graph = graph_of(&[
        ("go.mod", "module example.com/shop\n"),
        ("open_unix.go", "package shop\n\nfunc open() int {\n\treturn lock()\n}\n\nfunc lock() int { return 1 }\n"),
        ("open_windows.go", "package shop\n\nfunc open() int {\n\treturn lock()\n}\n\nfunc lock() int { return 2 }\n"),
        ("shop.go", "package shop\n\nfunc Run() int {\n\treturn open()\n}\n"),
    ]);
    assert_eq!(
        vec!["Run -> open (ambiguous)", "Run -> open (ambiguous)", "open -> lock (exact)", "open -> lock (exact)"],
        edges(&graph, "calls")
    );
}

/// `count` definitions, the one at `place` another than the rest.
fn many(count: usize, place: usize, one: &str, other: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| if number == place { one.to_owned() } else { other(number) }).collect()
}

#[test]
fn of_very_many_definitions_in_one_scope_the_same_one_is_meant_as_of_few() {
    // What was written last holds in Python, however many there are.
    for count in [3, 64, 65, 128, 129, 1000] {
        let text =
            many(count, count, "", |number| format!("def pay(a{number}): ...\n\n\n")) + "def run():\n    pay(1)\n";
        let graph = graph_of(&[("a.py", &text)]);
        assert_eq!(vec!["run -> pay (exact)"], edges(&graph, "calls"), "{count}");
        let callee = &graph.callees("run", 10).symbols[0];
        assert_eq!(3 * count as u32 - 2, graph.line(callee.symbol), "{count}");
    }
    // Of overloads in other languages the first that has a body of its own lines is; only the first 64 and the last 64 are
    // compared, so that one in the midst of a thousand is not seen and the first of all is taken.
    for (count, long, meant) in
        [(3, 1, 1), (128, 64, 64), (1000, 63, 63), (1000, 936, 936), (1000, 64, 0), (1000, 935, 0)]
    {
        let one = "  void pay(Sum sum) {\n    sum.go();\n  }\n";
        let text = many(count, long, one, |number| format!("  void pay(Sum{number} sum) {{}}\n"));
        let graph =
            graph_of(&[("Cart.java", &format!("class Cart {{\n{text}  void run() {{\n    pay(null);\n  }}\n}}\n"))]);
        assert_eq!(vec!["Cart.run -> Cart.pay (exact)"], edges(&graph, "calls"), "{count}");
        let callee = &graph.callees("Cart.run", 10).symbols[0];
        assert_eq!(2 + meant, graph.line(callee.symbol), "{count} {long}");
    }
}

#[test]
fn very_many_definitions_are_no_surer_than_few() {
    for count in [2, 200] {
        let listed = count.min(6);
        let text = many(count, count, "", |number| {
            format!(
                "#if defined(_WIN32) && defined(SYSTEM_{number})\nstatic int now(void) {{\n  return {number};\n}}\n#endif\n"
            )
        });
        let graph = graph_of(&[("main.c", &format!("{text}int run(void) {{\n  return now();\n}}\n"))]);
        assert_eq!(vec!["run -> now (ambiguous)"; listed], edges(&graph, "calls"));
        assert!(graph.callees("run", 10).symbols.iter().all(|found| found.candidates == count as u32));

        let mut files = vec![
            ("go.mod".to_owned(), "module example.com/shop\n".to_owned()),
            ("shop.go".to_owned(), "package shop\n\nfunc Run() int {\n\treturn open()\n}\n".to_owned()),
        ];
        files.extend((0..count).map(|number| {
            (format!("open_{number:03}.go"), format!("package shop\n\nfunc open() int {{ return {number} }}\n"))
        }));
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let graph = graph_of(&files);
        assert_eq!(vec!["Run -> open (ambiguous)"; listed], edges(&graph, "calls"));
        assert!(graph.callees("Run", 10).symbols.iter().all(|found| found.candidates == count as u32));
    }
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

#[test]
fn rust_paths_walk_modules_and_crates() {
    let graph = graph_of(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n"),
        ("a/Cargo.toml", "[package]\nname = \"my-core\"\n"),
        ("a/src/lib.rs", "pub mod store;\npub use store::Store;\n"),
        (
            "a/src/store.rs",
            "pub struct Store;\n\nimpl Store {\n    pub fn open() -> Self {\n        Store\n    }\n\n    pub fn sync(&self) {}\n}\n",
        ),
        ("b/Cargo.toml", "[package]\nname = \"my-app\"\n"),
        ("b/src/main.rs", "use my_core::Store;\n\nfn main() {\n    let store = Store::open();\n    store.sync();\n}\n"),
    ]);
    assert_eq!(vec!["main -> Store.open (import)", "main -> Store.sync (exact)"], edges(&graph, "calls"));
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
fn modules_that_pass_on_each_others_names_in_a_ring_end() {
    // Each way through twenty modules would be more than there is time for.
    let ring = |line: fn(usize) -> String, own: &str| -> String { (0..20).map(line).chain([own.to_owned()]).collect() };
    let mut files: Vec<(String, String)> = Vec::new();
    for number in 0..20 {
        let script = ring(
            |other| format!("export * from './m{other}';\n"),
            "import { nobody, last } from './m3';\nnobody();\nlast();\n",
        );
        files.push((format!("m{number}.ts"), script));
        let python = ring(|other| format!("from m{other} import *\n"), "nobody()\nlast()\n");
        files.push((format!("m{number}.py"), python));
    }
    files[38].1.push_str("export function last() {}\n");
    files[39].1.push_str("def last():\n    pass\n");
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let found = edges(&graph_of(&files), "calls");
    assert!(
        found.contains(&"m0.ts -> last (import)".to_owned()) && found.contains(&"m0.py -> last (import)".to_owned()),
        "{found:?}"
    );
    assert!(!found.iter().any(|edge| edge.contains("nobody")));
}

#[test]
fn names_nested_very_deep_take_little() {
    let depth = 5_000;
    let text = format!("{}int deepest() {{ return 1; }}{}", "namespace area {\n".repeat(depth), "}".repeat(depth));
    let (encoded, _) = encode(repository(&[("deep.cpp", &text)]).path(), None);
    let graph = Graph::from_bytes(&encoded.bytes).unwrap();
    assert_eq!(1, graph.find("deepest").len());
    assert!(encoded.bytes.len() < 12_000_000, "{}", encoded.bytes.len());
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

#[test]
fn a_template_refers_to_what_its_script_imports_and_defines() {
    let graph = graph_of(&[
        (
            "web/Page.vue",
            "<script setup lang=\"ts\">\nimport Cart from './Cart.vue'\nimport { fmt } from './lib'\nimport { Panel } from \
             'somewhere-else'\nfunction save() {}\n</script>\n<template>\n  <Cart @click=\"save\"/><Panel/>{{ fmt(total) }}\n</template>\n",
        ),
        (
            "web/Cart.vue",
            "<template><p/></template>\n<script>\nexport default defineComponent({\n  setup() {\n    return {}\n  },\n})\n</script>\n",
        ),
        (
            "web/Box.svelte",
            "<script>\nimport { fmt, total } from './lib'\n</script>\n{fmt(total)}{#each x as total}{total}{/each}\n",
        ),
        ("web/lib.ts", "export function fmt() {}\nexport function total() {}\n"),
    ]);
    assert_eq!(vec!["Box.svelte -> fmt (import)", "Page.vue -> fmt (import)"], edges(&graph, "calls"));
    assert_eq!(vec!["Page.vue -> Cart.vue (import)", "Page.vue -> save (exact)"], edges(&graph, "references"));
    assert_eq!(
        2,
        graph.header().unresolved,
        "of a panel and of `defineComponent`, which stand elsewhere, nothing is known"
    );
}

#[test]
fn what_a_declared_object_has_is_its_own() {
    let graph = graph_of(&[
        (
            "box.d.ts",
            "export declare const lid: { lift(force: number): void; size: number };\nexport declare const tool: { lift(): void };\n",
        ),
        ("app.ts", "import { lid } from './box';\n\nexport function run() {\n  lid.lift(1);\n}\n"),
    ]);
    assert_eq!(vec!["run -> lid.lift (import)"], edges(&graph, "calls"));
}

#[test]
fn a_shorthand_member_is_a_use_of_what_it_names() {
    let graph = graph_of(&[
        ("a.ts", "import { verify } from './b';\n\nfunction sign() {}\n\nexport const tools = { sign, verify };\n"),
        ("b.ts", "export function verify() {}\n"),
    ]);
    assert_eq!(vec!["tools -> sign (exact)", "tools -> verify (import)"], edges(&graph, "references"));
}

#[test]
fn paths_of_rust_stay_in_inline_modules() {
    let graph = graph_of(&[
        ("Cargo.toml", "[package]\nname = \"till\"\n"),
        ("src/lib.rs", "pub fn total() {}\n"),
        (
            "tests/it.rs",
            "use till::total;\n\nfn helper() {}\nfn own() {}\n\nmod tests {\n    use super::*;\n\n    #[test]\n    fn sums() {\n        \
             total();\n        self::own();\n        super::own();\n        inner::deep();\n    }\n\n    fn own() {}\n\n    mod inner {\n        \
             pub fn deep() {\n            super::own();\n            super::helper();\n            super::super::own();\n            \
             self::nowhere();\n        }\n    }\n}\n",
        ),
    ]);
    assert_eq!(
        vec![
            "tests.inner.deep -> helper (import)",
            "tests.inner.deep -> own (import)",
            "tests.inner.deep -> tests.own (exact)",
            "tests.sums -> own (import)",
            "tests.sums -> tests.inner.deep (exact)",
            "tests.sums -> tests.own (exact)",
            "tests.sums -> total (import)",
        ],
        edges(&graph, "calls")
    );
}

#[test]
fn a_file_and_a_module_in_it_that_pass_on_each_others_names_end() {
    let graph = graph_of(&[
        ("Cargo.toml", "[package]\nname = \"till\"\n"),
        (
            "src/lib.rs",
            "use self::inner::*;\n\nfn run() {\n    self::nowhere();\n    inner::nowhere();\n    inner::helper();\n}\n\nfn helper() \
             {}\n\nmod inner {\n    use super::*;\n\n    fn deep() {\n        self::nowhere();\n        self::helper();\n    }\n}\n",
        ),
    ]);
    assert_eq!(vec!["inner.deep -> helper (import)", "run -> helper (import)"], edges(&graph, "calls"));
    assert_eq!(3, graph.header().unresolved);
}

#[test]
fn types_said_in_circles_end() {
    let graph = graph_of(&[(
        "a.py",
        "a = b.x()\nb = a.x()\nc = a.b.c.d()\n\n\ndef f(self):\n    a.x()\n    self.a = self.b.c\n    self.b = self.a.c\n",
    )]);
    assert_eq!(Vec::<String>::new(), edges(&graph, "calls"));
}

#[test]
fn damage_is_an_error() {
    let directory = repository(SHOP);
    let (encoded, _) = encode(directory.path(), None);
    let cut = &encoded.bytes[..encoded.bytes.len() / 2];
    assert!(matches!(Graph::from_bytes(cut), Err(GraphError::Damaged { .. })));
    let nothing = directory.path().join("nothing");
    assert!(matches!(Graph::open(&nothing, None), Err(GraphError::Missing { .. })));
    encoded.write(directory.path()).unwrap();
    let path = directory.path().join(&encoded.name);
    assert!(matches!(Graph::open(&path, Some("other")), Err(GraphError::Outdated { .. })));
    Graph::open(&path, Some(&encoded.header.signature)).unwrap().verify().unwrap();
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
