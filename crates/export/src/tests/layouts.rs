//! The text layouts, in each format that supports them.

use docx_rs::{DocumentChild, TableChild, TableRowChild, read_docx};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::export::{ExportLayout, LINE_COLUMNS, PAGE_LINES, layouts};
use slovo_rules::subtitles::columns;
use slovo_rules::transcript::Transcript;

use super::{edited, segment, transcript};
use crate::{Extras, Format, Options, Source, write_with};

fn export_file(
    format: Format,
    layout: ExportLayout,
    options: Options,
    transcript: &EditedTranscript,
    asks: Option<&str>,
) -> Vec<u8> {
    let source = Source {
        title: "Розмова",
        date: None,
        transcript,
    };
    let extras = Extras {
        asks,
        ..Extras::default()
    };
    let options = Options { layout, ..options };
    let mut file = Vec::new();
    write_with(format, source, options, extras, &mut file).unwrap();
    file
}

fn text(format: Format, layout: ExportLayout, transcript: &EditedTranscript) -> String {
    let file = export_file(format, layout, Options::EVERYTHING, transcript, None);
    String::from_utf8(file).unwrap()
}

/// The pages' texts, as pdf-extract reads them, with white space collapsed.
fn pages(file: &[u8]) -> Vec<String> {
    let pages = pdf_extract::extract_text_from_mem_by_pages(file).unwrap();
    let words = |page: &String| page.split_whitespace().collect::<Vec<_>>().join(" ");
    pages.iter().map(words).collect()
}

fn part(file: &[u8], name: &str) -> String {
    let mut package = zip::ZipArchive::new(std::io::Cursor::new(file)).unwrap();
    std::io::read_to_string(package.by_name(name).unwrap()).unwrap()
}

/// Two people; the second one, who has a name, gives long answers and asks only incidentally.
fn interview() -> EditedTranscript {
    edited(
        transcript(vec![
            segment(0.0, 2.0, Some("SPEAKER_0"), "Що таке ґрунт?"),
            segment(2.0, 4.0, Some("SPEAKER_1"), "Чи просте це питання?"),
            segment(4.0, 6.0, Some("SPEAKER_1"), "Ні. Правда ж? Земля."),
            segment(20.0, 22.0, Some("SPEAKER_1"), "А ще | хата."),
            segment(22.0, 24.0, Some("SPEAKER_0"), "Справді?.."),
            segment(24.0, 25.0, Some("SPEAKER_0"), "Невже?"),
        ]),
        "Олена Ґудзь",
    )
}

#[test]
fn questions_and_answers_are_marked_at_speaker_changes() {
    assert_eq!(
        text(Format::Txt, ExportLayout::Questions, &interview()),
        "З. S1; В. Олена Ґудзь\n\n\
         [00:00:00] З. Що таке ґрунт?\n\n\
         [00:00:02] В. Чи просте це питання? Ні. Правда ж? Земля.\n\n\
         [00:00:20] А ще | хата.\n\n\
         [00:00:22] З. Справді?.. Невже?\n"
    );
    assert_eq!(
        text(Format::Md, ExportLayout::Questions, &interview()),
        "# Розмова\n\n00:01:00 · З. S1, В. Олена Ґудзь\n\n\
         `00:00:00` **З.** Що таке ґрунт?\n\n\
         `00:00:02` **В.** Чи просте це питання? Ні. Правда ж? Земля.\n\n\
         `00:00:20` А ще \\| хата.\n\n\
         `00:00:22` **З.** Справді?.. Невже?\n"
    );
    let file = export_file(
        Format::Pdf,
        ExportLayout::Questions,
        Options::EVERYTHING,
        &interview(),
        None,
    );
    assert!(pages(&file)[0].contains("З. [00:00:00] Що таке ґрунт?"));
    let file = export_file(
        Format::Docx,
        ExportLayout::Questions,
        Options::EVERYTHING,
        &interview(),
        None,
    );
    let body = part(&file, "word/document.xml");
    let mark = "<w:rStyle w:val=\"Speaker\"/></w:rPr><w:t xml:space=\"preserve\">З. </w:t>";
    assert_eq!(body.matches(mark).count(), 2, "{body}");
}

#[test]
fn the_interviewer_can_be_chosen_and_names_left_out() {
    let nameless = Options {
        speakers: false,
        ..Format::Txt.defaults()
    };
    let layout = ExportLayout::Questions;
    let export_with = |asks| {
        let file = export_file(Format::Txt, layout, nameless, &interview(), asks);
        String::from_utf8(file).unwrap()
    };
    let turned = export_with(Some("SPEAKER_1"));
    assert!(
        turned.starts_with("В. Що таке ґрунт?\n\nЗ. Чи просте"),
        "{turned}"
    );
    // Nobody with this id speaks: the roles are detected.
    assert_eq!(export_with(Some("SPEAKER_7")), export_with(None));
    assert!(
        export_with(None).starts_with("З. Що таке"),
        "{}",
        export_with(None)
    );
}

#[test]
fn several_respondents_are_named_and_a_single_speaker_has_no_marks() {
    let discussion = edited(
        transcript(vec![
            segment(0.0, 1.0, Some("SPEAKER_1"), "Хто перший?"),
            segment(1.0, 2.0, Some("SPEAKER_0"), "Я."),
            segment(2.0, 3.0, Some("SPEAKER_2"), "Ні, я."),
            segment(3.0, 4.0, None, "(сміх)"),
        ]),
        "",
    );
    let options = Format::Txt.defaults();
    let layout = ExportLayout::Questions;
    let written = |transcript: &EditedTranscript| {
        let file = export_file(Format::Txt, layout, options, transcript, None);
        String::from_utf8(file).unwrap()
    };
    assert_eq!(
        written(&discussion),
        "З. S2; В. S1, S3\n\nЗ. Хто перший?\n\nВ. (S1) Я.\n\nВ. (S3) Ні, я.\n\n(сміх)\n"
    );
    let monologue = edited(transcript(vec![segment(0.0, 1.0, Some("S"), "Хто?")]), "");
    assert_eq!(written(&monologue), "Хто?\n");
    assert_eq!(written(&edited(transcript(vec![]), "")), "");
    let english = Transcript {
        language: "en".to_owned(),
        ..transcript(vec![
            segment(0.0, 1.0, Some("a"), "Who?"),
            segment(1.0, 2.0, Some("b"), "Me."),
        ])
    };
    assert!(written(&crate::unedited(english)).ends_with("\n\nQ. Who?\n\nA. Me.\n"));
}

/// An hour of a conversation of two people.
fn long() -> EditedTranscript {
    let segments = (0..300_u16).map(|n| {
        let speaker = if n % 5 < 3 { "SPEAKER_0" } else { "SPEAKER_1" };
        let start = f64::from(n) * 5.0;
        let text = format!("{n}. Довге речення, яких у розмові багато, щоб сторінки були повні.");
        segment(start, start + 4.0, Some(speaker), &text)
    });
    edited(transcript(segments.collect()), "Олена")
}

/// The numbered lines of each page of a text file.
fn numbered_pages(text: &str) -> Vec<Vec<String>> {
    let page = |page: &str| {
        let mut rows = page.lines();
        assert!(rows.next().unwrap().contains(" / "), "{page}");
        assert_eq!(rows.next(), Some(""));
        let lines = rows.zip(1..).map(|(row, number)| {
            let (head, line) = row.split_at(row.len().min(4));
            assert_eq!(head.trim(), number.to_string(), "{row}");
            line.to_owned()
        });
        lines.collect()
    };
    text.split('\u{c}').map(page).collect()
}

#[test]
fn numbered_lines_have_a_fixed_width_and_restart_on_every_page() {
    let text = text(Format::Txt, ExportLayout::Numbered, &long());
    let pages = numbered_pages(&text);
    assert!(pages.len() > 10, "{}", pages.len());
    let (last, full) = pages.split_last().unwrap();
    assert!(full.iter().all(|page| page.len() == PAGE_LINES));
    assert!((1..=PAGE_LINES).contains(&last.len()));
    let lines = pages.concat();
    assert!(lines.iter().all(|line| columns(line) <= LINE_COLUMNS));
    assert_eq!(lines[0], "Розмова");
    assert_eq!(lines[1], "00:01:00 · S1, Олена");
    assert_eq!(lines[2], "");
    assert!(
        lines[3].starts_with("    [00:00:00] S1: 0. Довге"),
        "{}",
        lines[3]
    );
    let words = lines
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for n in 0..300 {
        assert!(words.contains(&format!("{n}. Довге речення, яких у розмові багато")));
    }
    assert!(text.starts_with(&format!("{:>64}\n", format!("1 / {}", pages.len()))));
}

#[test]
fn numbered_lines_are_the_same_in_every_format() {
    let text = text(Format::Txt, ExportLayout::Numbered, &long());
    let expected = numbered_pages(&text);
    let layout = ExportLayout::Numbered;
    let pdf = export_file(Format::Pdf, layout, Options::EVERYTHING, &long(), None);
    let drawn = pages(&pdf);
    assert_eq!(drawn.len(), expected.len());
    for (page, lines) in drawn.iter().zip(&expected) {
        let numbered = lines
            .iter()
            .zip(1..)
            .map(|(line, n)| format!("{n} {}", line.trim()));
        let numbered: Vec<String> = numbered.map(|line| line.trim_end().to_owned()).collect();
        assert!(
            page.starts_with(&numbered.join(" ")),
            "{page}\n{numbered:?}"
        );
    }
    let docx = export_file(Format::Docx, layout, Options::EVERYTHING, &long(), None);
    let body = part(&docx, "word/document.xml");
    assert!(body.contains("<w:lnNumType w:countBy=\"1\" w:restart=\"newPage\"/>"));
    let lines = body.matches("<w:br/>").count() + body.matches("<w:p>").count();
    assert_eq!(lines, expected.concat().len());
    // Exactly twenty-five lines fit between the margins.
    let height = 16_838 - 1_360 - 1_520;
    let styles = part(&docx, "word/styles.xml");
    let line = styles.split("w:line=\"").nth(1).unwrap();
    let line: usize = line.split('"').next().unwrap().parse().unwrap();
    assert_eq!(height / line, PAGE_LINES);
    assert!(styles.contains("w:lineRule=\"exact\""));
}

#[test]
fn long_words_and_wide_letters_stay_within_their_lines() {
    let hostile = edited(
        transcript(vec![
            segment(0.0, 1.0, Some("S"), &"ї".repeat(5_000)),
            segment(9.0, 10.0, None, &"あいう".repeat(300)),
            segment(19.0, 20.0, None, &"\u{301}".repeat(5_000)),
            segment(29.0, 30.0, None, &"ЩЩЩЩЩЩЩЩЩ ".repeat(50)),
            segment(39.0, 40.0, None, "a\u{c}b\n\t26  forged"),
        ]),
        "",
    );
    let text = text(Format::Txt, ExportLayout::Numbered, &hostile);
    let pages = numbered_pages(&text);
    let lines = pages.concat();
    assert!(lines.iter().all(|line| columns(line) <= LINE_COLUMNS));
    assert_eq!(text.matches('ї').count(), 5_000);
    assert_eq!(text.matches('あ').count(), 300);
    assert_eq!(text.matches('\u{301}').count(), 5_000);
    assert!(text.contains("a b 26 forged"));
    let layout = ExportLayout::Numbered;
    let docx = export_file(Format::Docx, layout, Options::EVERYTHING, &hostile, None);
    assert!(read_docx(&docx).is_ok());
}

#[test]
fn a_table_has_a_header_and_a_row_per_paragraph() {
    let layout = ExportLayout::Table;
    assert_eq!(
        text(Format::Txt, layout, &interview()),
        "Час\tМовець\tТекст\n\
         00:00:00\tS1\tЩо таке ґрунт?\n\
         00:00:02\tОлена Ґудзь\tЧи просте це питання? Ні. Правда ж? Земля.\n\
         00:00:20\tОлена Ґудзь\tА ще | хата.\n\
         00:00:22\tS1\tСправді?.. Невже?\n"
    );
    let markdown = text(Format::Md, layout, &interview());
    let table = markdown.split("\n\n").nth(2).unwrap();
    assert!(table.starts_with("| Час | Мовець | Текст |\n| --- | --- | --- |\n| 00:00:00 | S1 |"));
    assert!(table.contains("| 00:00:20 | Олена Ґудзь | А ще \\| хата. |"));
    assert_eq!(table.lines().count(), 6);
    // There is no column for data that are unknown or not requested.
    let bare = Options {
        timestamps: false,
        ..Options::EVERYTHING
    };
    let nobody = edited(transcript(vec![segment(0.0, 1.0, None, "Так.")]), "");
    let file = export_file(Format::Txt, layout, bare, &nobody, None);
    assert_eq!(String::from_utf8(file).unwrap(), "Текст\nТак.\n");
}

#[test]
fn a_docx_table_repeats_its_header_row() {
    let layout = ExportLayout::Table;
    let file = export_file(
        Format::Docx,
        layout,
        Options::EVERYTHING,
        &interview(),
        None,
    );
    let document = read_docx(&file).unwrap().document;
    let tables = document.children.iter().filter_map(|child| match child {
        DocumentChild::Table(table) => Some(table),
        _ => None,
    });
    let tables: Vec<_> = tables.collect();
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0].rows.len(), 5);
    for TableChild::TableRow(row) in &tables[0].rows {
        let cells = row.cells.iter();
        assert_eq!(
            cells
                .filter(|cell| matches!(cell, TableRowChild::TableCell(_)))
                .count(),
            3
        );
    }
    let body = part(&file, "word/document.xml");
    assert_eq!(body.matches("<w:tblHeader/>").count(), 1);
    let widths = body.split("<w:gridCol w:w=\"").skip(1);
    let widths = widths.map(|rest| rest.split('"').next().unwrap().parse::<u32>().unwrap());
    assert_eq!(widths.sum::<u32>(), 8_866);
    assert!(part(&file, "word/styles.xml").contains("w:styleId=\"Cell\""));
}

#[test]
fn a_pdf_table_has_its_header_on_every_page() {
    let layout = ExportLayout::Table;
    let file = export_file(Format::Pdf, layout, Options::EVERYTHING, &long(), None);
    let pages = pages(&file);
    assert!(pages.len() > 5, "{}", pages.len());
    for page in &pages {
        assert_eq!(page.matches("Час Мовець Текст").count(), 1, "{page}");
    }
    let all = pages.join(" ");
    for n in 0..300 {
        assert!(all.contains(&format!("{n}. Довге")), "{n} is missing");
    }
    // A row longer than a page continues on the next one.
    let endless = edited(
        transcript(vec![segment(0.0, 1.0, Some("S"), &"ї".repeat(9_000))]),
        "",
    );
    let file = export_file(Format::Pdf, layout, Options::EVERYTHING, &endless, None);
    let letters = self::pages(&file).join("").matches('ї').count();
    assert_eq!(letters, 9_000);
}

#[test]
fn the_paragraph_layout_of_a_docx_is_unchanged() {
    let short = edited(
        transcript(vec![segment(0.0, 1.0, Some("SPEAKER_0"), "Так & «ні».")]),
        "",
    );
    let options = Format::Docx.defaults();
    let file = export_file(
        Format::Docx,
        ExportLayout::Paragraphs,
        options,
        &short,
        None,
    );
    assert_eq!(
        part(&file, "word/document.xml"),
        concat!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n",
            "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" ",
            "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><w:body>",
            "<w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:rPr></w:rPr>",
            "<w:t xml:space=\"preserve\">Розмова</w:t></w:r></w:p>",
            "<w:p><w:pPr><w:pStyle w:val=\"Facts\"/></w:pPr><w:r><w:rPr></w:rPr>",
            "<w:t xml:space=\"preserve\">00:01:00 · S1</w:t></w:r></w:p>",
            "<w:p><w:pPr><w:pStyle w:val=\"Turn\"/></w:pPr><w:r><w:rPr><w:rStyle w:val=\"Speaker\"/>",
            "</w:rPr><w:t xml:space=\"preserve\">S1</w:t></w:r></w:p>",
            "<w:p><w:pPr></w:pPr><w:r><w:rPr></w:rPr>",
            "<w:t xml:space=\"preserve\">Так &amp; «ні».</w:t></w:r></w:p>",
            "<w:sectPr><w:footerReference w:type=\"default\" r:id=\"rId2\"/>",
            "<w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1360\" w:right=\"1520\" ",
            "w:bottom=\"1520\" w:left=\"1520\" w:header=\"708\" w:footer=\"708\" w:gutter=\"0\"/>",
            "</w:sectPr></w:body></w:document>",
        )
    );
    let styles = part(&file, "word/styles.xml");
    assert!(!styles.contains("Cell") && styles.ends_with("</w:style>\n</w:styles>"));
}

#[test]
fn every_offered_layout_differs_from_paragraphs() {
    for format in Format::ALL {
        let offered = layouts(format.name());
        let files: Vec<Vec<u8>> = ExportLayout::ALL
            .iter()
            .map(|layout| export_file(format, *layout, Options::EVERYTHING, &interview(), None))
            .collect();
        for (layout, file) in ExportLayout::ALL.iter().zip(&files) {
            let is_usual = *file == files[0];
            let should_be = *layout == ExportLayout::Paragraphs || !offered.contains(layout);
            assert_eq!(is_usual, should_be, "{} as {layout}", format.name());
        }
    }
}
