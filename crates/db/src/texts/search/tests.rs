mod forms;

use slovo_rules::Valid;
use slovo_rules::edit::{EditedSegment, EditedTranscript, Place, Speaker};
use slovo_rules::settings::TranscriptionType;
use sqlx::Row;

use super::*;
use crate::jobs::{self, NewJob};
use crate::testing::{Backend, account, apply, each_database, with_database};
use crate::{Database, lifecycle};

/// An empty result.
const NOTHING: [Uuid; 0] = [];

/// A job of a user with this name, created at this time.
async fn job(database: &Database, user: &str, name: &str, now: i64) -> Uuid {
    let job = NewJob {
        id: Uuid::new_v4(),
        user_id: user.to_owned(),
        media_id: Uuid::new_v4(),
        original_filename: name.to_owned(),
        content_type: "audio/mpeg".to_owned(),
        file_size: 1,
        has_video: false,
        duration: None,
        plan: Valid::default(),
        audio_track: None,
        priority: 0,
        now,
    };
    let mut transaction = database.write().await.unwrap();
    lifecycle::create_job(&mut transaction, &job).await.unwrap();
    transaction.commit().await.unwrap();
    job.id
}

fn transcript(sentences: &[&str]) -> EditedTranscript {
    let segments = sentences.iter().enumerate().map(|(index, text)| {
        let start = f64::from(u32::try_from(index).unwrap());
        EditedSegment {
            id: index.to_string(),
            revision: 0,
            place: Place {
                base: u32::try_from(index).unwrap(),
                part: 0,
            },
            start,
            end: start + 1.0,
            speaker: Some("SPEAKER_0".to_owned()),
            language: None,
            text: (*text).to_owned(),
            words: Vec::new(),
            cues: Vec::new(),
        }
    });
    EditedTranscript {
        version: 1,
        seq: 0,
        language: "uk".to_owned(),
        duration: 9.0,
        mode: TranscriptionType::Full,
        model: "m".to_owned(),
        segments: segments.collect(),
        speakers: vec![Speaker {
            id: "SPEAKER_0".to_owned(),
            name: Some("Олена".to_owned()),
        }],
        warnings: Vec::new(),
        removed: Vec::new(),
    }
}

/// Indexes a job with these sentences.
async fn index_text(database: &Database, id: Uuid, sentences: &[&str]) {
    index_transcript(database, id, &transcript(sentences)).await;
}

async fn index_transcript(database: &Database, id: Uuid, transcript: &EditedTranscript) {
    let mut transaction = database.write().await.unwrap();
    mark_stale(&mut transaction, id).await.unwrap();
    transaction.commit().await.unwrap();
    let mut transaction = database.write().await.unwrap();
    let waiting = stale(&mut transaction, 100).await.unwrap();
    let entry = waiting.iter().find(|entry| entry.job_id == id).unwrap();
    let job = jobs::find_any(&mut transaction, id).await.unwrap().unwrap();
    let document = Document::new(&job, Some(transcript));
    let backend = database.backend();
    assert!(
        write(&mut transaction, backend, entry, &document)
            .await
            .unwrap()
    );
    transaction.commit().await.unwrap();
}

async fn found(database: &Database, user: &str, query: &str) -> Vec<Uuid> {
    let mut connection = database.read().await.unwrap();
    let terms = Terms::new(query);
    find(&mut connection, database.backend(), user, &terms, (0, 50))
        .await
        .unwrap()
}

async fn users(database: &Database) {
    let mut transaction = database.write().await.unwrap();
    for user in ["u1", "u-1", "50%"] {
        account(&mut transaction, user).await;
    }
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn words_are_found_regardless_of_case_and_apostrophe(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "Interview_2024-05.mp3", 1).await;
        index_text(
            &database,
            talk,
            &["П’ятниця, наш ІМ'ЯНИННИК.", "Їхали козаки (з Дону)!"],
        )
        .await;
        for query in [
            "п'ятниця",
            "Пʼятниця козаки",
            "ім`янинник",
            "козак",
            "дону їхали",
            "interview 2024",
            "mp3 козаки",
            "козаки козаки",
            "козаків",
            "п’ятницею козакам",
        ] {
            assert_eq!(found(&database, "u1", query).await, [talk], "{query}");
        }
        for query in [
            "ятниця",
            "\"козаків\"",
            "коза наш",
            "п",
            "",
            " .,- ",
            "u1",
            "7531",
            "козаки субота",
        ] {
            assert_eq!(found(&database, "u1", query).await, NOTHING, "{query}");
        }
    });
}

#[apply(each_database!)]
fn a_query_is_treated_as_plain_words(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        index_text(&database, talk, &["near or not, one two's"]).await;
        for query in [
            "one NOT near",
            "one OR near",
            "NEAR(one two's, 1)",
            "\"one\"",
            "one*",
            "-one +near",
            "(one",
            "one:near",
            "one AND",
            "one' | 'near",
            "\\one\\",
            "one & !near",
            "one:*",
            "^one",
            "{one near}",
            "one\0near",
        ] {
            found(&database, "u1", query).await;
        }
        assert_eq!(found(&database, "u1", "\"one\" -near").await, [talk]);
        assert_eq!(found(&database, "u1", "body:one").await, NOTHING);
        let long = "one ".repeat(300);
        assert_eq!(found(&database, "u1", &long).await, NOTHING);
    });
}

#[apply(each_database!)]
fn users_find_only_their_own_jobs(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let own = job(&database, "u1", "слово.mp3", 1).await;
        let other = job(&database, "u-1", "слово.mp3", 1).await;
        let third = job(&database, "50%", "слово.mp3", 1).await;
        for id in [own, other, third] {
            index_text(&database, id, &["слово"]).await;
        }
        assert_eq!(found(&database, "u1", "слово").await, [own]);
        assert_eq!(found(&database, "u-1", "слово").await, [other]);
        assert_eq!(found(&database, "50%", "слово").await, [third]);
    });
}

#[apply(each_database!)]
fn matches_are_ranked_by_name_then_frequency_then_date(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let filler = "і так далі ".repeat(20);
        let once = job(&database, "u1", "a.mp3", 4).await;
        index_text(&database, once, &["музей", &filler]).await;
        let often = job(&database, "u1", "b.mp3", 2).await;
        index_text(&database, often, &["музей музей музей музей", &filler]).await;
        let named = job(&database, "u1", "Музей.mp3", 1).await;
        index_text(&database, named, &[&filler]).await;
        let newest = job(&database, "u1", "c.mp3", 5).await;
        index_text(&database, newest, &["музей", &filler]).await;
        assert_eq!(
            found(&database, "u1", "музей").await,
            [named, often, newest, once]
        );
        let mut connection = database.read().await.unwrap();
        let terms = Terms::new("музей");
        let page = find(&mut connection, database.backend(), "u1", &terms, (1, 2)).await;
        assert_eq!(page.unwrap(), [often, newest]);
    });
}

#[apply(each_database!)]
fn changed_text_is_found_as_it_is_now(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        index_text(&database, talk, &["перше речення", "друге речення"]).await;
        index_text(&database, talk, &["перше речення", "третє"]).await;
        assert_eq!(found(&database, "u1", "друге").await, NOTHING);
        assert_eq!(found(&database, "u1", "третє").await, [talk]);
        let mut connection = database.read().await.unwrap();
        let all = passages(&mut connection, &[talk], &Terms::new("речення третє")).await;
        let expected = [("0", "перше речення"), ("1", "третє")].map(|(id, text)| Passage {
            segment_id: id.to_owned(),
            start: id.parse().unwrap(),
            speaker: Some("Олена".to_owned()),
            language: None,
            text: text.to_owned(),
        });
        assert_eq!(all.unwrap().remove(&talk).unwrap(), expected);
        drop(connection);
        index_text(&database, talk, &[]).await;
        let mut connection = database.read().await.unwrap();
        let none = passages(&mut connection, &[talk], &Terms::new("речення")).await;
        assert!(none.unwrap().is_empty());
    });
}

#[apply(each_database!)]
fn a_passage_has_the_language_of_its_segment(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        let mut text = transcript(&["одне слово", "друге слово"]);
        // Only a language changes between these states.
        for (first, second) in [(None, Some("ru")), (Some("en"), Some("ru")), (None, None)] {
            text.segments[0].language = first.map(str::to_owned);
            text.segments[1].language = second.map(str::to_owned);
            index_transcript(&database, talk, &text).await;
            let mut connection = database.read().await.unwrap();
            let all = passages(&mut connection, &[talk], &Terms::new("слово")).await;
            let all = all.unwrap().remove(&talk).unwrap();
            let languages: Vec<_> = all.iter().map(|one| one.language.as_deref()).collect();
            assert_eq!(languages, [first, second]);
        }
    });
}

#[apply(each_database!)]
fn a_deleted_job_leaves_nothing_in_the_search(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        index_text(&database, talk, &["слово"]).await;
        let mut transaction = database.write().await.unwrap();
        assert!(jobs::delete(&mut transaction, "u1", talk).await.unwrap());
        mark_stale(&mut transaction, talk).await.unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(found(&database, "u1", "слово").await, NOTHING);
        let mut connection = database.read().await.unwrap();
        assert_eq!(stale(&mut connection, 9).await.unwrap(), []);
        let rows = match database.backend() {
            Backend::Sqlite => {
                "SELECT (SELECT COUNT(*) FROM search_index WHERE search_index MATCH '7531xслово') \
                 + (SELECT COUNT(*) FROM search_entries) + (SELECT COUNT(*) FROM search_passages)"
            }
            Backend::Postgres => {
                "SELECT (SELECT COUNT(*) FROM search_index) \
                 + (SELECT COUNT(*) FROM search_passages)"
            }
        };
        let row = sqlx::query(rows).fetch_one(&mut *connection).await.unwrap();
        assert_eq!(row.get::<i64, _>(0), 0);
    });
}

#[apply(each_database!)]
fn an_older_state_does_not_replace_a_newer_one(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        let mut transaction = database.write().await.unwrap();
        let slow = stale(&mut transaction, 9).await.unwrap()[0];
        assert!(slow.new);
        transaction.commit().await.unwrap();
        index_text(&database, talk, &["нове"]).await;
        let mut transaction = database.write().await.unwrap();
        let job = jobs::find_any(&mut transaction, talk)
            .await
            .unwrap()
            .unwrap();
        let old = Document::new(&job, Some(&transcript(&["старе"])));
        let backend = database.backend();
        assert!(!write(&mut transaction, backend, &slow, &old).await.unwrap());
        transaction.commit().await.unwrap();
        assert_eq!(found(&database, "u1", "нове").await, [talk]);
        let mut connection = database.read().await.unwrap();
        assert_eq!(stale(&mut connection, 9).await.unwrap(), []);
    });
}

#[apply(each_database!)]
fn an_index_with_an_outdated_shape_is_rebuilt(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        index_text(&database, talk, &["слово"]).await;
        database.migrate().await.unwrap();
        assert_eq!(found(&database, "u1", "слово").await, [talk]);
        let mut transaction = database.write().await.unwrap();
        sqlx::query("UPDATE search_schema SET shape = 0")
            .execute(&mut *transaction)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        database.migrate().await.unwrap();
        assert_eq!(found(&database, "u1", "слово").await, NOTHING);
        index_text(&database, talk, &["слово"]).await;
        assert_eq!(found(&database, "u1", "слово").await, [talk]);
    });
}

#[apply(each_database!)]
fn an_extremely_long_text_is_indexed(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let talk = job(&database, "u1", "a.mp3", 1).await;
        let words: String = (0..60_000)
            .map(|n| format!("{n}{} ", "ї".repeat(50)))
            .collect();
        index_text(&database, talk, &["перше", &words]).await;
        assert_eq!(found(&database, "u1", "перше").await, [talk]);
    });
}

#[apply(each_database!)]
fn the_newest_jobs_come_first_on_every_page(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let mut transaction = database.write().await.unwrap();
        let mut all = Vec::new();
        for number in 0..560 {
            let hour = 60 * 60 * 1000;
            let new = NewJob {
                id: Uuid::from_u128(number + 1),
                user_id: "u1".to_owned(),
                media_id: Uuid::from_u128(number + 1_000),
                original_filename: "a.mp3".to_owned(),
                content_type: "audio/mpeg".to_owned(),
                file_size: 1,
                has_video: false,
                duration: None,
                plan: Valid::default(),
                audio_track: None,
                priority: 0,
                now: i64::try_from(number).unwrap() * hour,
            };
            lifecycle::create_job(&mut transaction, &new).await.unwrap();
            let waiting = stale(&mut transaction, 1).await.unwrap();
            let job = jobs::find_any(&mut transaction, new.id).await.unwrap();
            let text = if number == 3 {
                "слово рідкісне"
            } else {
                "слово"
            };
            let document = Document::new(&job.unwrap(), Some(&transcript(&[text])));
            let backend = database.backend();
            assert!(
                write(&mut transaction, backend, &waiting[0], &document)
                    .await
                    .unwrap()
            );
            all.insert(0, new.id);
        }
        transaction.commit().await.unwrap();
        let mut connection = database.read().await.unwrap();
        for (query, skip, expected) in [
            ("слово", 0, &all[..10]),
            ("слов", 300, &all[300..310]),
            ("слово", 555, &all[555..]),
            ("рідкісне слово", 0, &[Uuid::from_u128(4)][..]),
            ("рідкісне слово", 1, &[]),
        ] {
            let terms = Terms::new(query);
            let page = find(&mut connection, backend, "u1", &terms, (skip, 10)).await;
            assert_eq!(page.unwrap(), expected, "{query} from {skip}");
        }
    });
}

#[apply(each_database!)]
fn complete_words_rank_above_prefixes(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let complete = job(&database, "u1", "слово.mp3", 1).await;
        index_text(&database, complete, &["тихо"]).await;
        let prefixed = job(&database, "u1", "слововжиток.mp3", 2).await;
        index_text(&database, prefixed, &["тихо"]).await;
        let often = job(&database, "u1", "a.mp3", 3).await;
        index_text(&database, often, &["слово слово слово тихо"]).await;
        assert_eq!(
            found(&database, "u1", "слово").await,
            [complete, prefixed, often]
        );
        assert_eq!(
            found(&database, "u1", "слов").await,
            [prefixed, complete, often]
        );
        assert_eq!(
            found(&database, "u1", "тихо слово").await,
            [often, complete, prefixed]
        );
    });
}

#[apply(each_database!)]
fn found_jobs_are_read_in_order_without_hidden_or_foreign_ones(backend: Backend) {
    with_database(backend, async |database| {
        users(&database).await;
        let own = job(&database, "u1", "a.mp3", 1).await;
        let hidden = job(&database, "u1", "b.mp3", 2).await;
        let foreign = job(&database, "u-1", "c.mp3", 3).await;
        let last = job(&database, "u1", "d.mp3", 4).await;
        let mut transaction = database.write().await.unwrap();
        sqlx::query("UPDATE synced_jobs SET is_visible_to_user = 0 WHERE my_job_id = $1")
            .bind(hidden.to_string())
            .execute(&mut *transaction)
            .await
            .unwrap();
        let ids = [last, hidden, foreign, Uuid::nil(), own];
        let read = jobs::find_some(&mut transaction, "u1", &ids).await.unwrap();
        let read: Vec<Uuid> = read.into_iter().map(|job| job.id).collect();
        assert_eq!(read, [last, own]);
        assert!(
            jobs::find_some(&mut transaction, "u1", &[])
                .await
                .unwrap()
                .is_empty()
        );
    });
}
