//! Common parts of the text pages. Parts are type-erased, because nested types slow down
//! compilation.

use leptos::prelude::*;

use crate::prose::prose;
use crate::scene::{scene, texts};
use crate::texts::Section;

/// A table of contents: anchors and headings.
pub(super) fn contents(entries: Vec<(String, String)>) -> AnyView {
    let entries = entries.into_iter().map(|(id, title)| {
        view! { <li><a class="link" href=format!("#{id}")>{title}</a></li> }
    });
    view! {
        <nav class="contents" aria-labelledby="contents">
            <h2 class="kicker" id="contents">{texts().legal.contents.as_str()}</h2>
            <ol>{entries.collect_view()}</ol>
        </nav>
    }
    .into_any()
}

/// The contents of chapters, with their anchors.
pub(super) fn contents_of(chapters: &[(&'static str, &'static Section)]) -> AnyView {
    let entries = chapters.iter();
    contents(
        entries
            .map(|(id, section)| ((*id).to_owned(), section.title.clone()))
            .collect(),
    )
}

/// A chapter.
pub(super) fn chapter(id: &'static str, section: &'static Section) -> AnyView {
    chapter_with(id, section, ().into_any())
}

/// A chapter with an element before its closing text.
pub(super) fn chapter_with(
    id: &'static str,
    section: &'static Section,
    between: AnyView,
) -> AnyView {
    view! {
        <section class="chapter" id=id>
            <h2>{section.title.as_str()}</h2>
            {paragraphs(&section.text)}
            {(!section.points.is_empty()).then(|| points(&section.points))}
            {(!section.rows.is_empty()).then(|| rows(section))}
            {between}
            {paragraphs(&section.end)}
        </section>
    }
    .into_any()
}

/// Paragraphs with their markup.
fn paragraphs(texts: &'static [String]) -> AnyView {
    // Paragraphs that promise something this server does not offer are left out.
    let scene = scene();
    let filled = texts.iter().filter_map(|text| scene.filled_in(text));
    let paragraphs = filled.map(|text| view! { <p>{prose(&text)}</p> });
    paragraphs.collect_view().into_any()
}

fn points(texts: &'static [String]) -> AnyView {
    let scene = scene();
    let filled = texts.iter().filter_map(|text| scene.filled_in(text));
    let points = filled.map(|text| view! { <li>{prose(&text)}</li> });
    view! { <ul class="points">{points.collect_view()}</ul> }.into_any()
}

/// What is stored, why and for how long. Cells repeat the column names for windows too narrow for
/// columns.
fn rows(section: &'static Section) -> AnyView {
    let words = &texts().legal.columns;
    let scene = scene();
    let filled = section.rows.iter().filter_map(|row| {
        let (what, detail) = (scene.filled_in(&row.what)?, scene.filled_in(&row.detail)?);
        Some((row, what, detail))
    });
    let rows = filled.map(|(row, what, detail)| {
        view! {
            <tr>
                <th scope="row">
                    <strong>{what}</strong>
                    <span>{prose(&detail)}</span>
                </th>
                <td data-label=words.why.as_str()>{prose(&row.why)}</td>
                <td data-label=words.how_long.as_str()>{prose(&row.how_long)}</td>
            </tr>
        }
    });
    view! {
        <table class="ledger" aria-label=section.title.as_str()>
            <thead>
                <tr>
                    <th scope="col">{words.what.as_str()}</th>
                    <th scope="col">{words.why.as_str()}</th>
                    <th scope="col">{words.how_long.as_str()}</th>
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
    .into_any()
}

/// A code block, which scrolls on its own and is focusable for that.
pub(super) fn code(text: impl Into<String>) -> AnyView {
    view! { <pre class="code" tabindex="0"><code>{text.into()}</code></pre> }.into_any()
}
