//! TTML and EBU STL, read back by independent readers.

use jiff::civil::date;
use slovo_rules::analysis::TranslatedCue;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::subtitles::{SubtitleOptions, SubtitlePreset};
use slovo_rules::transcript::Transcript;

use super::{edited, segment, transcript};
use crate::{Extras, Format, Options, Source, unedited, write_with};

fn export_file(
    format: Format,
    subtitles: SubtitleOptions,
    transcript: &EditedTranscript,
    below: &[TranslatedCue],
) -> Vec<u8> {
    let mut file = Vec::new();
    let source = Source {
        title: "Розмова & <Talk>",
        date: Some(date(2026, 3, 9)),
        transcript,
    };
    let options = Options {
        subtitles,
        ..format.defaults()
    };
    let extras = Extras {
        translation: below,
        ..Extras::default()
    };
    write_with(format, source, options, extras, &mut file).unwrap();
    file
}

fn talk() -> EditedTranscript {
    edited(
        transcript(vec![
            segment(1.0, 3.0, Some("SPEAKER_0"), "Добрий день & <всім>."),
            segment(
                4.0,
                5.5,
                Some("SPEAKER_1"),
                "Ґанок «під» п’ятьма № 7 — 日本…",
            ),
        ]),
        "Олена <О>",
    )
}

const NONE: SubtitleOptions = SubtitleOptions::NONE;

/// A paragraph of TTML: begin, end and lines.
fn paragraphs(xml: &str) -> Vec<(String, String, Vec<String>)> {
    let document = roxmltree::Document::parse(xml).unwrap();
    let tt = document.root_element();
    assert_eq!(tt.tag_name().namespace(), Some("http://www.w3.org/ns/ttml"));
    assert_eq!(tt.tag_name().name(), "tt");
    let all = document
        .descendants()
        .filter(|node| node.tag_name().name() == "p");
    all.map(|p| {
        let attribute = |name| p.attribute(name).unwrap().to_owned();
        let mut lines = vec![String::new()];
        for child in p.children() {
            match child.text() {
                Some(text) => lines.last_mut().unwrap().push_str(text),
                None if child.tag_name().name() == "br" => lines.push(String::new()),
                None => panic!("{child:?}"),
            }
        }
        (attribute("begin"), attribute("end"), lines)
    })
    .collect()
}

#[test]
fn ttml_is_valid_xml_of_the_imsc_text_profile() {
    let xml = String::from_utf8(export_file(Format::Ttml, NONE, &talk(), &[])).unwrap();
    let read = paragraphs(&xml);
    assert_eq!(
        read[0],
        (
            "00:00:01.000".into(),
            "00:00:03.000".into(),
            vec!["S1: Добрий день & <всім>.".to_owned()]
        )
    );
    assert_eq!(read.len(), 2);
    assert!(read[1].2[0].starts_with("Олена <О>: Ґанок"), "{read:?}");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let tt = document.root_element();
    let parameter = |name| tt.attribute(("http://www.w3.org/ns/ttml#parameter", name));
    assert_eq!(
        parameter("contentProfiles"),
        Some("http://www.w3.org/ns/ttml/profile/imsc1.1/text")
    );
    assert_eq!(parameter("frameRate"), Some("25"));
    assert_eq!(
        tt.attribute(("http://www.w3.org/XML/1998/namespace", "lang")),
        Some("uk")
    );
    // All referenced elements exist.
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute(("http://www.w3.org/XML/1998/namespace", "id")))
        .collect();
    for node in document.descendants() {
        let agent = node.attribute(("http://www.w3.org/ns/ttml#metadata", "agent"));
        for id in [agent, node.attribute("region"), node.attribute("style")] {
            assert!(id.is_none_or(|id| ids.contains(&id)), "{id:?}");
        }
    }
    let ntsc = SubtitleOptions {
        frame_rate: Some(23.976),
        ..NONE
    };
    let xml = String::from_utf8(export_file(Format::Ttml, ntsc, &talk(), &[])).unwrap();
    assert!(
        xml.contains("frameRate=\"24\" ttp:frameRateMultiplier=\"1000 1001\""),
        "{xml}"
    );
}

/// A subtitle of EBU STL.
#[derive(Debug, PartialEq)]
struct Block {
    number: u16,
    extension: u8,
    from: [u8; 4],
    to: [u8; 4],
    row: u8,
    text: Vec<u8>,
}

/// Reads a file by Tech 3264: the GSI block, then TTI blocks.
fn blocks(file: &[u8]) -> (Vec<u8>, Vec<Block>) {
    assert!(
        file.len() >= 1024 && (file.len() - 1024).is_multiple_of(128),
        "{}",
        file.len()
    );
    let (general, rest) = file.split_at(1024);
    let blocks = rest.chunks(128).map(|block| {
        assert_eq!(block.len(), 128);
        assert_eq!(block[4], 0, "not cumulative");
        assert_eq!(block[14], 2, "centred");
        assert_eq!(block[15], 0, "no comment");
        let end = block[16..]
            .iter()
            .position(|byte| *byte == 0x8f)
            .unwrap_or(112);
        assert!(block[16 + end..].iter().all(|byte| *byte == 0x8f));
        Block {
            number: u16::from_le_bytes([block[1], block[2]]),
            extension: block[3],
            from: block[5..9].try_into().unwrap(),
            to: block[9..13].try_into().unwrap(),
            row: block[13],
            text: block[16..16 + end].to_vec(),
        }
    });
    (general.to_vec(), blocks.collect())
}

fn field(general: &[u8], at: usize, length: usize) -> String {
    String::from_utf8(general[at..at + length].to_vec()).unwrap()
}

/// ISO 8859-5, with the standard's line break.
fn cyrillic(text: &[u8]) -> String {
    text.iter()
        .map(|byte| match byte {
            0x8a => '\n',
            0xf0 => '№',
            0x20..=0x7e => char::from(*byte),
            _ => char::from_u32(u32::from(*byte) + 0x360).unwrap(),
        })
        .collect()
}

#[test]
fn stl_has_the_fields_of_the_ebu_standard() {
    let (general, read) = blocks(&export_file(Format::Stl, NONE, &talk(), &[]));
    let assert_field =
        |at, text: &str| assert_eq!(field(&general, at, text.len()), text, "at {at}");
    assert_field(0, "850STL25.01001");
    assert_field(14, "49");
    assert_field(224, "260309");
    assert_field(238, "00002");
    assert_field(243, "00002");
    assert_field(248, "001");
    assert_field(251, "42");
    assert_field(253, "23");
    assert_field(255, "1");
    assert_field(256, "00000000");
    assert_field(264, "00000100");
    assert_field(272, "11");
    assert!(general.iter().all(|byte| (0x20..0x7f).contains(byte)));
    // Characters that are not in the table are replaced and listed.
    let replaced = field(&general, 448, 576);
    for code in ["U+0490", "U+00AB", "U+2019", "U+2014", "U+65E5", "U+2026"] {
        assert!(replaced.contains(code), "{code} in {replaced}");
    }
    assert_eq!(read[0].from, [0, 0, 1, 0]);
    assert_eq!(read[0].to, [0, 0, 3, 0]);
    assert_eq!(read[1].from, [0, 0, 4, 0]);
    assert!(read.iter().all(|block| block.extension == 0xff));
    assert_eq!([read[0].number, read[1].number], [0, 1]);
    assert_eq!(read[0].row, 22);
    assert_eq!(cyrillic(&read[0].text), "S1: Добрий день & <всім>.");
    let second = cyrillic(&read[1].text).replace('\n', " ");
    assert_eq!(second, "Олена <О>: Ганок \"під\" п'ятьма № 7 - ??...");
    assert_eq!(
        usize::from(22 - read[1].row),
        cyrillic(&read[1].text).matches('\n').count()
    );
}

#[test]
fn stl_writes_diacritics_before_latin_letters() {
    let latin = unedited(transcript(vec![segment(
        0.0,
        3.0,
        None,
        "Žluťoučký kůň, ça — œuf ß ł Ħ “ñ”…",
    )]));
    let (general, read) = blocks(&export_file(Format::Stl, NONE, &latin, &[]));
    assert_eq!(field(&general, 12, 4), "0009");
    let expected: Vec<u8> = [
        &b"\xcfZlu\xcftou\xcfck\xc2y k\xcau\xcfn, \xcbca \xd0 \xfauf \xfb \xf8 \xe4 \xaa\xc4n\xba..."[..],
    ]
    .concat();
    assert_eq!(read[0].text, expected);
    assert!(field(&general, 448, 576).contains("U+2026 x1"));
}

#[test]
fn stl_time_codes_follow_the_frame_rate() {
    let talk = unedited(transcript(vec![segment(3600.5, 3602.0, None, "One.")]));
    let at = |rate: f64| {
        let limits = SubtitleOptions {
            frame_rate: Some(rate),
            ..NONE
        };
        let (general, read) = blocks(&export_file(Format::Stl, limits, &talk, &[]));
        (field(&general, 3, 8), read[0].from)
    };
    assert_eq!(at(25.0), ("STL25.01".into(), [1, 0, 0, 13]));
    assert_eq!(at(24.0), ("STL25.01".into(), [1, 0, 0, 13]));
    assert_eq!(at(30.0), ("STL30.01".into(), [1, 0, 0, 15]));
    // 3600.5 s are 107,907 frames; drop-frame time code skips 108 numbers and so matches the clock.
    assert_eq!(at(29.97), ("STL30.01".into(), [1, 0, 0, 15]));
}

#[test]
fn a_long_stl_text_continues_in_further_blocks() {
    let talk = unedited(transcript(vec![segment(
        0.0,
        6.0,
        None,
        &"Слово ".repeat(13),
    )]));
    let below = [TranslatedCue {
        start: 0.0,
        end: 6.0,
        lines: vec!["Word ".repeat(8), "Word ".repeat(8)],
    }];
    let (general, read) = blocks(&export_file(Format::Stl, NONE, &talk, &below));
    assert_eq!(field(&general, 238, 10), "0000200001");
    assert_eq!([read[0].extension, read[1].extension], [0, 0xff]);
    assert_eq!(read[0].number, read[1].number);
    assert_eq!(read[0].text.len(), 112);
    let joined = [&read[0].text[..], &read[1].text[..]].concat();
    assert_eq!(cyrillic(&joined).matches("Word").count(), 16);
    assert_eq!(cyrillic(&joined).matches("Слово").count(), 13);
    assert_eq!(
        usize::from(22 - read[0].row),
        cyrillic(&joined).matches('\n').count()
    );
}

#[test]
fn empty_and_hostile_transcripts_give_valid_broadcast_files() {
    let empty = unedited(transcript(vec![]));
    let (general, read) = blocks(&export_file(Format::Stl, NONE, &empty, &[]));
    assert!(read.is_empty());
    assert_eq!(field(&general, 238, 10), "0000000000");
    assert!(
        paragraphs(&String::from_utf8(export_file(Format::Ttml, NONE, &empty, &[])).unwrap())
            .is_empty()
    );
    let texts = [
        "]]></p><p>\u{0}\u{1b}",
        "\u{fffe}\u{ffff}&amp;",
        "👩\u{200d}💻 שלום",
        "\u{8a}\u{8f}\u{a0}x",
        &"x".repeat(400),
    ];
    let hostile = unedited(Transcript {
        language: "x\"><script>".to_owned(),
        ..transcript(
            (0..5_u8)
                .zip(texts)
                .map(|(n, text)| {
                    segment(
                        f64::from(n) * 9.0,
                        f64::from(n) * 9.0 + 8.0,
                        Some("\"><&"),
                        text,
                    )
                })
                .collect(),
        )
    });
    let xml = String::from_utf8(export_file(Format::Ttml, NONE, &hostile, &[])).unwrap();
    let read = paragraphs(&xml);
    assert!(read.len() >= 5);
    assert!(read[0].2.concat().contains("]]></p><p>"));
    let (_, read) = blocks(&export_file(Format::Stl, NONE, &hostile, &[]));
    assert!(read.len() >= 5);
}

#[test]
fn subtitle_settings_affect_every_subtitle_format() {
    let long = "When the old man came down from the mountain in the evening, he found that nobody in the \
                village remembered his name, and that the house was gone.";
    let talk = unedited(transcript(vec![
        segment(10.0, 17.0, Some("SPEAKER_0"), long),
        segment(17.0, 17.2, Some("SPEAKER_1"), "Yes."),
        segment(20.0, 40.0, None, "A slow one."),
    ]));
    let all = [
        SubtitleOptions {
            preset: Some(SubtitlePreset::Netflix),
            ..NONE
        },
        SubtitleOptions {
            preset: Some(SubtitlePreset::Bbc),
            ..NONE
        },
        SubtitleOptions {
            max_columns: Some(30),
            ..NONE
        },
        SubtitleOptions {
            max_lines: Some(1),
            ..NONE
        },
        SubtitleOptions {
            max_cps: Some(9.0),
            ..NONE
        },
        SubtitleOptions {
            max_seconds: Some(4.0),
            ..NONE
        },
        SubtitleOptions {
            min_seconds: Some(1.8),
            ..NONE
        },
        SubtitleOptions {
            gap_frames: Some(6),
            ..NONE
        },
        SubtitleOptions {
            frame_rate: Some(50.0),
            ..NONE
        },
        SubtitleOptions {
            offset: Some(-2.5),
            ..NONE
        },
    ];
    for format in Format::ALL {
        let usual = export_file(format, NONE, &talk, &[]);
        for limits in all {
            let other = export_file(format, limits, &talk, &[]);
            // STL counts in 25 or 30 frames per second.
            if format.is_subtitles() && !(format == Format::Stl && limits.frame_rate.is_some()) {
                assert_ne!(other, usual, "{format:?} {limits:?}");
            } else if !format.is_subtitles() && format != Format::Docx && format != Format::Pdf {
                assert_eq!(other, usual, "{format:?} {limits:?}");
            }
        }
    }
}

#[test]
fn a_translation_moves_with_its_line() {
    let talk = unedited(transcript(vec![
        segment(1.0, 2.0, None, "Gone."),
        segment(10.0, 12.0, None, "Hello."),
    ]));
    let below = [
        TranslatedCue {
            start: 1.0,
            end: 2.0,
            lines: vec!["Немає.".to_owned()],
        },
        TranslatedCue {
            start: 10.0,
            end: 12.0,
            lines: vec!["Привіт.".to_owned()],
        },
    ];
    let moved = SubtitleOptions {
        offset: Some(-9.0),
        ..NONE
    };
    let srt = String::from_utf8(export_file(Format::Srt, moved, &talk, &below)).unwrap();
    assert_eq!(srt, "1\n00:00:01,000 --> 00:00:03,000\nHello.\nПривіт.\n");
}
