-- The edit that corrects subtitles has another name.
UPDATE transcript_edits SET kind = 'correct_cues' WHERE kind = 'mend_cues';
