//! Filters of the list: mode, language and date.

use crate::testing::{Backend, apply, each_database, with_server};
use crate::tests::api::me::support::{complete_next, job};

#[apply(each_database!)]
fn the_list_is_filtered_by_mode_language_and_date(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        // 2026-03-01T12:00:00Z.
        job(&server, &me, "first.mp3", b"x").await;
        complete_next(&server, "Слово.").await;
        server.clock.advance_seconds(24 * 3600);
        let me = crate::testing::TestUser::from(
            &server
                .login("a@example.com", crate::testing::PASSWORD)
                .await
                .json(),
        );
        job(&server, &me, "second.mp3", b"x").await;
        for (query, expected) in [
            ("", "second.mp3 first.mp3"),
            ("mode=full&language=", "second.mp3 first.mp3"),
            ("mode=all&from=&to=", "second.mp3 first.mp3"),
            ("mode=lite", ""),
            ("language=uk", "first.mp3"),
            ("language=en", ""),
            ("from=2026-03-02", "second.mp3"),
            ("to=2026-03-01", "first.mp3"),
            ("from=2026-03-01&to=2026-03-02", "second.mp3 first.mp3"),
            (
                "from=2026-03-01T12:00:00Z&to=2026-03-02T12:00:00Z",
                "first.mp3",
            ),
            ("from=2026-03-02T14:00:00.001%2B02:00", ""),
            ("from=2026-03-02T14:00:00%2B02:00", "second.mp3"),
        ] {
            let answer = server.get_as(&me, &format!("/api/v1/jobs?{query}")).await;
            assert_eq!(answer.status, 200, "{query}: {}", answer.text());
            let page = answer.json();
            let items = page["items"].as_array().unwrap().iter();
            let names: Vec<_> = items
                .map(|item| item["original_filename"].as_str().unwrap())
                .collect();
            assert_eq!(names.join(" "), expected, "{query}");
        }
        for query in ["mode=fast", "from=yesterday", "to=2026-02-30", "from=%00"] {
            let answer = server.get_as(&me, &format!("/api/v1/jobs?{query}")).await;
            assert_eq!(answer.status, 400, "{query}");
            assert_eq!(answer.json()["code"], "malformed_query");
        }
    });
}
