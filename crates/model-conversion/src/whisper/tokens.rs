//! The vocabulary: plain byte-pair tokens as bytes, from a `tokenizer.json`.
//!
//! The file writes each byte of a token as a printable character (GPT-2's table); whisper.cpp needs
//! the bytes. Special tokens are left out, because whisper.cpp adds them itself.

use std::collections::HashMap;

use serde::Deserialize;

use super::error::ConvertError;

#[derive(Deserialize)]
struct TokenizerFile {
    model: TokenizerModel,
}

#[derive(Deserialize)]
struct TokenizerModel {
    vocab: HashMap<String, u32>,
}

/// The first `count` tokens as bytes, in order of their ids.
///
/// # Errors
/// When the text is not a tokenizer file, an id is missing or duplicated, or a token contains a
/// character that is not in the table.
pub fn plain_tokens(tokenizer_json: &[u8], count: u32) -> Result<Vec<Vec<u8>>, ConvertError> {
    let file: TokenizerFile = serde_json::from_slice(tokenizer_json)
        .map_err(|error| ConvertError::malformed(format!("the tokenizer: {error}")))?;
    let bytes_of = byte_table();
    let mut tokens: Vec<Option<Vec<u8>>> = vec![None; count as usize];
    for (text, number) in file.model.vocab {
        let Some(place) = tokens.get_mut(number as usize) else {
            continue;
        };
        let bytes: Option<Vec<u8>> = text.chars().map(|c| bytes_of.get(&c).copied()).collect();
        let bytes =
            bytes.ok_or_else(|| ConvertError::malformed(format!("token {number} is not bytes")))?;
        if place.replace(bytes).is_some() {
            return Err(ConvertError::malformed(format!(
                "token {number} is duplicated"
            )));
        }
    }
    tokens
        .into_iter()
        .enumerate()
        .map(|(number, token)| {
            token.ok_or_else(|| ConvertError::malformed(format!("token {number} is missing")))
        })
        .collect()
}

/// GPT-2's table from printable character to byte: printable bytes map to themselves, the others to
/// the characters from U+0100 on, in order.
fn byte_table() -> HashMap<char, u8> {
    let mut next = 0x100_u32;
    (0..=u8::MAX)
        .filter_map(|byte| {
            let is_printable = matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
            let code = if is_printable {
                u32::from(byte)
            } else {
                next += 1;
                next - 1
            };
            char::from_u32(code).map(|character| (character, byte))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_its_character() {
        let table = byte_table();
        assert_eq!(table.len(), 256);
        assert_eq!(table[&'Ġ'], b' ');
        assert_eq!(table[&'Ċ'], b'\n');
        assert_eq!(table[&'A'], b'A');
        assert_eq!(table[&'Ń'], 0xAD);
    }

    #[test]
    fn tokens_are_in_order_and_without_special_tokens() {
        let json = r#"{"model":{"vocab":{"Ġn":1,"!":0,"<|end|>":3,"Ð°":2}}}"#;
        let tokens = plain_tokens(json.as_bytes(), 3).unwrap();
        assert_eq!(
            tokens,
            [b"!".to_vec(), b" n".to_vec(), "а".as_bytes().to_vec()]
        );
    }

    #[test]
    fn missing_repeated_and_invalid_tokens_are_refused() {
        for json in [
            r#"{"model":{"vocab":{"a":0,"b":2}}}"#,
            r#"{"model":{"vocab":{"a":0,"b":0,"c":1}}}"#,
            r#"{"model":{"vocab":{"a":0,"漢":1}}}"#,
            r#"{"model":{}}"#,
            "<html>",
        ] {
            assert!(plain_tokens(json.as_bytes(), 2).is_err(), "{json}");
        }
    }
}
