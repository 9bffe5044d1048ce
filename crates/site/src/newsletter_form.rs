//! The newsletter form: works with a plain POST, and is taken over by an island.

use leptos::prelude::*;

use crate::page::FormOutcome;
use crate::scene::scene;

/// See the module.
#[component]
pub(crate) fn NewsletterForm(email: String, sent: FormOutcome) -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.site.newsletter;
    let forms = &scene.texts.site.form;
    let outcome = &scene.texts.islands.newsletter;
    let state = sent.state();
    let (error, status) = match sent {
        FormOutcome::Not => (None, None),
        FormOutcome::Accepted => (None, Some(outcome.sent.clone())),
        FormOutcome::Invalid(violations) => {
            let first = violations
                .first()
                .map(|violation| scene.texts.violation(violation));
            (first, None)
        }
        FormOutcome::Limited => (None, Some(forms.limited.clone())),
        FormOutcome::Off => (None, Some(forms.newsletter_off.clone())),
        FormOutcome::Failed => (None, Some(outcome.failed.clone())),
    };
    let invalid = error.is_some().then_some("true");
    view! {
        <form class="newsletter" data-island="newsletter" method="post" action="/newsletter" novalidate=true>
            <div class="field">
                <label for="newsletter-email">{words.email.as_str()}</label>
                <div class="newsletter-row">
                    <input
                        id="newsletter-email"
                        class="input"
                        name="email"
                        type="email"
                        autocomplete="email"
                        required
                        placeholder=words.placeholder.as_str()
                        value=email
                        aria-invalid=invalid
                        aria-describedby="newsletter-email-error"
                    />
                    <button class="button" type="submit">{words.send.as_str()}</button>
                </div>
                <p class="field-error" id="newsletter-email-error">{error}</p>
            </div>
            <Trap id="newsletter-website"/>
            <input type="hidden" name="locale" value=scene.locale.as_str()/>
            <p class="form-status" role="status" data-state=state>{status}</p>
        </form>
    }
}

/// A honeypot field that users do not see; only bots fill it in.
#[component]
pub(crate) fn Trap(id: &'static str) -> impl IntoView {
    let scene = scene();
    view! {
        <div class="trap" aria-hidden="true">
            <label for=id>{scene.texts.site.form.trap.as_str()}</label>
            <input id=id name="website" tabindex="-1" autocomplete="off"/>
        </div>
    }
}
