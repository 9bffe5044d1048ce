//! What an endpoint understands. OpenAI's own models, llama.cpp, vLLM and the many others agree on
//! the request but not on all of its fields; what one refuses is left out, and that is remembered.

use serde_json::{Value, json};

/// How an answer's shape is asked for, the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// The endpoint keeps the answer to the schema.
    #[default]
    Schema,
    /// It keeps it to JSON; the schema is in the prompt.
    Object,
    /// All is in the prompt.
    Prompt,
}

/// What a request may have in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dialect {
    /// See [`Format`].
    pub format: Format,
    /// Whether the limit of an answer is called `max_completion_tokens`, as newer models want it.
    pub is_renamed: bool,
    /// Whether the temperature is left to the endpoint: some models allow their own only.
    pub is_own_temperature: bool,
}

/// An answer of a fixed shape.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Its name: letters and underscores.
    pub name: &'static str,
    /// Its JSON schema, within what strict modes allow: every field required, no further ones.
    pub schema: Value,
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Ask {
    /// What is to be done.
    pub system: String,
    /// What follows: user and assistant in turn, the user first and last.
    pub turns: Vec<String>,
    /// The shape of the answer; `None` for plain text.
    pub shape: Option<Shape>,
    /// Most tokens of the answer.
    pub answer_tokens: usize,
}

impl Dialect {
    /// The same with less, after the endpoint has refused a request; `None` if nothing is left
    /// that could be at fault.
    pub fn milder(self, says: &str, is_shaped: bool) -> Option<Self> {
        if says.contains("max_tokens") && !self.is_renamed {
            return Some(Self {
                is_renamed: true,
                ..self
            });
        }
        if says.contains("temperature") && !self.is_own_temperature {
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
    pub fn body(self, model: &str, ask: &Ask) -> Value {
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

/// The shape as a part of the prompt.
pub fn in_words(shape: &Shape) -> String {
    format!(
        "\n\nAnswer with one JSON object and nothing else. It keeps to this JSON schema:\n{}",
        shape.schema
    )
}

/// The JSON object of an answer: all of it, or what stands between its outermost braces where a
/// model has thought aloud or fenced it in.
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

    fn ask(shape: Option<Shape>) -> Ask {
        Ask {
            system: "S".to_owned(),
            turns: ["u", "a", "u2"].map(str::to_owned).to_vec(),
            shape,
            answer_tokens: 100,
        }
    }

    fn shape() -> Shape {
        Shape {
            name: "x",
            schema: json!({ "type": "object" }),
        }
    }

    #[test]
    fn each_refusal_takes_something_away_until_nothing_is_left() {
        let mut dialect = Dialect::default();
        let mut steps = Vec::new();
        while let Some(next) = dialect.milder("unknown response_format", true) {
            steps.push(next.format);
            dialect = next;
        }
        assert_eq!(steps, [Format::Object, Format::Prompt]);
        assert_eq!(Dialect::default().milder("no such model", false), None);
    }

    #[test]
    fn what_a_refusal_names_is_mended_first() {
        let says = "unsupported parameter: 'max_tokens'; use 'max_completion_tokens'";
        let renamed = Dialect::default().milder(says, true).unwrap();
        assert!(renamed.is_renamed && renamed.format == Format::Schema);
        let own = renamed.milder("'temperature' does not support 0.2", false);
        let body = own.unwrap().body("m", &ask(None));
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
    fn an_object_is_found_behind_thoughts_and_fences() {
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
