//! The texts of mails, and that user input cannot alter their structure.

use std::collections::BTreeSet;

use slovo_rules::locale::Locale;
use slovo_rules::settings::MadeFile;

use crate::content::{self, RenderContext, RenderedMail};
use crate::message::{self, Stamp};
use crate::texts::Texts;
use crate::{Mail, Recipient, Sender, preview};
use slovo_platform::clock::Clock;
use slovo_platform::public_url::PublicUrl;
use slovo_platform::testing::TestClock;

const TO: &str = "a@example.com";

fn public_url() -> PublicUrl {
    "https://slovo.example.com".parse().unwrap()
}

fn samples() -> Vec<Mail> {
    preview::samples(&TestClock::new(), &public_url())
}

fn rendered(mail: &Mail, texts: &Texts) -> RenderedMail {
    let context = RenderContext {
        texts,
        to: TO,
        public_url: &public_url(),
    };
    content::render(mail, &context).unwrap()
}

fn formatted(mail: &Mail, locale: Locale) -> String {
    let stamp = Stamp {
        now_ms: TestClock::new().now_ms(),
        id: "00000000-0000-4000-8000-000000000000",
        host: "slovo.example.com",
    };
    let sender = Sender::parse("Слово, \"test\" <slovo@example.com>").unwrap();
    let to = Recipient::parse(TO).unwrap();
    let rendered = rendered(mail, Texts::of(locale));
    let reply_to = mail.reply_to();
    let message = message::build(&rendered, &sender, &to, reply_to.as_ref(), &stamp).unwrap();
    String::from_utf8(message.formatted()).unwrap()
}

/// Names of the headers, with repetitions.
fn header_names(message: &str) -> Vec<String> {
    let head = message.split("\r\n\r\n").next().unwrap();
    let starts = head.lines().filter(|line| !line.starts_with([' ', '\t']));
    starts
        .map(|line| line.split(':').next().unwrap().to_owned())
        .collect()
}

#[test]
fn every_text_is_used_and_every_parameter_filled() {
    let mut output = String::new();
    let texts = Texts::with_keys_as_texts(Locale::Uk);
    let mut mails = samples();
    for month in 1..=12 {
        let when = format!("2026-{month:02}-01T00:00:00Z").parse().unwrap();
        mails.push(Mail::PasswordChanged { when });
    }
    for count in [1, 2, 5] {
        let code = "K7M2Q".to_owned();
        mails.push(Mail::Code {
            code,
            minutes: count,
        });
        let link = "https://slovo.example.com/x".to_owned();
        let files = MadeFile::ALL.iter().map(|file| (*file, link.clone()));
        mails.push(Mail::JobDone {
            title: String::new(),
            link: link.clone(),
            files: files.collect(),
            days: count,
        });
        mails.push(Mail::Reset { link, hours: count });
        mails.push(Mail::Invitation {
            by: String::new(),
            link: String::new(),
            days: count,
        });
        mails.push(Mail::NewsletterConfirmation {
            confirm: String::new(),
            leave: String::new(),
            days: count,
        });
    }
    for mail in &mails {
        let rendered = rendered(mail, &texts);
        output += &(rendered.subject + &rendered.text + &rendered.html);
    }
    let unused = texts.keys().filter(|key| {
        // Only fractions use the last plural form in Ukrainian; none is ever counted.
        !key.ends_with("_other") && !output.contains(&format!("⟦{key}⟧"))
    });
    assert_eq!(unused.collect::<Vec<_>>(), Vec::<&str>::new());

    for locale in [Locale::Uk, Locale::En] {
        for mail in &mails {
            let rendered = rendered(mail, Texts::of(locale));
            for text in [&rendered.subject, &rendered.text, &rendered.html] {
                assert!(!text.contains("{{") && !text.contains("}}"), "{text}");
                // A key without a text would appear itself.
                let key = format!("{}.", mail.kind());
                let mut after = text.split(&key).skip(1);
                let is_name = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
                assert!(!after.any(is_name), "{text}");
            }
        }
    }
}

#[test]
fn text_and_html_contain_the_code_or_link_in_both_languages() {
    for (locale, heading) in [
        (Locale::Uk, "Підтвердьте електронну адресу"),
        (Locale::En, "Confirm your email address"),
    ] {
        for mail in samples() {
            let expected = match &mail {
                Mail::Code { code, .. }
                | Mail::EmailCodeOld { code, .. }
                | Mail::EmailCodeNew { code, .. } => code.as_str(),
                Mail::Reset { link, .. }
                | Mail::Invitation { link, .. }
                | Mail::JobDone { link, .. } => link.as_str(),
                Mail::EmailTaken => TO,
                Mail::EmailChanged { now, .. } => now.as_str(),
                Mail::PasswordChanged { .. } => "https://slovo.example.com/forgot-password",
                Mail::ContactMessage { email, .. } => email.as_str(),
                Mail::PlanRequest { link, .. } => link.as_str(),
                Mail::NewsletterConfirmation { confirm, .. } => confirm.as_str(),
                Mail::TrialEnding { link, .. } | Mail::PlanDecided { link, .. } => link.as_str(),
                Mail::Test => "Slovo",
            };
            let rendered = rendered(&mail, Texts::of(locale));
            assert!(rendered.text.contains(expected), "{}", rendered.text);
            assert!(rendered.html.contains(expected), "{}", rendered.html);
            assert!(rendered.html.contains(&format!("<html lang=\"{locale}\"")));
            assert!(!rendered.subject.contains(expected) || mail == Mail::Test);
            let is_code = matches!(mail, Mail::Code { .. });
            assert_eq!(rendered.text.starts_with(heading), is_code);
        }
    }
}

#[test]
fn html_mails_load_no_external_resources() {
    for mail in samples() {
        let html = rendered(&mail, Texts::of(Locale::Uk)).html;
        for fetching in [
            "<img",
            "<link",
            "<script",
            "@import",
            "@font-face",
            "url(",
            "src=",
        ] {
            assert!(!html.contains(fetching), "{fetching} in {html}");
        }
    }
}

#[test]
fn titles_cannot_inject_markup_or_headers() {
    let long = "дуже довга назва ".repeat(500);
    for title in [
        "a\r\nBcc: victim@example.com\r\n\r\n<h1>hi</h1>",
        "a\nSubject: other",
        "a\rX: y",
        "a\u{0}\u{b}\u{c}\u{85}\u{2028}\u{2029}b",
        "<script>alert(1)</script>",
        "\"'`<>&{{email}}",
        "</p></td></table><a href=\"https://evil.example\">click</a>",
        "=?utf-8?B?QmNjOiB4?=",
        "evil\u{202e}gpj.exe",
        "Інтерв’ю 🎙️ 日本語",
        &long,
        "",
    ] {
        let mail = Mail::JobDone {
            title: title.to_owned(),
            link: "https://slovo.example.com/transcription/1".to_owned(),
            files: Vec::new(),
            days: 7,
        };
        for locale in [Locale::Uk, Locale::En] {
            let written = rendered(&mail, Texts::of(locale));
            assert!(!written.subject.chars().any(char::is_control), "{title:?}");
            assert!(written.subject.chars().count() < 100, "{}", written.subject);
            assert!(!written.text.contains('\u{202e}') && !written.html.contains('\u{202e}'));
            assert!(!written.html.contains("<script") && !written.html.contains("<h1>hi"));
            assert!(
                !written.html.contains("<a href=\"https://evil"),
                "{}",
                written.html
            );
            // As many lines and elements as with a plain title.
            let plain = rendered(
                &Mail::JobDone {
                    title: "plain".to_owned(),
                    link: "https://slovo.example.com/transcription/1".to_owned(),
                    files: Vec::new(),
                    days: 7,
                },
                Texts::of(locale),
            );
            assert_eq!(written.text.lines().count(), plain.text.lines().count());
            assert_eq!(
                written.html.matches('<').count(),
                plain.html.matches('<').count()
            );

            let message = formatted(&mail, locale);
            let names = header_names(&message);
            let once: BTreeSet<&str> = names.iter().map(String::as_str).collect();
            let expected = [
                "Auto-Submitted",
                "Content-Type",
                "Date",
                "From",
                "MIME-Version",
                "Message-ID",
                "Subject",
                "To",
            ];
            assert_eq!(once, BTreeSet::from(expected), "{title:?}");
            assert_eq!(names.len(), expected.len(), "{title:?}: {message}");
            assert!(message.is_ascii(), "every server can carry it");
            assert!(
                message.lines().all(|line| line.len() <= 998),
                "RFC 5322's limit"
            );
        }
    }
}

fn contact_message(name: &str, email: &str, message: &str) -> Mail {
    Mail::ContactMessage {
        name: name.to_owned(),
        email: email.to_owned(),
        message: message.to_owned(),
    }
}

#[test]
fn a_contact_message_stays_quoted_and_escaped() {
    let message = "Перший рядок\n\n-- \nSlovo\r\n.\r\n    K7M2Q\n<img src=x>{{email}}\n\u{202e}x";
    let hostile = "Ann\r\nBcc: b@example.com <script>";
    let mail = contact_message(hostile, "ann@example.com", message);
    for locale in [Locale::Uk, Locale::En] {
        let rendered_mail = rendered(&mail, Texts::of(locale));
        assert!(
            rendered_mail
                .subject
                .ends_with("Ann Bcc: b@example.com <script>")
        );
        let quote =
            "\n> Перший рядок\n> \n> --\n> Slovo\n> .\n> K7M2Q\n> <img src=x>{{email}}\n> x\n";
        assert!(rendered_mail.text.contains(quote), "{}", rendered_mail.text);
        assert!(
            rendered_mail.html.contains("Перший рядок<br><br>--<br>"),
            "{}",
            rendered_mail.html
        );
        assert!(!rendered_mail.html.contains("<img") && !rendered_mail.html.contains("<script"));

        let message = formatted(&mail, locale);
        let mut names = header_names(&message);
        names.sort();
        assert!(names.contains(&"Reply-To".to_owned()));
        assert!(!names.contains(&"Bcc".to_owned()), "{message}");
        assert!(
            message.contains("Reply-To: ann@example.com\r\n"),
            "{message}"
        );
        assert!(message.is_ascii() && message.lines().all(|line| line.len() <= 998));
    }
}

#[test]
fn reply_to_is_set_only_for_deliverable_visitor_addresses() {
    for email in ["олена@example.com", "\"a b\"@example.com", "a@127.0.0.1"] {
        let mail = contact_message("Ann", email, "x");
        let message = formatted(&mail, Locale::En);
        assert!(!message.contains("Reply-To"), "{email}");
        let text = rendered(&mail, Texts::of(Locale::En)).text;
        assert!(
            text.contains(email) && !text.contains("Replies to this email"),
            "{text}"
        );
    }
    let others = samples()
        .into_iter()
        .filter(|mail| mail.reply_to().is_some());
    assert_eq!(others.count(), 1, "of the contact form only");
}

#[test]
fn the_longest_message_is_written_completely() {
    let message = "ї".repeat(5000);
    let mail = contact_message("Ann", "ann@example.com", &message);
    let rendered_mail = rendered(&mail, Texts::of(Locale::Uk));
    assert!(rendered_mail.text.contains(&message) && rendered_mail.html.contains(&message));
    let sent = formatted(&mail, Locale::Uk);
    assert!(sent.lines().all(|line| line.len() <= 998));
}

#[test]
fn the_newsletter_confirmation_contains_an_unsubscribe_link() {
    for mail in samples() {
        let Mail::NewsletterConfirmation { leave, .. } = &mail else {
            continue;
        };
        for locale in [Locale::Uk, Locale::En] {
            let rendered_mail = rendered(&mail, Texts::of(locale));
            assert!(rendered_mail.text.contains(leave) && rendered_mail.html.contains(leave));
        }
    }
}

#[test]
fn mails_have_date_message_id_and_auto_submitted_headers() {
    let message = formatted(&Mail::Test, Locale::En);
    for line in [
        "Date: Sun, 01 Mar 2026 12:00:00 +0000",
        "Message-ID: <00000000-0000-4000-8000-000000000000@slovo.example.com>",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        "To: a@example.com",
        "Subject: Test email from Slovo",
    ] {
        assert!(
            message.contains(&format!("{line}\r\n")),
            "{line}: {message}"
        );
    }
    assert!(message.contains("Content-Type: multipart/alternative"));
}

#[test]
fn debug_output_shows_only_the_kind_of_mail() {
    for mail in samples() {
        assert_eq!(format!("{mail:?}"), format!("Mail({})", mail.kind()));
    }
}

#[test]
fn files_of_a_finished_job_are_linked_in_text_and_html() {
    let link = "https://slovo.example.com/api/v1/files/abc";
    let mail = Mail::JobDone {
        title: "Розмова.mp3".to_owned(),
        link: "https://slovo.example.com/transcription/1".to_owned(),
        files: vec![
            (MadeFile::Txt, format!("{link}1")),
            (MadeFile::Srt, format!("{link}2")),
        ],
        days: 7,
    };
    for (locale, label, days) in [
        (Locale::Uk, "Завантажити субтитри (SRT)", "7 днів"),
        (Locale::En, "Download subtitles (SRT)", "7 days"),
    ] {
        let rendered_mail = rendered(&mail, Texts::of(locale));
        assert!(
            rendered_mail.text.contains(&format!("{label}:\n{link}2")),
            "{}",
            rendered_mail.text
        );
        let anchor = format!("<a class=\"link\" href=\"{link}2\"");
        assert!(rendered_mail.html.contains(&anchor) && rendered_mail.html.contains(label));
        assert!(rendered_mail.text.contains(days) && rendered_mail.html.contains(days));
    }
}
