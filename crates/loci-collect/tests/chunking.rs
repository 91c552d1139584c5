//! How texts are cut: one case for each document format and language family, in the form `lines symbol | head`.

use loci_collect::{Kind, Policy, chunk};

/// Every passage on a line of its own: `first-last symbol | head`.
fn outline_with(path: &str, text: &str, policy: &Policy) -> Vec<String> {
    let chunked = chunk(path, text, policy);
    let line = |passage: &loci_collect::Passage| {
        let (first, last) = passage.lines;
        format!("{first}-{last} {} | {}", passage.symbol, passage.head).replace("  |", " |").trim_end().to_owned()
    };
    chunked.passages.iter().map(line).collect()
}

fn outline(path: &str, text: &str) -> Vec<String> {
    outline_with(path, text, &Policy::default())
}

/// Cut at every definition, so that a case can stay short.
fn definitions(path: &str, text: &str) -> Vec<String> {
    outline_with(path, text, &Policy { source_merge_lines: 1, ..Policy::default() })
}

#[test]
fn markdown_by_heading() {
    let text = "\
# A `title` with [a link](https://example.org) #
intro

Second
------
```sh
# not a heading
```
<!--
# neither
-->
    # nor this, it is code

### Deep {#anchor}
text
## Other
text
";
    assert_eq!(
        vec![
            "1-2 | A title with a link",
            "4-12 | A title with a link > Second",
            "14-15 | A title with a link > Second > Deep",
            "16-17 | A title with a link > Other",
        ],
        outline("docs/a.md", text)
    );
}

#[test]
fn markdown_front_matter_names_the_document() {
    let text = "---\ntitle: \"Guide\"\nweight: 1\n---\n\nIntro.\n\n## Use\n\nText.\n";
    assert_eq!(vec!["1-6 | Guide", "8-10 | Guide > Use"], outline("docs/a.mdx", text));
    let text = "---\ntitle: Guide\n---\n# Own title\nText.\n";
    assert_eq!(vec!["1-5 | Guide > Own title"], outline("docs/a.md", text));
}

#[test]
fn a_title_without_text_opens_the_next_section() {
    assert_eq!(vec!["1-5 | Title > Use"], outline("README.md", "# Title\n\n## Use\n\nText.\n"));
    assert_eq!(vec!["1-1 | A", "3-4 | B"], outline("README.md", "# A\n\n# B\nText.\n"));
}

#[test]
fn markdown_headings_written_in_html() {
    assert_eq!(
        vec!["1-2 | Fancy", "3-4 | Fancy > Use"],
        outline("README.md", "<h1 align=\"center\"><a href=\"x\">Fancy</a></h1>\ntext\n## Use\ntext\n")
    );
}

#[test]
fn restructured_text_by_underline() {
    let text = "\
.. _top:

=====
Title
=====

Intro.

.. _use-it:

Use :func:`it`
--------------

Text::

    Not a title
    ===========

=====  =====
A      table
=====  =====

Deeper
~~~~~~
Text.

Last
----
Text.
";
    assert_eq!(
        vec!["1-7 | Title", "9-21 | Title > Use it", "23-25 | Title > Use it > Deeper", "27-29 | Title > Last"],
        outline("docs/a.rst", text)
    );
}

#[test]
fn asciidoc_org_and_plain_text() {
    assert_eq!(
        vec!["1-2 | Title", "4-8 | Title > Use", "10-11 | Title > Next"],
        outline("a.adoc", "= Title\nIntro.\n\n== Use\n----\n== not a section\n----\nText.\n\n== Next\nText.\n")
    );
    assert_eq!(
        vec!["1-2 | Notes", "3-6 | Notes > First thing", "7-8 | Notes > First thing > Deeper"],
        outline(
            "a.org",
            "#+TITLE: Notes\nintro\n* TODO First thing :tag:\n#+begin_src sh\n* not a heading\n#+end_src\n** Deeper\ntext\n"
        )
    );
    assert_eq!(
        vec!["1-1 |", "3-6 | Section one", "8-11 | Section two"],
        outline("NOTES.txt", "Preface.\n\nSection one\n===========\n\nText.\n\nSection two\n===========\n\nText.\n")
    );
}

#[test]
fn manual_pages_of_both_macro_families() {
    assert_eq!(
        vec!["1-4 | GIT-X > NAME", "5-6 | GIT-X > OPTIONS", "7-8 | GIT-X > OPTIONS > More options"],
        outline(
            "man/git-x.1",
            ".TH GIT-X 1 \"2024\"\n.SH NAME\ngit\\-x\n- do it\n.SH \"OPTIONS\"\ntext\n.SS More options\ntext\n"
        )
    );
    assert_eq!(
        vec!["1-1 |", "2-4 | TMUX > NAME", "5-6 | TMUX > KEYS"],
        outline("tmux.1", ".Dd today\n.Dt TMUX 1\n.Sh NAME\n.Nm tmux\n.Sh KEYS\n.Ic escape\\-time\n")
    );
}

#[test]
fn html_is_a_document_under_docs_and_source_elsewhere() {
    let text = "<html>\n<h1>Title</h1>\n<p>text</p>\n<h2 id=\"a\">Use</h2>\n<p>text</p>\n";
    assert_eq!(vec!["1-1 |", "2-3 | Title", "4-5 | Title > Use"], outline("docs/a.html", text));
    assert_eq!(Kind::Source, chunk("templates/a.html", text, &Policy::default()).passages[0].kind);
}

#[test]
fn notebooks_give_their_cells() {
    let text = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Training\n",
    "Some \"prose\"."
   ]
  },
  {
   "cell_type": "code",
   "outputs": [{"data": "# not this"}],
   "source": [
    "fit(model)"
   ]
  }
 ]
}
"##;
    let passages = chunk("a.ipynb", text, &Policy::default()).passages;
    assert_eq!(2, passages.len());
    assert_eq!(
        (Kind::Document, (7, 8), "Training", "# Training\nSome \"prose\"."),
        (passages[0].kind, passages[0].lines, &*passages[0].head, &*passages[0].text)
    );
    assert_eq!((Kind::Source, (15, 15), "fit(model)"), (passages[1].kind, passages[1].lines, &*passages[1].text));
}

#[test]
fn long_sections_are_cut_between_paragraphs_and_long_paragraphs_between_lines() {
    let policy = Policy { document_passage_chars: 40, ..Policy::default() };
    let paragraph = "0123456789 0123456789\n";
    let text = format!("# T\n{paragraph}\n{paragraph}\n{paragraph}{paragraph}{paragraph}");
    assert_eq!(vec!["1-2 | T", "4-4 | T", "6-6 | T", "7-7 | T", "8-8 | T"], outline_with("a.md", &text, &policy));
    // One line alone is cut at a sentence, or at a blank.
    let passages = chunk("a.md", "A first sentence here. And a second one that is long enough.\n", &policy).passages;
    assert_eq!(
        vec!["A first sentence here.", "And a second one that is long enough."],
        passages.iter().map(|passage| &*passage.text).collect::<Vec<_>>()
    );
    assert!(passages.iter().all(|passage| passage.lines == (1, 1)));
    let passages = chunk("a.md", &"这是一个没有空格的很长的句子。".repeat(10), &policy).passages;
    assert!(
        passages.len() > 3
            && passages.iter().all(|passage| passage.text.ends_with('。') && passage.text.chars().count() <= 40)
    );
}

#[test]
fn a_fenced_block_is_kept_together() {
    let policy = Policy { document_passage_chars: 45, ..Policy::default() };
    let text = "before before before before before\n\n```\na = 1\n\n\nb = 2\n```\n";
    assert_eq!(vec!["1-1 |", "3-8 |"], outline_with("a.md", text, &policy));
}

#[test]
fn python() {
    let text = "\
import os

# what it is for
@decorate(
    1,
)
class Flask(App):
    \"\"\"class Fake:
    def fake(self): ...
    \"\"\"

    x = 1

    @property
    def name(self) -> str:
        def inner():
            pass
        return inner

    async def wsgi_app(
        self, environ: dict,
    ) -> bytes:
        return b\"\"


def main(): pass


if __name__ == \"__main__\":
    main()
";
    assert_eq!(
        vec![
            "1-1 |",
            "3-12 Flask | class Flask(App)",
            "14-18 Flask.name | Flask.name def name(self) -> str",
            "20-23 Flask.wsgi_app | Flask.wsgi_app async def wsgi_app( self, environ: dict, ) -> bytes",
            "26-30 main | def main(): pass",
        ],
        definitions("a.py", text)
    );
}

#[test]
fn javascript_and_typescript() {
    let text = "\
/**
 * Send a response.
 */

res.send = function send(body) {
  if (body) { return `
function fake() {
`; }
};

export class Hono<
  S extends Schema = {},
> extends Base {
  #routes = [];

  constructor(options: Options = {}) {
    super();
  }

  // dispatches
  async #dispatch(request: Request): Promise<Response> {
    for (const a of b) {
      call(a);
    }
  }

  fetch = async (request: Request) => {
    return 1;
  }
}

export type Env = { a: string }

export const handler = async ({ a, b }) => {
  const inner = () => 1;
  return inner();
};

describe('cookies', () => {
  it('are signed', () => {
    expect(1);
  });
});
";
    assert_eq!(
        vec![
            "1-9 res.send | res.send = function send(body)",
            "11-14 Hono | export class Hono<",
            "16-18 Hono.constructor | Hono.constructor constructor(options: Options = {})",
            "20-25 Hono.#dispatch | Hono.#dispatch async #dispatch(request: Request): Promise<Response>",
            "27-30 Hono.fetch | Hono.fetch fetch = async (request: Request) =>",
            "32-32 Env | export type Env",
            "34-37 handler | export const handler = async ({ a, b }) =>",
            "39-39 | describe('cookies', () =>",
            "40-43 | describe('cookies', () => > it('are signed', () =>",
        ],
        definitions("a.ts", text)
    );
}

#[test]
fn go() {
    let text = "\
package a

// Handler handles.
type Handler struct {
\tname string
}

// ServeHTTP answers.
func (h *Handler[T]) ServeHTTP(w http.ResponseWriter) error {
\ts := `
func fake() {
`
\treturn nil
}

func main() {
}

const (
\ta = 1
)
";
    assert_eq!(
        vec![
            "1-1 |",
            "3-6 Handler | type Handler struct",
            "8-14 Handler.ServeHTTP | func (h *Handler[T]) ServeHTTP(w http.ResponseWriter) error",
            "16-17 main | func main()",
            "19-21 | const ( a = 1 )",
        ],
        definitions("a.go", text)
    );
}

#[test]
fn rust() {
    let text = "\
use std::fmt;

/// A router.
#[derive(
    Debug,
)]
pub struct Router<S> {
    a: S,
}

impl<S: Into<u8>> fmt::Display for Router<S>
where
    S: Clone,
{
    fn fmt<'a>(&'a self) -> char {
        '{'
    }

    pub(crate) async unsafe fn route(self) {}
}

macro_rules! check {
    () => {};
}

mod tests {
    #[test]
    fn works() {}
}
";
    assert_eq!(
        vec![
            "1-1 |",
            "3-9 Router | pub struct Router<S>",
            "11-14 Router | impl<S: Into<u8>> fmt::Display for Router<S>",
            "15-17 Router::fmt | Router::fmt fn fmt<'a>(&'a self) -> char",
            "19-20 Router::route | Router::route pub(crate) async unsafe fn route(self)",
            "22-24 check | macro_rules! check",
            "26-26 tests | mod tests",
            "27-29 tests::works | tests::works fn works()",
        ],
        definitions("a.rs", text)
    );
}

#[test]
fn c_of_several_styles() {
    let text = "\
#include <a.h>

static int	counter;

/* Find it. */
static struct client *
cmd_find(struct client *c,
    int flags)
{
#ifdef X
	if (c == NULL)
#endif
		goto out;
out:
	return (NULL);
}

void zfree(void *ptr) {
    free(ptr);
}

struct entry {
	int a;
};

#define TWICE(x) \\
	do { x; x; } while (0)
";
    assert_eq!(
        vec![
            "1-3 |",
            "5-16 cmd_find | cmd_find(struct client *c, int flags)",
            "18-20 zfree | void zfree(void *ptr)",
            "22-24 entry | struct entry",
            "26-27 TWICE | #define TWICE(x) \\",
        ],
        definitions("a.c", text)
    );
}

#[test]
fn cpp_methods_inside_and_outside_their_class() {
    let text = "\
class Dumper : public Base {
public:
    Dumper(int a)
      : a(a)
    {}
    void run() const { go(); }
};

bool Dumper::operator==(const Dumper& other) const {
    return true;
}

namespace util {
template <typename T>
T id(T x)
{
    return x;
}
}
";
    assert_eq!(
        vec![
            "1-2 Dumper | class Dumper : public Base",
            "3-5 Dumper::Dumper | Dumper::Dumper Dumper(int a)",
            "6-7 Dumper::run | Dumper::run void run() const",
            "9-11 Dumper::operator== | bool Dumper::operator==(const Dumper& other) const",
            "13-13 util | namespace util",
            "14-19 id | T id(T x)",
        ],
        definitions("a.cpp", text)
    );
}

#[test]
fn java_and_csharp() {
    let text = "\
package a;

/** A parser. */
@Since(\"1\")
public final class Gson {
  private final Map<String, Integer> cache = new HashMap<>();

  public Gson() {
    this(null);
  }

  /** Reads. */
  @Override
  public <T> T fromJson(Reader json, Type type)
      throws IOException {
    if (json == null) {
      return null;
    }
    return read(json);
  }

  abstract void flush() throws IOException;

  enum Kind {
    A, B
  }
}
";
    assert_eq!(
        vec![
            "1-1 |",
            "3-6 Gson | public final class Gson",
            "8-10 Gson.Gson | Gson.Gson public Gson()",
            "12-20 Gson.fromJson | Gson.fromJson public <T> T fromJson(Reader json, Type type)",
            "22-22 Gson.flush | Gson.flush abstract void flush() throws IOException",
            "24-27 Gson.Kind | Gson.Kind enum Kind",
        ],
        definitions("a.java", text)
    );
    assert_eq!(
        vec!["1-3 A | public class A", "4-5 A.Run | A.Run public async Task<int> Run(string x) => await Go(x)"],
        definitions(
            "a.cs",
            "public class A\n{\n    int x;\n    public async Task<int> Run(string x) => await Go(x);\n}\n"
        )
    );
}

#[test]
fn kotlin_scala_swift_and_php() {
    assert_eq!(
        vec![
            "1-1 A | data class A(val x: Int)",
            "2-4 A.run | A.run override suspend fun <T> List<T>.run(a: Int): Int",
            "5-7 | data class A(val x: Int) > companion object"
        ],
        definitions(
            "a.kt",
            "data class A(val x: Int) {\n    override suspend fun <T> List<T>.run(a: Int): Int {\n        return 1\n    }\n    companion object {\n    }\n}\n"
        )
    );
    assert_eq!(
        vec!["1-1 App | object App extends Base", "2-3 App.main | App.main def main(args: Array[String]): Unit"],
        definitions("a.scala", "object App extends Base {\n  def main(args: Array[String]): Unit = {}\n}\n")
    );
    assert_eq!(
        vec![
            "1-1 Point | public struct Point: Codable",
            "2-4 Point.init | Point.init init(x: Int)",
            "5-6 Point.move | Point.move mutating func move(by x: Int)"
        ],
        definitions(
            "a.swift",
            "public struct Point: Codable {\n    init(x: Int) {\n        self.x = x\n    }\n    mutating func move(by x: Int) {}\n}\n"
        )
    );
    assert_eq!(
        vec![
            "1-1 |",
            "3-3 User | final class User extends Model",
            "4-7 User.save | User.save public static function save(array $a): bool"
        ],
        definitions(
            "a.php",
            "<?php\n\nfinal class User extends Model {\n    public static function save(array $a): bool {\n        return true;\n    }\n}\n"
        )
    );
}

#[test]
fn ruby_and_elixir() {
    let text = "\
module Jekyll
  class Cleaner < Base
    # All of it.
    def cleanup!
      FileUtils.rm_rf(x) if y
    rescue Error
      nil
    end

    def self.call(a) = new(a)
  end
end
";
    assert_eq!(
        vec![
            "1-2 Jekyll | module Jekyll; Jekyll::Cleaner class Cleaner < Base",
            "3-8 Jekyll::Cleaner#cleanup! | Jekyll::Cleaner#cleanup! def cleanup!",
            "10-12 Jekyll::Cleaner.call | Jekyll::Cleaner.call def self.call(a) = new(a)",
        ],
        outline_with("a.rb", text, &Policy { source_merge_lines: 2, ..Policy::default() })
    );
    let text = "defmodule A.B do\n  @doc \"\"\"\n  def fake\n  \"\"\"\n  def run(x) when x > 1 do\n    x\n  end\n\n  defp go!, do: 1\nend\n";
    assert_eq!(
        vec![
            "1-1 A.B | defmodule A.B",
            "2-7 A.B.run | A.B.run def run(x) when x > 1",
            "9-10 A.B.go! | A.B.go! defp go!, do: 1"
        ],
        definitions("a.ex", text)
    );
}

#[test]
fn shell_lua_and_sql() {
    assert_eq!(
        vec!["1-2 |", "4-6 build_all | build_all()", "8-12 deploy | function deploy"],
        definitions(
            "a.sh",
            "#!/bin/sh\nset -e\n\nbuild_all() {\n  echo 'done'\n}\n\nfunction deploy {\n  true\n}\n\nbuild_all\n"
        )
    );
    assert_eq!(
        vec!["1-1 |", "3-5 M.setup | function M.setup(opts)", "7-11 helper | local function helper()"],
        definitions(
            "a.lua",
            "local M = {}\n\nfunction M.setup(opts)\n  return opts\nend\n\nlocal function helper()\n  -- function fake()\nend\n\nreturn M\n"
        )
    );
    assert_eq!(
        vec![
            "1-4 users | CREATE TABLE IF NOT EXISTS users ( id int, mail text )",
            "6-7 by_mail | create unique index by_mail on users"
        ],
        definitions(
            "a.sql",
            "CREATE TABLE IF NOT EXISTS users (\n  id int,\n  mail text\n);\n\ncreate unique index by_mail on users\n  (mail);\n"
        )
    );
}

#[test]
fn styles_and_settings() {
    assert_eq!(
        vec!["1-3 .a | .a", "5-8 .c | .c", "10-14 @media (max-width: 1px) | @media (max-width: 1px)"],
        definitions(
            "a.css",
            ".a {\n  color: red;\n}\n\n.b,\n.c {\n  top: 0;\n}\n\n@media (max-width: 1px) {\n  .a {\n    top: 0;\n  }\n}\n"
        )
    );
    assert_eq!(
        vec!["1-1 |", "3-4 package | [package]", "6-7 bin | [[bin]]"],
        definitions("a.toml", "a = 1\n\n[package]\nname = \"[x]\"\n\n[[bin]]\nb = 1\n")
    );
    assert_eq!(
        vec!["1-1 name | name: CI", "2-4 jobs | jobs", "5-5 env | env"],
        definitions("a.yml", "name: CI\njobs:\n  a:\n    b: 1\nenv:\n")
    );
    assert_eq!(
        vec!["1-1 |", "3-4 build | build: deps", "6-7 .PHONY | .PHONY: build"],
        definitions("Makefile", "CC := gcc\n\nbuild: deps\n\tmake\n\n.PHONY: build\nX = a:b\n")
    );
    assert_eq!(
        vec!["1-2 builder | FROM a AS builder", "4-5 | FROM b"],
        definitions("Dockerfile", "FROM a AS builder\nRUN x\n\nFROM b\nCOPY . .\n")
    );
}

#[test]
fn languages_without_rules_of_their_own() {
    assert_eq!(
        vec!["1-5 main | pub fn main() !void"],
        definitions("a.zig", "pub fn main() !void {\n    return;\n}\n\nconst x = 1;\n")
    );
    assert_eq!(
        vec!["1-3 aws_s3_bucket.logs | resource \"aws_s3_bucket\" \"logs\""],
        definitions("a.tf", "resource \"aws_s3_bucket\" \"logs\" {\n  a = 1\n}\n")
    );
    assert_eq!(vec!["1-2 twice | (defun twice (x) (* x 2))"], definitions("a.el", "(defun twice (x)\n  (* x 2))\n"));
    assert_eq!(vec!["1-3 |"], definitions("a.json", "{\n  \"function\": 1\n}\n"));
}

#[test]
fn small_neighbours_join_and_long_definitions_split() {
    let small: String = (0..6).map(|n| format!("def f{n}():\n    return {n}\n\n")).collect();
    let joined = outline("a.py", &small);
    assert_eq!(1, joined.len());
    assert!(joined[0].starts_with("1-17 f0 | def f0(); def f1(); "), "{joined:?}");

    let body: String =
        (0..150).map(|n| if n % 10 == 9 { "\n".to_owned() } else { format!("    x{n} = {n}\n") }).collect();
    let passages = chunk("a.py", &format!("def long():\n{body}"), &Policy::default()).passages;
    assert!((3..=4).contains(&passages.len()));
    for passage in &passages {
        assert_eq!(("long", "def long()"), (&*passage.symbol, &*passage.head));
        assert!(passage.lines.1 - passage.lines.0 < 60);
    }
    assert!(passages[1].text.starts_with("    x"), "cut behind a blank line");
}

// FIELD 59, 61: a giant line costs one clipped line, and a large file by hand keeps all its symbols.
#[test]
fn large_files_keep_their_symbols() {
    let text: String = (0..3000)
        .map(|n| format!("export function handler{n}(a: string) {{\n  return a.replace(/[`'\"]/g, '');\n}}\n\n"))
        .collect();
    let started = std::time::Instant::now();
    let passages = chunk("a.ts", &text, &Policy { source_merge_lines: 1, ..Policy::default() }).passages;
    assert_eq!(3000, passages.len());
    assert_eq!("handler2999", passages[2999].symbol);
    assert!(started.elapsed().as_secs() < 5, "cutting is linear");

    let chunked = chunk(
        "a.ts",
        &format!("const a = 1;\nconst b = '{}';\nfunction f() {{\n}}\n", "x".repeat(500_000)),
        &Policy::default(),
    );
    assert_eq!(1, chunked.clipped_lines);
    assert!(chunked.passages.iter().any(|passage| passage.head.contains("function f()")));
    assert!(chunked.passages.iter().all(|passage| passage.text.len() < 7_000));
}

// FIELD 60: no file, however odd, takes long.
#[test]
fn hostile_texts_end_quickly() {
    let started = std::time::Instant::now();
    for unit in [
        "{",
        "(",
        "def f(\n",
        "class A {\n",
        "/*\n`\n",
        "}\n",
        "#\n",
        "a(\n",
        "<<EOF\n",
        "[a](",
        "* x\n",
        "= = =\n",
        "\u{feff}\n",
        "  \n",
        "@x\n",
        "fn a\n",
    ] {
        let text = unit.repeat(200_000 / unit.len());
        for path in [
            "a.py", "a.ts", "a.c", "a.cpp", "a.java", "a.rb", "a.rs", "a.go", "a.kt", "a.css", "a.md", "a.rst", "a.sh",
            "a.zig",
        ] {
            let passages = chunk(path, &text, &Policy::default()).passages;
            assert!(passages.len() < 210_000);
        }
    }
    assert!(started.elapsed().as_secs() < 60, "took {:?}", started.elapsed());
}

/// One small file per language: the comment or docstring of a symbol is in a passage that carries the symbol and its lines.
#[test]
fn comments_stand_with_their_symbol_in_every_language() {
    const TABLE: &[(&str, &str, &str)] = &[
        ("a.py", "def walrus_dive(x):\n    \"\"\"NOTE of it.\"\"\"\n    return x\n", "walrus_dive"),
        ("a.py", "class Walrus:\n    # NOTE of it.\n    def dive(self):\n        pass\n", "Walrus"),
        ("a.js", "/** NOTE of it. */\nfunction walrusDive(x) {\n  return x;\n}\n", "walrusDive"),
        ("a.ts", "/** NOTE of it. */\nexport function walrusDive(x: number): number {\n  return x;\n}\n", "walrusDive"),
        ("a.go", "package a\n\n// NOTE of it.\nfunc (w *Walrus) Dive() {\n}\n", "Walrus.Dive"),
        ("a.rs", "/// NOTE of it.\npub fn walrus_dive() {\n}\n", "walrus_dive"),
        ("a.c", "/* NOTE of it. */\nint walrus_dive(int x)\n{\n    return x;\n}\n", "walrus_dive"),
        ("a.cpp", "// NOTE of it.\nvoid Walrus::dive() {\n}\n", "Walrus::dive"),
        ("A.java", "class Walrus {\n    /** NOTE of it. */\n    void dive() {\n    }\n}\n", "Walrus"),
        ("a.kt", "/** NOTE of it. */\nfun walrusDive(x: Int): Int {\n    return x\n}\n", "walrusDive"),
        ("A.cs", "/// <summary>NOTE of it.</summary>\npublic class Walrus {\n}\n", "Walrus"),
        ("a.rb", "# NOTE of it.\ndef walrus_dive(x)\n  x\nend\n", "walrus_dive"),
        ("a.php", "<?php\n/** NOTE of it. */\nfunction walrus_dive($x) {\n  return $x;\n}\n", "walrus_dive"),
        ("a.swift", "/// NOTE of it.\nfunc walrusDive(x: Int) -> Int {\n  return x\n}\n", "walrusDive"),
        ("a.scala", "/** NOTE of it. */\ndef walrusDive(x: Int): Int = {\n  x\n}\n", "walrusDive"),
        ("a.ex", "# NOTE of it.\ndefmodule Walrus do\nend\n", "Walrus"),
        ("b.ex", "defmodule Walrus do\n  @doc \"NOTE of it.\"\n  def dive(x), do: x\nend\n", "Walrus"),
        ("a.lua", "-- NOTE of it.\nfunction walrus.dive(x)\n  return x\nend\n", "walrus.dive"),
        ("a.sh", "# NOTE of it.\nwalrus_dive() {\n  true\n}\n", "walrus_dive"),
        ("a.sql", "-- NOTE of it.\nCREATE TABLE walrus_dive (\n  id int\n);\n", "walrus_dive"),
        ("a.html", "<!-- NOTE of it. -->\n<p>walrus</p>\n", ""),
        ("a.css", "/* NOTE of it. */\n.walrus {\n  color: red;\n}\n", ".walrus"),
        ("a.vue", "<script>\n// NOTE of it.\nfunction walrusDive() {\n}\n</script>\n", "walrusDive"),
        ("a.svelte", "<script>\n  // NOTE of it.\n  function walrusDive() {\n  }\n</script>\n", "walrusDive"),
        ("a.yaml", "# NOTE of it.\nwalrus:\n  dive: 1\n", "walrus"),
        ("a.toml", "# NOTE of it.\n[walrus]\ndive = 1\n", "walrus"),
        ("Dockerfile", "# NOTE of it.\nFROM scratch AS walrus\nRUN true\n", "walrus"),
        ("Makefile", "# NOTE of it.\nwalrus: dive\n\ttrue\n", "walrus"),
        ("Justfile", "# NOTE of it.\nwalrus:\n    true\n", "walrus"),
        (".bash_prompt", "# NOTE of it.\nwalrus_dive() {\n  true\n}\n", "walrus_dive"),
        ("CODEOWNERS", "# NOTE of it.\n* @walrus\n", ""),
    ];
    let mut faults = Vec::new();
    for (path, text, symbol) in TABLE {
        let line = text.lines().position(|line| line.contains("NOTE of it.")).unwrap() as u32 + 1;
        let chunked = chunk(path, text, &Policy::default());
        let found = chunked.passages.iter().find(|passage| passage.text.contains("NOTE of it."));
        let right = found.is_some_and(|passage| {
            (passage.symbol == *symbol || passage.head.contains(symbol))
                && (symbol.is_empty() || !passage.symbol.is_empty())
                && (passage.lines.0..=passage.lines.1).contains(&line)
        });
        if !right {
            faults.push(format!("{path}: {found:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Documents of every format keep their words under their headings, markup or not.
#[test]
fn every_format_of_document_is_cut_under_its_headings() {
    const TABLE: &[(&str, &str, &str)] = &[
        ("a.org", "#+TITLE: Sea\n* TODO Walrus :big:\nIt dives.\n", "Sea > Walrus"),
        ("a.md", "<h1 align=\"center\">Sea</h1>\n\n<p>It dives.</p>\n", "Sea"),
        ("a.adoc", "= Sea\n\n== Walrus\n\nNOTE: It dives.\n", "Sea > Walrus"),
        ("a.rst", "Sea\n===\n\n:class:`Walrus`\n---------------\n\n.. note::\n\n   It dives.\n", "Sea > Walrus"),
        (
            "a.ipynb",
            "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"source\": [\n    \"# Sea\\n\",\n    \"It dives.\"\n   ]\n  }\n ]\n}\n",
            "Sea",
        ),
        ("a.1", ".TH SEA 1\n.SH WALRUS\nIt dives.\n", "SEA > WALRUS"),
    ];
    for (path, text, head) in TABLE {
        let chunked = chunk(path, text, &Policy::default());
        let found = chunked.passages.iter().find(|passage| passage.text.contains("It dives."));
        assert_eq!(Some(*head), found.map(|passage| passage.head.as_str()), "{path}: {chunked:?}");
    }
}
