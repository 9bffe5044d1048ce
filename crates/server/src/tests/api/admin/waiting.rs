use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_accounts::admin_notices::send_due;

use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/waiting";

async fn write(server: &TestServer, text: &str) {
    let form = json!({"first_name": "Леся", "last_name": "Косач", "email": "l@example.com",
        "message": text, "locale": "uk"});
    let answer = server.post("/api/v1/contact", &form).await;
    assert!(answer.status.is_success(), "{}", answer.text());
}

async fn request_plan(server: &TestServer, admin: &TestUser, user: &TestUser) -> Value {
    let plan = json!({"name": "Стартовий", "monthly_minutes_limit": 100});
    let plan = server.post_as(admin, "/api/v1/admin/plans", &plan).await;
    assert_eq!(plan.status, StatusCode::CREATED, "{}", plan.text());
    let form = json!({"plan_id": plan.json()["id"], "message": "Бракує хвилин"});
    let answer = server.post_as(user, "/api/v1/me/plan-request", &form).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()
}

#[apply(each_database!)]
fn waiting_requests_are_counted_and_mailed_once_to_administrators(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let user = server.signup("user@example.com").await;
        let none = json!({"contact_messages": 0, "plan_requests": 0});
        assert_eq!(server.get_as(&admin, PATH).await.json(), none);
        let refused = server.get_as(&user, PATH).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");

        write(&server, "Доброго дня").await;
        request_plan(&server, &admin, &user).await;
        let two = json!({"contact_messages": 1, "plan_requests": 1});
        assert_eq!(server.get_as(&admin, PATH).await.json(), two);

        let before = server.mails().await.len();
        send_due(&server.state.outbox()).await.unwrap();
        send_due(&server.state.outbox()).await.unwrap();
        let mails = server.mails().await;
        let recipients: Vec<_> = mails[before..]
            .iter()
            .map(|mail| mail.to.as_str())
            .collect();
        assert_eq!(recipients, ["admin@example.com", "admin@example.com"]);
        let text = mails[before..]
            .iter()
            .map(|mail| mail.text.clone())
            .collect::<String>();
        assert!(text.contains("Доброго дня") && text.contains("Бракує хвилин"));
        assert!(text.contains("user@example.com") && text.contains("/admin/subscriptions"));
    });
}

#[apply(each_database!)]
fn withdrawn_requests_are_not_mailed(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let user = server.signup("user@example.com").await;
        request_plan(&server, &admin, &user).await;
        let path = "/api/v1/me/plan-request";
        let withdrawn = send_json(&server, &user, Method::DELETE, path, &Value::Null).await;
        assert_eq!(withdrawn.status, StatusCode::NO_CONTENT);
        let before = server.mails().await.len();
        send_due(&server.state.outbox()).await.unwrap();
        assert_eq!(server.mails().await.len(), before);
    });
}
