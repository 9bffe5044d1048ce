//! Inflected forms of words, and speakers' names.

use super::*;

#[apply(each_database!)]
fn all_forms_of_a_word_are_found_and_exact_matches_come_first(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let exact = job(&database, "u1", "a.mp3", 1).await;
        index_text(&database, exact, &["Тут будинок."]).await;
        let form = job(&database, "u1", "c.mp3", 2).await;
        index_text(&database, form, &["У будинку."]).await;
        let forms = job(&database, "u1", "b.mp3", 3).await;
        index_text(&database, forms, &["З будинку, у будинках, між будинками."]).await;
        assert_eq!(
            found(&database, "u1", "будинок").await,
            [exact, forms, form]
        );
        assert_eq!(
            found(&database, "u1", "БУДИНКУ").await,
            [forms, form, exact]
        );
        assert_eq!(found(&database, "u1", "\"будинок\"").await, [exact]);
        assert_eq!(found(&database, "u1", "«будинками»").await, [forms]);
        assert_eq!(found(&database, "u1", "\"будинка\"").await, NOTHING);
        // One of two words may be quoted, and the last may be a beginning.
        assert_eq!(found(&database, "u1", "\"тут\" будинкам").await, [exact]);
        assert_eq!(found(&database, "u1", "будинками мі").await, [forms]);
    });
}

#[apply(each_database!)]
fn forms_with_a_changed_stem_are_found_in_names_and_in_english(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "Музей Києва, museums.mp3", 1).await;
        index_text(
            &database,
            talk,
            &[
                "Люди говорили з мовцями про міста.",
                "The cities’ talks were about п’ятницю.",
            ],
        )
        .await;
        for query in [
            "музеями",
            "київ",
            "museum",
            "людина",
            "людьми",
            "говорити",
            "говорив",
            "мовець",
            "місто",
            "city",
            "talking",
            "п'ятниця",
            "пʼятницею museum людині",
        ] {
            assert_eq!(found(&database, "u1", query).await, [talk], "{query}");
        }
        for query in ["музика", "місце", "\"людина\"", "cite", "мова"] {
            assert_eq!(found(&database, "u1", query).await, NOTHING, "{query}");
        }
        let mut connection = database.read().await.unwrap();
        for (query, expected) in [("мовець", "0"), ("talk", "1"), ("людині", "0")] {
            let terms = Terms::new(query);
            let mut all = passages(&mut connection, &[talk], &terms).await.unwrap();
            let ids: Vec<String> = all
                .remove(&talk)
                .unwrap()
                .into_iter()
                .map(|passage| passage.segment_id)
                .collect();
            assert_eq!(ids, [expected], "{query}");
        }
    });
}

#[apply(each_database!)]
fn passages_are_found_by_the_name_of_their_speaker(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        index_text(&database, talk, &["перше", "друге"]).await;
        let other = job(&database, "u-1", "a.mp3", 1).await;
        index_text(&database, other, &["перше"]).await;
        for query in ["олена", "Олени", "\"ОЛЕНА\"", "друге оленою", "оле"]
        {
            assert_eq!(found(&database, "u1", query).await, [talk], "{query}");
        }
        assert_eq!(found(&database, "u1", "speaker").await, NOTHING);
        assert_eq!(found(&database, "u1", "\"олени\"").await, NOTHING);
        let mut connection = database.read().await.unwrap();
        let terms = Terms::new("олени");
        let all = passages(&mut connection, &[talk], &terms).await.unwrap();
        assert_eq!(all[&talk].len(), 2);
    });
}

#[apply(each_database!)]
fn words_of_any_script_and_length_are_found(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        let long = "щ".repeat(10_000);
        let text = format!("{long} cлово 😀 天気 it's mp3");
        index_text(&database, talk, &[&text]).await;
        for query in [&long[..1_000], "cлово", "天気", "it’s", "mp3"] {
            assert_eq!(found(&database, "u1", query).await, [talk], "{query}");
        }
        assert_eq!(found(&database, "u1", "😀").await, NOTHING);
    });
}
