//! The most useful keyboard shortcuts of the transcript page, with the texts of its own list.

use leptos::prelude::*;

use crate::scene::{scene, texts};

/// The action, the keys, and the keys while a segment is being edited.
type Row = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

/// Actions by their names in the application's own lists.
pub(super) const KEYS: [(&str, &[&str], &[&str]); 15] = [
    (
        "player:keys.toggle",
        &["Space", "K"],
        &["Ctrl+Space", "Alt+K"],
    ),
    ("player:back5", &["ArrowLeft", "J"], &["Alt+J"]),
    ("player:forward5", &["ArrowRight", "L"], &["Alt+L"]),
    ("player:keys.slower", &["<"], &["Alt+,"]),
    ("player:keys.faster", &[">"], &["Alt+."]),
    ("player:keys.loop", &["R"], &["Alt+R"]),
    ("editor:shortcuts.edit", &["F2"], &[]),
    ("editor:shortcuts.split", &[], &["Enter"]),
    ("editor:shortcuts.done", &[], &["Mod+Enter"]),
    ("editor:shortcuts.undo", &["Mod+Z"], &["Mod+Z"]),
    (
        "editor:shortcuts.redo",
        &["Mod+Shift+Z", "Mod+Y"],
        &["Mod+Shift+Z", "Mod+Y"],
    ),
    ("editor:shortcuts.replace", &["Mod+H"], &["Mod+H"]),
    ("editor:shortcuts.nextUnsure", &["F8"], &["F8"]),
    ("editor:shortcuts.confirm", &["F9"], &["F9"]),
    ("player:keys.help", &["?"], &[]),
];

/// See the module.
#[component]
pub(super) fn Shortcuts() -> impl IntoView {
    let words = &texts().docs.columns;
    let rows = KEYS.map(|(label, free, typing)| row((label_text(label), free, typing)));
    view! {
        <table class="ledger keys">
            <thead>
                <tr>
                    <th scope="col">{words.does.as_str()}</th>
                    <th scope="col">{words.keys.as_str()}</th>
                    <th scope="col">{words.typing.as_str()}</th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().collect_view()}</tbody>
        </table>
    }
}

fn row((does, free, typing): Row) -> AnyView {
    let words = &texts().docs.columns;
    view! {
        <tr>
            <th scope="row">{does}</th>
            <td data-label=words.keys.as_str()>{combos(free)}</td>
            <td data-label=words.typing.as_str()>{combos(typing)}</td>
        </tr>
    }
    .into_any()
}

fn combos(combos: &'static [&'static str]) -> AnyView {
    let or = &texts().player.keys.or;
    let combos = combos.iter().enumerate().map(|(at, combo)| {
        let between = (at > 0).then(|| view! { " " <span>{or.as_str()}</span> " " });
        let caps = combo
            .split('+')
            .map(|cap| view! { <kbd>{cap_of(cap)}</kbd> });
        view! {
            {between}
            <span class="combo">{caps.collect_view()}</span>
        }
    });
    combos.collect_view().into_any()
}

/// The label on a key.
fn cap_of(key: &'static str) -> &'static str {
    match key {
        "Mod" => "Ctrl",
        "ArrowLeft" => "←",
        "ArrowRight" => "→",
        "Space" => &texts().player.space,
        key => key,
    }
}

fn label_text(label: &'static str) -> &'static str {
    let texts = scene().texts;
    let (player, editor) = (&texts.player, &texts.editor.shortcuts);
    match label {
        "player:keys.toggle" => &player.keys.toggle,
        "player:back5" => &player.back5,
        "player:forward5" => &player.forward5,
        "player:keys.slower" => &player.keys.slower,
        "player:keys.faster" => &player.keys.faster,
        "player:keys.loop" => &player.keys.r#loop,
        "player:keys.help" => &player.keys.help,
        "editor:shortcuts.edit" => &editor.edit,
        "editor:shortcuts.split" => &editor.split,
        "editor:shortcuts.done" => &editor.done,
        "editor:shortcuts.undo" => &editor.undo,
        "editor:shortcuts.redo" => &editor.redo,
        "editor:shortcuts.replace" => &editor.replace,
        "editor:shortcuts.nextUnsure" => &editor.next_unsure,
        "editor:shortcuts.confirm" => &editor.confirm,
        label => label,
    }
}
