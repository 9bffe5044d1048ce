//! Example figures on the landing page, until the server has its own.

use serde::{Deserialize, Serialize};

use super::{Words, bilingual};
use crate::violation::Violations;

/// Longest example of a figure, in characters: three are displayed in large type side by side.
pub const MAX_FIGURE: usize = 12;

/// An administrator's replacements for the product's three examples. An empty one keeps the
/// product's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExampleFigures {
    /// Minutes processed, at most 12 characters.
    pub minutes: Words,
    /// Accuracy, at most 12 characters.
    pub accuracy: Words,
    /// Time saved, at most 12 characters.
    pub saved: Words,
}

/// Checks the examples, with paths below their names.
pub(super) fn validate(v: &mut Violations, form: &ExampleFigures) -> ExampleFigures {
    let mut figure =
        |name, value| bilingual(v, &format!("example_figures.{name}"), value, MAX_FIGURE);
    ExampleFigures {
        minutes: figure("minutes", &form.minutes),
        accuracy: figure("accuracy", &form.accuracy),
        saved: figure("saved", &form.saved),
    }
}
