//! `/privacy`: the recipients of this server's data, according to the current configuration.

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use reqwest::Url;
use slovo_app::state::AppState;
use slovo_db::{nocodb, webhooks};
use slovo_mail::DeliveryMethod;
use slovo_site::{Page, Recipient, Recipients};
use slovo_work::speech_endpoint;

use super::Extension;
use super::language::Language;

pub(super) async fn show(
    axum::Extension(pages): Extension,
    State(state): State<AppState>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let language = Language::of(&uri, &headers);
    let recipients = recipients(&state).await.unwrap_or_else(|error| {
        // Recipients known without the database are still listed.
        tracing::warn!(%error, "services that receive data cannot be listed");
        configured(&state, false)
    });
    pages.fresh(Page::Privacy(recipients), &language).await
}

async fn recipients(state: &AppState) -> slovo_db::Result<Recipients> {
    let switches = state.settings.current().await?.switches;
    let mut connection = state.db.read().await?;
    let nocodb = nocodb::config(&mut connection).await?;
    let services = webhooks::services::active(&mut connection).await?;
    let services = services.into_iter().filter_map(|service| {
        let to = of_address(&service.form.url)?;
        Some((service.form.name, to))
    });
    let speech = speech_endpoint::stored(&mut connection).await?;
    let mut base = configured(state, switches.url_fetch);
    if !switches.google {
        base.sign_in = None;
    }
    Ok(Recipients {
        speech_endpoint: of_address(&speech.form.url),
        nocodb: nocodb.and_then(|config| of_address(&config.api_url)),
        services: services.collect(),
        ..base
    })
}

/// Recipients in the process's own configuration.
fn configured(state: &AppState, fetches: bool) -> Recipients {
    let engines = state.analyses.engines();
    let openid = state.config.openid.provider().ok().flatten();
    Recipients {
        language_model: engines.text_goes_to.as_deref().map(of_place),
        mail: match state.mail.delivery_method() {
            DeliveryMethod::Smtp(place) => Some(of_place(&place)),
            DeliveryMethod::Outbox(_) => None,
        },
        sign_in: openid.and_then(|provider| of_address(&provider.issuer)),
        fetches,
        ..Recipients::default()
    }
}

/// The recipient at a URL.
fn of_address(address: &str) -> Option<Recipient> {
    let url = Url::parse(address).ok()?;
    url.host_str().map(Recipient::of_host)
}

/// The recipient at a host, with or without a port.
fn of_place(place: &str) -> Recipient {
    let host = match place.rsplit_once(':') {
        // An IPv6 address is in brackets if a port follows.
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => place,
    };
    Recipient::of_host(host)
}
