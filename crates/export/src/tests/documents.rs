//! DOCX and PDF, read back by other libraries.

use docx_rs::{DocumentChild, ParagraphChild, RunChild, read_docx};
use jiff::civil::date;
use slovo_rules::edit::EditedTranscript;
use slovo_rules::export::ExportLayout;

use super::{edited, segment, transcript};
use slovo_rules::subtitles::SubtitleOptions;

use crate::{Error, Format, Options, Source, write};

const BOTH: Options = Options {
    speakers: true,
    timestamps: true,
    words: false,
    subtitles: SubtitleOptions::NONE,
    layout: ExportLayout::Paragraphs,
};

fn export_file(format: Format, options: Options, transcript: &EditedTranscript) -> Vec<u8> {
    let source = Source {
        title: "Розмова <з> «Їжаком» & Co",
        date: Some(date(2026, 11, 21)),
        transcript,
    };
    let mut file = Vec::new();
    write(format, source, options, &mut file).unwrap();
    file
}

/// A conversation of two people in Ukrainian, one of whom has a name.
fn talk() -> EditedTranscript {
    edited(
        transcript(vec![
            segment(0.0, 2.0, Some("SPEAKER_0"), "Що таке ґрунт?"),
            segment(65.0, 70.0, Some("SPEAKER_1"), "П’ять їжаків з’їли яблуко."),
        ]),
        "Олена Ґудзь",
    )
}

/// Each paragraph's text, as docx-rs reads it.
fn paragraphs(file: &[u8]) -> Vec<String> {
    let document = read_docx(file).unwrap().document;
    let text = |child: &ParagraphChild| match child {
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
    let children = document.children.iter();
    children
        .filter_map(|child| match child {
            DocumentChild::Paragraph(paragraph) => {
                Some(paragraph.children.iter().map(text).collect())
            }
            _ => None,
        })
        .collect()
}

/// One part of the package.
fn part(file: &[u8], name: &str) -> String {
    let mut package = zip::ZipArchive::new(std::io::Cursor::new(file)).unwrap();
    std::io::read_to_string(package.by_name(name).unwrap()).unwrap()
}

#[test]
fn a_docx_contains_text_speakers_and_times() {
    let file = export_file(Format::Docx, BOTH, &talk());
    assert_eq!(
        paragraphs(&file),
        [
            "Розмова <з> «Їжаком» & Co",
            "2026-11-21 · 00:01:00 · S1, Олена Ґудзь",
            "S1   00:00:00",
            "Що таке ґрунт?",
            "Олена Ґудзь   00:01:05",
            "П’ять їжаків з’їли яблуко.",
        ]
    );
    let properties = part(&file, "docProps/core.xml");
    assert!(properties.contains("<dc:title>Розмова &lt;з&gt; «Їжаком» &amp; Co</dc:title>"));
    assert!(properties.contains("<dc:language>uk</dc:language>"));
    assert!(part(&file, "word/styles.xml").contains("<w:lang w:val=\"uk\""));
    let footer = part(&file, "word/footer1.xml");
    assert!(footer.contains(" PAGE ") && footer.contains(" NUMPAGES "));
    let body = part(&file, "word/document.xml");
    assert!(body.contains("w:w=\"11906\" w:h=\"16838\""), "A4");
    let without = Options {
        speakers: false,
        timestamps: false,
        words: false,
        subtitles: SubtitleOptions::NONE,
        layout: ExportLayout::Paragraphs,
    };
    let plain = paragraphs(&export_file(Format::Docx, without, &talk()));
    assert_eq!(plain[2..], ["Що таке ґрунт?", "П’ять їжаків з’їли яблуко."]);
}

#[test]
fn hostile_text_does_not_break_a_docx() {
    let hostile = "</w:t></w:r> & \"'<x>\u{0}\u{1b}\u{ffff}\u{202e} ]]> 🎙️ \u{d7ff}";
    let file = export_file(
        Format::Docx,
        BOTH,
        &edited(
            transcript(vec![segment(0.0, 1.0, Some("<S>"), hostile)]),
            "",
        ),
    );
    let read = paragraphs(&file);
    assert_eq!(read[3], "</w:t></w:r> & \"'<x> ]]> 🎙️ \u{d7ff}");
    let right_to_left = edited(transcript(vec![segment(0.0, 1.0, None, "שלום עולם")]), "");
    let file = export_file(Format::Docx, BOTH, &right_to_left);
    assert!(part(&file, "word/document.xml").contains("<w:bidi/>"));
    assert!(paragraphs(&file).contains(&"שלום עולם".to_owned()));
}

/// The pages' texts, as pdf-extract reads them, with white space collapsed.
fn pages(file: &[u8]) -> Vec<String> {
    let pages = pdf_extract::extract_text_from_mem_by_pages(file).unwrap();
    let words = |page: &String| page.split_whitespace().collect::<Vec<_>>().join(" ");
    pages.iter().map(words).collect()
}

#[test]
fn a_pdf_contains_text_speakers_and_times() {
    let file = export_file(Format::Pdf, BOTH, &talk());
    let pages = pages(&file);
    assert_eq!(pages.len(), 1);
    for found in [
        "Розмова <з> «Їжаком» & Co",
        "2026-11-21 · 00:01:00 · S1, Олена Ґудзь",
        "Що таке ґрунт?",
        "Олена Ґудзь 00:01:05",
        "П’ять їжаків з’їли яблуко.",
        "1 / 1",
    ] {
        assert!(pages[0].contains(found), "{found} in {}", pages[0]);
    }
    assert!(
        file.len() < 60_000,
        "only the letters that are used: {}",
        file.len()
    );
}

#[test]
fn a_long_transcript_has_numbered_pages_and_loses_nothing() {
    let sentence = "Довге речення, яких у розмові багато, щоб сторінки були повні.";
    let segments = (0..600_u16).map(|n| {
        let speaker = if n % 7 < 4 { "SPEAKER_0" } else { "SPEAKER_1" };
        let start = f64::from(n) * 5.0;
        segment(
            start,
            start + 4.0,
            Some(speaker),
            &format!("{n}. {sentence}"),
        )
    });
    let file = export_file(
        Format::Pdf,
        BOTH,
        &edited(transcript(segments.collect()), "Олена"),
    );
    let pages = pages(&file);
    assert!(pages.len() > 10, "{}", pages.len());
    for (page, number) in pages.iter().zip(1..) {
        let folio = format!("{number} / {}", pages.len());
        assert!(page.contains(&folio), "{folio} in {page}");
        let foot = page.replace(&folio, "");
        let last = foot.trim_end();
        assert!(
            !last.ends_with("Олена"),
            "a head alone at the foot of page {number}"
        );
    }
    let all = pages.join(" ");
    for n in 0..600 {
        assert!(all.contains(&format!("{n}. Довге")), "{n} is missing");
    }
}

#[test]
fn hostile_text_does_not_break_a_pdf() {
    let endless = "ї".repeat(20_000);
    let file = export_file(
        Format::Pdf,
        BOTH,
        &edited(
            transcript(vec![
                segment(
                    0.0,
                    1.0,
                    Some("x)\n/JS (a)"),
                    "(a) \\ ) endobj \u{0}\u{202e} 🎙️ %PDF",
                ),
                segment(5.0, 6.0, None, &endless),
                segment(9.0, 10.0, None, ""),
            ]),
            "",
        ),
    );
    let pages = pages(&file);
    assert!(pages.len() > 2, "{}", pages.len());
    assert!(pages[0].contains("(a) \\ ) endobj"), "{}", pages[0]);
    let letters: usize = pages.iter().map(|page| page.matches('ї').count()).sum();
    assert_eq!(letters, 20_000);
}

#[test]
fn an_empty_transcript_still_gives_a_document() {
    let file = export_file(Format::Pdf, BOTH, &edited(transcript(vec![]), ""));
    assert_eq!(pages(&file).len(), 1);
    let docx = export_file(Format::Docx, BOTH, &edited(transcript(vec![]), ""));
    assert_eq!(paragraphs(&docx).len(), 2);
}

#[test]
fn letters_missing_from_all_fonts_are_an_error() {
    // Nearly all fonts lack Sunuwar, a recent script.
    let source = Source {
        title: "x",
        date: None,
        transcript: &edited(
            transcript(vec![segment(0.0, 1.0, None, "\u{11bc0}\u{11bc1}")]),
            "",
        ),
    };
    let refused = write(Format::Pdf, source, BOTH, &mut Vec::new());
    assert!(
        matches!(refused, Err(Error::FontMissing { script: "Sunu" })),
        "{refused:?}"
    );
}
