//! Sort orders of the list of jobs, and its cursors.

use slovo_app::http::Problem;
use slovo_app::http::cursor;
use slovo_app::http::list_query::malformed;
use slovo_db::jobs::{ListPosition, Order, SortKey, SortValue};
use slovo_rules::collation::MAX_SORT_KEY;

/// Sort keys.
const SORTS: [(&str, SortKey); 4] = [
    ("date", SortKey::Date),
    ("name", SortKey::Name),
    ("length", SortKey::Length),
    ("state", SortKey::State),
];

/// Parses a sort order; the default is the newest first.
pub(super) fn order(requested: Option<&str>) -> Result<Order, Problem> {
    let requested = requested.unwrap_or_default();
    if requested.is_empty() {
        return Ok(Order::default());
    }
    let name = requested.strip_prefix('-');
    let known = SORTS
        .iter()
        .find(|(known, _)| *known == name.unwrap_or(requested));
    let (_, by) = known
        .ok_or_else(|| malformed("sort is date, name, length or state, with - the other way"))?;
    Ok(Order {
        by: *by,
        ascending: name.is_none(),
    })
}

/// The query parameter for a sort order.
fn word(order: Order) -> String {
    let known = SORTS.iter().find(|(_, by)| *by == order.by);
    let name = known.map_or("", |(name, _)| *name);
    format!("{}{name}", if order.ascending { "" } else { "-" })
}

/// The cursor of the page after a place. It contains the sort order, except for the default order,
/// whose cursors are older than the other orders.
pub(super) fn cursor_after(order: Order, place: &ListPosition) -> String {
    let value = match &place.at {
        SortValue::Date(at) if order == Order::default() => return cursor::write(*at, place.id),
        SortValue::Date(at) => at.to_string(),
        SortValue::Name(key) => key.clone(),
        SortValue::Length(seconds) => seconds.to_string(),
        SortValue::State(rank, at) => format!("{rank}:{at}"),
    };
    cursor::encode(&format!("{} {value} {}", word(order), place.id))
}

/// Parses a cursor; `None` if it is invalid or belongs to another order.
pub(super) fn place(order: Order, text: &str) -> Option<ListPosition> {
    if order == Order::default() {
        let (at, id) = cursor::read(text)?;
        let at = SortValue::Date(at);
        return Some(ListPosition { at, id });
    }
    let text = cursor::decode(text)?;
    let (rest, id) = text.rsplit_once(' ')?;
    let (sort, value) = rest.split_once(' ')?;
    if sort != word(order) {
        return None;
    }
    let at = match order.by {
        SortKey::Date => SortValue::Date(value.parse().ok()?),
        SortKey::Name => {
            let is_key =
                value.len() <= MAX_SORT_KEY && value.bytes().all(|byte| byte.is_ascii_hexdigit());
            SortValue::Name(Some(value.to_owned()).filter(|_| is_key)?)
        }
        SortKey::Length => SortValue::Length(
            value
                .parse()
                .ok()
                .filter(|length: &f64| length.is_finite())?,
        ),
        SortKey::State => {
            let (rank, at) = value.split_once(':')?;
            SortValue::State(rank.parse().ok()?, at.parse().ok()?)
        }
    };
    let id = id.parse().ok()?;
    Some(ListPosition { at, id })
}

#[cfg(test)]
mod tests {
    use slovo_rules::collation::sort_key;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_cursor_is_valid_only_for_its_own_sort_order() {
        let id = Uuid::from_u128(7);
        let sorts = [
            ("date", SortValue::Date(-5)),
            ("name", SortValue::Name(sort_key("Їжак 2"))),
            ("name", SortValue::Name(String::new())),
            ("length", SortValue::Length(12.345)),
            ("length", SortValue::Length(-1.0)),
            ("state", SortValue::State(3, 1_700_000_000_000)),
        ];
        for (sort, at) in sorts {
            for sort in [sort.to_owned(), format!("-{sort}")] {
                let order = order(Some(&sort)).unwrap();
                let at = at.clone();
                let written = ListPosition { at, id };
                let cursor = cursor_after(order, &written);
                for (other, _) in SORTS {
                    for other in [other.to_owned(), format!("-{other}")] {
                        let read = super::order(Some(&other)).unwrap();
                        let read = place(read, &cursor);
                        assert_eq!(read.is_some(), sort == other, "{sort} {other}");
                    }
                }
                assert_eq!(place(order, &cursor), Some(written));
            }
        }
    }

    #[test]
    fn unknown_sort_orders_and_malformed_cursors_are_refused() {
        for sort in ["title", "--name", "NAME", "name ", "-", "name,date"] {
            assert!(order(Some(sort)).is_err(), "{sort}");
        }
        let id = Uuid::from_u128(7);
        for (sort, text) in [
            ("length", format!("length NaN {id}")),
            ("length", format!("length inf {id}")),
            ("name", format!("name \u{0} {id}")),
            (
                "name",
                format!("name {} {id}", "a".repeat(MAX_SORT_KEY + 1)),
            ),
            ("name", "name 30 7".to_owned()),
            ("state", format!("state 300:1 {id}")),
            ("state", format!("state 3 {id}")),
            ("date", format!("date {id}")),
        ] {
            let sort = order(Some(sort)).unwrap();
            assert_eq!(place(sort, &cursor::encode(&text)), None, "{text}");
        }
    }
}
