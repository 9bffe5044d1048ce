//! What a list of jobs contains and in which order.

use slovo_rules::job::JobStatus;
use slovo_rules::settings::TranscriptionType;
use uuid::Uuid;

use super::orders::{ListPosition, Order, STATES, SortKey, SortValue};

/// The filter and order of a list.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only those in one of these states; empty means all.
    pub statuses: Vec<JobStatus>,
    /// Only those with this text in the title or file name, case-insensitive; empty means all.
    pub name: String,
    /// Only those of this recognition mode.
    pub mode: Option<TranscriptionType>,
    /// Only those in this language, chosen or detected; empty means all.
    pub language: String,
    /// Only those in all of these groups (tags and folders); empty means all.
    pub groups: Vec<Uuid>,
    /// Only those created at or after this, in Unix milliseconds.
    pub from: Option<i64>,
    /// Only those created before this, in Unix milliseconds.
    pub until: Option<i64>,
    /// The order.
    pub order: Order,
    /// Only those after this position in the order.
    pub after: Option<ListPosition>,
    /// Maximum number of jobs.
    pub limit: u32,
}

impl Filter {
    /// The lists that make up the requested one: by state one list per state, each with the newest
    /// first; otherwise a single list.
    pub(super) fn parts(&self) -> Vec<Self> {
        if self.order.by != SortKey::State {
            return vec![self.clone()];
        }
        let mut ranks: Vec<u8> = (0..).take(STATES.len()).collect();
        if !self.order.ascending {
            ranks.reverse();
        }
        let (mut after, mut started) = (None, true);
        if let Some(ListPosition {
            at: SortValue::State(rank, created_at),
            id,
        }) = self.after
        {
            let at = SortValue::Date(created_at);
            after = Some((rank, ListPosition { at, id }));
            started = false;
        }
        let mut parts = Vec::new();
        for rank in ranks {
            started |= after.as_ref().is_some_and(|(first, _)| *first == rank);
            let states = STATES[usize::from(rank)].iter().copied();
            let requested = &self.statuses;
            let statuses: Vec<_> = states
                .filter(|state| requested.is_empty() || requested.contains(state))
                .collect();
            if started && !statuses.is_empty() {
                let place = after.as_ref().filter(|(first, _)| *first == rank);
                parts.push(Self {
                    statuses,
                    order: Order::default(),
                    after: place.map(|(_, place)| place.clone()),
                    ..self.clone()
                });
            }
        }
        parts
    }
}
