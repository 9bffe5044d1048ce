//! Finds active or external content that is not a relationship: fields and embedded objects.

use roxmltree::{Document, Node};

use super::refusal::TemplateRejection;

/// Fields that read a file, an address or another program.
const LOADING: [&str; 9] = [
    "INCLUDE",
    "INCLUDEPICTURE",
    "INCLUDETEXT",
    "IMPORT",
    "LINK",
    "DDE",
    "DDEAUTO",
    "DATABASE",
    "RD",
];
/// Fields that are objects or controls.
const ACTING: [&str; 3] = ["EMBED", "CONTROL", "HTMLCONTROL"];
/// Elements that are embedded objects.
const OBJECTS: [&str; 3] = ["OLEObject", "objectEmbed", "objectLink"];

/// Elements that describe a data source.
const DATA: [&str; 2] = ["connectString", "udl"];
/// Elements that show a picture; with a `src` attribute an external one.
const PICTURES: [&str; 3] = ["imagedata", "fill", "stroke"];

/// An open field with the possible forms of its code: the current text, the deleted text, and both
/// with the text between them.
#[derive(Default)]
struct Field {
    codes: [String; 3],
    /// Whether the field is still in its code, before its result.
    in_code: bool,
}

/// Checks a part, whatever the namespaces of its elements.
pub fn check(document: &Document<'_>) -> Result<(), TemplateRejection> {
    // The first entry is for text outside all fields.
    let mut fields = vec![Field::default()];
    for node in document.descendants() {
        if node.is_text() {
            if let (Some(parent), Some(field)) = (node.parent(), fields.last_mut()) {
                field.take(name(parent), node.text().unwrap_or_default());
            }
            continue;
        }
        match name(node) {
            one if OBJECTS.contains(&one) => return Err(TemplateRejection::Active),
            one if DATA.contains(&one) => return Err(TemplateRejection::External),
            one if PICTURES.contains(&one) && !attribute(node, "src").is_empty() => {
                return Err(TemplateRejection::External);
            }
            "fldSimple" => check_code(attribute(node, "instr"))?,
            "fldChar" => match attribute(node, "fldCharType") {
                "begin" => fields.push(Field {
                    in_code: true,
                    ..Field::default()
                }),
                "separate" => {
                    if let Some(field) = fields.last_mut() {
                        field.in_code = false;
                    }
                }
                "end" if fields.len() > 1 => fields.pop().unwrap_or_default().check()?,
                _ => {}
            },
            _ => {}
        }
    }
    fields.iter().try_for_each(Field::check)
}

impl Field {
    /// Adds text from an element of this name.
    fn take(&mut self, element: &str, text: &str) {
        let [in_force, deleted, all] = &mut self.codes;
        match element {
            "instrText" => in_force.push_str(text),
            "delInstrText" => deleted.push_str(text),
            "t" | "delText" if self.in_code => {}
            _ => return,
        }
        all.push_str(text);
    }

    fn check(&self) -> Result<(), TemplateRejection> {
        self.codes.iter().try_for_each(|code| check_code(code))
    }
}

/// The first word of the code is the field's type.
fn check_code(code: &str) -> Result<(), TemplateRejection> {
    let mut words = code.split(|c: char| !c.is_alphanumeric());
    let word = words.find(|word| !word.is_empty()).unwrap_or_default();
    let word = word.to_uppercase();
    if LOADING.contains(&word.as_str()) {
        return Err(TemplateRejection::External);
    }
    if ACTING.contains(&word.as_str()) {
        return Err(TemplateRejection::Active);
    }
    Ok(())
}

fn name<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

/// An attribute in any namespace.
fn attribute<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    let mut all = node.attributes();
    let found = all.find(|attribute| attribute.name() == name);
    found.map(|attribute| attribute.value()).unwrap_or_default()
}
