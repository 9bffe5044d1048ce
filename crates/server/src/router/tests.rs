//! Behaviour of every request, whatever its action.

use std::fs;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};

use crate::pages::Pages;
use crate::testing::{
    Answer, Backend, TestServer, apply, assert_answer, each_database, with_server,
    with_server_options,
};

const LOGIN: &str = "/api/v1/auth/login";

async fn login_with(
    server: &TestServer,
    content_type: Option<&str>,
    body: impl Into<Body>,
) -> Answer {
    let mut request = Request::post(LOGIN);
    if let Some(content_type) = content_type {
        request = request.header("content-type", content_type);
    }
    server.send(request.body(body.into()).unwrap()).await
}

/// A minimal built web app.
fn web_app() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("assets")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("index.html", "<!doctype html><title>Slovo</title>");
    write("favicon.svg", "<svg/>");
    write("assets/main-1a2b.js", &"console.log(1);\n".repeat(200));
    write("assets/rules-3c4d.wasm", "\0asm");
    folder
}

#[apply(each_database!)]
fn bodies_that_are_not_json_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let json = Some("application/json");
        for (content_type, body, name) in [
            (json, "{", "body_malformed"),
            (json, "", "body_empty"),
            (json, "[1]", "body_array"),
            (Some("text/plain"), "{}", "body_text"),
            (None, "{}", "body_untyped"),
        ] {
            let answer = login_with(&server, content_type, body).await;
            assert_answer!(name, answer);
        }
        let not_text = login_with(&server, json, vec![b'"', 0xff, 0xfe, b'"']).await;
        not_text.is_problem(StatusCode::BAD_REQUEST, "malformed_json");
        let deep = login_with(&server, json, "[".repeat(100_000)).await;
        assert!(deep.status.is_client_error(), "{}", deep.text());
    });
}

#[apply(each_database!)]
fn a_huge_body_is_refused(backend: Backend) {
    with_server(backend, async |server| {
        let huge = format!("{{\"email\": \"{}\"}}", "a".repeat(2 * 1024 * 1024));
        let answer = login_with(&server, Some("application/json"), huge).await;
        answer.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
    });
}

#[apply(each_database!)]
fn unknown_api_paths_and_methods_answer_with_a_problem(backend: Backend) {
    with_server(backend, async |server| {
        assert_answer!("unknown_path", server.get("/api/v1/nothing").await);
        assert_answer!("unknown_method", server.get(LOGIN).await);
        for path in [
            "/api",
            "/api/",
            "/api/v2/auth/me",
            "/api/v1/auth/me/",
            "/api/..%2f..%2fetc/passwd",
        ] {
            server
                .get(path)
                .await
                .is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let request = Request::builder()
            .method(Method::TRACE)
            .uri("/api/v1/auth/me");
        let answer = server.send(request.body(Body::empty()).unwrap()).await;
        answer.is_problem(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed");
    });
}

#[apply(each_database!)]
fn a_harmless_request_id_is_kept_and_others_are_replaced(backend: Backend) {
    with_server(backend, async |server| {
        let with_id = async |id: &[u8]| {
            let request = Request::get("/api/v1/nothing").header("x-request-id", id);
            let answer = server.send(request.body(Body::empty()).unwrap()).await;
            answer.code();
            answer.header("x-request-id").to_owned()
        };
        assert_eq!(with_id(b"trace-1.A_b").await, "trace-1.A_b");
        let long = "a".repeat(65);
        let bad: [&[u8]; 6] = [
            b"",
            b"a b",
            b"<script>",
            b"a\tb",
            "\u{456}".as_bytes(),
            long.as_bytes(),
        ];
        for bad in bad {
            let generated = with_id(bad).await;
            assert_eq!(generated.len(), 36, "{bad:?} became {generated}");
        }
        let first = server
            .get("/healthz")
            .await
            .header("x-request-id")
            .to_owned();
        assert_ne!(first, server.get("/healthz").await.header("x-request-id"));
    });
}

#[apply(each_database!)]
fn api_responses_have_headers_that_forbid_use_as_a_page(backend: Backend) {
    with_server(backend, async |server| {
        for path in ["/api/v1/auth/me", "/api/v1/nothing", "/api/openapi.json"] {
            let answer = server.get(path).await;
            let policy = answer.header("content-security-policy");
            assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            assert_eq!(answer.header("cache-control"), "no-store");
            assert!(answer.headers.get("access-control-allow-origin").is_none());
        }
    });
}

#[apply(each_database!)]
fn the_api_document_is_served(backend: Backend) {
    with_server(backend, async |server| {
        let answer = server.get("/api/openapi.json").await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.json()["openapi"], "3.1.0");
        assert_eq!(answer.text() + "\n", crate::openapi::text().unwrap());
    });
}

#[apply(each_database!)]
fn app_routes_serve_the_app_with_a_strict_policy(backend: Backend) {
    let web = web_app();
    let folder = web.path().to_str().unwrap();
    with_server_options(backend, &["--web", folder], async |server| {
        for route in ["/login", "/transcription/0199-abc", "/upload?tab=url"] {
            let page = server.get(route).await;
            assert_eq!(page.status, StatusCode::OK, "{route}");
            assert_eq!(page.header("content-type"), "text/html", "{route}");
            assert_eq!(page.header("cache-control"), "no-cache", "{route}");
            let policy = page.header("content-security-policy");
            assert!(
                policy.contains("script-src 'self' 'wasm-unsafe-eval';"),
                "{policy}"
            );
            assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
            assert!(
                !policy.contains("script-src 'self' 'unsafe-inline'"),
                "{policy}"
            );
            assert_eq!(page.header("referrer-policy"), "same-origin");
        }
    });
}

#[apply(each_database!)]
fn only_existing_hashed_files_are_cached_for_ever(backend: Backend) {
    let web = web_app();
    let folder = web.path().to_str().unwrap();
    with_server_options(backend, &["--web", folder], async |server| {
        let script = server.get("/assets/main-1a2b.js").await;
        assert_eq!(
            script.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(script.header("content-type"), "text/javascript");
        let wasm = server.get("/assets/rules-3c4d.wasm").await;
        assert_eq!(wasm.header("content-type"), "application/wasm");
        assert_eq!(
            server.get("/favicon.svg").await.header("cache-control"),
            "no-cache"
        );
        // An unknown path is a "not found" page, whatever the client accepts.
        for missing in [
            "/assets/main-9z.js",
            "/assets/old",
            "/humans.txt",
            "/../Cargo.toml",
        ] {
            let answer = server.get(missing).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{missing}");
            assert!(answer.header("cache-control") != "public, max-age=31536000, immutable");
            assert!(
                answer.text().contains("Ой! Сторінку не знайдено"),
                "{missing}"
            );
        }
        for outside in [
            "/..%2f..%2fetc%2fpasswd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "//etc/passwd",
        ] {
            let answer = server.get(outside).await;
            assert!(!answer.text().contains("root:"), "{outside}");
        }
        let posted = server.post("/login", &serde_json::json!({})).await;
        assert_eq!(posted.status, StatusCode::METHOD_NOT_ALLOWED);
    });
}

#[apply(each_database!)]
fn text_is_compressed_and_small_answers_are_not(backend: Backend) {
    let web = web_app();
    let folder = web.path().to_str().unwrap();
    with_server_options(backend, &["--web", folder], async |server| {
        let encoding_of = async |path: &str, accepted: &str| {
            let request = Request::get(path).header("accept-encoding", accepted);
            let answer = server.send(request.body(Body::empty()).unwrap()).await;
            answer.header("content-encoding").to_owned()
        };
        for path in ["/assets/main-1a2b.js", "/api/openapi.json", "/about"] {
            assert_eq!(encoding_of(path, "gzip, br").await, "br", "{path}");
            assert_eq!(encoding_of(path, "gzip").await, "gzip", "{path}");
            assert_eq!(encoding_of(path, "identity").await, "", "{path}");
        }
        assert_eq!(encoding_of("/healthz", "gzip, br").await, "");
    });
}

#[apply(each_database!)]
fn without_a_built_web_app_the_page_explains_how_to_build_it(backend: Backend) {
    with_server(backend, async |server| {
        let router =
            super::web::router(None, Pages::new(&server.state, crate::openapi::actions().1))
                .with_state(server.state.clone());
        let request = Request::get("/login").body(Body::empty()).unwrap();
        let page = tower::ServiceExt::oneshot(router, request).await.unwrap();
        assert_eq!(page.status(), StatusCode::NOT_FOUND);
        let body = axum::body::to_bytes(page.into_body(), usize::MAX)
            .await
            .unwrap();
        assert!(String::from_utf8_lossy(&body).contains("cargo xtask up"));
    });
}

#[apply(each_database!)]
fn a_panic_becomes_a_problem_without_its_cause(backend: Backend) {
    with_server(backend, async |server| {
        let router = axum::Router::new().route(
            "/api/panic",
            axum::routing::get(async || -> () { panic!("secret figure 42") }),
        );
        let router = slovo_app::http::finish(router, server.state.clone());
        let request = Request::get("/api/panic").body(Body::empty()).unwrap();
        let response = tower::ServiceExt::oneshot(router, request).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let id = response.headers()["x-request-id"]
            .to_str()
            .unwrap()
            .to_owned();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX)
            .await
            .unwrap();
        let document: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(document["code"], "internal");
        assert_eq!(document["request_id"], id.as_str());
        assert!(!document.to_string().contains("42"), "{document}");
    });
}

#[apply(each_database!)]
fn a_long_problem_is_complete_when_compressed(backend: Backend) {
    with_server(backend, async |server| {
        let long = async || slovo_app::http::Problem::not_found().detail("why ".repeat(1000));
        let router = axum::Router::new().route("/api/long", axum::routing::get(long));
        let router = slovo_app::http::finish(router, server.state.clone());
        let answer = async |encoding: &str| {
            let request = Request::get("/api/long").header("accept-encoding", encoding);
            let request = request.body(Body::empty()).unwrap();
            let response = tower::ServiceExt::oneshot(router.clone(), request)
                .await
                .unwrap();
            let compressed = response.headers().contains_key("content-encoding");
            let body = axum::body::to_bytes(response.into_body(), usize::MAX)
                .await
                .unwrap();
            (compressed, body)
        };
        let (compressed, body) = answer("gzip").await;
        assert!(compressed && body.starts_with(&[0x1f, 0x8b]), "{body:?}");
        let (compressed, body) = answer("identity").await;
        assert!(!compressed && body.ends_with(b"}"), "{body:?}");
    });
}

#[apply(each_database!)]
fn hsts_is_sent_over_https_only(backend: Backend) {
    let hsts = async |server: &TestServer, forwarded: &str| {
        let request = Request::get("/healthz").header("x-forwarded-proto", forwarded);
        let answer = server.send(request.body(Body::empty()).unwrap()).await;
        answer.header("strict-transport-security").to_owned()
    };
    with_server(backend, async |server| {
        // Only the client's own header says https, which does not count.
        assert_eq!(hsts(&server, "https").await, "");
    });
    with_server_options(backend, &["--behind-proxy"], async |server| {
        assert_eq!(hsts(&server, "https").await, "max-age=31536000");
        assert_eq!(hsts(&server, "http").await, "");
    });
    let public = ["--public-url", "https://slovo.example.com"];
    with_server_options(backend, &public, async |server| {
        assert_eq!(hsts(&server, "").await, "max-age=31536000");
    });
}

#[apply(each_database!)]
fn a_database_that_stays_busy_is_reported_as_unavailable(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let mut connections = Vec::new();
        for _ in 0..slovo_db::testing::CONNECTIONS {
            connections.push(server.state.db.read().await.unwrap());
        }
        let answer = server.get_as(&me, "/api/v1/jobs").await;
        answer.is_problem(StatusCode::SERVICE_UNAVAILABLE, "unavailable");
        assert_eq!(answer.header("retry-after"), "1");
        connections.clear();
        let answer = server.get_as(&me, "/api/v1/jobs").await;
        assert_eq!(answer.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn only_configured_origins_may_call_the_api(backend: Backend) {
    const PAGE: &str = "https://tools.example";
    let ask = async |server: &TestServer, method: &str, path: &str, origin: &str| {
        let request = Request::builder().method(method).uri(path);
        let request = request
            .header("origin", origin)
            .header("access-control-request-method", "PATCH")
            .header(
                "access-control-request-headers",
                "authorization, upload-offset",
            );
        server.send(request.body(Body::empty()).unwrap()).await
    };
    with_server(backend, async |server| {
        let answer = ask(&server, "GET", "/api/v1/auth/options", PAGE).await;
        assert_eq!(answer.header("access-control-allow-origin"), "");
    });
    let origins = format!("{PAGE},http://localhost:3000");
    with_server_options(backend, &["--cors-origins", &origins], async |server| {
        for path in ["/api/v1/uploads", "/v1/audio/transcriptions"] {
            let answer = ask(&server, "OPTIONS", path, PAGE).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            assert_eq!(answer.header("access-control-allow-origin"), PAGE);
            assert_eq!(answer.header("access-control-allow-methods"), "PATCH");
            let headers = answer.header("access-control-allow-headers");
            assert!(headers.contains("authorization"), "{headers}");
            // Cookies are never sent along.
            assert_eq!(answer.header("access-control-allow-credentials"), "");
        }
        let answer = ask(&server, "GET", "/api/v1/jobs", PAGE).await;
        answer.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        assert_eq!(answer.header("access-control-allow-origin"), PAGE);
        assert!(
            answer
                .header("access-control-expose-headers")
                .contains("x-request-id")
        );
        for (path, origin) in [
            ("/api/v1/auth/options", "https://tools.example.evil"),
            ("/api/v1/auth/options", "https://evil.example"),
            ("/api/v1/auth/options", "null"),
            ("/", PAGE),
        ] {
            let answer = ask(&server, "GET", path, origin).await;
            assert_eq!(answer.header("access-control-allow-origin"), "", "{origin}");
        }
    });
}
