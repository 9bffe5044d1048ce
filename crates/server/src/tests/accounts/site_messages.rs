//! Contact messages and newsletter subscriptions, from the form to the mail.

use std::net::{IpAddr, Ipv4Addr};

use slovo_accounts::housekeeping;
use slovo_accounts::site_messages::{
    LinkError, SubmissionError, claim, confirm, mail_content, record_outcome, send_contact,
    send_due, subscribe, unsubscribe,
};
use slovo_db::site::mails::Cause;
use slovo_db::site::{contact, newsletter};
use slovo_mail::Mail;
use slovo_mail::stored::CLAIM_MS;
use slovo_rules::contact::ContactForm;
use slovo_rules::locale::Locale;

use crate::testing::{
    Backend, TIMEOUT, TestServer, apply, each_database, with_server, with_server_options,
};

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const TEAM: [&str; 2] = ["--contact-to", "team@example.com"];
const EMAIL: &str = "a@example.com";

fn form() -> ContactForm {
    ContactForm {
        first_name: "Олена".to_owned(),
        last_name: "Пчілка".to_owned(),
        email: "Olena@Example.com".to_owned(),
        message: "Доброго дня!\r\nЧи є знижки?".to_owned(),
    }
}

async fn send(server: &TestServer) {
    let sent = send_contact(&server.state.site_messages(), HERE, Locale::En, &form(), "").await;
    sent.unwrap();
}

async fn request_subscription(server: &TestServer, email: &str) {
    let requested = subscribe(&server.state.site_messages(), HERE, Locale::Uk, email, "").await;
    requested.unwrap();
}

async fn run_mails(server: &TestServer) -> usize {
    let before = server.state.mail.caught().len();
    for cause in Cause::SITE {
        send_due(&server.state.site_messages(), cause)
            .await
            .unwrap();
    }
    server.state.mail.caught().len() - before
}

/// The tokens of both links in the newest mail to an address.
async fn tokens(server: &TestServer, email: &str) -> [String; 2] {
    let mail = server.last_mail(email).await;
    ["confirm", "leave"].map(|page| {
        let start = format!("/newsletter/{page}?token=");
        let (_, rest) = mail.text.split_once(&start).unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    })
}

async fn subscriber(server: &TestServer) -> newsletter::Subscriber {
    let mut connection = server.state.db.read().await.unwrap();
    let all = newsletter::list(&mut connection, None, 9).await.unwrap();
    assert_eq!(all.len(), 1);
    all[0].clone()
}

#[apply(each_database!)]
fn a_contact_message_is_forwarded_once_with_its_writer_as_reply_to(backend: Backend) {
    with_server_options(backend, &TEAM, async |server| {
        send(&server).await;
        assert_eq!(run_mails(&server).await, 1);
        assert_eq!(run_mails(&server).await, 0);
        let mail = server.last_mail("team@example.com").await;
        assert_eq!((mail.kind, mail.locale), ("contact_message", Locale::En));
        assert_eq!(mail.reply_to.as_deref(), Some("olena@example.com"));
        assert_eq!(mail.subject, "Message from the website: Олена Пчілка");
        assert!(mail.text.contains("\n> Доброго дня!\n> Чи є знижки?\n"));
        let mut connection = server.state.db.read().await.unwrap();
        let stored = contact::list(&mut connection, None, 9).await.unwrap();
        assert_eq!(stored[0].mailed_at, Some(server.state.clock.now_ms()));
    });
}

#[apply(each_database!)]
fn without_a_recipient_a_contact_message_is_only_stored(backend: Backend) {
    with_server(backend, async |server| {
        send(&server).await;
        assert_eq!(run_mails(&server).await, 0);
        let mut connection = server.state.db.read().await.unwrap();
        let stored = contact::list(&mut connection, None, 9).await.unwrap();
        assert_eq!((stored.len(), stored[0].mailed_at), (1, None));
        assert_eq!(stored[0].message, "Доброго дня!\nЧи є знижки?");
    });
}

#[apply(each_database!)]
fn sending_is_tried_five_times_and_the_message_stays_stored(backend: Backend) {
    with_server_options(backend, &TEAM, async |server| {
        send(&server).await;
        let cause = Cause::ContactMessage;
        for (tries, minutes) in [(1, 1), (2, 5), (3, 30), (4, 30)] {
            let due = claim(&server.state.site_messages(), cause).await.unwrap();
            assert_eq!(due[0].tries, tries);
            let refused = record_outcome(
                &server.state.site_messages(),
                cause,
                &due[0],
                Err("refused"),
            )
            .await;
            refused.unwrap();
            server.clock.advance_seconds(minutes * 60 - 1);
            assert!(
                claim(&server.state.site_messages(), cause)
                    .await
                    .unwrap()
                    .is_empty()
            );
            server.clock.advance_seconds(1);
        }
        let due = claim(&server.state.site_messages(), cause).await.unwrap();
        record_outcome(
            &server.state.site_messages(),
            cause,
            &due[0],
            Err("refused"),
        )
        .await
        .unwrap();
        server.clock.advance_seconds(24 * 60 * 60);
        assert!(
            claim(&server.state.site_messages(), cause)
                .await
                .unwrap()
                .is_empty()
        );
        let mut connection = server.state.db.read().await.unwrap();
        assert_eq!(contact::count(&mut connection).await.unwrap().total, 1);
    });
}

#[apply(each_database!)]
fn mails_claimed_by_a_dead_process_are_sent_by_another(backend: Backend) {
    with_server_options(backend, &TEAM, async |server| {
        send(&server).await;
        request_subscription(&server, EMAIL).await;
        for cause in Cause::SITE {
            assert_eq!(
                claim(&server.state.site_messages(), cause)
                    .await
                    .unwrap()
                    .len(),
                1
            );
        }
        assert_eq!(run_mails(&server).await, 0, "both are claimed");
        server.clock.advance_seconds(CLAIM_MS / 1000);
        assert_eq!(run_mails(&server).await, 2);
    });
}

#[apply(each_database!)]
fn a_subscription_takes_effect_only_after_confirmation(backend: Backend) {
    with_server(backend, async |server| {
        request_subscription(&server, " A@Example.com ").await;
        assert_eq!(subscriber(&server).await.confirmed_at, None);
        assert_eq!(run_mails(&server).await, 1);
        let mail = server.last_mail(EMAIL).await;
        assert_eq!(
            (mail.kind, mail.locale),
            ("newsletter_confirmation", Locale::Uk)
        );
        assert_eq!(mail.subject, "Підтвердьте підписку на розсилку Slovo");
        let [confirm_token, leave_token] = tokens(&server, EMAIL).await;
        assert!(mail.link().starts_with("http") && mail.link().ends_with(&confirm_token));
        // The two tokens are not interchangeable.
        let wrong = confirm(&server.state.site_messages(), &leave_token).await;
        assert!(matches!(wrong, Err(LinkError::Unknown)));
        let wrong = unsubscribe(&server.state.site_messages(), &confirm_token).await;
        assert!(matches!(wrong, Err(LinkError::Unknown)));
        for _ in 0..2 {
            confirm(
                &server.state.site_messages(),
                &format!(" {confirm_token}\n"),
            )
            .await
            .unwrap();
        }
        let now = server.state.clock.now_ms();
        assert_eq!(subscriber(&server).await.confirmed_at, Some(now));
        for _ in 0..2 {
            unsubscribe(&server.state.site_messages(), &leave_token)
                .await
                .unwrap();
        }
        assert_eq!(subscriber(&server).await.left_at, Some(now));
        let late = confirm(&server.state.site_messages(), &confirm_token).await;
        assert!(matches!(late, Err(LinkError::Unknown)));
    });
}

#[apply(each_database!)]
fn only_unconfirmed_subscribers_get_the_confirmation_mail_again(backend: Backend) {
    with_server(backend, async |server| {
        request_subscription(&server, EMAIL).await;
        assert_eq!(run_mails(&server).await, 1);
        let first = tokens(&server, EMAIL).await;
        request_subscription(&server, EMAIL).await;
        assert_eq!(run_mails(&server).await, 1);
        assert_eq!(tokens(&server, EMAIL).await, first, "every mail works");
        confirm(&server.state.site_messages(), &first[0])
            .await
            .unwrap();
        request_subscription(&server, EMAIL).await;
        assert_eq!(run_mails(&server).await, 0);
        let refused = subscribe(&server.state.site_messages(), HERE, Locale::Uk, EMAIL, "").await;
        let Err(SubmissionError::Limited(limited)) = refused else {
            panic!("a fourth one within the hour");
        };
        assert_eq!(limited.retry_after, 20 * 60);
    });
}

#[apply(each_database!)]
fn a_confirmation_mail_is_dropped_after_unsubscribing(backend: Backend) {
    with_server(backend, async |server| {
        request_subscription(&server, EMAIL).await;
        let due = claim(&server.state.site_messages(), Cause::Subscription)
            .await
            .unwrap();
        let id = due[0].id;
        let (_, _, mail) = mail_content(&server.state.site_messages(), Cause::Subscription, id)
            .await
            .unwrap()
            .unwrap();
        let Mail::NewsletterConfirmation { leave: link, .. } = mail else {
            panic!("another mail");
        };
        let (_, token) = link.split_once("token=").unwrap();
        unsubscribe(&server.state.site_messages(), token)
            .await
            .unwrap();
        let none = mail_content(&server.state.site_messages(), Cause::Subscription, id).await;
        assert_eq!(none.unwrap(), None);
    });
}

#[apply(each_database!)]
fn an_expired_confirmation_fails_and_its_address_is_deleted(backend: Backend) {
    with_server(backend, async |server| {
        request_subscription(&server, EMAIL).await;
        run_mails(&server).await;
        let [confirm_token, leave_token] = tokens(&server, EMAIL).await;
        server.clock.advance_seconds(7 * 24 * 60 * 60 + 1);
        let late = confirm(&server.state.site_messages(), &confirm_token).await;
        assert!(matches!(late, Err(LinkError::Unknown)));
        let cleaning = housekeeping::clean_periodically(server.state.housekeeping());
        let deleted = async {
            let count = async || {
                let mut connection = server.state.db.read().await.unwrap();
                newsletter::count(&mut connection).await.unwrap().total
            };
            while count().await > 0 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        let cleaned = async {
            tokio::select! {
                _ = cleaning => panic!("it keeps house for ever"),
                () = deleted => {}
            }
        };
        tokio::time::timeout(TIMEOUT, cleaned).await.unwrap();
        unsubscribe(&server.state.site_messages(), &leave_token)
            .await
            .unwrap();
    });
}

#[apply(each_database!)]
fn a_filled_in_spam_trap_field_stores_nothing(backend: Backend) {
    with_server_options(backend, &TEAM, async |server| {
        let state = &server.state;
        let messages = state.site_messages();
        let trap = "https://spam.example";
        for _ in 0..30 {
            // Valid and invalid input get the same response.
            let empty = ContactForm::default();
            let sent = send_contact(&messages, HERE, Locale::Uk, &empty, trap).await;
            assert!(sent.is_ok());
            let subscribed = subscribe(&messages, HERE, Locale::Uk, "x", trap).await;
            assert!(subscribed.is_ok());
        }
        let mut connection = state.db.read().await.unwrap();
        assert_eq!(contact::count(&mut connection).await.unwrap().total, 0);
        assert_eq!(newsletter::count(&mut connection).await.unwrap().total, 0);
        drop(connection);
        assert_eq!(run_mails(&server).await, 0);
        send(&server).await;
    });
}
