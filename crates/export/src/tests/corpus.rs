//! Ordinary and hostile texts for subtitle tests.

use slovo_rules::edit::EditedTranscript;
use slovo_rules::transcript::{Segment, Transcript, Word};

use super::{LONG, edited, segment, transcript};
use crate::unedited;

/// All transcripts with their names.
pub fn all() -> Vec<(&'static str, EditedTranscript)> {
    vec![
        ("empty", unedited(transcript(vec![]))),
        ("talk", talk()),
        ("untimed", unedited(untimed())),
        ("long-words", in_sequence("en", &long_words())),
        ("cjk", in_sequence("ja", &cjk())),
        ("emoji", in_sequence("en", &EMOJI)),
        ("right-to-left", right_to_left()),
        ("markup", in_sequence("en", &MARKUP)),
        ("blank", in_sequence("en", &BLANK)),
        ("control", in_sequence("en", &CONTROL)),
        ("fast", fast()),
        ("strange-times", unedited(strange_times())),
        ("late", unedited(late())),
        ("hour", hour()),
    ]
}

/// The texts in sequence, two seconds each, spoken in turn by two speakers with hostile names.
fn in_sequence<T: AsRef<str>>(language: &str, texts: &[T]) -> EditedTranscript {
    let segments = (0_u32..).zip(texts).map(|(number, text)| {
        let start = f64::from(number) * 2.5;
        let speaker = format!("SPEAKER_{}", number % 2);
        segment_with_words(start, start + 2.0, Some(&speaker), text.as_ref())
    });
    let mut edited_text = unedited(Transcript {
        language: language.to_owned(),
        ..transcript(segments.collect())
    });
    edited_text.duration = 600.0;
    for (speaker, name) in edited_text
        .speakers
        .iter_mut()
        .zip(["<v Bob>\n\n-->", "S&\u{202e}m \"x\"\u{0}"])
    {
        speaker.name = Some(name.to_owned());
    }
    edited_text
}

/// A segment whose words evenly fill its time.
fn segment_with_words(start: f64, end: f64, speaker: Option<&str>, text: &str) -> Segment {
    let texts: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let step = (end - start) / f64::from(u32::try_from(texts.len().max(1)).unwrap());
    let words = (0_u32..).zip(texts).map(|(number, text)| Word {
        start: start + f64::from(number) * step,
        end: start + f64::from(number + 1) * step,
        text: text.to_owned(),
        confidence: 0.9,
    });
    Segment {
        words: words.collect(),
        ..segment(start, end, speaker, text)
    }
}

fn talk() -> EditedTranscript {
    let lines = [
        (
            0.2,
            3.1,
            0,
            "Добрий день. Сьогодні ми говоримо про те, як п’ять років змінили ціле місто.",
        ),
        (3.1, 3.6, 1, "Так."),
        (
            3.65,
            7.9,
            0,
            "І чому, власне, ніхто про це не написав: ні газети, ні люди, які там живуть?",
        ),
        (
            9.0,
            14.0,
            1,
            "Бо було, знаєте, не до того. — Ґанок, їжак і «дім» — от і вся історія…",
        ),
    ];
    let segments = lines.map(|(start, end, speaker, text)| {
        segment_with_words(start, end, Some(&format!("SPEAKER_{speaker}")), text)
    });
    edited(transcript(segments.to_vec()), "Олена Ґалаґан-Кравченко")
}

/// Long sentences without word times.
fn untimed() -> Transcript {
    transcript(
        (0..6_u8)
            .map(|n| segment(f64::from(n) * 9.0, f64::from(n) * 9.0 + 8.5, None, LONG))
            .collect(),
    )
}

fn long_words() -> [String; 4] {
    [
        "x".repeat(300),
        format!("See https://example.com/{} for more.", "path/".repeat(30)),
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft is one word.".to_owned(),
        "н".repeat(90),
    ]
}

fn cjk() -> [String; 4] {
    [
        "昨日の夜、駅の前で古い友だちに会いました。とても元気そうで、うれしかったです。".to_owned(),
        "あいうえおかきくけこ".repeat(12),
        "他说：“今天天气很好，我们一起去公园吧。”然后就走了，没有再回来过。".to_owned(),
        "한국어는 띄어쓰기가 있지만 글자는 두 칸을 차지합니다. 그래서 줄이 짧습니다.".to_owned(),
    ]
}

const EMOJI: [&str; 4] = [
    "👩\u{200d}💻 codes 👨\u{200d}👩\u{200d}👧\u{200d}👦 and 🏳️\u{200d}🌈 waves",
    "👍🏽👍🏿🇺🇦🇯🇵",
    "🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙🎙",
    "e\u{301}e\u{301} Z\u{351}\u{36b}\u{343}a\u{334}\u{321}l\u{322}go",
];

fn right_to_left() -> EditedTranscript {
    let mut edited_text = in_sequence(
        "he",
        &[
            "שלום לכולם, היום נדבר על הספרייה העירונית (Library) ועל 3 ספרים חדשים.",
            "مرحبا بكم، اليوم نتحدث عن المكتبة <الجديدة> وعن 12 كتابًا.",
            "\u{202e}txet desrever\u{202c} \u{2067}שלום\u{2069} \u{200f}!",
        ],
    );
    for (speaker, name) in edited_text.speakers.iter_mut().zip(["דנה", "ليلى"]) {
        speaker.name = Some(name.to_owned());
    }
    edited_text
}

const MARKUP: [&str; 9] = [
    "<script>alert(1)</script> & <b>bold</b> <v Eve>hi</v>",
    "a --> b -->c--> d",
    "00:00:01,000 --> 00:00:02,000",
    "&lt;i&gt; &amp;amp; &#60; &nbsp; &",
    "<00:00:01.000>now <c.red>red</c> {\\an8}{b}top",
    "]]></p><p begin=\"0s\">forged</p><!-- x --><?xml?>",
    "NOTE not a note",
    "STYLE ::cue { color: red }",
    "1",
];

const BLANK: [&str; 7] = [
    "",
    "   ",
    "One.\n\n2\n00:00:00,000 --> 00:10:00,000\nforged",
    "\r\n\r\nTwo.\r\rThree.",
    "\u{a0}\u{3000}\u{2003}",
    "-",
    "\u{200b}",
];

const CONTROL: [&str; 6] = [
    "\u{0}\u{1}\u{1b}[31mred\u{7f}",
    "\u{feff}WEBVTT\u{2028}line\u{2029}paragraph\u{85}next",
    "\u{8a}new\u{8f}end\u{80}italic",
    "\u{fffe}\u{ffff}\u{10ffff}\u{e000}",
    "tab\tform\u{c}feed\u{b}vertical",
    "\u{ad}soft\u{ad}hyphen\u{ad}",
];

/// Two people speaking at the same time, twelve words a second.
fn fast() -> EditedTranscript {
    let text = "and then they said that nobody had ever been there before or since";
    let segments = (0..40_u8).map(|n| {
        let start = f64::from(n) * 0.9;
        segment_with_words(
            start,
            start + 1.1,
            Some(&format!("SPEAKER_{}", n % 2)),
            text,
        )
    });
    unedited(transcript(segments.collect()))
}

fn strange_times() -> Transcript {
    transcript(vec![
        segment(f64::NAN, f64::INFINITY, None, "one"),
        segment(5.0, 2.0, None, "two"),
        segment(4.0, 4.5, None, "three"),
        segment(4.0, 4.0, None, "four"),
        segment(-3.0, 900.0, None, LONG),
    ])
}

/// Near the end of a day, the limit of time codes.
fn late() -> Transcript {
    let late = 23.0 * 3600.0 + 3500.0;
    Transcript {
        duration: late + 60.0,
        ..transcript(vec![
            segment_with_words(late, late + 3.333, Some("SPEAKER_0"), "Nearly midnight."),
            segment_with_words(late + 3.341, late + 7.008, Some("SPEAKER_1"), LONG),
        ])
    }
}

/// An hour of two people at a natural pace: some words are fast, some sentences follow a pause.
pub fn hour() -> EditedTranscript {
    let sentences = [
        "Почнімо з початку: звідки ви про це дізналися?",
        "Мені подзвонила сестра, вона тоді ще жила там, на другому поверсі, і все бачила з вікна.",
        "Так.",
        "І що було далі, якщо не секрет?",
        "Далі я сів у машину, бо автобуси вже не ходили, і поїхав просто через поле, навпростець, як колись у дитинстві.",
        "Зрозуміло. А документи?",
        "Документи залишилися в тому будинку, у шафі; їх потім знайшли — мокрі, але цілі.",
    ];
    let mut at = 0.4;
    let mut segments = Vec::new();
    for number in 0_u32.. {
        let text = sentences[usize::try_from(number * 5 % 7).unwrap()];
        let letters = f64::from(u32::try_from(text.chars().count()).unwrap());
        let length = letters / [12.0, 15.5, 14.0][usize::try_from(number % 3).unwrap()];
        if at + length > 3600.0 {
            break;
        }
        segments.push(segment_with_words(
            at,
            at + length,
            Some(&format!("SPEAKER_{}", number % 2)),
            text,
        ));
        at += length + [0.08, 0.7, 0.2, 2.4][usize::try_from(number % 4).unwrap()];
    }
    let mut edited_text = edited(transcript(segments), "Олена");
    edited_text.duration = 3600.0;
    edited_text
}
