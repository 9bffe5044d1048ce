//! Files that are refused as templates, all generated here.

use std::collections::HashSet;
use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{MAIN, Package, W, paragraph, read, relations};
use crate::{Template, TemplateRejection};

/// The refusal of the package after a change.
fn refused(change: impl Fn(&mut Package)) -> TemplateRejection {
    let mut package = Package::new(&paragraph("{{transcript}}"), "");
    package.set("word/_rels/document.xml.rels", &relations(&[]));
    read(&package);
    change(&mut package);
    Template::read(&package.zip()).unwrap_err()
}

#[test]
fn files_that_are_not_word_documents_are_refused() {
    for no_document in [&b""[..], b"PK", b"hello", b"\xd0\xcf\x11\xe0 an old .doc"] {
        assert_eq!(
            Template::read(no_document).unwrap_err(),
            TemplateRejection::NotWord
        );
    }
    let encrypted: Vec<u8> = "EncryptedPackage".bytes().flat_map(|b| [b, 0]).collect();
    let encrypted = [b"\xd0\xcf\x11\xe0".as_slice(), &encrypted].concat();
    assert_eq!(
        Template::read(&encrypted).unwrap_err(),
        TemplateRejection::Encrypted
    );
    let body = "word/document.xml";
    let types = "[Content_Types].xml";
    let w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    for change in [
        |package: &mut Package| package.0.retain(|(name, _)| name != "word/document.xml"),
        |package: &mut Package| package.0.retain(|(name, _)| name != "[Content_Types].xml"),
        |package: &mut Package| package.0.retain(|(name, _)| name != "_rels/.rels"),
    ] {
        assert_eq!(refused(change), TemplateRejection::NotWord);
    }
    assert_eq!(
        refused(|package| {
            package.replace(body, w, "http://purl.oclc.org/ooxml");
        }),
        TemplateRejection::NotWord
    );
    assert_eq!(
        refused(|package| {
            package.replace(body, "w:body", "w:text");
        }),
        TemplateRejection::NotWord
    );
    assert_eq!(
        refused(|package| {
            package.replace(types, "wordprocessingml.document", "spreadsheetml.sheet");
        }),
        TemplateRejection::NotWord
    );
    let mut damaged = Package::new("", "").zip();
    let end = damaged.len() / 2;
    damaged[end - 60..end].fill(0xff);
    assert!(Template::read(&damaged).is_err());
}

#[test]
fn encrypted_parts_and_unsafe_part_names_are_refused() {
    // The encryption flag in each part's header and in the central directory.
    let mut zip = Package::new("", "").zip();
    for at in 0..zip.len() - 8 {
        match &zip[at..at + 4] {
            b"PK\x03\x04" => zip[at + 6] |= 1,
            b"PK\x01\x02" => zip[at + 8] |= 1,
            _ => {}
        }
    }
    assert_eq!(
        Template::read(&zip).unwrap_err(),
        TemplateRejection::Encrypted
    );
    for name in [
        "../evil.xml",
        "/etc/passwd",
        "word/../../a.xml",
        "word\\a.xml",
        "C:/a",
        "word//a.xml",
        "word/./a",
        "a\nb",
    ] {
        assert_eq!(
            refused(|package| {
                package.set(name, "<a/>");
            }),
            TemplateRejection::Path,
            "{name:?}"
        );
    }
    assert_eq!(
        refused(|package| {
            package.set(&"a".repeat(256), "");
        }),
        TemplateRejection::Path
    );
    assert_eq!(
        refused(|package| {
            package.set("WORD/document.XML", "<a/>");
        }),
        TemplateRejection::Broken
    );
    let twice = relations(&[("styles", "document.xml", "")]);
    assert_eq!(
        refused(|package| {
            package.set("word/_rels/document.xml.rels", &twice);
        }),
        TemplateRejection::Broken
    );
    let to_relations = relations(&[("styles", "../_rels/.rels", "")]);
    assert_eq!(
        refused(|package| {
            package.set("word/_rels/document.xml.rels", &to_relations);
        }),
        TemplateRejection::Path
    );
    let outside = relations(&[("image", "../../../etc/passwd", "")]);
    assert_eq!(
        refused(|package| {
            package.set("word/_rels/document.xml.rels", &outside);
        }),
        TemplateRejection::Path
    );
}

#[test]
fn relationship_parts_must_have_the_standard_spelling() {
    // Word reads these as relationships parts as well.
    for name in [
        "word/_rels/document.xml.RELS",
        "word/_Rels/document.xml.rels",
        "_rels/.Rels",
        "_RELS/.rels",
        "document.xml.rels",
    ] {
        for content in [
            relations(&[("oleObject", "document.xml", "")]),
            relations(&[("image", "https://example.com/a", "TargetMode=\"External\"")]),
            relations(&[]),
        ] {
            assert_eq!(
                refused(|package| {
                    package
                        .0
                        .retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                    package.set(name, &content);
                }),
                TemplateRejection::Path,
                "{name}"
            );
        }
    }
    let types = relations(&[("image", "/[CONTENT_types].xml", "")]);
    assert_eq!(
        refused(|package| {
            package.set("word/_rels/document.xml.rels", &types);
        }),
        TemplateRejection::Path
    );
}

#[test]
fn zip_and_xml_bombs_are_refused() {
    let zeros = "0".repeat(12 * 1024 * 1024);
    // Too large in total, and too large for the size of the file.
    assert_eq!(
        refused(|package| {
            package.set("a.bin", &zeros).set("b.bin", &zeros);
        }),
        TemplateRejection::TooMuch
    );
    assert_eq!(
        refused(|package| {
            package.set("a.bin", &zeros[..2 * 1024 * 1024]);
        }),
        TemplateRejection::TooMuch
    );
    let many = |package: &mut Package| {
        for number in 0..200 {
            package.set(&format!("a{number}.bin"), "");
        }
    };
    assert_eq!(refused(many), TemplateRejection::TooMuch);
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    file.start_file("a.bin", stored).unwrap();
    file.write_all(&zeros.as_bytes()[..2 * 1024 * 1024])
        .unwrap();
    let large = file.finish().unwrap().into_inner();
    assert_eq!(
        Template::read(&large).unwrap_err(),
        TemplateRejection::TooLarge
    );
    let placeholders = paragraph("{{title}}").repeat(201);
    assert_eq!(
        refused(|package| {
            package.replace(
                "word/document.xml",
                "<w:body>",
                &format!("<w:body>{placeholders}"),
            );
        }),
        TemplateRejection::TooMuch
    );
    let attributes: String = (0..300).map(|number| format!(" a{number}=\"\"")).collect();
    let spaces: String = (0..2_100)
        .map(|n| format!("<a xmlns:n{n}=\"{n}\"/>"))
        .collect();
    for xml in [
        "<a>".repeat(300) + &"</a>".repeat(300),
        "<a/>".repeat(200_001),
        format!("<a{attributes}/>"),
        format!("<a>{spaces}</a>"),
    ] {
        assert_eq!(
            refused(|package| {
                package.set("word/more.xml", &xml);
            }),
            TemplateRejection::TooMuch,
            "{}",
            &xml[..40]
        );
    }
}

#[test]
fn xml_parts_of_any_name_are_within_the_limits() {
    let (open, nested): (String, String) = (0..2_100)
        .map(|n| {
            (
                format!("<a xmlns:n{n}=\"{n}\"/>"),
                format!("<a xmlns:n{n}=\"{n}\">"),
            )
        })
        .unzip();
    // Without limits, these would take minutes.
    for spaces in [open, nested + &"</a>".repeat(2_100)] {
        // As the document itself, as a header with a declared type, and by file extension.
        let body = format!("<w:document {W}><w:body>{spaces}</w:body></w:document>");
        let main = |package: &mut Package| {
            package.0.retain(|(name, _)| name != "word/document.xml");
            package
                .replace("[Content_Types].xml", "document.xml", "Document.BIN")
                .replace("_rels/.rels", "document.xml", "document.bin")
                .set("word/document.bin", &body);
        };
        assert_eq!(refused(main), TemplateRejection::TooMuch);
        for kind in ["PartName=\"/word/header.bin\"", "Extension=\"BIN\""] {
            let header = |package: &mut Package| {
                let kind = format!("<Default {kind} ContentType=\"application/Xml; a\"/></Types>");
                package
                    .replace("[Content_Types].xml", "</Types>", &kind)
                    .set("word/header.bin", &format!("<a>{spaces}</a>"));
            };
            assert_eq!(refused(header), TemplateRejection::TooMuch, "{kind}");
        }
    }
    // A part that is not declared as XML is not parsed, whatever relationship leads to it.
    let mut package = Package::new(&paragraph("{{transcript}}"), "");
    package.set("word/header.bin", "<a>{{title}}").set(
        "word/_rels/document.xml.rels",
        &relations(&[("header", "header.bin", "")]),
    );
    assert!(Template::read(&package.zip()).is_ok());
}

#[test]
fn active_and_external_content_is_refused() {
    let set = |name: &'static str, content: String| {
        refused(move |package| {
            package.set(name, &content);
        })
    };
    let body = "word/_rels/document.xml.rels";
    for kind in [
        "vbaProject",
        "oleObject",
        "control",
        "aFChunk",
        "VBAPROJECT",
    ] {
        assert_eq!(
            set(body, relations(&[(kind, "document.xml", "")])),
            TemplateRejection::Active,
            "{kind}"
        );
    }
    assert_eq!(
        set("word/vbaProject.bin", String::new()),
        TemplateRejection::Active
    );
    assert_eq!(
        set("word/activeX/activeX1.bin", String::new()),
        TemplateRejection::Active
    );
    let macros = |package: &mut Package| {
        let kind = "application/vnd.ms-word.document.macroEnabled.main+xml";
        package.replace("[Content_Types].xml", MAIN, kind);
    };
    assert_eq!(refused(macros), TemplateRejection::Active);
    for (kind, target, mode) in [
        (
            "image",
            "https://example.com/a.png",
            "TargetMode=\"External\"",
        ),
        ("image", "https://example.com/a.png", ""),
        ("image", "//example.com/a.png", ""),
        ("image", "\\\\example.com\\a.png", ""),
        (
            "subDocument",
            "file:///etc/passwd",
            "TargetMode=\"external\"",
        ),
        ("frame", "a.html", "TargetMode=\"External\""),
    ] {
        assert_eq!(
            set(body, relations(&[(kind, target, mode)])),
            TemplateRejection::External,
            "{target}"
        );
    }
}

/// A field whose code is split into these pieces, each in an element of its own.
fn field(pieces: &[(&str, &str)]) -> String {
    let piece = |(name, text): &(&str, &str)| format!("<w:r><w:{name}>{text}</w:{name}></w:r>");
    let pieces: String = pieces.iter().map(piece).collect();
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let (begin, separate, end) = (mark("begin"), mark("separate"), mark("end"));
    format!("<w:p>{begin}{pieces}{separate}<w:r><w:t>Link</w:t></w:r>{end}</w:p>")
}

#[test]
fn active_and_external_fields_and_objects_are_refused() {
    let code = |code: &str| field(&[("instrText", code)]);
    let simple = |code: &str| format!("<w:p><w:fldSimple w:instr=\"{code}\"/></w:p>");
    let nested = code("INCLUDETEXT \"http://example.com/a\"").replace("w:p>", "w:ins>");
    let nested = code("IF 1 = 1 ").replace(
        "</w:instrText></w:r>",
        &format!("</w:instrText></w:r>{nested}"),
    );
    let unfinished = code(" DDE a b")
        .replace("separate", "x")
        .replace("\"end\"", "\"x\"");
    let pieces = [
        ("instrText", " INCL"),
        ("instrText", "UDE<!-- -->PIC"),
        ("instrText", "TURE a"),
    ];
    let mixed = [("t", " DDE"), ("instrText", "AUTO a b")];
    let after_text = [("t", "a"), ("instrText", "dde a b")];
    let separated = [("delInstrText", "a "), ("instrText", "LINK a b")];
    let object = "xmlns:o=\"urn:schemas-microsoft-com:office:office\" Type=\"Embed\"";
    let picture = "xmlns:v=\"urn:schemas-microsoft-com:vml\" src=\"http://example.com/a.png\"";
    let external = [
        code(" INCLUDEPICTURE \"http://example.com/a\" \\d"),
        code("Import a"),
        code("\"link\" a"),
        code("DATABASE \\c a"),
        simple(" IncludeText a"),
        nested,
        unfinished,
        field(&pieces),
        field(&mixed),
        field(&after_text),
        field(&separated),
        "<w:instrText>LINK a</w:instrText>".to_owned(),
        "<w:connectString w:val=\"a\"/>".to_owned(),
        format!("<v:imagedata {picture}/>"),
    ];
    let active = [
        code("EMBED Word.Document.12"),
        simple("CONTROL a"),
        format!("<o:OLEObject {object}/>"),
    ];
    let external = external.map(|markup| (markup, TemplateRejection::External));
    let active = active.map(|markup| (markup, TemplateRejection::Active));
    for (markup, refusal) in external.into_iter().chain(active) {
        let header = format!("<w:hdr {W}>{markup}</w:hdr>");
        for name in ["word/document.xml", "word/header1.xml"] {
            let with = |package: &mut Package| {
                if name == "word/header1.xml" {
                    package.set(name, &header);
                } else {
                    package.replace(name, "<w:body>", &format!("<w:body>{markup}"));
                }
            };
            assert_eq!(refused(with), refusal, "{name}: {markup}");
        }
    }
    // Fields that Word computes itself are kept, also if other text begins like a refused field.
    let link = code("HYPERLINK \"https://example.com/link\" \\o \"link\"");
    let harmless = [
        paragraph("Link: import"),
        link,
        code(" REF link"),
        simple("PAGE"),
    ]
    .concat();
    read(&Package::new(
        &(harmless + &paragraph("{{transcript}}")),
        "",
    ));
}

#[test]
fn xml_with_a_doctype_or_errors_is_refused() {
    let with = |xml: &str| {
        let xml = xml.to_owned();
        refused(move |package| {
            package.set("word/document.xml", &xml);
        })
    };
    let laughs = format!(
        "<!DOCTYPE w [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><w:document {W}><w:body>&c;</w:body></w:document>"
    );
    assert_eq!(with(&laughs), TemplateRejection::Declares);
    assert_eq!(
        with("<?xml version=\"1.0\"?><!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"),
        TemplateRejection::Declares
    );
    for broken in [
        "",
        "<w:document",
        "<a></b>",
        "<a>&undefined;</a>",
        "<a b='1' b='2'/>",
        "<x:a/>",
        "<a><!-- </a>",
        "<a/>\u{0}",
    ] {
        assert_eq!(with(broken), TemplateRejection::Broken, "{broken}");
    }
    let not_text = |package: &mut Package| {
        package
            .0
            .push(("word/a.xml".to_owned(), vec![0xff, 0xfe, 0, 0]));
    };
    assert_eq!(refused(not_text), TemplateRejection::Broken);
}

#[test]
fn each_refusal_has_its_own_code() {
    let codes: HashSet<_> = TemplateRejection::ALL
        .iter()
        .map(|refusal| refusal.code())
        .collect();
    assert_eq!(codes.len(), TemplateRejection::ALL.len());
}
