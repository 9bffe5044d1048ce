//! The contact form, which works with a plain POST and is taken over by an island; and other ways
//! to contact the owner.

use leptos::html;
use leptos::prelude::*;
use slovo_rules::account::MAX_EMAIL;
use slovo_rules::contact::{ContactForm, MAX_MESSAGE, MAX_NAME};
use slovo_rules::violation::Violation;

use super::opening::Opening;
use super::owner::{imprint, ways};
use crate::drawing::Drawing;
use crate::newsletter_form::{NewsletterForm, Trap};
use crate::page::{ContactPage, FormOutcome};
use crate::scene::{forms, scene, texts};

/// See the module.
#[component]
pub(crate) fn Contact(page: ContactPage) -> impl IntoView {
    let words = &texts().contact;
    let (title, lead) = if scene().own().sells_plans() {
        (&words.title, &words.lead)
    } else {
        (&words.organisation.title, &words.organisation.lead)
    };
    view! {
        <Opening kicker=&words.kicker title lead=lead.clone() drawing=Some(Drawing::Contact)/>
        <div class="wide contact">
            <section class="contact-form" aria-labelledby="form-title">
                <h2 class="headline" id="form-title">{words.form.title.as_str()}</h2>
                {if forms().contact {
                    view! { <Form page/> }.into_any()
                } else {
                    view! { <p>{texts().site.form.contact_off.as_str()}</p> }.into_any()
                }}
            </section>
            <div class="contact-side">
                {ways()}
                {imprint()}
                {forms().newsletter.then(|| view! { <Newsletter/> })}
            </div>
        </div>
    }
}

/// The value and the error of a field.
struct Field {
    name: &'static str,
    label: &'static str,
    value: String,
    error: Option<String>,
    /// The first invalid field has the focus, which scrolls it into view.
    focus: bool,
}

impl Field {
    fn id(&self) -> String {
        format!("contact-{}", self.name)
    }

    fn error_id(&self) -> String {
        format!("{}-error", self.id())
    }

    fn invalid(&self) -> Option<&'static str> {
        self.error.is_some().then_some("true")
    }
}

/// Not validated by the browser, whose messages are in its own language; the server's are in the
/// page's.
#[component]
fn Form(page: ContactPage) -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.contact.form;
    let ContactPage { form, sent } = page;
    let status = status(&sent);
    let (form, broken) = match sent {
        FormOutcome::Accepted => (ContactForm::default(), Vec::new()),
        FormOutcome::Invalid(violations) => (form, violations),
        _ => (form, Vec::new()),
    };
    let [first_name, last_name, email, message] = fields(form, &broken);
    view! {
        <form id="form" data-island="contact" class="form" method="post" action="/contact" novalidate=true>
            <p class="form-note">{words.required.as_str()}</p>
            <div class="form-pair">
                {line(&first_name, "text", "given-name", MAX_NAME)}
                {line(&last_name, "text", "family-name", MAX_NAME)}
            </div>
            {line(&email, "email", "email", MAX_EMAIL)}
            {lines(&message)}
            <Trap id="contact-website"/>
            <input type="hidden" name="locale" value=scene.locale.as_str()/>
            <div class="form-end">
                <button class="button button-primary" type="submit">{words.send.as_str()}</button>
                <p class="form-note">
                    {words.use_of_data.as_str()}
                    " "
                    <a href=scene.href("/privacy")>{words.privacy.as_str()}</a>
                </p>
            </div>
            {status}
        </form>
    }
}

/// The result of sending the form. A message has the focus, which scrolls it into view.
fn status(sent: &FormOutcome) -> impl IntoView + use<> {
    let texts = texts();
    let form = &texts.site.form;
    let off = if scene().own().settings.email.is_empty() {
        &form.contact_off_only
    } else {
        &form.contact_off
    };
    let (state, text) = match sent {
        FormOutcome::Not | FormOutcome::Invalid(_) => (None, None),
        FormOutcome::Accepted => (Some("sent"), Some(texts.islands.contact.sent.as_str())),
        FormOutcome::Limited => (Some("failed"), Some(form.limited.as_str())),
        FormOutcome::Off => (Some("failed"), Some(off.as_str())),
        FormOutcome::Failed => (Some("failed"), Some(texts.islands.contact.failed.as_str())),
    };
    html::p()
        .class("form-status")
        .role("status")
        .attr("data-state", state)
        .tabindex(state.map(|_| "-1"))
        .autofocus(state.is_some())
        .child(text)
}

fn fields(form: ContactForm, broken: &[Violation]) -> [Field; 4] {
    let words = &texts().contact.form;
    let mut focus = true;
    [
        ("first_name", &words.first_name, form.first_name),
        ("last_name", &words.last_name, form.last_name),
        ("email", &words.email, form.email),
        ("message", &words.message, form.message),
    ]
    .map(|(name, label, value)| {
        let error = broken.iter().find(|violation| violation.field == name);
        let error = error.map(|violation| texts().violation(violation));
        let focus = error.is_some() && std::mem::take(&mut focus);
        Field {
            name,
            label,
            value,
            error,
            focus,
        }
    })
}

fn line(
    field: &Field,
    kind: &'static str,
    autocomplete: &'static str,
    longest: usize,
) -> impl IntoView + use<> {
    view! {
        <div class="field">
            <label for=field.id()>{field.label}</label>
            <input
                id=field.id()
                class="input"
                name=field.name
                type=kind
                autocomplete=autocomplete
                required
                maxlength=longest.to_string()
                value=field.value.clone()
                aria-invalid=field.invalid()
                aria-describedby=field.error_id()
                autofocus=field.focus
            />
            <p class="field-error" id=field.error_id()>{field.error.clone()}</p>
        </div>
    }
}

fn lines(field: &Field) -> impl IntoView + use<> {
    view! {
        <div class="field">
            <label for=field.id()>{field.label}</label>
            <textarea
                id=field.id()
                class="input"
                name=field.name
                rows="7"
                required
                maxlength=MAX_MESSAGE.to_string()
                aria-invalid=field.invalid()
                aria-describedby=field.error_id()
                autofocus=field.focus
                inner_html=textarea_html(&field.value)
            ></textarea>
            <p class="field-error" id=field.error_id()>{field.error.clone()}</p>
        </div>
    }
}

/// Leptos writes the content of a `textarea` unchanged, and browsers drop its first line break.
fn textarea_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("\n{text}")
}

/// The newsletter, which the footer of this page omits.
#[component]
fn Newsletter() -> impl IntoView {
    let words = &texts().site.newsletter;
    view! {
        <section class="contact-newsletter" aria-labelledby="newsletter-title">
            <h2 class="headline" id="newsletter-title">{words.title.as_str()}</h2>
            <p>{words.text.as_str()}</p>
            <NewsletterForm email=String::new() sent=FormOutcome::Not/>
        </section>
    }
}
