//! The API's own document (OpenAPI 3.1), reduced to what readers need.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

mod shape;

use shape::Shapes;

/// HTTP methods of a path, in display order.
const VERBS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];

/// Order of the groups for newcomers; others follow by name.
const ORDER: [&str; 16] = [
    "auth",
    "uploads",
    "jobs",
    "edits",
    "analysis",
    "assistant",
    "shares",
    "search",
    "presets",
    "plans",
    "me",
    "server",
    "site",
    "health",
    "admin",
    "webhooks",
];

/// The content of the reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApiPage {
    /// The API's version.
    pub version: String,
    /// The operations by tag.
    pub groups: Vec<Group>,
    /// The schemas used by operations, directly or indirectly.
    pub objects: Vec<Object>,
}

/// The operations of a tag.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The tag.
    pub tag: String,
    /// Its operations, in the order of the document.
    pub operations: Vec<Operation>,
}

/// An operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its `operationId`, or else method and path.
    pub id: String,
    /// `GET`
    pub verb: String,
    /// `/api/v1/jobs/{id}`
    pub path: String,
    /// What it does.
    pub summary: String,
    /// Further description.
    pub description: String,
    /// Whether it needs no sign-in.
    pub open: bool,
    /// The scope that an API key needs; `None` if no key can call it.
    pub scope: Option<String>,
    /// Parameters in path, query and headers.
    pub parameters: Vec<Field>,
    /// The request body.
    pub body: Option<Body>,
    /// The responses, by status.
    pub answers: Vec<Answer>,
}

/// A request body.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// `application/json`
    pub media: String,
    /// The type of the whole body.
    pub kind: Kind,
    /// Its fields, if it has any.
    pub fields: Vec<Field>,
}

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// `200`
    pub status: String,
    /// When it is returned, or with which code.
    pub description: String,
    /// The type of its body.
    pub kind: Option<Kind>,
}

/// A parameter, or a field of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// `path`, `query` or `header`; empty for fields.
    pub place: String,
    /// Its type.
    pub kind: Kind,
    /// Whether it is required.
    pub required: bool,
    /// Its meaning.
    pub description: String,
}

/// A type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kind {
    /// As text: `string`, `array of Job`, `integer or null`.
    pub words: String,
    /// The object named in the text that has an entry of its own.
    pub object: Option<String>,
}

/// A named schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The alternatives, if it is one of several.
    pub choices: Vec<Choice>,
}

/// An alternative.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// A word, a type, or field names, with the distinguishing field first.
    pub words: String,
    /// Its meaning.
    pub description: String,
}

#[derive(Deserialize)]
struct Document {
    info: Info,
    paths: BTreeMap<String, BTreeMap<String, Value>>,
    #[serde(default)]
    components: Components,
}

#[derive(Deserialize)]
struct Info {
    version: String,
}

#[derive(Default, Deserialize)]
struct Components {
    #[serde(default)]
    schemas: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Action {
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    description: String,
    operation_id: Option<String>,
    #[serde(default)]
    parameters: Vec<Parameter>,
    request_body: Option<Content>,
    #[serde(default)]
    responses: BTreeMap<String, Content>,
    security: Option<Vec<Map<String, Value>>>,
}

#[derive(Deserialize)]
struct Parameter {
    name: String,
    #[serde(rename = "in")]
    place: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    schema: Value,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    description: String,
    #[serde(default)]
    content: BTreeMap<String, Media>,
}

#[derive(Deserialize)]
struct Media {
    schema: Option<Value>,
}

impl ApiPage {
    /// Reads the API's document.
    ///
    /// # Errors
    /// When the text is not an OpenAPI document.
    pub fn read(openapi: &str) -> Result<Self, serde_json::Error> {
        let document: Document = serde_json::from_str(openapi)?;
        let mut shapes = Shapes::new(&document.components.schemas);
        let mut groups: BTreeMap<String, Vec<Operation>> = BTreeMap::new();
        for (path, mut verbs) in document.paths {
            for verb in VERBS {
                let Some(action) = verbs.remove(verb) else {
                    continue;
                };
                let action: Action = serde_json::from_value(action)?;
                let tag = action.tags.first().cloned().unwrap_or_default();
                let operation = operation(verb, &path, action, &mut shapes);
                groups.entry(tag).or_default().push(operation);
            }
        }
        let groups = groups.into_iter();
        let mut groups: Vec<_> = groups
            .map(|(tag, operations)| Group { tag, operations })
            .collect();
        groups.sort_by_key(|group| place_of(&group.tag));
        Ok(Self {
            version: document.info.version,
            groups,
            objects: shapes.objects(),
        })
    }
}

fn place_of(tag: &str) -> usize {
    let place = ORDER.iter().position(|known| *known == tag);
    place.unwrap_or(ORDER.len())
}

fn operation(verb: &str, path: &str, action: Action, shapes: &mut Shapes<'_>) -> Operation {
    let parameters = action.parameters.into_iter().map(|parameter| Field {
        kind: shapes.kind(&parameter.schema),
        name: parameter.name,
        place: parameter.place,
        required: parameter.required,
        description: parameter.description,
    });
    let parameters = parameters.collect();
    let body = action.request_body.and_then(|body| {
        let (media, content) = body.content.into_iter().next()?;
        let schema = content.schema.unwrap_or_default();
        Some(Body {
            media,
            kind: shapes.kind(&schema),
            fields: shapes.fields(&schema),
        })
    });
    let answers = action.responses.into_iter().map(|(status, answer)| {
        let schema = answer
            .content
            .into_values()
            .next()
            .and_then(|media| media.schema);
        Answer {
            status,
            description: answer.description,
            kind: schema.map(|schema| shapes.kind(&schema)),
        }
    });
    let ways = action.security.unwrap_or_default();
    let open = ways.iter().any(Map::is_empty);
    let scope = ways
        .iter()
        .find_map(|way| way.get("api_key")?.get(0)?.as_str());
    let scope = scope.map(str::to_owned);
    Operation {
        id: action
            .operation_id
            .unwrap_or_else(|| format!("{verb} {path}")),
        verb: verb.to_uppercase(),
        path: path.to_owned(),
        summary: action.summary,
        description: action.description,
        open,
        scope,
        parameters,
        answers: answers.collect(),
        body,
    }
}
