//! Access control of every action in the OpenAPI document, so that new actions are covered too. The
//! caller is another user, has no session, or is blocked.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use slovo_app::protocols::is_protocol;
use slovo_db::accounts::{Status, set_status};

use super::api::jobs::support::{make_job, upload};
use super::api::me::api_keys::program;
use crate::openapi;
use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};

mod hidden;

/// Actions that need no session. A new one must be added here explicitly.
const PUBLIC: [&str; 34] = [
    "GET /api/v1/auth/google/callback",
    "GET /api/v1/auth/google/mark",
    "GET /api/v1/auth/google/start",
    "GET /api/v1/auth/options",
    "GET /api/v1/files/{token}",
    "GET /api/v1/hooks/media/{token}",
    "GET /api/v1/hooks/transcript/{token}",
    "GET /api/v1/me/export/{token}",
    "GET /api/v1/shared/media/{token}",
    "GET /api/v1/shared/waveform/{token}",
    "GET /api/v1/shared/{token}",
    "GET /api/v1/shared/{token}/comments",
    "GET /healthz",
    "GET /readyz",
    "OPTIONS /api/v1/uploads",
    "OPTIONS /api/v1/uploads/{id}",
    "POST /api/v1/auth/google/session",
    "POST /api/v1/auth/login",
    "POST /api/v1/auth/logout",
    "POST /api/v1/auth/password/forgot",
    "POST /api/v1/auth/password/reset",
    "POST /api/v1/auth/refresh",
    "POST /api/v1/auth/signup",
    "POST /api/v1/auth/verify",
    "POST /api/v1/auth/verify/resend",
    "POST /api/v1/contact",
    "POST /api/v1/newsletter",
    "POST /api/v1/newsletter/confirm",
    "POST /api/v1/newsletter/leave",
    "POST /api/v1/shared/{token}/comments",
    "POST /api/v1/shared/{token}/edits",
    "POST /api/v1/shared/{token}/edits/undo",
    "POST /api/v1/shared/{token}/unlock",
    "POST /api/v1/site/visits",
];

/// One action of the document.
#[derive(Debug)]
pub(super) struct Action {
    pub(super) method: Method,
    /// With placeholders.
    pub(super) path: String,
    pub(super) public: bool,
    /// A body that is valid for its schema.
    pub(super) body: Value,
}

impl Action {
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    fn is_admin(&self) -> bool {
        self.path.starts_with("/api/v1/admin/")
    }
}

pub(super) fn actions() -> Vec<Action> {
    let document: Value = serde_json::from_str(&openapi::text().unwrap()).unwrap();
    let mut actions = Vec::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        for (verb, action) in verbs.as_object().unwrap() {
            actions.push(Action {
                method: verb.to_uppercase().parse().unwrap(),
                path: path.clone(),
                // `[{}]`: no authentication required.
                public: action["security"] == json!([{}]),
                body: sample(
                    &document,
                    &action["requestBody"]["content"]["application/json"]["schema"],
                ),
            });
        }
    }
    actions
}

/// The owner's data, whose ids another user could try.
pub(super) struct OwnedItems {
    pub(super) who: TestUser,
    job: String,
    upload: String,
    session: String,
    preset: String,
    tag: String,
    folder: String,
    voice: String,
    key: String,
    webhook: String,
    source: String,
    target: String,
}

pub(super) const EMAIL: &str = "owner@example.com";
const FILE: &str = "the-owner-s-secret-talk.wav";
const PRESET: &str = "the-owner-s-secret-way";
const GROUP: &str = "the-owner-s-secret-order";
const VOICE: &str = "the-owner-s-secret-source";
const WEBHOOK: &str = "the-owner-s-secret-receiver";
const SOURCE: &str = "the-owner-s-secret-feed";

pub(super) async fn owned(server: &TestServer) -> OwnedItems {
    let who = server.signup(EMAIL).await;
    let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
    let job = make_job(server, &who, FILE, &wav).await;
    let sessions = server.get_as(&who, "/api/v1/auth/sessions").await.json();
    let preset = json!({"name": PRESET, "is_public": false});
    let preset = server.post_as(&who, "/api/v1/presets", &preset).await;
    assert_eq!(preset.status, StatusCode::CREATED, "{}", preset.text());
    let group = async |kind: &str| {
        let form = json!({"name": GROUP, "color": 0});
        let created = server
            .post_as(&who, &format!("/api/v1/{kind}"), &form)
            .await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
        created.json()["id"].as_str().unwrap().to_owned()
    };
    let voice = server.state.new_id();
    let mut transaction = server.state.db.write().await.unwrap();
    let id = voice.parse().unwrap();
    slovo_db::texts::voices::insert(&mut transaction, &who.user_id, id, VOICE, 1)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let (_, key) = program(server, &who, &["read"]).await;
    let webhook = json!({"name": WEBHOOK, "url": "https://example.com/", "is_active": true,
        "events": ["job.completed"]});
    let webhook = server.post_as(&who, "/api/v1/me/webhooks", &webhook).await;
    assert_eq!(webhook.status, StatusCode::CREATED, "{}", webhook.text());
    let source = json!({"name": SOURCE, "kind": "podcast", "location": "https://example.com/",
        "is_active": false});
    let source = server.post_as(&who, "/api/v1/me/sources", &source).await;
    assert_eq!(source.status, StatusCode::CREATED, "{}", source.text());
    let target = json!({"name": SOURCE, "kind": "webdav", "location": "https://example.com/",
        "format": "md", "is_active": false});
    let target = server.post_as(&who, "/api/v1/me/targets", &target).await;
    assert_eq!(target.status, StatusCode::CREATED, "{}", target.text());
    OwnedItems {
        target: target.json()["id"].as_str().unwrap().to_owned(),
        source: source.json()["id"].as_str().unwrap().to_owned(),
        voice,
        key,
        webhook: webhook.json()["webhook"]["id"].as_str().unwrap().to_owned(),
        tag: group("tags").await,
        folder: group("folders").await,
        preset: preset.json()["id"].as_str().unwrap().to_owned(),
        job: job["my_job_id"].as_str().unwrap().to_owned(),
        upload: upload(server, &who, FILE, &wav).await,
        session: sessions["sessions"][0]["id"].as_str().unwrap().to_owned(),
        who,
    }
}

impl OwnedItems {
    /// The action's path with the owner's ids.
    pub(super) fn path(&self, action: &Action) -> String {
        let id = match action.path.split('/').nth(3).unwrap_or_default() {
            "jobs" | "search" => &self.job,
            "uploads" => &self.upload,
            "presets" => &self.preset,
            "tags" => &self.tag,
            "folders" => &self.folder,
            "auth" => &self.session,
            "me" if action.path.contains("/voices/{id}") => &self.voice,
            "me" if action.path.contains("/api-keys/{id}") => &self.key,
            "me" if action.path.contains("/webhooks/{id}") => &self.webhook,
            "me" if action.path.contains("/sources/{id}") => &self.source,
            "me" if action.path.contains("/targets/{id}") => &self.target,
            "admin" => &self.who.user_id,
            _ if !action.path.contains('{') => "",
            _ if action.path.contains("{token}") || action.path.contains("{model}") => "x",
            _ => panic!("whose id is in {}?", action.path),
        };
        let path = action.path.replace("{id}", id).replace("{token}", id);
        let path = path.replace("{model}", id);
        // The job is looked up first, so any id will do for what belongs to it.
        let path = path.replace("{mark_id}", id).replace("{share_id}", id);
        let path = path.replace("{analysis_id}", id);
        let path = path.replace("{comment_id}", id);
        let path = path.replace("{annotation_id}", id);
        let path = path.replace("{delivery_id}", id);
        let path = path.replace("{recording_id}", id);
        let path = path.replace("{job_id}", id);
        let path = path.replace("{speaker}", "SPEAKER_0");
        let path = path.replace("{format}", "txt");
        assert!(!path.contains('{'), "{path}");
        // A missing query must not be refused before access is checked.
        if path.ends_with("/export") && action.method == Method::GET {
            path + "?format=txt"
        } else if path.starts_with("/api/v1/search/") {
            path + "?q=a"
        } else {
            path
        }
    }
}

/// A minimal body for a schema, with texts that pass most rules.
fn sample(document: &Value, schema: &Value) -> Value {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches('#');
        return sample(document, document.pointer(name).unwrap());
    }
    for list in ["allOf", "oneOf", "anyOf", "enum"] {
        if let Some(alternative) = schema[list].as_array().and_then(|all| all.last()) {
            return if list == "enum" {
                alternative.clone()
            } else {
                sample(document, alternative)
            };
        }
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.first().cloned().unwrap_or_default(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("string") => match schema["format"].as_str() {
            Some("uuid") => json!("01980000-0000-7000-8000-000000000000"),
            Some("date-time") => json!("2026-03-01T12:00:00Z"),
            Some("uri") => json!("https://example.com/x"),
            _ => json!("somebody@example.com"),
        },
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("array") => json!([sample(document, &schema["items"])]),
        Some("object") => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let fields = required.iter().filter_map(Value::as_str).map(|name| {
                let value = sample(document, &schema["properties"][name]);
                (name.to_owned(), value)
            });
            Value::Object(fields.collect())
        }
        _ => json!({}),
    }
}

async fn call(server: &TestServer, action: &Action, path: &str, token: Option<&str>) -> Answer {
    let request = request(action, path, token, &json!({}));
    server.send(request).await
}

pub(super) fn request(
    action: &Action,
    path: &str,
    token: Option<&str>,
    body: &Value,
) -> Request<Body> {
    let mut request = Request::builder()
        .method(action.method.clone())
        .uri(path)
        .header("tus-resumable", "1.0.0")
        .header("x-http-method-override", "PATCH")
        .header("upload-offset", "0");
    let patch = action.method == Method::PATCH || path.contains("/uploads/");
    let kind = if patch {
        "application/offset+octet-stream"
    } else {
        "application/json"
    };
    request = request.header(header::CONTENT_TYPE, kind);
    if let Some(token) = token {
        request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
    }
    request.body(Body::from(body.to_string())).unwrap()
}

/// The owner's data must be unchanged.
async fn assert_untouched(server: &TestServer, owned: &OwnedItems) {
    let get = async |path: String| server.get_as(&owned.who, &path).await.status;
    assert_eq!(get("/api/v1/auth/me".into()).await, StatusCode::OK);
    assert_eq!(
        get(format!("/api/v1/jobs/{}", owned.job)).await,
        StatusCode::OK
    );
    let upload = format!("/api/v1/uploads/{}", owned.upload);
    assert_eq!(get(upload).await, StatusCode::OK);
    let preset = format!("/api/v1/presets/{}", owned.preset);
    assert_eq!(get(preset).await, StatusCode::OK);
    let deliveries = format!("/api/v1/me/webhooks/{}/deliveries", owned.webhook);
    assert_eq!(get(deliveries).await, StatusCode::OK);
    let source = format!("/api/v1/me/sources/{}", owned.source);
    assert_eq!(get(source).await, StatusCode::OK);
    let target = format!("/api/v1/me/targets/{}", owned.target);
    assert_eq!(get(target).await, StatusCode::OK);
}

#[test]
fn the_list_of_public_actions_is_complete() {
    let public = actions().into_iter().filter(|action| action.public);
    let mut names: Vec<_> = public.map(|action| action.name()).collect();
    names.sort();
    assert_eq!(names, PUBLIC);
}

#[apply(each_database!)]
fn actions_refuse_missing_and_invalid_tokens(backend: Backend) {
    with_server(backend, async |server| {
        let owned = owned(&server).await;
        let stale = owned.who.access_token.replace('.', "");
        for action in actions().iter().filter(|action| !action.public) {
            let path = owned.path(action);
            for token in [None, Some("x"), Some(stale.as_str())] {
                let answer = call(&server, action, &path, token).await;
                let status = answer.status;
                assert_eq!(status, StatusCode::UNAUTHORIZED, "{}", action.name());
            }
        }
        assert_untouched(&server, &owned).await;
    });
}

#[apply(each_database!)]
fn other_users_cannot_reach_an_owners_data(backend: Backend) {
    with_server(backend, async |server| {
        let owned = owned(&server).await;
        for action in actions().iter().filter(|action| !action.public) {
            // A new stranger each time: one of the actions deletes the account.
            let email = format!("stranger-{}@example.com", server.state.new_id());
            // Stays below the sign-up limits; all calls fit into the lifetime of the owner's
            // upload.
            server.clock.advance_seconds(300);
            let stranger = server.signup(&email).await;
            let owner = server.login(EMAIL, crate::testing::PASSWORD).await;
            assert_eq!(owner.status, StatusCode::OK);
            let answer = call(
                &server,
                action,
                &owned.path(action),
                Some(&stranger.access_token),
            )
            .await;
            let name = action.name();
            if action.is_admin() {
                assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}");
            } else if action.path.contains('{') {
                assert_eq!(
                    answer.status,
                    StatusCode::NOT_FOUND,
                    "{name}: {}",
                    answer.text()
                );
            }
            // An action without an id concerns the caller; it must not reveal the owner's data.
            let text = answer.text();
            let ids = [&*owned.job, &owned.upload, &owned.session, &owned.preset];
            for secret in ids
                .into_iter()
                .chain([EMAIL, FILE, PRESET, GROUP, VOICE, WEBHOOK, SOURCE])
            {
                assert!(!text.contains(secret), "{name} tells {secret}");
            }
        }
        let owner = OwnedItems {
            who: TestUser::from(&server.login(EMAIL, crate::testing::PASSWORD).await.json()),
            ..owned
        };
        assert_untouched(&server, &owner).await;
    });
}

/// What the document says an API key needs for an action; `None` if no key permits it.
fn documented_scope(action: &Value) -> Option<String> {
    let ways = action["security"].as_array().into_iter().flatten();
    let scopes = ways.filter_map(|way| way["api_key"][0].as_str());
    scopes.map(str::to_owned).next()
}

/// A new action appears here: decide which keys may call it.
#[test]
fn the_scopes_of_all_actions() {
    let document: Value = serde_json::from_str(&openapi::text().unwrap()).unwrap();
    let mut lines = Vec::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        for (verb, action) in verbs.as_object().unwrap() {
            if action["security"] != json!([{}]) {
                let scope = documented_scope(action).unwrap_or_else(|| "session".to_owned());
                lines.push(format!("{scope:10} {} {path}", verb.to_uppercase()));
            }
        }
    }
    lines.sort();
    insta::assert_snapshot!(lines.join("\n"));
}

#[apply(each_database!)]
fn keys_permit_what_the_document_says(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let owned = owned(&server).await;
        let document: Value = serde_json::from_str(&openapi::text().unwrap()).unwrap();
        for scope in ["read", "write", "transcribe"] {
            let (program, _) = program(&server, &owned.who, &[scope]).await;
            let all = actions();
            // That page is switched off, whoever asks.
            let callable = |action: &&Action| !action.public && !action.path.ends_with("/debug");
            for action in all.iter().filter(callable) {
                // Stays below the limit of requests, and within the life of the upload.
                server.clock.advance_seconds(1);
                let verb = action.method.as_str().to_lowercase();
                let needed = documented_scope(&document["paths"][&action.path][&verb]);
                let unknown = json!("01980000-0000-7000-8000-000000000000");
                let path = owned
                    .path(action)
                    .replace(&owned.job, unknown.as_str().unwrap());
                let answer = call(&server, action, &path, Some(&program.access_token)).await;
                let name = format!("{} with {scope}: {}", action.name(), answer.text());
                // An answer to HEAD has no body.
                let is_refused = match action.method {
                    Method::HEAD => answer.status == StatusCode::FORBIDDEN,
                    // The protocols of other services say it in words.
                    _ if is_protocol(&action.path) => answer.text().contains("has no scope"),
                    _ => answer.text().contains("scope_missing"),
                };
                assert_eq!(is_refused, needed.as_deref() != Some(scope), "{name}");
                if is_refused && action.method != Method::HEAD {
                    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}");
                    if !action.path.starts_with("/api/") {
                        continue;
                    }
                    let lacking = needed.as_deref().unwrap_or("session");
                    assert_eq!(answer.json()["params"]["scope"], lacking, "{name}");
                }
            }
        }
        assert_eq!(server.me(&owned.who).await.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn a_blocked_user_is_refused_by_every_action(backend: Backend) {
    with_server(backend, async |server| {
        let owned = owned(&server).await;
        let mut transaction = server.state.db.write().await.unwrap();
        let blocked = set_status(&mut transaction, &owned.who.user_id, Status::Blocked).await;
        assert!(blocked.unwrap());
        transaction.commit().await.unwrap();
        for action in actions().iter().filter(|action| !action.public) {
            let token = Some(owned.who.access_token.as_str());
            let answer = call(&server, action, &owned.path(action), token).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}", action.name());
        }
    });
}
