//! Delivery of events.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::jobs::workflows::MessageScope;
use slovo_db::webhooks::deliveries::Lane;
use slovo_test_media::prompts;
use tokio::io::AsyncReadExt;

use super::support::{PATH, Reply, form, log, make, path_of, send_due, sign_in, with_caller};
use crate::testing::{Backend, apply, each_database};
use crate::tests::api::jobs::support::make_job;
use crate::tests::api::me::support::{complete_next, job, send_json};

#[apply(each_database!)]
fn a_finished_job_is_reported_with_a_link_to_its_transcript(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, secret) = make(server, admin, &form(receiver, "processing")).await;
        let job_id = job(server, admin, "Розмова.wav", b"recording").await;
        assert_eq!(send_due(server).await, 0, "uploads are told to others");
        server.clock.advance_seconds(5);
        complete_next(server, "Слово.").await;
        server.clock.advance_seconds(2);
        assert_eq!(send_due(server).await, 1);
        assert_eq!(send_due(server).await, 0);
        let request = receiver.last();
        assert!(request.is_signed_with(&secret));
        assert_eq!(request.header("webhook-timestamp"), "1772366407");
        assert!(!request.header("webhook-id").contains('.'));
        let body = request.json();
        assert_eq!(body["type"], "job.completed");
        assert_eq!(
            body["timestamp"], "2026-03-01T12:00:05Z",
            "when it happened"
        );
        let data = &body["data"];
        assert_eq!(data["job_id"], job_id.to_string());
        assert_eq!(
            (&data["language"], &data["text_length"]),
            (&json!("uk"), &json!(6))
        );
        let page = data["url"].as_str().unwrap();
        assert!(
            page.ends_with(&format!("/transcription/{job_id}")),
            "{page}"
        );

        let link = path_of(&data["transcript_url"]);
        let text = server.get(&link).await;
        assert_eq!(text.status, StatusCode::OK, "{}", text.text());
        assert_eq!(text.json()["segments"][0]["text"], "Слово.");
        // The requested times, unless the query asks for all.
        assert_eq!(text.json()["times"], "asked");
        let all = server.get(&format!("{link}?times=all")).await.json();
        assert_eq!(
            (&all["times"], &all["segments"][0]["start"]),
            (&json!("all"), &json!(0.0))
        );
        let wrong = server.get(&format!("{link}?times=some")).await;
        wrong.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        // The link's token is valid for the transcript only.
        let media = link.replace("/transcript/", "/media/");
        assert_eq!(server.get(&media).await.status, StatusCode::NOT_FOUND);
        let forged = format!("{}x", &link[..link.len() - 1]);
        assert_eq!(server.get(&forged).await.status, StatusCode::NOT_FOUND);

        let [delivery] = &log(server, admin, &id).await[..] else {
            panic!("not in the log");
        };
        assert_eq!(
            (&delivery["status"], &delivery["last_status"]),
            (&json!("delivered"), &json!(204))
        );
        assert_eq!(delivery["delivered_at"], "2026-03-01T12:00:07Z");
        assert_eq!(delivery["event_id"], request.header("webhook-id"));
        assert!(
            !delivery.to_string().contains("/hooks/"),
            "no key to the text"
        );

        server.clock.advance_seconds(24 * 3600);
        assert_eq!(
            server.get(&link).await.status,
            StatusCode::NOT_FOUND,
            "a day has passed"
        );
    });
}

#[apply(each_database!)]
fn an_upload_is_reported_with_a_link_valid_while_the_service_is_on(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, _) = make(server, admin, &form(receiver, "upload")).await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        make_job(server, admin, "talk.wav", &wav).await;
        assert_eq!(send_due(server).await, 1);
        let body = receiver.last().json();
        assert_eq!(body["type"], "upload.completed");
        assert_eq!(body["data"]["file_size"], wav.len());
        let link = path_of(&body["data"]["media_url"]);
        let media = server.get(&link).await;
        assert_eq!(media.status, StatusCode::OK);
        assert_eq!(media.body, wav);
        assert_eq!(media.header("referrer-policy"), "no-referrer");
        let off = json!({"name": "Notes", "url": "https://example.com/", "category": "upload",
            "is_active": false});
        let path = format!("{PATH}/{id}");
        send_json(server, admin, Method::PUT, &path, &off).await;
        assert_eq!(server.get(&link).await.status, StatusCode::NOT_FOUND);
    });
}

#[apply(each_database!)]
fn failed_deliveries_are_retried_and_then_given_up(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, _) = make(server, admin, &form(receiver, "processing")).await;
        job(server, admin, "a.wav", b"x").await;
        complete_next(server, "Слово.").await;
        let busy = || Reply::status("503 Busy");
        receiver.answers([
            busy(),
            Reply::With("429 Slow", vec!["Retry-After: 600".into()], String::new()),
        ]);
        receiver.answers((0..8).map(|_| busy()));
        assert_eq!(send_due(server).await, 1);
        for pause in [
            5,
            600,
            30 * 60,
            7200,
            5 * 3600,
            36_000,
            14 * 3600,
            72_000,
            86_400,
        ] {
            server.clock.advance_seconds(pause - 1);
            assert_eq!(send_due(server).await, 0, "{pause}");
            let delivery = &log(server, &sign_in(server).await, &id).await[0];
            assert_eq!(delivery["status"], "pending");
            server.clock.advance_seconds(1);
            assert_eq!(send_due(server).await, 1, "{pause}");
        }
        let admin = &sign_in(server).await;
        let delivery = &log(server, admin, &id).await[0];
        assert_eq!(
            (&delivery["status"], &delivery["attempts"]),
            (&json!("failed"), &json!(10))
        );
        assert_eq!(
            (&delivery["last_error"], &delivery["last_status"]),
            (&json!("http_status"), &json!(503))
        );
        assert_eq!(delivery["next_attempt_at"], Value::Null);
        server.clock.advance_seconds(7 * 86_400);
        assert_eq!(send_due(server).await, 0);
        let admin = &sign_in(server).await;
        let requests = receiver.got();
        assert!(
            requests
                .iter()
                .all(|request| request.header("webhook-id") == requests[0].header("webhook-id"))
        );
        assert_ne!(
            requests[0].header("webhook-timestamp"),
            requests[1].header("webhook-timestamp")
        );

        let path = format!(
            "{PATH}/{id}/deliveries/{}/resend",
            delivery["id"].as_str().unwrap()
        );
        let again = server.post_as(admin, &path, &Value::Null).await;
        assert_eq!(again.status, StatusCode::OK, "{}", again.text());
        assert_eq!(again.json()["status"], "pending");
        assert_eq!(send_due(server).await, 1);
        let delivery = &log(server, admin, &id).await[0];
        assert_eq!(
            (&delivery["status"], &delivery["attempts"]),
            (&json!("delivered"), &json!(11))
        );
        assert_eq!(delivery["last_error"], Value::Null);
    });
}

#[apply(each_database!)]
fn a_service_that_answers_410_is_disabled(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, _) = make(server, admin, &form(receiver, "processing")).await;
        for _ in 0..2 {
            job(server, admin, "a.wav", b"x").await;
            complete_next(server, "Слово.").await;
        }
        receiver.answers([Reply::status("410 Gone")]);
        assert_eq!(send_due(server).await, 1);
        let service = server.get_as(admin, PATH).await.json()["services"][0].clone();
        assert_eq!(
            (&service["is_active"], &service["disabled_by"]),
            (&json!(false), &json!("gone"))
        );
        let deliveries = log(server, admin, &id).await;
        let with_status = |status: &str| {
            deliveries
                .iter()
                .find(|delivery| delivery["status"] == status)
                .cloned()
        };
        let (failed, pending) = (
            with_status("failed").unwrap(),
            with_status("pending").unwrap(),
        );
        assert_eq!(failed["last_status"], 410);
        let path = |delivery: &Value| {
            format!(
                "{PATH}/{id}/deliveries/{}/resend",
                delivery["id"].as_str().unwrap()
            )
        };
        let again = server.post_as(admin, &path(&pending), &Value::Null).await;
        again.is_problem(StatusCode::CONFLICT, "webhook_service_inactive");
        let on = form(receiver, "processing");
        send_json(server, admin, Method::PUT, &format!("{PATH}/{id}"), &on).await;
        assert_eq!(send_due(server).await, 1, "what has waited is sent");
    });
}

#[apply(each_database!)]
fn deliveries_of_a_crashed_sender_are_sent_later(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        make(server, admin, &form(receiver, "processing")).await;
        job(server, admin, "a.wav", b"x").await;
        complete_next(server, "Слово.").await;
        let claimed = server
            .state
            .webhooks
            .claim(Lane::Administrators, MessageScope::All)
            .await
            .unwrap();
        drop(claimed.unwrap());
        server.clock.advance_seconds(59);
        assert_eq!(send_due(server).await, 0);
        server.clock.advance_seconds(1);
        assert_eq!(send_due(server).await, 1);
        assert_eq!(receiver.got().len(), 1);
    });
}

#[apply(each_database!)]
fn a_stopping_server_returns_unsent_deliveries_to_the_queue(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, _) = make(server, admin, &form(receiver, "processing")).await;
        job(server, admin, "a.wav", b"x").await;
        complete_next(server, "Слово.").await;
        receiver.answers([Reply::Never]);
        let claimed = server
            .state
            .webhooks
            .claim(Lane::Administrators, MessageScope::All)
            .await
            .unwrap()
            .unwrap();
        let stop = server.state.shutdown.clone();
        let stopped = async {
            while receiver.got().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            stop.cancel();
        };
        let (delivered, ()) = tokio::join!(server.state.webhooks.deliver(&claimed), stopped);
        delivered.unwrap();
        let delivery = &log(server, admin, &id).await[0];
        assert_eq!(
            (&delivery["status"], &delivery["attempts"]),
            (&json!("pending"), &json!(0))
        );
    });
}

#[apply(each_database!)]
fn missing_answers_time_out_and_redirects_are_not_followed(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, secret) = make(server, admin, &form(receiver, "processing")).await;
        let target = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let location = format!("Location: http://{}/", target.local_addr().unwrap());
        receiver.answers([
            Reply::Never,
            Reply::With("307 There", vec![location], String::new()),
        ]);
        let id = id.parse().unwrap();
        let service =
            slovo_db::webhooks::services::find(&mut server.state.db.read().await.unwrap(), id)
                .await;
        let service = service.unwrap().unwrap();
        let webhooks = &server.state.webhooks;
        let message = webhooks.test_message(&service, "msg_1".to_owned());
        let short = Duration::from_millis(50);
        let late = webhooks.post(&service, &message, short).await.unwrap_err();
        assert_eq!(late.code(), "timed_out");
        let sent = webhooks.send(&service, &message).await;
        assert_eq!(
            (sent.attempt_result.status, sent.attempt_result.error),
            (Some(307), Some("redirected"))
        );
        let followed = async {
            let (mut stream, _) = target.accept().await.unwrap();
            stream.read_u8().await
        };
        let followed = tokio::time::timeout(Duration::from_millis(100), followed).await;
        assert!(followed.is_err(), "it was followed");
        assert!(receiver.last().is_signed_with(&secret));
    });
}

#[apply(each_database!)]
fn after_a_rotation_both_secrets_sign_for_a_day(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, old) = make(server, admin, &form(receiver, "utility")).await;
        let rotated = server
            .post_as(admin, &format!("{PATH}/{id}/rotate-secret"), &Value::Null)
            .await;
        let new = rotated.json()["secret"].as_str().unwrap().to_owned();
        let test = format!("{PATH}/{id}/test");
        server.post_as(admin, &test, &Value::Null).await;
        assert!(receiver.last().is_signed_with(&old) && receiver.last().is_signed_with(&new));
        server.clock.advance_seconds(24 * 3600);
        let admin = sign_in(server).await;
        server.post_as(&admin, &test, &Value::Null).await;
        assert!(!receiver.last().is_signed_with(&old) && receiver.last().is_signed_with(&new));
    });
}

#[apply(each_database!)]
fn the_delivery_log_is_cleared_after_a_month(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, _) = make(server, admin, &form(receiver, "processing")).await;
        job(server, admin, "a.wav", b"x").await;
        complete_next(server, "Слово.").await;
        send_due(server).await;
        server.clock.advance_seconds(30 * 86_400);
        assert_eq!(server.state.webhooks.sweep().await.unwrap(), 0);
        server.clock.advance_seconds(1);
        assert_eq!(server.state.webhooks.sweep().await.unwrap(), 1);
        let admin = sign_in(server).await;
        assert!(log(server, &admin, &id).await.is_empty());
    });
}
