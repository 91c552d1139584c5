//! Forms that the grammars of Kotlin and C++ take for something else, written so that they read them: before the parse, since what
//! comes out is often a whole tree that is wrong. Every line stays the line that it was.

use std::ops::Range;

/// The text with the constructor of every class of Kotlin on the line of the class, where `class Cart` ends a line and
/// `private constructor(` begins the next: to the grammar the class would be over. The line breaks follow behind the bracket.
/// `None` if there is no such class.
pub(super) fn with_constructors_joined(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut done = 0;
    for (at, word) in text.match_indices("constructor") {
        let open = at + word.len() + text[at + word.len()..].bytes().take_while(|byte| *byte == b' ').count();
        if bytes.get(open) != Some(&b'(') || at < done {
            continue;
        }
        let Some(head) = end_of_class_head(text, at) else { continue };
        let between = &text[head..at];
        let breaks = between.matches('\n').count();
        // What stands in a comment that ends with its line would swallow the rest.
        if breaks == 0 || head < done || between.contains("//") {
            continue;
        }
        out.push_str(&text[done..head]);
        out.extend(between.chars().map(|character| if matches!(character, '\n' | '\r') { ' ' } else { character }));
        out.push_str(&text[at..=open]);
        out.extend(std::iter::repeat_n('\n', breaks));
        done = open + 1;
    }
    if done == 0 {
        return None;
    }
    out.push_str(&text[done..]);
    Some(out)
}

/// Where `class Cart<T>` ends that has before `at` nothing but modifiers and annotations behind it.
fn end_of_class_head(text: &str, at: usize) -> Option<usize> {
    let mut end = text[..at].trim_end().len();
    for _ in 0..16 {
        let before = &text[..end];
        if before.ends_with('>') {
            let open = opening(before, b'<', b'>')?;
            return word_before(text, before[..open].trim_end().len()).filter(|name| is_class(text, name)).map(|_| end);
        }
        // The arguments of an annotation.
        let name_end = if before.ends_with(')') { opening(before, b'(', b')')? } else { end };
        let name = word_before(text, name_end)?;
        if name_end == end && is_class(text, &name) {
            return Some(end);
        }
        let word = &text[name.clone()];
        let path = text[..name.start].trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
        let modifier = matches!(word, "private" | "internal" | "protected" | "public") && name_end == end;
        end = match path.strip_suffix('@') {
            Some(rest) => rest.trim_end().len(),
            None if modifier => text[..name.start].trim_end().len(),
            None => return None,
        };
    }
    None
}

/// The bracket that the one at the end of a text closes; none that is far away.
fn opening(text: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0usize;
    for (at, &byte) in text.as_bytes().iter().enumerate().rev().take(1000) {
        if byte == close {
            depth += 1;
        } else if byte == open {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn word_before(text: &str, end: usize) -> Option<Range<usize>> {
    let start = text[..end].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    (start < end).then_some(start..end)
}

fn is_class(text: &str, name: &Range<usize>) -> bool {
    let before = &text[..name.start];
    let word = before.trim_end();
    word.len() < before.len() && word_before(text, word.len()).is_some_and(|word| &text[word] == "class")
}

/// How a line begins that holds the head of a class.
const BEFORE_CLASSES: [&str; 9] =
    ["class", "struct", "union", "enum", "typedef", "template", "static", "friend", "namespace"];

/// The text of C or C++ with blanks for what stands between `class` and the name of the class: `class EXPORT Cart : public Base {`,
/// `struct ALIGNED(16) Point {`, `enum class API Kind {`. Of a class with a macro there the grammars make a function; attributes that of C
/// knows, and that of C++ in some orders. `None` if there is no such class.
pub(super) fn without_words_before_names(text: &str, cpp: bool) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out: Option<Vec<u8>> = None;
    let mut start = 0;
    // A class begins a line, or stands behind one of a few words that do.
    for line in text.split_inclusive('\n') {
        let from = start;
        start += line.len();
        let trimmed = line.trim_start();
        if !BEFORE_CLASSES.iter().any(|word| trimmed.starts_with(word)) {
            continue;
        }
        for keyword in ["class", "struct", "union", "enum"] {
            for (at, _) in line.match_indices(keyword) {
                let (at, end) = (from + at, from + at + keyword.len());
                let alone = at.checked_sub(1).is_none_or(|before| !is_word(bytes[before]))
                    && bytes.get(end).is_some_and(u8::is_ascii_whitespace);
                if alone && let Some(gap) = words_before_name(text, end, keyword, cpp) {
                    for byte in &mut out.get_or_insert_with(|| bytes.to_vec())[gap] {
                        if *byte != b'\n' {
                            *byte = b' ';
                        }
                    }
                }
            }
        }
    }
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The text of C++ with blanks for a macro before the type of a function: `SHOP_INLINE std::string Cart::label() const {`,
/// `SHOP_API Cart::Cart()`. The grammar takes the macro for the type, and the type for an error. `None` if there is no such function.
pub(super) fn without_words_before_types(text: &str) -> Option<String> {
    let mut out: Option<Vec<u8>> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let length = line[indent..].bytes().take_while(|byte| is_word(*byte)).count();
        let rest = &line[indent + length..];
        if is_large(&line[indent..indent + length]) && rest.starts_with(' ') && declares_function(rest) {
            out.get_or_insert_with(|| text.as_bytes().to_vec())[start + indent..start + indent + length].fill(b' ');
        }
        start += line.len();
    }
    out.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// A macro, by the custom of writing them large.
fn is_large(word: &str) -> bool {
    word.len() > 2
        && word.bytes().all(|byte| is_word(byte) && !byte.is_ascii_lowercase())
        && word.as_bytes()[0].is_ascii_uppercase()
}

/// Whether a line reads `type name(`, or `Cart::Cart(` and `Cart::~Cart(`, which have no type.
fn declares_function(line: &str) -> bool {
    const SPECIFIERS: [&str; 10] =
        ["static", "inline", "virtual", "constexpr", "explicit", "extern", "const", "unsigned", "friend", "volatile"];
    let mut rest = line.trim_start();
    let type_name = loop {
        let (word, behind) = rest.split_at(path_length(rest));
        if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        rest = behind;
        if !(SPECIFIERS.contains(&word) && rest.starts_with(' ')) {
            break word;
        }
        rest = rest.trim_start();
    };
    if is_large(type_name) || matches!(type_name, "return" | "else" | "case" | "new" | "throw" | "delete" | "goto") {
        return false;
    }
    if rest.starts_with('(') {
        let Some((before, last)) = type_name.rsplit_once("::") else { return false };
        let class = before.split('<').next().unwrap_or(before);
        return class.rsplit("::").next() == Some(last.trim_start_matches('~'));
    }
    let name = rest.trim_start_matches([' ', '*', '&']);
    if name.len() == rest.len() {
        return false;
    }
    let length = path_length(name);
    length > 0 && name[length..].starts_with('(') || name[..length].ends_with("operator")
}

/// How long the name is with which a text begins, with what it stands in and the arguments of types: `shop::Box<int>::size`.
fn path_length(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0usize);
    for (place, c) in text.char_indices() {
        at = place;
        match c {
            '<' if place > 0 => depth += 1,
            '>' if depth > 0 => depth -= 1,
            ';' | '{' | '\n' => return place,
            _ if depth > 0 || c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '~') => {}
            _ => return place,
        }
        at += c.len_utf8();
    }
    at
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The words from `start` on that stand before the name of a class, if what follows the name says that it is one.
fn words_before_name(text: &str, start: usize, keyword: &str, cpp: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let skip = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        at
    };
    let first = skip(start);
    let (mut at, mut macros) = (first, 0);
    for _ in 0..6 {
        let end = at + bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
        let word = &text[at..end];
        let next = skip(end);
        let is_macro = word.len() > 1
            && word.bytes().all(|byte| !byte.is_ascii_lowercase())
            && word.bytes().any(|byte| byte.is_ascii_uppercase());
        let is_attribute = matches!(word, "__declspec" | "__attribute__" | "alignas");
        let known = is_attribute || text[at..].starts_with("[[");
        macros += usize::from(is_macro || cpp && known);
        // One or more of them, each with arguments or without, as long as a name follows.
        at = if let Some(rest) = text[at..].strip_prefix("[[") {
            skip(at + 2 + rest.find("]]").filter(|length| *length < 200)? + 2)
        } else if bytes.get(next) == Some(&b'(') && (is_macro || is_attribute) {
            skip(next + closing_bracket(&bytes[next..])?)
        } else if is_macro && bytes.get(next).is_some_and(|byte| is_word(*byte)) && !text[next..].starts_with("final") {
            next
        } else {
            // The name itself.
            macros -= usize::from(is_macro);
            break;
        };
    }
    let name = at + bytes[at..].iter().take_while(|byte| is_word(**byte) || **byte == b':').count();
    let before_colon = text[at..name].trim_end_matches(':');
    if macros == 0 || before_colon.is_empty() || before_colon.as_bytes()[0].is_ascii_digit() {
        return None;
    }
    let mut after = at + before_colon.len();
    if bytes.get(after) == Some(&b'<') {
        let end = text[after..].find(['{', ';']).map(|length| after + length)?;
        after = text[..end].rfind('>')? + 1;
    }
    after = skip(after);
    let rest = &text[after..];
    let is_one = if let Some(body) = rest.strip_prefix('{') {
        // `struct POINT p{1, 2}` is a variable.
        let line = body.split(['\n', '}']).next().unwrap_or("").trim();
        let body = line.is_empty() && !body.starts_with('}') || line.starts_with(['/', '#']) || line.contains(';');
        body || matches!(keyword, "class" | "enum")
    } else if rest.starts_with(':') && !rest.starts_with("::") || rest.starts_with("final") {
        let open = rest.find('{');
        open.is_some_and(|open| rest.find([';', '}']).is_none_or(|end| open < end))
    } else {
        // `class EXPORT Cart;`, where `struct STAT s;` of C is a variable.
        keyword == "class" && rest.starts_with(';') && !text[first..at].contains('<')
    };
    is_one.then_some(first..at)
}

/// Behind the bracket that closes the one at the start; none that is far away.
fn closing_bracket(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().take(300) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b';' | b'{' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constructor_on_the_next_line_is_put_behind_its_class() {
        let joined = |text| with_constructors_joined(text);
        assert_eq!(
            Some("class Cart   private constructor(\n\n  val a: Int,\n)".to_owned()),
            joined("class Cart\n  private constructor(\n  val a: Int,\n)")
        );
        assert_eq!(
            Some("class Cart<T : Any> @Inject(\"a\") @a.B internal constructor(\n\n) { }".to_owned()),
            joined("class Cart<T : Any>\n@Inject(\"a\") @a.B\ninternal constructor() { }")
        );
        for other in [
            "class Cart private constructor(val a: Int)",
            "class Cart {\n  private constructor(a: Int)\n}",
            "class Cart\n\nfun f() = constructor(1)",
            "class Cart\nval x = y\nprivate constructor(",
            "constructor(",
        ] {
            assert_eq!(None, joined(other), "{other}");
        }
    }

    #[test]
    fn macros_before_the_type_of_a_function_are_blanked_in_place() {
        let blanked = |text| without_words_before_types(text);
        for (written, read) in [
            ("SHOP_INLINE void Cart::clear() {\n", "            void Cart::clear() {\n"),
            ("  SHOP_API std::map<int, Line> lines() const;", "           std::map<int, Line> lines() const;"),
            ("SHOP_API static const Cart &cart(", "         static const Cart &cart("),
            ("SHOP_INLINE Cart::Cart(int a)", "            Cart::Cart(int a)"),
            ("SHOP_INLINE shop::Cart::~Cart()", "            shop::Cart::~Cart()"),
            ("SHOP_INLINE Box<A, B>::Box(int a)", "            Box<A, B>::Box(int a)"),
            ("SHOP_INLINE void a::Box<A>::add(A one)", "            void a::Box<A>::add(A one)"),
            ("SHOP_API bool operator==(Cart other);", "         bool operator==(Cart other);"),
        ] {
            assert_eq!(Some(read.to_owned()), blanked(written), "{written}");
        }
        for other in [
            "BOOL Cart::is_open()",
            "BOOL is_open(int a)",
            "DWORD WINAPI run(void *a)",
            "HANDLE handle = open(1);",
            "SHOP_API int count;",
            "RETURN return f(1);",
            "Cart make(int a)",
            "CHECK(a) void f(",
        ] {
            assert_eq!(None, blanked(other), "{other}");
        }
    }

    #[test]
    fn words_between_class_and_its_name_are_blanked_in_place() {
        let blanked = |text| without_words_before_names(text, true);
        for (written, read) in [
            ("class EXPORT Cart : public Base {", "class        Cart : public Base {"),
            ("struct API Cart {\n", "struct     Cart {\n"),
            ("class ALIGNAS(16) LIB_API a::Cart final {", "class                     a::Cart final {"),
            ("enum class API Kind : int {", "enum class     Kind : int {"),
            ("class __declspec(dllexport) Cart {", "class                       Cart {"),
            ("class [[nodiscard]] API Cart final {", "class                   Cart final {"),
            ("template <class T> class API Box<T *> {", "template <class T> class     Box<T *> {"),
            ("class API\nCart {", "class    \nCart {"),
            ("class API Cart;", "class     Cart;"),
        ] {
            assert_eq!(Some(read.to_owned()), blanked(written), "{written}");
        }
        for other in [
            "class Cart : public Base {",
            "class CART {",
            "class CART final {",
            "class CART : BASE {",
            "struct STAT s;",
            "struct POINT p{1, 2};\n",
            "struct POINT p{};",
            "struct POINT make(int a) {",
            "struct POINT p = {",
            "enum COLOR c : 3;",
            "template <class KEY, class VALUE> void f() {",
            "subclass API Cart {",
            "f(class API Cart {",
        ] {
            assert_eq!(None, blanked(other), "{other}");
        }
        assert_eq!(None, without_words_before_names("struct __attribute__((packed)) cart {", false));
    }
}
