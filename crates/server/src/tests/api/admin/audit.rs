//! Tests of the audit log.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::accounts::audit::{self, Entry};
use uuid::Uuid;

use crate::testing::{Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/audit";

async fn list(server: &TestServer, who: &TestUser, query: &str) -> Value {
    let answer = server.get_as(who, &format!("{PATH}{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

fn actions(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().unwrap().iter();
    items.map(|item| item["action"].as_str().unwrap()).collect()
}

async fn set(server: &TestServer, actor: &TestUser, user_id: &str, field: &str, value: &str) {
    let path = format!("/api/v1/admin/users/{user_id}/{field}");
    let answer = send_json(server, actor, Method::PUT, &path, &json!({ field: value })).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    server.clock.advance_seconds(1);
}

async fn store(server: &TestServer, id: u128, change: impl Fn(&mut Entry)) {
    let mut entry = Entry {
        id: Uuid::from_u128(id),
        actor_id: None,
        actor_email: String::new(),
        action: "plan.update".to_owned(),
        target_kind: "plan".to_owned(),
        target_id: "p1".to_owned(),
        target_name: "Стартовий".to_owned(),
        before: None,
        after: None,
        api_key: None,
        created_at: server.state.clock.now_ms(),
    };
    change(&mut entry);
    let mut transaction = server.state.db.write().await.unwrap();
    audit::record(&mut transaction, &entry).await.unwrap();
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn audited_actions_are_listed_filtered_and_paged(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        set(&server, &admin, &me.user_id, "status", "blocked").await;
        set(&server, &admin, &me.user_id, "status", "active").await;
        set(&server, &admin, &me.user_id, "role", "admin").await;
        let all = list(&server, &admin, "").await;
        assert_eq!(
            actions(&all),
            ["user.set_role", "user.set_status", "user.set_status"]
        );
        let mut newest = all["items"][0].clone();
        newest["id"] = Value::Null;
        let expected = json!({"id": null, "actor_id": admin.user_id,
            "actor_email": "admin@example.com", "action": "user.set_role", "target_kind": "user",
            "target_id": me.user_id, "target_name": "olha@example.com",
            "before": {"role": "user"}, "after": {"role": "admin"}, "api_key": null,
            "created_at": "2026-03-01T12:00:02Z"});
        assert_eq!(newest, expected);
        assert_eq!(all["next_cursor"], Value::Null);

        let page = list(&server, &admin, "?limit=2").await;
        let cursor = page["next_cursor"].as_str().unwrap();
        let next_page = list(&server, &admin, &format!("?limit=2&cursor={cursor}")).await;
        assert_eq!((actions(&page).len(), actions(&next_page).len()), (2, 1));

        for (query, count) in [
            ("?action=user", 3),
            ("?action=user.set_role", 1),
            ("?action=us", 0),
            ("?search=OLHA", 3),
            ("?search=%25", 0),
            ("?search=%00", 3),
            ("?from=2026-03-01T12:00:01Z", 2),
            ("?to=2026-03-01T12:00:01Z", 1),
            ("?from=2026-03-02", 0),
            ("?from=2026-03-01&to=2026-03-01", 3),
        ] {
            let page = list(&server, &admin, query).await;
            assert_eq!(actions(&page).len(), count, "{query}");
        }
        for query in ["?from=yesterday", "?to=x", "?cursor=x"] {
            let answer = server.get_as(&admin, &format!("{PATH}{query}")).await;
            answer.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
    });
}

#[apply(each_database!)]
fn only_administrators_can_read_the_audit_log(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        for path in [PATH.to_owned(), format!("{PATH}/export")] {
            let answer = server.get_as(&me, &path).await;
            answer.is_problem(StatusCode::FORBIDDEN, "forbidden");
        }
    });
}

#[apply(each_database!)]
fn the_csv_export_is_complete_and_contains_no_formulas(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        // More rows than are read at a time.
        for number in 0..1001 {
            store(&server, number, |entry| {
                entry.created_at = i64::try_from(number / 2).unwrap();
            })
            .await;
        }
        store(&server, 5000, |entry| {
            entry.target_name = "=HYPERLINK(\"x\")".to_owned();
            entry.actor_email = " +a@example.com".to_owned();
            entry.before = Some(json!({"price": 5}));
            entry.api_key = Some("@nightly".to_owned());
        })
        .await;
        let answer = server.get_as(&admin, &format!("{PATH}/export")).await;
        assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
        let name = "attachment; filename=\"slovo-audit-2026-03-01.csv\"";
        assert_eq!(answer.header("content-disposition"), name);
        let text = answer.text();
        let text = text.strip_prefix('\u{feff}').unwrap();
        let mut lines = text.split_terminator("\r\n");
        let columns = lines.next().unwrap();
        assert!(columns.starts_with("\"created_at\",\"actor_email\",\"action\""));
        let first = lines.next().unwrap();
        let expected = "\"2026-03-01T12:00:00Z\",\"' +a@example.com\",\"plan.update\",\"plan\",\
            \"p1\",\"'=HYPERLINK(\"\"x\"\")\",\"{\"\"price\"\":5}\",\"\",\"'@nightly\"";
        assert_eq!(first, expected);
        assert_eq!(lines.count(), 1001);
        let path = format!("{PATH}/export?search=hyperlink");
        let found = server.get_as(&admin, &path).await.text();
        assert_eq!(found.matches("\r\n").count(), 2);
    });
}

#[apply(each_database!)]
fn deleting_an_account_removes_its_name_from_the_audit_log(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        set(&server, &admin, &me.user_id, "role", "admin").await;
        set(&server, &me, &admin.user_id, "status", "active").await;
        let form = json!({"password": PASSWORD});
        let answer = send_json(&server, &me, Method::DELETE, "/api/v1/me", &form).await;
        assert!(answer.status.is_success(), "{}", answer.text());
        let all = list(&server, &admin, "").await;
        assert_eq!(actions(&all).len(), 2);
        let text = all.to_string();
        assert!(
            !text.contains("olha") && !text.contains(&me.user_id),
            "{text}"
        );
        assert_eq!(all["items"][0]["target_name"], "admin@example.com");
        assert_eq!(all["items"][1]["actor_email"], "admin@example.com");
        assert_eq!(
            actions(&list(&server, &admin, "?search=olha").await).len(),
            0
        );
    });
}
