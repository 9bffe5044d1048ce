//! Tokenizer with XLM-RoBERTa's SentencePiece unigram vocabulary, which is part of the model's
//! file.

use std::ops::Range;

use super::reader::{InvalidModel, Reader};

/// The most pieces of a vocabulary; the model has 250,002.
const MAX_PIECES: u32 = 1 << 20;
/// The most bytes of a piece; the model's longest has 48.
const MAX_PIECE_BYTES: usize = 256;
/// The character that replaces a space.
const SPACE: char = '\u{2581}';
/// The score of positions that are not reached.
const NOTHING: f32 = -1e30;

/// The vocabulary with its normaliser.
pub(super) struct Tokenizer {
    /// Where each piece begins in `text`, and where the last one ends.
    offsets: Vec<u32>,
    scores: Vec<f32>,
    /// The bytes of all pieces, concatenated.
    text: Range<usize>,
    /// Hash table with open addressing: index of a piece plus one, 0 for an empty slot.
    table: Vec<u32>,
    longest: usize,
    unknown_score: f32,
    /// Characters that the normaliser replaces, sorted, with their range in `replacements`.
    replaced: Vec<(char, Range<usize>)>,
    replacements: Vec<char>,
    pub begin: u32,
    pub end: u32,
    unknown: u32,
}

impl Tokenizer {
    /// Parses the vocabulary; its pieces stay in the file's `bytes`.
    pub(super) fn read(reader: &mut Reader<'_>, bytes: &[u8]) -> Result<Self, InvalidModel> {
        let pieces = reader.between(8, MAX_PIECES, "the size of its vocabulary")?;
        let mut special = || {
            let number = reader.u32()?;
            if (number as usize) < pieces {
                Ok(number)
            } else {
                Err(InvalidModel("its special tokens"))
            }
        };
        let (begin, end, pad, unknown) = (special()?, special()?, special()?, special()?);
        let text_length = reader.length()?;
        let offsets = reader.u32s(pieces + 1)?;
        let scores = reader.f32s(pieces)?;
        let start = reader.at();
        reader.take(text_length)?;
        let text = start..start + text_length;
        let fits = offsets.is_sorted()
            && offsets
                .last()
                .is_some_and(|last| *last as usize <= text_length);
        if !fits {
            return Err(InvalidModel("its vocabulary"));
        }
        let longest = offsets
            .windows(2)
            .map(|pair| (pair[1] - pair[0]) as usize)
            .max();
        let longest = longest.filter(|longest| *longest <= MAX_PIECE_BYTES);
        let (replaced, replacements) = replacements(reader)?;
        let mut tokenizer = Self {
            offsets,
            unknown_score: scores.iter().copied().fold(0.0, f32::min) - 10.0,
            scores,
            text,
            table: Vec::new(),
            longest: longest.ok_or(InvalidModel("its vocabulary"))?,
            replaced,
            replacements,
            begin,
            end,
            unknown,
        };
        tokenizer.fill_table(bytes, &[begin, end, pad, unknown]);
        Ok(tokenizer)
    }

    /// Number of pieces.
    pub(super) const fn len(&self) -> usize {
        self.scores.len()
    }

    /// Special tokens are left out, so that text never maps to them: `</s>` in a transcript does
    /// not end it.
    fn fill_table(&mut self, bytes: &[u8], special: &[u32]) {
        let size = (self.len() * 2).next_power_of_two();
        let mut table = vec![0_u32; size];
        for (number, place) in (1_u32..).zip(self.offsets.windows(2)) {
            let piece = &bytes[self.text.clone()][place[0] as usize..place[1] as usize];
            if special.contains(&(number - 1)) || matches!(piece, b"" | b"<mask>") {
                continue;
            }
            let mut at = hash(piece) & (size - 1);
            while table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            table[at] = number;
        }
        self.table = table;
    }

    fn find(&self, bytes: &[u8], piece: &[u8]) -> Option<usize> {
        let mask = self.table.len() - 1;
        let mut at = hash(piece) & mask;
        loop {
            let number = (self.table[at] as usize).checked_sub(1)?;
            let place = self.offsets[number] as usize..self.offsets[number + 1] as usize;
            if &bytes[self.text.clone()][place] == piece {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// The text as the vocabulary expects it: characters replaced, runs of spaces collapsed, a
    /// marker for every space and one in front.
    fn normal(&self, text: &str) -> String {
        let mut normal = String::with_capacity(text.len() + 16);
        let mut push = |character: char| {
            let character = if character == ' ' { SPACE } else { character };
            if normal.is_empty() && character != SPACE {
                normal.push(SPACE);
            }
            // Repeated spaces collapse; the marker itself counts as a space if a text contains it.
            if character != SPACE || !normal.ends_with(SPACE) {
                normal.push(character);
            }
        };
        for character in text.chars() {
            match self
                .replaced
                .binary_search_by_key(&character, |entry| entry.0)
            {
                Ok(found) => {
                    let place = self.replaced[found].1.clone();
                    self.replacements[place].iter().copied().for_each(&mut push);
                }
                Err(_) => push(character),
            }
        }
        normal
    }

    /// The most likely segmentation of the text (Viterbi), without the tokens for its beginning and
    /// end. `bytes` is the file.
    pub(super) fn tokens(&self, bytes: &[u8], text: &str) -> Vec<u32> {
        let normal = self.normal(text);
        let mut places: Vec<usize> = normal.char_indices().map(|(place, _)| place).collect();
        places.push(normal.len());
        // For the end of each character: the best score, the piece that ends there, and where it
        // begins.
        let mut best = vec![(NOTHING, self.unknown, 0_usize); places.len()];
        best[0].0 = 0.0;
        for (from, &start) in places.iter().enumerate() {
            let score = best[from].0;
            for (to, &end) in places.iter().enumerate().skip(from + 1) {
                if end - start > self.longest {
                    break;
                }
                if let Some(piece) = self.find(bytes, &normal.as_bytes()[start..end]) {
                    let reached = score + self.scores[piece];
                    if reached > best[to].0 {
                        best[to] = (reached, u32::try_from(piece).unwrap_or(self.unknown), from);
                    }
                }
            }
            if let Some(next) = best.get_mut(from + 1)
                && score + self.unknown_score > next.0
            {
                *next = (score + self.unknown_score, self.unknown, from);
            }
        }
        let mut tokens = Vec::new();
        let mut at = places.len() - 1;
        while at > 0 {
            tokens.push(best[at].1);
            at = best[at].2;
        }
        tokens.reverse();
        tokens
    }
}

/// Characters that are replaced, each with the range of its replacement.
type Replacements = (Vec<(char, Range<usize>)>, Vec<char>);

fn replacements(reader: &mut Reader<'_>) -> Result<Replacements, InvalidModel> {
    let wrong = InvalidModel("its normaliser");
    let count = reader.between(0, 0x11_0000, "its normaliser")?;
    let length = reader.u32()? as usize;
    let mut table = Reader::new(reader.take(length)?);
    let (mut replaced, mut characters) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let character = char::from_u32(table.u32()?).ok_or(wrong)?;
        let start = characters.len();
        for _ in 0..table.u8()? {
            characters.push(char::from_u32(table.u32()?).ok_or(wrong)?);
        }
        replaced.push((character, start..characters.len()));
    }
    if replaced.is_sorted_by_key(|entry| entry.0) {
        Ok((replaced, characters))
    } else {
        Err(wrong)
    }
}

/// FNV-1a hash.
fn hash(bytes: &[u8]) -> usize {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let hash = bytes.iter().fold(start, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    usize::try_from(hash & 0xffff_ffff).unwrap_or_default()
}
