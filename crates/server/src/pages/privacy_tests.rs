//! The privacy page names all recipients of the current configuration.

use axum::http::{Method, StatusCode};
use serde_json::json;
use slovo_rules::nocodb::{NocodbBase, validate_place};

use crate::testing::{Backend, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

#[apply(each_database!)]
fn the_privacy_page_names_configured_webhook_services(backend: Backend) {
    with_server(backend, async |server| {
        let before = server.get("/privacy?lang=en").await.text();
        assert!(
            before.contains("mail.test"),
            "the tests' mails have a relay"
        );
        assert!(!before.contains("crm.example.org"));
        let admin = server.signup("admin@example.com").await;
        let form = json!({
            "name": "CRM", "url": "https://crm.example.org/secret-path", "category": "processing",
            "is_active": true,
        });
        let created = server
            .post_as(&admin, "/api/v1/admin/webhook-services", &form)
            .await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
        let after = server.get("/privacy?lang=en").await.text();
        assert!(after.contains("crm.example.org"));
        assert!(!after.contains("secret-path"));
    });
}

#[apply(each_database!)]
fn the_privacy_page_names_the_external_database_and_the_language_model(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let page = async || server.get("/privacy?lang=en").await.text();
        let (database, model) = ("tables.slova.org.ua", "model.slova.org.ua");
        let before = page().await;
        assert!(!before.contains(database) && !before.contains(model));

        let place = validate_place(&NocodbBase {
            api_url: format!("https://{database}/secret-path"),
            project_id: "pbase0000000000".to_owned(),
        });
        let now = server.state.clock.now_ms();
        let mut transaction = server.state.db.write().await.unwrap();
        slovo_db::nocodb::configure(&mut transaction, &place.unwrap(), now)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let after = page().await;
        assert!(after.contains(database) && !after.contains(model));

        let path = "/api/v1/admin/analysis-endpoint";
        let form = json!({"url": format!("https://{model}/secret-path/v1"), "model": "m"});
        let set = send_json(&server, &admin, Method::PUT, path, &form).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());
        let after = page().await;
        assert!(after.contains(database) && after.contains(model));
        assert!(!after.contains("secret-path"));
        // In the other language, too.
        let ukrainian = server.get("/privacy").await.text();
        assert!(ukrainian.contains(database) && ukrainian.contains(model));
    });
}
