//! The files of `crates/app/presets`, compiled into the program. A test compares this list with
//! the folder.

/// The text of every file.
pub(super) const FILES: [&str; 26] = [
    include_str!("../../presets/broadcast_verbatim.toml"),
    include_str!("../../presets/call_two_channels.toml"),
    include_str!("../../presets/clean_report_dual_output.toml"),
    include_str!("../../presets/deposition_verbatim.toml"),
    include_str!("../../presets/documentary_en_translation.toml"),
    include_str!("../../presets/entities_topics_chapters.toml"),
    include_str!("../../presets/hearing_issues_summary.toml"),
    include_str!("../../presets/hiring_scorecard.toml"),
    include_str!("../../presets/interview.toml"),
    include_str!("../../presets/lecture.toml"),
    include_str!("../../presets/lecture_cornell_notes.toml"),
    include_str!("../../presets/meeting_minutes.toml"),
    include_str!("../../presets/meeting_with_speakers.toml"),
    include_str!("../../presets/mooc_captions.toml"),
    include_str!("../../presets/patient_instructions.toml"),
    include_str!("../../presets/pii_redaction.toml"),
    include_str!("../../presets/podcast_show_notes.toml"),
    include_str!("../../presets/quick_draft.toml"),
    include_str!("../../presets/sales_call_crm.toml"),
    include_str!("../../presets/seminar_minutes.toml"),
    include_str!("../../presets/simplified_reading_b1.toml"),
    include_str!("../../presets/soap_note.toml"),
    include_str!("../../presets/social_captions.toml"),
    include_str!("../../presets/subtitles.toml"),
    include_str!("../../presets/support_qa.toml"),
    include_str!("../../presets/youtube_seo.toml"),
];
