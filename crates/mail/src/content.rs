//! The content of a mail, ready for its two templates.

use askama::Template;

use slovo_rules::settings::MadeFile;

use crate::one_line::one_line;
use crate::texts::Texts;
use crate::{Mail, MailError};
use slovo_platform::public_url::PublicUrl;

/// Longest title in a subject, in characters: mail clients cut off more.
const MAX_TITLE_IN_SUBJECT: usize = 80;
/// Longest title in a body, in characters.
const MAX_TITLE: usize = 200;
/// Longest line of a user's message, in characters: the rules' longest message fits in one.
const MAX_LINE: usize = slovo_rules::contact::MAX_MESSAGE;

/// A mail in both of its forms.
#[derive(Clone)]
pub struct RenderedMail {
    /// The subject, a single line.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The HTML.
    pub html: String,
}

/// The context of a mail.
pub struct RenderContext<'a> {
    /// The sentences.
    pub texts: &'a Texts,
    /// The recipient's address.
    pub to: &'a str,
    /// The server's public URL.
    pub public_url: &'a PublicUrl,
}

/// What the templates show, from top to bottom.
struct Content {
    lang: &'static str,
    subject: String,
    preheader: String,
    heading: String,
    title: Option<String>,
    lead: Vec<String>,
    /// A quoted message, line by line.
    quote: Vec<String>,
    code: Option<String>,
    button: Option<Button>,
    notes: Vec<String>,
    /// Links, shown below the notes.
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
    content: &'a Content,
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Text<'a> {
    content: &'a Content,
}

/// Renders the mail.
///
/// # Errors
/// If a template fails.
pub fn render(mail: &Mail, context: &RenderContext<'_>) -> Result<RenderedMail, MailError> {
    let content = compose(mail, context);
    let failed = |error: askama::Error| MailError::Unwritable(error.to_string());
    let text = Text { content: &content }.render().map_err(failed)?;
    let html = Html { content: &content }.render().map_err(failed)?;
    Ok(RenderedMail {
        subject: content.subject,
        text,
        html,
    })
}

fn compose(mail: &Mail, context: &RenderContext<'_>) -> Content {
    match mail {
        Mail::Code { code, minutes } => of_code(context, code, *minutes),
        Mail::Reset { link, hours } => of_reset(context, link, *hours),
        Mail::Invitation { by, link, days } => of_invitation(context, by, link, *days),
        Mail::EmailCodeOld {
            code,
            wanted,
            minutes,
        } => of_email_code(
            context,
            "email_code_old",
            (code.as_str(), wanted.as_str()),
            *minutes,
        ),
        Mail::EmailCodeNew { code, minutes } => of_email_code(
            context,
            "email_code_new",
            (code.as_str(), context.to),
            *minutes,
        ),
        Mail::EmailTaken => Content::begin(context, "email_taken", &[("email", context.to)]),
        Mail::EmailChanged { now, when } => {
            let when = context.texts.moment(*when);
            let parameters = [
                ("email", context.to),
                ("now", now.as_str()),
                ("when", when.as_str()),
            ];
            let mut content = Content::begin(context, "email_changed", &parameters);
            let stranger = context.texts.say("email_changed.stranger", &[]);
            content.lead.push(stranger);
            content
        }
        Mail::PasswordChanged { when } => {
            of_password_changed(context, &context.texts.moment(*when))
        }
        Mail::JobDone {
            title,
            link,
            files,
            days,
        } => of_job_done(context, title, link, (files.as_slice(), *days)),
        Mail::ContactMessage {
            name,
            email,
            message,
        } => of_contact_message(context, mail, [name, email, message]),
        Mail::PlanRequest {
            email,
            plan,
            present_plan,
            message,
            link,
            ..
        } => {
            let mut content =
                of_plan_request(context, mail.kind(), [email, plan], present_plan.as_deref());
            content.quote = quoted(message);
            content.button = Some(Button::new(context.texts, "plan_request.button", link));
            content
        }
        Mail::NewsletterConfirmation {
            confirm,
            leave,
            days,
        } => of_newsletter_confirmation(context, confirm, leave, *days),
        Mail::TrialEnding { plan, when, link } => {
            of_trial_ending(context, plan, &context.texts.moment(*when), link)
        }
        Mail::PlanDecided {
            plan, answer, link, ..
        } => of_plan_decided(context, mail.kind(), [plan, answer, link]),
        Mail::Test => Content::begin(context, "test", &[]),
    }
}

fn of_code(context: &RenderContext<'_>, code: &str, minutes: u32) -> Content {
    let texts = context.texts;
    let mut content = Content::begin(context, "code", &[("code", code)]);
    content.code = Some(code.to_owned());
    content.notes = vec![
        texts.count("code.valid", minutes),
        texts.say("code.secret", &[]),
        texts.say("code.stranger", &[]),
    ];
    content
}

fn of_email_code(
    context: &RenderContext<'_>,
    kind: &str,
    (code, wanted): (&str, &str),
    minutes: u32,
) -> Content {
    let texts = context.texts;
    let parameters = [("code", code), ("email", context.to), ("wanted", wanted)];
    let mut content = Content::begin(context, kind, &parameters);
    content.code = Some(code.to_owned());
    content.notes = vec![
        texts.count("code.valid", minutes),
        texts.say("code.secret", &[]),
        texts.say(&format!("{kind}.stranger"), &[]),
    ];
    content
}

fn of_reset(context: &RenderContext<'_>, link: &str, hours: u32) -> Content {
    let texts = context.texts;
    let mut content = Content::begin(context, "reset", &[("email", context.to)]);
    content.button = Some(Button::new(texts, "reset.button", link));
    content.notes = vec![
        texts.count("reset.valid", hours),
        texts.say("reset.stranger", &[]),
    ];
    content
}

fn of_invitation(context: &RenderContext<'_>, by: &str, link: &str, days: u32) -> Content {
    let texts = context.texts;
    let parameters = [
        ("by", by),
        ("email", context.to),
        ("host", context.public_url.host()),
    ];
    let mut content = Content::begin(context, "invitation", &parameters);
    content.button = Some(Button::new(texts, "invitation.button", link));
    content.notes = vec![
        texts.count("invitation.valid", days),
        texts.say("invitation.stranger", &[]),
    ];
    content
}

fn of_password_changed(context: &RenderContext<'_>, when: &str) -> Content {
    let texts = context.texts;
    let parameters = [("email", context.to), ("when", when)];
    let mut content = Content::begin(context, "password_changed", &parameters);
    content.lead.extend([
        texts.say("password_changed.sessions", &[]),
        texts.say("password_changed.stranger", &[]),
    ]);
    let link = format!("{}/forgot-password", context.public_url);
    content.button = Some(Button::new(texts, "password_changed.button", &link));
    content
}

fn of_job_done(
    context: &RenderContext<'_>,
    title: &str,
    link: &str,
    (files, days): (&[(MadeFile, String)], u32),
) -> Content {
    let texts = context.texts;
    let in_subject = one_line(title, MAX_TITLE_IN_SUBJECT);
    let mut content = Content::begin(context, "job_done", &[("title", &in_subject)]);
    content.title = Some(one_line(title, MAX_TITLE));
    content.button = Some(Button::new(texts, "job_done.button", link));
    if !files.is_empty() {
        content.notes.push(texts.count("job_done.files", days));
    }
    content.links.extend(files.iter().map(|(file, link)| {
        let key = format!("job_done.file.{}", file.as_str());
        Button::new(texts, &key, link)
    }));
    content.footer.push(FooterLine {
        text: texts.say("job_done.settings", &[]),
        link: Some(format!("{}/settings", context.public_url)),
    });
    content
}

fn of_plan_request(
    context: &RenderContext<'_>,
    kind: &str,
    [email, plan]: [&String; 2],
    present_plan: Option<&str>,
) -> Content {
    let email = one_line(email, MAX_TITLE_IN_SUBJECT);
    let plan = one_line(plan, MAX_TITLE_IN_SUBJECT);
    let parameters = [("email", email.as_str()), ("plan", plan.as_str())];
    let mut content = Content::begin(context, kind, &parameters);
    // For a plan that is to be kept, this line would repeat the previous one.
    if let Some(present) = present_plan.filter(|present| *present != plan) {
        let present = one_line(present, MAX_TITLE);
        let parameters = [("plan", present.as_str())];
        content
            .lead
            .push(context.texts.say("plan_request.present", &parameters));
    }
    content
}

/// A user's message, line by line.
fn quoted(message: &str) -> Vec<String> {
    message
        .lines()
        .map(|line| one_line(line, MAX_LINE))
        .collect()
}

fn of_contact_message(
    context: &RenderContext<'_>,
    mail: &Mail,
    [name, email, message]: [&String; 3],
) -> Content {
    let name = one_line(name, MAX_TITLE_IN_SUBJECT);
    let email = one_line(email, MAX_TITLE);
    let parameters = [("name", name.as_str()), ("email", email.as_str())];
    let mut content = Content::begin(context, "contact_message", &parameters);
    content.quote = quoted(message);
    if mail.reply_to().is_some() {
        let answer = context.texts.say("contact_message.answer", &[]);
        content.notes.push(answer);
    }
    content
}

fn of_newsletter_confirmation(
    context: &RenderContext<'_>,
    confirm: &str,
    leave: &str,
    days: u32,
) -> Content {
    let texts = context.texts;
    let parameters = [("email", context.to)];
    let mut content = Content::begin(context, "newsletter_confirmation", &parameters);
    content.button = Some(Button::new(
        texts,
        "newsletter_confirmation.button",
        confirm,
    ));
    content.notes = vec![
        texts.count("newsletter_confirmation.valid", days),
        texts.say("newsletter_confirmation.stranger", &[]),
    ];
    content.footer.push(FooterLine {
        text: texts.say("newsletter_confirmation.leave", &[]),
        link: Some(leave.to_owned()),
    });
    content
}

fn of_trial_ending(context: &RenderContext<'_>, plan: &str, when: &str, link: &str) -> Content {
    let texts = context.texts;
    let plan = one_line(plan, MAX_TITLE_IN_SUBJECT);
    let parameters = [("plan", plan.as_str()), ("when", when)];
    let mut content = Content::begin(context, "trial_ending", &parameters);
    content
        .lead
        .push(texts.say("trial_ending.then", &[("plan", &plan)]));
    content.button = Some(Button::new(texts, "trial_ending.button", link));
    content
}

fn of_plan_decided(
    context: &RenderContext<'_>,
    kind: &str,
    [plan, answer, link]: [&String; 3],
) -> Content {
    let texts = context.texts;
    let plan = one_line(plan, MAX_TITLE_IN_SUBJECT);
    let mut content = Content::begin(context, kind, &[("plan", &plan)]);
    if !answer.is_empty() {
        content
            .lead
            .push(texts.say("common.administrator_says", &[]));
        content.quote = answer
            .lines()
            .map(|line| one_line(line, MAX_LINE))
            .collect();
    }
    content.button = Some(Button::new(texts, &format!("{kind}.button"), link));
    content
}

impl Content {
    /// The parts that every mail has, with the texts of its kind.
    fn begin(context: &RenderContext<'_>, kind: &str, parameters: &[(&str, &str)]) -> Self {
        let texts = context.texts;
        let say = |part: &str| texts.say(&format!("{kind}.{part}"), parameters);
        let place = [("email", context.to), ("host", context.public_url.host())];
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
