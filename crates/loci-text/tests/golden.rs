//! Cases worked out by hand from the rules at the top of the crate: `word -> term@offset ... / width`.

use loci_text::{expand, tokenize, words};

/// `term@offset` of every term, sorted, and the width.
fn expanded(word: &str) -> (Vec<String>, u32) {
    let expansion = expand(word);
    let mut terms: Vec<String> = expansion.terms.iter().map(|term| format!("{}@{}", term.text, term.offset)).collect();
    terms.sort();
    (terms, expansion.width)
}

#[track_caller]
fn check(cases: &[(&str, &str, u32)]) {
    for &(word, terms, width) in cases {
        let mut expected: Vec<String> = terms.split_whitespace().map(str::to_owned).collect();
        expected.sort();
        assert_eq!((expected, width), expanded(word), "{word}");
    }
}

#[track_caller]
fn check_words(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(*expected, words(text).collect::<Vec<_>>(), "{text:?}");
    }
}

#[test]
fn words_are_cut_at_everything_but_letters_digits_marks_and_connectors() {
    check_words(&[
        ("", &[]),
        (" \t\n", &[]),
        ("src/main.rs:12", &["src", "main", "rs", "12"]),
        ("a=b&c+d", &["a", "b", "c", "d"]),
        ("std::io::Error", &["std", "io", "Error"]),
        ("foo_bar foo-bar", &["foo_bar", "foo-bar"]),
        ("__init__ _x _", &["init", "x"]),
        ("foo--bar -x- --flag", &["foo", "bar", "x", "flag"]),
        ("foo_-bar foo-_bar", &["foo", "bar", "foo", "bar"]),
        ("a__b", &["a__b"]),
        ("don't 'quoted' users' rock'n'roll", &["don't", "quoted", "users", "rock'n'roll"]),
        ("it’s 5'6 v1'x", &["it’s", "5", "6", "v1", "x"]),
        ("a\0b", &["a", "b"]),
        ("\u{301}a =\u{338}b", &["a", "b"]),
        ("cafe\u{301}s", &["cafe\u{301}s"]),
        (
            "co\u{AD}op foo-\u{AD}bar x\u{200B}y \u{FEFF}start end\u{200D}",
            &["co\u{AD}op", "foo-\u{AD}bar", "x", "y", "start", "end"],
        ),
        ("設定，ファイル。", &["設定", "ファイル"]),
        ("Ａ－Ｂ＿Ｃ", &["Ａ－Ｂ＿Ｃ"]),
        ("on‐line non‑breaking en–dash", &["on‐line", "non‑breaking", "en", "dash"]),
    ]);
}

#[test]
fn identifiers_are_split_and_keep_the_joined_form() {
    check(&[
        ("HTTPServer", "http@0 server@1 httpserver@0", 2),
        ("fooBar", "foo@0 bar@1 foobar@0", 2),
        ("foo_bar", "foo@0 bar@1 foobar@0", 2),
        ("foo-bar", "foo@0 bar@1 foobar@0", 2),
        ("foobar", "foobar@0", 1),
        ("FOO_BAR", "foo@0 bar@1 foobar@0", 2),
        ("XMLHttpRequest", "xml@0 http@1 request@2 xmlhttprequest@0", 3),
        ("max__retry_count", "max@0 retri@1 count@2 maxretrycount@0", 3),
        // A camelCase part of a longer name keeps its own joined form.
        ("test_fooBar", "test@0 foo@1 bar@2 foobar@1 testfoobar@0", 3),
        ("OAuth2-proxy", "auth2@0 auth@0 oauth2@0 proxi@1 oauth2proxy@0", 2),
        ("GraphQL-js", "graph@0 ql@1 graphql@0 js@2 graphqlj@0", 3),
        // The same piece twice is counted twice; a term is given once per position.
        ("foo-foo", "foo@0 foo@1 foofoo@0", 2),
        // The plural of an acronym is one piece.
        ("parseURLs", "pars@0 url@1 parseurl@0", 2),
        ("URLs", "url@0", 1),
        ("URLsOf", "url@0 urlsof@0", 1),
        ("JSONStream", "json@0 stream@1 jsonstream@0", 2),
        // Case borders outside ASCII.
        ("étéChaud", "été@0 chaud@1 étéchaud@0", 2),
        ("МойКласс", "мой@0 класс@1 мойкласс@0", 2),
    ]);
}

#[test]
fn a_split_that_would_lose_a_piece_keeps_the_whole() {
    check(&[
        ("OAuth", "oauth@0 auth@0", 1),
        ("GraphQL", "graphql@0 graph@0 ql@1", 2),
        ("macOS", "maco@0 mac@0 os@1", 2),
        ("iPhone", "phone@0 iphon@0", 1),
        ("vLLM", "llm@0 vllm@0", 1),
        ("eBPF", "bpf@0 ebpf@0", 1),
        ("x-ray", "ray@0 xray@0", 1),
        ("e-mail", "mail@0 email@0", 1),
        ("getX", "get@0 getx@0", 1),
        ("aB", "ab@0", 1),
        ("a_b_c", "abc@0", 1),
    ]);
}

#[test]
fn single_letters_are_dropped_in_ascii_and_kept_elsewhere_as_whole_words() {
    check(&[
        ("c", "", 0),
        ("R", "", 0),
        ("_x_", "", 0),
        ("x's", "", 0),
        ("é", "é@0", 1),
        ("я", "я@0", 1),
        ("λ", "λ@0", 1),
        ("Δt", "δt@0", 1),
        ("foo_я", "foo@0 fooя@0", 1),
    ]);
}

#[test]
fn letters_with_digits_stay_whole_and_yield_their_letters() {
    check(&[
        ("base64", "base64@0 base@0", 1),
        ("sha256", "sha256@0 sha@0", 1),
        ("SHA256", "sha256@0 sha@0", 1),
        ("d1", "d1@0", 1),
        ("s3", "s3@0", 1),
        ("n8n", "n8n@0", 1),
        ("h2", "h2@0", 1),
        ("K8s", "k8s@0", 1),
        ("v2", "v2@0", 1),
        ("md5sum", "md5sum@0 md@0 sum@0", 1),
        ("MD5SUM", "md5sum@0 md@0 sum@0", 1),
        ("in2", "in2@0", 1),
        ("utf8Decode", "utf8@0 utf@0 decod@1 utf8decode@0", 2),
        ("utf8_decode", "utf8@0 utf@0 decod@1 utf8decode@0", 2),
        ("base64URL", "base64@0 base@0 url@1 base64url@0", 2),
        ("EC2Instance", "ec2@0 ec@0 instanc@1 ec2instance@0", 2),
        ("B2B", "b2b@0", 1),
        ("I18N", "i18n@0", 1),
        ("2FA", "2fa@0 fa@0", 1),
        ("3DModel", "3d@0 model@1 3dmodel@0", 2),
        ("1Password", "password@0 1password@0", 1),
        ("x86_64", "x86@0 x8664@0", 1),
        ("page-2", "page@0 page2@0", 1),
        ("log4j", "log4j@0 log@0", 1),
    ]);
}

#[test]
fn numbers_are_dropped() {
    for word in [
        "0",
        "42",
        "007",
        "0x1F",
        "0xdeadbeef",
        "0xDEAD_beef",
        "0xFFul",
        "0b1010",
        "0o17",
        "1_000",
        "1_000_000u64",
        "100ul",
        "1L",
        "3f32",
        "1e10",
        "2024-01-15",
        "٣٤",
        "１２",
        "½",
        "1⃣",
        "❶",
    ] {
        assert_eq!((vec![], 0), expanded(word), "{word}");
    }
    check(&[("0xyz", "0xyz@0 xyz@0", 1), ("0b12", "0b12@0", 1), ("Ⅻ", "xii@0", 1), ("5ml", "5ml@0 ml@0", 1)]);
    assert_eq!(Vec::<String>::new(), terms("1.2.3 0.17.0"));
    assert_eq!(["v1"], terms("v1.2.3").as_slice());
}

#[test]
fn hashes_are_dropped_and_words_that_look_like_them_are_not() {
    for word in [
        "a1b2c3d",
        "A1B2C3D",
        "fb54159861708558",
        "34e18d3",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "550e8400-e29b-41d4-a716-446655440000",
        "deadbeef-dead-beef-dead-beefdeadbeef",
        "550E8400-E29B-41D4-A716-446655440000",
    ] {
        assert_eq!((vec![], 0), expanded(word), "{word}");
    }
    // 65 hexadecimal digits are no digest, but no name either.
    assert_eq!((vec![], 0), expanded(&"a1b2c".repeat(13)));
    check(&[
        ("decade", "decad@0", 1),
        ("facade", "facad@0", 1),
        ("deadbeef", "deadbeef@0", 1),
        ("ed25519", "ed25519@0 ed@0", 1),
        ("facade1", "facade1@0 facad@0", 1),
        ("cafe2024", "cafe2024@0 cafe@0", 1),
        ("a1b2c3", "a1b2c3@0", 1),
        ("fix-a1b2c3d-typo", "fix@0 typo@1 fixtypo@0", 2),
        ("commit_a1b2c3d", "commit@0", 1),
        ("app-550e8400-e29b-41d4-a716-446655440000", "app@0", 1),
        ("я-a1b2c3d", "я@0", 1),
    ]);
}

#[test]
fn encoded_data_is_dropped_and_long_names_are_not() {
    let data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk8z8ABQ";
    assert!(data.len() > 64);
    assert_eq!((vec![], 0), expanded(data));
    let name = "shouldReturn404WhenTheUserDoesNotExistAndTheRequestIsAuthenticatedProperly";
    assert!(name.len() > 64);
    check(&[(name, "return404@0 return@0 user@1 exist@2 request@3 authent@4 proper@5", 6)]);
}

#[test]
fn no_term_is_longer_than_64_characters() {
    let (half, more) = ("a".repeat(32), "b".repeat(33));
    let fits = format!("{half}_{}", "b".repeat(32));
    assert!(expand(&fits).terms.iter().any(|term| term.text.len() == 64));
    assert_eq!((vec![format!("{half}@0"), format!("{more}@1")], 2), expanded(&format!("{half}_{more}")));
    assert_eq!((vec![], 0), expanded(&"a".repeat(65)));
    // A long run keeps its bigrams.
    let expansion = expand(&"漢".repeat(65));
    assert_eq!((64, 64), (expansion.terms.len(), expansion.width));
    assert!(expansion.terms.iter().all(|term| term.text == "漢漢"));
    assert!(expand(&"漢".repeat(64)).terms.iter().any(|term| term.text.chars().count() == 64));
}

#[test]
fn unsegmented_scripts_give_bigrams_and_the_run() {
    check(&[
        ("invoice設定", "invoic@0 設定@1", 2),
        ("設定invoice", "設定@0 invoic@1", 2),
        ("foo_bar設定baz", "foo@0 bar@1 foobar@0 設定@2 baz@3", 4),
        ("猫", "猫@0", 1),
        ("设置", "设置@0", 1),
        ("数据库", "数据@0 据库@1 数据库@0", 2),
        // Runs are cut where the script changes; the prolonged sound mark stays with either kana.
        ("東京タワー", "東京@0 タワ@1 ワー@2 タワー@1", 3),
        ("らーめん", "らー@0 ーめ@1 めん@2 らーめん@0", 3),
        ("設定する", "設定@0 する@1", 2),
        ("設'設", "設@0 設@1", 2),
        ("設_0xFF_FF", "設@0", 1),
        ("設's_foo", "設@0 foo@1", 2),
        ("佐々木", "佐々@0 々木@1 佐々木@0", 2),
        ("데이터를", "데이@0 이터@1 터를@2 데이터를@0", 3),
        ("API를", "api@0 를@1", 2),
        ("第3章", "第@0 章@1", 2),
        ("設定_ファイル", "設定@0 ファ@1 ァイ@2 イル@3 ファイル@1", 4),
        ("ｶﾞﾗｽ", "ガラ@0 ラス@1 ガラス@0", 2),
        // Units are characters with their marks: เ ปิ ด.
        ("เปิด", "เปิ@0 ปิด@1 เปิด@0", 2),
        ("ลิงก์", "ลิง@0 งก์@1 ลิงก์@0", 2),
        ("ຂໍ້ມູນ", "ຂໍ້ມູ@0 ມູນ@1 ຂໍ້ມູນ@0", 2),
        ("កូដ", "កូដ@0", 1),
        ("ကုဒ်", "ကုဒ်@0", 1),
        // A zero-width space, which is where these scripts may be broken, breaks them.
        ("ទិន្នន័យ\u{200B}កូដ", "ទិន្@0 ន្ន@1 នន័@2 ន័យ@3 ទិន្នន័យ@0 កូដ@4", 5),
        ("葛\u{E0100}飾", "葛飾@0", 1),
    ]);
}

#[test]
fn other_alphabets_are_whole_words_and_marks_stay_with_their_base() {
    check(&[
        ("Привет", "привет@0", 1),
        ("ΟΔΟΣ", "οδοσ@0", 1),
        ("οδος", "οδοσ@0", 1),
        ("שלום", "שלום@0", 1),
        ("العَرَبِيَّة", "العَرَبِيَّة@0", 1),
        ("हिन्दी", "हिन्दी@0", 1),
        ("தமிழ்", "தமிழ்@0", 1),
        ("İstanbul", "istanbul@0", 1),
        ("straße", "straße@0", 1),
        // Decomposed Vietnamese is composed.
        ("tie\u{302}\u{301}ng", "tiếng@0", 1),
        ("Vie\u{302}\u{323}t", "việt@0", 1),
        // No capital J with caron exists, but a small one does.
        ("J\u{30C}a", "\u{1F0}a@0", 1),
    ]);
}

#[test]
fn normal_form_meets_the_plain_spelling() {
    check(&[
        ("Ｆｕｌｌ", "full@0", 1),
        ("ﬁne", "fine@0", 1),
        ("cafe\u{301}", "café@0", 1),
        ("co\u{AD}op", "coop@0", 1),
        ("foo\u{200D}bar", "foobar@0", 1),
        ("ｆｏｏ＿ｂａｒ", "foo@0 bar@1 foobar@0", 2),
        ("㎏", "kg@0", 1),
        ("Ⅻ", "xii@0", 1),
    ]);
}

#[test]
fn stems_are_snowball_english_and_only_of_ascii_letters() {
    check(&[
        ("running", "run@0", 1),
        ("retries", "retri@0", 1),
        ("retried", "retri@0", 1),
        ("added", "add@0", 1),
        ("internal", "internal@0", 1),
        ("international", "internat@0", 1),
        ("httpservers", "httpserver@0", 1),
        ("HTTPServers", "http@0 server@1 httpserver@0", 2),
        ("files2", "files2@0 file@0", 1),
        ("cafés", "cafés@0", 1),
    ]);
}

#[test]
fn possessives_are_removed_and_contractions_are_stop_words() {
    check(&[
        ("server's", "server@0", 1),
        ("server’s", "server@0", 1),
        ("USER'S", "user@0", 1),
        ("user's-guide", "user@0 guid@1 userguid@0", 2),
        ("don't", "", 0),
        ("Don’t", "", 0),
        ("it's", "", 0),
        ("she'll", "", 0),
        ("we're", "", 0),
        ("o'reilly", "reilli@0 oreilli@0", 1),
        ("rock'n'roll", "rock@0 roll@1 rocknrol@0", 2),
    ]);
}

#[test]
fn stop_words_have_no_term_and_no_position() {
    assert_eq!(
        [("cooki".to_owned(), 0), ("drop".to_owned(), 1)],
        tokenize("Why was the cookie not dropped?")
            .into_iter()
            .map(|token| (token.term, token.position))
            .collect::<Vec<_>>()[..]
    );
    check(&[
        ("the", "", 0),
        ("toString", "string@0 tostr@0", 1),
        ("is_valid", "valid@0 isvalid@0", 1),
        ("to-do", "todo@0", 1),
        ("as_is", "asi@0", 1),
        ("can-not", "", 0),
        ("und", "und@0", 1),
        // Tested before stemming: `ours` is listed, `doings` is not.
        ("ours", "", 0),
        ("doings", "do@0", 1),
    ]);
}

#[test]
fn spellings_of_one_name_share_a_term() {
    for spellings in [
        ["fooBar", "foo_bar", "foo-bar", "FooBar", "FOO_BAR", "foobar"],
        ["HTTPServer", "http_server", "http-server", "HttpServer", "HTTP_SERVER", "httpserver"],
    ] {
        for spelling in spellings {
            let joined = spellings[5];
            assert!(expand(spelling).terms.iter().any(|term| term.text == joined), "{spelling} has no {joined}");
        }
    }
}

/// A sentence is found by any phrase in it: its bigrams are there, in its order, at successive positions.
#[test]
fn issue_3801_a_chinese_phrase_is_found_in_the_text_that_contains_it() {
    let text = tokenize("修复了用户登录失败的问题，并更新数据库连接设置。");
    for phrase in ["登录失败", "数据库", "数据库连接", "用户登录失败的问题"] {
        let start = text
            .iter()
            .find(|token| phrase.starts_with(&token.term))
            .unwrap_or_else(|| panic!("no term of the text begins {phrase}"))
            .position;
        let bigrams: Vec<_> = tokenize(phrase).into_iter().filter(|token| token.term.chars().count() == 2).collect();
        assert!(!bigrams.is_empty());
        for bigram in bigrams {
            assert!(
                text.iter().any(|token| token.term == bigram.term && token.position == start + bigram.position),
                "{} of {phrase} is missing",
                bigram.term
            );
        }
    }
}

/// Words of two characters, the most frequent kind in Chinese, are terms.
#[test]
fn issue_1961_a_two_character_word_is_found_in_the_text_that_contains_it() {
    let text = terms("请在设置页面修改缓存大小，然后重启服务。");
    for word in ["设置", "缓存", "重启", "服务"] {
        assert_eq!([word], terms(word).as_slice());
        assert!(text.iter().any(|term| term == word), "{word}");
    }
}

fn terms(text: &str) -> Vec<String> {
    tokenize(text).into_iter().map(|token| token.term).collect()
}
