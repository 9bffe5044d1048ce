//! Taking out what nobody said: marks for sounds, loops, and the phrases that Whisper
//! learned from subtitles and writes over noise.

use crate::event::RecognisedWord;

/// A loop is a run of at least so many equal groups of words; single words may be
/// repeated more often in earnest ("no, no, no, no").
const LOOP_OF_WORDS: usize = 4;
const LOOP_OF_ONE_WORD: usize = 8;

/// Longest group that is looked for.
const LONGEST_GROUP: usize = 10;

/// The most words of a note in round brackets or asterisks.
const LONGEST_NOTE: usize = 4;

/// Faster than this nobody speaks: words per second of voiced sound.
const FASTEST: f64 = 9.0;

/// Below this mean confidence a short window's text counts as invented if it is one of
/// the known phrases or has less speech under it than words need.
const DOUBTFUL: f32 = 0.5;

/// Below this mean confidence a window's text is noise, whatever it says.
const NOISE: f32 = 0.22;

/// What Whisper writes over music, noise and silence, in lower case without punctuation.
const PHANTOMS: [&str; 26] = [
    "thank you",
    "thanks for watching",
    "thank you for watching",
    "thank you very much",
    "you",
    "bye",
    "bye bye",
    "please subscribe",
    "the end",
    "i'm sorry",
    "so",
    "okay",
    "oh",
    "hmm",
    "продолжение следует",
    "субтитры сделал dimatorzok",
    "редактор субтитров асемкин корректор аегорова",
    "спасибо за просмотр",
    "дякую за перегляд",
    "дякую",
    "sous-titres réalisés par la communauté d'amara.org",
    "subtítulos realizados por la comunidad de amara.org",
    "sottotitoli creati dalla comunità amara.org",
    "untertitel der amara.org-community",
    "ご視聴ありがとうございました",
    "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目",
];

/// Cleans the words of one window, of which `voiced_seconds` are voiced.
pub(crate) fn clean(words: Vec<RecognisedWord>, voiced_seconds: f64) -> Vec<RecognisedWord> {
    let words = without_loops(without_marks(words));
    if is_invented(&words, voiced_seconds) {
        Vec::new()
    } else {
        words
    }
}

/// Drops `[MUSIC]`, `(coughs)`, `*sighs*` and `♪ …`: notes of subtitlers, not speech.
fn without_marks(words: Vec<RecognisedWord>) -> Vec<RecognisedWord> {
    let all = words.len();
    let mut kept = Vec::with_capacity(all);
    let mut noted: Vec<RecognisedWord> = Vec::new();
    let mut mark = None;
    for word in words {
        if mark.is_none() {
            mark = word.text.chars().next().and_then(Mark::opened_by);
        }
        let Some(Mark { closing, longest }) = mark else {
            if !word.text.contains('♪') {
                kept.push(word);
            }
            continue;
        };
        let opens = noted.is_empty();
        let end = word.text.rfind(closing).filter(|&at| !opens || at > 0);
        noted.push(word);
        if end.is_some() {
            if noted.len() > longest && noted.len() < all {
                kept.append(&mut noted);
            }
            noted.clear();
            mark = None;
        }
    }
    // A mark that never closes was a bracket in real text.
    kept.extend(noted);
    kept
}

/// What encloses a note.
#[derive(Clone, Copy)]
struct Mark {
    closing: char,
    /// The most words of a note; longer ones are speech, unless nothing else was written.
    longest: usize,
}

impl Mark {
    fn opened_by(opening: char) -> Option<Self> {
        let (closing, longest) = match opening {
            '[' => (']', usize::MAX),
            '【' => ('】', usize::MAX),
            // In these speech is written, too.
            '(' => (')', LONGEST_NOTE),
            '（' => ('）', LONGEST_NOTE),
            '*' => ('*', LONGEST_NOTE),
            _ => return None,
        };
        Some(Self { closing, longest })
    }
}

/// Cuts a group of words that repeats itself too often down to one.
fn without_loops(words: Vec<RecognisedWord>) -> Vec<RecognisedWord> {
    let plain: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
    let mut keep = vec![true; words.len()];
    let mut at = 0;
    while at < words.len() {
        let Some((group, times)) = longest_loop(&plain[at..]) else {
            at += 1;
            continue;
        };
        keep[at + group..at + group * times].fill(false);
        at += group * times;
    }
    let mut keep = keep.into_iter();
    words
        .into_iter()
        .filter(|_| keep.next() == Some(true))
        .collect()
}

/// The loop at the head of `words`: length of its group and number of its turns.
fn longest_loop(words: &[String]) -> Option<(usize, usize)> {
    (1..=LONGEST_GROUP.min(words.len() / 2))
        .map(|group| {
            let times = words
                .chunks_exact(group)
                .take_while(|chunk| *chunk == &words[..group])
                .count();
            (group, times)
        })
        .filter(|&(group, times)| {
            times
                >= if group == 1 {
                    LOOP_OF_ONE_WORD
                } else {
                    LOOP_OF_WORDS
                }
        })
        .max_by_key(|&(group, times)| (group * times, std::cmp::Reverse(group)))
}

fn is_invented(words: &[RecognisedWord], voiced_seconds: f64) -> bool {
    if words.is_empty() {
        return false;
    }
    let count = words.len() as f64;
    let confidence = words.iter().map(|word| word.confidence).sum::<f32>() / words.len() as f32;
    let text = words
        .iter()
        .map(|word| plain(&word.text))
        .collect::<Vec<_>>()
        .join(" ");
    let phantom = PHANTOMS
        .iter()
        .any(|phantom| plain(phantom) == plain(&text));
    confidence < NOISE
        || (confidence < DOUBTFUL && (phantom || count / voiced_seconds.max(0.1) > FASTEST))
}

/// Letters and digits in lower case.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, confidence: f32) -> Vec<RecognisedWord> {
        text.split_whitespace()
            .enumerate()
            .map(|(place, word)| RecognisedWord {
                start: place as f64,
                end: place as f64 + 0.5,
                text: word.to_owned(),
                spaced: true,
                confidence,
            })
            .collect()
    }

    fn cleaned(text: &str, confidence: f32, voiced: f64) -> String {
        clean(words(text, confidence), voiced)
            .iter()
            .map(|word| word.text.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn notes_of_subtitlers_are_dropped() {
        assert_eq!(
            cleaned(
                "[MUSIC PLAYING] Hello (coughs) there *sighs* ♪ friend",
                0.9,
                5.0
            ),
            "Hello there friend"
        );
        assert_eq!(cleaned("[BLANK_AUDIO]", 0.9, 5.0), "");
    }

    #[test]
    fn speech_in_round_brackets_or_asterisks_stays_and_a_window_of_notes_does_not() {
        for text in [
            "the price (which they never told me about before) was high",
            "I *really really did not want* that",
        ] {
            assert_eq!(cleaned(text, 0.9, 9.0), text);
        }
        assert_eq!(
            cleaned("Yes (upbeat music playing on)", 0.9, 9.0),
            "Yes",
            "four words are a note"
        );
        assert_eq!(
            cleaned("(the crowd cheers and sings along)", 0.9, 9.0),
            "",
            "nothing else was written"
        );
        assert_eq!(
            cleaned("So [a man speaks in a foreign language] he said", 0.9, 9.0),
            "So he said"
        );
    }

    #[test]
    fn brackets_in_real_text_stay() {
        assert_eq!(
            cleaned("costs (about five euros and more", 0.9, 5.0),
            "costs (about five euros and more"
        );
    }

    #[test]
    fn loops_are_cut_to_one_turn() {
        let text = format!("Well {} done", "I see it. ".repeat(12));
        assert_eq!(cleaned(&text, 0.9, 20.0), "Well I see it. done");
        assert_eq!(cleaned(&"you ".repeat(40), 0.9, 20.0), "you");
    }

    #[test]
    fn repetition_in_earnest_stays() {
        assert_eq!(cleaned("No, no, no, no!", 0.9, 2.0), "No, no, no, no!");
        assert_eq!(
            cleaned("row row row your boat row row row your boat", 0.9, 9.0),
            "row row row your boat row row row your boat"
        );
    }

    #[test]
    fn phrases_over_noise_are_dropped_and_the_same_words_said_are_not() {
        assert_eq!(cleaned("Thank you.", 0.3, 1.0), "");
        assert_eq!(cleaned("Thank you.", 0.9, 1.0), "Thank you.");
        assert_eq!(cleaned("completely unsure words", 0.1, 3.0), "");
    }

    #[test]
    fn more_words_than_a_mouth_can_say_are_dropped_when_doubtful() {
        assert_eq!(
            cleaned(&"one two three four five six seven ".repeat(2), 0.4, 0.5),
            ""
        );
        assert_eq!(cleaned("one two three", 0.4, 1.5), "one two three");
    }
}
