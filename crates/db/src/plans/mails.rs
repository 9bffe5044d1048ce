//! Mails about plans: table `plan_mails`. They are claimed and settled as those of
//! [`crate::site::mails`] are.

use slovo_rules::locale::Locale;
use uuid::Uuid;

use crate::accounts::Status;
use crate::core::fields::Fields;
use crate::{Connection, Result};

/// What a mail says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The plan is on trial, which ends at this time (Unix milliseconds).
    TrialEnding(i64),
    /// The request for the plan was approved; what the administrator says may be empty.
    Approved(String),
    /// The request for the plan was declined; what the administrator says may be empty.
    Declined(String),
}

impl Said {
    const fn kind(&self) -> &'static str {
        match self {
            Self::TrialEnding(_) => "trial_ending",
            Self::Approved(_) => "approved",
            Self::Declined(_) => "declined",
        }
    }
}

/// What causes a mail.
#[derive(Clone, Debug)]
pub struct New<'a> {
    /// Its id.
    pub id: Uuid,
    /// To whom.
    pub user_id: &'a str,
    /// The plan's name.
    pub plan_name: &'a str,
    /// What it says.
    pub said: &'a Said,
    /// Not before this time, Unix milliseconds.
    pub mail_after: i64,
    /// Unix milliseconds.
    pub now: i64,
}

/// A mail as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// The reader's address.
    pub email: String,
    /// The reader's language.
    pub locale: Locale,
    /// The plan's name.
    pub plan_name: String,
    /// What it says.
    pub said: Said,
}

/// Notes a mail that is to be sent, in the transaction that causes it.
///
/// # Errors
/// When the database fails.
pub async fn insert(connection: &mut Connection, new: &New<'_>) -> Result<()> {
    let (answer, ends_at) = match new.said {
        Said::TrialEnding(ends_at) => ("", Some(*ends_at)),
        Said::Approved(answer) | Said::Declined(answer) => (answer.as_str(), None),
    };
    sqlx::query(
        "INSERT INTO plan_mails (id, user_id, kind, plan_name, answer, ends_at, mail_after, \
         mail_tries, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)",
    )
    .bind(new.id.to_string())
    .bind(new.user_id)
    .bind(new.said.kind())
    .bind(new.plan_name)
    .bind(answer)
    .bind(ends_at)
    .bind(new.mail_after)
    .bind(new.now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Forgets the mail that was to tell a user of the end of their trial; one that was sent stays.
pub(crate) async fn forget_notice(connection: &mut Connection, user_id: &str) -> Result<()> {
    sqlx::query(
        "DELETE FROM plan_mails WHERE user_id = $1 AND kind = 'trial_ending' \
         AND mailed_at IS NULL",
    )
    .bind(user_id)
    .execute(connection)
    .await?;
    Ok(())
}

/// What a mail says, and to whom; `None` if it is not wanted any more or its reader is blocked.
///
/// # Errors
/// A row that cannot be read.
pub async fn letter(connection: &mut Connection, id: Uuid) -> Result<Option<Letter>> {
    let row = sqlx::query(
        "SELECT m.*, a.email, p.locale FROM plan_mails m JOIN accounts a ON a.id = m.user_id \
         LEFT JOIN preferences p ON p.user_id = a.id \
         LEFT JOIN synced_users u ON u.auth_user_id = a.id \
         WHERE m.id = $1 AND COALESCE(u.status, $2) = $2",
    )
    .bind(id.to_string())
    .bind(Status::Active.as_str())
    .fetch_optional(connection)
    .await?;
    row.map(|row| {
        let fields = Fields::new(&row, "plan_mails", "id")?;
        let answer = fields.text("answer")?;
        let said = match fields.text("kind")?.as_str() {
            "approved" => Said::Approved(answer),
            "declined" => Said::Declined(answer),
            _ => Said::TrialEnding(fields.integer("ends_at")?),
        };
        Ok(Letter {
            email: fields.text("email")?,
            locale: fields.word_or_none("locale")?.unwrap_or_default(),
            plan_name: fields.text("plan_name")?,
            said,
        })
    })
    .transpose()
}
