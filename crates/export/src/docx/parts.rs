//! The parts of the package that are constant, or nearly so.

use slovo_rules::export::ExportLayout;

use super::escaped;
use crate::Source;
use crate::text::clean;

/// The content types.
pub const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
<Override PartName="/word/footer1.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/>
</Types>"#;

/// The package relationships.
pub const RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>"#;

/// The relationships of the main document.
pub const DOCUMENT_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footer" Target="footer1.xml"/>
</Relationships>"#;

/// The page footer: page number and page count.
pub const FOOTER: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:ftr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t xml:space="preserve"> / </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> NUMPAGES </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p></w:ftr>"#;

/// The XML before the paragraphs.
pub const BODY_BEGINS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>"#;

/// Width of the text in twips (1/20 pt).
pub const TEXT_WIDTH: u32 = 11_906 - 2 * 1_520;

/// Height of a numbered line in twips (1/20 pt): exactly 25 of them fit on a page.
const LINE_HEIGHT: u32 = 556;

/// The XML after the paragraphs: A4 with side margins of 27 mm, in twips (1/20 pt). Numbered lines
/// are numbered by Word.
pub fn body_ends(layout: ExportLayout) -> String {
    let numbers = match layout {
        ExportLayout::Numbered => r#"<w:lnNumType w:countBy="1" w:restart="newPage"/>"#,
        ExportLayout::Paragraphs | ExportLayout::Questions | ExportLayout::Table => "",
    };
    format!(
        r#"<w:sectPr><w:footerReference w:type="default" r:id="rId2"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1360" w:right="1520" w:bottom="1520" w:left="1520" w:header="708" w:footer="708" w:gutter="0"/>{numbers}</w:sectPr></w:body></w:document>"#
    )
}

/// Title, language and date of the document.
pub fn properties(source: Source<'_>) -> String {
    let title = escaped(&clean(source.title));
    let language = escaped(&clean(&source.transcript.language));
    let created = source.date.map_or_else(String::new, |date| {
        format!("<dcterms:created xsi:type=\"dcterms:W3CDTF\">{date}T00:00:00Z</dcterms:created>")
    });
    format!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>{title}</dc:title><dc:language>{language}</dc:language>{created}</cp:coreProperties>"#
    )
}

/// The styles. Georgia is on every system with Word, and its usual substitutes have Cyrillic as
/// well. Sizes are in half points.
pub fn styles(language: &str, layout: ExportLayout) -> String {
    let language = escaped(&clean(language));
    let more = match layout {
        ExportLayout::Numbered => return line_styles(&language),
        ExportLayout::Table => CELL_STYLE,
        ExportLayout::Paragraphs | ExportLayout::Questions => "",
    };
    format!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Times New Roman"/><w:sz w:val="22"/><w:szCs w:val="24"/><w:lang w:val="{language}" w:eastAsia="{language}" w:bidi="{language}"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="324" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:spacing w:after="80" w:line="264" w:lineRule="auto"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="40"/><w:szCs w:val="40"/></w:rPr></w:style>
<w:style w:type="paragraph" w:customStyle="1" w:styleId="Facts"><w:name w:val="Facts"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="280"/></w:pPr><w:rPr><w:color w:val="696969"/><w:sz w:val="19"/><w:szCs w:val="20"/></w:rPr></w:style>
<w:style w:type="paragraph" w:customStyle="1" w:styleId="Turn"><w:name w:val="Turn"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="240" w:after="40"/></w:pPr><w:rPr><w:color w:val="696969"/><w:sz w:val="20"/><w:szCs w:val="22"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Footer"><w:name w:val="footer"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="0"/><w:jc w:val="center"/></w:pPr><w:rPr><w:color w:val="696969"/><w:sz w:val="18"/><w:szCs w:val="18"/></w:rPr></w:style>
<w:style w:type="character" w:customStyle="1" w:styleId="Speaker"><w:name w:val="Speaker"/><w:rPr><w:b/><w:bCs/><w:color w:val="141414"/></w:rPr></w:style>
{more}</w:styles>"#
    )
}

/// A paragraph within a table.
const CELL_STYLE: &str = r#"<w:style w:type="paragraph" w:customStyle="1" w:styleId="Cell"><w:name w:val="Cell"/><w:basedOn w:val="Normal"/><w:pPr><w:spacing w:before="40" w:after="40" w:line="288" w:lineRule="auto"/></w:pPr><w:rPr><w:sz w:val="20"/><w:szCs w:val="22"/></w:rPr></w:style>
"#;

/// The styles of numbered lines: equal height and a monospaced font, so that a line is never broken
/// again. No paragraphs are kept together, because every page has the same number of lines.
fn line_styles(language: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/><w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="{language}" w:eastAsia="{language}" w:bidi="{language}"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:before="0" w:after="0" w:line="{LINE_HEIGHT}" w:lineRule="exact"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/><w:pPr><w:widowControl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:rPr><w:b/><w:bCs/></w:rPr></w:style>
<w:style w:type="paragraph" w:customStyle="1" w:styleId="Facts"><w:name w:val="Facts"/><w:basedOn w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:customStyle="1" w:styleId="Lines"><w:name w:val="Lines"/><w:basedOn w:val="Normal"/><w:pPr><w:ind w:firstLine="528"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Footer"><w:name w:val="footer"/><w:basedOn w:val="Normal"/><w:pPr><w:suppressLineNumbers/><w:spacing w:line="240" w:lineRule="auto"/><w:jc w:val="center"/></w:pPr><w:rPr><w:color w:val="696969"/><w:sz w:val="18"/><w:szCs w:val="18"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="LineNumber"><w:name w:val="line number"/><w:rPr><w:color w:val="696969"/></w:rPr></w:style>
</w:styles>"#
    )
}
