//! The ledger as displayed: one entry per run, and no charge for silence.

use slovo_rules::server_settings::Switches;

use super::*;

#[apply(each_database!)]
fn silent_recordings_are_free_unless_the_server_charges_for_silence(backend: Backend) {
    with_database(backend, async |db| {
        user(&db, None).await;
        let mut transaction = db.write().await.unwrap();
        for (job, words) in [(1, 0), (2, 5)] {
            transaction.commit().await.unwrap();
            enqueue(&db, "a", job, 1, NOW).await;
            transaction = db.write().await.unwrap();
            let reserved = reserve(&mut transaction, &needed(job, Some(3_600.0), NOW)).await;
            reserved
                .unwrap()
                .unwrap_or_else(|violation| panic!("{violation}"));
            set_status(&mut transaction, job, JobStatus::Completed, 3_600.0).await;
            set_text(&mut transaction, job, words).await;
            close(&mut transaction, Uuid::from_u128(job), NOW)
                .await
                .unwrap();
        }
        let balance = read_balance(&mut transaction, "a", NOW).await.unwrap();
        assert_eq!((balance.used, balance.reserved), (60.0, 0.0));
        let switches = Switches {
            charge_silence: true,
            ..Switches::default()
        };
        server_settings::set(&mut transaction, server_settings::SWITCHES, &switches, NOW)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        enqueue(&db, "a", 3, 1, NOW).await;
        let mut transaction = db.write().await.unwrap();
        let reserved = reserve(&mut transaction, &needed(3, Some(600.0), NOW)).await;
        reserved.unwrap().unwrap();
        set_status(&mut transaction, 3, JobStatus::Completed, 600.0).await;
        set_text(&mut transaction, 3, 0).await;
        close(&mut transaction, Uuid::from_u128(3), NOW)
            .await
            .unwrap();
        assert_eq!(
            read_balance(&mut transaction, "a", NOW).await.unwrap().used,
            70.0
        );

        let actual = by_run(&mut transaction, "a", None, 9).await.unwrap();
        let actual: Vec<_> = actual.iter().map(|e| (e.kind, e.minutes)).collect();
        let expected = [
            (UsageChange::Settle, -10.0),
            (UsageChange::Settle, -60.0),
            (UsageChange::Silent, 0.0),
            (UsageChange::Plan, 0.0),
        ];
        assert_eq!(actual, expected);
        transaction.commit().await.unwrap();
        assert_adds_up(&db).await;
    });
}

#[apply(each_database!)]
fn each_run_has_one_entry_and_ended_runs_show_no_reservation(backend: Backend) {
    with_database(backend, async |db| {
        user(&db, Some(100.0)).await;
        for job in 1..=4 {
            enqueue(&db, "a", job, 1, NOW).await;
        }
        let mut transaction = db.write().await.unwrap();
        for job in 1..=4 {
            let reserved = reserve(&mut transaction, &needed(job, Some(60.0), NOW)).await;
            reserved.unwrap().unwrap();
        }
        // As long as reserved; longer; failed; and still running.
        set_status(&mut transaction, 1, JobStatus::Completed, 60.0).await;
        set_status(&mut transaction, 2, JobStatus::Completed, 90.0).await;
        set_status(&mut transaction, 3, JobStatus::Cancelled, 60.0).await;
        for job in 1..=3 {
            close(&mut transaction, Uuid::from_u128(job), NOW)
                .await
                .unwrap();
        }
        // The first job again: another run is another entry.
        let again = RequiredMinutes {
            version: 2,
            ..needed(1, Some(60.0), NOW)
        };
        set_status(&mut transaction, 1, JobStatus::Pending, 60.0).await;
        reserve(&mut transaction, &again).await.unwrap().unwrap();
        let all = by_run(&mut transaction, "a", None, 9).await.unwrap();
        let actual: Vec<_> = all
            .iter()
            .map(|e| (e.kind, e.minutes, e.job_id.map(|id| id.as_u128())))
            .collect();
        let expected = [
            (UsageChange::Reserve, -1.0, Some(1)),
            (UsageChange::Refund, 0.0, Some(3)),
            (UsageChange::Settle, -1.5, Some(2)),
            (UsageChange::Reserve, -1.0, Some(4)),
            (UsageChange::Settle, -1.0, Some(1)),
            (UsageChange::Plan, 0.0, None),
        ];
        assert_eq!(actual, expected);
        let sum: f64 = all.iter().map(|e| e.minutes).sum();
        let used = read_balance(&mut transaction, "a", NOW).await.unwrap().used;
        assert_eq!(-sum, used, "the entries come to what is shown as used");
        let rest = by_run(&mut transaction, "a", Some(all[2].number), 2).await;
        assert_eq!(rest.unwrap(), all[3..5]);
        transaction.commit().await.unwrap();
    });
}
