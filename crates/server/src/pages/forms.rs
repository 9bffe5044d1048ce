//! Handles forms sent without scripts. With scripts, islands call the same actions through the API.

use axum::extract::rejection::FormRejection;
use axum::extract::{Form, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_accounts::site_messages::{self, LinkError, SubmissionError};
use slovo_app::auth::ClientAddress;
use slovo_app::http::cookies::cookie;
use slovo_app::state::AppState;
use slovo_rules::contact::ContactForm;
use slovo_rules::locale::Locale;
use slovo_site::{ContactPage, CookiesPage, FormOutcome, Name, NewsletterPage, Page};

use super::language::Language;
use super::{Extension, Pages};

/// Cookie with the visitor's consent: `1.preferences.statistics`; the islands write it as well.
const CONSENT: &str = "slovo.consent";
const CONSENT_VERSION: &str = "1";
const HALF_A_YEAR_SECONDS: u32 = 182 * 24 * 60 * 60;

/// The visitor's consent.
pub(super) fn consent(headers: &HeaderMap) -> CookiesPage {
    let mut agreed = cookie(headers, CONSENT).unwrap_or_default().split('.');
    let known = agreed.next() == Some(CONSENT_VERSION);
    let agreed: Vec<&str> = agreed.collect();
    CookiesPage {
        preferences: known && agreed.contains(&"preferences"),
        statistics: known && agreed.contains(&"statistics"),
        saved: false,
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ContactFields {
    #[serde(flatten)]
    form: ContactForm,
    locale: Locale,
    website: String,
}

/// A contact message, from a browser without scripts.
pub(super) async fn contact(
    axum::Extension(pages): Extension,
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    fields: Result<Form<ContactFields>, FormRejection>,
) -> Response {
    let Ok(Form(fields)) = fields else {
        return unreadable(&pages, Page::Contact(failed_contact())).await;
    };
    let language = Language::of_form(fields.locale);
    let outcome = site_messages::send_contact(
        &state.site_messages(),
        address,
        fields.locale,
        &fields.form,
        &fields.website,
    )
    .await;
    match outcome {
        Ok(()) => see_other(Name::Contact, fields.locale, "form"),
        Err(refused) => {
            let (status, sent) = refusal_parts(refused);
            let form = fields.form;
            refuse(
                &pages,
                status,
                Page::Contact(ContactPage { form, sent }),
                &language,
            )
            .await
        }
    }
}

fn failed_contact() -> ContactPage {
    ContactPage {
        sent: FormOutcome::Failed,
        ..ContactPage::default()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct NewsletterFields {
    email: String,
    locale: Locale,
    website: String,
}

/// Subscribes to the newsletter.
pub(super) async fn newsletter(
    axum::Extension(pages): Extension,
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    fields: Result<Form<NewsletterFields>, FormRejection>,
) -> Response {
    let Ok(Form(fields)) = fields else {
        let email = String::new();
        let sent = FormOutcome::Failed;
        return unreadable(
            &pages,
            Page::Newsletter(NewsletterPage::Form { email, sent }),
        )
        .await;
    };
    let language = Language::of_form(fields.locale);
    let (email, trap) = (&fields.email, &fields.website);
    let messages = state.site_messages();
    let outcome = site_messages::subscribe(&messages, address, fields.locale, email, trap).await;
    match outcome {
        Ok(()) => see_other(Name::Newsletter, fields.locale, "content"),
        Err(refused) => {
            let (status, sent) = refusal_parts(refused);
            let email = fields.email;
            let page = Page::Newsletter(NewsletterPage::Form { email, sent });
            refuse(&pages, status, page, &language).await
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct LinkFields {
    token: String,
}

/// Confirms a subscription.
pub(super) async fn confirm(
    axum::Extension(pages): Extension,
    State(state): State<AppState>,
    headers: HeaderMap,
    fields: Result<Form<LinkFields>, FormRejection>,
) -> Response {
    let token = fields.map(|Form(fields)| fields.token).unwrap_or_default();
    let outcome = site_messages::confirm(&state.site_messages(), &token).await;
    link(&pages, &headers, outcome, NewsletterPage::Confirmed).await
}

/// Ends a subscription.
pub(super) async fn unsubscribe(
    axum::Extension(pages): Extension,
    State(state): State<AppState>,
    headers: HeaderMap,
    fields: Result<Form<LinkFields>, FormRejection>,
) -> Response {
    let token = fields.map(|Form(fields)| fields.token).unwrap_or_default();
    let outcome = site_messages::unsubscribe(&state.site_messages(), &token).await;
    link(&pages, &headers, outcome, NewsletterPage::Left).await
}

async fn link(
    pages: &Pages,
    headers: &HeaderMap,
    outcome: Result<(), LinkError>,
    success_page: NewsletterPage,
) -> Response {
    let language = Language::of_headers(headers);
    match outcome {
        Ok(()) => pages.fresh(Page::Newsletter(success_page), &language).await,
        Err(LinkError::Unknown) => {
            let page = Page::Newsletter(NewsletterPage::Unknown);
            refuse(pages, StatusCode::NOT_FOUND, page, &language).await
        }
        Err(LinkError::Internal(error)) => {
            tracing::error!(%error, "a newsletter link could not be processed");
            let (email, sent) = (String::new(), FormOutcome::Failed);
            let page = Page::Newsletter(NewsletterPage::Form { email, sent });
            refuse(pages, StatusCode::INTERNAL_SERVER_ERROR, page, &language).await
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct CookieFields {
    preferences: Option<String>,
    statistics: Option<String>,
}

/// Stores the choice of cookies.
pub(super) async fn cookies(
    headers: HeaderMap,
    State(state): State<AppState>,
    fields: Result<Form<CookieFields>, FormRejection>,
) -> Response {
    let fields = fields.map(|Form(fields)| fields).unwrap_or_default();
    let agreed = [
        fields.preferences.map(|_| "preferences"),
        fields.statistics.map(|_| "statistics"),
    ];
    let agreed: Vec<&str> = agreed.into_iter().flatten().collect();
    let secure = if state.config.public_url().is_https() {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{CONSENT}={CONSENT_VERSION}.{}; Path=/; Max-Age={HALF_A_YEAR_SECONDS}; SameSite=Lax{secure}",
        agreed.join(".")
    );
    let locale = Language::of_headers(&headers).locale;
    let mut response = see_other(Name::Cookies, locale, "settings");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Redirects to the result page, so that a reload does not send the form again.
fn see_other(name: Name, locale: Locale, place: &str) -> Response {
    let lang = match locale {
        Locale::Uk => "",
        Locale::En => "&lang=en",
    };
    let to = format!("{}?sent=1{lang}#{place}", name.path());
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}

fn refusal_parts(refused: SubmissionError) -> (StatusCode, FormOutcome) {
    match refused {
        SubmissionError::Invalid(violations) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            FormOutcome::Invalid(violations.0),
        ),
        SubmissionError::Off(_) => (StatusCode::FORBIDDEN, FormOutcome::Off),
        SubmissionError::Limited(_) => (StatusCode::TOO_MANY_REQUESTS, FormOutcome::Limited),
        SubmissionError::Internal(error) => {
            tracing::error!(%error, "a visitor's form could not be stored");
            (StatusCode::INTERNAL_SERVER_ERROR, FormOutcome::Failed)
        }
    }
}

async fn unreadable(pages: &Pages, page: Page) -> Response {
    let language = Language::of_form(Locale::default());
    refuse(pages, StatusCode::BAD_REQUEST, page, &language).await
}

async fn refuse(pages: &Pages, status: StatusCode, page: Page, language: &Language) -> Response {
    let mut response = pages.fresh(page, language).await;
    *response.status_mut() = status;
    response
}
