//! The vocabulary file: a token and its number on each line.

use std::io::Read;
use std::path::Path;

use crate::error::LoadError;

/// The largest vocabulary file in bytes; Parakeet's has 94 kB.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The most tokens; Parakeet has 8193.
const MAX_TOKENS: usize = 65_536;

/// The token that stands for "nothing was said here".
const BLANK: &str = "<blk>";

/// SentencePiece's mark for a space before the token.
const SPACE: char = '\u{2581}';

/// The tokens of a model by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    tokens: Vec<String>,
    blank: u32,
}

impl Vocabulary {
    /// Reads `vocab.txt`.
    ///
    /// # Errors
    /// When the file cannot be read or is no vocabulary; see [`Vocabulary::parse`].
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let unreadable = |error| LoadError::unreadable(path, error);
        let file = std::fs::File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(LoadError::unusable(path, "it is larger than 4 MiB"));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| LoadError::unusable(path, "it is not UTF-8 text"))?;
        Self::parse(&text).map_err(|reason| LoadError::unusable(path, reason))
    }

    /// Reads the lines of a vocabulary.
    ///
    /// # Errors
    /// When a line is not a token and a number, when the numbers are not 0, 1, 2… in some order, or
    /// when there is no blank.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() > MAX_TOKENS {
            return Err(format!("it has more than {MAX_TOKENS} lines"));
        }
        let mut tokens = vec![None; lines.len()];
        for (place, line) in lines.iter().enumerate() {
            let number = place + 1;
            let (token, id) = line
                .rsplit_once(' ')
                .filter(|(token, _)| !token.is_empty())
                .ok_or_else(|| format!("line {number} is not a token and its number"))?;
            let id: usize = id
                .parse()
                .map_err(|_| format!("line {number} does not end with a number"))?;
            let slot = tokens
                .get_mut(id)
                .ok_or_else(|| format!("line {number}: {id} is not below the number of tokens"))?;
            if slot.replace(token.to_owned()).is_some() {
                return Err(format!("line {number}: {id} is there twice"));
            }
        }
        let tokens: Vec<String> = tokens.into_iter().flatten().collect();
        let blank = tokens
            .iter()
            .position(|token| token == BLANK)
            .and_then(|blank| u32::try_from(blank).ok())
            .ok_or_else(|| format!("it has no {BLANK}"))?;
        Ok(Self { tokens, blank })
    }

    /// The number of tokens, with the blank.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Never true: a vocabulary has its blank.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The number of the blank.
    #[must_use]
    pub fn blank(&self) -> u32 {
        self.blank
    }

    /// The text of a token, with a space where SentencePiece marks one. Empty for marks of the model
    /// itself (`<unk>`, `<|nospeech|>`…) and for numbers that are not in the vocabulary.
    #[must_use]
    pub fn text(&self, id: u32) -> String {
        let token = self.tokens.get(id as usize).map_or("", String::as_str);
        if token.len() > 2 && token.starts_with('<') && token.ends_with('>') {
            return String::new();
        }
        token.replace(SPACE, " ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_ordered_by_number() {
        let vocabulary = Vocabulary::parse("\u{2581}так 1\n<unk> 0\n, 2\n<blk> 3\n").unwrap();
        assert_eq!(vocabulary.len(), 4);
        assert_eq!(vocabulary.blank(), 3);
        assert_eq!(vocabulary.text(1), " так");
        assert_eq!(vocabulary.text(2), ",");
        assert_eq!(vocabulary.text(0), "");
        assert_eq!(vocabulary.text(99), "");
        assert_eq!(
            Vocabulary::parse("< 0\n<> 1\n<blk> 2").unwrap().text(1),
            "<>"
        );
    }

    #[test]
    fn bad_files_are_refused_with_the_line() {
        for (text, reason) in [
            ("", "no <blk>"),
            ("a 0\n", "no <blk>"),
            ("a\n<blk> 1", "line 1"),
            (" 0\n<blk> 1", "line 1"),
            ("a 0\n\n<blk> 1", "line 2"),
            ("a zero\n<blk> 1", "line 1"),
            ("a -1\n<blk> 1", "line 1"),
            ("a 0\nb 0\n<blk> 2", "line 2: 0 is there twice"),
            ("a 7\n<blk> 1", "line 1: 7 is not below"),
            ("a 18446744073709551615\n<blk> 1", "line 1"),
            ("a 99999999999999999999999\n<blk> 1", "line 1"),
        ] {
            let error = Vocabulary::parse(text).unwrap_err();
            assert!(error.contains(reason), "{text:?}: {error}");
        }
        let many = "a 0\n".repeat(MAX_TOKENS + 1);
        assert!(Vocabulary::parse(&many).unwrap_err().contains("more than"));
    }

    #[test]
    fn files_that_are_missing_large_or_binary_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vocab.txt");
        assert!(matches!(
            Vocabulary::load(&path),
            Err(LoadError::Unreadable { .. })
        ));
        for content in [vec![0xff, 0xfe, b'\n'], vec![b'a'; 5 << 20]] {
            std::fs::write(&path, content).unwrap();
            assert!(matches!(
                Vocabulary::load(&path),
                Err(LoadError::Unusable { .. })
            ));
        }
    }
}
