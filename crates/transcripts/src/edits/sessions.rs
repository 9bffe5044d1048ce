//! Groups edits into editing sessions.

use slovo_db::texts::edits::{EditStamp, Visitor, WithAuthor};

/// A longer pause starts a new session, in milliseconds: 10 minutes.
const PAUSE_MS: i64 = 10 * 60 * 1000;

/// An uninterrupted series of edits by one author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The run.
    pub version: u32,
    /// The first edit.
    pub from_seq: u32,
    /// The last one.
    pub to_seq: u32,
    /// The account that edited; empty for a visitor.
    pub author_id: String,
    /// Its name.
    pub author_name: Option<String>,
    /// Who edited by a share link, if it was a visitor.
    pub visitor: Option<Visitor>,
    /// Unix milliseconds of the first.
    pub from: i64,
    /// Unix milliseconds of the last.
    pub to: i64,
    /// The number of edits.
    pub edits: u32,
}

/// Groups edits, which are ordered by run and number.
#[must_use]
pub fn of(moments: Vec<WithAuthor<EditStamp>>) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for WithAuthor {
        of: moment,
        author_name,
    } in moments
    {
        match sessions.last_mut() {
            Some(last)
                if last.version == moment.version
                    && last.author_id == moment.author_id
                    && last.visitor == moment.visitor
                    && moment.at - last.to <= PAUSE_MS =>
            {
                last.to_seq = moment.seq;
                last.to = moment.at;
                last.edits += 1;
            }
            _ => sessions.push(Session {
                version: moment.version,
                from_seq: moment.seq,
                to_seq: moment.seq,
                author_id: moment.author_id,
                author_name,
                visitor: moment.visitor,
                from: moment.at,
                to: moment.at,
                edits: 1,
            }),
        }
    }
    sessions
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_pause_another_author_or_another_run_starts_a_new_session() {
        let moment = |version, seq, at, author: &str| WithAuthor {
            of: EditStamp {
                version,
                seq,
                at,
                author_id: author.to_owned(),
                visitor: None,
            },
            author_name: None,
        };
        let visitor = |seq, at, name: &str| {
            let mut by_link = moment(2, seq, at, "");
            by_link.of.visitor = Some(Visitor {
                name: name.to_owned(),
                share: Uuid::nil(),
                share_made_at: 1,
            });
            by_link
        };
        let found = of(vec![
            moment(1, 1, 0, "a"),
            moment(1, 2, PAUSE_MS, "a"),
            moment(1, 3, 2 * PAUSE_MS + 1, "a"),
            moment(1, 4, 2 * PAUSE_MS + 2, "b"),
            moment(2, 1, 2 * PAUSE_MS + 3, "b"),
            visitor(2, 2 * PAUSE_MS + 4, "b"),
            visitor(3, 2 * PAUSE_MS + 5, "b"),
            visitor(4, 2 * PAUSE_MS + 6, "c"),
        ]);
        let found: Vec<_> = found
            .iter()
            .map(|s| (s.version, s.from_seq, s.to_seq, s.edits))
            .collect();
        assert_eq!(
            found,
            [
                (1, 1, 2, 2),
                (1, 3, 3, 1),
                (1, 4, 4, 1),
                (2, 1, 1, 1),
                (2, 2, 3, 2),
                (2, 4, 4, 1)
            ]
        );
    }
}
