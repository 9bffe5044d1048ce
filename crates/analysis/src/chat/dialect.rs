//! The request fields that an endpoint supports. OpenAI's own models, llama.cpp, vLLM and others
//! differ in some; a rejected field is left out from then on.

use serde_json::{Value, json};

/// How the shape of an answer is enforced, the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// The endpoint enforces the JSON schema.
    #[default]
    Schema,
    /// The endpoint enforces JSON; the schema is in the prompt.
    Object,
    /// The prompt alone asks for JSON and contains the schema.
    Prompt,
}

/// The supported options of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dialect {
    /// See [`Format`].
    pub format: Format,
    /// Whether the token limit is named `max_completion_tokens`, as newer models require.
    pub is_renamed: bool,
    /// Whether to omit the temperature: some models accept only their default.
    pub is_own_temperature: bool,
}

/// The required shape of an answer.
#[derive(Debug, Clone)]
pub struct AnswerSchema {
    /// Its name: letters and underscores.
    pub name: &'static str,
    /// Its JSON schema, within the rules of strict modes: all fields required, no additional ones.
    pub schema: Value,
}

/// A request to the model.
#[derive(Debug, Clone)]
pub struct ChatRequest {
    /// The system message with the task.
    pub system: String,
    /// The messages after it: user and assistant alternate; the first and the last are the user's.
    pub turns: Vec<String>,
    /// The shape of the answer; `None` for plain text.
    pub shape: Option<AnswerSchema>,
    /// The most tokens of the answer.
    pub answer_tokens: usize,
}

impl Dialect {
    /// The next simpler dialect after the endpoint rejected a request; `None` if nothing is left
    /// that could be the cause.
    pub fn simpler(self, message: &str, is_shaped: bool) -> Option<Self> {
        if message.contains("max_tokens") && !self.is_renamed {
            return Some(Self {
                is_renamed: true,
                ..self
            });
        }
        if message.contains("temperature") && !self.is_own_temperature {
            return Some(Self {
                is_own_temperature: true,
                ..self
            });
        }
        let format = match self.format {
            Format::Schema => Format::Object,
            Format::Object => Format::Prompt,
            Format::Prompt => return None,
        };
        is_shaped.then_some(Self { format, ..self })
    }

    /// The body of the request.
    pub fn body(self, model: &str, ask: &ChatRequest) -> Value {
        let mut system = ask.system.clone();
        if let Some(shape) = &ask.shape
            && self.format != Format::Schema
        {
            system.push_str(&in_words(shape));
        }
        let mut messages = vec![json!({ "role": "system", "content": system })];
        messages.extend(ask.turns.iter().enumerate().map(|(at, turn)| {
            let role = if at % 2 == 0 { "user" } else { "assistant" };
            json!({ "role": role, "content": turn })
        }));
        let limit = if self.is_renamed {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        let mut body = json!({
            "model": model,
            "messages": messages,
            "stream": true,
            limit: ask.answer_tokens,
        });
        if !self.is_own_temperature {
            body["temperature"] = json!(0.2);
        }
        match (&ask.shape, self.format) {
            (Some(shape), Format::Schema) => {
                body["response_format"] = json!({
                    "type": "json_schema",
                    "json_schema": { "name": shape.name, "strict": true, "schema": shape.schema },
                });
            }
            (Some(_), Format::Object) => {
                body["response_format"] = json!({ "type": "json_object" });
            }
            _ => {}
        }
        body
    }
}

/// The shape as text for the prompt.
pub fn in_words(shape: &AnswerSchema) -> String {
    format!(
        "\n\nAnswer with one JSON object and nothing else. It keeps to this JSON schema:\n{}",
        shape.schema
    )
}

/// The JSON object in an answer: the whole text, or the text between its outermost braces if the
/// model added reasoning or a code fence.
pub fn object(text: &str) -> Option<Value> {
    let after = text
        .rsplit_once("</think>")
        .map_or(text, |(_, after)| after);
    if let Ok(value @ Value::Object(_)) = serde_json::from_str(after) {
        return Some(value);
    }
    let inside = after.get(after.find('{')?..=after.rfind('}')?)?;
    let value: Value = serde_json::from_str(inside).ok()?;
    value.is_object().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(shape: Option<AnswerSchema>) -> ChatRequest {
        ChatRequest {
            system: "S".to_owned(),
            turns: ["u", "a", "u2"].map(str::to_owned).to_vec(),
            shape,
            answer_tokens: 100,
        }
    }

    fn shape() -> AnswerSchema {
        AnswerSchema {
            name: "x",
            schema: json!({ "type": "object" }),
        }
    }

    #[test]
    fn each_refusal_leads_to_a_simpler_format_until_none_is_left() {
        let mut dialect = Dialect::default();
        let mut steps = Vec::new();
        while let Some(next) = dialect.simpler("unknown response_format", true) {
            steps.push(next.format);
            dialect = next;
        }
        assert_eq!(steps, [Format::Object, Format::Prompt]);
        assert_eq!(Dialect::default().simpler("no such model", false), None);
    }

    #[test]
    fn a_parameter_named_by_a_refusal_is_changed_first() {
        let message = "unsupported parameter: 'max_tokens'; use 'max_completion_tokens'";
        let renamed = Dialect::default().simpler(message, true).unwrap();
        assert!(renamed.is_renamed && renamed.format == Format::Schema);
        let without_temperature = renamed.simpler("'temperature' does not support 0.2", false);
        let body = without_temperature.unwrap().body("m", &ask(None));
        assert!(body.get("temperature").is_none() && body.get("max_tokens").is_none());
        assert_eq!(body["max_completion_tokens"], 100);
    }

    #[test]
    fn the_schema_is_in_the_request_or_in_the_prompt() {
        let body = Dialect::default().body("m", &ask(Some(shape())));
        assert_eq!(body["response_format"]["json_schema"]["strict"], true);
        assert_eq!(body["messages"][0]["content"], "S");
        let roles: Vec<&str> = body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["role"].as_str().unwrap())
            .collect();
        assert_eq!(roles, ["system", "user", "assistant", "user"]);
        let plain = Dialect {
            format: Format::Prompt,
            ..Dialect::default()
        };
        let body = plain.body("m", &ask(Some(shape())));
        assert!(body.get("response_format").is_none());
        let system = body["messages"][0]["content"].as_str().unwrap();
        assert!(system.contains(r#"{"type":"object"}"#), "{system}");
    }

    #[test]
    fn a_json_object_is_found_among_thoughts_fences_and_prose() {
        for text in [
            r#"{"a":1}"#,
            "```json\n{\"a\":1}\n```",
            "<think>{no}</think>\n{\"a\":1}",
            "Here it is: {\"a\":1} I hope it helps.",
        ] {
            assert_eq!(object(text), Some(json!({ "a": 1 })), "{text}");
        }
        for text in ["", "[1]", "{", "}{", "sorry"] {
            assert_eq!(object(text), None, "{text}");
        }
    }
}
