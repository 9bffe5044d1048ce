//! Pages of the newsletter form and of the links in its mails. A link only shows a button, so
//! programs that follow links in mails cannot confirm or unsubscribe.

use leptos::prelude::*;

use crate::newsletter_form::NewsletterForm;
use crate::page::{FormOutcome, NewsletterPage};
use crate::scene::{forms, texts};
use crate::texts::Notice;

/// See the module.
#[component]
pub(crate) fn Newsletter(page: NewsletterPage) -> impl IntoView {
    let words = &texts().site.newsletter;
    let content = match page {
        NewsletterPage::Form { email, sent } => view! {
            <h1 class="headline">{words.title.as_str()}</h1>
            <p class="lead">{words.text.as_str()}</p>
            <Subscription email sent/>
        }
        .into_any(),
        NewsletterPage::Confirm(token) => {
            let ask = &words.confirm;
            button(
                "/newsletter/confirm",
                token,
                &ask.title,
                &ask.text,
                &ask.send,
            )
            .into_any()
        }
        NewsletterPage::Leave(token) => {
            let ask = &words.leave;
            button("/newsletter/leave", token, &ask.title, &ask.text, &ask.send).into_any()
        }
        NewsletterPage::Confirmed => notice(&words.confirmed).into_any(),
        NewsletterPage::Left => notice(&words.left).into_any(),
        NewsletterPage::Unknown => view! {
            {notice(&words.unknown)}
            <Subscription email=String::new() sent=FormOutcome::Not/>
        }
        .into_any(),
    };
    view! { <section class="narrow page-top">{content}</section> }
}

/// The form, or a note that it is disabled.
#[component]
fn Subscription(email: String, sent: FormOutcome) -> impl IntoView {
    if forms().newsletter {
        view! { <NewsletterForm email sent/> }.into_any()
    } else {
        view! { <p>{texts().site.form.newsletter_off.as_str()}</p> }.into_any()
    }
}

fn notice(words: &'static Notice) -> impl IntoView {
    view! {
        <h1 class="headline">{words.title.as_str()}</h1>
        <p class="lead">{words.text.as_str()}</p>
    }
}

fn button(
    action: &'static str,
    token: String,
    title: &'static str,
    text: &'static str,
    send: &'static str,
) -> impl IntoView {
    view! {
        <h1 class="headline">{title}</h1>
        <p class="lead">{text}</p>
        <form method="post" action=action>
            <input type="hidden" name="token" value=token/>
            <button class="button button-primary" type="submit">{send}</button>
        </form>
    }
}
