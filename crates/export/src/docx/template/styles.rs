//! The styles of a template: found by name, and added if missing.

use std::collections::HashSet;

use roxmltree::{Document, Node};

use super::super::escaped;
use super::super::parts::TEXT_WIDTH;
use super::super::style_ids::StyleIds;
use super::xml::{Splice, W, child, is, value};

/// The type of a style.
const PARAGRAPH: &str = "paragraph";
const CHARACTER: &str = "character";
const TABLE: &str = "table";

/// Our own styles, which a template may lack: the type, the end of the name, and the definition.
const OWN: [(&str, &str, &str); 6] = [
    (
        PARAGRAPH,
        "Title",
        r#"<w:pPr><w:keepNext/><w:spacing w:after="80"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="40"/><w:szCs w:val="40"/></w:rPr>"#,
    ),
    (
        PARAGRAPH,
        "Facts",
        r#"<w:pPr><w:spacing w:after="280"/></w:pPr><w:rPr><w:color w:val="696969"/></w:rPr>"#,
    ),
    (
        PARAGRAPH,
        "Turn",
        r#"<w:pPr><w:keepNext/><w:spacing w:before="240" w:after="40"/></w:pPr><w:rPr><w:color w:val="696969"/></w:rPr>"#,
    ),
    (
        PARAGRAPH,
        "Cell",
        r#"<w:pPr><w:spacing w:before="40" w:after="40"/></w:pPr>"#,
    ),
    (
        PARAGRAPH,
        "Lines",
        r#"<w:pPr><w:widowControl w:val="0"/><w:spacing w:before="0" w:after="0"/><w:ind w:firstLine="528"/></w:pPr><w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/><w:sz w:val="22"/><w:szCs w:val="22"/></w:rPr>"#,
    ),
    (CHARACTER, "Speaker", r"<w:rPr><w:b/><w:bCs/></w:rPr>"),
];

/// The name of one of our own styles; its id is the same without the space.
fn own_name(end: &str) -> String {
    format!("Slovo {end}")
}

/// The styles of a styles part; empty if there is no such part.
pub struct Styles<'a, 'i> {
    all: Vec<Node<'a, 'i>>,
    /// In lower case.
    ids: HashSet<String>,
}

impl<'a, 'i> Styles<'a, 'i> {
    /// The styles of this part.
    pub fn of(document: Option<&'a Document<'i>>) -> Self {
        let root = document.map(Document::root_element);
        let children = root.into_iter().flat_map(|root| root.children());
        let all: Vec<_> = children.filter(|node| is(*node, "style")).collect();
        let ids = all.iter().filter_map(|node| value(*node, "styleId"));
        let ids = ids.map(str::to_lowercase).collect();
        Self { all, ids }
    }

    /// The id of the style with this name, in any language of Word: Word keeps the names of
    /// built-in styles in English and localises their ids. If no style has the name, the one with
    /// this id.
    fn find(&self, kind: &str, name: &str) -> Option<String> {
        let id = name.replace(' ', "");
        let with_id = |node: &&Node<'a, 'i>| {
            let style_id = value(**node, "styleId").unwrap_or_default();
            value(**node, "type") == Some(kind) && style_id.eq_ignore_ascii_case(&id)
        };
        self.named(kind, name).or_else(|| {
            let found = self.all.iter().find(with_id)?;
            value(*found, "styleId").map(escaped)
        })
    }

    /// The id of the style with exactly this name.
    fn named(&self, kind: &str, name: &str) -> Option<String> {
        let found = self.all.iter().find(|node| {
            let names = child(**node, "name").and_then(|name| value(name, "val"));
            let mut names = names.unwrap_or_default().split(',');
            value(**node, "type") == Some(kind)
                && names.any(|candidate| candidate.trim().eq_ignore_ascii_case(name))
        })?;
        value(*found, "styleId").map(escaped)
    }

    /// The id of the default paragraph style.
    fn default_paragraph_style(&self) -> Option<String> {
        let is_usual = |node: &&Node<'a, 'i>| {
            value(**node, "type") == Some(PARAGRAPH)
                && matches!(value(**node, "default"), Some("1" | "true" | "on"))
        };
        let found = self.all.iter().find(is_usual)?;
        value(*found, "styleId").map(escaped)
    }

    /// The id of one of our own styles in this template: its existing one, otherwise a free one.
    fn own_style(&self, kind: &str, end: &str) -> String {
        if let Some(existing) = self.named(kind, &own_name(end)) {
            return existing;
        }
        let id = format!("Slovo{end}");
        let numbered = (2..).map(|number| format!("{id}{number}"));
        let mut ids = std::iter::once(id.clone()).chain(numbered);
        ids.find(|id| !self.ids.contains(&id.to_lowercase()))
            .unwrap_or_default()
    }

    /// The look of a text with these styles. `place` is the style of the paragraph that is
    /// replaced.
    pub fn look(&self, place: Option<&str>) -> StyleIds {
        let paragraph = |name: &str| self.find(PARAGRAPH, name);
        let turn = paragraph("Speaker").or_else(|| paragraph("heading 2"));
        let speaker = self.find(CHARACTER, "Speaker");
        let mark = speaker.clone();
        let text = paragraph("Transcript");
        StyleIds {
            title: paragraph("heading 1").unwrap_or_else(|| self.own_style(PARAGRAPH, "Title")),
            facts: self.own_style(PARAGRAPH, "Facts"),
            // If the template has a style for the whole line, it also determines how the name
            // looks.
            speaker: match (&turn, speaker) {
                (_, Some(speaker)) => speaker,
                (Some(_), None) => String::new(),
                (None, None) => self.own_style(CHARACTER, "Speaker"),
            },
            turn: turn.unwrap_or_else(|| self.own_style(PARAGRAPH, "Turn")),
            mark: mark.unwrap_or_else(|| self.own_style(CHARACTER, "Speaker")),
            time: self.find(CHARACTER, "Timestamp").unwrap_or_default(),
            cell: text
                .clone()
                .unwrap_or_else(|| self.own_style(PARAGRAPH, "Cell")),
            text: text.unwrap_or_else(|| place.map(escaped).unwrap_or_default()),
            lines: self.own_style(PARAGRAPH, "Lines"),
            table: self.find(TABLE, "Table Grid"),
            width: TEXT_WIDTH,
            has_title: true,
            has_facts: true,
        }
    }

    /// The definitions of our own styles that this markup uses and the template lacks.
    pub fn missing(&self, markup: &str) -> String {
        let usual = self.default_paragraph_style();
        let mut added = String::new();
        for (kind, end, looks) in OWN {
            let id = self.own_style(kind, end);
            let is_used = markup.contains(&format!("w:val=\"{id}\""));
            if !is_used || self.named(kind, &own_name(end)).is_some() {
                continue;
            }
            let based = match &usual {
                Some(usual) if kind == PARAGRAPH => format!("<w:basedOn w:val=\"{usual}\"/>"),
                _ => String::new(),
            };
            let name = own_name(end);
            added.push_str(&format!(
                "<w:style xmlns:w=\"{W}\" w:type=\"{kind}\" w:customStyle=\"1\" w:styleId=\"{id}\">\
                 <w:name w:val=\"{name}\"/>{based}<w:qFormat/>{looks}</w:style>"
            ));
        }
        added
    }
}

/// A styles part with only these styles.
pub fn part(styles: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <w:styles xmlns:w=\"{W}\">{styles}</w:styles>"
    )
}

/// Appends these styles to a styles part.
pub fn append_styles(document: &Document<'_>, text: &str, styles: &str) -> Vec<Splice> {
    if styles.is_empty() {
        return Vec::new();
    }
    vec![Splice::at_end_of(document.root_element(), text, styles)]
}
