//! Segments in another language than their transcript.

use slovo_rules::edit::EditedTranscript;
use slovo_rules::transcript::Segment;

use super::{segment, transcript};
use crate::{Format, Options, Source, unedited, write};

/// In English, but for the second segment.
fn talk(second: &str) -> EditedTranscript {
    unedited(transcript(vec![
        segment(0.0, 1.0, None, "Hello."),
        Segment {
            language: Some(second.to_owned()),
            ..segment(3.0, 4.0, None, "Вітаю!")
        },
        Segment {
            language: Some("en".to_owned()),
            ..segment(6.0, 7.0, None, "Good-bye.")
        },
    ]))
}

fn text(format: Format, options: Options, talk: &EditedTranscript) -> String {
    let source = Source {
        title: "Talk",
        date: None,
        transcript: talk,
    };
    let mut file = Vec::new();
    write(format, source, options, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

#[test]
fn json_and_csv_have_the_language_of_every_segment() {
    let file = text(Format::Json, Options::EVERYTHING, &talk("uk"));
    let data: serde_json::Value = serde_json::from_str(&file).unwrap();
    let languages: Vec<_> = data["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|segment| segment["language"].as_str().unwrap())
        .collect();
    assert_eq!(languages, ["en", "uk", "en"]);
    for words in [false, true] {
        let options = Options {
            words,
            ..Options::EVERYTHING
        };
        let table = text(Format::Csv, options, &talk("uk"));
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let column = reader.headers().unwrap().len() - 1;
        assert_eq!(&reader.headers().unwrap()[column], "language");
        let languages: Vec<_> = reader
            .records()
            .map(|row| row.unwrap()[column].to_owned())
            .collect();
        assert_eq!(languages, ["en", "uk", "en"]);
    }
}

#[test]
fn a_csv_cell_of_a_language_cannot_be_a_formula() {
    let table = text(Format::Csv, Options::EVERYTHING, &talk("=1\"\r\n"));
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let row = reader.records().nth(1).unwrap().unwrap();
    assert!(row[row.len() - 1].starts_with("'=1"), "{row:?}");
    assert_eq!(reader.records().count(), 1);
}

#[test]
fn ttml_states_the_language_of_paragraphs_that_differ() {
    let file = text(Format::Ttml, Format::Ttml.defaults(), &talk("uk"));
    let document = roxmltree::Document::parse(&file).unwrap();
    let paragraphs = document
        .descendants()
        .filter(|node| node.tag_name().name() == "p");
    let languages: Vec<_> = paragraphs
        .map(|p| p.attribute(("http://www.w3.org/XML/1998/namespace", "lang")))
        .collect();
    assert_eq!(languages, [None, Some("uk"), None]);
    // Text that could end the attribute does not.
    let file = text(Format::Ttml, Format::Ttml.defaults(), &talk("u\"><b>&"));
    roxmltree::Document::parse(&file).unwrap();
}

#[test]
fn a_long_segment_has_its_language_in_each_of_its_subtitles() {
    let long = "слово ".repeat(60);
    let talk = unedited(transcript(vec![
        segment(0.0, 2.0, None, "Hello."),
        Segment {
            language: Some("uk".to_owned()),
            ..segment(30.0, 58.0, None, long.trim())
        },
    ]));
    let file = text(Format::Ttml, Format::Ttml.defaults(), &talk);
    let all = file.matches("<p ").count();
    assert!(all > 2, "{file}");
    assert_eq!(file.matches(" xml:lang=\"uk\">").count(), all - 1, "{file}");
}

#[test]
fn other_formats_do_not_depend_on_the_language_of_segments() {
    let plain = unedited(transcript(vec![
        segment(0.0, 1.0, None, "Hello."),
        segment(3.0, 4.0, None, "Вітаю!"),
        segment(6.0, 7.0, None, "Good-bye."),
    ]));
    for format in [Format::Txt, Format::Srt, Format::Vtt, Format::Md] {
        let options = format.defaults();
        assert_eq!(
            text(format, options, &talk("uk")),
            text(format, options, &plain)
        );
    }
}
