//! What the repairs of the text changed, and whether that was right.

use std::collections::BTreeMap;

use super::super::{Recognition, Word};
use super::score::{Token, places, reference, tokens};

/// A kind of repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A capital at the start of a sentence.
    Capital,
    /// A full stop, a capital or both within a sentence.
    WindowEnd,
    /// Letters of another script.
    Letters,
    /// An apostrophe that was written otherwise.
    ApostropheForm,
    /// An apostrophe that was missing.
    Apostrophe,
    /// «Будь ласка».
    Please,
    /// A quotation mark.
    Quote,
    /// Words at the border of two windows that overlap.
    Overlap,
}

/// How a repair compares with the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Right,
    Wrong,
    /// The reference has another word there.
    Unknown,
}

/// All changes.
#[derive(Default)]
pub struct Changes {
    counts: BTreeMap<(Kind, Verdict), usize>,
    lines: Vec<String>,
}

impl Changes {
    /// Compares the words before and after the repairs, by their times, and with the reference.
    pub fn add(&mut self, texts: &[String], recognition: &Recognition) {
        let truth = reference(texts);
        let written = tokens(recognition.words.iter().map(|word| word.text.as_str()));
        // The reference's word for each written one.
        let mut of_written: Vec<Option<(usize, bool)>> = vec![None; written.len()];
        for (number, (place, is_same)) in places(&truth, &written).0.into_iter().enumerate() {
            if let Some(place) = place {
                of_written[place].get_or_insert((number, is_same));
            }
        }
        let before: Vec<&Word> = recognition.written.iter().flatten().collect();
        let mut from = 0;
        let mut token = 0;
        for word in &recognition.words {
            let count = tokens([word.text.as_str()]).len();
            let here = token;
            token += count;
            let same = |old: &&Word| old.start <= word.start + 1e-6 && word.end <= old.end + 1e-6;
            let Some(at) = before[from..].iter().position(same) else {
                continue;
            };
            from += at;
            let old = before[from];
            if old.text == word.text || count == 0 {
                continue;
            }
            let kind = kind(&old.text, &word.text);
            let verdict = verdict(kind, &truth, &written, here, of_written[here]);
            *self.counts.entry((kind, verdict)).or_default() += 1;
            let expected = of_written[here].map_or("", |(number, _)| &truth[number].plain);
            self.lines.push(format!(
                "{kind:?}, {verdict:?}: {} -> {} ({expected})",
                old.text, word.text
            ));
        }
    }

    /// Prints all changes and their sums.
    pub fn report(&self) {
        println!("\nRepairs:");
        self.lines.iter().for_each(|line| println!("   {line}"));
        for ((kind, verdict), count) in &self.counts {
            println!("{kind:?}, {verdict:?}: {count}");
        }
    }
}

/// What a change is. Times that overlap in two windows make some changes that are none.
fn kind(old: &str, new: &str) -> Kind {
    let letters = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphabetic())
            .collect::<String>()
    };
    let lower = |text: &str| letters(text).to_lowercase();
    let count = |text: &str, is: fn(char) -> bool| text.chars().filter(|&c| is(c)).count();
    let apostrophe = |c: char| matches!(c, '\'' | '’' | 'ʼ' | '`' | '‘');
    if ["будь", "ласка"].contains(&lower(new).as_str()) && lower(old) != lower(new) {
        Kind::Please
    } else if count(new, apostrophe) > count(old, apostrophe) {
        Kind::Apostrophe
    } else if old.trim_end_matches('.') == new || (lower(old) == lower(new) && is_small(new)) {
        Kind::WindowEnd
    } else if lower(old) != lower(new) && old.chars().any(|c| c.is_ascii_alphabetic()) {
        Kind::Letters
    } else if lower(old) == lower(new) && letters(old) != letters(new) {
        Kind::Capital
    } else if old.replace(apostrophe, "") == new.replace(apostrophe, "") {
        Kind::ApostropheForm
    } else if lower(old) == lower(new) {
        Kind::Quote
    } else {
        Kind::Overlap
    }
}

fn is_small(text: &str) -> bool {
    let first = text.chars().find(|c| c.is_alphabetic());
    first.is_some_and(char::is_lowercase)
}

fn verdict(
    kind: Kind,
    truth: &[Token],
    written: &[Token],
    here: usize,
    of_truth: Option<(usize, bool)>,
) -> Verdict {
    let Some((number, is_same)) = of_truth else {
        return Verdict::Unknown;
    };
    let begins = number == 0 || truth[number - 1].ends;
    let right = match kind {
        Kind::Capital => begins || !truth[number].is_small,
        Kind::WindowEnd if written[here].is_small && !truth[number].ends => !begins,
        Kind::WindowEnd => !truth[number].ends,
        _ if is_same => true,
        _ => return Verdict::Unknown,
    };
    if right {
        Verdict::Right
    } else {
        Verdict::Wrong
    }
}
