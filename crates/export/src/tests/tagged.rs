//! PDF accessibility: language, title and structure tags.

use std::collections::BTreeMap;

use pdf_extract::content::Content;
use pdf_extract::{Dictionary, Document, Object, ObjectId};
use slovo_rules::edit::EditedTranscript;
use slovo_rules::export::ExportLayout;

use super::{edited, segment, transcript};
use crate::{Format, Options, Source, write};

fn export_pdf(title: &str, layout: ExportLayout, transcript: &EditedTranscript) -> Document {
    let source = Source {
        title,
        date: None,
        transcript,
    };
    let options = Options {
        layout,
        ..Options::EVERYTHING
    };
    let mut file = Vec::new();
    write(Format::Pdf, source, options, &mut file).unwrap();
    Document::load_mem(&file).unwrap()
}

fn talk() -> EditedTranscript {
    edited(
        transcript(vec![
            segment(0.0, 2.0, Some("SPEAKER_0"), "Що таке ґрунт?"),
            segment(65.0, 70.0, Some("SPEAKER_1"), "П’ять їжаків з’їли яблуко."),
        ]),
        "Олена",
    )
}

fn dictionary<'a>(file: &'a Document, object: &'a Object) -> &'a Dictionary {
    file.dereference(object).unwrap().1.as_dict().unwrap()
}

fn name(dictionary: &Dictionary, key: &[u8]) -> String {
    String::from_utf8_lossy(dictionary.get(key).unwrap().as_name().unwrap()).into_owned()
}

/// A structure element: its type, and the pieces of pages below it, in order.
#[derive(Debug, PartialEq)]
struct Node {
    kind: String,
    pieces: Vec<(ObjectId, i64)>,
    children: Vec<Node>,
}

impl Node {
    fn read(file: &Document, element: &Dictionary) -> Self {
        let page = element.get(b"Pg").and_then(Object::as_reference).ok();
        let mut node = Self {
            kind: name(element, b"S"),
            pieces: Vec::new(),
            children: Vec::new(),
        };
        let below = match element.get(b"K") {
            Ok(Object::Array(all)) => all.clone(),
            Ok(single) => vec![single.clone()],
            Err(_) => Vec::new(),
        };
        for below in below {
            match file.dereference(&below).unwrap().1 {
                Object::Integer(piece) => node.pieces.push((page.unwrap(), *piece)),
                Object::Dictionary(kid) if kid.has(b"MCID") => {
                    let page_id = kid.get(b"Pg").and_then(Object::as_reference).ok().or(page);
                    let piece = kid.get(b"MCID").unwrap().as_i64().unwrap();
                    node.pieces.push((page_id.unwrap(), piece));
                }
                Object::Dictionary(kid) => node.children.push(Self::read(file, kid)),
                other => panic!("{other:?}"),
            }
        }
        node
    }

    /// All pieces in the order of the structure.
    fn all_pieces(&self) -> Vec<(ObjectId, i64)> {
        let below = self.children.iter().flat_map(Self::all_pieces);
        self.pieces.iter().copied().chain(below).collect()
    }

    fn kinds(&self) -> Vec<&str> {
        self.children
            .iter()
            .map(|child| child.kind.as_str())
            .collect()
    }
}

/// The structure below the document element.
fn structure(file: &Document) -> Node {
    let catalog = file.catalog().unwrap();
    let root = dictionary(file, catalog.get(b"StructTreeRoot").unwrap());
    let below = match root.get(b"K").unwrap() {
        Object::Array(all) => all[0].clone(),
        one => one.clone(),
    };
    let document = Node::read(file, dictionary(file, &below));
    assert_eq!(document.kind, "Document");
    document
}

/// The pieces in drawing order, and the number of artifacts.
fn drawn(file: &Document) -> (Vec<(ObjectId, i64)>, usize) {
    let (mut pieces, mut artifacts) = (Vec::new(), 0);
    for page in file.get_pages().into_values() {
        let content = Content::decode(&file.get_page_content(page).unwrap()).unwrap();
        // Within tagged content only replacement text may be nested.
        let mut depth = 0;
        for operation in content.operations {
            match operation.operator.as_str() {
                "BDC" | "BMC" => {
                    depth += 1;
                    let kind = operation.operands[0].as_name().unwrap();
                    if kind == b"Artifact" {
                        artifacts += 1;
                        continue;
                    }
                    let properties = operation.operands[1].as_dict().unwrap();
                    let piece = properties.get(b"MCID").and_then(Object::as_i64);
                    assert_eq!(piece.is_ok(), depth == 1);
                    pieces.extend(piece.map(|piece| (page, piece)));
                }
                "EMC" => depth -= 1,
                "Tj" | "TJ" | "S" | "f" => assert!(depth > 0, "what is shown is not tagged"),
                _ => {}
            }
        }
    }
    (pieces, artifacts)
}

/// Asserts that every piece is in the structure once, in drawing order.
fn assert_in_order(file: &Document) -> Node {
    let structure = structure(file);
    let (drawn, artifacts) = drawn(file);
    assert_eq!(structure.all_pieces(), drawn);
    // Each page has its page number.
    assert!(artifacts >= file.get_pages().len());
    structure
}

#[test]
fn a_pdf_declares_language_title_and_tags() {
    let file = export_pdf("Розмова", ExportLayout::Paragraphs, &talk());
    let catalog = file.catalog().unwrap();
    let marked = dictionary(&file, catalog.get(b"MarkInfo").unwrap());
    assert!(marked.get(b"Marked").unwrap().as_bool().unwrap());
    let language = catalog.get(b"Lang").unwrap().as_str().unwrap();
    assert_eq!(String::from_utf8_lossy(language), "uk");
    let viewer = dictionary(&file, catalog.get(b"ViewerPreferences").unwrap());
    assert!(viewer.get(b"DisplayDocTitle").unwrap().as_bool().unwrap());
    assert!(catalog.has(b"Outlines"));
    assert!(is_universal(&file));
}

/// Whether the file declares PDF/UA.
fn is_universal(file: &Document) -> bool {
    let catalog = file.catalog().unwrap();
    let metadata = file
        .dereference(catalog.get(b"Metadata").unwrap())
        .unwrap()
        .1;
    let metadata = metadata.as_stream().unwrap();
    let content = metadata
        .decompressed_content()
        .unwrap_or_else(|_| metadata.content.clone());
    String::from_utf8_lossy(&content).contains("pdfuaid:part")
}

#[test]
fn headings_and_paragraphs_are_tagged_in_reading_order() {
    let file = export_pdf("Розмова", ExportLayout::Paragraphs, &talk());
    let structure = assert_in_order(&file);
    assert_eq!(structure.kinds(), ["H1", "P", "H2", "P", "H2", "P"]);
    let file = export_pdf("Розмова", ExportLayout::Questions, &talk());
    assert_eq!(assert_in_order(&file).kinds(), ["H1", "P", "P", "P"]);
    // Line numbers are artifacts.
    let file = export_pdf("Розмова", ExportLayout::Numbered, &talk());
    assert_eq!(assert_in_order(&file).kinds(), ["H1", "P", "P", "P"]);
    assert!(drawn(&file).1 >= 5);
}

#[test]
fn a_tagged_table_spans_pages_with_one_header_and_equal_rows() {
    let segments = (0..200_u16).map(|n| {
        let speaker = (n % 3 != 0).then_some(if n % 3 == 1 { "a" } else { "b" });
        let start = f64::from(n) * 9.0;
        let text =
            format!("{n}. Речення, довше за один рядок вузької колонки, щоб їх було кілька.");
        segment(start, start + 1.0, speaker, &text)
    });
    let long = edited(transcript(segments.collect()), "Олена");
    let file = export_pdf("Розмова", ExportLayout::Table, &long);
    assert!(file.get_pages().len() > 3);
    let structure = structure(&file);
    assert_eq!(structure.kinds(), ["H1", "P", "Table"]);
    let table = &structure.children[2];
    assert_eq!(table.kinds(), ["THead", "TBody"]);
    assert_eq!(table.children[0].children[0].kinds(), ["TH", "TH", "TH"]);
    let body = &table.children[1];
    assert_eq!(body.children.len(), 200);
    assert!(
        body.children
            .iter()
            .all(|row| row.kinds() == ["TD", "TD", "TD"])
    );
    // A row's pieces are drawn line by line, so only whole rows are in drawing order.
    let (drawn, _) = drawn(&file);
    let places: BTreeMap<_, _> = drawn.iter().copied().zip(0..).collect();
    let firsts = body.children.iter().map(|row| {
        let pieces = row.all_pieces().into_iter();
        pieces.map(|piece| places[&piece]).min().unwrap()
    });
    assert!(firsts.is_sorted());
    let mut pieces = structure.all_pieces();
    let mut all = drawn;
    pieces.sort_unstable();
    all.sort_unstable();
    assert_eq!(pieces, all);
    assert!(is_universal(&file));
}

#[test]
fn text_without_a_font_or_title_is_still_tagged() {
    let strange = edited(
        transcript(vec![segment(
            0.0,
            1.0,
            None,
            "Знак \u{f8ff} без шрифту \u{1fbff}",
        )]),
        "",
    );
    let file = export_pdf("Розмова", ExportLayout::Paragraphs, &strange);
    assert_eq!(assert_in_order(&file).kinds().first(), Some(&"H1"));
    let file = export_pdf("", ExportLayout::Paragraphs, &talk());
    assert_eq!(assert_in_order(&file).kinds()[0], "P");
    assert!(!is_universal(&file));
}
