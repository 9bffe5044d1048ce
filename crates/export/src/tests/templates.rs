//! Documents made with a template, read back.

mod refused;

use std::io::{Cursor, Read, Write};

use docx_rs::read_docx;
use jiff::civil::date;
use roxmltree::Document;
use slovo_rules::export::ExportLayout;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::{edited, segment, transcript};
use crate::{Example, Extras, Format, Options, Source, Template, example, write_with};

const W: &str = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
const R: &str = "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
const OF: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/// Parts of a package by name; if a name occurs twice, the later part counts.
struct Package(Vec<(String, Vec<u8>)>);

impl Package {
    /// A document with this body and these styles, as Word writes it.
    fn new(body: &str, styles: &str) -> Self {
        let mut package = Self(Vec::new());
        package
            .set("[Content_Types].xml", &format!(
                "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
                 <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
                 <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
                 <Default Extension=\"png\" ContentType=\"image/png\"/>\
                 <Override PartName=\"/word/document.xml\" ContentType=\"{MAIN}\"/></Types>"
            ))
            .set("_rels/.rels", &relations(&[("officeDocument", "word/document.xml", "")]))
            .set("word/document.xml", &format!(
                "<?xml version=\"1.0\"?>\n<w:document {W} {R}><w:body>{body}</w:body></w:document>"
            ));
        if !styles.is_empty() {
            package
                .set(
                    "word/styles.xml",
                    &format!("<w:styles {W}>{styles}</w:styles>"),
                )
                .set(
                    "word/_rels/document.xml.rels",
                    &relations(&[("styles", "styles.xml", "")]),
                );
        }
        package
    }

    fn set(&mut self, name: &str, content: &str) -> &mut Self {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), content.as_bytes().to_vec()));
        self
    }

    fn replace(&mut self, name: &str, from: &str, to: &str) -> &mut Self {
        let content = self.text(name).replace(from, to);
        self.set(name, &content)
    }

    fn text(&self, name: &str) -> String {
        let found = self.0.iter().find(|(known, _)| known == name);
        String::from_utf8(found.unwrap_or_else(|| panic!("no {name}")).1.clone()).unwrap()
    }

    fn zip(&self) -> Vec<u8> {
        let mut file = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in &self.0 {
            file.start_file(name.clone(), SimpleFileOptions::default())
                .unwrap();
            file.write_all(content).unwrap();
        }
        file.finish().unwrap().into_inner()
    }

    fn open(file: &[u8]) -> Self {
        let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
        let mut parts = Vec::new();
        for index in 0..archive.len() {
            let mut part = archive.by_index(index).unwrap();
            let name = part.name().unwrap().into_owned();
            let mut content = Vec::new();
            part.read_to_end(&mut content).unwrap();
            if name.ends_with(".xml") || name.ends_with(".rels") {
                let text = std::str::from_utf8(&content).unwrap();
                Document::parse(text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
            }
            parts.push((name, content));
        }
        let opened = Self(parts);
        opened.assert_complete();
        opened
    }

    /// Asserts that every relationship leads to a part, and that every part has a type.
    fn assert_complete(&self) {
        let types = self.text("[Content_Types].xml");
        for (name, content) in &self.0 {
            let extension = name.rsplit('.').next().unwrap();
            assert!(
                name == "[Content_Types].xml"
                    || types.contains(&format!("PartName=\"/{name}\""))
                    || types.contains(&format!("Extension=\"{extension}\"")),
                "{name} has no type"
            );
            if !name.ends_with(".rels") {
                continue;
            }
            let folder = name.split("_rels/").next().unwrap();
            let text = std::str::from_utf8(content).unwrap();
            let document = Document::parse(text).unwrap();
            let mut ids = std::collections::HashSet::new();
            for relation in document
                .root_element()
                .children()
                .filter(roxmltree::Node::is_element)
            {
                assert!(ids.insert(relation.attribute("Id").unwrap().to_owned()));
                let target = relation.attribute("Target").unwrap();
                if relation.attribute("TargetMode").is_none() {
                    let path = format!("{folder}{target}");
                    assert!(self.0.iter().any(|(known, _)| *known == path), "{path}");
                }
            }
        }
    }

    /// The text of each paragraph of a part.
    fn paragraphs(&self, name: &str) -> Vec<String> {
        let text = self.text(name);
        let document = Document::parse(&text).unwrap();
        let paragraphs = document
            .descendants()
            .filter(|n| n.tag_name().name() == "p");
        let texts = paragraphs.map(|paragraph| {
            let texts = paragraph
                .descendants()
                .filter(|n| n.tag_name().name() == "t");
            texts.filter_map(|n| n.text()).collect()
        });
        texts.collect()
    }
}

fn relations(all: &[(&str, &str, &str)]) -> String {
    let relationship = |(number, (kind, target, more)): (usize, &(&str, &str, &str))| {
        format!(
            "<Relationship Id=\"rId{number}\" Type=\"{OF}/{kind}\" Target=\"{target}\" {more}/>"
        )
    };
    let all: String = all.iter().enumerate().map(relationship).collect();
    format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{all}</Relationships>"
    )
}

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn export_docx(template: &Template, layout: ExportLayout) -> Package {
    let talk = edited(
        transcript(vec![
            segment(0.0, 2.0, Some("SPEAKER_0"), "Що таке ґрунт?"),
            segment(65.0, 70.0, Some("SPEAKER_1"), "<w:p/> & \"їжаки\"."),
        ]),
        "Олена \"Ґ\" <Ґудзь>",
    );
    let source = Source {
        title: "Розмова {{transcript}} <з> & Co",
        date: Some(date(2026, 11, 21)),
        transcript: &talk,
    };
    let options = Options {
        timestamps: true,
        layout,
        ..Format::Docx.defaults()
    };
    let extras = Extras {
        template: Some(template),
        summary: "Про\nґрунт & «все».",
        language: "українська",
        ..Extras::default()
    };
    let mut file = Vec::new();
    write_with(Format::Docx, source, options, extras, &mut file).unwrap();
    assert!(read_docx(&file).is_ok());
    Package::open(&file)
}

fn read(package: &Package) -> Template {
    Template::read(&package.zip()).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn words() -> Example {
    Example {
        labels: ["Дата", "Тривалість", "Мова", "Учасники"].map(str::to_owned),
        summary: "Підсумок".to_owned(),
        transcript: "Текст".to_owned(),
        header: "Назва & знак".to_owned(),
    }
}

#[test]
fn every_placeholder_of_the_example_template_is_filled() {
    let file = example(&words()).unwrap();
    let before = Package::open(&file);
    let template = Template::read(&file).unwrap();
    assert!(template.asks_for_summary());
    for layout in ExportLayout::ALL {
        let after = export_docx(&template, *layout);
        let body = after.paragraphs("word/document.xml");
        // Placeholders in the transcript itself are not replaced.
        assert_eq!(body[0], "Розмова {{transcript}} <з> & Co", "{layout:?}");
        let facts = [
            "Дата: 2026-11-21",
            "Тривалість: 00:01:00",
            "Мова: українська",
        ];
        assert_eq!(body[1..4], facts, "{layout:?}");
        assert!(body[4].starts_with("Учасники: "), "{}", body[4]);
        assert_eq!(body[5..8], ["Підсумок", "Про ґрунт & «все».", "Текст"]);
        assert!(body.concat().contains("<w:p/> & \"їжаки\"."));
        // The title is only where the template has it.
        assert_eq!(body.iter().filter(|text| text.contains("& Co")).count(), 1);
        assert_eq!(
            after.paragraphs("word/header1.xml"),
            ["Назва & знак · Розмова {{transcript}} <з> & Co"]
        );
        for same in [
            "word/footer1.xml",
            "word/_rels/document.xml.rels",
            "_rels/.rels",
        ] {
            assert_eq!(after.text(same), before.text(same), "{same}");
        }
        assert!(after.text("docProps/core.xml").contains("<dc:language>uk<"));
    }
    let paragraphs = export_docx(&template, ExportLayout::Paragraphs);
    let document = paragraphs.text("word/document.xml");
    for style in ["Heading1", "Speaker", "Timestamp", "Transcript"] {
        assert!(document.contains(&format!("w:val=\"{style}\"")), "{style}");
    }
    // The template has all required styles, so its styles stay unchanged.
    assert_eq!(
        paragraphs.text("word/styles.xml"),
        before.text("word/styles.xml")
    );
    let table = export_docx(&template, ExportLayout::Table);
    assert!(
        table
            .text("word/document.xml")
            .contains("<w:tblStyle w:val=\"TableGrid\"/>")
    );
    // Only the bold style of the table header is added.
    let (before_styles, after_styles) = (
        before.text("word/styles.xml"),
        table.text("word/styles.xml"),
    );
    assert!(after_styles.starts_with(before_styles.strip_suffix("\n</w:styles>").unwrap()));
    assert!(
        after_styles.contains("w:styleId=\"SlovoSpeaker\"")
            && !after_styles.contains("\"SlovoTurn\"")
    );
}

#[test]
fn split_placeholders_are_filled_and_the_rest_is_unchanged() {
    let split = "<w:p w:rsidR=\"1\"><w:r><w:rPr><w:b/></w:rPr><w:t>a {</w:t></w:r><w:proofErr w:type=\"spellStart\"/>\
        <w:r><w:t>{ti</w:t></w:r><w:bookmarkStart w:id=\"0\" w:name=\"_GoBack\"/><w:r><w:rPr><w:i/></w:rPr><w:t>tle}</w:t></w:r>\
        <w:r><w:t>} b {{ Date }}{{unknown}} {{{{duration}}</w:t></w:r><w:bookmarkEnd w:id=\"0\"/></w:p>";
    let separated = "<w:p><w:r><w:t>{{title</w:t><w:br/><w:t>}}</w:t></w:r></w:p>";
    let boxed = format!(
        "<w:p><w:r><w:t>{{{{la</w:t></w:r><w:r><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></w:r></w:p>",
        paragraph("{{language}} {{transcript}}")
    );
    let place = "<w:p><w:pPr><w:pStyle w:val=\"Body\"/></w:pPr><w:r><w:t>{{tran</w:t></w:r><w:r><w:t>script}}</w:t></w:r></w:p>";
    let section = "<w:sectPr><w:pgSz w:w=\"10000\" w:h=\"9000\"/><w:pgMar w:left=\"1000\" w:right=\"1000\" w:top=\"1\" w:bottom=\"1\"/><w:cols/></w:sectPr>";
    let body = format!(
        "{split}{separated}{boxed}{place}{}{section}",
        paragraph("після")
    );
    let template = read(&Package::new(
        &body,
        "<w:style w:type=\"paragraph\" w:styleId=\"Body\"><w:name w:val=\"Body\"/></w:style>",
    ));
    assert!(!template.asks_for_summary());
    let after = export_docx(&template, ExportLayout::Paragraphs);
    let all = after.paragraphs("word/document.xml");
    assert_eq!(
        all[0],
        "a Розмова {{transcript}} <з> & Co b 2026-11-21{{unknown}} {{00:01:00"
    );
    assert_eq!(all[1], "{{title}}");
    assert_eq!(all[2..4], ["{{laукраїнська ", "українська "]);
    assert_eq!(all.last().unwrap(), "після");
    let document = after.text("word/document.xml");
    assert!(document.contains("<w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">a Розмова"));
    assert!(document.contains("<w:proofErr w:type=\"spellStart\"/>"));
    assert!(
        document.contains(&format!("{}{section}", paragraph("після"))),
        "{document}"
    );
    assert_eq!(document.matches("<w:pStyle w:val=\"Body\"/>").count(), 2);
    assert!(!document.contains("script}}</w:t>"));
    let table = export_docx(&template, ExportLayout::Table).text("word/document.xml");
    // The margins are 8000 twips apart.
    assert!(table.contains("<w:gridCol w:w=\"4900\"/>"), "{table}");
    let numbered = export_docx(&template, ExportLayout::Numbered).text("word/document.xml");
    assert!(
        numbered.contains(
            "w:bottom=\"1\"/><w:lnNumType w:countBy=\"1\" w:restart=\"newPage\"/><w:cols/>"
        )
    );
}

#[test]
fn without_a_placeholder_the_text_is_appended() {
    let section = "<w:sectPr/>";
    let first = "<w:p><w:pPr><w:sectPr/></w:pPr></w:p>";
    for (body, begins, ends) in [
        (String::new(), String::new(), ""),
        ("<w:p/>".to_owned(), String::new(), ""),
        (
            format!("<w:p><w:pPr><w:rPr/></w:pPr></w:p><w:p/>{section}"),
            String::new(),
            section,
        ),
        (
            format!("{}{section}", paragraph("Обкладинка")),
            paragraph("Обкладинка"),
            section,
        ),
        (format!("{first}{section}"), first.to_owned(), section),
        (paragraph("Обкладинка"), paragraph("Обкладинка"), ""),
    ] {
        let after = export_docx(&read(&Package::new(&body, "")), ExportLayout::Paragraphs);
        let document = after.text("word/document.xml");
        let text = document.split("<w:body>").nth(1).unwrap();
        assert!(text.starts_with(&begins), "{body}: {text}");
        assert!(text[begins.len()..].starts_with("<w:p><w:pPr><w:pStyle w:val=\"SlovoTitle\"/>"));
        assert!(
            text.ends_with(&format!("</w:p>{ends}</w:body></w:document>")),
            "{body}: {text}"
        );
        // The template had no styles part.
        let styles = after.text("word/slovo-styles.xml");
        for id in ["SlovoTitle", "SlovoFacts", "SlovoTurn", "SlovoSpeaker"] {
            assert!(styles.contains(&format!("w:styleId=\"{id}\"")), "{styles}");
        }
    }
    let mut package = Package::new("", "");
    package.replace("word/document.xml", "<w:body></w:body>", "<w:body />");
    let document = export_docx(&read(&package), ExportLayout::Table).text("word/document.xml");
    assert!(
        document.ends_with("</w:p></w:body></w:document>"),
        "{document}"
    );
}

#[test]
fn section_breaks_and_cells_around_the_placeholder_are_kept() {
    let ends = "<w:p><w:pPr><w:sectPr><w:type w:val=\"nextPage\"/></w:sectPr></w:pPr><w:r><w:t>{{transcript}}</w:t></w:r></w:p>";
    let cell = format!(
        "<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>",
        paragraph("Текст: {{transcript}}")
    );
    let after = export_docx(
        &read(&Package::new(&format!("{ends}{}", paragraph("далі")), "")),
        ExportLayout::Paragraphs,
    );
    let all = after.paragraphs("word/document.xml");
    assert_eq!(all[all.len() - 2..], ["", "далі"]);
    let after = export_docx(&read(&Package::new(&cell, "")), ExportLayout::Paragraphs);
    let document = after.text("word/document.xml");
    assert!(
        document.contains("Текст: </w:t></w:r></w:p><w:p>"),
        "{document}"
    );
    assert!(document.ends_with("</w:p></w:tc></w:tr></w:tbl></w:body></w:document>"));
}

#[test]
fn styles_are_matched_by_name_in_any_language() {
    let style = |kind: &str, id: &str, name: &str, more: &str| {
        format!(
            "<w:style w:type=\"{kind}\" w:styleId=\"{id}\" {more}><w:name w:val=\"{name}\"/></w:style>"
        )
    };
    let styles = [
        style("paragraph", "a", "Normal", "w:default=\"1\""),
        style("paragraph", "1", "heading 1", ""),
        style("paragraph", "2", "heading 2", ""),
        style("table", "a3", "Table Grid", ""),
        style("character", "x&amp;y", "Timestamp", ""),
        style("paragraph", "SlovoFacts", "Чужий", ""),
        style("character", "slovocell", "Інший", ""),
    ];
    let package = Package::new(&paragraph("{{transcript}}"), &styles.concat());
    let template = read(&package);
    let after = export_docx(&template, ExportLayout::Paragraphs);
    let document = after.text("word/document.xml");
    for id in ["1", "2", "x&amp;y", "SlovoFacts2"] {
        assert!(
            document.contains(&format!("Style w:val=\"{id}\"")),
            "{id}: {document}"
        );
    }
    assert!(!document.contains("SlovoSpeaker"));
    let added = after.text("word/styles.xml");
    assert!(
        added.starts_with(
            package
                .text("word/styles.xml")
                .strip_suffix("</w:styles>")
                .unwrap()
        )
    );
    assert!(
        added.contains("<w:name w:val=\"Slovo Facts\"/><w:basedOn w:val=\"a\"/>"),
        "{added}"
    );
    let table = export_docx(&template, ExportLayout::Table);
    let document = table.text("word/document.xml");
    assert!(document.contains("<w:tblStyle w:val=\"a3\"/>"));
    assert!(document.contains("<w:pStyle w:val=\"SlovoCell2\"/>"));
    // The output can be used as a template again without further changes.
    let again = read(&table);
    let twice = export_docx(&again, ExportLayout::Table);
    assert_eq!(twice.text("word/styles.xml"), table.text("word/styles.xml"));
}

#[test]
fn pictures_settings_and_links_are_kept_but_not_the_attached_template() {
    let mut package = Package::new(&paragraph("{{transcript}}"), "");
    let parts = [
        ("header", "header1.xml", ""),
        ("settings", "settings.xml", ""),
        ("theme", "theme/theme1.xml", ""),
        (
            "hyperlink",
            "https://example.com/?a=1&amp;b=2",
            "TargetMode=\"External\"",
        ),
    ];
    let settings = format!(
        "<w:settings {W} {R}><w:zoom w:percent=\"90\"/><w:attachedTemplate r:id=\"rId0\"/></w:settings>"
    );
    let old = relations(&[(
        "attachedTemplate",
        "file:///C:\\x.dotx",
        "TargetMode=\"External\"",
    )]);
    package
        .set("word/_rels/document.xml.rels", &relations(&parts))
        .set("word/settings.xml", &settings)
        .set("word/_rels/settings.xml.rels", &old)
        .set("word/theme/theme1.xml", "<a:theme xmlns:a=\"a\"/>")
        .set(
            "word/header1.xml",
            &format!("<w:hdr {W}>{}</w:hdr>", paragraph("{{speakers}}")),
        )
        .set(
            "word/_rels/header1.xml.rels",
            &relations(&[("image", "media/logo.png", "")]),
        )
        .set("word/media/logo.png", "not even a picture")
        .replace(
            "[Content_Types].xml",
            ".document.main+xml",
            ".template.main+xml",
        );
    let after = export_docx(&read(&package), ExportLayout::Questions);
    for same in [
        "word/theme/theme1.xml",
        "word/media/logo.png",
        "word/_rels/header1.xml.rels",
    ] {
        assert_eq!(after.text(same), package.text(same), "{same}");
    }
    assert!(
        after
            .text("word/_rels/document.xml.rels")
            .contains("https://example.com/?a=1&amp;b=2")
    );
    assert!(
        after
            .text("word/settings.xml")
            .contains("<w:zoom w:percent=\"90\"/></w:settings>")
    );
    assert!(
        !after
            .text("word/_rels/settings.xml.rels")
            .contains("<Relationship ")
    );
    // The question-and-answer layout names the roles.
    assert!(after.paragraphs("word/header1.xml")[0].starts_with("З. "));
    assert!(after.text("[Content_Types].xml").contains(MAIN));
}
