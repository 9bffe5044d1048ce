//! Unpacks an uploaded file and refuses what is not allowed in it.

use std::collections::HashSet;
use std::io::{Cursor, Read};

use roxmltree::Document;
use slovo_rules::export::{MAX_TEMPLATE_BYTES, MAX_TEMPLATE_PARTS, MAX_TEMPLATE_UNPACKED_BYTES};
use zip::ZipArchive;

use super::active_content;
use super::refusal::TemplateRejection;
use super::xml::{self, MAX_ELEMENTS, Splice};

/// The highest compression ratio of a file, checked once its parts are [`RATIO_FROM`] bytes.
const MAX_RATIO: u64 = 100;
/// Smaller contents, in bytes, are harmless at any ratio.
const RATIO_FROM: u64 = 1024 * 1024;
/// The longest name of a part, in bytes.
const MAX_NAME: usize = 255;

/// Name of the part with the content types.
pub const TYPES: &str = "[Content_Types].xml";
/// Name of the part with the package relationships.
const ROOT: &str = "_rels/.rels";

/// Substrings of content types of active parts.
const ACTIVE_TYPES: [&str; 5] = [
    "vbaproject",
    "vbadata",
    "macroenabled",
    "activex",
    "oleobject",
];
/// Last segments of relationship types that lead to active parts.
const ACTIVE_RELATIONS: [&str; 7] = [
    "vbaproject",
    "wordvbadata",
    "oleobject",
    "control",
    "activexcontrolbinary",
    "afchunk",
    "keymapcustomizations",
];

/// A part of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name, without a leading slash.
    pub name: String,
    /// Its bytes.
    pub content: Vec<u8>,
    /// Whether it is XML, by its name or its content type.
    is_xml: bool,
}

impl Part {
    /// A part whose type follows from its name.
    pub fn new(name: String, content: Vec<u8>) -> Self {
        let lower = name.to_lowercase();
        let is_xml = lower.ends_with(".xml") || lower.ends_with(".rels");
        Self {
            name,
            content,
            is_xml,
        }
    }

    /// Its text; empty if it is not UTF-8.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.content).unwrap_or_default()
    }
}

/// A relationship to another part.
pub struct Relation<'a> {
    /// The last segment of its type.
    pub kind: &'a str,
    /// Its target as written.
    pub target: &'a str,
    /// Whether the target is outside the file.
    pub is_external: bool,
}

/// All relationships in a relationships part.
pub fn relations<'a, 'i>(document: &'a Document<'i>) -> impl Iterator<Item = Relation<'a>> {
    let children = document.root_element().children();
    let elements = children.filter(|node| node.tag_name().name() == "Relationship");
    elements.map(|node| {
        let attribute = |name: &'static str| node.attribute(name).unwrap_or_default();
        let (kind, target) = (attribute("Type"), attribute("Target"));
        Relation {
            kind: kind.rsplit('/').next().unwrap_or_default(),
            target,
            is_external: attribute("TargetMode").eq_ignore_ascii_case("external"),
        }
    })
}

/// All parts of a file, checked against limits and for refused content.
pub fn unpacked(file: &[u8]) -> Result<Vec<Part>, TemplateRejection> {
    let mut parts = parts(file)?;
    let mut budget = MAX_ELEMENTS;
    let types = parts.iter().find(|part| part.name == TYPES);
    let xml = check_types(types.ok_or(TemplateRejection::NotWord)?, &mut budget)?;
    for part in &mut parts {
        let name = part.name.to_lowercase();
        if name.ends_with("vbaproject.bin") || name.contains("/activex/") {
            return Err(TemplateRejection::Active);
        }
        let (_, extension) = name.rsplit_once('.').unwrap_or_default();
        part.is_xml |= xml.names.contains(&name) || xml.extensions.contains(extension);
        if part.is_xml && part.name != TYPES {
            active_content::check(&xml::checked(&part.content, &mut budget)?)?;
        }
    }
    for part in parts.iter().filter(|part| part.name.ends_with(".rels")) {
        check_relations(part)?;
    }
    Ok(parts)
}

fn parts(file: &[u8]) -> Result<Vec<Part>, TemplateRejection> {
    if file.len() > MAX_TEMPLATE_BYTES {
        return Err(TemplateRejection::TooLarge);
    }
    // Word stores an encrypted document in an OLE file with a stream of this name.
    let encrypted: Vec<u8> = "EncryptedPackage".bytes().flat_map(|b| [b, 0]).collect();
    if file.starts_with(b"\xd0\xcf\x11\xe0") {
        let is_it = file.windows(encrypted.len()).any(|at| at == encrypted);
        return Err(if is_it {
            TemplateRejection::Encrypted
        } else {
            TemplateRejection::NotWord
        });
    }
    let mut archive = ZipArchive::new(Cursor::new(file)).map_err(|_| TemplateRejection::NotWord)?;
    if archive.len() > MAX_TEMPLATE_PARTS {
        return Err(TemplateRejection::TooMuch);
    }
    let (mut parts, mut names, mut total) = (Vec::new(), HashSet::new(), 0);
    for index in 0..archive.len() {
        let raw = archive
            .by_index_raw(index)
            .map_err(|_| TemplateRejection::Broken)?;
        if raw.encrypted() {
            return Err(TemplateRejection::Encrypted);
        }
        let name = raw
            .name()
            .map_err(|_| TemplateRejection::Path)?
            .into_owned();
        drop(raw);
        if !is_allowed(name.strip_suffix('/').unwrap_or(&name)) {
            return Err(TemplateRejection::Path);
        }
        if name.ends_with('/') {
            continue;
        }
        // Programs treat names that differ only in case as the same.
        if !names.insert(name.to_lowercase()) {
            return Err(TemplateRejection::Broken);
        }
        let packed = archive
            .by_index(index)
            .map_err(|_| TemplateRejection::Broken)?;
        let mut content = Vec::new();
        let room = MAX_TEMPLATE_UNPACKED_BYTES - total;
        let read = packed.take(room + 1).read_to_end(&mut content);
        let read = u64::try_from(read.map_err(|_| TemplateRejection::Broken)?).unwrap_or(u64::MAX);
        if read > room {
            return Err(TemplateRejection::TooMuch);
        }
        total += read;
        parts.push(Part::new(name, content));
    }
    let size = u64::try_from(file.len()).unwrap_or(u64::MAX);
    if total > RATIO_FROM && total / MAX_RATIO > size {
        return Err(TemplateRejection::TooMuch);
    }
    Ok(parts)
}

fn is_allowed(name: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !matches!(c, '\\' | ':');
    // Programs find relationships parts in any spelling; here only the exact name counts.
    let is_of_relations = name.to_lowercase().ends_with(".rels");
    let mut steps = name.rsplit('/');
    let is_found =
        steps.next().is_some_and(|file| file.ends_with(".rels")) && steps.next() == Some("_rels");
    name.len() <= MAX_NAME
        && (!is_of_relations || is_found)
        && name.chars().all(is_plain)
        && name.split('/').all(|step| !matches!(step, "" | "." | ".."))
}

/// The parts that the package declares as XML, in lower case.
#[derive(Default)]
struct XmlParts {
    names: HashSet<String>,
    extensions: HashSet<String>,
}

fn check_types(part: &Part, budget: &mut usize) -> Result<XmlParts, TemplateRejection> {
    let document = xml::checked(&part.content, budget)?;
    let mut xml = XmlParts::default();
    for node in document.root_element().children() {
        let attribute =
            |name: &'static str| node.attribute(name).unwrap_or_default().to_lowercase();
        let kind = attribute("ContentType");
        if ACTIVE_TYPES.iter().any(|word| kind.contains(word)) {
            return Err(TemplateRejection::Active);
        }
        let kind = kind.split(';').next().unwrap_or_default().trim();
        // Pictures such as SVG are not parsed as XML; Word's own drawings are not of type `image/`.
        if kind.ends_with("xml") && !kind.starts_with("image/") {
            let name = attribute("PartName");
            xml.names.insert(name.trim_start_matches('/').to_owned());
            xml.extensions.insert(attribute("Extension"));
        }
    }
    // Overrides for single parts have no extension.
    xml.extensions.remove("");
    Ok(xml)
}

/// Links are kept, and the reference to the original template is removed on writing; any other
/// external target is refused, because it would be loaded when the document is opened.
fn check_relations(part: &Part) -> Result<(), TemplateRejection> {
    let document = xml::parsed(part.text())?;
    for relation in relations(&document) {
        let kind = relation.kind.to_lowercase();
        if ACTIVE_RELATIONS.contains(&kind.as_str()) {
            return Err(TemplateRejection::Active);
        }
        if relation.is_external {
            if !matches!(kind.as_str(), "hyperlink" | "attachedtemplate") {
                return Err(TemplateRejection::External);
            }
            continue;
        }
        let target = relation.target;
        if target.contains([':', '\\']) || target.starts_with("//") {
            return Err(TemplateRejection::External);
        }
        // Relationships parts themselves have no relationships.
        let is_part = |name: String| {
            !name.eq_ignore_ascii_case(TYPES) && !name.to_lowercase().ends_with(".rels")
        };
        if !target.starts_with('#') && !resolved(&part.name, target).is_some_and(is_part) {
            return Err(TemplateRejection::Path);
        }
    }
    Ok(())
}

/// The name of the target part of a relationship; `None` if it is outside the package.
pub fn resolved(relations: &str, target: &str) -> Option<String> {
    let (folder, _) = relations.rsplit_once("_rels/")?;
    let from = if target.starts_with('/') { "" } else { folder };
    let mut steps: Vec<&str> = Vec::new();
    for step in from.split('/').chain(target.split('/')) {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop()?;
            }
            step => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

/// The name of a part's relationships part.
pub fn relations_of(part: &str) -> String {
    match part.rsplit_once('/') {
        Some((folder, file)) => format!("{folder}/_rels/{file}.rels"),
        None => format!("_rels/{part}.rels"),
    }
}

/// The names of the parts that a part has this kind of relationship to; an empty name stands for
/// the package.
pub fn related(parts: &[Part], part: &str, kind: &str) -> Vec<String> {
    let name = if part.is_empty() {
        ROOT.to_owned()
    } else {
        relations_of(part)
    };
    let Some(found) = parts.iter().find(|part| part.name == name) else {
        return Vec::new();
    };
    let Ok(document) = xml::parsed(found.text()) else {
        return Vec::new();
    };
    // Only parts that passed the checks are parsed later.
    let exists = |name: &String| {
        let mut parts = parts.iter();
        parts.any(|part| part.is_xml && part.name == *name)
    };
    relations(&document)
        .filter(|relation| !relation.is_external && relation.kind == kind)
        .filter_map(|relation| resolved(&name, relation.target))
        .filter(exists)
        .collect()
}

/// Applies splices to a part.
pub fn change(parts: &mut [Part], name: &str, splices: Vec<Splice>) {
    if let Some(part) = parts.iter_mut().find(|part| part.name == name)
        && !splices.is_empty()
    {
        part.content = xml::spliced(part.text(), splices).into_bytes();
    }
}
