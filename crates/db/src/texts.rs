//! Transcripts of jobs: recognition, edits, search, sharing and analyses.

pub mod analyses;
pub mod annotations;
pub mod assistant;
pub mod docx_templates;
pub mod edits;
pub mod marks;
pub mod openings;
pub mod positions;
pub mod projection;
pub mod recognition;
pub mod samples;
pub mod search;
pub mod share_comments;
pub mod share_openings;
pub mod shares;
pub mod stretches;
pub mod transcripts;
pub mod voices;
pub mod waveforms;
