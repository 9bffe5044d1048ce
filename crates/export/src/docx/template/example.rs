//! An example template that shows every placeholder and every recognised style.

use std::io::{self, Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::{escaped, parts};

/// The texts of an example, in the user's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Labels of the date, the duration, the language and the speakers.
    pub labels: [String; 4],
    /// Heading of the summary.
    pub summary: String,
    /// Heading of the transcript.
    pub transcript: String,
    /// In the header: where a name or a logo goes.
    pub header: String,
}

const DOCUMENT_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footer" Target="footer1.xml"/>
<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/header" Target="header1.xml"/>
</Relationships>"#;

const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Times New Roman"/><w:sz w:val="22"/><w:szCs w:val="24"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="300" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:after="120" w:line="264" w:lineRule="auto"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="40"/><w:szCs w:val="40"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="280" w:after="80"/><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="28"/><w:szCs w:val="28"/></w:rPr></w:style>
<w:style w:type="paragraph" w:customStyle="1" w:styleId="Speaker"><w:name w:val="Speaker"/><w:basedOn w:val="Normal"/><w:next w:val="Transcript"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:before="200" w:after="40"/></w:pPr><w:rPr><w:b/><w:bCs/><w:color w:val="1F3A5F"/></w:rPr></w:style>
<w:style w:type="paragraph" w:customStyle="1" w:styleId="Transcript"><w:name w:val="Transcript"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr><w:jc w:val="both"/></w:pPr></w:style>
<w:style w:type="character" w:customStyle="1" w:styleId="Timestamp"><w:name w:val="Timestamp"/><w:qFormat/><w:rPr><w:b w:val="0"/><w:bCs w:val="0"/><w:color w:val="696969"/><w:sz w:val="19"/><w:szCs w:val="20"/></w:rPr></w:style>
<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>
<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:left w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:bottom w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:right w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:insideH w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/><w:insideV w:val="single" w:sz="4" w:space="0" w:color="8C8C8C"/></w:tblBorders></w:tblPr></w:style>
<w:style w:type="paragraph" w:styleId="Header"><w:name w:val="header"/><w:basedOn w:val="Normal"/><w:pPr><w:pBdr><w:bottom w:val="single" w:sz="4" w:space="6" w:color="8C8C8C"/></w:pBdr><w:spacing w:after="0"/></w:pPr><w:rPr><w:color w:val="696969"/><w:sz w:val="18"/><w:szCs w:val="18"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Footer"><w:name w:val="footer"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="0"/><w:jc w:val="center"/></w:pPr><w:rPr><w:color w:val="696969"/><w:sz w:val="18"/><w:szCs w:val="18"/></w:rPr></w:style>
</w:styles>"#;

const BODY_ENDS: &str = r#"<w:sectPr><w:headerReference w:type="default" r:id="rId3"/><w:footerReference w:type="default" r:id="rId2"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1700" w:right="1520" w:bottom="1520" w:left="1520" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>"#;

/// The example with these texts: a `.docx` that can be used as a template directly.
///
/// # Errors
/// Writing a zip file to memory does not fail in practice.
pub fn example(words: &Example) -> io::Result<Vec<u8>> {
    let [date, duration, language, speakers] = &words.labels;
    let facts = [
        (date, "date"),
        (duration, "duration"),
        (language, "language"),
        (speakers, "speakers"),
    ];
    let facts = facts.map(|(label, name)| paragraph("", &format!("{label}: {{{{{name}}}}}")));
    let document = [
        parts::BODY_BEGINS,
        &paragraph("Heading1", "{{title}}"),
        &facts.concat(),
        &paragraph("Heading2", &words.summary),
        &paragraph("", "{{summary}}"),
        &paragraph("Heading2", &words.transcript),
        &paragraph("Transcript", "{{transcript}}"),
        BODY_ENDS,
    ]
    .concat();
    let header = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <w:hdr xmlns:w=\"{}\">{}</w:hdr>",
        super::W,
        paragraph("Header", &format!("{} · {{{{title}}}}", words.header))
    );
    let types = parts::CONTENT_TYPES.replace(
        "</Types>",
        "<Override PartName=\"/word/header1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml\"/>\n</Types>",
    );
    let core = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
        <cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\"/>";
    let mut file = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [
        ("[Content_Types].xml", types.as_str()),
        ("_rels/.rels", parts::RELATIONS),
        ("docProps/core.xml", core),
        ("word/_rels/document.xml.rels", DOCUMENT_RELATIONS),
        ("word/styles.xml", STYLES),
        ("word/header1.xml", &header),
        ("word/footer1.xml", parts::FOOTER),
        ("word/document.xml", &document),
    ] {
        file.start_file(name, SimpleFileOptions::default())?;
        file.write_all(content.as_bytes())?;
    }
    Ok(file.finish()?.into_inner())
}

fn paragraph(style: &str, text: &str) -> String {
    let style = if style.is_empty() {
        String::new()
    } else {
        format!("<w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>")
    };
    let text = escaped(text);
    format!("<w:p>{style}<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}
