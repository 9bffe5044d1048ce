//! The language of each segment: in answers, after edits, in searches and statistics.

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_rules::removed::{Removed, RemovedReason};
use slovo_rules::transcript::{Segment, Transcript};
use slovo_transcripts::search::{ChangingJobs, index_waiting};
use uuid::Uuid;

use super::support::{Page, complete, edit, segment, set_text, talk};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::job;

/// In Ukrainian, but for the second and the third segment, which are in Russian; the last one has
/// its language of its own.
fn mixed() -> Transcript {
    let mut transcript = talk(&["раз два", "три четыре", "да", "п’ять слів"]);
    let languages = [None, Some("ru"), Some("ru"), Some("uk")];
    let with_language = |(segment, language): (Segment, Option<&str>)| Segment {
        language: language.map(str::to_owned),
        ..segment
    };
    transcript.segments = transcript
        .segments
        .into_iter()
        .zip(languages)
        .map(with_language)
        .collect();
    transcript
}

async fn page<'a>(server: &'a TestServer, who: &'a TestUser) -> Page<'a> {
    page_on(server, who, &mixed()).await
}

async fn page_on<'a>(
    server: &'a TestServer,
    who: &'a TestUser,
    transcript: &Transcript,
) -> Page<'a> {
    let id = job(server, who, "розмова.wav", b"recording").await;
    complete(server, transcript).await;
    Page {
        server,
        who,
        path: format!("/api/v1/jobs/{id}"),
        job: id,
        client: Uuid::new_v4(),
    }
}

fn languages(transcript: &Value) -> Vec<&str> {
    let segments = transcript["segments"].as_array().unwrap().iter();
    segments
        .map(|segment| segment["language"].as_str().unwrap())
        .collect()
}

#[apply(each_database!)]
fn every_answer_gives_each_segment_its_language(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        let expected = ["uk", "ru", "ru", "uk"];
        assert_eq!(languages(&page.open().await), expected);
        assert_eq!(languages(&page.get("/transcript").await), expected);
        assert_eq!(languages(&page.get("/export?format=json").await), expected);
        // The answer to an edit, the list of edits, a conflict, and the bin.
        let answer = page.edit(set_text("0", 0, "один")).await;
        assert_eq!(answer["changes"][0]["segment"]["language"], "uk");
        let list = page.get("/edits?version=1&since=0").await;
        let change = &list["edits"][0]["changes"][0];
        assert_eq!(change["segment"]["language"], "uk");
        let conflict = page.send(vec![edit(set_text("0", 0, "два"))]).await;
        assert_eq!(conflict.status, StatusCode::CONFLICT);
        assert_eq!(conflict.json()["conflicts"][0]["segment"]["language"], "uk");
        let ids = [segment("0", 1), segment("1", 0)];
        page.edit(json!({"kind": "remove", "segments": ids})).await;
        let bin = page.get("/bin").await;
        let lines = bin["lines"].as_array().unwrap().iter();
        let in_bin: Vec<_> = lines.map(|line| line["language"].clone()).collect();
        assert_eq!(in_bin, ["uk", "ru"]);
    });
}

#[apply(each_database!)]
fn edits_keep_languages_and_undo_restores_them(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let recognised = ["uk", "ru", "ru", "uk"];
        let insert = |after: Value| {
            json!({"kind": "insert", "new_segment": Uuid::new_v4(), "after": after, "start": 4.5,
                "end": 5.5, "text": "пропущене", "speaker": null})
        };
        let ops: [(Value, &[&str]); 6] = [
            (set_text("1", 0, "три пять"), &recognised),
            (
                json!({"kind": "split", "segment": segment("1", 0), "at": 4,
                    "new_segment": Uuid::new_v4()}),
                &["uk", "ru", "ru", "ru", "uk"],
            ),
            // The longer part decides.
            (
                json!({"kind": "merge", "segment": segment("0", 0), "next": segment("1", 0)}),
                &["ru", "ru", "uk"],
            ),
            (
                json!({"kind": "merge", "segment": segment("2", 0), "next": segment("3", 0)}),
                &["uk", "ru", "uk"],
            ),
            // A new line has the language of the line before it.
            (insert(segment("1", 0)), &["uk", "ru", "ru", "ru", "uk"]),
            (
                json!({"kind": "set_times",
                    "times": [{"segment": segment("1", 0), "start": 4.5, "end": 7.25}]}),
                &recognised,
            ),
        ];
        for (op, expected) in ops {
            let page = page(&server, &me).await;
            page.edit(op.clone()).await;
            assert_eq!(languages(&page.open().await), expected, "{op}");
            page.step("undo").await;
            assert_eq!(languages(&page.open().await), recognised, "{op}");
            page.step("redo").await;
            assert_eq!(languages(&page.open().await), expected, "{op}");
            // The earlier state, read and restored.
            let then = page.get("/transcript?version=1&at=0").await;
            assert_eq!(languages(&then), recognised, "{op}");
            let body = json!({"version": 1, "at": 0, "client": page.client,
                "edit_id": Uuid::new_v4()});
            let restored = page.post("/restore", &body).await;
            assert_eq!(restored.status, StatusCode::OK, "{op}: {}", restored.text());
            assert_eq!(languages(&page.open().await), recognised, "{op}");
        }
    });
}

#[apply(each_database!)]
fn a_first_line_that_was_missed_has_the_language_of_the_text(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        page.edit(json!({"kind": "remove", "segments": [segment("0", 0)]}))
            .await;
        page.edit(
            json!({"kind": "insert", "new_segment": Uuid::new_v4(), "after": null,
                "start": 0.0, "end": 1.0, "text": "перше", "speaker": null}),
        )
        .await;
        assert_eq!(languages(&page.open().await), ["uk", "ru", "ru", "uk"]);
    });
}

#[apply(each_database!)]
fn a_passage_that_was_brought_back_has_the_language_of_the_line_before_it(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        // The lines begin at 1, 4, 8 and 12 seconds.
        let mut transcript = mixed();
        transcript.segments[0].start = 1.0;
        let passage = |start| Removed {
            start,
            end: start + 0.5,
            speaker: None,
            text: "Дякую.".to_owned(),
            reason: RemovedReason::PhantomPhrase,
            voiced: 0.1,
            confidence: 0.25,
            compression: 0.7,
        };
        transcript.removed = vec![passage(0.2), passage(5.0)];
        let page = page_on(&server, &me, &transcript).await;
        page.edit(json!({"kind": "bring_back", "passage": 1})).await;
        let expected = ["uk", "ru", "ru", "ru", "uk"];
        assert_eq!(languages(&page.open().await), expected);
        page.edit(json!({"kind": "bring_back", "passage": 0})).await;
        let expected = ["uk", "uk", "ru", "ru", "ru", "uk"];
        assert_eq!(languages(&page.open().await), expected);
    });
}

#[apply(each_database!)]
fn search_and_statistics_can_be_limited_to_a_language(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        page.edit(set_text("3", 0, "да да")).await;
        let mut unsettled = ChangingJobs::default();
        for _ in 0..2 {
            let (db, shutdown) = (&server.state.db, &server.state.shutdown);
            index_waiting(db, shutdown, &mut unsettled).await.unwrap();
        }
        // да
        let hits = async |query: &str| {
            let path = format!("/api/v1/search/{}?q=%D0%B4%D0%B0{query}", page.job);
            let answer = server.get_as(&me, &path).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            let items = answer.json()["items"].as_array().unwrap().clone();
            let hit = |item: Value| (item["segment_id"].clone(), item["language"].clone());
            items.into_iter().map(hit).collect::<Vec<_>>()
        };
        let (russian, ukrainian) = ((json!("2"), json!("ru")), (json!("3"), json!("uk")));
        assert_eq!(hits("").await, [russian.clone(), ukrainian.clone()]);
        assert_eq!(hits("&language=ru").await, std::slice::from_ref(&russian));
        assert_eq!(hits("&language=uk").await, [ukrainian]);
        assert!(hits("&language=en").await.is_empty());
        // What older releases have indexed has the language of its job.
        let mut transaction = server.state.db.write().await.unwrap();
        let statement = "UPDATE search_passages SET language = NULL";
        slovo_db::testing::execute(&mut transaction, statement).await;
        transaction.commit().await.unwrap();
        assert_eq!(hits("&language=uk").await.len(), 2);
        assert!(hits("&language=ru").await.is_empty());

        let words = async |query: &str| {
            let overview = page.get(&format!("/analysis{query}")).await;
            let statistics = &overview["statistics"];
            (statistics["words"].clone(), statistics["speech"].clone())
        };
        assert_eq!(words("").await, (json!(7), json!(16.0)));
        assert_eq!(words("?language=ru").await, (json!(3), json!(8.0)));
        assert_eq!(words("?language=uk").await, (json!(4), json!(8.0)));
        assert_eq!(words("?language=de").await, (json!(0), json!(0.0)));
        for path in [
            format!("/api/v1/search/{}?q=a&language=xx", page.job),
            format!("{}/analysis?language=%27", page.path),
        ] {
            server
                .get_as(&me, &path)
                .await
                .is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
    });
}
