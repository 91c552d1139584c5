//! What a name means: edges between files, by hand.

use loci_graph::Graph;

use super::{SHOP, edges, encode, graph_of, repository};

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
