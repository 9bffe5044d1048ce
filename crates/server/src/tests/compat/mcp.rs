//! The MCP server: both eras of the protocol, the tools on real speech, and what is refused.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use slovo_db::jobs::Filter;

use super::support::{assert_welcome, speech};
use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::jobs::support::{make_job_with, rest_of, watch};
use crate::tests::api::me::api_keys::program;
use crate::tests::api::me::support::{complete_next, complete_next_with, job, summarise};
use crate::tests::api::search::index;

const MCP: &str = "/mcp";
/// Of the newest era.
const NEW: &str = "2026-07-28";

/// Calls a method as clients of the era with `initialize` do.
async fn ask(server: &TestServer, who: &TestUser, method: &str, params: Value) -> Answer {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    server.send(request(server, who, &body)).await
}

fn request(server: &TestServer, who: &TestUser, body: &Value) -> Request<Body> {
    let request = server.request(Method::POST, MCP, who);
    request
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .body(Body::from(body.to_string()))
        .unwrap()
}

/// Calls a tool and returns its structured result.
async fn call(server: &TestServer, who: &TestUser, name: &str, arguments: Value) -> Value {
    let result = try_call(server, who, name, arguments).await;
    assert_ne!(result["isError"], true, "{name}: {result}");
    let structured = result["structuredContent"].clone();
    assert!(structured.is_object(), "{name}: {result}");
    structured
}

async fn try_call(server: &TestServer, who: &TestUser, name: &str, arguments: Value) -> Value {
    let params = json!({"name": name, "arguments": arguments});
    let answer = ask(server, who, "tools/call", params).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["result"].clone()
}

/// The text of a refused call.
async fn refused(server: &TestServer, who: &TestUser, name: &str, arguments: Value) -> String {
    let result = try_call(server, who, name, arguments).await;
    assert_eq!(result["isError"], true, "{name}: {result}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[apply(each_database!)]
fn both_eras_of_the_protocol_list_the_tools(backend: Backend) {
    with_server(backend, async |server| {
        let ada = server.signup("ada@example.com").await;
        let (key, _) = program(&server, &ada, &["read"]).await;
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        let hello = ask(&server, &key, "initialize", hello).await;
        assert_eq!(hello.status, StatusCode::OK, "{}", hello.text());
        assert_eq!(hello.header("cache-control"), "no-store");
        let hello = hello.json();
        assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(hello["result"]["serverInfo"]["name"], "slovo");
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let told = server.send(request(&server, &key, &told)).await;
        assert_eq!(told.status, StatusCode::ACCEPTED);

        let old = ask(&server, &key, "tools/list", json!({})).await.json();
        let meta = json!({"io.modelcontextprotocol/protocolVersion": NEW,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}});
        let body = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list",
            "params": {"_meta": meta}});
        let mut newest = request(&server, &key, &body);
        let headers = newest.headers_mut();
        headers.insert("mcp-protocol-version", NEW.parse().unwrap());
        headers.insert("mcp-method", "tools/list".parse().unwrap());
        let newest = server.send(newest).await;
        assert_eq!(newest.status, StatusCode::OK, "{}", newest.text());
        for listed in [old, newest.json()] {
            let tools = listed["result"]["tools"].as_array().unwrap();
            let names: Vec<_> = tools
                .iter()
                .map(|it| it["name"].as_str().unwrap())
                .collect();
            assert_eq!(
                names,
                [
                    "get_recording",
                    "get_transcript",
                    "list_recordings",
                    "search_transcripts",
                    "summarise",
                    "transcribe_url",
                ]
            );
            for tool in tools {
                assert!(tool["description"].as_str().unwrap().len() > 40, "{tool}");
                assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
                // Checkers of clients know no other formats of numbers.
                assert!(!tool.to_string().contains("uint"), "{tool}");
            }
        }
    });
}

#[test]
fn speech_is_found_read_by_time_and_listed() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let ada = server.signup("ada@example.com").await;
        let (key, _) = program(&server, &ada, &["read"]).await;
        let settings = json!({"transcription_type": "full", "language_code": "en"});
        let made = make_job_with(&server, &ada, "welcome.wav", &speech(), settings).await;
        let id = made["my_job_id"].as_str().unwrap();
        // Requests with a key are limited: the session waits.
        rest_of(watch(&server, &ada, &made).await).await;
        let recording = call(&server, &key, "get_recording", json!({"recording_id": id})).await;
        assert_eq!(recording["status"], "completed", "{recording}");
        assert_eq!(recording["name"], "welcome.wav");
        assert_eq!(recording["percent"], Value::Null);
        assert!(
            recording["url"].as_str().unwrap().ends_with(id),
            "{recording}"
        );

        let all = call(&server, &key, "get_transcript", json!({"recording_id": id})).await;
        let lines = all["lines"].as_array().unwrap();
        let text: String = lines
            .iter()
            .map(|line| format!("{} ", line["text"].as_str().unwrap()))
            .collect();
        assert_welcome(&text);
        assert_eq!(all["next_cursor"], Value::Null);
        let end = lines[0]["end"].as_f64().unwrap();
        let rest = json!({"recording_id": id, "start": end});
        let rest = call(&server, &key, "get_transcript", rest).await;
        assert_eq!(rest["lines"].as_array().unwrap().len(), lines.len() - 1);

        let word = text.split_whitespace().next().unwrap();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        index(&server).await;
        let found = call(&server, &key, "search_transcripts", json!({"query": word})).await;
        assert!(
            found["items"][0]["passages"][0]["text"].is_string(),
            "{found}"
        );
        assert_eq!(found["items"][0]["recording"]["id"], id);
        let listed = json!({"status": "completed", "name": "WELCOME"});
        let listed = call(&server, &key, "list_recordings", listed).await;
        assert_eq!(listed["items"][0]["id"], id);
    });
}

#[apply(each_database!)]
fn long_transcripts_come_in_parts_and_summaries_are_read(backend: Backend) {
    with_server(backend, async |server| {
        let ada = server.signup("ada@example.com").await;
        let (key, _) = program(&server, &ada, &["read"]).await;
        let job_id = job(&server, &ada, "Розмова.wav", b"recording").await;
        let arguments = json!({"recording_id": job_id});
        let pending = refused(&server, &key, "get_transcript", arguments.clone()).await;
        assert!(pending.contains("pending"), "{pending}");
        complete_next(&server, "Слово.").await;
        let missing = refused(&server, &key, "summarise", arguments.clone()).await;
        assert!(missing.contains("no scope transcribe"), "{missing}");
        summarise(&server, job_id).await;
        let summary = call(&server, &key, "summarise", arguments).await;
        assert_eq!(summary["status"], "done");
        assert_eq!(summary["summary"][0]["text"], "Усі привіталися.");
        // One of another length has to be made.
        let longer = json!({"recording_id": job_id, "words": 300});
        let refusal = refused(&server, &key, "summarise", longer).await;
        assert!(refusal.contains("no scope transcribe"), "{refusal}");

        let long = job(&server, &ada, "Довга.wav", b"recording").await;
        // Overlapping sentences, one of which is longer than an answer.
        let sentences: Vec<String> = (0..90)
            .map(|number| {
                format!(
                    "{number} {}",
                    "слово ".repeat(if number == 40 { 4000 } else { 150 })
                )
            })
            .collect();
        complete_next_with(&server, &sentences).await;
        let (mut read, mut parts, mut cursor) = (Vec::new(), 0, Value::Null);
        loop {
            let arguments = json!({"recording_id": long, "start": 10.5, "cursor": cursor});
            let part = call(&server, &key, "get_transcript", arguments).await;
            let lines = part["lines"].as_array().unwrap();
            read.extend(
                lines
                    .iter()
                    .map(|line| line["text"].as_str().unwrap().to_owned()),
            );
            parts += 1;
            cursor = part["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        // The sentences last two seconds each, and one begins in every second.
        assert_eq!(read, sentences[9..]);
        assert!(parts > 3, "{parts}");
    });
}

#[apply(each_database!)]
fn a_url_is_transcribed_with_a_key_that_may(backend: Backend) {
    with_server(backend, async |server| {
        let ada = server.signup("ada@example.com").await;
        let (reader, _) = program(&server, &ada, &["read"]).await;
        let (key, _) = program(&server, &ada, &["read", "transcribe"]).await;
        let arguments = json!({"url": "https://example.com/talk.mp3", "language": "uk",
            "speakers": true, "idempotency_key": "talk of Monday"});
        let text = refused(&server, &reader, "transcribe_url", arguments.clone()).await;
        assert!(text.contains("no scope transcribe"), "{text}");
        let started = call(&server, &key, "transcribe_url", arguments.clone()).await;
        assert_eq!(started["status"], "pending");
        // Repeated, it starts nothing new; with the key of another request it is refused.
        let again = call(&server, &key, "transcribe_url", arguments.clone()).await;
        assert_eq!(again["recording_id"], started["recording_id"]);
        let mut other = arguments;
        other["speakers"] = json!(false);
        let text = refused(&server, &key, "transcribe_url", other).await;
        assert!(text.to_lowercase().contains("idempotency"), "{text}");
        let mut connection = server.state.db.read().await.unwrap();
        let filter = Filter {
            limit: 10,
            ..Filter::default()
        };
        let jobs = slovo_db::jobs::list(&mut connection, &ada.user_id, &filter).await;
        let [job] = &jobs.unwrap()[..] else {
            panic!("one job");
        };
        assert_eq!(
            job.id.to_string(),
            started["recording_id"].as_str().unwrap()
        );
        assert!(job.plan.speakers.is_some());
        for (arguments, expected) in [
            (json!({"url": "ftp://example.com/a.mp3"}), "url"),
            (json!({"url": "http://169.254.169.254/latest"}), "refused"),
            (
                json!({"url": "https://example.com/a.mp3", "mode": "lite"}),
                "language",
            ),
            (
                json!({"url": "https://example.com/a.mp3", "mode": "best"}),
                "mode",
            ),
            (
                json!({"url": "https://example.com/a.mp3", "language": "xx"}),
                "language",
            ),
            (json!({"link": "https://example.com/a.mp3"}), "link"),
            (
                json!({"url": "https://example.com/a.mp3", "idempotency_key": ""}),
                "idempotency_key",
            ),
        ] {
            let text = refused(&server, &key, "transcribe_url", arguments).await;
            assert!(text.to_lowercase().contains(expected), "{expected}: {text}");
        }
    });
}

#[apply(each_database!)]
fn recordings_of_others_do_not_exist(backend: Backend) {
    with_server(backend, async |server| {
        // An administrator, who may read all transcripts on the page.
        let admin = server.signup("admin@example.com").await;
        let ada = server.signup("ada@example.com").await;
        let job_id = job(&server, &ada, "secret.wav", b"recording").await;
        complete_next(&server, "Слово.").await;
        let (key, _) = program(&server, &admin, &["read", "transcribe"]).await;
        for name in ["get_recording", "get_transcript", "summarise"] {
            for id in [job_id.to_string(), "x".to_owned(), String::new()] {
                let text = refused(&server, &key, name, json!({"recording_id": id})).await;
                assert!(text.contains("There is no recording"), "{name}: {text}");
            }
        }
        let listed = call(&server, &key, "list_recordings", json!({})).await;
        assert!(!listed.to_string().contains("secret.wav"), "{listed}");
        let found = call(
            &server,
            &key,
            "search_transcripts",
            json!({"query": "Слово"}),
        )
        .await;
        assert_eq!(found["items"], json!([]));
    });
}

#[apply(each_database!)]
fn requests_without_a_key_or_from_foreign_pages_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let ada = server.signup("ada@example.com").await;
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        let mut nobody = request(&server, &ada, &list);
        nobody.headers_mut().remove(header::AUTHORIZATION);
        let answer = server.send(nobody).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert_eq!(answer.header("www-authenticate"), r#"Bearer realm="slovo""#);
        let stranger = TestUser {
            access_token: "slovo_unknown".to_owned(),
            ..ada.clone()
        };
        let answer = server.send(request(&server, &stranger, &list)).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert!(answer.header("www-authenticate").contains("invalid_token"));
        let (writer, _) = program(&server, &ada, &["write"]).await;
        let answer = server.send(request(&server, &writer, &list)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert!(
            answer
                .header("www-authenticate")
                .contains("insufficient_scope")
        );

        let (key, _) = program(&server, &ada, &["read"]).await;
        let mut page = request(&server, &key, &list);
        let origin = "https://evil.example".parse().unwrap();
        page.headers_mut().insert(header::ORIGIN, origin);
        assert_eq!(server.send(page).await.status, StatusCode::FORBIDDEN);
        // Passwords and keys of other protocols' forms.
        let mut token = request(&server, &key, &list);
        let value = format!("Token {}", key.access_token).parse().unwrap();
        token.headers_mut().insert(header::AUTHORIZATION, value);
        assert_eq!(server.send(token).await.status, StatusCode::UNAUTHORIZED);

        for path in [
            "/.well-known/oauth-protected-resource/mcp",
            "/.well-known/oauth-authorization-server",
        ] {
            let answer = server.get(path).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND);
            assert_eq!(answer.json()["error"], "invalid_request");
        }
    });
}

#[apply(each_database!)]
fn broken_and_huge_requests_are_answered(backend: Backend) {
    with_server(backend, async |server| {
        let ada = server.signup("ada@example.com").await;
        let (key, _) = program(&server, &ada, &["read"]).await;
        let send = async |body: String| {
            let mut request = request(&server, &key, &Value::Null);
            *request.body_mut() = Body::from(body);
            server.send(request).await.status
        };
        assert!(send("{".to_owned()).await.is_client_error());
        assert!(send("[]".to_owned()).await.is_client_error());
        assert_eq!(
            send("x".repeat(300 * 1024)).await,
            StatusCode::PAYLOAD_TOO_LARGE
        );
        let unknown = ask(&server, &key, "tools/explode", json!({})).await.json();
        assert!(unknown["error"]["code"].is_number(), "{unknown}");
        let tool = json!({"name": "explode", "arguments": {}});
        let tool = ask(&server, &key, "tools/call", tool).await.json();
        assert!(tool["error"]["code"].is_number(), "{tool}");
        for arguments in [
            json!({"recording_id": 5}),
            json!({}),
            json!({"recording_id": "x", "extra": true}),
        ] {
            refused(&server, &key, "get_transcript", arguments).await;
        }
        let cursor = json!({"query": "a", "cursor": "x"});
        let text = refused(&server, &key, "search_transcripts", cursor).await;
        assert!(text.contains("cursor"), "{text}");
        let nan = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":
            {"name":"get_transcript","arguments":{"recording_id":"x","start":1e999}}}"#;
        assert!(send(nan.to_owned()).await.as_u16() < 500);
    });
}
