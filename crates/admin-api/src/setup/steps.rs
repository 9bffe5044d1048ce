//! The state of each setup step, and its reason.

use std::net::IpAddr;

use serde_json::Value;
use slovo_app::config::{Http, PublicUrl};
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::accounts::audit::{self, Filter};
use slovo_engine::models::{self, State as OnDisk};
use slovo_mail::DeliveryMethod;
use slovo_models::Source;
use slovo_models::tasks::{ModelTasks, ModelUse, TaskKind};
use slovo_rules::language::Language;
use slovo_rules::site::SiteSettings;
use slovo_work::analysis::configured::StoredSettings;
use slovo_work::endpoint_test::{self, Outcome};
use slovo_work::quality;

use super::{
    AddressCause, AddressStep, AnalysisCause, AnalysisStep, BetterModel, LegalStep, MailCause,
    MailStep, ModelsCause, ModelsStep, NeededModel, Progress,
};

/// Uses whose models are required for recognition.
const RECOGNITION: [ModelUse; 3] = [ModelUse::Full, ModelUse::Lite, ModelUse::VoiceActivity];

/// Settings of the public pages that identify the operator.
const LEGAL: [&str; 4] = ["legal_name", "email", "address", "imprint"];

/// The last test mail from the audit log: its carrier and outcome.
pub(super) async fn last_mail_test(connection: &mut Connection) -> slovo_db::Result<Option<Value>> {
    let filter = Filter {
        action: "mail.test".to_owned(),
        ..Filter::default()
    };
    let newest = audit::list(connection, &filter, None, 1).await?;
    Ok(newest.into_iter().next().and_then(|entry| entry.after))
}

/// The step for mail sent in this way, with the last test.
pub(super) fn mail(way: DeliveryMethod, test: Option<&Value>) -> MailStep {
    let place = match way {
        DeliveryMethod::Smtp(place) => place,
        DeliveryMethod::Outbox(_) => {
            return MailStep {
                state: Progress::ToDo,
                cause: MailCause::NoServer,
                place: None,
                failure: None,
            };
        }
    };
    // A test of another mail server does not count.
    let test = test.filter(|test| test["carrier"] == "smtp" && test["place"] == place.as_str());
    let (state, cause, failure) = match test.and_then(|test| test["outcome"].as_str()) {
        None => (Progress::ToDo, MailCause::Untested, None),
        Some("sent") => (Progress::Done, MailCause::Works, None),
        Some(code) => (Progress::ToDo, MailCause::Fails, Some(code.to_owned())),
    };
    MailStep {
        state,
        cause,
        place: Some(place),
        failure,
    }
}

/// The models that recognition needs.
pub(super) async fn models(
    state: &AppState,
    language: Option<Language>,
) -> Result<ModelsStep, Problem> {
    let models = state.models.clone();
    let found = tokio::task::spawn_blocking(move || {
        let better = language.and_then(|language| better_model(&models, language));
        (needed_models(&models), better)
    });
    let ((models, is_pulling), better) = found.await.map_err(Problem::internal)?;
    // A model in use that is not in the catalogue counts as missing.
    let is_listed = |user: &ModelUse| models.iter().any(|model| model.used_by.contains(user));
    let is_ready = RECOGNITION.iter().all(is_listed) && models.iter().all(|model| model.on_disk);
    let (state, cause) = if is_ready {
        (Progress::Done, ModelsCause::Ready)
    } else if is_pulling {
        (Progress::ToDo, ModelsCause::Pulling)
    } else {
        (Progress::ToDo, ModelsCause::Missing)
    };
    Ok(ModelsStep {
        state,
        cause,
        models,
        better,
    })
}

/// A better model for Full in this language. Reads files.
fn better_model(tasks: &ModelTasks, language: Language) -> Option<BetterModel> {
    let fetcher = tasks.fetcher();
    let mut listed = tasks.catalogue().iter();
    let used = listed.find(|model| tasks.used_by(model).contains(&ModelUse::Full))?;
    let found = quality::improvement(language, used.id, &fetcher.dir)?;
    let model = models::find(found.model.id)?;
    let on_disk = models::state(&fetcher.dir, model) != OnDisk::Missing;
    let can_be_had = on_disk || matches!(fetcher.source, Source::Hub);
    can_be_had.then(|| BetterModel {
        id: model.id,
        language: language.as_str().to_owned(),
        percent: found.percent,
        current_percent: found.current_percent,
        seconds_per_hour: found.model.seconds_per_hour,
        bytes: model.bytes(),
        on_disk,
    })
}

/// Those models, and whether a missing one is being downloaded. Reads files.
fn needed_models(tasks: &ModelTasks) -> (Vec<NeededModel>, bool) {
    let dir = &tasks.fetcher().dir;
    let mut needed = Vec::new();
    let mut is_pulling = false;
    for model in tasks.catalogue() {
        let used_by = tasks.used_by(model);
        if !used_by.iter().any(|user| RECOGNITION.contains(user)) {
            continue;
        }
        let on_disk = models::state(dir, model) != OnDisk::Missing;
        let (running, _) = tasks.seen(model);
        is_pulling |= !on_disk && running.is_some_and(|running| running.kind == TaskKind::Pull);
        needed.push(NeededModel {
            id: model.id,
            used_by,
            on_disk,
        });
    }
    (needed, is_pulling)
}

/// The step for the endpoint with these settings. Sends a request to it.
pub(super) async fn analysis(state: &AppState, stored: &StoredSettings) -> AnalysisStep {
    let step = |state, cause| AnalysisStep {
        state,
        cause,
        host: None,
        outcome: None,
    };
    let Ok(found) = state.analyses.in_force(stored) else {
        return step(Progress::ToDo, AnalysisCause::Unusable);
    };
    let Some(found) = found else {
        return step(Progress::Optional, AnalysisCause::NotSet);
    };
    let outcome = endpoint_test::check_reachable(&found.endpoint).await;
    let (state, cause) = match outcome {
        Outcome::Works => (Progress::Done, AnalysisCause::Answers),
        _ => (Progress::ToDo, AnalysisCause::Fails),
    };
    AnalysisStep {
        state,
        cause,
        host: Some(found.endpoint.host()),
        outcome: Some(outcome),
    }
}

/// The step for the server's public URL; the administrator has it open at `browser_url`.
pub(super) fn address(http: &Http, browser_url: Option<&PublicUrl>) -> AddressStep {
    let url = http.public_url();
    let configured = http.public_url.is_some();
    let browser_url = browser_url.unwrap_or(&url);
    let is_on_this_machine = is_loopback(&url) && is_loopback(browser_url);
    let cause = match (configured, *browser_url == url) {
        (false, _) if is_on_this_machine => AddressCause::Local,
        (false, false) => AddressCause::Unset,
        (true, false) => AddressCause::Other,
        // Browsers treat the local machine as a secure context.
        (_, true) if !url.is_https() && !is_loopback(&url) => AddressCause::Insecure,
        (_, true) => AddressCause::Right,
    };
    let state = match cause {
        AddressCause::Right => Progress::Done,
        AddressCause::Local => Progress::Optional,
        AddressCause::Unset | AddressCause::Other | AddressCause::Insecure => Progress::ToDo,
    };
    AddressStep {
        state,
        cause,
        url: url.as_str().to_owned(),
        configured,
    }
}

/// Whether the URL's host is the local machine.
fn is_loopback(url: &PublicUrl) -> bool {
    let host = url.host().trim_matches(['[', ']']);
    let is_name = host == "localhost" || host.ends_with(".localhost");
    is_name || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The step for the operator's identity on the public pages.
pub(super) fn legal(site: &SiteSettings) -> LegalStep {
    let mut missing = site.missing();
    missing.retain(|field| LEGAL.contains(field));
    let state = if missing.is_empty() {
        Progress::Done
    } else {
        Progress::ToDo
    };
    LegalStep { state, missing }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_mail_test_counts_only_for_the_server_it_was_sent_to() {
        let smtp = || DeliveryMethod::Smtp("mail.example.com:465".to_owned());
        let test = |outcome: &str| json!({"carrier": "smtp", "place": "mail.example.com:465", "outcome": outcome});
        let step = |way: DeliveryMethod, test: Option<&Value>| json!(mail(way, test));
        let failed = step(smtp(), Some(&test("sign_in")));
        let expected = json!({"state": "to_do", "cause": "fails", "place": "mail.example.com:465",
            "failure": "sign_in"});
        assert_eq!(failed, expected);
        assert_eq!(step(smtp(), Some(&test("sent")))["state"], "done");
        let elsewhere =
            json!({"carrier": "smtp", "place": "old.example.com:25", "outcome": "sent"});
        assert_eq!(step(smtp(), Some(&elsewhere))["cause"], "untested");
        // A mail in the outbox folder has not left the server.
        let stored = json!({"carrier": "outbox", "place": "/data/outbox", "outcome": "sent"});
        let outbox = || DeliveryMethod::Outbox(PathBuf::from("/data/outbox"));
        let expected =
            json!({"state": "to_do", "cause": "no_server", "place": null, "failure": null});
        assert_eq!(step(outbox(), Some(&stored)), expected);
        assert_eq!(step(outbox(), None), expected);
    }
}
