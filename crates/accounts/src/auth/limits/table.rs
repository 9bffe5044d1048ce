//! The limits: how many attempts in which time.

use std::sync::Arc;
use std::time::Duration;

use slovo_platform::clock::Clock;
use slovo_rules::api_key::REQUESTS_PER_MINUTE;

use super::Rates;
use crate::auth::limiter::Limiter;

/// Maximum number of sign-in attempts for one account per hour, from all networks together: enough
/// that guesses from one network cannot lock the owner out, few enough that many networks together
/// cannot guess the password.
const ACCOUNT_TRIES_PER_HOUR: u32 = 200;

/// Maximum number of links to an archive of all data that one account may create per hour: each
/// makes the server read all data of the account.
const EXPORTS_PER_HOUR: u32 = 10;

/// Maximum number of avatars that one account may upload per hour: decoding one takes a core and
/// some 450 MB.
const AVATARS_PER_HOUR: u32 = 60;

/// Maximum number of templates that one account may upload per hour: each is unpacked and parsed.
const DOCX_TEMPLATES_PER_HOUR: u32 = 60;

/// Maximum number of URLs that one account may have probed per hour: a form probes each URL that is
/// entered, and these are too few to scan other networks.
const URL_PROBES_PER_HOUR: u32 = 120;

/// Maximum number of analyses that one account may request per hour: the endpoint may charge for
/// each.
const ANALYSES_PER_HOUR: u32 = 120;

/// Maximum number of recordings whose language one account may have found per hour. It uses the
/// engine for some seconds, but no minutes.
const DETECTIONS_PER_HOUR: u32 = 120;
/// Maximum number of requests that one account may send to its webhooks at will per hour: tests and
/// deliveries that are sent again.
const WEBHOOK_CALLS_PER_HOUR: u32 = 120;

/// Maximum number of stretches of recordings, of at most five minutes each, that one account may
/// have recognised again per hour.
const STRETCHES_PER_HOUR: u32 = 30;

/// Maximum number of voices that one account may have remembered, and texts that it may have
/// compared with them, per hour: each decodes a recording.
const VOICES_PER_HOUR: u32 = 120;

/// Maximum number of questions that one account may ask about its transcripts per hour.
const QUESTIONS_PER_HOUR: u32 = 120;

/// Maximum number of share links that one network may open per minute: enough for a school class,
/// too few to search for other links.
const SHARES_PER_MINUTE: u32 = 120;

/// Maximum number of parts of shared recordings that one network may request per minute: a player
/// requests one for every seek.
const SHARED_MEDIA_PER_MINUTE: u32 = 600;

/// Maximum number of comments that one network may write through one link per hour: enough for a
/// school class.
const COMMENTS_PER_HOUR: u32 = 60;

/// Maximum number of edits that one visit may send through a link per hour: a line every ten
/// seconds.
const SHARED_EDITS_PER_HOUR: u32 = 360;

/// Maximum number of edits that one network may send through one link per hour: enough for a school
/// class.
const SHARED_EDITS_OF_NETWORK: u32 = 1000;

/// Maximum number of attempts at a link's password from one network in 15 minutes: enough for a
/// school class behind one address, too few to guess the password.
const SHARE_TRIES: u32 = 60;

/// Maximum number of attempts at a link's password per hour, from all networks together.
const SHARE_TRIES_PER_HOUR: u32 = 200;

/// Maximum number of link passwords that one account may set per hour: each is hashed, in the slots
/// that all sign-ins share.
const SHARE_PASSWORDS_PER_HOUR: u32 = 60;

/// Maximum number of test mails that one administrator may have sent to themselves per hour: enough
/// to fix the SMTP configuration, too few to be treated as spam by the mail provider.
const MAIL_TESTS_PER_HOUR: u32 = 20;

/// Maximum number of password confirmations within the sessions of one account per hour, from all
/// networks together: a stolen session must not allow guessing the password.
const PROOFS_PER_HOUR: u32 = 50;

/// Maximum number of contact form messages that one network may send per hour: enough for an
/// office.
const CONTACT_MESSAGES_PER_HOUR: u32 = 10;

/// Maximum number of addresses that one network may subscribe to the newsletter per hour.
const NEWSLETTERS_PER_HOUR: u32 = 20;

/// Maximum number of page visits per minute that are counted for one network.
const VISITS_PER_MINUTE: u32 = 120;

/// Maximum number of newsletter confirmation mails to one address per hour, whoever requests them:
/// enough if the first was lost, too few to harass the owner.
const CONFIRMATIONS_PER_HOUR: u32 = 3;

/// Maximum number of mails to one address per hour from all networks together, given the maximum
/// from one network.
const fn from_all(from_one: u32) -> u32 {
    from_one.saturating_mul(5)
}

/// Defines the limits: name in messages, attempts, minutes.
macro_rules! limits {
    ($rates:ident; $($limit:ident $name:literal: $count:expr, per $minutes:literal;)+) => {
        /// A limit; each counts by itself.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Limit {
            $($limit),+
        }

        impl Limit {
            pub(super) const ALL: &[Self] = &[$(Self::$limit),+];

            /// The name in messages to other processes, which may have another version.
            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Self::$limit => $name),+
                }
            }

            pub(super) fn limiter(self, $rates: Rates, clock: &Arc<dyn Clock>) -> Limiter<u64> {
                let (count, minutes) = match self {
                    $(Self::$limit => ($count, $minutes)),+
                };
                Limiter::new(count, Duration::from_mins(minutes), clock)
            }
        }
    };
}

limits! {
    rates;
    Signup "signup": rates.signups_per_hour, per 60;
    Login "login": rates.logins_per_minute, per 1;
    LoginPair "login_pair": rates.logins_per_account, per 15;
    LoginAccount "login_account": ACCOUNT_TRIES_PER_HOUR, per 60;
    CodePair "code_pair": rates.mails_per_hour, per 60;
    Code "code": from_all(rates.mails_per_hour), per 60;
    LinkPair "link_pair": rates.mails_per_hour, per 60;
    Link "link": from_all(rates.mails_per_hour), per 60;
    Proof "proof": PROOFS_PER_HOUR, per 60;
    Export "export": EXPORTS_PER_HOUR, per 60;
    Avatar "avatar": AVATARS_PER_HOUR, per 60;
    DocxTemplate "docx_template": DOCX_TEMPLATES_PER_HOUR, per 60;
    UrlProbe "url_probe": URL_PROBES_PER_HOUR, per 60;
    Analysis "analysis": ANALYSES_PER_HOUR, per 60;
    Stretch "stretch": STRETCHES_PER_HOUR, per 60;
    Detection "detection": DETECTIONS_PER_HOUR, per 60;
    WebhookCall "webhook_call": WEBHOOK_CALLS_PER_HOUR, per 60;
    Voice "voice": VOICES_PER_HOUR, per 60;
    Question "question": QUESTIONS_PER_HOUR, per 60;
    MailTest "mail_test": MAIL_TESTS_PER_HOUR, per 60;
    Share "share": SHARES_PER_MINUTE, per 1;
    ShareTryPair "share_try_pair": SHARE_TRIES, per 15;
    ShareTry "share_try": SHARE_TRIES_PER_HOUR, per 60;
    ShareSecret "share_secret": SHARE_PASSWORDS_PER_HOUR, per 60;
    SharedMedia "shared_media": SHARED_MEDIA_PER_MINUTE, per 1;
    CommentPair "comment_pair": COMMENTS_PER_HOUR, per 60;
    Comment "comment": from_all(COMMENTS_PER_HOUR), per 60;
    SharedEditVisit "shared_edit_visit": SHARED_EDITS_PER_HOUR, per 60;
    SharedEditPair "shared_edit_pair": SHARED_EDITS_OF_NETWORK, per 60;
    SharedEdit "shared_edit": from_all(SHARED_EDITS_OF_NETWORK), per 60;
    Contact "contact": CONTACT_MESSAGES_PER_HOUR, per 60;
    Newsletter "newsletter": NEWSLETTERS_PER_HOUR, per 60;
    Confirmation "confirmation": CONFIRMATIONS_PER_HOUR, per 60;
    Visit "visit": VISITS_PER_MINUTE, per 1;
    Note "note": 1, per 1;
    ApiRequest "api_request": REQUESTS_PER_MINUTE, per 1;
    KeyUse "key_use": 1, per 1;
}

impl Limit {
    /// Whether other processes count its attempts, too. The others only keep a process from writing the
    /// same thing again and again.
    pub(super) const fn is_shared(self) -> bool {
        !matches!(self, Self::Note | Self::KeyUse)
    }
}
