//! TTML by the text profile of IMSC 1.1: the allowed nesting of elements, their attributes and
//! values. Everything else is refused.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use super::{Outcome, Read, ensure, in_order, moment, plain};

const TT: &str = "http://www.w3.org/ns/ttml";
const METADATA: &str = "http://www.w3.org/ns/ttml#metadata";
const PARAMETER: &str = "http://www.w3.org/ns/ttml#parameter";
const STYLING: &str = "http://www.w3.org/ns/ttml#styling";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Elements with their allowed children, in this order.
const CHILDREN: [(&str, &[&str]); 13] = [
    ("tt", &["head", "body"]),
    ("head", &["metadata", "styling", "layout"]),
    ("metadata", &["title", "agent"]),
    ("title", &[]),
    ("agent", &["name"]),
    ("name", &[]),
    ("styling", &["style"]),
    ("style", &[]),
    ("layout", &["region"]),
    ("region", &[]),
    ("body", &["div"]),
    ("div", &["p"]),
    ("p", &["br"]),
];

pub fn read(file: &[u8], most_lines: usize) -> Outcome {
    let text = std::str::from_utf8(file).map_err(|error| error.to_string())?;
    let declared = text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    ensure(declared, || "no declaration".to_owned())?;
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let tt = document.root_element();
    ensure(tt.tag_name().name() == "tt", || "no tt".to_owned())?;
    let mut ids = BTreeSet::new();
    let mut references = BTreeSet::new();
    let mut cues = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        element(node)?;
        for attribute in node.attributes() {
            let name = (attribute.namespace().unwrap_or_default(), attribute.name());
            let value = attribute.value();
            let tag = node.tag_name().name();
            ensure(allowed(tag, name, value), || {
                format!("{tag}: {name:?}={value:?}")
            })?;
            match name {
                (XML, "id") => ensure(ids.insert(value), || format!("{value} twice"))?,
                (METADATA, "agent") | ("", "region" | "style") => {
                    references.insert(value);
                }
                _ => {}
            }
        }
        if node.tag_name().name() == "p" {
            cues.push(paragraph(node, most_lines)?);
        }
    }
    ensure(references.is_subset(&ids), || {
        format!("{references:?} are not all in {ids:?}")
    })?;
    for required in [(XML, "lang"), (PARAMETER, "contentProfiles")] {
        ensure(tt.has_attribute(required), || format!("no {required:?}"))?;
    }
    in_order(&cues)?;
    Ok(cues)
}

/// Checks an element and its children.
fn element(node: Node<'_, '_>) -> Result<(), String> {
    let name = node.tag_name().name();
    let space = if matches!(name, "title" | "agent" | "name") {
        METADATA
    } else {
        TT
    };
    ensure(node.tag_name().namespace() == Some(space), || {
        format!("{name} of another namespace")
    })?;
    let Some((_, children)) = CHILDREN.iter().find(|(parent, _)| *parent == name) else {
        return ensure(name == "br" && node.children().next().is_none(), || {
            format!("an element {name}")
        });
    };
    let mut last = 0;
    for child in node.children() {
        if child.is_text() {
            let text = child.text().unwrap_or_default();
            let holds_text = matches!(name, "p" | "title" | "name");
            ensure(holds_text || text.trim().is_empty(), || {
                format!("{text:?} in {name}")
            })?;
            continue;
        }
        let within = child.tag_name().name();
        let place = children.iter().position(|allowed| *allowed == within);
        let place = place.ok_or_else(|| format!("{within} in {name}"))?;
        ensure(place >= last, || format!("{within} is late in {name}"))?;
        last = place;
    }
    Ok(())
}

/// Whether an element may have this attribute with this value.
fn allowed(tag: &str, name: (&str, &str), value: &str) -> bool {
    let numbers = |count: usize| {
        let numbers: Vec<Option<u32>> =
            value.split(' ').map(|number| number.parse().ok()).collect();
        numbers.len() == count
            && numbers
                .iter()
                .all(|number| number.is_some_and(|number| number > 0))
    };
    match (tag, name) {
        ("tt" | "p", (XML, "lang")) => !value.contains(char::is_whitespace),
        ("tt", (PARAMETER, "contentProfiles")) => {
            value == "http://www.w3.org/ns/ttml/profile/imsc1.1/text"
        }
        ("tt", (PARAMETER, "timeBase")) => value == "media",
        ("tt", (PARAMETER, "frameRate")) => numbers(1),
        ("tt", (PARAMETER, "frameRateMultiplier")) => numbers(2),
        ("agent" | "style" | "region" | "p", (XML, "id")) => is_name(value),
        ("agent", ("", "type")) => value == "person",
        ("name", ("", "type")) => value == "full",
        ("body", ("", "style" | "region")) | ("p", (METADATA, "agent")) => is_name(value),
        ("p", ("", "begin" | "end")) => moment(value, '.').is_ok(),
        ("style", (STYLING, "color" | "backgroundColor")) => is_colour(value),
        ("style", (STYLING, "fontFamily")) => value == "proportionalSansSerif",
        ("style", (STYLING, "fontSize")) => percents(value).is_some_and(|all| all.len() == 1),
        ("style", (STYLING, "lineHeight")) => value == "normal",
        ("style", (STYLING, "textAlign")) => value == "center",
        // IMSC: a region is in percent and within the picture; see below for both at once.
        ("region", (STYLING, "origin" | "extent")) => {
            percents(value).is_some_and(|all| all.len() == 2)
        }
        ("region", (STYLING, "displayAlign")) => value == "after",
        ("region", (STYLING, "overflow")) => value == "visible",
        _ => false,
    }
}

/// An XML name without a colon, in ASCII.
fn is_name(value: &str) -> bool {
    let mut letters = value.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric())
}

fn is_colour(value: &str) -> bool {
    let digits = value.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn percents(value: &str) -> Option<Vec<u32>> {
    let numbers = value
        .split(' ')
        .map(|percent| percent.strip_suffix('%')?.parse().ok());
    let numbers: Option<Vec<u32>> = numbers.collect();
    numbers.filter(|all| all.iter().all(|percent| *percent <= 100))
}

fn paragraph(node: Node<'_, '_>, most_lines: usize) -> Result<Read, String> {
    let time = |name| moment(node.attribute(name).unwrap_or_default(), '.');
    let mut lines = vec![String::new()];
    for child in node.children() {
        match (child.text(), lines.last_mut()) {
            (Some(text), Some(line)) => line.push_str(text),
            _ => lines.push(String::new()),
        }
    }
    ensure(lines.len() <= most_lines, || {
        format!("{} lines: {lines:?}", lines.len())
    })?;
    for line in &lines {
        plain(line)?;
        ensure(!line.trim().is_empty(), || {
            format!("an empty line: {lines:?}")
        })?;
    }
    Ok(Read {
        start: time("begin")?,
        end: time("end")?,
        lines,
    })
}
