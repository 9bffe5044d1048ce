//! Swear words in a recognised text. The dictionary has whole words with their forms in Ukrainian,
//! Russian and English, regardless of the recording's language. A word that only contains a swear
//! word («страхувати», «хуліган», `assess`) is unaffected, as are words with an everyday meaning
//! (including the forms shared by «сука» and «сук»).

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::transcript::{Segment, Transcript, Word};

wire_enum! {
    /// How swear words are treated.
    Profanity {
        /// They are kept.
        Keep => "keep",
        /// All letters except the first are replaced by asterisks.
        Mask => "mask",
        /// They are removed, together with their times.
        Remove => "remove",
    }
}

/// The parts of word forms: any prefix, any stem, any ending. A dot stands for an empty part.
type Forms = (&'static str, &'static str, &'static [&'static str]);

const NONE: &str = ".";
const ADJECTIVE_UK: &str = "ий ого ому им ій а у ої ою е і их ими";
const ADJECTIVE_RU: &str = "ый ий ого ому ым им ом ая ой ую ое ее ые ие ых их ыми ими";
const NOUN_A: &str = "а и і ы у е ою ой о . ам ами ах";
const NOUN_MASCULINE: &str = ". а у ові ом е і и ы ів ов ам ами ах";
const VERB_PAST: &str = "в ла ло ли л вся лася лось лося лися лся лась лись";
const INFINITIVE: &str = "ти ть тися тись ться";
const PREFIXES_UK: &str =
    ". за на по до об від ви роз при про під пере у в з недо найпере зі ізо ді най";
const PREFIXES_RU: &str = ". за на по до вы от отъ объ подъ разъ съ въ пере при про у недо";

const FORMS: &[Forms] = &[
    (
        ". ні ни на по до",
        "ху",
        &["й ю я ї єм ем є йом ями ях йня йні йню йнею йней йни"],
    ),
    (
        NONE,
        "хуйов хуєв хуєсос хуесос хуйл хуїл хуил охуєнн охуенн охуїтельн охуительн",
        &[ADJECTIVE_UK, NOUN_A, NOUN_MASCULINE],
    ),
    (NONE, "хуев хуйов охуенн охуительн", &[ADJECTIVE_RU, "о"]),
    (
        "о а за на по ні не",
        "хує хуе хуя хуї хуи",
        &[
            VERB_PAST,
            INFINITIVE,
            "ю єш ешь є ет ємо ем єте ете ють ют чити чить рити рить",
        ],
    ),
    (
        ". роз раз з с під под за на с у від от",
        "пізд пизд",
        &[
            NOUN_A,
            "ець ецю еця ецем ец еца єц юк юка юки юків юліна юлина юліни юлины",
            "ити ить ив ила или ишь ять ят яться ятся иться ится ився илась илися ився",
            "еть іти ів іла іли ел ела ели",
            "атий ата ате аті атого атый атая атое атые ато",
            "обол обола оболи оболів ун уна уни унів",
        ],
    ),
    (
        PREFIXES_UK,
        "їба йоба єба",
        &[
            VERB_PAST,
            INFINITIVE,
            ". ний на не ні ного ної ному ній ну ною ним ними них",
            "нний нна нне нні нного нної нному нну нною нним нними нних",
            "лом лу лан лана лани ланів лану нько тор тори нутий нута нуте нуті нутого нутих",
        ],
    ),
    (
        PREFIXES_UK,
        "їб йоб",
        &[". у еш е емо ете уть еться уся усь нутий нута нуте нуті нув нула нули нути"],
    ),
    (
        PREFIXES_RU,
        "еба",
        &[
            VERB_PAST,
            "ть ться нный нная нное нные нного нной нную нных нным нными ный ная ное ные ную ных",
            "лом лу лан лана ланы лаю нутый нутая нутое нутые нутых шит",
        ],
    ),
    (
        PREFIXES_RU,
        "еб",
        &["у ешь ет ете ут ись усь емся ется утся ля лю нуть нул нула нули"],
    ),
    (
        NONE,
        "бля блят бляд блядун",
        &[". ь і и ю ью ям ями ях ей ьо"],
    ),
    (NONE, "блядськ блядск", &[ADJECTIVE_UK, ADJECTIVE_RU]),
    (NONE, "блядств", &["о а у ом"]),
    (NONE, "курв шлюх залуп срак жоп", &[NOUN_A]),
    (NONE, "сук", &["а о ою"]),
    (
        NONE,
        "мудак мудил гандон довбойоб довбоїб долбоеб уїбок уебок виблядок виблядк підарас пидорас \
         підар пидор",
        &[NOUN_MASCULINE, "о"],
    ),
    (
        NONE,
        "гівн говн гавн",
        &["о а у ом і е юк юка юки юків юков яний яна яне яні"],
    ),
    (
        ". за на об по під о вы",
        "сра",
        &[INFINITIVE, "в ла ли л лась лися вся лся"],
    ),
    (". mother", "fuck", &[". s ed er ers ing in"]),
    (
        ". bull horse",
        "shit",
        &[". s ty tier tiest ting ted head heads hole holes"],
    ),
    (NONE, "bitch", &[". es y ing ed"]),
    (
        NONE,
        "cunt asshole arsehole dickhead cocksucker whore slut wanker bastard nigger nigga faggot \
         twat",
        &[". s"],
    ),
    (". jack dumb smart bad", "ass", &[NONE]),
    ("jack dumb smart bad", "asses", &[NONE]),
    (NONE, "arse", &[". s"]),
];

/// All forms, in lower case, without apostrophes and accents.
static KNOWN: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let of = |list: &'static str| {
        list.split(' ')
            .map(|part| if part == NONE { "" } else { part })
    };
    let mut known = HashSet::new();
    for (prefixes, stems, endings) in FORMS {
        for prefix in of(prefixes) {
            for stem in stems.split_whitespace() {
                let endings = endings.iter().flat_map(|list| of(list));
                known.extend(endings.map(|ending| format!("{prefix}{stem}{ending}")));
            }
        }
    }
    known
});

/// Applies the setting to the swear words of a text: in its segments, in their words, and in the
/// passages removed by the engine. Segments that become empty are removed.
#[must_use]
pub fn apply(profanity: Profanity, mut transcript: Transcript) -> Transcript {
    let Some(clean) = cleaner(profanity) else {
        return transcript;
    };
    transcript.segments = apply_to_segments(profanity, transcript.segments);
    for (index, segment) in (0..).zip(&mut transcript.segments) {
        segment.index = index;
    }
    for passage in &mut transcript.removed {
        clean_text(&mut passage.text, clean);
    }
    transcript
        .removed
        .retain(|passage| has_words(&passage.text));
    transcript
}

/// Applies the setting to segments of an unfinished text. Segments that become empty are removed;
/// the others keep their numbers.
#[must_use]
pub fn apply_to_segments(profanity: Profanity, mut segments: Vec<Segment>) -> Vec<Segment> {
    if let Some(clean) = cleaner(profanity) {
        for segment in &mut segments {
            clean_segment(segment, clean);
        }
        segments.retain(|segment| has_words(&segment.text));
    }
    segments
}

/// Applies the setting to a text without times, such as an excerpt.
#[must_use]
pub fn apply_to_text(profanity: Profanity, mut text: String) -> String {
    if let Some(clean) = cleaner(profanity) {
        clean_text(&mut text, clean);
    }
    text
}

/// Changes the words of a text: `None` for a removed one.
type WordFilter = fn(&[&str]) -> Vec<Option<String>>;

fn cleaner(profanity: Profanity) -> Option<WordFilter> {
    match profanity {
        Profanity::Keep => None,
        Profanity::Mask => Some(masked),
        Profanity::Remove => Some(removed),
    }
}

fn clean_segment(segment: &mut Segment, clean: WordFilter) {
    if !clean_text(&mut segment.text, clean) {
        return;
    }
    let texts: Vec<&str> = segment
        .words
        .iter()
        .map(|word| word.text.as_str())
        .collect();
    let cleaned = clean(&texts).into_iter().zip(&segment.words);
    let words = cleaned.filter_map(|(text, word)| {
        Some(Word {
            text: text?,
            ..word.clone()
        })
    });
    segment.words = words.collect();
}

/// Cleans a text; returns whether it changed. If so, white space between words becomes one space.
fn clean_text(text: &mut String, clean: WordFilter) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.iter().all(|word| swear_ranges(word).is_empty()) {
        return false;
    }
    let cleaned: Vec<String> = clean(&words).into_iter().flatten().collect();
    *text = cleaned.join(" ");
    true
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric) || text.contains('*')
}

/// The words with letters replaced by asterisks.
fn masked(words: &[&str]) -> Vec<Option<String>> {
    let mask = |word: &&str| {
        let mut text = String::with_capacity(word.len());
        let mut end = 0;
        for range in swear_ranges(word) {
            text.push_str(&word[end..range.start]);
            let mut letters = word[range.clone()].chars();
            text.extend(letters.next());
            text.extend(letters.map(|_| '*'));
            end = range.end;
        }
        text.push_str(&word[end..]);
        Some(text)
    };
    words.iter().map(mask).collect()
}

/// The remaining words. If the last word of a sentence is removed, its closing punctuation stays;
/// if the first one is removed, the next word is capitalised.
fn removed(words: &[&str]) -> Vec<Option<String>> {
    let mut left: Vec<Option<String>> = Vec::with_capacity(words.len());
    let mut begins = false;
    for word in words {
        if swear_ranges(word).is_empty() {
            left.push(Some(if begins {
                capitalized(word)
            } else {
                (*word).to_owned()
            }));
            begins = false;
            continue;
        }
        let closing = word.chars().filter(|&c| ends_sentence(c) || is_pause(c));
        let closing: String = closing.collect();
        let before = left.iter_mut().rev().flatten().next();
        match before.filter(|before| !before.ends_with(ends_sentence)) {
            Some(before) if closing.contains(ends_sentence) => {
                before.truncate(before.trim_end_matches(is_pause).len());
                before.push_str(&closing);
            }
            Some(before) if !before.ends_with(is_pause) => before.push_str(&closing),
            Some(_) => {}
            None => begins |= word.chars().any(char::is_uppercase),
        }
        left.push(None);
    }
    // Nothing follows the pause.
    if left.last().is_some_and(Option::is_none)
        && let Some(before) = left.iter_mut().rev().flatten().next()
    {
        before.truncate(before.trim_end_matches(is_pause).len());
    }
    left
}

fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '?' | '!' | '…')
}

fn is_pause(c: char) -> bool {
    matches!(c, ',' | ';' | ':')
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Positions of swear words in a word with its punctuation; parts of a compound are checked one by
/// one.
fn swear_ranges(word: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_alphabetic() || is_apostrophe(c) || c == ACCENT;
    let mut found = Vec::new();
    let mut start = 0;
    for part in word.split(|c| !is_part(c)) {
        let bare = part.trim_matches(is_apostrophe);
        if KNOWN.contains(&normal(bare)) {
            let from = start + (part.len() - part.trim_start_matches(is_apostrophe).len());
            found.push(from..from + bare.len());
        }
        start += part.len();
        start += word[start..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// The accent over a stressed letter.
const ACCENT: char = '\u{301}';

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '`')
}

fn normal(word: &str) -> String {
    let letters = word.chars().filter(|&c| c != ACCENT && !is_apostrophe(c));
    let small = letters.flat_map(char::to_lowercase);
    small.map(|c| if c == 'ё' { 'е' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mode::TranscriptionType;

    fn said(texts: &[&str]) -> Transcript {
        let word = |text: &str| Word {
            start: 0.0,
            end: 1.0,
            text: text.to_owned(),
            confidence: 0.9,
        };
        let segment = |(index, text): (u32, &&str)| Segment {
            index,
            start: f64::from(index),
            end: f64::from(index) + 1.0,
            speaker: None,
            language: None,
            text: (*text).to_owned(),
            words: text.split(' ').map(word).collect(),
        };
        Transcript {
            language: "uk".to_owned(),
            duration: 10.0,
            mode: TranscriptionType::Full,
            model: String::new(),
            segments: (0..).zip(texts).map(segment).collect(),
            warnings: Vec::new(),
            removed: Vec::new(),
        }
    }

    /// The cleaned text, after checking that its words match it.
    fn cleaned(profanity: Profanity, text: &str) -> String {
        let transcript = apply(profanity, said(&[text]));
        let Some(segment) = transcript.segments.first() else {
            return String::new();
        };
        let words: Vec<&str> = segment
            .words
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        assert_eq!(words.join(" "), segment.text);
        segment.text.clone()
    }

    #[test]
    fn forms_of_three_languages_are_masked() {
        for (text, expected) in [
            ("Та йди ти нахуй!", "Та йди ти н****!"),
            ("Блядь, що це?", "Б****, що це?"),
            ("Він мене заїбав, курва.", "Він мене з*****, к****."),
            ("Какого хуя, пиздец", "Какого х**, п*****"),
            ("Ёбаный стыд", "Ё***** стыд"),
            ("What the fuck is this shit?", "What the f*** is this s***?"),
            ("«Motherfuckers», bull-shit", "«M************», bull-s***"),
            ("Keep your ass here.", "Keep your a** here."),
        ] {
            assert_eq!(cleaned(Profanity::Mask, text), expected);
            assert_eq!(cleaned(Profanity::Keep, text), text);
            // Masking is idempotent.
            assert_eq!(cleaned(Profanity::Mask, expected), expected);
        }
        for hidden in ["в’їбати", "наї́бали", "ХУЙНЯ", "уёбок"] {
            assert_eq!(swear_ranges(hidden).len(), 1, "{hidden}");
        }
    }

    #[test]
    fn innocent_words_are_left_alone() {
        let innocent = "страхувати застрахуй хуліган хутро Хуан психує себе тебе небо ребус хліб учеба \
            вебу небудь зебра дебют Ебола ебонит гребля корабля рубля сабля бляха оскорблять \
            сук суки сучок сучки гімн риба Київ поїзд запізнитися пізня курвиметр мандарин педаль \
            мудрий гондола шлюз страх класс assess class assassin assume bass pass Scunthorpe \
            shitake cockpit Essex Dickens hello shift slot title grass arsenal";
        for word in innocent.split_whitespace() {
            assert!(swear_ranges(word).is_empty(), "{word}");
        }
    }

    #[test]
    fn what_is_removed_leaves_whole_sentences() {
        for (text, expected) in [
            ("Блядь, що це?", "Що це?"),
            ("Що це, блядь?", "Що це?"),
            ("Іди нахуй, друже.", "Іди, друже."),
            ("Я прийшов, блядь, а він ні.", "Я прийшов, а він ні."),
            ("Добре. Сука! Далі.", "Добре. Далі."),
            ("Get the fuck out.", "Get the out."),
            ("Нічого, курва", "Нічого"),
            ("Пиздець!", ""),
        ] {
            assert_eq!(cleaned(Profanity::Remove, text), expected, "{text}");
        }
    }

    #[test]
    fn an_empty_segment_goes_and_the_others_are_numbered_anew() {
        let transcript = apply(Profanity::Remove, said(&["Так.", "Блядь!", "Ні."]));
        let left: Vec<_> = transcript
            .segments
            .iter()
            .map(|one| (one.index, one.start))
            .collect();
        assert_eq!(left, [(0, 0.0), (1, 2.0)]);
    }

    #[test]
    fn segments_of_an_unfinished_text_keep_their_numbers() {
        let segments = || said(&["Так.", "Блядь!", "Ні, курва."]).segments;
        let cleaned = |profanity| {
            let left = apply_to_segments(profanity, segments());
            let left = left.into_iter().map(|one| (one.index, one.text));
            left.collect::<Vec<_>>()
        };
        let told = |texts: &[(u32, &str)]| {
            let texts = texts.iter().map(|&(index, text)| (index, text.to_owned()));
            texts.collect::<Vec<_>>()
        };
        assert_eq!(cleaned(Profanity::Remove), told(&[(0, "Так."), (2, "Ні.")]));
        let masked = told(&[(0, "Так."), (1, "Б****!"), (2, "Ні, к****.")]);
        assert_eq!(cleaned(Profanity::Mask), masked);
        assert_eq!(apply_to_segments(Profanity::Keep, segments()), segments());
    }

    #[test]
    fn a_text_without_times_is_cleaned_too() {
        let text = || "Ні, курва…".to_owned();
        assert_eq!(apply_to_text(Profanity::Keep, text()), text());
        assert_eq!(apply_to_text(Profanity::Mask, text()), "Ні, к****…");
        assert_eq!(apply_to_text(Profanity::Remove, text()), "Ні…");
    }
}
