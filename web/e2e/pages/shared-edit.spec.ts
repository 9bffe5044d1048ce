/** A shared text that visitors correct: with a name, line by line, without losing input. */
import type { Page } from "@playwright/test";
import history from "../../src/locales/uk/history.json" with { type: "json" };
import problems from "../../src/locales/uk/problems.json" with { type: "json" };
import rules from "../../src/locales/uk/rules.json" with { type: "json" };
import uk from "../../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../../src/locales/uk/transcript.json" with { type: "json" };
import { eachLook } from "../looks";
import { editableOf, PASSWORD, sharedOf, visit } from "../shared-world";
import { expectAccessible } from "../test";
import { expect, LOOKS, picture, test } from "../workplace";

const texts = uk.page.editing;
const FIFTH = "Що саме ви вивезли першим?";

/** Enters a name and starts editing. */
async function begin(page: Page, name = "Марта") {
  const bar = page.getByRole("region", { name: texts.mode });
  await bar.getByRole("button", { name: texts.mode, exact: true }).click();
  await bar.getByLabel(texts.name).fill(name);
  await bar.getByRole("button", { name: texts.start }).click();
  await expect(bar.getByText(texts.as.replace("{{name}}", name))).toBeVisible();
  return bar;
}

const rowOf = (page: Page, id: string) => page.locator(`[data-segment="${id}"]`);
const field = (page: Page) => page.getByTestId("shared-line-editor");

test("a visitor enters a name once, corrects a line and undoes it", async ({ page, world }) => {
  const visitState = await visit(page, world, editableOf(world));
  const bar = page.getByRole("region", { name: texts.mode });
  await bar.getByRole("button", { name: texts.mode, exact: true }).click();
  await expect(bar.getByLabel(texts.name)).toBeFocused();
  await bar.getByRole("button", { name: texts.start }).click();
  await expect(bar.getByLabel(texts.name)).toHaveAccessibleDescription(new RegExp(rules.violations.visitor_name_required));
  await bar.getByLabel(texts.name).fill("<b>Марта</b>");
  await page.keyboard.press("Enter");
  await expect(bar.getByText("<b>Марта</b>")).toBeVisible();
  await expect(bar.getByRole("button", { name: texts.mode, exact: true })).toBeFocused();
  // Changing the name is cancelled.
  await bar.getByRole("button", { name: texts.rename }).click();
  await expect(bar.getByLabel(texts.name)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(bar.getByLabel(texts.name)).toHaveCount(0);
  await expect(bar.getByRole("button", { name: texts.mode, exact: true })).toBeFocused();

  await rowOf(page, "5").getByText("вивезли").click();
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveValue(FIFTH);
  await expectAccessible(page);
  await field(page).fill("Що саме ви <i>врятували</i> першим?");
  await page.keyboard.press("Control+Enter");
  await expect(field(page)).toHaveCount(0);
  await expect(rowOf(page, "5").getByText("Що саме ви <i>врятували</i> першим?")).toBeVisible();
  await expect(page.getByTestId("shared-save-status")).toHaveText(texts.saved);
  expect(visitState.edits[0]).toMatchObject({
    version: 1,
    name: "<b>Марта</b>",
    edit: { op: { kind: "set_text", segment: { id: "5", revision: 0 }, text: "Що саме ви <i>врятували</i> першим?" } },
  });

  // The text has the focus and no field is open, so the page's shortcuts apply.
  await page.keyboard.press("Control+z");
  await expect(rowOf(page, "5")).toContainText(FIFTH);
  await expect(page.getByRole("button", { name: texts.undo })).toHaveCount(0);
  await page.reload();
  await page.getByRole("region", { name: texts.mode }).getByRole("button", { name: texts.mode, exact: true }).click();
  await expect(page.getByText(texts.as.replace("{{name}}", "<b>Марта</b>"))).toBeVisible();
});

test("Escape cancels, leaving saves, and a click below opens the clicked line", async ({ page, world }) => {
  const visitState = await visit(page, world, editableOf(world));
  await begin(page);
  await rowOf(page, "2").getByText("людей").click();
  await field(page).fill("Зовсім інше");
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await expect(rowOf(page, "2")).not.toContainText("Зовсім інше");
  expect(visitState.edits).toEqual([]);
  await rowOf(page, "2").getByText("людей").click();
  await field(page).fill("Він починається з людей.");
  await rowOf(page, "3").getByText("працівниць").click();
  await expect(rowOf(page, "2")).toContainText("Він починається з людей.");
  await expect(rowOf(page, "3").getByTestId("shared-line-editor")).toBeFocused();
  expect(visitState.edits).toHaveLength(1);
  // Unchanged, it is left without an edit.
  await page.keyboard.press("Escape");
  expect(visitState.edits).toHaveLength(1);
});

test("works by keyboard: F2 on a word, and arrow keys to the next line", async ({ page, world }) => {
  await visit(page, world, editableOf(world, { with_media: false, media_url: null }));
  await begin(page);
  await page.getByTestId("shared-text").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("F2");
  await expect(rowOf(page, "0").getByTestId("shared-line-editor")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowDown");
  await expect(rowOf(page, "1").getByTestId("shared-line-editor")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("shared-text")).toBeFocused();
});

test("speakers and their names are corrected, too", async ({ page, world }) => {
  const visitState = await visit(page, world, editableOf(world));
  await begin(page);
  await rowOf(page, "5").getByText("вивезли").click();
  const speaker = page.getByLabel(texts.speaker);
  // An intermediate selection is not saved.
  await speaker.selectOption({ label: texts.nobody });
  await speaker.selectOption({ label: "Тетяна Пилипчук" });
  expect(visitState.edits).toEqual([]);
  await speaker.press("Enter");
  await expect.poll(() => visitState.edits.length).toBe(1);
  await expect(speaker).toHaveValue("SPEAKER_1");
  expect(visitState.edits[0]?.edit.op).toEqual({
    kind: "set_speaker",
    segments: [{ id: "5", revision: 0 }],
    speaker: "SPEAKER_1",
  });
  await page.getByRole("button", { name: texts.renameSpeaker }).click();
  const name = page.getByLabel(texts.speakerName.replace("{{speaker}}", "S2"));
  await expect(name).toBeFocused();
  await name.fill("Директорка");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => visitState.edits[1]?.edit.op)
    .toEqual({
      kind: "rename_speaker",
      speaker: "SPEAKER_1",
      name: "Директорка",
    });
  await expect(page.getByTestId("shared-text").getByText("Директорка").first()).toBeVisible();
  // The text is based on the revision created by the visitor's own edit.
  await field(page).fill("Що ви вивезли?");
  await page.getByRole("button", { name: texts.done, exact: true }).click();
  await expect.poll(() => visitState.edits[2]?.edit.op).toMatchObject({ segment: { id: "5", revision: 1 } });
  // The button disappears after the undo, the focus stays.
  await page.getByRole("button", { name: texts.undo }).press("Enter");
  await expect(page.getByRole("button", { name: texts.undo })).toHaveCount(0);
  await expect(page.getByRole("button", { name: texts.mode, exact: true })).toBeFocused();
});

test("the visitor chooses between two texts of a conflict", async ({ page, world }) => {
  const shared = editableOf(world);
  const visitState = await visit(page, world, shared);
  await begin(page);
  await rowOf(page, "5").getByText("вивезли").click();
  const remote = world.segments.find(({ id }) => id === "5");
  const conflicts = [{ id: "5", segment: { ...remote, text: "Що ви взяли першим?", revision: 3, words: [] } }] as never;
  visitState.refusal = { status: 409, code: "edit_conflict", more: { conflicts } };
  await field(page).fill("Що ви вивезли першим?");
  await page.keyboard.press("Control+Enter");
  const note = page.getByTestId("unsaved");
  await expect(note.getByText(texts.conflict)).toBeVisible();
  await expect(note.getByText("Що ви взяли першим?")).toBeVisible();
  await expect(note.getByLabel(texts.mine)).toHaveValue("Що ви вивезли першим?");
  await expectAccessible(page);
  // A manually merged text survives a reload.
  await note.getByLabel(texts.mine).fill("Що ви вивезли чи взяли першим?");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(note.getByLabel(texts.mine)).toHaveValue("Що ви вивезли чи взяли першим?");
  await note.getByRole("button", { name: texts.retry }).click();
  await expect(note.getByText(texts.conflict)).toBeVisible();
  visitState.refusal = null;
  await note.getByRole("button", { name: texts.keepMine }).click();
  await expect(note).toHaveCount(0);
  await expect(rowOf(page, "5")).toContainText("Що ви вивезли чи взяли першим?");
  expect(visitState.edits.at(-1)?.edit.op).toMatchObject({ segment: { id: "5", revision: 3 } });
});

test("typed text stays and can be copied when the link is revoked", async ({ page, context, world }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const visitState = await visit(page, world, editableOf(world));
  await begin(page);
  await rowOf(page, "5").getByText("вивезли").click();
  await field(page).fill("Що ви вивезли першим?");
  visitState.gone = true;
  await page.keyboard.press("Control+Enter");
  const note = page.getByTestId("unsaved");
  await expect(note.getByLabel(texts.mine)).toHaveValue("Що ви вивезли першим?");
  await expect(note).toContainText(texts.linkGone);
  await expect(page.getByText(texts.ended.replace("{{why}}", texts.linkGone))).toBeVisible();
  await expect(rowOf(page, "5")).toContainText(FIFTH);
  await note.getByRole("button", { name: texts.copy }).click();
  await expect(page.getByText(texts.copied)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Що ви вивезли першим?");
  // No further edits can be started.
  await rowOf(page, "3").getByText("працівниць").click();
  await expect(field(page)).toHaveCount(0);
});

test("reduced rights end editing, and a new password is requested without losing the text", async ({ page, world }) => {
  const visitState = await visit(page, world, editableOf(world));
  await begin(page);
  await rowOf(page, "5").getByText("вивезли").click();
  visitState.refusal = { status: 403, code: "share_password_required" };
  await field(page).fill("Що ви вивезли першим?");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(problems.codes.share_password_required).first()).toBeVisible();
  visitState.refusal = null;
  visitState.locked = "grant-for-the-password";
  await page.getByRole("button", { name: texts.password }).click();
  await page.getByLabel(uk.page.gate.password, { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  const note = page.getByTestId("unsaved");
  await expect(note.getByLabel(texts.mine)).toHaveValue("Що ви вивезли першим?");
  visitState.refusal = { status: 403, code: "edits_not_allowed" };
  await note.getByRole("button", { name: texts.retry }).click();
  await expect(note).toContainText(problems.codes.edits_not_allowed);
  await expect(note.getByRole("button", { name: texts.retry })).toHaveCount(0);
});

test("a link for comments does not allow edits", async ({ page, world }) => {
  await visit(page, world, sharedOf(world, { rights: "comment" }));
  await expect(page.getByTestId("shared-text")).toBeVisible();
  await expect(page.getByRole("button", { name: texts.mode, exact: true })).toHaveCount(0);
});

test("the history marks edits by visitors, regardless of their names", async ({ page, open, past }) => {
  const [first] = past.history.sessions;
  if (!first) throw new Error("no sessions");
  const share = { id: "01981d3e-0000-7000-8000-0000000000b1", created_at: "2026-11-20T09:00:00Z" };
  past.history = {
    ...past.history,
    sessions: [{ ...first, by_me: false, author_name: "Олена Коваленко", share } as typeof first],
  };
  await open();
  await page.getByRole("button", { name: transcript.more, exact: true }).click();
  await page.getByRole("menuitem", { name: history.title }).click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByText(history.visitor.split("{{date}}")[0]?.replace("{{name}}", "Олена Коваленко") ?? "")).toBeVisible();
});

for (const look of eachLook(LOOKS)) {
  test(`screenshots of a line edited by a visitor: ${look.width} ${look.theme} ${look.locale}`, async ({ page, world }) => {
    await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 800 });
    await page.addInitScript(
      ([locale, theme]) => {
        localStorage.setItem("slovo.locale", locale);
        localStorage.setItem("slovo.theme", theme);
        localStorage.setItem("slovo.visitor-name", "Марта");
      },
      [look.locale, look.theme] as const,
    );
    await visit(page, world, editableOf(world));
    await page.getByRole("button", { name: /^(Редагувати|Edit)$/ }).click();
    await rowOf(page, "5").getByText("вивезли").click();
    await expect(field(page)).toBeFocused();
    // No horizontal overflow.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await picture(page, "shared-edit", look);
    await expectAccessible(page);
  });
}
