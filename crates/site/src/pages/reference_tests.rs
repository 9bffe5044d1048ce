//! The reference contains what the API's document has, without injected markup.

use std::sync::Arc;

use slovo_rules::locale::Locale;

use crate::texts::Texts;
use crate::{ApiPage, Page};

use super::reading_tests::{LOCALES, OPENAPI, api, written};

#[test]
fn the_reference_lists_every_operation_of_the_document() {
    let document: serde_json::Value = serde_json::from_str(OPENAPI).expect("JSON");
    let page = Arc::new(api());
    for locale in LOCALES {
        let html = written(locale, Page::Api(Arc::clone(&page)));
        let text = html.replace("<wbr>", "").replace("<!>", "");
        let mut actions = 0;
        for (path, verbs) in document["paths"].as_object().expect("paths") {
            for (verb, action) in verbs.as_object().expect("verbs") {
                actions += 1;
                let id = action["operationId"]
                    .as_str()
                    .expect("an id")
                    .replace('_', "-");
                let mut entries = text.split("<details").skip(1);
                let mark = format!("<div id=\"op-{id}\"");
                let section = entries.find(|entry| entry.contains(&mark)).expect(&id);
                assert!(section.contains(path.as_str()), "{path}");
                assert!(
                    section.contains(&format!(">{}<", verb.to_uppercase())),
                    "{path} {verb}"
                );
                for status in action["responses"].as_object().expect("answers").keys() {
                    assert!(
                        section.contains(&format!("<dt>{status}</dt>")),
                        "{path} {status}"
                    );
                }
                for parameter in action["parameters"].as_array().into_iter().flatten() {
                    let name = parameter["name"].as_str().expect("a name");
                    assert!(
                        section.contains(&format!("<code>{name}</code>")),
                        "{path} {name}"
                    );
                }
            }
        }
        assert_eq!(text.matches("id=\"op-").count(), actions);
        for group in &page.groups {
            assert!(
                Texts::of(locale)
                    .docs
                    .reference_page
                    .tags
                    .contains_key(&group.tag),
                "docs.json has no name for the group {}",
                group.tag
            );
        }
    }
}

#[test]
fn request_bodies_and_schemas_are_resolved() {
    let page = api();
    let mut operations = page.groups.iter().flat_map(|group| &group.operations);
    let login = operations
        .find(|operation| operation.id == "login")
        .expect("login");
    let body = login.body.as_ref().expect("a body");
    let fields: Vec<&str> = body
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .collect();
    assert_eq!(fields, ["email", "password", "remember"]);
    assert!(login.open);
    let me = operations
        .find(|operation| operation.id == "me")
        .expect("me");
    assert!(!me.open);
    assert_eq!(me.scope.as_deref(), Some("read"));
    let problem = page.objects.iter().find(|object| object.name == "Problem");
    let problem = problem.expect("what every error looks like");
    let errors = problem.fields.iter().find(|field| field.name == "errors");
    let errors = errors.expect("errors");
    assert_eq!(errors.kind.object.as_deref(), Some("Violation"));
    assert_eq!(errors.kind.words, "array of Violation or null");
}

#[test]
fn text_of_the_document_cannot_inject_markup() {
    let hostile = r##"{"info": {"version": "<b>1"}, "paths": {"/x<script>": {"get": {
        "operationId": "a\"><script>", "summary": "<script>alert(1)</script> `<i>` [a](\"x)",
        "parameters": [{"name": "<img>", "in": "query", "schema": {"type": "<u>"}}],
        "responses": {"200": {"description": "<em>", "content": {"application/json":
            {"schema": {"$ref": "#/components/schemas/<hr>"}}}}}}}},
        "components": {"schemas": {"<hr>": {"description": "</section><script>"}}}}"##;
    let page = ApiPage::read(hostile).expect("a document");
    let html = written(Locale::Uk, Page::Api(Arc::new(page)));
    let main = html.split("<main").nth(1).expect("main");
    let main = main.split("</main>").next().unwrap_or_default();
    for tag in [
        "<script",
        "<b>",
        "<i>",
        "<img",
        "<u>",
        "<em",
        "<hr",
        "<a href=\"\"x",
    ] {
        assert!(!main.contains(tag), "{tag} in {main}");
    }
    assert!(ApiPage::read("[]").is_err() && ApiPage::read("{}").is_err());
}
