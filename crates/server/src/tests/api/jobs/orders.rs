//! Sort orders of the list, and their cursors.

use axum::http::StatusCode;

use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::job;

/// The names on a page, and the next cursor.
async fn page(server: &TestServer, who: &TestUser, query: &str) -> (Vec<String>, Option<String>) {
    let answer = server.get_as(who, &format!("/api/v1/jobs?{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.text());
    let page = answer.json();
    let items = page["items"].as_array().unwrap().iter();
    let names = items.map(|item| item["original_filename"].as_str().unwrap().to_owned());
    let next = page["next_cursor"].as_str().map(str::to_owned);
    (names.collect(), next)
}

async fn some_jobs(server: &TestServer) -> TestUser {
    let me = server.signup("a@example.com").await;
    for name in ["Їжак", "zoom", "Ґанок", "інтерв’ю 10", "Інтерв’ю 2"] {
        job(server, &me, name, b"x").await;
        server.clock.advance_seconds(1);
    }
    me
}

#[apply(each_database!)]
fn pages_follow_the_requested_order(backend: Backend) {
    with_server(backend, async |server| {
        let me = some_jobs(&server).await;
        let by_name = ["Ґанок", "Інтерв’ю 2", "інтерв’ю 10", "Їжак", "zoom"];
        let by_date = ["Їжак", "zoom", "Ґанок", "інтерв’ю 10", "Інтерв’ю 2"];
        for (sort, names) in [("name", by_name), ("date", by_date)] {
            for sort in [sort.to_owned(), format!("-{sort}")] {
                let mut names = names.to_vec();
                if sort.starts_with('-') {
                    names.reverse();
                }
                let query = format!("sort={sort}&limit=2");
                let (mut all, mut next) = page(&server, &me, &query).await;
                while let Some(cursor) = next {
                    let query = format!("{query}&cursor={cursor}");
                    let (more, after) = page(&server, &me, &query).await;
                    all.extend(more);
                    next = after;
                }
                assert_eq!(all, names, "{sort}");
            }
        }
        let default_page = page(&server, &me, "").await;
        assert_eq!(page(&server, &me, "sort=-date").await, default_page);
        assert_eq!(page(&server, &me, "sort=").await, default_page);
        // All jobs are queued and have no duration: sorted by state, the newest come first in both
        // directions.
        assert_eq!(page(&server, &me, "sort=state").await, default_page);
        assert_eq!(page(&server, &me, "sort=-state").await, default_page);
        assert_eq!(page(&server, &me, "sort=length").await.0.len(), 5);
    });
}

#[apply(each_database!)]
fn a_cursor_of_another_order_and_an_unknown_order_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let me = some_jobs(&server).await;
        let sorts = ["", "date", "name", "-name", "length", "-length", "state"];
        for sort in sorts {
            let (_, next) = page(&server, &me, &format!("sort={sort}&limit=1")).await;
            let cursor = next.unwrap();
            for other in sorts {
                let path = format!("/api/v1/jobs?sort={other}&cursor={cursor}");
                let answer = server.get_as(&me, &path).await;
                if other == sort {
                    assert_eq!(answer.status, StatusCode::OK, "{sort}");
                } else {
                    answer.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
                }
            }
        }
        for query in ["sort=title", "sort=--name", "sort=name%00", "sort=NAME"] {
            let answer = server.get_as(&me, &format!("/api/v1/jobs?{query}")).await;
            answer.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
    });
}
