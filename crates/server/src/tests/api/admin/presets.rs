//! Administration of presets.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::accounts::audit::{self, Entry, Filter};
use slovo_rules::preset::MAX_IMPORT_BYTES;

use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::jobs::support::send;
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/presets";
const STANDARD: &str = "/api/v1/admin/presets/standard";
const IMPORT: &str = "/api/v1/admin/presets/import";
const OWN: &str = "/api/v1/presets";

async fn page(server: &TestServer, who: &TestUser, query: &str) -> Value {
    let answer = server.get_as(who, &format!("{PATH}{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

async fn load(server: &TestServer) {
    let state = &server.state;
    let loaded = slovo_app::presets::load(&state.db, &*state.random, state.clock.now_ms()).await;
    loaded.unwrap();
}

async fn make(server: &TestServer, who: &TestUser, form: &Value) -> Value {
    let answer = server.post_as(who, OWN, form).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()
}

fn path(preset: &Value) -> String {
    format!("{OWN}/{}", preset["id"].as_str().unwrap())
}

fn names(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().unwrap();
    items
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect()
}

/// The oldest first.
async fn audit_entries(server: &TestServer) -> Vec<Entry> {
    let mut connection = server.state.db.read().await.unwrap();
    let all = audit::list(&mut connection, &Filter::default(), None, 100).await;
    let mut all = all.unwrap();
    all.reverse();
    all
}

#[apply(each_database!)]
fn all_presets_are_listed_with_their_owners_and_searched(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        load(&server).await;
        let private = json!({"name": "Ольжина ПАПКА", "is_public": false, "category": "interview"});
        let private = make(&server, &olha, &private).await;
        let settings = json!({"transcription_type": "lite", "language_code": "en"});
        let own = json!({"name": "Папка", "settings": settings, "category": "interview"});
        make(&server, &admin, &own).await;
        let mut transaction = server.state.db.write().await.unwrap();
        let id = private["id"].as_str().unwrap().parse().unwrap();
        let viewer = slovo_db::presets::Viewer {
            user_id: &olha.user_id,
            is_admin: false,
        };
        slovo_db::presets::count_use(&mut transaction, viewer, id)
            .await
            .unwrap();
        transaction.commit().await.unwrap();

        let all = page(&server, &admin, "").await;
        assert_eq!(all["total"], 28);
        let mut expected = private.clone();
        expected["owner_email"] = json!("olha@example.com");
        expected["is_own"] = json!(false);
        expected["usage_count"] = json!(1);
        assert_eq!(all["items"][0], expected);
        let owners = |owner: Value| {
            let items = all["items"].as_array().unwrap().iter();
            items.filter(|it| it["owner_email"] == owner).count()
        };
        assert_eq!(
            (owners(json!("admin@example.com")), owners(json!(null))),
            (1, 26)
        );

        let found = page(&server, &admin, "?search=%D0%9F%D0%B0%D0%BF%D0%9A").await;
        assert_eq!(names(&found), ["Ольжина ПАПКА", "Папка"]);
        assert_eq!(found["total"], 2);
        let found = page(
            &server,
            &admin,
            "?category=interview&transcription_type=lite",
        )
        .await;
        assert_eq!(names(&found), ["Папка"]);
        // English names of built-in presets, and characters that are special in SQL.
        assert_eq!(page(&server, &admin, "?search=cornell").await["total"], 1);
        for no_match in ["?search=%25", "?search=%00", "?search='%20OR%201=1"] {
            let empty = json!({"items": [], "next_cursor": null, "total": 0});
            assert_eq!(page(&server, &admin, no_match).await, empty);
        }
        for junk in [
            "?category=x",
            "?transcription_type=",
            "?limit=a",
            "?cursor=a",
        ] {
            let refused = server.get_as(&admin, &format!("{PATH}{junk}")).await;
            refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }

        let (mut items, mut cursor) = (Vec::new(), String::new());
        loop {
            let next = page(&server, &admin, &format!("?limit=7&cursor={cursor}")).await;
            items.extend(next["items"].as_array().unwrap().clone());
            assert_eq!(next["total"], 28);
            match next["next_cursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(items, *all["items"].as_array().unwrap());
    });
}

#[apply(each_database!)]
fn built_in_presets_can_be_restored(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        load(&server).await;
        let status = async || server.get_as(&admin, STANDARD).await.json();
        assert_eq!(
            status().await,
            json!({"total": 26, "missing": 0, "changed": 0})
        );
        let all = page(&server, &admin, "").await;
        let (edited, deleted) = (&all["items"][0], &all["items"][1]);
        let form = json!({"name": "Наша", "is_public": false});
        let changed = send_json(&server, &admin, Method::PUT, &path(edited), &form).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.text());
        server.clock.advance_seconds(1);
        let answer = send(&server, &admin, Method::DELETE, &path(deleted)).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
        server.clock.advance_seconds(1);
        assert_eq!(
            status().await,
            json!({"total": 26, "missing": 1, "changed": 1})
        );

        let loaded = server.post_as(&admin, STANDARD, &json!({})).await;
        assert_eq!(loaded.json(), json!({"loaded": 26, "added": 1, "reset": 1}));
        assert_eq!(
            status().await,
            json!({"total": 26, "missing": 0, "changed": 0})
        );
        let found = server.get_as(&admin, &path(edited)).await.json();
        for same in ["name", "name_en", "description", "settings", "is_public"] {
            assert_eq!(found[same], edited[same]);
        }
        server.clock.advance_seconds(1);
        let again = server.post_as(&admin, STANDARD, &json!({})).await;
        assert_eq!(again.json(), json!({"loaded": 26, "added": 0, "reset": 0}));
        assert_eq!(page(&server, &admin, "").await["total"], 26);

        let entries = audit_entries(&server).await;
        let actions: Vec<_> = entries.iter().map(|entry| &*entry.action).collect();
        let load = "preset.load_standard";
        assert_eq!(actions, ["preset.update", "preset.delete", load, load]);
        let [update, delete, load, _] = &entries[..] else {
            panic!("{entries:?}")
        };
        let (before, after) = (
            update.before.as_ref().unwrap(),
            update.after.as_ref().unwrap(),
        );
        assert_eq!(
            (&before["name"], &after["name"]),
            (&edited["name"], &json!("Наша"))
        );
        assert_eq!(update.target_name, "Наша");
        assert_eq!(
            delete.before.as_ref().unwrap()["preset_id"],
            deleted["preset_id"]
        );
        assert_eq!(delete.after, None);
        let before = load.before.as_ref().unwrap();
        assert_eq!(before["changed"][0]["name"], "Наша");
        let after = json!({"added": [deleted["preset_id"]], "reset": [edited["preset_id"]]});
        assert_eq!(load.after, Some(after));
    });
}

#[apply(each_database!)]
fn imported_presets_belong_to_the_system_and_keep_their_flags(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        load(&server).await;
        let imported = |preset_id: &str, name: &str| {
            json!({"preset_id": preset_id, "name": name, "category": "interview",
                "transcription_type": "full", "settings": {"summarize": 50}})
        };
        let mut hidden = imported("b", "Б");
        hidden["is_public"] = json!(false);
        hidden["is_default"] = json!(true);
        let taken = imported("meeting_minutes_v1", "В");
        let presets = json!({"presets": [imported("a", "А"), hidden, taken]});
        let answer = server.post_as(&admin, IMPORT, &presets).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        let created = answer.json()["presets"].as_array().unwrap().clone();
        let values = |field: &str| {
            created
                .iter()
                .map(|it| it[field].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(values("is_public"), [true, false, true]);
        assert_eq!(values("is_default"), [false, true, false]);
        assert_eq!(values("is_system"), [true; 3]);
        assert_eq!(values("usage_count"), [0; 3]);
        assert_eq!(values("preset_id")[..2], ["a", "b"]);
        assert_ne!(created[2]["preset_id"], "meeting_minutes_v1");
        // Other users see public presets.
        let visible = server.get_as(&olha, OWN).await.json();
        assert_eq!(visible["presets"].as_array().unwrap().len(), 28);
        // The built-in presets are unchanged.
        let standard = server.get_as(&admin, STANDARD).await.json();
        assert_eq!(standard["changed"], 0);
        let entry = audit_entries(&server).await.pop().unwrap();
        assert_eq!(
            (&*entry.action, &*entry.target_name),
            ("preset.import", "А")
        );
        let names = entry.after.unwrap()["presets"].as_array().unwrap().len();
        assert_eq!(names, 3);

        let nameless = json!({"presets": [imported("a", "А"), imported("c", " ")]});
        let refused = server.post_as(&admin, IMPORT, &nameless).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let first = &refused.json()["errors"][0];
        assert_eq!(first["field"], "presets.1.name");
        assert_eq!(first["params"]["number"], 2);
        let huge = json!({"presets": "x".repeat(MAX_IMPORT_BYTES + 2000)});
        let huge = server.post_as(&admin, IMPORT, &huge).await;
        huge.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        assert_eq!(page(&server, &admin, "").await["total"], 29);
    });
}

#[apply(each_database!)]
fn only_actions_affecting_other_users_are_audited(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        let private = json!({"name": "Своя", "is_public": false});
        for who in [&admin, &olha] {
            let preset = make(&server, who, &private).await;
            let answer = send_json(&server, who, Method::PUT, &path(&preset), &private).await;
            assert_eq!(answer.status, StatusCode::OK);
            let answer = send(&server, who, Method::DELETE, &path(&preset)).await;
            assert_eq!(answer.status, StatusCode::NO_CONTENT);
        }
        assert_eq!(audit_entries(&server).await, []);
        let public = make(
            &server,
            &admin,
            &json!({"name": "Спільна", "is_public": true}),
        )
        .await;
        let olhas = make(&server, &olha, &private).await;
        server.clock.advance_seconds(1);
        let recommended = json!({"name": "Спільна", "is_public": true, "is_default": true});
        let answer = send_json(&server, &admin, Method::PUT, &path(&olhas), &recommended).await;
        assert_eq!(answer.status, StatusCode::OK);
        // The owner makes it private again: not an administrator's action, so it is not logged.
        let answer = send_json(&server, &olha, Method::PUT, &path(&olhas), &private).await;
        assert_eq!(answer.status, StatusCode::OK);
        server.clock.advance_seconds(1);
        send(&server, &admin, Method::DELETE, &path(&public)).await;
        let actions = audit_entries(&server)
            .await
            .into_iter()
            .map(|entry| entry.action);
        let expected = ["preset.create", "preset.update", "preset.delete"];
        assert_eq!(actions.collect::<Vec<_>>(), expected);
    });
}

#[apply(each_database!)]
fn only_administrators_may_manage_presets(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        for path in [PATH, STANDARD] {
            let refused = server.get_as(&me, path).await;
            refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        }
        for path in [STANDARD, IMPORT] {
            let refused = server.post_as(&me, path, &json!({"presets": []})).await;
            refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        }
    });
}
