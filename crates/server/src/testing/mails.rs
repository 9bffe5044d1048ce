//! Captures the mails of a test instead of sending them.

use std::sync::Arc;

use slovo_mail::{Mail, MailError};
use slovo_rules::locale::Locale;

use super::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn a_test_reads_codes_and_links_from_caught_mails(backend: Backend) {
    with_server(backend, async |server| {
        let code = Mail::Code {
            code: "K7M2Q".to_owned(),
            minutes: 15,
        };
        let mailer = &server.state.mail;
        mailer
            .send("a@example.com", Locale::Uk, &code)
            .await
            .unwrap();
        let link = "https://slovo.example.com/reset-password#token=x".to_owned();
        let reset = Mail::Reset {
            link: link.clone(),
            hours: 1,
        };
        // Sent by a task that is still running when the test asks.
        let late = mailer.clone();
        let start = Arc::new(tokio::sync::Notify::new());
        let started = Arc::clone(&start);
        server.state.tasks.spawn(async move {
            started.notified().await;
            late.send_soon("b@example.com", Locale::En, &reset);
        });
        start.notify_one();
        assert_eq!(server.mails().await.len(), 2);
        let mail = server.last_mail("a@example.com").await;
        assert_eq!((mail.kind, mail.locale), ("code", Locale::Uk));
        assert_eq!(mail.subject, "Код підтвердження Slovo");
        assert_eq!(mail.code(), "K7M2Q");
        assert_eq!(server.last_mail("b@example.com").await.link(), link);

        let refused = mailer.send("a b@example.com", Locale::Uk, &code).await;
        assert!(matches!(refused, Err(MailError::Address(_))));
        mailer.send_soon("a b@example.com", Locale::Uk, &code);
        assert_eq!(server.mails().await.len(), 2);
    });
}
