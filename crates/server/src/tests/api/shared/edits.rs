//! Edits by visitors: lines and speaker names, while the link allows it.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use slovo_db::texts::shares::{self, SharePermissions};
use slovo_rules::share::ShareRights;
use uuid::Uuid;

use super::*;
use crate::tests::api::jobs::edits::support::{edit, segment, set_text};

const PASSPHRASE: &str = "лелека над Россю";

/// Creates a link that allows edits without a password.
async fn open_to_edits(page: &Page<'_>) -> Value {
    let form = json!({"expires_at": null, "with_media": false, "rights": "edit",
        "edit_without_password": true});
    share(page, form).await
}

async fn post_with(server: &TestServer, path: &str, grant: &str, form: &Value) -> Answer {
    let request = Request::post(path)
        .header("content-type", "application/json")
        .header("share-grant", grant);
    let body = Body::from(form.to_string());
    server.send(request.body(body).unwrap()).await
}

/// A visitor who has opened a link.
struct Guest<'a> {
    server: &'a TestServer,
    link: String,
    grant: String,
    name: &'a str,
}

impl<'a> Guest<'a> {
    async fn of(server: &'a TestServer, share: &Value, name: &'a str) -> Self {
        let link = token(share).to_owned();
        let opened = open(server, &link).await;
        assert_eq!(opened.status, StatusCode::OK, "{}", opened.text());
        let grant = opened.json()["grant"].as_str().unwrap().to_owned();
        Self {
            server,
            link,
            grant,
            name,
        }
    }

    fn form(&self, op: Value) -> Value {
        json!({"version": 1, "name": self.name, "edit": edit(op)})
    }

    async fn send(&self, form: &Value) -> Answer {
        let path = format!("/api/v1/shared/{}/edits", self.link);
        post_with(self.server, &path, &self.grant, form).await
    }

    async fn edit(&self, op: Value) -> Answer {
        self.send(&self.form(op)).await
    }

    async fn undo(&self) -> Answer {
        let path = format!("/api/v1/shared/{}/edits/undo", self.link);
        let form = json!({"version": 1, "name": self.name, "edit_id": Uuid::new_v4()});
        post_with(self.server, &path, &self.grant, &form).await
    }

    async fn view(&self) -> Value {
        open_with(self.server, &self.link, &self.grant).await.json()
    }
}

#[apply(each_database!)]
fn edits_by_visitors_are_attributed_and_undoable_by_the_owner(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("secret.owner@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю вас."]).await;
        let created = open_to_edits(&page).await;
        // Visitors who can only read get no revisions.
        let read = share(&page, json!({"expires_at": null, "with_media": false})).await;
        let read = open(&server, token(&read)).await;
        assert!(!read.text().contains("\"revision\"") && !read.text().contains("can_undo"));

        // A visitor who uses the owner's name is still a visitor.
        let guest = Guest::of(&server, &created, " secret.owner\u{202e}").await;
        let view = guest.view().await;
        assert_eq!(view["transcript"]["segments"][0]["revision"], 0);
        assert_eq!(view["transcript"]["segments"][0]["language"], "uk");
        assert_eq!(view["can_undo"], false);
        let markup = "<img src=x onerror=alert(1)> день.";
        let form = guest.form(set_text("0", 0, markup));
        let saved = guest.send(&form).await;
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.text());
        assert_not_indexed_or_cached(&saved);
        for secret in ["@example.com", &me.user_id, "\"confidence\"", ".wav"] {
            assert!(!saved.text().contains(secret), "tells {secret}");
        }
        let answer = saved.json();
        assert_eq!(answer["changes"][0]["segment"]["text"], markup);
        assert_eq!(answer["changes"][0]["segment"]["revision"], 1);
        assert_eq!(answer["changes"][0]["segment"]["language"], "uk");
        assert_eq!(answer["can_undo"], true);
        // A repeated request is stored once.
        assert_eq!(guest.send(&form).await.json(), answer);
        let speaker = json!({"kind": "set_speaker", "segments": [segment("1", 0)],
            "speaker": "SPEAKER_0"});
        assert_eq!(guest.edit(speaker).await.status, StatusCode::OK);
        let rename = json!({"kind": "rename_speaker", "speaker": "SPEAKER_0", "name": "Олена"});
        let rename = guest.edit(rename).await.json();
        assert_eq!(rename["speakers"][0]["name"], "Олена");

        let history = page.get("/history").await;
        let session = &history["sessions"][0];
        assert_eq!(history["sessions"].as_array().unwrap().len(), 1);
        assert_eq!(
            (&session["edits"], &session["by_me"]),
            (&json!(3), &json!(false))
        );
        assert_eq!(session["author_name"], "secret.owner");
        assert_eq!(session["share"]["id"], created["id"]);
        assert_eq!(session["share"]["created_at"], created["created_at"]);
        page.edit(set_text("1", 1, "Вітаю.")).await;
        let list = page.get("/edits?version=1").await;
        assert_eq!(list["edits"][0]["author"]["share"]["id"], created["id"]);
        assert_eq!(list["edits"][3]["author"]["share"], Value::Null);
        let history = page.get("/history").await;
        assert_eq!(history["sessions"][1]["by_me"], true);
        assert_eq!(history["sessions"][1]["share"], Value::Null);
        // The owner can undo it, also after the link is gone.
        let withdraw = format!("{}/shares/{}", page.path, created["id"].as_str().unwrap());
        remove(&server, &me, &withdraw).await;
        let restore = json!({"version": 1, "at": 0, "client": page.client,
            "edit_id": Uuid::new_v4()});
        assert_eq!(page.post("/restore", &restore).await.status, StatusCode::OK);
        assert_eq!(page.texts().await, ["Добрий день.", "Вітаю вас."]);
        let history = page.get("/history").await;
        assert_eq!(history["sessions"][0]["share"]["id"], created["id"]);
    });
}

#[apply(each_database!)]
fn a_visit_can_undo_only_its_own_edits(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        let created = open_to_edits(&page).await;
        page.edit(set_text("0", 0, "перше")).await;
        let first = Guest::of(&server, &created, "Олена").await;
        let second = Guest::of(&server, &created, "Олена").await;
        let edited = first.edit(set_text("1", 0, "друге")).await;
        assert_eq!(edited.status, StatusCode::OK, "{}", edited.text());
        // The same name and link, but another visit.
        second
            .undo()
            .await
            .is_problem(StatusCode::CONFLICT, "nothing_to_undo");
        let undone = first.undo().await;
        assert_eq!(undone.status, StatusCode::OK, "{}", undone.text());
        assert_eq!(undone.json()["can_undo"], false);
        assert_eq!(undone.json()["changes"][0]["segment"]["text"], "два");
        first
            .undo()
            .await
            .is_problem(StatusCode::CONFLICT, "nothing_to_undo");
        assert_eq!(page.texts().await, ["перше", "два"]);
        assert_eq!(page.step("undo").await.status, StatusCode::OK);
        // It cannot be undone after somebody else's edit of the same line.
        first.edit(set_text("1", 2, "другий раз")).await;
        page.edit(set_text("1", 3, "моє")).await;
        let late = first.undo().await;
        late.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert!(!late.text().contains("confidence"), "{}", late.text());
        assert_eq!(page.texts().await, ["раз", "моє"]);
    });
}

#[apply(each_database!)]
fn a_conflicting_edit_gets_the_current_text(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз два", "три"]).await;
        let guest = Guest::of(&server, &open_to_edits(&page).await, "Олена").await;
        page.edit(set_text("0", 0, "раз і два")).await;
        let late = guest.edit(set_text("0", 0, "раз та два")).await;
        late.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_not_indexed_or_cached(&late);
        let current = &late.json()["conflicts"][0]["segment"];
        assert_eq!(
            (&current["text"], &current["revision"]),
            (&json!("раз і два"), &json!(1))
        );
        assert!(!late.text().contains("confidence"), "{}", late.text());
        let retried = guest.edit(set_text("0", 1, "раз та два")).await;
        assert_eq!(retried.status, StatusCode::OK, "{}", retried.text());
        // A removed line is reported as removed.
        page.edit(json!({"kind": "remove", "segments": [segment("1", 0)]}))
            .await;
        let removed = guest.edit(set_text("1", 0, "четвертий")).await;
        removed.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_eq!(
            removed.json()["conflicts"],
            json!([{"id": "1", "segment": null}])
        );
        assert_eq!(page.texts().await, ["раз та два"]);
    });
}

#[apply(each_database!)]
fn edits_end_when_the_link_no_longer_allows_them(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз"]).await;
        let created = open_to_edits(&page).await;
        let guest = Guest::of(&server, &created, "Олена").await;
        let comment = json!({"with_media": false, "with_confidence": false, "rights": "comment"});
        assert_eq!(
            put(&page, &created, "", comment).await.status,
            StatusCode::OK
        );
        for answer in [guest.edit(set_text("0", 0, "а")).await, guest.undo().await] {
            answer.is_problem(StatusCode::FORBIDDEN, "edits_not_allowed");
            assert_not_indexed_or_cached(&answer);
        }
        // After the right was taken away, it must be confirmed again.
        let again = json!({"with_media": false, "with_confidence": false, "rights": "edit"});
        let unsafe_change = put(&page, &created, "", again.clone()).await;
        let refused = StatusCode::UNPROCESSABLE_ENTITY;
        unsafe_change.is_problem(refused, "validation_failed");
        let locked = put(
            &page,
            &created,
            "/password",
            json!({"password": PASSPHRASE}),
        )
        .await;
        assert_eq!(locked.status, StatusCode::OK, "{}", locked.text());
        assert_eq!(put(&page, &created, "", again).await.status, StatusCode::OK);
        for answer in [guest.edit(set_text("0", 0, "а")).await, guest.undo().await] {
            answer.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        }
        let path = format!("/api/v1/shared/{}/unlock", guest.link);
        let unlocked = server.post(&path, &json!({"password": PASSPHRASE})).await;
        let grant = unlocked.json()["grant"].as_str().unwrap().to_owned();
        let guest = Guest { grant, ..guest };
        assert_eq!(
            guest.edit(set_text("0", 0, "а")).await.status,
            StatusCode::OK
        );
        // Removing the password requires the owner's confirmation.
        let unprotected = put(&page, &created, "/password", json!({"password": null})).await;
        unprotected.is_problem(refused, "validation_failed");
        assert_eq!(
            unprotected.json()["errors"][0]["code"],
            "share_edit_unprotected"
        );
        let confirmed = json!({"password": null, "edit_without_password": true});
        assert_eq!(
            put(&page, &created, "/password", confirmed).await.status,
            StatusCode::OK
        );
        let withdraw = format!("{}/shares/{}", page.path, created["id"].as_str().unwrap());
        remove(&server, &me, &withdraw).await;
        for answer in [guest.edit(set_text("0", 1, "б")).await, guest.undo().await] {
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            assert_not_indexed_or_cached(&answer);
        }
        let soon = json!({"expires_at": "2026-03-01T12:01:00Z", "with_media": false,
            "rights": "edit", "edit_without_password": true});
        let guest = Guest::of(&server, &share(&page, soon).await, "Олена").await;
        server.clock.advance_seconds(60);
        let late = guest.edit(set_text("0", 1, "б")).await;
        late.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(page.texts().await, ["а"]);
    });
}

#[apply(each_database!)]
fn a_password_cannot_be_removed_while_edits_are_being_allowed(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз"]).await;
        let form = json!({"expires_at": null, "with_media": false, "password": PASSPHRASE});
        let created = share(&page, form).await;
        let id: Uuid = created["id"].as_str().unwrap().parse().unwrap();
        let mut transaction = server.state.db.write().await.unwrap();
        let settings = SharePermissions {
            with_media: false,
            with_confidence: false,
            rights: ShareRights::Edit,
        };
        let changed = shares::change(&mut transaction, page.job, id, settings).await;
        assert!(changed.unwrap());
        let changes = async {
            // The other request has started by then.
            tokio::time::sleep(Duration::from_millis(300)).await;
            transaction.commit().await.unwrap();
        };
        let unprotected = put(&page, &created, "/password", json!({"password": null}));
        let (unprotected, ()) = tokio::join!(unprotected, changes);
        unprotected.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(
            unprotected.json()["errors"][0]["code"],
            "share_edit_unprotected"
        );
        // The password is still required.
        open(&server, token(&created))
            .await
            .is_problem(StatusCode::FORBIDDEN, "share_password_required");
    });
}

#[apply(each_database!)]
fn a_link_edits_only_its_own_current_text(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        let other = Page::on(&server, &me, &["чуже"]).await;
        let (created, of_other) = (open_to_edits(&page).await, open_to_edits(&other).await);
        let guest = Guest::of(&server, &created, "Олена").await;
        // A grant of another link is not valid here: it is another visit, and nothing is undone.
        guest.edit(set_text("0", 0, "перше")).await;
        let stranger = Guest {
            grant: guest.grant.clone(),
            ..Guest::of(&server, &of_other, "Олена").await
        };
        stranger
            .undo()
            .await
            .is_problem(StatusCode::CONFLICT, "nothing_to_undo");
        // A line that does not exist in this text.
        let missing_line = stranger.edit(set_text("1", 0, "нове")).await;
        missing_line.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_eq!(other.texts().await, ["чуже"]);
        // The id of an edit by the owner or through another link reveals nothing of that edit.
        let own_edit = edit(set_text("1", 0, "таємне"));
        assert_eq!(
            page.send(vec![own_edit.clone()]).await.status,
            StatusCode::OK
        );
        let second = Guest::of(&server, &open_to_edits(&page).await, "Олена").await;
        for guest in [&guest, &second] {
            let form = json!({"version": 1, "name": "Олена", "edit": own_edit});
            let answer = guest.send(&form).await;
            let refused = StatusCode::UNPROCESSABLE_ENTITY;
            answer.is_problem(refused, "validation_failed");
            assert_eq!(answer.json()["errors"][0]["field"], "edit.edit_id");
            assert!(!answer.text().contains("таємне"), "{}", answer.text());
        }
        // After a new run, edits of the old text are refused.
        page.post("/rerun", &json!({"settings": {}})).await;
        let meanwhile = guest.edit(set_text("0", 1, "ще перше")).await;
        assert_eq!(meanwhile.status, StatusCode::OK, "{}", meanwhile.text());
        complete(&server, &talk(&["one", "two"])).await;
        for answer in [
            guest.edit(set_text("0", 2, "пізно")).await,
            guest.undo().await,
        ] {
            answer.is_problem(StatusCode::CONFLICT, "text_replaced");
        }
        assert_eq!(page.texts().await, ["one", "two"]);
    });
}

#[apply(each_database!)]
fn speakers_created_by_visitors_are_limited_and_must_be_used(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        let guest = Guest::of(&server, &open_to_edits(&page).await, "Олена").await;
        let set_speaker = |line: &str, revision: u32, number: u32| {
            json!({"kind": "set_speaker", "segments": [segment(line, revision)],
                "speaker": format!("SPEAKER_{number}")})
        };
        let is_refused = |answer: &Answer| {
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &answer.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!("edit.op.speaker"), &json!("speaker_invalid"))
            );
        };
        assert_eq!(
            guest.edit(set_speaker("0", 0, 2)).await.status,
            StatusCode::OK
        );
        assert_eq!(guest.undo().await.status, StatusCode::OK);
        // The speaker still exists, without a line.
        is_refused(&guest.edit(set_speaker("0", 2, 3)).await);
        assert_eq!(
            guest.edit(set_speaker("0", 2, 2)).await.status,
            StatusCode::OK
        );
        // From here on the line's revision equals the number.
        for number in 3..50 {
            let answer = guest.edit(set_speaker("0", number, number)).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        }
        is_refused(&guest.edit(set_speaker("0", 50, 50)).await);
        assert_eq!(page.open().await["speakers"].as_array().unwrap().len(), 50);
        // The owner may create one more, and visitors may choose it.
        page.edit(set_speaker("0", 50, 50)).await;
        let chosen = guest.edit(set_speaker("1", 0, 50)).await;
        assert_eq!(chosen.status, StatusCode::OK, "{}", chosen.text());
    });
}

#[apply(each_database!)]
fn at_the_edit_limit_of_a_link_only_new_edits_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз"]).await;
        let guest = Guest::of(&server, &open_to_edits(&page).await, "Олена").await;
        let form = guest.form(set_text("0", 0, "перше"));
        let first = guest.send(&form).await;
        assert_eq!(first.status, StatusCode::OK, "{}", first.text());
        // The maximum number of edits of the link, in a run that is not shown.
        let mut transaction = server.state.db.write().await.unwrap();
        slovo_db::testing::execute(
            &mut transaction,
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4999) \
             INSERT INTO transcript_edits (my_job_id, version, seq, edit_id, client, author_id, at, \
             kind, segments_before, segments_after, speakers_before, speakers_after, share_id) \
             SELECT my_job_id, 9, i, edit_id || i, client, author_id, at, kind, '[]', '[]', '[]', \
             '[]', share_id FROM transcript_edits, n",
        )
        .await;
        transaction.commit().await.unwrap();
        let more = guest.edit(set_text("0", 1, "друге")).await;
        more.is_problem(StatusCode::CONFLICT, "too_many_shared_edits");
        // The answer was lost and the request is repeated.
        let again = guest.send(&form).await;
        assert_eq!(again.status, StatusCode::OK, "{}", again.text());
        assert_eq!(again.json()["changes"], first.json()["changes"]);
        let undone = guest.undo().await;
        assert_eq!(undone.status, StatusCode::OK, "{}", undone.text());
        assert_eq!(page.texts().await, ["раз"]);
    });
}

#[apply(each_database!)]
fn edits_by_visitors_are_validated_and_rate_limited(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        let open_link = json!({"expires_at": null, "with_media": false, "rights": "edit"});
        let refused = page.post("/shares", &open_link).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(
            refused.json()["errors"][0]["code"],
            "share_edit_unprotected"
        );
        let guest = Guest::of(&server, &open_to_edits(&page).await, "Олена").await;
        let form_named =
            |name: &str| json!({"version": 1, "name": name, "edit": edit(set_text("0", 0, "а"))});
        let form_for = |op: Value| guest.form(op);
        let next = segment("1", 0);
        for (form, field, code) in [
            (form_named(&"ї".repeat(81)), "name", "too_long"),
            (form_named(" \u{200b}"), "name", "visitor_name_required"),
            (
                form_for(set_text("0", 0, &"ї".repeat(5001))),
                "edit.op.text",
                "too_long",
            ),
            (
                form_for(set_text("0", 0, " ")),
                "edit.op.text",
                "text_required",
            ),
            (
                form_for(json!({"kind": "remove", "segments": [next]})),
                "edit.op.kind",
                "edit_not_for_visitors",
            ),
            (
                form_for(
                    json!({"kind": "merge_speakers", "from": "SPEAKER_0", "into": "SPEAKER_1"}),
                ),
                "edit.op.kind",
                "edit_not_for_visitors",
            ),
            (
                form_for(json!({"kind": "rename_speaker", "speaker": "SPEAKER_7", "name": "а"})),
                "edit.op.speaker",
                "speaker_invalid",
            ),
        ] {
            let answer = guest.send(&form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &answer.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!(field), &json!(code))
            );
        }
        let longest = guest.edit(set_text("0", 0, &"ї".repeat(5000))).await;
        assert_eq!(longest.status, StatusCode::OK, "{}", longest.text());
        let huge = guest.edit(set_text("1", 0, &"b".repeat(70_000))).await;
        huge.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        assert_eq!(page.texts().await[1], "два");
        // Visits, networks and links have separate limits.
        let limits = &server.state.limits;
        let (link, visit) = (Uuid::new_v4(), Uuid::new_v4());
        let from = |last: u8| IpAddr::V4(Ipv4Addr::new(192, 0, 2, last));
        for _ in 0..360 {
            assert!(limits.shared_edit(link, visit, from(1)).is_ok());
        }
        assert!(limits.shared_edit(link, visit, from(2)).is_err());
        for _ in 360..1000 {
            assert!(limits.shared_edit(link, Uuid::new_v4(), from(1)).is_ok());
        }
        assert!(limits.shared_edit(link, Uuid::new_v4(), from(1)).is_err());
        assert!(limits.shared_edit(link, Uuid::new_v4(), from(2)).is_ok());
    });
}
