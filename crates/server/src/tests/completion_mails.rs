//! Mails about finished jobs.

use axum::http::Method;
use serde_json::json;
use slovo_db::jobs;
use slovo_db::jobs::completion_mails::{ClaimedMail, count_queued};
use slovo_mail::Mail;
use slovo_mail::stored::CLAIM_MS;
use slovo_rules::locale::Locale;
use slovo_rules::settings::MadeFile;
use slovo_work::completion_mails::CompletionMails;
use slovo_work::jobs::file_links::LINK_SECONDS;
use slovo_work::testing;
use uuid::Uuid;

use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::{block, complete_next, job, send_json};

const MINUTE: i64 = 60;

/// A finished job of a user who has chosen completion mails in English.
async fn finished(server: &TestServer) -> (TestUser, Uuid) {
    let me = server.signup("a@example.com").await;
    let preferences = json!({"locale": "en", "mail_on_completion": true});
    let path = "/api/v1/me/preferences";
    let set = send_json(server, &me, Method::PUT, path, &preferences).await;
    assert_eq!(set.status, 200, "{}", set.text());
    let id = job(server, &me, "Розмова.mp3", b"x").await;
    complete_next(server, "Слово.").await;
    (me, id)
}

fn mails(server: &TestServer) -> CompletionMails {
    server.state.completion_mails()
}

async fn unsent(server: &TestServer) -> i64 {
    count_queued(&mut server.state.db.read().await.unwrap())
        .await
        .unwrap()
}

#[apply(each_database!)]
fn a_mail_names_the_recording_and_links_to_its_text(backend: Backend) {
    with_server(backend, async |server| {
        let (_, id) = finished(&server).await;
        let due = testing::claim(&mails(&server)).await.unwrap();
        assert_eq!(due.len(), 1);
        assert!(
            testing::claim(&mails(&server)).await.unwrap().is_empty(),
            "it is claimed"
        );
        let (to, locale, mail) = testing::mail_content(&mails(&server), &due[0])
            .await
            .unwrap()
            .unwrap();
        assert_eq!((to.as_str(), locale), ("a@example.com", Locale::En));
        let Mail::JobDone {
            title, link, files, ..
        } = mail
        else {
            panic!("another mail");
        };
        assert_eq!(title, "Розмова.mp3");
        assert!(files.is_empty(), "none was asked for");
        assert!(link.starts_with("http") && link.ends_with(&format!("/transcription/{id}")));
        assert!(!link.contains("//transcription"), "{link}");
        testing::record_outcome(&mails(&server), &due[0], Ok::<_, String>(()))
            .await
            .unwrap();
        assert_eq!(unsent(&server).await, 0);
    });
}

#[apply(each_database!)]
fn a_due_mail_is_sent_once(backend: Backend) {
    with_server(backend, async |server| {
        finished(&server).await;
        testing::send_due(&mails(&server)).await.unwrap();
        assert_eq!(unsent(&server).await, 0);
        testing::send_due(&mails(&server)).await.unwrap();
    });
}

#[apply(each_database!)]
fn a_mail_is_tried_five_times_with_growing_pauses(backend: Backend) {
    with_server(backend, async |server| {
        finished(&server).await;
        for (tries, minutes) in [(1, 1), (2, 5), (3, 30), (4, 30)] {
            let due = testing::claim(&mails(&server)).await.unwrap();
            assert_eq!(due[0].tries, tries);
            testing::record_outcome(&mails(&server), &due[0], Err("refused"))
                .await
                .unwrap();
            server.clock.advance_seconds(minutes * MINUTE - 1);
            assert!(
                testing::claim(&mails(&server)).await.unwrap().is_empty(),
                "{tries}"
            );
            server.clock.advance_seconds(1);
        }
        let due = testing::claim(&mails(&server)).await.unwrap();
        assert_eq!(due[0].tries, 5);
        testing::record_outcome(&mails(&server), &due[0], Err("refused"))
            .await
            .unwrap();
        assert_eq!(unsent(&server).await, 0, "given up");
    });
}

#[apply(each_database!)]
fn mails_claimed_by_a_dead_process_are_claimed_again(backend: Backend) {
    with_server(backend, async |server| {
        finished(&server).await;
        assert_eq!(testing::claim(&mails(&server)).await.unwrap().len(), 1);
        server.clock.advance_seconds(CLAIM_MS / 1000);
        assert_eq!(testing::claim(&mails(&server)).await.unwrap()[0].tries, 2);
    });
}

#[apply(each_database!)]
fn links_in_a_mail_to_the_created_files_work_for_a_week(backend: Backend) {
    with_server(backend, async |server| {
        // The first account is an administrator, who cannot be blocked.
        server.signup("admin@example.com").await;
        let (me, id) = finished(&server).await;
        let store_file = async |text: &str, format: MadeFile| {
            let now = server.state.clock.now_ms();
            let mut transaction = server.state.db.write().await.unwrap();
            let files = [(format, text.to_owned())];
            jobs::files::replace(&mut transaction, id, 1, &files, now)
                .await
                .unwrap();
            transaction.commit().await.unwrap();
        };
        store_file("Слово.\n", MadeFile::Txt).await;
        let mailed_file = async || {
            let claimed = ClaimedMail {
                job_id: id,
                tries: 1,
            };
            let (_, _, mail) = testing::mail_content(&mails(&server), &claimed)
                .await
                .unwrap()
                .unwrap();
            let Mail::JobDone { files, .. } = mail else {
                panic!("another mail");
            };
            let [(format, link)] = files.as_slice() else {
                panic!("{} files", files.len());
            };
            (*format, link.clone())
        };
        let (format, link) = mailed_file().await;
        assert_eq!(format, MadeFile::Txt);
        let path = link[link.find("/api/").unwrap()..].to_owned();
        let get = async |path: &str| server.get(path).await;
        let file = get(&path).await;
        assert_eq!(
            (file.status.as_u16(), file.text().as_str()),
            (200, "Слово.\n")
        );
        assert!(file.header("content-disposition").starts_with("attachment"));
        assert_eq!(file.header("referrer-policy"), "no-referrer");
        for forged in [format!("{path}x"), path.replace("files/", "files/x")] {
            assert_eq!(get(&forged).await.status, 404);
        }
        // A link stops working when its file is replaced,
        server.clock.advance_seconds(1);
        store_file("Інше.\n", MadeFile::Txt).await;
        assert_eq!(get(&path).await.status, 404);
        // after a week,
        let (_, link) = mailed_file().await;
        let path = link[link.find("/api/").unwrap()..].to_owned();
        server.clock.advance_seconds(LINK_SECONDS - 1);
        assert_eq!(get(&path).await.text(), "Інше.\n");
        server.clock.advance_seconds(1);
        assert_eq!(get(&path).await.status, 404);
        // and while its owner is blocked.
        let (_, link) = mailed_file().await;
        let path = link[link.find("/api/").unwrap()..].to_owned();
        assert_eq!(get(&path).await.status, 200);
        block(&server, &me).await;
        assert_eq!(get(&path).await.status, 404);
    });
}
