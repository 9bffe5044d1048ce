//! Placeholders of a template, such as `{{title}}`, even if Word splits them into several runs.

use std::collections::HashSet;

use roxmltree::{Document, Node, NodeId};

use super::super::escaped;
use super::xml::{Splice, is, prefix};

/// The most placeholders of a template: each may be replaced by a long text.
pub const MAX_PLACEHOLDERS: usize = 200;
/// The most characters between opening and closing braces.
const LONGEST_NAME: usize = 40;

/// A placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placeholder {
    /// The transcript.
    Transcript,
    /// The title of the recording.
    Title,
    /// The date.
    Date,
    /// The duration.
    Duration,
    /// The language of the speech.
    Language,
    /// The speakers.
    Speakers,
    /// A summary.
    Summary,
}

impl Placeholder {
    /// All placeholders.
    pub const ALL: [Self; 7] = [
        Self::Transcript,
        Self::Title,
        Self::Date,
        Self::Duration,
        Self::Language,
        Self::Speakers,
        Self::Summary,
    ];

    /// The name between the braces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Title => "title",
            Self::Date => "date",
            Self::Duration => "duration",
            Self::Language => "language",
            Self::Speakers => "speakers",
            Self::Summary => "summary",
        }
    }

    fn of(name: &str) -> Option<Self> {
        let name = name.trim_matches([' ', '\u{a0}']);
        let mut all = Self::ALL.into_iter();
        all.find(|placeholder| placeholder.name().eq_ignore_ascii_case(name))
    }
}

/// A placeholder in the joined text of a paragraph.
#[derive(Clone, Copy, Debug)]
struct FoundPlaceholder {
    what: Placeholder,
    begins: usize,
    ends: usize,
}

/// A paragraph and its text elements.
pub struct Paragraph<'a, 'i> {
    /// Its XML element.
    pub node: Node<'a, 'i>,
    /// Text elements, each with its range in the joined text.
    pieces: Vec<(Node<'a, 'i>, usize, usize)>,
    joined: String,
    found: Vec<FoundPlaceholder>,
}

/// All paragraphs of a part that contain placeholders.
pub fn paragraphs<'a, 'i>(document: &'a Document<'i>) -> Vec<Paragraph<'a, 'i>> {
    let mut all: Vec<Paragraph<'a, 'i>> = Vec::new();
    let mut places = std::collections::HashMap::<NodeId, usize>::new();
    for node in document.descendants().filter(Node::is_element) {
        let is_text = is(node, "t");
        let parts = ["tab", "br", "cr", "drawing", "pict"];
        if !is_text && !parts.iter().any(|name| is(node, name)) {
            continue;
        }
        // Text boxes have paragraphs within a paragraph; each has its own text.
        let Some(within) = node.ancestors().skip(1).find(|above| is(*above, "p")) else {
            continue;
        };
        let place = *places.entry(within.id()).or_insert_with(|| {
            all.push(Paragraph {
                node: within,
                pieces: Vec::new(),
                joined: String::new(),
                found: Vec::new(),
            });
            all.len() - 1
        });
        let Some(paragraph) = all.get_mut(place) else {
            continue;
        };
        let begins = paragraph.joined.len();
        if is_text {
            let texts = node.children().filter_map(|child| child.text());
            texts.for_each(|text| paragraph.joined.push_str(text));
            paragraph
                .pieces
                .push((node, begins, paragraph.joined.len()));
        } else {
            paragraph.joined.push('\n');
        }
    }
    for paragraph in &mut all {
        paragraph.found = found(&paragraph.joined);
    }
    all.retain(|paragraph| !paragraph.found.is_empty());
    all
}

/// The placeholders in a text; stops at one more than a template may have.
fn found(text: &str) -> Vec<FoundPlaceholder> {
    let mut all = Vec::new();
    let mut at = 0;
    while all.len() <= MAX_PLACEHOLDERS {
        let Some(open) = text[at..].find("{{") else {
            break;
        };
        let inner = at + open + 2;
        let rest = &text[inner..];
        let near = rest.char_indices().nth(LONGEST_NAME);
        let near = &rest[..near.map_or(rest.len(), |(end, _)| end)];
        let name = near.find("}}").map(|length| &near[..length]);
        match name.and_then(|name| Some((Placeholder::of(name)?, name.len()))) {
            Some((what, length)) => {
                let (begins, ends) = (inner - 2, inner + length + 2);
                all.push(FoundPlaceholder { what, begins, ends });
                at = ends;
            }
            // These braces are not a placeholder; the next ones may be.
            None => at = inner - 1,
        }
    }
    all
}

impl Paragraph<'_, '_> {
    /// The number of placeholders.
    pub const fn count(&self) -> usize {
        self.found.len()
    }

    /// The set of placeholders.
    pub fn placeholders(&self) -> HashSet<Placeholder> {
        self.found.iter().map(|found| found.what).collect()
    }

    /// Whether it contains only the transcript placeholder, so that the transcript can replace it.
    pub fn is_only_placeholder(&self) -> bool {
        let may_be_there = [
            "pPr",
            "r",
            "rPr",
            "t",
            "proofErr",
            "lastRenderedPageBreak",
            "bookmarkStart",
            "bookmarkEnd",
        ];
        let bookmarks = |name: &'static str| -> HashSet<&str> {
            let all = self.node.descendants().filter(move |node| is(*node, name));
            all.filter_map(|node| super::xml::value(node, "id"))
                .collect()
        };
        let properties = |node: Node<'_, '_>| {
            let mut above = node.ancestors().skip(1);
            above.any(|above| is(above, "pPr") || is(above, "rPr"))
        };
        let mut inner = self.node.descendants().skip(1).filter(Node::is_element);
        let [placeholder] = self.found.as_slice() else {
            return false;
        };
        let around = [
            &self.joined[..placeholder.begins],
            &self.joined[placeholder.ends..],
        ];
        around.iter().all(|text| text.trim().is_empty())
            && bookmarks("bookmarkStart") == bookmarks("bookmarkEnd")
            && !self.ends_section()
            && inner.all(|node| properties(node) || may_be_there.iter().any(|name| is(node, name)))
    }

    /// Whether it ends a section: the section's text is before it.
    pub fn ends_section(&self) -> bool {
        let properties = super::xml::child(self.node, "pPr");
        properties.is_some_and(|properties| super::xml::child(properties, "sectPr").is_some())
    }

    /// Replaces its placeholders, each in the formatting of its beginning.
    pub fn filled(&self, text: &str, value: impl Fn(Placeholder) -> String) -> Vec<Splice> {
        let mut splices = Vec::new();
        for (node, begins, ends) in &self.pieces {
            let (begins, ends) = (*begins, *ends);
            let within = |found: &&FoundPlaceholder| found.begins < ends && found.ends > begins;
            let mut concerned = self.found.iter().filter(within).peekable();
            if concerned.peek().is_none() {
                continue;
            }
            let (mut replaced, mut at) = (String::new(), begins);
            for found in concerned {
                replaced.push_str(self.joined.get(at..found.begins).unwrap_or_default());
                if found.begins >= begins {
                    replaced.push_str(&value(found.what));
                }
                at = found.ends;
            }
            replaced.push_str(self.joined.get(at..ends).unwrap_or_default());
            let (prefix, replaced) = (prefix(*node, text), escaped(&replaced));
            splices.push(Splice {
                range: node.range(),
                with: format!("<{prefix}t xml:space=\"preserve\">{replaced}</{prefix}t>"),
            });
        }
        splices
    }
}
