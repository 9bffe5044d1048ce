//! Bookmarks and highlights at the end of files.

use docx_rs::{DocumentChild, ParagraphChild, RunChild, read_docx};
use serde_json::{Value, json};
use slovo_rules::annotation::{AnnotationColour, AnnotationKind};
use slovo_rules::edit::EditedTranscript;

use super::{edited, segment, transcript};
use crate::{Annotation, Annotations, Extras, Format, Options, Source, write, write_with};

fn talk() -> EditedTranscript {
    edited(
        transcript(vec![
            segment(0.0, 2.0, Some("SPEAKER_0"), "Що таке ґрунт?"),
            segment(65.0, 70.0, Some("SPEAKER_1"), "П’ять їжаків з’їли яблуко."),
        ]),
        "Олена Ґудзь",
    )
}

fn marks() -> Vec<Annotation> {
    vec![
        Annotation {
            kind: AnnotationKind::Bookmark,
            colour: AnnotationColour::Yellow,
            segment: None,
            start: 1.25,
            // The text at the time of the highlight.
            quote: "грунт?".to_owned(),
            note: String::new(),
        },
        Annotation {
            kind: AnnotationKind::Highlight,
            colour: AnnotationColour::Blue,
            segment: Some("1".to_owned()),
            start: 66.0,
            quote: "*їжаків*\u{202e} <b>".to_owned(),
            note: "Хто рахував?\n\n# Перепитати".to_owned(),
        },
    ]
}

fn export_file(format: Format, options: Options, list: &[Annotation]) -> Vec<u8> {
    let source = Source {
        title: "Розмова",
        date: None,
        transcript: &talk(),
    };
    let extras = Extras {
        annotations: Annotations {
            heading: "Закладки й нотатки",
            list,
        },
        ..Extras::default()
    };
    let mut file = Vec::new();
    write_with(format, source, options, extras, &mut file).unwrap();
    file
}

fn text(format: Format) -> String {
    String::from_utf8(export_file(format, format.defaults(), &marks())).unwrap()
}

fn plain(format: Format) -> Vec<u8> {
    let source = Source {
        title: "Розмова",
        date: None,
        transcript: &talk(),
    };
    let mut file = Vec::new();
    write(format, source, format.defaults(), &mut file).unwrap();
    file
}

#[test]
fn plain_text_and_markdown_end_with_the_annotations() {
    let txt = text(Format::Txt);
    let list = "\nЗакладки й нотатки\n\n[00:00:01] S1: Що таке ґрунт?\n\n[00:01:06] Олена Ґудзь: *їжаків* \
                <b>\n    Хто рахував?\n    # Перепитати\n";
    assert!(txt.ends_with(list), "{txt}");
    assert!(txt.starts_with("S1: Що таке ґрунт?\n"), "{txt}");
    let md = text(Format::Md);
    let list = "\n## Закладки й нотатки\n\n- `00:00:01` **S1:** Що таке ґрунт?\n\n- `00:01:06` **Олена \
                Ґудзь:** \\*їжаків\\* \\<b\\>\n\n  Хто рахував?\\\n  \\# Перепитати\n";
    assert!(md.ends_with(list), "{md}");
}

#[test]
fn json_contains_annotations_beside_the_segments() {
    let json: Value = serde_json::from_str(&text(Format::Json)).unwrap();
    assert_eq!(
        json["annotations"][1],
        json!({"kind": "highlight", "colour": "blue", "start": 66.0, "speaker": "SPEAKER_1",
            "quote": "*їжаків*\u{202e} <b>", "note": "Хто рахував?\n\n# Перепитати"})
    );
    assert_eq!(json["annotations"][0]["speaker"], "SPEAKER_0");
    let without_speakers = Options {
        speakers: false,
        ..Format::Json.defaults()
    };
    let file = export_file(Format::Json, without_speakers, &marks());
    let json: Value = serde_json::from_slice(&file).unwrap();
    assert_eq!(json["annotations"][1]["speaker"], Value::Null);
}

#[test]
fn documents_end_with_the_annotations() {
    let file = export_file(Format::Docx, Format::Docx.defaults(), &marks());
    let document = read_docx(&file).unwrap().document;
    let run = |child: &ParagraphChild| match child {
        ParagraphChild::Run(run) => run
            .children
            .iter()
            .map(|child| match child {
                RunChild::Text(text) => text.text.clone(),
                _ => String::new(),
            })
            .collect(),
        _ => String::new(),
    };
    let paragraphs: Vec<String> = document
        .children
        .iter()
        .filter_map(|child| match child {
            DocumentChild::Paragraph(paragraph) => {
                Some(paragraph.children.iter().map(run).collect())
            }
            _ => None,
        })
        .collect();
    let list = [
        "Закладки й нотатки",
        "S1   00:00:01",
        "Що таке ґрунт?",
        "Олена Ґудзь   00:01:06",
        "*їжаків* <b>",
        "Хто рахував?",
        "# Перепитати",
    ];
    assert_eq!(paragraphs[paragraphs.len() - list.len()..], list);
    let pdf = export_file(Format::Pdf, Format::Pdf.defaults(), &marks());
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > plain(Format::Pdf).len());
}

#[test]
fn annotations_change_only_the_formats_that_can_show_them() {
    for format in Format::ALL {
        // Files of these formats contain the time at which they were made.
        if matches!(format, Format::Docx | Format::Pdf | Format::Stl) {
            continue;
        }
        let without = export_file(format, format.defaults(), &[]);
        assert_eq!(without, plain(format), "{}", format.name());
        let has_annotations = matches!(format, Format::Txt | Format::Md | Format::Json);
        let with = export_file(format, format.defaults(), &marks());
        assert_eq!(with != plain(format), has_annotations, "{}", format.name());
    }
}
