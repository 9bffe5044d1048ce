//! Test support: the real router with a real database per test, a manual clock, and seeded
//! randomness.

mod answer;
mod configuration;
mod mails;
mod problems;
pub mod scripted;

pub use answer::Answer;
pub(crate) use answer::assert_answer;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::Response;
pub use macro_rules_attribute::apply;
use serde_json::{Value, json};
use slovo_db::Database;
pub use slovo_db::testing::{Backend, each_database};
pub use slovo_platform::testing::{SeededRandom, TestClock};
use tower::ServiceExt;

use crate::router;
use slovo_accounts::auth::Passwords;
use slovo_app::state::{AppState, Parts};
use slovo_mail::{CapturedMail, Transport};
use slovo_storage::Storage;
use slovo_work::analysis::engines::Engines;
use slovo_work::jobs::Driver;
use slovo_work::queues::Queues;

/// Timeout for expected events: far longer than they take on a busy machine, so only hanging tests
/// reach it.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// Timeout for tasks that run beside a test's requests. Jobs may take longer.
const SETTLED_WITHIN: Duration = Duration::from_secs(2);

/// A password that meets every rule.
pub const PASSWORD: &str = "Correct-Horse-7";

/// Runs `test` with a fresh server on a database of this kind.
pub fn with_server<F: AsyncFnOnce(TestServer)>(backend: Backend, test: F) {
    with_server_options(backend, &[], test);
}

/// [`with_server`] with options of `slovo serve`.
pub fn with_server_options<F: AsyncFnOnce(TestServer)>(
    backend: Backend,
    options: &[&str],
    test: F,
) {
    with_database(backend, async |database| {
        test(TestServer::new(database, options)).await;
    });
}

/// [`with_server`] with these engines.
pub fn with_server_engines<F: AsyncFnOnce(TestServer)>(
    backend: Backend,
    engines: Engines,
    test: F,
) {
    with_database(backend, async |database| {
        test(TestServer::with_engines(database, &[], engines)).await;
    });
}

/// Runs `test` with a fresh, migrated database of this kind.
pub fn with_database<F: AsyncFnOnce(Database)>(backend: Backend, test: F) {
    slovo_db::testing::with_database_at(backend, slovo_test_postgres::url, test);
}

/// A server without a network: requests go straight into its router.
pub struct TestServer {
    pub state: AppState,
    pub clock: TestClock,
    pub router: Router,
    /// Tasks of a worker, which end only with the server.
    standing: AtomicUsize,
    _data: tempfile::TempDir,
}

/// A signed-in user.
#[derive(Clone, Debug)]
pub struct TestUser {
    pub user_id: String,
    pub access_token: String,
    pub refresh_token: String,
}

impl TestUser {
    pub fn from(session: &Value) -> Self {
        Self {
            user_id: text(&session["user"]["id"]),
            access_token: text(&session["access_token"]),
            refresh_token: text(&session["refresh_token"]),
        }
    }
}

fn text(value: &Value) -> String {
    let text = value.as_str();
    text.unwrap_or_else(|| panic!("{value}")).to_owned()
}

impl TestServer {
    pub fn new(db: Database, options: &[&str]) -> Self {
        Self::with_engines(db, options, Engines::default())
    }

    /// [`TestServer::new`] with these engines.
    pub fn with_engines(db: Database, options: &[&str], engines: Engines) -> Self {
        Self::with_storage(db, options, engines, |data| Storage::open(data).unwrap())
    }

    /// [`TestServer::with_engines`] with the storage that is made for a data folder.
    pub fn with_storage(
        db: Database,
        options: &[&str],
        engines: Engines,
        storage: impl FnOnce(&Path) -> Storage,
    ) -> Self {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().to_str().unwrap();
        // Without the sample, an account contains only what the test creates.
        let empty: &[&str] = match options.contains(&"--sample") {
            true => &[],
            false => &["--sample", "false"],
        };
        let arguments = [&["slovo", "--data", folder][..], empty, options].concat();
        let config = configuration::configured(&arguments);
        let clock = TestClock::new();
        let random = Arc::new(SeededRandom::new(7));
        let passwords = Passwords::with_cost(8, 1, 1, &*random).unwrap();
        let shared_clock = Arc::new(clock.clone());
        let parts = Parts {
            storage: storage(config.data()),
            config,
            db,
            clock: shared_clock,
            random,
            passwords,
            mail: Transport::caught(),
            engines,
        };
        let state = AppState::assemble(parts).unwrap();
        Self {
            router: router::router(state.clone()).layer(from_fn(problems::listed)),
            state,
            clock,
            standing: AtomicUsize::new(0),
            _data: data,
        }
    }

    /// Another process on the same database and the same recordings.
    pub fn another_process(&self) -> AppState {
        let other = AppState::assemble(Parts {
            config: self.state.config.clone(),
            db: self.state.db.clone(),
            storage: self.state.storage.clone(),
            clock: Arc::new(self.clock.clone()),
            random: Arc::new(SeededRandom::new(8)),
            passwords: self.state.passwords.clone(),
            mail: Transport::caught(),
            engines: Engines::default(),
        });
        other.unwrap()
    }

    /// Starts the worker of this server's jobs.
    pub async fn start_work(&self) {
        let before = self.state.tasks.len();
        let data = self.state.config.data();
        let queues = Queues::all();
        let started = self.state.jobs.start(data, &queues, Driver::Tables).await;
        drop(started.unwrap());
        let standing = self.state.tasks.len() - before;
        self.standing.store(standing, Ordering::SeqCst);
    }

    /// Sends a request unchanged, from 192.0.2.1 unless it specifies another address.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.open(request).await;
        let (head, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        Answer {
            status: head.status,
            headers: head.headers,
            body,
        }
    }

    /// [`TestServer::send`] without reading the body.
    pub async fn open(&self, mut request: Request<Body>) -> Response {
        if request
            .extensions()
            .get::<ConnectInfo<SocketAddr>>()
            .is_none()
        {
            let peer = SocketAddr::from(([192, 0, 2, 1], 40000));
            request.extensions_mut().insert(ConnectInfo(peer));
        }
        self.router.clone().oneshot(request).await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap())
            .await
    }

    pub async fn get_as(&self, who: &TestUser, path: &str) -> Answer {
        self.send(
            self.request(Method::GET, path, who)
                .body(Body::empty())
                .unwrap(),
        )
        .await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap())
            .await
    }

    /// [`TestServer::post`] from this client address.
    pub async fn post_from(&self, peer: &str, path: &str, body: &Value) -> Answer {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        let mut request = request.body(Body::from(body.to_string())).unwrap();
        let peer = SocketAddr::new(peer.parse().unwrap(), 40000);
        request.extensions_mut().insert(ConnectInfo(peer));
        self.send(request).await
    }

    pub async fn post_as(&self, who: &TestUser, path: &str, body: &Value) -> Answer {
        let request = self.request(Method::POST, path, who);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap())
            .await
    }

    /// A request builder for this user.
    pub fn request(
        &self,
        method: Method,
        path: &str,
        who: &TestUser,
    ) -> axum::http::request::Builder {
        Request::builder().method(method).uri(path).header(
            header::AUTHORIZATION,
            format!("Bearer {}", who.access_token),
        )
    }

    /// Creates an account with [`PASSWORD`] and the mailed code, and signs in.
    pub async fn signup(&self, email: &str) -> TestUser {
        let registration = self.register(email).await;
        let code = self.last_mail(&text(&registration["email"])).await.code();
        let answer = self.verify(&registration, &code).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        TestUser::from(&answer.json())
    }

    /// Starts a sign-up with [`PASSWORD`]; the code is in the mail.
    pub async fn register(&self, email: &str) -> Value {
        let answer = self.post("/api/v1/auth/signup", &signup_form(email)).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        answer.json()
    }

    /// Verifies a code for the result of [`TestServer::register`].
    pub async fn verify(&self, registration: &Value, code: &str) -> Answer {
        let form = json!({"registration": registration["registration"], "code": code});
        self.post("/api/v1/auth/verify", &form).await
    }

    pub async fn login(&self, email: &str, password: &str) -> Answer {
        self.post(
            "/api/v1/auth/login",
            &json!({"email": email, "password": password}),
        )
        .await
    }

    pub async fn me(&self, who: &TestUser) -> Answer {
        self.get_as(who, "/api/v1/auth/me").await
    }

    /// All sent mails, oldest first, including those of background tasks.
    pub async fn mails(&self) -> Vec<CapturedMail> {
        let settled = async {
            while self.state.tasks.len() > self.standing.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        // A running job may take any time.
        let _ = tokio::time::timeout(SETTLED_WITHIN, settled).await;
        self.state.mail.caught()
    }

    /// The newest mail to this address; waits for the first one.
    pub async fn last_mail(&self, to: &str) -> CapturedMail {
        self.last_mail_that(to, |_| true).await
    }

    /// The newest mail of a kind to this address; waits for the first one. For mails that
    /// background tasks send after others.
    pub async fn last_mail_of_kind(&self, to: &str, kind: &str) -> CapturedMail {
        self.last_mail_that(to, |mail| mail.kind == kind).await
    }

    async fn last_mail_that(
        &self,
        to: &str,
        is_expected: impl Fn(&CapturedMail) -> bool,
    ) -> CapturedMail {
        let coming = async {
            loop {
                let mails = self.mails().await;
                let mut newest_first = mails.into_iter().rev();
                if let Some(last) = newest_first.find(|mail| mail.to == to && is_expected(mail)) {
                    return last;
                }
            }
        };
        let last = tokio::time::timeout(TIMEOUT, coming).await;
        last.unwrap_or_else(|_| panic!("no mail to {to} among {:?}", self.state.mail.caught()))
    }
}

/// A sign-up form with [`PASSWORD`].
pub fn signup_form(email: &str) -> Value {
    json!({"email": email, "password": PASSWORD, "confirm_password": PASSWORD, "terms": true})
}
