//! The provider's logo: how it is served, and that it cannot do harm.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::provider::options_for;
use crate::testing::{Backend, apply, each_database, with_server_options};

const ISSUER: &str = "https://id.example.com";
const MARK: &str = "/api/v1/auth/google/mark";
const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";

#[apply(each_database!)]
fn the_provider_logo_is_public_and_cannot_run_scripts(backend: Backend) {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), SVG).unwrap();
    let mut options = options_for(ISSUER);
    options.extend(["--openid-mark", file.path().to_str().unwrap()]);
    with_server_options(backend, &options, async |server| {
        let offered = server.get("/api/v1/auth/options").await.json();
        assert_eq!(offered["provider_mark"], MARK);
        let mark = server.get(MARK).await;
        assert_eq!(mark.status, StatusCode::OK);
        assert_eq!(mark.text(), SVG);
        assert_eq!(mark.header("content-type"), "image/svg+xml");
        assert_eq!(mark.header("cache-control"), "public, max-age=3600");
        assert_eq!(mark.header("x-content-type-options"), "nosniff");
        let policy = mark.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"));
        assert!(!policy.contains("script"));
        let cached = Request::get(MARK).header("if-none-match", mark.header("etag"));
        let cached = server.send(cached.body(Body::empty()).unwrap()).await;
        assert_eq!(cached.status, StatusCode::NOT_MODIFIED);
        assert_eq!(cached.text(), "");
    });
}

#[apply(each_database!)]
fn without_a_configured_logo_none_is_offered(backend: Backend) {
    // An empty variable counts as not set.
    let nothing: &[&str] = &[];
    for extra in [nothing, &["--openid-mark", ""]] {
        let options = [options_for(ISSUER).as_slice(), extra].concat();
        with_server_options(backend, &options, async |server| {
            let offered = server.get("/api/v1/auth/options").await.json();
            assert_eq!(offered["google"], json!(true));
            assert_eq!(offered["provider_mark"], Value::Null);
            let mark = server.get(MARK).await;
            mark.is_problem(StatusCode::NOT_FOUND, "not_found");
        });
    }
}
