//! Compares a remote row with the local one, decides which version wins, and applies it here.

use serde_json::{Value, json};
use slovo_db::accounts::audit::{self, Entry};
use slovo_db::nocodb::{self, Conflict, Kind, Link, RefusedChange, Row};
use slovo_db::{Connection, plans, presets};

use super::digest;
use super::incoming::{self, ValidatedRow};
use super::remote::Record;
use super::run::{RunError, Sync};

impl Sync<'_> {
    /// Compares a remote row with the local one and with the last agreed state.
    pub(super) async fn reconcile(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        (record, remote): (&Record, &ValidatedRow),
        local: &Row,
        mut link: Link,
    ) -> Result<(), RunError> {
        let (remote_fields, local_fields) = (remote.shared(), incoming::shared_of(kind, local));
        let (remote_digest, local_digest) = (
            digest::of_fields(&remote_fields),
            digest::of_fields(&local_fields),
        );
        link.remote_updated_at = self.last_final_change(record);
        let was_unchanged = link.carried == digest::of_fields(&local.fields);
        if remote_digest == local_digest {
            link.agreed = remote_digest;
        } else if remote_digest != link.agreed {
            // Local rows that have not changed since they were sent cannot conflict.
            let conflicts = local_digest != link.agreed && !was_unchanged;
            let mut remote_wins = true;
            if conflicts {
                let at = match kind {
                    Kind::Users => nocodb::user_changed_at(&mut *connection, &local.id).await?,
                    _ => local.updated_at,
                };
                remote_wins = at
                    .is_none_or(|at| record.updated_at.is_none_or(|remote_time| remote_time > at));
                self.report.stats.conflicts += 1;
                let lost = if remote_wins {
                    &local_fields
                } else {
                    &remote_fields
                };
                let conflict = Conflict {
                    id: self.new_id(),
                    kind,
                    local_id: local.id.clone(),
                    remote_id: record.id,
                    fields: incoming::differing(&remote_fields, &local_fields),
                    ours_stands: !remote_wins,
                    is_put_back: false,
                    local_updated_at: at,
                    remote_updated_at: record.updated_at,
                    lost: (!remote.is_personal()).then(|| lost.clone().into()),
                    created_at: self.parts.clock.now_ms(),
                };
                nocodb::add_conflict(&mut *connection, self.run, &conflict).await?;
            }
            if remote_wins {
                self.apply(&mut *connection, kind, remote, local, record.id)
                    .await?;
                let updated = nocodb::row(&mut *connection, kind, &local.id).await?;
                if let Some(updated) = updated {
                    self.audit_change(&mut *connection, kind, local, &updated)
                        .await?;
                    let local_state = digest::of_fields(&incoming::shared_of(kind, &updated));
                    // A change that could not be applied is reverted there.
                    link.carried = if was_unchanged && local_state == remote_digest {
                        digest::of_fields(&updated.fields)
                    } else {
                        String::new()
                    };
                    link.agreed = local_state;
                }
                self.report.stats.changed_here += 1;
                self.report.stats.carried(kind, 1);
            } else {
                link.carried = String::new();
                link.agreed = remote_digest;
            }
        }
        nocodb::put_link(connection, kind, &link).await?;
        Ok(())
    }

    /// Reports remote changes to fields that only we may change, and has the row sent again. The
    /// values are not kept: they may be personal data.
    pub(super) async fn resend_overwritten(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        link: &mut Link,
        record: &Record,
        fields: Vec<String>,
    ) -> Result<(), RunError> {
        self.report.stats.put_back += 1;
        link.carried = String::new();
        let note = Conflict {
            id: self.new_id(),
            kind,
            local_id: link.local_id.clone(),
            remote_id: record.id,
            fields,
            ours_stands: true,
            is_put_back: true,
            local_updated_at: None,
            remote_updated_at: record.updated_at,
            lost: None,
            created_at: self.parts.clock.now_ms(),
        };
        nocodb::add_conflict(connection, self.run, &note).await?;
        Ok(())
    }

    async fn apply(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        remote: &ValidatedRow,
        local: &Row,
        remote_id: i64,
    ) -> Result<(), RunError> {
        let now = self.parts.clock.now_ms();
        let rows = (Some(local.id.as_str()), Some(remote_id));
        match remote {
            ValidatedRow::Plan(_, form) => {
                if let Ok(id) = local.id.parse() {
                    plans::update(connection, id, form, now).await?;
                }
            }
            ValidatedRow::Preset(_, _, form) => {
                if let Ok(id) = local.id.parse() {
                    presets::update(connection, id, form, now).await?;
                }
            }
            ValidatedRow::User(user) => {
                for refused in nocodb::apply_user(connection, &local.id, user, now).await? {
                    let code = match refused {
                        RefusedChange::LastAdmin => "last_admin",
                        RefusedChange::NoPlan => "no_plan",
                        RefusedChange::NameRequired => "name_required",
                    };
                    self.report.problem(kind, rows, code, "");
                }
            }
            ValidatedRow::Job(job) => nocodb::apply_job(connection, &local.id, job).await?,
            ValidatedRow::Mirror => {}
        }
        Ok(())
    }

    /// Blocking a user or changing their plan is an administrative act wherever it is done: it is
    /// written to the audit log, without a local actor.
    async fn audit_change(
        &self,
        connection: &mut Connection,
        kind: Kind,
        before: &Row,
        after: &Row,
    ) -> Result<(), RunError> {
        let identity = |row: &Row| {
            let part = |name: &str| row.fields.get(name).cloned().unwrap_or_default();
            json!({"status": part("status"), "subscription_id": part("subscription_id")})
        };
        let text = |name: &str| after.fields.get(name).and_then(Value::as_str);
        let Some(account) = text("auth_user_id") else {
            return Ok(());
        };
        if kind != Kind::Users || identity(before) == identity(after) {
            return Ok(());
        }
        let entry = Entry {
            id: self.new_id(),
            actor_id: None,
            actor_email: String::new(),
            action: "nocodb.sync".to_owned(),
            target_kind: "user".to_owned(),
            target_id: account.to_owned(),
            target_name: text("email").unwrap_or_default().to_owned(),
            before: Some(identity(before)),
            after: Some(identity(after)),
            api_key: None,
            created_at: self.parts.clock.now_ms(),
        };
        audit::record(connection, &entry).await?;
        Ok(())
    }

    /// Creates a local row for one that is new there.
    pub(super) async fn create_local(
        &mut self,
        connection: &mut Connection,
        kind: Kind,
        record: &Record,
        remote: &ValidatedRow,
    ) -> Result<(), RunError> {
        let (id, now) = (self.new_id(), self.parts.clock.now_ms());
        let problem = match remote {
            ValidatedRow::Plan(number, form) => {
                nocodb::insert_plan(&mut *connection, id, *number, form, now).await?;
                None
            }
            ValidatedRow::User(user) => {
                nocodb::insert_user(&mut *connection, id, user, now).await?;
                None
            }
            // Users cannot be given presets from outside.
            ValidatedRow::Preset(_, Some(_), _) => Some("owner"),
            ValidatedRow::Preset(preset_id, None, form) => {
                let generated = presets::generated_id(id);
                let preset_id = match preset_id.as_str() {
                    "" => &generated,
                    given => given,
                };
                nocodb::insert_preset(&mut *connection, id, preset_id, form, now).await?;
                None
            }
            ValidatedRow::Job(_) | ValidatedRow::Mirror => Some("unknown_row"),
        };
        if let Some(code) = problem {
            self.report.problem(kind, (None, Some(record.id)), code, "");
            return Ok(());
        }
        let link = Link {
            local_id: id.to_string(),
            remote_id: Some(record.id),
            agreed: digest::of_fields(&remote.shared()),
            remote_updated_at: self.last_final_change(record),
            ..Link::default()
        };
        nocodb::put_link(connection, kind, &link).await?;
        self.report.stats.created_here += 1;
        self.report.stats.carried(kind, 1);
        Ok(())
    }
}
