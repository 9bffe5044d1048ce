//! The two character tables: Latin (ISO 6937) and Cyrillic (ISO 8859-5).

use std::collections::BTreeMap;

use slovo_rules::subtitles::lines;
use unicode_normalization::UnicodeNormalization;

/// A character table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// ISO 6937.
    Latin,
    /// ISO 8859-5.
    Cyrillic,
}

/// Single-byte characters of ISO 6937 beyond ASCII.
const SIGNS: [(char, u8); 62] = [
    ('\u{a0}', 0xa0),
    ('¡', 0xa1),
    ('¢', 0xa2),
    ('£', 0xa3),
    ('¥', 0xa5),
    ('§', 0xa7),
    ('¤', 0xa8),
    ('‘', 0xa9),
    ('“', 0xaa),
    ('«', 0xab),
    ('←', 0xac),
    ('↑', 0xad),
    ('→', 0xae),
    ('↓', 0xaf),
    ('°', 0xb0),
    ('±', 0xb1),
    ('²', 0xb2),
    ('³', 0xb3),
    ('×', 0xb4),
    ('µ', 0xb5),
    ('¶', 0xb6),
    ('·', 0xb7),
    ('÷', 0xb8),
    ('’', 0xb9),
    ('”', 0xba),
    ('»', 0xbb),
    ('¼', 0xbc),
    ('½', 0xbd),
    ('¾', 0xbe),
    ('¿', 0xbf),
    ('—', 0xd0),
    ('¹', 0xd1),
    ('®', 0xd2),
    ('©', 0xd3),
    ('™', 0xd4),
    ('♪', 0xd5),
    ('¬', 0xd6),
    ('¦', 0xd7),
    ('Ω', 0xe0),
    ('Æ', 0xe1),
    ('Đ', 0xe2),
    ('ª', 0xe3),
    ('Ħ', 0xe4),
    ('Ł', 0xe8),
    ('Ø', 0xe9),
    ('Œ', 0xea),
    ('º', 0xeb),
    ('Þ', 0xec),
    ('Ŋ', 0xee),
    ('æ', 0xf1),
    ('đ', 0xf2),
    ('ð', 0xf3),
    ('ħ', 0xf4),
    ('ı', 0xf5),
    ('ł', 0xf8),
    ('ø', 0xf9),
    ('œ', 0xfa),
    ('ß', 0xfb),
    ('þ', 0xfc),
    ('ŧ', 0xfd),
    ('ŋ', 0xfe),
    ('\u{ad}', 0xff),
];

/// Diacritics of ISO 6937, each a byte before its letter, and the letters that can have them.
const MARKS: [(char, u8, &str); 13] = [
    ('\u{300}', 0xc1, "AEIOUaeiou"),
    ('\u{301}', 0xc2, "ACEILNORSUYZaceilnorsuyz"),
    ('\u{302}', 0xc3, "ACEGHIJOSUWYaceghijosuwy"),
    ('\u{303}', 0xc4, "AINOUainou"),
    ('\u{304}', 0xc5, "AEIOUaeiou"),
    ('\u{306}', 0xc6, "AGUagu"),
    ('\u{307}', 0xc7, "CEGIZcegz"),
    ('\u{308}', 0xc8, "AEIOUYaeiouy"),
    ('\u{30a}', 0xca, "AUau"),
    ('\u{327}', 0xcb, "CGKLNRSTcgklnrst"),
    ('\u{30b}', 0xcd, "OUou"),
    ('\u{328}', 0xce, "AEIUaeiu"),
    ('\u{30c}', 0xcf, "CDELNRSTZcdelnrstz"),
];

/// Similar replacements for characters that are in no table.
const NEAR: [(char, &str); 23] = [
    ('«', "\""),
    ('»', "\""),
    ('“', "\""),
    ('”', "\""),
    ('„', "\""),
    ('‟', "\""),
    ('‘', "'"),
    ('’', "'"),
    ('ʼ', "'"),
    ('‚', "'"),
    ('′', "'"),
    ('–', "-"),
    ('—', "-"),
    ('‑', "-"),
    ('−', "-"),
    ('…', "..."),
    ('№', "No"),
    ('€', "EUR"),
    ('ґ', "г"),
    ('Ґ', "Г"),
    ('•', "-"),
    ('→', "->"),
    ('♪', "#"),
];

impl Table {
    /// The table for these texts: Cyrillic if they contain any Cyrillic letter.
    pub fn of<'a>(mut texts: impl Iterator<Item = &'a str>) -> Self {
        let cyrillic = |c: char| ('\u{400}'..='\u{4ff}').contains(&c);
        if texts.any(|text| text.chars().any(cyrillic)) {
            Self::Cyrillic
        } else {
            Self::Latin
        }
    }

    /// Its number in the GSI block.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Latin => "00",
            Self::Cyrillic => "01",
        }
    }

    /// The character's bytes, if it is in the table.
    fn bytes(self, character: char) -> Option<Vec<u8>> {
        if (' '..='~').contains(&character) {
            return u8::try_from(character).ok().map(|byte| vec![byte]);
        }
        match self {
            Self::Latin => latin(character),
            Self::Cyrillic => cyrillic(character).map(|byte| vec![byte]),
        }
    }
}

fn latin(character: char) -> Option<Vec<u8>> {
    let sign = SIGNS.iter().find(|(sign, _)| *sign == character);
    if let Some((_, byte)) = sign {
        return Some(vec![*byte]);
    }
    let mut parts = std::iter::once(character).nfd();
    let (letter, mark, rest) = (parts.next()?, parts.next()?, parts.next());
    let (_, byte, letters) = MARKS.iter().find(|(combining, ..)| *combining == mark)?;
    (rest.is_none() && letters.contains(letter))
        .then(|| u8::try_from(letter).ok().map(|letter| vec![*byte, letter]))?
}

fn cyrillic(character: char) -> Option<u8> {
    let code = u32::from(character);
    let byte = match character {
        '\u{a0}' => 0xa0,
        '\u{ad}' => 0xad,
        '§' => 0xfd,
        '№' => 0xf0,
        '\u{401}'..='\u{40c}' | '\u{40e}'..='\u{44f}' | '\u{451}'..='\u{45c}' | 'ў' | 'џ' => {
            code - 0x360
        }
        _ => return None,
    };
    u8::try_from(byte).ok()
}

/// Encodes text and counts characters that are not in the table.
pub struct Encoder {
    table: Table,
    replaced: BTreeMap<char, usize>,
}

impl Encoder {
    /// An encoder without replacements so far.
    pub const fn new(table: Table) -> Self {
        Self {
            table,
            replaced: BTreeMap::new(),
        }
    }

    /// Writes a line and returns the number of visible characters.
    pub fn write(&mut self, line: &str, out: &mut Vec<u8>) -> usize {
        let mut width = 0;
        for character in line.nfc() {
            if let Some(bytes) = self.table.bytes(character) {
                out.extend(bytes);
                width += 1;
                continue;
            }
            *self.replaced.entry(character).or_default() += 1;
            for bytes in self.near(character) {
                out.extend(bytes);
                width += 1;
            }
        }
        width
    }

    /// The replacement of a character that is not in the table: a similar one, its base letter, or
    /// `?`; nothing for zero-width characters such as joiners and combining marks.
    fn near(&self, character: char) -> Vec<Vec<u8>> {
        if lines::columns(character.encode_utf8(&mut [0; 4])) == 0 {
            return Vec::new();
        }
        let near = NEAR.iter().find(|(candidate, _)| *candidate == character);
        let letter: String = std::iter::once(character).nfkd().take(1).collect();
        let text = near.map_or(letter.as_str(), |(_, text)| text);
        let bytes: Option<Vec<Vec<u8>>> = text.chars().map(|c| self.table.bytes(c)).collect();
        bytes.unwrap_or_else(|| vec![vec![b'?']])
    }

    /// The replaced characters as code points with counts, the most frequent first; empty if none.
    pub fn replaced(&self) -> String {
        let mut all: Vec<_> = self.replaced.iter().collect();
        all.sort_by(|(a, x), (b, y)| y.cmp(x).then(a.cmp(b)));
        let entries = all
            .iter()
            .map(|(character, times)| format!("U+{:04X} x{times}", u32::from(**character)));
        let entries: Vec<String> = entries.collect();
        if entries.is_empty() {
            String::new()
        } else {
            format!("Replaced characters: {}", entries.join(", "))
        }
    }
}
