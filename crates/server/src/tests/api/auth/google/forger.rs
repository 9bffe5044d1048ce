//! A test provider that sends whatever a test needs.

use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::provider::{CLIENT_ID, CLIENT_SECRET};

/// How an ID token is signed.
#[derive(Clone, Copy)]
pub enum Signature {
    /// With the published key.
    Right,
    /// With another key, under the key id of the published one.
    OtherKey,
    /// With another key, under its own key id.
    UnknownKey,
    /// With the client's secret.
    ClientSecret,
    /// Unsigned (`alg: none`).
    None,
}

/// The answer to the exchange of a code.
#[derive(Clone)]
pub enum Answer {
    Token(Value, Signature),
    Status(u16),
    /// This text, as JSON.
    Text(String),
    /// The correct token, in an answer that is far too large.
    Huge(Value),
    /// A redirect to another URL, which has the correct token.
    Redirect(Value),
}

#[derive(Clone)]
pub struct ProviderBehaviour {
    pub answer: Answer,
    /// Issuer in the discovery document, if not the real one.
    pub called: Option<String>,
    /// Whether it serves a discovery document.
    pub up: bool,
    /// Whether the published key is the second one.
    pub rotated: bool,
}

#[derive(Clone)]
pub struct Forger {
    pub issuer: String,
    manner: Arc<Mutex<ProviderBehaviour>>,
}

/// An Ed25519 private key: this byte 32 times (PKCS #8, RFC 8410).
fn private_key(seed: u8) -> EncodingKey {
    let mut der = hex::decode("302e020100300506032b657004220420").unwrap();
    der.extend([seed; 32]);
    EncodingKey::from_ed_der(&der)
}

/// The public keys of the seeds `a` and `b`.
const PUBLIC_KEYS: [(&str, &str); 2] = [
    ("a", "rwaj4ykXFOTzVsGcmxXNGVHsbmZiqne-B1R_KJODNB0"),
    ("b", "LfBBJfABWvtHzoU674dyCU_5SYwUyxueEpc8KSfaD6Y"),
];

impl Forger {
    /// Listens on a free port until the tests end.
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let manner = ProviderBehaviour {
            answer: Answer::Status(500),
            called: None,
            up: true,
            rotated: false,
        };
        let forger = Self {
            issuer: format!("http://{}", listener.local_addr().unwrap()),
            manner: Arc::new(Mutex::new(manner)),
        };
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(keys))
            .route("/token", post(token))
            .route("/elsewhere", post(elsewhere))
            .with_state(forger.clone());
        std::thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            runtime.enable_all().build().unwrap().block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, router).await.unwrap();
            });
        });
        forger
    }

    pub fn behave(&self, change: impl FnOnce(&mut ProviderBehaviour)) {
        change(&mut self.manner.lock().unwrap());
    }

    fn manner(&self) -> ProviderBehaviour {
        self.manner.lock().unwrap().clone()
    }
}

async fn discovery(State(forger): State<Forger>) -> Response {
    let (issuer, manner) = (&forger.issuer, forger.manner());
    if !manner.up {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    Json(json!({
        "issuer": manner.called.as_ref().unwrap_or(issuer),
        "authorization_endpoint": format!("{issuer}/auth"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        // More than the server should accept.
        "id_token_signing_alg_values_supported": ["EdDSA", "RS256", "HS256", "none"],
    }))
    .into_response()
}

async fn keys(State(forger): State<Forger>) -> Json<Value> {
    let (kid, x) = PUBLIC_KEYS[usize::from(forger.manner().rotated)];
    let key = json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": kid,
        "x": x});
    Json(json!({"keys": [key]}))
}

async fn token(State(forger): State<Forger>) -> Response {
    let manner = forger.manner();
    match manner.answer {
        Answer::Token(claims, signature) => tokens(&claims, signature, manner.rotated, "x"),
        Answer::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        Answer::Text(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Answer::Huge(claims) => {
            let huge = "x".repeat(2 * 1024 * 1024);
            tokens(&claims, Signature::Right, manner.rotated, &huge)
        }
        Answer::Redirect(_) => Redirect::temporary("/elsewhere").into_response(),
    }
}

async fn elsewhere(State(forger): State<Forger>) -> Response {
    let manner = forger.manner();
    let Answer::Redirect(claims) = manner.answer else {
        return StatusCode::NOT_FOUND.into_response();
    };
    tokens(&claims, Signature::Right, manner.rotated, "x")
}

fn tokens(claims: &Value, signature: Signature, rotated: bool, access_token: &str) -> Response {
    let id_token = sign(claims, signature, rotated);
    let tokens =
        json!({"access_token": access_token, "token_type": "Bearer", "id_token": id_token});
    Json(tokens).into_response()
}

fn sign(claims: &Value, signature: Signature, rotated: bool) -> String {
    let (own, other) = if rotated { (b'b', b'a') } else { (b'a', b'b') };
    let with = |algorithm, kid: u8, key: &EncodingKey| {
        let mut header = Header::new(algorithm);
        header.kid = Some(char::from(kid).to_string());
        encode(&header, claims, key).unwrap()
    };
    match signature {
        Signature::Right => with(Algorithm::EdDSA, own, &private_key(own)),
        Signature::OtherKey => with(Algorithm::EdDSA, own, &private_key(other)),
        Signature::UnknownKey => with(Algorithm::EdDSA, other, &private_key(other)),
        Signature::ClientSecret => {
            let key = EncodingKey::from_secret(CLIENT_SECRET.as_bytes());
            with(Algorithm::HS256, own, &key)
        }
        Signature::None => {
            let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
            format!("{}.{}.", part(&json!({"alg": "none"})), part(claims))
        }
    }
}

/// Claims that pass every check of a sign-in with this nonce that started at `now`.
pub fn claims(forger: &Forger, nonce: &str, now: i64) -> Value {
    json!({"iss": forger.issuer, "sub": "7", "aud": CLIENT_ID, "iat": now, "exp": now + 3600,
        "nonce": nonce, "email": "forged@example.com", "email_verified": true})
}
