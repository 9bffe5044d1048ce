//! DOCX templates: the user's own document, into which the text is inserted.
//!
//! The output is the template's package, unchanged byte for byte except where something is
//! inserted: a parser locates the places in the XML, and only those pieces of its text are
//! replaced. Templates are not trusted: they are unpacked within limits, and content that would act
//! or load something when the document is opened is refused ([`TemplateRejection`]).

mod active_content;
mod example;
mod insertion;
mod package;
mod placeholders;
mod refusal;
mod styles;
mod xml;

use std::collections::HashSet;
use std::io::{self, Cursor, Write};

use roxmltree::{Document, Node};
use slovo_rules::export::ExportLayout;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub use example::{Example, example};
pub use refusal::TemplateRejection;

use super::body::{self, Text};
use super::parts;
use super::style_ids::StyleIds;
use crate::text::clean;
use crate::time::clock;
use insertion::{
    BLOCKS, at_end, at_paragraph, is_insertion_point, numbers, section_after, style_of,
};
use package::{Part, TYPES, change, related};
use placeholders::{MAX_PLACEHOLDERS, Paragraph, Placeholder, paragraphs};
use styles::Styles;
use xml::{Splice, W, child, is, value};

/// Word's content types of a document and of a document template.
const DOCUMENT: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
const TEMPLATE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml";
const STYLES: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml";
const STYLES_RELATION: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles";

/// The narrowest and the widest plausible text of a page, in twips (1/20 pt).
const WIDTHS: (u32, u32) = (4_000, 31_680);

/// A validated template.
#[derive(Clone, Debug)]
pub struct Template {
    parts: Vec<Part>,
    /// Name of the main document part.
    main: String,
    /// Names of the parts that may contain placeholders: the main document, its headers and its
    /// footers.
    open: Vec<String>,
    asks: HashSet<Placeholder>,
}

impl Template {
    /// Reads and validates a template: a `.docx`, or a Word template, a `.dotx`.
    ///
    /// # Errors
    /// The reason why it cannot be used.
    pub fn read(file: &[u8]) -> Result<Self, TemplateRejection> {
        let parts = package::unpacked(file)?;
        let main = related(&parts, "", "officeDocument");
        let main = main.into_iter().next().ok_or(TemplateRejection::NotWord)?;
        let types = parts.iter().find(|part| part.name == TYPES);
        let types = xml::parsed(types.ok_or(TemplateRejection::NotWord)?.text())?;
        let kind = type_of(&types, &main).and_then(|node| node.attribute("ContentType"));
        if !matches!(kind, Some(DOCUMENT | TEMPLATE)) {
            return Err(TemplateRejection::NotWord);
        }
        let mut template = Self {
            open: vec![main.clone()],
            main,
            asks: HashSet::new(),
            parts,
        };
        let document = xml::parsed(template.text(&template.main))?;
        let body = body_of(&document).ok_or(TemplateRejection::NotWord)?;
        // The inserted markup uses Word's usual namespace prefix.
        if body
            .lookup_namespace_uri(Some("w"))
            .is_some_and(|uri| uri != W)
        {
            return Err(TemplateRejection::NotWord);
        }
        for kind in ["header", "footer"] {
            let more = related(&template.parts, &template.main, kind);
            template.open.extend(more);
        }
        template.open.sort();
        template.open.dedup();
        // A part that is filled in must not be changed in another way as well.
        let others =
            ["styles", "settings"].map(|kind| related(&template.parts, &template.main, kind));
        if others
            .concat()
            .iter()
            .any(|other| template.open.contains(other))
        {
            return Err(TemplateRejection::Broken);
        }
        let (mut asks, mut count) = (HashSet::new(), 0);
        for name in &template.open {
            let document = xml::parsed(template.text(name))?;
            let all = paragraphs(&document);
            asks.extend(all.iter().flat_map(Paragraph::placeholders));
            count += all.iter().map(Paragraph::count).sum::<usize>();
        }
        if count > MAX_PLACEHOLDERS {
            return Err(TemplateRejection::TooMuch);
        }
        template.asks = asks;
        Ok(template)
    }

    /// Whether it contains the placeholder of the summary.
    #[must_use]
    pub fn asks_for_summary(&self) -> bool {
        self.asks.contains(&Placeholder::Summary)
    }

    /// The text of a part; empty if the part does not exist.
    fn text(&self, name: &str) -> &str {
        let found = self.parts.iter().find(|part| part.name == name);
        found.map(Part::text).unwrap_or_default()
    }

    /// Writes the document.
    pub(super) fn write(
        &self,
        text: &Text<'_>,
        summary: &str,
        language: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let parts = self.filled(text, summary, language)?;
        let mut file = ZipWriter::new(Cursor::new(Vec::new()));
        for part in parts {
            file.start_file(part.name, SimpleFileOptions::default())?;
            file.write_all(&part.content)?;
        }
        out.write_all(&file.finish()?.into_inner())
    }

    fn filled(&self, text: &Text<'_>, summary: &str, language: &str) -> io::Result<Vec<Part>> {
        let value = |placeholder: Placeholder| match placeholder {
            // In a place where the transcript cannot be inserted.
            Placeholder::Transcript => String::new(),
            Placeholder::Title => clean(text.source.title),
            Placeholder::Date => text
                .source
                .date
                .map(|date| date.to_string())
                .unwrap_or_default(),
            Placeholder::Duration => clock(text.source.transcript.duration),
            Placeholder::Language if language.is_empty() => clean(&text.source.transcript.language),
            Placeholder::Language => clean(language),
            Placeholder::Speakers => text.who().join(", "),
            Placeholder::Summary => clean(summary),
        };
        let mut parts = self.parts.clone();
        for name in &self.open {
            let part = self.text(name);
            let document = xml::parsed(part).map_err(io::Error::other)?;
            let all = paragraphs(&document);
            let splices = if *name == self.main {
                let (splices, missing) = self.fill_main_document(&document, &all, text, &value)?;
                self.add_styles(&mut parts, &missing)?;
                splices
            } else {
                let filled = all.iter();
                filled
                    .flat_map(|paragraph| paragraph.filled(part, value))
                    .collect()
            };
            change(&mut parts, name, splices);
        }
        self.remove_attached_template(&mut parts)?;
        self.set_properties(&mut parts, text)?;
        Ok(parts)
    }

    /// The splices of the main document, and the definitions of the styles that they need.
    fn fill_main_document(
        &self,
        document: &Document<'_>,
        all: &[Paragraph<'_, '_>],
        text: &Text<'_>,
        value: &impl Fn(Placeholder) -> String,
    ) -> io::Result<(Vec<Splice>, String)> {
        let part = self.text(&self.main);
        let place = all.iter().find(|paragraph| is_insertion_point(paragraph));
        let body = body_of(document).ok_or_else(|| io::Error::other("no body"))?;
        let mut splice = match place {
            Some(paragraph) => at_paragraph(paragraph),
            None => at_end(body, part),
        };
        let styles = related(&self.parts, &self.main, "styles");
        let styles = styles.first().map(|name| xml::parsed(self.text(name)));
        let styles = styles.transpose().map_err(io::Error::other)?;
        let styles = Styles::of(styles.as_ref());
        let mut look = styles.look(place.and_then(|paragraph| style_of(paragraph.node)));
        let section = section_after(document, splice.range.start);
        self.adapt(&mut look, section);
        let mut blocks = Vec::new();
        body::blocks(text, &look, &mut blocks)?;
        let blocks = String::from_utf8(blocks).map_err(io::Error::other)?;
        let missing = styles.missing(&blocks);
        // A self-closing body gets two tags, with the markup between them.
        splice.with = if splice.with.is_empty() {
            blocks
        } else {
            splice.with.replace(BLOCKS, &blocks)
        };
        let replaced = splice.range.clone();
        let mut splices = vec![splice];
        let is_kept = |splice: &Splice| {
            splice.range.start < replaced.start || splice.range.end > replaced.end
        };
        let filled = all
            .iter()
            .flat_map(|paragraph| paragraph.filled(part, value));
        splices.extend(filled.filter(is_kept));
        if body.lookup_namespace_uri(Some("w")).is_none() {
            let root = document.root_element();
            let name = xml::prefix(root, part).len() + root.tag_name().name().len();
            let declared = format!(" xmlns:w=\"{W}\"");
            splices.push(Splice::at(root.range().start + 1 + name, declared));
        }
        if text.options.layout == ExportLayout::Numbered
            && let Some(section) = section
        {
            splices.extend(numbers(section, part));
        }
        Ok((splices, missing))
    }

    /// Adapts the look to the page width and to what the template already shows.
    fn adapt(&self, look: &mut StyleIds, section: Option<Node<'_, '_>>) {
        let figure = |name: &str, attribute: &'static str| {
            let node = section.and_then(|section| child(section, name));
            let figure = node.and_then(|node| value(node, attribute));
            figure.and_then(|figure| figure.parse::<u32>().ok())
        };
        if let Some(page) = figure("pgSz", "w") {
            let margins = ["left", "right", "gutter"].map(|side| figure("pgMar", side));
            let margins: u32 = margins.into_iter().flatten().fold(0, u32::saturating_add);
            look.width = page.saturating_sub(margins).clamp(WIDTHS.0, WIDTHS.1);
        }
        look.has_title = !self.asks.contains(&Placeholder::Title);
        let facts = [
            Placeholder::Date,
            Placeholder::Duration,
            Placeholder::Speakers,
        ];
        look.has_facts = !facts.iter().any(|fact| self.asks.contains(fact));
    }

    fn add_styles(&self, parts: &mut Vec<Part>, missing: &str) -> io::Result<()> {
        if missing.is_empty() {
            return Ok(());
        }
        if let Some(name) = related(&self.parts, &self.main, "styles").first() {
            let part = self.text(name);
            let document = xml::parsed(part).map_err(io::Error::other)?;
            change(parts, name, styles::append_styles(&document, part, missing));
            return Ok(());
        }
        let (folder, _) = self.main.rsplit_once('/').unwrap_or_default();
        let file = "slovo-styles.xml";
        let name = [folder, file].join("/");
        let name = name.trim_start_matches('/').to_owned();
        let relation = format!(
            "<Relationship xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\" \
             Id=\"rIdSlovoStyles\" Type=\"{STYLES_RELATION}\" Target=\"{file}\"/>"
        );
        let relations = package::relations_of(&self.main);
        if self.text(&relations).is_empty() {
            let content = format!(
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
                 {relation}</Relationships>"
            );
            parts.push(Part::new(relations, content.into_bytes()));
        } else {
            self.append(parts, &relations, &relation)?;
        }
        let kind = format!(
            "<Override xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\" \
             PartName=\"/{name}\" ContentType=\"{STYLES}\"/>"
        );
        self.append(parts, TYPES, &kind)?;
        let content = styles::part(missing).into_bytes();
        parts.push(Part::new(name, content));
        Ok(())
    }

    /// Appends markup to the root element of a part, before other splices.
    fn append(&self, parts: &mut [Part], name: &str, markup: &str) -> io::Result<()> {
        let part = self.text(name);
        let document = xml::parsed(part).map_err(io::Error::other)?;
        let end = Splice::at_end_of(document.root_element(), part, markup);
        change(parts, name, vec![end]);
        Ok(())
    }

    /// Removes the reference to the file that the template was made from, which Word would look
    /// for.
    fn remove_attached_template(&self, parts: &mut [Part]) -> io::Result<()> {
        let mut names = related(&self.parts, &self.main, "settings");
        let relations = self.parts.iter().map(|part| &part.name);
        names.extend(relations.filter(|name| name.ends_with(".rels")).cloned());
        for name in names {
            // Its current state: styles may have been added.
            let Some(part) = parts.iter().find(|part| part.name == name) else {
                continue;
            };
            let document = xml::parsed(part.text()).map_err(io::Error::other)?;
            let removed = document.root_element().children().filter(|node| {
                let kind = node.attribute("Type").unwrap_or_default().to_lowercase();
                is(*node, "attachedTemplate") || kind.ends_with("/attachedtemplate")
            });
            let removed = removed.map(|node| Splice {
                range: node.range(),
                with: String::new(),
            });
            let splices = removed.collect();
            change(parts, &name, splices);
        }
        Ok(())
    }

    /// Sets the document's own title, language and date, and its content type.
    fn set_properties(&self, parts: &mut [Part], text: &Text<'_>) -> io::Result<()> {
        for name in related(&self.parts, "", "core-properties") {
            if let Some(part) = parts.iter_mut().find(|part| part.name == name) {
                part.content = parts::properties(text.source).into_bytes();
            }
        }
        let Some(types) = parts.iter().find(|part| part.name == TYPES) else {
            return Ok(());
        };
        let document = xml::parsed(types.text()).map_err(io::Error::other)?;
        let kind = type_of(&document, &self.main);
        let kind = kind.and_then(|node| node.attribute_node("ContentType"));
        let splices: Vec<Splice> = kind
            .filter(|kind| kind.value() == TEMPLATE)
            .map(|kind| Splice {
                range: kind.range_value(),
                with: DOCUMENT.to_owned(),
            })
            .into_iter()
            .collect();
        change(parts, TYPES, splices);
        Ok(())
    }
}

/// The element with the content type of a part.
fn type_of<'a, 'i>(types: &'a Document<'i>, name: &str) -> Option<Node<'a, 'i>> {
    types.root_element().children().find(|node| {
        let part = node.attribute("PartName").unwrap_or_default();
        part.trim_start_matches('/').eq_ignore_ascii_case(name)
    })
}

fn body_of<'a, 'i>(document: &'a Document<'i>) -> Option<Node<'a, 'i>> {
    let root = document.root_element();
    if is(root, "document") {
        child(root, "body")
    } else {
        None
    }
}
