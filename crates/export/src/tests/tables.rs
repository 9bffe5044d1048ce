//! CSV and Markdown of ordinary and hostile text.

use super::{edited, segment, transcript};
use slovo_rules::export::ExportLayout;
use slovo_rules::subtitles::SubtitleOptions;

use crate::{Format, Options, Source, write};

const BOTH: Options = Options {
    speakers: true,
    timestamps: true,
    words: false,
    subtitles: SubtitleOptions::NONE,
    layout: ExportLayout::Paragraphs,
};

fn export_text(format: Format, options: Options, texts: &[&str]) -> String {
    let segments = texts.iter().zip(0_u8..).map(|(text, n)| {
        let speaker = if n % 2 == 0 { "SPEAKER_0" } else { "SPEAKER_1" };
        segment(f64::from(n), f64::from(n) + 0.5, Some(speaker), text)
    });
    let source = Source {
        title: "# *Talk* #",
        date: None,
        transcript: &edited(transcript(segments.collect()), "=Олена \"О\""),
    };
    let mut file = Vec::new();
    write(format, source, options, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

#[test]
fn csv_is_read_back_unchanged_and_contains_no_formulas() {
    let texts = [
        "Привіт, \"світе\"\r\nдруга",
        "=cmd|' /C calc'!A0",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "＝1",
        "5 = 5",
    ];
    let table = export_text(Format::Csv, BOTH, &texts);
    assert!(table.starts_with("\u{feff}start,end,speaker,text,language\r\n"));
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let column = |n: usize| -> Vec<&str> { rows.iter().map(|row| &row[n]).collect() };
    assert_eq!(
        column(3),
        [
            "Привіт, \"світе\" друга",
            "'=cmd|' /C calc'!A0",
            "'+1",
            "'-1",
            "'@SUM(A1)",
            "'=1",
            "'＝1",
            "5 = 5",
        ]
    );
    assert_eq!(&rows[1][2], "'=Олена \"О\"");
    assert_eq!((&rows[1][0], &rows[1][1]), ("00:00:01.000", "00:00:01.500"));
    let bare = Options {
        speakers: false,
        timestamps: false,
        words: false,
        subtitles: SubtitleOptions::NONE,
        layout: ExportLayout::Paragraphs,
    };
    assert!(
        export_text(Format::Csv, bare, &texts).starts_with("\u{feff}text,language\r\n\"Привіт")
    );
}

#[test]
fn markdown_special_characters_are_escaped() {
    let text = export_text(
        Format::Md,
        BOTH,
        &[
            "<script>alert(1)</script> [x](javascript:1) ![y](z) `code` a|b ~~c~~",
            "**bold** _it_ &amp; \\",
        ],
    );
    assert_eq!(
        text,
        "# \\# \\*Talk\\* \\#\n\n00:01:00 · S1, =Олена \"О\"\n\n\
         `00:00:00` **S1:** \\<script\\>alert(1)\\</script\\> \\[x\\](javascript:1) \
         !\\[y\\](z) \\`code\\` a\\|b \\~\\~c\\~\\~\n\n\
         `00:00:01` **=Олена \"О\":** \\*\\*bold\\*\\* \\_it\\_ \\&amp; \\\\\n"
    );
    let bare = Options {
        speakers: false,
        timestamps: false,
        words: false,
        subtitles: SubtitleOptions::NONE,
        layout: ExportLayout::Paragraphs,
    };
    for (spoken, written) in [
        ("# no heading", "\\# no heading"),
        ("- no list", "\\- no list"),
        ("12. no list", "12\\. no list"),
        ("1) no list", "1\\) no list"),
        ("> no quote", "\\> no quote"),
        ("12.5 % is 1) all", "12\\.5 % is 1) all"),
        ("Що ж! Так.", "Що ж! Так."),
    ] {
        let text = export_text(Format::Md, bare, &[spoken]);
        assert!(text.ends_with(&format!("\n\n{written}\n")), "{text}");
    }
}
