//! JSON schemas as text.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Choice, Field, Kind, Object};

/// The named schemas, and which of them were used.
pub(super) struct Shapes<'a> {
    schemas: &'a Map<String, Value>,
    met: BTreeSet<String>,
}

impl<'a> Shapes<'a> {
    pub(super) const fn new(schemas: &'a Map<String, Value>) -> Self {
        Self {
            schemas,
            met: BTreeSet::new(),
        }
    }

    /// A schema as text: the name of its object, or its types.
    pub(super) fn kind(&mut self, schema: &Value) -> Kind {
        let mut kind = self.kind_of(schema);
        if kind.words.is_empty() {
            kind.words = "any".to_owned();
        }
        kind
    }

    fn kind_of(&mut self, schema: &Value) -> Kind {
        if let Some(name) = name_of(schema) {
            if self.schemas.contains_key(name) {
                self.met.insert(name.to_owned());
            }
            return Kind {
                words: name.to_owned(),
                object: Some(name.to_owned()),
            };
        }
        if let Some(choices) = list(schema, "oneOf").or_else(|| list(schema, "anyOf")) {
            let kinds: Vec<Kind> = choices.iter().map(|choice| self.kind_of(choice)).collect();
            return joined(kinds, " or ");
        }
        if let Some(parts) = list(schema, "allOf") {
            let kinds: Vec<Kind> = parts.iter().map(|part| self.kind_of(part)).collect();
            return joined(kinds, " and ");
        }
        let types: Vec<&str> = match &schema["type"] {
            Value::String(one) => vec![one],
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut object = None;
        let words: Vec<String> = types
            .into_iter()
            .map(|name| match name {
                "array" => {
                    let item = self.kind(&schema["items"]);
                    object = item.object;
                    format!("array of {}", item.words)
                }
                "string" => match schema["format"].as_str() {
                    Some(format) => format!("string ({format})"),
                    None => "string".to_owned(),
                },
                name => name.to_owned(),
            })
            .collect();
        let words = words.join(" or ");
        Kind { words, object }
    }

    /// The fields of a schema, including those of the schemas it is composed of.
    pub(super) fn fields(&mut self, schema: &Value) -> Vec<Field> {
        let mut fields = BTreeMap::new();
        self.gather(schema, &mut fields, 0);
        let mut fields: Vec<Field> = fields.into_values().collect();
        fields.sort_by(|a, b| {
            b.required
                .cmp(&a.required)
                .then_with(|| a.name.cmp(&b.name))
        });
        fields
    }

    fn gather(&mut self, schema: &Value, fields: &mut BTreeMap<String, Field>, depth: u8) {
        // Deeper than any of our schemas; stops at recursive ones.
        if depth > 8 {
            return;
        }
        if let Some(referenced) = name_of(schema).and_then(|name| self.schemas.get(name)) {
            self.gather(referenced, fields, depth + 1);
        }
        for part in list(schema, "allOf").into_iter().flatten() {
            self.gather(part, fields, depth + 1);
        }
        let required: Vec<&str> = list(schema, "required")
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = schema["properties"].as_object().into_iter().flatten();
        for (name, property) in properties {
            let field = Field {
                name: name.clone(),
                place: String::new(),
                kind: self.kind(property),
                required: required.contains(&name.as_str()),
                description: description(property),
            };
            fields.insert(name.clone(), field);
        }
    }

    /// Entries of all used schemas, directly or indirectly.
    pub(super) fn objects(mut self) -> Vec<Object> {
        let mut done: BTreeMap<String, Object> = BTreeMap::new();
        loop {
            let waiting = self.met.iter().find(|name| !done.contains_key(*name));
            let Some(name) = waiting.cloned() else { break };
            let object = self.object(&name);
            done.insert(name, object);
        }
        done.into_values().collect()
    }

    fn object(&mut self, name: &str) -> Object {
        let schemas = self.schemas;
        let schema = schemas.get(name).unwrap_or(&Value::Null);
        let words = list(schema, "enum").into_iter().flatten();
        let mut choices: Vec<Choice> = words
            .filter_map(Value::as_str)
            .map(|word| Choice {
                words: word.to_owned(),
                description: String::new(),
            })
            .collect();
        for choice in list(schema, "oneOf").into_iter().flatten() {
            choices.push(self.choice(choice));
        }
        Object {
            name: name.to_owned(),
            description: description(schema),
            fields: self.fields(schema),
            choices,
        }
    }

    /// An alternative, described by its fields; fields with a single possible value distinguish it.
    fn choice(&mut self, schema: &Value) -> Choice {
        let mut fields: Vec<String> = Vec::new();
        self.outline(schema, &mut fields, 0);
        // utoipa describes enum values with documentation as schemas of one value each.
        let word = match list(schema, "enum").map(Vec::as_slice) {
            Some([Value::String(only)]) => Some(only.clone()),
            _ => None,
        };
        let words = match (word, fields.is_empty()) {
            (Some(word), _) => word,
            (None, true) => self.kind(schema).words,
            (None, false) => format!("{{{}}}", fields.join(", ")),
        };
        Choice {
            words,
            description: description(schema),
        }
    }

    fn outline(&mut self, schema: &Value, into: &mut Vec<String>, depth: u8) {
        if depth > 8 {
            return;
        }
        if let Some(referenced) = name_of(schema).and_then(|name| self.schemas.get(name)) {
            self.outline(referenced, into, depth + 1);
        }
        for part in list(schema, "allOf").into_iter().flatten() {
            self.outline(part, into, depth + 1);
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            match list(property, "enum").map(Vec::as_slice) {
                Some([Value::String(only)]) => into.insert(0, format!("{name}: \"{only}\"")),
                _ => {
                    self.kind(property);
                    into.push(name.clone());
                }
            }
        }
    }
}

/// The combined text of several types without duplicates, and the first object.
fn joined(kinds: Vec<Kind>, between: &str) -> Kind {
    let object = kinds.iter().find_map(|kind| kind.object.clone());
    let mut words: Vec<String> = Vec::new();
    for kind in kinds {
        if !kind.words.is_empty() && !words.contains(&kind.words) {
            words.push(kind.words);
        }
    }
    let words = words.join(between);
    Kind { words, object }
}

/// The description of a schema, or of the one it makes nullable.
fn description(schema: &Value) -> String {
    let own = schema["description"].as_str();
    let of_choice = || {
        let choices = list(schema, "oneOf")?;
        let references = choices.iter().filter(|choice| name_of(choice).is_some());
        references
            .filter_map(|choice| choice["description"].as_str())
            .next()
    };
    own.or_else(of_choice).unwrap_or_default().to_owned()
}

/// `Job` of `{"$ref": "#/components/schemas/Job"}`.
fn name_of(schema: &Value) -> Option<&str> {
    schema["$ref"]
        .as_str()?
        .strip_prefix("#/components/schemas/")
}

fn list<'a>(schema: &'a Value, name: &str) -> Option<&'a Vec<Value>> {
    schema[name].as_array()
}
