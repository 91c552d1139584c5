//! What holds for every text.

use icu_normalizer::ComposingNormalizer;
use loci_text::{Token, expand, is_stop_word, signature, tokenize, words};
use proptest::prelude::*;

/// Characters that the rules treat in different ways, so that random texts meet every rule and their mixtures.
const ALPHABET: &str = "abcdefsxABSXÉé0123456789__---''’ .,/=:\0\n\u{301}\u{338}\u{323}\u{AD}\u{200B}\u{200D}\u{FE0F}\u{FEFF}設定猫々〇ァイーらめ데터각เปิด์ກໍ້កូ្ကုဒ်ςΣİıßяЯשहि्ؤｶﾞ＿－＇Ａ１①½㎏℡™ﷺͺⅫ❶‐‑´´゛";

fn text() -> impl Strategy<Value = String> {
    let alphabet: Vec<char> = ALPHABET.chars().collect();
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(alphabet), 0..40)
            .prop_map(|characters| characters.into_iter().collect()),
        proptest::collection::vec(any::<char>(), 0..40).prop_map(|characters| characters.into_iter().collect()),
        "[a-fA-F0-9xul_'-]{0,80}",
    ]
}

fn all_lower_case(term: &str) -> bool {
    term.chars().all(|c| c.to_lowercase().eq([c]))
}

proptest! {
    // PROPTEST_CASES asks for more. A failure is written down as a case of tests/golden.rs, not in a file beside it.
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(2000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn terms_are_well_formed_and_positions_run_on(text in text()) {
        let tokens = tokenize(&text);
        let mut expected = Vec::new();
        let mut position = 0;
        for word in words(&text) {
            let expansion = expand(word);
            for term in &expansion.terms {
                prop_assert!(term.offset < expansion.width, "{word:?}: {term:?} is outside {}", expansion.width);
                expected.push(Token { term: term.text.clone(), position: position + term.offset });
            }
            // Every position holds a term, unless a cluster of more than 64 characters stood there.
            prop_assert!(
                (0..expansion.width).all(|offset| expansion.terms.iter().any(|term| term.offset == offset))
                    || word.chars().count() > 64
            );
            position += expansion.width;
        }
        prop_assert_eq!(&tokens, &expected);
        for Token { term, .. } in tokens {
            let length = term.chars().count();
            prop_assert!((1..=64).contains(&length), "{term:?} has {length} characters");
            prop_assert!(all_lower_case(&term), "{term:?} is not in lower case");
            prop_assert_eq!(&*ComposingNormalizer::new_nfkc().normalize(&term), &*term);
        }
    }

    #[test]
    fn words_are_slices_in_order_that_stand_for_themselves(text in text()) {
        let mut at = 0;
        for word in words(&text) {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            prop_assert!(start >= at && !word.is_empty());
            at = start + word.len();
            // Context free: alone, the word is the same one word.
            prop_assert_eq!(words(word).collect::<Vec<_>>(), vec![word]);
        }
    }

    #[test]
    fn surrounding_punctuation_changes_no_word(text in text(), before in "[ .,;:/()\\[\\]{}<>=+*#@!?\"\n]{1,4}", after in "[ .,;:/()\\[\\]{}<>=+*#@!?\"\n]{1,4}") {
        let wrapped = format!("{before}{text}{after}");
        prop_assert_eq!(words(&text).collect::<Vec<_>>(), words(&wrapped).collect::<Vec<_>>());
        let between: String = words(&text).collect::<Vec<_>>().join(&after);
        prop_assert_eq!(words(&text).collect::<Vec<_>>(), words(&between).collect::<Vec<_>>());
    }

    #[test]
    fn a_text_and_its_normal_form_have_the_same_terms(text in text()) {
        let normal = ComposingNormalizer::new_nfkc().normalize(&text).into_owned();
        prop_assert_eq!(tokenize(&text), tokenize(&normal));
    }

    #[test]
    fn invisible_signs_change_nothing(text in text()) {
        let visible: String = text.chars().filter(|c| !['\u{AD}', '\u{200D}', '\u{FE0F}', '\u{FEFF}'].contains(c)).collect();
        prop_assert_eq!(tokenize(&text), tokenize(&visible));
    }

    #[test]
    fn snake_kebab_and_camel_of_the_same_words_meet(parts in proptest::collection::vec("[a-z]{2,10}", 2..6)) {
        let capital = |part: &String| part[..1].to_uppercase() + &part[1..];
        let spellings = [
            parts.join("_"),
            parts.join("-"),
            parts.concat(),
            parts.join("_").to_uppercase(),
            parts.iter().map(capital).collect::<String>(),
            parts[0].clone() + &parts[1..].iter().map(capital).collect::<String>(),
        ];
        // The plain spelling has one term; unless it is a stop word or looks like a hash, all others have it too.
        let plain = expand(&spellings[2]);
        prop_assert!(plain.terms.len() <= 1);
        for joined in &plain.terms {
            for spelling in &spellings {
                let terms = expand(spelling).terms;
                prop_assert!(terms.iter().any(|term| term.text == joined.text && term.offset == 0), "{spelling} has no {}", joined.text);
            }
        }
        prop_assert_eq!(plain.terms.is_empty(), is_stop_word(&spellings[2]));
    }
}

#[test]
fn the_signature_is_the_same_each_time() {
    assert_eq!(signature(), signature());
}
