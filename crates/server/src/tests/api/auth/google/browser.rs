//! A test browser: keeps the cookies of the server and the provider, and follows redirects.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use reqwest::{Client, Response, Url};
use serde_json::{Value, json};

use super::provider::{PUBLIC_URL, client};
use crate::testing::{Answer, TestServer, TestUser};

const START: &str = "/api/v1/auth/google/start";
const SESSION: &str = "/api/v1/auth/google/session";

/// Far more redirects than a sign-in needs.
const MAX_STEPS: usize = 10;

pub struct Browser {
    /// The server's cookie.
    pub cookie: Option<String>,
    /// The provider's cookies by path and name.
    theirs: BTreeMap<(String, String), String>,
    client: Client,
}

impl Browser {
    pub fn new() -> Self {
        Self {
            cookie: None,
            theirs: BTreeMap::new(),
            client: client(),
        }
    }

    /// Opens a path of the server.
    pub async fn open(&mut self, server: &TestServer, path: &str) -> Answer {
        self.send(server, Request::get(path), Body::empty()).await
    }

    async fn send(
        &mut self,
        server: &TestServer,
        mut request: axum::http::request::Builder,
        body: Body,
    ) -> Answer {
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, format!("a=b; slovo.openid={cookie}"));
        }
        let answer = server.send(request.body(body).unwrap()).await;
        if let Some(set) = answer.header("set-cookie").strip_prefix("slovo.openid=") {
            let value = set.split(';').next().unwrap_or_default();
            self.cookie = (!value.is_empty()).then(|| value.to_owned());
        }
        answer
    }

    /// Starts a sign-in; returns the provider's URL.
    pub async fn start(&mut self, server: &TestServer, query: &str) -> Url {
        let answer = self.open(server, &format!("{START}?{query}")).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text());
        answer.header("location").parse().unwrap()
    }

    /// Signs in at the provider, or cancels; returns the path to which it redirects.
    pub async fn visit(&mut self, page: Url, login: Option<&str>) -> String {
        let mut page = page;
        for _ in 0..MAX_STEPS {
            let mut answer = self.fetch(self.client.get(page.clone())).await;
            if answer.status() == StatusCode::OK {
                let body = match login {
                    Some(login) => urlencoded("login", login),
                    None => urlencoded("cancel", "yes"),
                };
                let request = self.client.post(page.clone()).body(body);
                let kind = "application/x-www-form-urlencoded";
                answer = self.fetch(request.header(header::CONTENT_TYPE, kind)).await;
            }
            let status = answer.status();
            let Some(location) = answer.headers().get(header::LOCATION) else {
                panic!("{page}: {status} {}", answer.text().await.unwrap());
            };
            page = page.join(location.to_str().unwrap()).unwrap();
            if page.as_str().starts_with(PUBLIC_URL) {
                return format!("{}?{}", page.path(), page.query().unwrap_or_default());
            }
        }
        panic!("the provider does not lead back");
    }

    async fn fetch(&mut self, request: reqwest::RequestBuilder) -> Response {
        let mut request = request.build().unwrap();
        let path = request.url().path().to_owned();
        let matching = self
            .theirs
            .iter()
            .filter(|((at, _), _)| path.starts_with(at.as_str()));
        let cookies: Vec<_> = matching
            .map(|((_, name), value)| format!("{name}={value}"))
            .collect();
        let cookies = cookies.join("; ").parse().unwrap();
        request.headers_mut().insert(header::COOKIE, cookies);
        let answer = self.client.execute(request).await.unwrap();
        for set in answer.headers().get_all(header::SET_COOKIE) {
            self.store_cookie(set.to_str().unwrap());
        }
        answer
    }

    fn store_cookie(&mut self, set: &str) {
        let mut parts = set.split(';').map(str::trim);
        let (name, value) = parts.next().unwrap().split_once('=').unwrap();
        let path = parts
            .find_map(|part| part.strip_prefix("path="))
            .unwrap_or("/");
        let key = (path.to_owned(), name.to_owned());
        if value.is_empty() {
            self.theirs.remove(&key);
        } else {
            self.theirs.insert(key, value.to_owned());
        }
    }

    /// From the sign-in button to the redirect of the callback.
    pub async fn arrive(&mut self, server: &TestServer, query: &str, login: &str) -> Answer {
        let page = self.start(server, query).await;
        let back = self.visit(page, Some(login)).await;
        self.open(server, &back).await
    }

    /// Fetches the session.
    pub async fn session(&mut self, server: &TestServer, handoff: &str) -> Answer {
        let body = json!({"handoff": handoff}).to_string();
        let request = Request::post(SESSION).header(header::CONTENT_TYPE, "application/json");
        self.send(server, request, Body::from(body)).await
    }

    /// A complete sign-in; returns the session.
    pub async fn sign_in(&mut self, server: &TestServer, login: &str) -> Value {
        let answer = self.arrive(server, "intent=login&locale=en", login).await;
        let session = self.session(server, &handoff(&answer)).await;
        assert_eq!(session.status, StatusCode::OK, "{}", session.text());
        let signed = TestUser::from(&session.json());
        assert_eq!(server.me(&signed).await.status, StatusCode::OK);
        session.json()
    }
}

/// A form with one field.
fn urlencoded(name: &str, value: &str) -> String {
    let mut url: Url = PUBLIC_URL.parse().unwrap();
    url.query_pairs_mut().append_pair(name, value);
    url.query().unwrap().to_owned()
}

/// The handoff token in a redirect to the page.
#[track_caller]
pub fn handoff(answer: &Answer) -> String {
    let page = format!("{PUBLIC_URL}/signed-in#handoff=");
    let location = answer.header("location");
    let handoff = location.strip_prefix(&page);
    handoff
        .unwrap_or_else(|| panic!("{} {location}", answer.status))
        .to_owned()
}

/// Asserts that an answer redirects to the page, and removes the cookie.
#[track_caller]
pub fn assert_redirect(answer: &Answer, location: &str) {
    let actual = (answer.status, answer.header("location"));
    assert_eq!(
        actual,
        (StatusCode::SEE_OTHER, location),
        "{}",
        answer.text()
    );
    assert!(answer.header("set-cookie").starts_with("slovo.openid=; "));
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
}
