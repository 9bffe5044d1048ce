//! Bookmarks and highlights in a transcript, with notes: `/api/v1/jobs/{id}/annotations`. Only the
//! owner sees them, not administrators or visitors of shared links.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_db::texts::annotations::Annotation;
use slovo_platform::clock::from_ms;
use slovo_rules::annotation::{AnnotationColour, AnnotationKind};
use slovo_rules::transcript::rounded;
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) mod change;
pub(super) mod create;
pub(super) mod list;
pub(super) mod remove;

/// A bookmark or a highlight.
#[derive(Serialize, ToSchema)]
#[schema(as = Annotation)]
pub(crate) struct AnnotationBody {
    /// Its id within the job.
    id: Uuid,
    /// The kind of annotation.
    kind: AnnotationKind,
    /// The colour.
    colour: AnnotationColour,
    /// The run of recognition of the line.
    version: u32,
    /// Id of the line's segment when the annotation was created.
    segment: String,
    /// Number of characters (Unicode scalar values) in the line before the words, when it was
    /// created.
    offset: u32,
    /// The words when it was created, at most 2,000 characters. A bookmark quotes the following
    /// words of its line.
    quote: String,
    /// Start of the words, in seconds.
    start: f64,
    /// End of the words, in seconds.
    end: f64,
    /// The note, at most 2,000 characters; empty if there is none.
    note: String,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When its note or colour was last changed.
    #[schema(value_type = String, format = DateTime)]
    changed_at: Timestamp,
}

impl From<Annotation> for AnnotationBody {
    fn from(annotation: Annotation) -> Self {
        Self {
            id: annotation.id,
            kind: annotation.kind,
            colour: annotation.colour,
            version: annotation.version,
            segment: annotation.segment,
            offset: annotation.offset,
            quote: annotation.quote,
            start: rounded(annotation.start),
            end: rounded(annotation.end),
            note: annotation.note,
            created_at: from_ms(annotation.created_at),
            changed_at: from_ms(annotation.changed_at),
        }
    }
}

/// The annotation from the path.
#[derive(Deserialize)]
pub(super) struct AnnotationPath {
    annotation_id: Uuid,
}
