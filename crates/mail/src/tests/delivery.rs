//! Delivery to a real SMTP server, and error handling.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use slovo_rules::locale::Locale;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::service::Service;
use crate::{Mail, MailError, Mailer, Parts, RetryPolicy, Sender, SmtpServer, Transport};
use slovo_platform::testing::{SeededRandom, TestClock};

const TO: &str = "a@example.com";
const CODE: &str = "K7M2Q";
const PASSWORD: &str = "p@ss/wörd:1%";
const PASSWORD_IN_URL: &str = "p%40ss%2Fw%C3%B6rd%3A1%25";

fn code() -> Mail {
    Mail::Code {
        code: CODE.to_owned(),
        minutes: 15,
    }
}

/// A mailer with the timeout `limit` and almost no pauses between attempts.
fn mailer_at(url: Option<String>, ca: Option<&Path>, data: &Path, limit: Duration) -> Mailer {
    let server = url.map(|url| {
        let mut server = SmtpServer::parse(&url).unwrap();
        if let Some(ca) = ca {
            server.trust(&std::fs::read(ca).unwrap()).unwrap();
        }
        server
    });
    let public_url = "https://slovo.example.com".parse().unwrap();
    Mailer::new(Parts {
        transport: Transport::new(server, &public_url, data).unwrap(),
        sender: Sender::of_host(public_url.domain()).unwrap(),
        public_url,
        clock: Arc::new(TestClock::new()),
        random: Arc::new(SeededRandom::new(7)),
        retry: RetryPolicy {
            limit,
            pauses: [Duration::from_millis(1); 2],
        },
        shutdown: CancellationToken::new(),
        tasks: TaskTracker::new(),
    })
}

/// A mailer with a practically unlimited timeout.
fn patient(url: String, ca: Option<&Path>) -> Mailer {
    mailer_at(
        Some(url),
        ca,
        Path::new("/nowhere"),
        Duration::from_secs(60),
    )
}

/// The error of sending [`code`]; checks that it shows neither the code nor the password.
async fn failure(mailer: &Mailer) -> MailError {
    let error = mailer.send(TO, Locale::Uk, &code()).await.unwrap_err();
    for text in [format!("{error}"), format!("{error:?}")] {
        assert!(!text.contains(CODE) && !text.contains("p@ss"), "{text}");
    }
    error
}

fn header<'a>(mail: &'a Value, name: &str) -> &'a str {
    let mut headers = mail["headers"].as_array().unwrap().iter();
    let found = headers.find(|header| header["key"] == name);
    found.unwrap_or_else(|| panic!("no {name}: {mail}"))["value"]
        .as_str()
        .unwrap()
}

#[tokio::test]
async fn a_mail_arrives_complete() {
    let mut service = Service::start(&[]).await;
    let mailer = patient(format!("smtp://127.0.0.1:{}", service.port), None);
    mailer.send(TO, Locale::Uk, &code()).await.unwrap();
    let mail = service.mail().await;
    assert_eq!(mail["envelope"]["from"], "slovo@slovo.example.com");
    assert_eq!(mail["envelope"]["to"], serde_json::json!([TO]));
    assert_eq!(mail["from"]["name"], "Slovo");
    assert_eq!(mail["hello"], "slovo.example.com");
    assert_eq!(mail["subject"], "Код підтвердження Slovo");
    for part in ["text", "html"] {
        let part = mail[part].as_str().unwrap();
        assert!(part.contains(CODE), "{part}");
        assert!(part.contains("Підтвердьте електронну адресу"), "{part}");
    }
    assert_eq!(header(&mail, "date"), "Sun, 01 Mar 2026 12:00:00 +0000");
    assert_eq!(header(&mail, "auto-submitted"), "auto-generated");
    assert!(header(&mail, "message-id").ends_with("@slovo.example.com>"));
    assert!(mail["raw"].as_str().unwrap().is_ascii());

    // A second one, to another address in another language, from a background task.
    let title = "Розмова <b>\r\nBcc: c@example.com".to_owned();
    let link = "https://slovo.example.com/transcription/1".to_owned();
    let done = Mail::JobDone {
        title,
        link,
        files: Vec::new(),
        days: 7,
    };
    mailer.send_soon("b@пошта.укр", Locale::En, &done);
    let mail = service.mail().await;
    let raw = mail["raw"].as_str().unwrap();
    assert!(raw.contains("To: b@xn--80a1acn3a.xn--j1amh\r\n"), "{raw}");
    // The receiving side can parse it.
    let to = serde_json::json!(["b@пошта.укр"]);
    assert_eq!(mail["envelope"]["to"], to);
    let title = "Розмова <b> Bcc: c@example.com";
    assert_eq!(mail["subject"], format!("Ready: {title}"));
    assert!(mail["text"].as_str().unwrap().contains(title), "{mail}");
}

#[tokio::test]
async fn tls_and_the_password_are_used() {
    for (tls, scheme, query) in [
        ("implicit", "smtps", ""),
        ("starttls", "smtp", "?tls=required"),
    ] {
        let options = ["--tls", tls, "--user", "me", "--password", PASSWORD];
        let mut service = Service::start(&options).await;
        let url = |password: &str| {
            let port = service.port;
            format!("{scheme}://me:{password}@127.0.0.1:{port}{query}")
        };
        let ca = service.ca.clone();
        let trusting = patient(url(PASSWORD_IN_URL), ca.as_deref());
        let wrong = patient(url("p%40ss"), ca.as_deref());
        let distrusting = patient(url(PASSWORD_IN_URL), None);

        trusting.send(TO, Locale::En, &code()).await.unwrap();
        let mail = service.mail().await;
        assert_eq!(
            (&mail["secure"], &mail["user"]),
            (&true.into(), &"me".into())
        );
        assert_eq!(mail["subject"], "Your Slovo verification code");

        let error = failure(&wrong).await;
        assert!(matches!(error, MailError::SignIn(_)), "{error:?}");
        assert_eq!(service.event().await["refused"], "sign-in");

        let error = failure(&distrusting).await;
        assert!(matches!(error, MailError::Unreachable(_)), "{error:?}");
        assert!(error.to_string().contains("certificate"), "{error}");
        assert!(!error.is_permanent(), "the administrator may be fixing it");
    }
}

#[tokio::test]
async fn a_certificate_of_another_name_is_refused() {
    let service = Service::start(&["--tls", "implicit"]).await;
    // The certificate is valid for localhost and 127.0.0.1; this is another address of the same
    // machine.
    let listener = TcpListener::bind("127.0.0.2:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let port = service.port;
    tokio::spawn(async move {
        let (mut from, _) = listener.accept().await.unwrap();
        let mut to = tokio::net::TcpStream::connect(("127.0.0.1", port))
            .await
            .unwrap();
        tokio::io::copy_bidirectional(&mut from, &mut to).await.ok();
    });
    let error = failure(&patient(
        format!("smtps://{address}"),
        service.ca.as_deref(),
    ))
    .await;
    assert!(error.to_string().contains("certificate"), "{error}");
}

#[tokio::test]
async fn a_server_without_tls_gets_no_mail_if_tls_is_required() {
    let service = Service::start(&["--tls", "none"]).await;
    let url = format!("smtp://127.0.0.1:{}?tls=required", service.port);
    let error = failure(&patient(url, None)).await;
    assert!(error.to_string().contains("STARTTLS"), "{error}");
}

#[tokio::test]
async fn a_refused_recipient_is_not_retried() {
    let mut service = Service::start(&["--mode", "refuse"]).await;
    let mailer = patient(format!("smtp://127.0.0.1:{}", service.port), None);
    let error = failure(&mailer).await;
    assert!(
        matches!(&error, MailError::Refused(said) if said.contains("550 No such user here")),
        "{error:?}"
    );
    assert_eq!(service.event().await["refused"], TO);
    mailer.send_soon(TO, Locale::Uk, &code());
    assert_eq!(service.event().await["refused"], TO);
    // The message of a second attempt would have come before this one.
    mailer.send_soon("b@example.com", Locale::Uk, &code());
    assert_eq!(service.event().await["refused"], "b@example.com");
}

#[tokio::test]
async fn temporary_failures_are_retried_up_to_three_attempts() {
    for (mode, refused) in [("later", TO), ("drop", "dropped")] {
        let mut service = Service::start(&["--mode", mode]).await;
        let mailer = patient(format!("smtp://127.0.0.1:{}", service.port), None);
        let error = failure(&mailer).await;
        assert!(!error.is_permanent(), "{error:?}");
        assert_eq!(service.event().await["refused"], refused);
        mailer.send_soon(TO, Locale::Uk, &code());
        for _ in 0..3 {
            assert_eq!(service.event().await["refused"], refused);
        }
        mailer.wait_until_sent().await;
        let more = tokio::time::timeout(Duration::from_millis(50), service.event()).await;
        assert!(more.is_err(), "{more:?}");
    }
}

#[tokio::test]
async fn a_server_that_hangs_times_out() {
    let service = Service::start(&["--mode", "hang"]).await;
    let url = format!("smtp://127.0.0.1:{}", service.port);
    let limit = Duration::from_millis(100);
    let mailer = mailer_at(Some(url), None, Path::new("/nowhere"), limit);
    // More at once than there are slots, so that most of them queue.
    let tries = (0..12).map(|_| failure(&mailer));
    for error in futures_util::future::join_all(tries).await {
        assert!(matches!(error, MailError::TimedOut), "{error:?}");
    }
}

#[tokio::test]
async fn a_refused_connection_is_reported() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap().port()
    };
    let error = failure(&patient(format!("smtp://127.0.0.1:{port}"), None)).await;
    assert!(
        matches!(&error, MailError::Unreachable(said) if said.contains("refused")),
        "{error:?}"
    );
}

#[tokio::test]
async fn shutdown_triggers_the_last_attempt_immediately() {
    let mut service = Service::start(&["--mode", "later"]).await;
    let url = format!("smtp://127.0.0.1:{}", service.port);
    let mut parts = patient(url, None).into_parts();
    parts.retry.pauses = [Duration::from_secs(3600); 2];
    let shutdown = parts.shutdown.clone();
    let mailer = Mailer::new(parts);
    mailer.send_soon(TO, Locale::Uk, &code());
    assert_eq!(service.event().await["refused"], TO);
    shutdown.cancel();
    assert_eq!(service.event().await["refused"], TO);
    mailer.wait_until_sent().await;
}

#[tokio::test]
async fn without_a_server_mails_are_stored_in_the_outbox() {
    let data = tempfile::tempdir().unwrap();
    let mailer = mailer_at(None, None, data.path(), Duration::from_secs(60));
    mailer.send(TO, Locale::Uk, &code()).await.unwrap();
    let entries = std::fs::read_dir(data.path().join("outbox")).unwrap();
    let names: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(names.len(), 1);
    let name = names[0].file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("20260301T120000.000Z-code-"), "{name}");
    let mail = std::fs::read_to_string(&names[0]).unwrap();
    assert!(mail.contains("To: a@example.com\r\n"), "{mail}");

    let file = data.path().join("file");
    std::fs::write(&file, "").unwrap();
    let nowhere = mailer_at(None, None, &file, Duration::from_secs(60));
    let error = failure(&nowhere).await;
    assert!(matches!(error, MailError::Outbox(_)), "{error:?}");
}
