//! Every mail in every language as files for inspection.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use askama::Template;
use slovo_rules::locale::Locale;
use slovo_rules::settings::MadeFile;

use crate::content::{self, RenderContext};
use crate::message::{self, Stamp};
use crate::texts::Texts;
use crate::{Mail, Recipient, Sender};
use slovo_platform::clock::Clock;
use slovo_platform::public_url::PublicUrl;
use slovo_platform::random::Random;

/// The recipient of the previews.
const READER: &str = "olena.kovalenko@example.com";

struct Page {
    name: String,
    subject: String,
}

#[derive(Template)]
#[template(path = "preview.html")]
struct Index {
    pages: Vec<Page>,
}

/// Writes `KIND.LOCALE.html`, `.txt` and `.eml` for every mail, and an `index.html`.
///
/// # Errors
/// If a file cannot be written.
pub fn write(folder: &Path, clock: &dyn Clock, random: &dyn Random) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let public_url: PublicUrl = "https://slovo.example.com"
        .parse()
        .map_err(anyhow::Error::msg)?;
    let sender = Sender::of_host(public_url.domain())?;
    let to = Recipient::parse(READER)?;
    let mut pages = Vec::new();
    for mail in samples(clock, &public_url) {
        for locale in Locale::ALL {
            let context = RenderContext {
                texts: Texts::of(*locale),
                to: to.as_str(),
                public_url: &public_url,
            };
            let rendered = content::render(&mail, &context)?;
            let stamp = Stamp {
                now_ms: clock.now_ms(),
                id: &random.uuid(),
                host: public_url.host(),
            };
            let reply_to = mail.reply_to();
            let message = message::build(&rendered, &sender, &to, reply_to.as_ref(), &stamp)?;
            let message = message.formatted();
            let name = format!("{}.{locale}", mail.kind());
            for (ending, bytes) in [
                ("html", rendered.html.as_bytes()),
                ("txt", rendered.text.as_bytes()),
                ("eml", message.as_slice()),
            ] {
                write_file(&folder.join(format!("{name}.{ending}")), bytes)?;
            }
            pages.push(Page {
                name,
                subject: rendered.subject,
            });
        }
    }
    let index = Index { pages }.render()?;
    write_file(&folder.join("index.html"), index.as_bytes())
}

/// One mail of each kind, with values of the usual length.
pub(crate) fn samples(clock: &dyn Clock, public_url: &PublicUrl) -> Vec<Mail> {
    let mut mails = Vec::from(of_accounts(clock, public_url));
    mails.extend(of_work(clock, public_url));
    mails
}

/// Mails about accounts and their verification.
fn of_accounts(clock: &dyn Clock, public_url: &PublicUrl) -> [Mail; 8] {
    [
        Mail::Code {
            code: "K7M2Q".to_owned(),
            minutes: 15,
        },
        Mail::Reset {
            link: format!(
                "{public_url}/reset-password#token=Zk3uQy1n0bW7cT5xVh2mJr8sLe4aPd6fGi9oKtYwBqE"
            ),
            hours: 1,
        },
        Mail::Invitation {
            by: "administrator@example.com".to_owned(),
            link: format!(
                "{public_url}/reset-password#token=Zk3uQy1n0bW7cT5xVh2mJr8sLe4aPd6fGi9oKtYwBqE"
            ),
            days: 3,
        },
        Mail::EmailCodeOld {
            code: "K7M2Q".to_owned(),
            wanted: "olena.k@example.com".to_owned(),
            minutes: 15,
        },
        Mail::EmailCodeNew {
            code: "W3HTN".to_owned(),
            minutes: 15,
        },
        Mail::EmailTaken,
        Mail::EmailChanged {
            now: "olena.k@example.com".to_owned(),
            when: clock.now(),
        },
        Mail::PasswordChanged { when: clock.now() },
    ]
}

/// All other mails.
fn of_work(clock: &dyn Clock, public_url: &PublicUrl) -> [Mail; 9] {
    [
        Mail::JobDone {
            title: "Інтерв’ю з Ліною Костенко, частина 2.m4a".to_owned(),
            link: format!("{public_url}/transcription/019cb0a4-6f2e-7d31-9c5a-3b8e1f70d2c4"),
            files: vec![(
                MadeFile::Txt,
                format!("{public_url}/api/v1/files/eyJhbGciOiJIUzI1NiJ9"),
            )],
            days: 7,
        },
        Mail::ContactMessage {
            name: "Лариса Косач-Квітка".to_owned(),
            email: "larysa.kosach@example.com".to_owned(),
            message:
                "Доброго дня!\n\nЧи можна встановити Slovo на власному сервері без доступу до \
                інтернету? Маємо близько 40 годин інтерв’ю на місяць.\n\nДякую, Лариса"
                    .to_owned(),
        },
        Mail::PlanRequest {
            email: "olha.petrenko@example.com".to_owned(),
            plan: "Професійний".to_owned(),
            present_plan: Some("Стартовий".to_owned()),
            keeps: false,
            message: "Записуємо засідання щотижня, тож хвилин бракує.".to_owned(),
            link: format!("{public_url}/admin/subscriptions"),
        },
        Mail::PlanRequest {
            email: "ivan.melnyk@example.com".to_owned(),
            plan: "Professional".to_owned(),
            present_plan: Some("Professional".to_owned()),
            keeps: true,
            message: "Хочемо лишитися на ньому й після спроби.".to_owned(),
            link: format!("{public_url}/admin/subscriptions"),
        },
        Mail::NewsletterConfirmation {
            confirm: format!(
                "{public_url}/newsletter/confirm?token=AZywpG8ufTGcWjuOH3DSxGg7Vqzv2yN0c1ZkR5m8Xwo"
            ),
            leave: format!(
                "{public_url}/newsletter/leave?token=AZywpG8ufTGcWjuOH3DSxMq4T0pLk9sYbW2eJd7hVuA"
            ),
            days: 7,
        },
        Mail::TrialEnding {
            plan: "Professional".to_owned(),
            when: clock.now(),
            link: format!("{public_url}/subscription"),
        },
        Mail::PlanDecided {
            approved: true,
            plan: "Professional".to_owned(),
            answer: "Вітаємо! Рахунок надішлемо окремим листом.".to_owned(),
            link: format!("{public_url}/subscription"),
        },
        Mail::PlanDecided {
            approved: false,
            plan: "Enterprise".to_owned(),
            answer: "Напишіть нам, будь ласка, скільки у вас записів на місяць.".to_owned(),
            link: format!("{public_url}/subscription"),
        },
        Mail::Test,
    ]
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use slovo_platform::testing::{SeededRandom, TestClock};

    #[test]
    fn the_preview_contains_every_mail_in_both_languages() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a/mail");
        write(&out, &TestClock::new(), &SeededRandom::new(1)).unwrap();
        assert_eq!(fs::read_dir(&out).unwrap().count(), 17 * 2 * 3 + 1);
        let index = fs::read_to_string(out.join("index.html")).unwrap();
        for name in [
            "code.uk.html",
            "password_changed.en.eml",
            "job_done.uk.txt",
            "contact_message.en.html",
            "newsletter_confirmation.uk.eml",
        ] {
            assert!(index.contains(name) && out.join(name).is_file(), "{name}");
        }
    }
}
