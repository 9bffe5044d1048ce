//! What visitors see of a text, and what the owner sees of visitors.

use super::*;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

#[apply(each_database!)]
fn confidence_is_shown_only_if_the_owner_allows_it(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = share(&page, json!({"expires_at": null, "with_media": false})).await;
        assert_eq!(created["with_confidence"], false);
        let shared = open(&server, token(&created)).await;
        assert!(
            !shared.text().contains("\"confidence\""),
            "{}",
            shared.text()
        );
        assert_eq!(shared.json()["with_confidence"], false);
        let form = json!({"with_media": false, "with_confidence": true, "rights": "read"});
        let changed = put(&page, &created, "", form).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.text());
        let shared = open(&server, token(&created)).await.json();
        let word = &shared["transcript"]["segments"][0]["words"][0];
        assert_eq!(word["confidence"], 0.5);
    });
}

#[apply(each_database!)]
fn removing_the_recording_from_a_link_ends_its_media_urls(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = share(&page, json!({"expires_at": null, "with_media": true})).await;
        let shared = open(&server, token(&created)).await.json();
        let media = shared["media_url"].as_str().unwrap();
        assert_eq!(server.get(media).await.status, StatusCode::OK);
        let without_media =
            json!({"with_media": false, "with_confidence": false, "rights": "read"});
        assert_eq!(
            put(&page, &created, "", without_media).await.status,
            StatusCode::OK
        );
        for path in [media.to_owned(), media.replace("/media/", "/waveform/")] {
            let answer = server.get(&path).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let shared = open(&server, token(&created)).await.json();
        assert_eq!(shared["media_url"], Value::Null);
        assert_eq!(shared["waveform_url"], Value::Null);
    });
}

/// Opens a link with a browser and optionally a grant; returns the grant.
async fn visit(server: &TestServer, token: &str, agent: &str, grant: Option<&str>) -> String {
    let mut request = Request::get(format!("/api/v1/shared/{token}")).header("user-agent", agent);
    if let Some(grant) = grant {
        request = request.header("share-grant", grant);
    }
    let answer = server.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["grant"].as_str().unwrap().to_owned()
}

#[apply(each_database!)]
fn a_visit_counts_once_per_half_hour_and_stores_little(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = share(&page, json!({"expires_at": null, "with_media": false})).await;
        let openings = format!("/shares/{}/openings", created["id"].as_str().unwrap());
        assert_eq!(page.get(&openings).await, json!([]));
        let grant = visit(&server, token(&created), FIREFOX, None).await;
        server.clock.advance_seconds(29 * 60);
        // Longer than the lifetime of an access token.
        let again = server.login("a@example.com", PASSWORD).await;
        let me = TestUser::from(&again.json());
        let page = Page { who: &me, ..page };
        visit(&server, token(&created), FIREFOX, Some(&grant)).await;
        assert_eq!(page.get(&openings).await.as_array().unwrap().len(), 1);
        server.clock.advance_seconds(2 * 60);
        visit(&server, token(&created), FIREFOX, Some(&grant)).await;
        server.clock.advance_seconds(1);
        visit(&server, token(&created), "<script>alert(1)</script>", None).await;
        let listed = page.get(&openings).await;
        let visits: Vec<_> = listed.as_array().unwrap().iter().collect();
        assert_eq!(visits.len(), 3);
        let newest = visits[0].as_object().unwrap();
        let mut fields: Vec<_> = newest.keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["at", "browser", "device"]);
        assert_eq!(newest["browser"], "other");
        assert_eq!(visits[2]["browser"], "firefox");
        assert_eq!(visits[2]["device"], "computer");
        assert_eq!(page.get("/shares").await[0]["opened"], 3);
        // Only the owner can see the visitors.
        let other = server.signup("b@example.com").await;
        let path = format!("{}{openings}", page.path);
        let refused = server.get_as(&other, &path).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        let foreign_page = Page::on(&server, &other, &["Вітаю."]).await;
        let path = format!("{}{openings}", foreign_page.path);
        let refused = server.get_as(&other, &path).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn only_the_newest_hundred_openings_are_stored(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = share(&page, json!({"expires_at": null, "with_media": false})).await;
        for _ in 0..103 {
            server.clock.advance_seconds(1);
            visit(&server, token(&created), FIREFOX, None).await;
        }
        let openings = format!("/shares/{}/openings", created["id"].as_str().unwrap());
        let listed = page.get(&openings).await;
        let listed = listed.as_array().unwrap();
        assert_eq!(listed.len(), 100);
        let share = page.get("/shares").await[0].clone();
        assert_eq!(share["opened"], 103);
        assert_eq!(share["last_opened_at"], listed[0]["at"]);
    });
}
