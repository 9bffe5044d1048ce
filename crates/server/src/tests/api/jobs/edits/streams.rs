//! Event streams of edits.

use axum::body::{Body, BodyDataStream};
use axum::http::{Method, StatusCode};
use futures_util::StreamExt;
use serde_json::{Value, json};
use slovo_rules::edit::{Edit, validate};
use slovo_transcripts::edits::{self, Author};
use uuid::Uuid;

use super::support::{Page, complete, edit, set_text, talk};
use crate::testing::{Backend, apply, each_database, with_server};

/// An event stream, read event by event.
struct Stream {
    body: BodyDataStream,
    text: String,
}

impl Stream {
    async fn open(page: &Page<'_>, since: u32) -> Self {
        let path = format!("{}/edits/events?version=1&since={since}", page.path);
        let request = page.server.request(Method::GET, &path, page.who);
        let response = page.server.open(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        Self {
            body: response.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    /// The next event's name and data; `None` when the stream ends.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
                let event = field("event: ").map(|name| {
                    let data = field("data: ").unwrap();
                    (name.to_owned(), serde_json::from_str(data).unwrap())
                });
                self.text = rest.to_owned();
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let piece = self.body.next().await?.unwrap();
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }
}

#[apply(each_database!)]
fn edits_and_runs_are_streamed_to_clients(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        page.edit(set_text("0", 0, "перший")).await;
        let mut stream = Stream::open(&page, 0).await;
        let (name, list) = stream.next().await.unwrap();
        assert_eq!((name.as_str(), &list["seq"]), ("edits", &json!(1)));
        assert_eq!(list["edits"][0]["changes"][0]["segment"]["text"], "перший");
        assert_eq!(list["edits"][0]["kind"], "set_text");
        assert_eq!(list["edits"][0]["client"], json!(page.client));
        page.step("undo").await;
        let (_, list) = stream.next().await.unwrap();
        assert_eq!(list["edits"][0]["kind"], "undo");
        assert_eq!(list["edits"].as_array().unwrap().len(), 1, "each once");

        // Stored as by another process, which does not wake this one.
        let author = Author {
            job: page.job,
            version: 1,
            client: Uuid::new_v4(),
            user_id: me.user_id.clone(),
            visitor: None,
            now: server.state.clock.now_ms(),
        };
        let sent: Edit = serde_json::from_value(edit(set_text("1", 0, "другий"))).unwrap();
        let mut transaction = server.state.db.write().await.unwrap();
        edits::save(&mut transaction, &author, &validate(&[sent]).unwrap())
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let (_, list) = stream.next().await.unwrap();
        assert_eq!(list["edits"][0]["seq"], 3);

        page.post("/rerun", &json!({"settings": {}})).await;
        complete(&server, &talk(&["one"])).await;
        let (name, run) = stream.next().await.unwrap();
        assert_eq!(
            (name.as_str(), run),
            ("run", json!({"shown": 2, "runs": 2}))
        );
        drop(page.server.state.jobs.live().follow(page.job));

        let path = page.path.clone();
        crate::tests::api::jobs::support::send(&server, &me, Method::DELETE, &path).await;
        assert_eq!(stream.next().await, None);
    });
}

#[apply(each_database!)]
fn a_long_list_of_edits_comes_in_pages(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз"]).await;
        let mut revision = 0;
        for _ in 0..6 {
            let edits = (0..100).map(|number| {
                let op = set_text("0", revision + number, &format!("текст {number}"));
                edit(op)
            });
            let answer = page.send(edits.collect()).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            revision += 100;
        }
        let list = page.get("/edits?version=1&since=20").await;
        assert_eq!((&list["seq"], &list["more"]), (&json!(520), &json!(true)));
        let rest = page.get("/edits?version=1&since=520").await;
        assert_eq!(rest["edits"].as_array().unwrap().len(), 80);
        assert_eq!(rest["more"], false);
        let none = page.get("/edits?version=1&since=600").await;
        assert_eq!((&none["seq"], &none["edits"]), (&json!(600), &json!([])));
    });
}
