//! Turns the user's terms into a prompt: Whisper prefers words that are in its prompt.

/// The most tokens of a prompt: whisper.cpp keeps half of the decoder's 448 for it, minus the token
/// that opens it.
pub(crate) const MAX_PROMPT_TOKENS: usize = 223;

/// The prompt and how many of the terms are in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Prompt {
    /// Tokens, at most as many as asked for.
    pub tokens: Vec<i32>,
    /// Number of terms that are in the prompt; they are the first ones.
    pub used: usize,
}

/// Writes as many of the terms as fit into `budget` tokens, in their order.
///
/// The list ends with a full stop, which the model takes for finished text, so it does not continue
/// the list.
pub(crate) fn prompt(
    terms: &[String],
    budget: usize,
    tokenize: impl Fn(&str) -> Result<Vec<i32>, String>,
) -> Result<Prompt, String> {
    let clean: Vec<String> = terms.iter().map(|term| clean(term)).collect();
    let mut used = clean.len();
    while used > 0 {
        let listed: Vec<&str> = clean[..used]
            .iter()
            .map(String::as_str)
            .filter(|term| !term.is_empty())
            .collect();
        if listed.is_empty() {
            break;
        }
        let tokens = tokenize(&format!(" {}.", listed.join(", ")))?;
        if tokens.len() <= budget {
            return Ok(Prompt { tokens, used });
        }
        // Reduces the terms in proportion, by at least one: a few iterations at most.
        used = (used * budget / tokens.len()).min(used - 1);
    }
    Ok(Prompt {
        tokens: Vec::new(),
        used,
    })
}

/// Longest prompt of another engine, in characters. Whisper keeps the last 223 tokens of a prompt, and
/// two Cyrillic letters are about one token, so that nothing is cut off at the beginning.
const MAX_TEXT: usize = 400;

/// The terms as a text for an engine elsewhere, most important first, and how many are in it.
pub(crate) fn text(terms: &[String]) -> (String, usize) {
    let mut text = String::new();
    let mut used = 0;
    for term in terms {
        let term = clean(term);
        let separator = if text.is_empty() { "" } else { ", " };
        let length = text.chars().count() + separator.len() + term.chars().count();
        if length > MAX_TEXT {
            break;
        }
        text += separator;
        text += &term;
        used += 1;
    }
    (text, used)
}

/// One line without control characters and without the delimiters of special tokens.
fn clean(term: &str) -> String {
    let plain: String = term
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    plain
        .replace("<|", "")
        .replace("|>", "")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One token per character, so that budgets are easy to see.
    fn letters(text: &str) -> Result<Vec<i32>, String> {
        Ok(text.chars().map(|c| c as i32).collect())
    }

    fn written(prompt: &Prompt) -> String {
        prompt
            .tokens
            .iter()
            .filter_map(|&c| char::from_u32(c as u32))
            .collect()
    }

    fn terms(list: &[&str]) -> Vec<String> {
        list.iter().map(|&term| term.to_owned()).collect()
    }

    #[test]
    fn terms_are_listed_in_their_order() {
        let prompt =
            prompt(&terms(&["ComfyUI", "Ґанок"]), MAX_PROMPT_TOKENS, letters).expect("no failure");
        assert_eq!(written(&prompt), " ComfyUI, Ґанок.");
        assert_eq!(prompt.used, 2);
    }

    #[test]
    fn terms_beyond_the_budget_are_dropped_from_the_end() {
        let many: Vec<String> = (0..500).map(|number| format!("term{number:03}")).collect();
        let prompt = prompt(&many, MAX_PROMPT_TOKENS, letters).expect("no failure");
        assert!(prompt.tokens.len() <= MAX_PROMPT_TOKENS);
        assert!(prompt.used > 15, "{}", prompt.used);
        assert!(written(&prompt).starts_with(" term000, term001"));
    }

    #[test]
    fn a_single_term_beyond_the_budget_gives_no_prompt() {
        let prompt = prompt(&["x".repeat(1000)], MAX_PROMPT_TOKENS, letters).expect("no failure");
        assert_eq!(
            prompt,
            Prompt {
                tokens: Vec::new(),
                used: 0
            }
        );
    }

    #[test]
    fn special_tokens_and_control_characters_are_removed() {
        let prompt = prompt(
            &terms(&["<|endoftext|>\u{7}a\nb", " "]),
            MAX_PROMPT_TOKENS,
            letters,
        )
        .expect("no failure");
        assert_eq!(written(&prompt), " endoftext a b.");
    }

    #[test]
    fn no_terms_give_no_prompt() {
        assert_eq!(
            prompt(&[], MAX_PROMPT_TOKENS, letters),
            Ok(Prompt {
                tokens: Vec::new(),
                used: 0
            })
        );
    }

    #[test]
    fn the_most_important_terms_are_in_the_text_for_another_engine() {
        let terms: Vec<String> = (0..500).map(|number| format!("term{number}")).collect();
        let (found, used) = text(&terms);
        assert!(found.starts_with("term0, term1, "), "{found}");
        assert!(found.chars().count() <= MAX_TEXT);
        assert_eq!(found.split(", ").count(), used);
        assert_eq!(text(&["a\n<|en|>b".to_owned()]), ("a enb".to_owned(), 1));
        assert_eq!(text(&["a".repeat(2_000)]), (String::new(), 0));
        assert_eq!(text(&[]), (String::new(), 0));
    }
}
