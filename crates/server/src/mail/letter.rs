//! What a mail says, ready for its two templates.

use askama::Template;

use slovo_rules::settings::MadeFile;

use super::texts::Texts;
use super::{Mail, MailError};
use crate::config::PublicUrl;

/// Longest title in a subject, in characters: more is cut off by every list of mails.
const MAX_TITLE_IN_SUBJECT: usize = 80;
/// Longest title in a body, in characters.
const MAX_TITLE: usize = 200;
/// Longest line of what somebody wrote, in characters: the rules' longest message is one.
const MAX_LINE: usize = slovo_rules::contact::MAX_MESSAGE;

/// A mail in both of its forms.
#[derive(Clone)]
pub struct Rendered {
    /// The subject, in one line.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The HTML.
    pub html: String,
}

/// Everything that is not the mail itself.
pub struct Setting<'a> {
    /// The sentences.
    pub texts: &'a Texts,
    /// The recipient's address.
    pub to: &'a str,
    /// Where the server is.
    pub public_url: &'a PublicUrl,
}

/// What the templates show, from top to bottom.
struct Letter {
    lang: &'static str,
    subject: String,
    preheader: String,
    heading: String,
    title: Option<String>,
    lead: Vec<String>,
    /// What somebody else wrote, line by line.
    quote: Vec<String>,
    code: Option<String>,
    button: Option<Button>,
    notes: Vec<String>,
    /// Under the notes, which say what they are.
    links: Vec<Button>,
    fallback: String,
    footer: Vec<FooterLine>,
}

struct Button {
    label: String,
    link: String,
}

struct FooterLine {
    text: String,
    link: Option<String>,
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Html<'a> {
    letter: &'a Letter,
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Text<'a> {
    letter: &'a Letter,
}

/// Writes the mail.
///
/// # Errors
/// If a template fails.
pub fn render(mail: &Mail, setting: &Setting<'_>) -> Result<Rendered, MailError> {
    let letter = compose(mail, setting);
    let failed = |error: askama::Error| MailError::Unwritable(error.to_string());
    let text = Text { letter: &letter }.render().map_err(failed)?;
    let html = Html { letter: &letter }.render().map_err(failed)?;
    Ok(Rendered {
        subject: letter.subject,
        text,
        html,
    })
}

fn compose(mail: &Mail, setting: &Setting<'_>) -> Letter {
    match mail {
        Mail::Code { code, minutes } => of_code(setting, code, *minutes),
        Mail::Reset { link, hours } => of_reset(setting, link, *hours),
        Mail::Invitation { by, link, days } => of_invitation(setting, by, link, *days),
        Mail::EmailCodeOld {
            code,
            wanted,
            minutes,
        } => of_email_code(
            setting,
            "email_code_old",
            (code.as_str(), wanted.as_str()),
            *minutes,
        ),
        Mail::EmailCodeNew { code, minutes } => of_email_code(
            setting,
            "email_code_new",
            (code.as_str(), setting.to),
            *minutes,
        ),
        Mail::EmailTaken => Letter::begin(setting, "email_taken", &[("email", setting.to)]),
        Mail::EmailChanged { now, when } => {
            let when = setting.texts.moment(*when);
            let parameters = [
                ("email", setting.to),
                ("now", now.as_str()),
                ("when", when.as_str()),
            ];
            let mut letter = Letter::begin(setting, "email_changed", &parameters);
            let stranger = setting.texts.say("email_changed.stranger", &[]);
            letter.lead.push(stranger);
            letter
        }
        Mail::PasswordChanged { when } => {
            of_password_changed(setting, &setting.texts.moment(*when))
        }
        Mail::JobDone {
            title,
            link,
            files,
            days,
        } => of_job_done(setting, title, link, (files.as_slice(), *days)),
        Mail::ContactMessage {
            name,
            email,
            message,
        } => of_contact_message(setting, mail, [name, email, message]),
        Mail::PlanRequest {
            email,
            plan,
            present_plan,
            message,
            link,
            ..
        } => {
            let mut letter =
                of_plan_request(setting, mail.kind(), [email, plan], present_plan.as_deref());
            letter.quote = quoted(message);
            letter.button = Some(Button::new(setting.texts, "plan_request.button", link));
            letter
        }
        Mail::NewsletterConfirmation {
            confirm,
            leave,
            days,
        } => of_newsletter_confirmation(setting, confirm, leave, *days),
        Mail::TrialEnding { plan, when, link } => {
            of_trial_ending(setting, plan, &setting.texts.moment(*when), link)
        }
        Mail::PlanDecided {
            plan, answer, link, ..
        } => of_plan_decided(setting, mail.kind(), [plan, answer, link]),
        Mail::Test => Letter::begin(setting, "test", &[]),
    }
}

fn of_code(setting: &Setting<'_>, code: &str, minutes: u32) -> Letter {
    let texts = setting.texts;
    let mut letter = Letter::begin(setting, "code", &[("code", code)]);
    letter.code = Some(code.to_owned());
    letter.notes = vec![
        texts.count("code.valid", minutes),
        texts.say("code.secret", &[]),
        texts.say("code.stranger", &[]),
    ];
    letter
}

fn of_email_code(
    setting: &Setting<'_>,
    kind: &str,
    (code, wanted): (&str, &str),
    minutes: u32,
) -> Letter {
    let texts = setting.texts;
    let parameters = [("code", code), ("email", setting.to), ("wanted", wanted)];
    let mut letter = Letter::begin(setting, kind, &parameters);
    letter.code = Some(code.to_owned());
    letter.notes = vec![
        texts.count("code.valid", minutes),
        texts.say("code.secret", &[]),
        texts.say(&format!("{kind}.stranger"), &[]),
    ];
    letter
}

fn of_reset(setting: &Setting<'_>, link: &str, hours: u32) -> Letter {
    let texts = setting.texts;
    let mut letter = Letter::begin(setting, "reset", &[("email", setting.to)]);
    letter.button = Some(Button::new(texts, "reset.button", link));
    letter.notes = vec![
        texts.count("reset.valid", hours),
        texts.say("reset.stranger", &[]),
    ];
    letter
}

fn of_invitation(setting: &Setting<'_>, by: &str, link: &str, days: u32) -> Letter {
    let texts = setting.texts;
    let parameters = [
        ("by", by),
        ("email", setting.to),
        ("host", setting.public_url.host()),
    ];
    let mut letter = Letter::begin(setting, "invitation", &parameters);
    letter.button = Some(Button::new(texts, "invitation.button", link));
    letter.notes = vec![
        texts.count("invitation.valid", days),
        texts.say("invitation.stranger", &[]),
    ];
    letter
}

fn of_password_changed(setting: &Setting<'_>, when: &str) -> Letter {
    let texts = setting.texts;
    let parameters = [("email", setting.to), ("when", when)];
    let mut letter = Letter::begin(setting, "password_changed", &parameters);
    letter.lead.extend([
        texts.say("password_changed.sessions", &[]),
        texts.say("password_changed.stranger", &[]),
    ]);
    let link = format!("{}/forgot-password", setting.public_url);
    letter.button = Some(Button::new(texts, "password_changed.button", &link));
    letter
}

fn of_job_done(
    setting: &Setting<'_>,
    title: &str,
    link: &str,
    (files, days): (&[(MadeFile, String)], u32),
) -> Letter {
    let texts = setting.texts;
    let in_subject = one_line(title, MAX_TITLE_IN_SUBJECT);
    let mut letter = Letter::begin(setting, "job_done", &[("title", &in_subject)]);
    letter.title = Some(one_line(title, MAX_TITLE));
    letter.button = Some(Button::new(texts, "job_done.button", link));
    if !files.is_empty() {
        letter.notes.push(texts.count("job_done.files", days));
    }
    letter.links.extend(files.iter().map(|(file, link)| {
        let key = format!("job_done.file.{}", file.as_str());
        Button::new(texts, &key, link)
    }));
    letter.footer.push(FooterLine {
        text: texts.say("job_done.settings", &[]),
        link: Some(format!("{}/settings", setting.public_url)),
    });
    letter
}

fn of_plan_request(
    setting: &Setting<'_>,
    kind: &str,
    [email, plan]: [&String; 2],
    present_plan: Option<&str>,
) -> Letter {
    let email = one_line(email, MAX_TITLE_IN_SUBJECT);
    let plan = one_line(plan, MAX_TITLE_IN_SUBJECT);
    let parameters = [("email", email.as_str()), ("plan", plan.as_str())];
    let mut letter = Letter::begin(setting, kind, &parameters);
    // Of a plan that is to be kept it would say the same twice.
    if let Some(present) = present_plan.filter(|present| *present != plan) {
        let present = one_line(present, MAX_TITLE);
        let parameters = [("plan", present.as_str())];
        letter
            .lead
            .push(setting.texts.say("plan_request.present", &parameters));
    }
    letter
}

/// What somebody has written, line by line.
fn quoted(message: &str) -> Vec<String> {
    message
        .lines()
        .map(|line| one_line(line, MAX_LINE))
        .collect()
}

fn of_contact_message(
    setting: &Setting<'_>,
    mail: &Mail,
    [name, email, message]: [&String; 3],
) -> Letter {
    let name = one_line(name, MAX_TITLE_IN_SUBJECT);
    let email = one_line(email, MAX_TITLE);
    let parameters = [("name", name.as_str()), ("email", email.as_str())];
    let mut letter = Letter::begin(setting, "contact_message", &parameters);
    letter.quote = quoted(message);
    if mail.reply_to().is_some() {
        let answer = setting.texts.say("contact_message.answer", &[]);
        letter.notes.push(answer);
    }
    letter
}

fn of_newsletter_confirmation(
    setting: &Setting<'_>,
    confirm: &str,
    leave: &str,
    days: u32,
) -> Letter {
    let texts = setting.texts;
    let parameters = [("email", setting.to)];
    let mut letter = Letter::begin(setting, "newsletter_confirmation", &parameters);
    letter.button = Some(Button::new(
        texts,
        "newsletter_confirmation.button",
        confirm,
    ));
    letter.notes = vec![
        texts.count("newsletter_confirmation.valid", days),
        texts.say("newsletter_confirmation.stranger", &[]),
    ];
    letter.footer.push(FooterLine {
        text: texts.say("newsletter_confirmation.leave", &[]),
        link: Some(leave.to_owned()),
    });
    letter
}

fn of_trial_ending(setting: &Setting<'_>, plan: &str, when: &str, link: &str) -> Letter {
    let texts = setting.texts;
    let plan = one_line(plan, MAX_TITLE_IN_SUBJECT);
    let parameters = [("plan", plan.as_str()), ("when", when)];
    let mut letter = Letter::begin(setting, "trial_ending", &parameters);
    letter
        .lead
        .push(texts.say("trial_ending.then", &[("plan", &plan)]));
    letter.button = Some(Button::new(texts, "trial_ending.button", link));
    letter
}

fn of_plan_decided(
    setting: &Setting<'_>,
    kind: &str,
    [plan, answer, link]: [&String; 3],
) -> Letter {
    let texts = setting.texts;
    let plan = one_line(plan, MAX_TITLE_IN_SUBJECT);
    let mut letter = Letter::begin(setting, kind, &[("plan", &plan)]);
    if !answer.is_empty() {
        letter
            .lead
            .push(texts.say("common.administrator_says", &[]));
        letter.quote = answer
            .lines()
            .map(|line| one_line(line, MAX_LINE))
            .collect();
    }
    letter.button = Some(Button::new(texts, &format!("{kind}.button"), link));
    letter
}

impl Letter {
    /// What every mail has, with the texts of its kind.
    fn begin(setting: &Setting<'_>, kind: &str, parameters: &[(&str, &str)]) -> Self {
        let texts = setting.texts;
        let say = |part: &str| texts.say(&format!("{kind}.{part}"), parameters);
        let place = [("email", setting.to), ("host", setting.public_url.host())];
        Self {
            lang: texts.locale().as_str(),
            subject: say("subject"),
            preheader: say("preheader"),
            heading: say("heading"),
            title: None,
            lead: vec![say("lead")],
            quote: Vec::new(),
            code: None,
            button: None,
            notes: Vec::new(),
            links: Vec::new(),
            fallback: texts.say("common.fallback", &[]),
            footer: vec![FooterLine {
                text: texts.say("common.sent_to", &place),
                link: None,
            }],
        }
    }
}

impl Button {
    fn new(texts: &Texts, key: &str, link: &str) -> Self {
        Self {
            label: texts.say(key, &[]),
            link: link.to_owned(),
        }
    }
}

/// What a person or a server wrote, as one line of at most so many characters: no line ends, no
/// control characters, nothing that turns the direction of writing.
pub fn one_line(text: &str, max: usize) -> String {
    let turns = |c: char| {
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    // What would be cut off anyway is not looked at; twice as much leaves room for what is dropped.
    let beginning = text.chars().take(max.saturating_mul(2).saturating_add(1));
    let spaced = beginning
        .filter(|c| !turns(*c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect::<String>();
    let line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= max {
        return line;
    }
    let kept: String = line.chars().take(max.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}
