//! The state of a transcript as an ETag.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::support::{Page, edit, set_text};
use crate::testing::{Answer, Backend, apply, each_database, with_server};

impl Page<'_> {
    /// A request with one header more.
    async fn conditional(
        &self,
        method: Method,
        action: &str,
        (name, value): (&str, &str),
        body: Option<&Value>,
    ) -> Answer {
        let path = format!("{}{action}", self.path);
        let mut request = self
            .server
            .request(method, &path, self.who)
            .header(name, value);
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.server.send(request.body(body).unwrap()).await
    }

    async fn edit_of(&self, etag: &str, edit: &Value) -> Answer {
        let body = json!({"version": 1, "client": self.client, "edits": [edit]});
        let condition = ("if-match", etag);
        self.conditional(Method::POST, "/edits", condition, Some(&body))
            .await
    }
}

#[apply(each_database!)]
fn an_edit_is_saved_only_in_the_state_that_it_names(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        let read = server
            .get_as(&me, &format!("{}/transcript", page.path))
            .await;
        let first = read.header("etag").to_owned();
        let change = edit(set_text("0", 0, "перший"));
        let saved = page.edit_of(&first, &change).await;
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.text());
        let second = saved.header("etag").to_owned();
        assert_ne!(first, second);

        // Of another state, even of another segment.
        let late = page
            .edit_of(&first, &edit(set_text("1", 0, "не буде")))
            .await;
        late.is_problem(StatusCode::PRECONDITION_FAILED, "edit_conflict");
        assert_eq!(page.texts().await, ["перший", "два"]);
        // Sent again because the answer was lost: it is stored already.
        let again = page.edit_of(&first, &change).await;
        assert_eq!(
            (again.status, again.header("etag")),
            (StatusCode::OK, second.as_str())
        );
        let step = json!({"version": 1, "client": page.client, "edit_id": uuid::Uuid::new_v4()});
        let condition = ("if-match", first.as_str());
        let late = page
            .conditional(Method::POST, "/edits/undo", condition, Some(&step))
            .await;
        late.is_problem(StatusCode::PRECONDITION_FAILED, "edit_conflict");
        let condition = ("if-match", "\"0\", W/\"1.1\"");
        let undone = page
            .conditional(Method::POST, "/edits/undo", condition, Some(&step))
            .await;
        assert_eq!(undone.status, StatusCode::OK, "{}", undone.text());
        assert_eq!(page.texts().await, ["раз", "два"]);
    });
}

#[apply(each_database!)]
fn a_known_text_is_not_sent_again(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз"]).await;
        let read = server
            .get_as(&me, &format!("{}/transcript", page.path))
            .await;
        let known = read.header("etag").to_owned();
        let ask = async |etag: &str| {
            let condition = ("if-none-match", etag);
            page.conditional(Method::GET, "/transcript", condition, None)
                .await
        };
        let same = ask(&known).await;
        assert_eq!(same.status, StatusCode::NOT_MODIFIED);
        assert!(same.text().is_empty());
        page.edit(set_text("0", 0, "перший")).await;
        let changed = ask(&known).await;
        assert_eq!(changed.status, StatusCode::OK);
        assert_ne!(changed.header("etag"), known);
    });
}
