/** A visitor corrects a shared text on the real server; the owner sees it at once, and in the history. */
import type { OpenedTranscript, Share } from "../src/api/schema";
import history from "../src/locales/uk/history.json" with { type: "json" };
import uk from "../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../src/locales/uk/transcript.json" with { type: "json" };
import { signIn } from "./accounts";
import { expect, test } from "./test";

const texts = uk.page.editing;

test("a visitor's edits appear on the owner's open page, and are marked in the history", async ({
  page,
  context,
  browser,
  server,
  reader,
  finished,
}) => {
  const headers = { authorization: `Bearer ${reader.access_token}`, "content-type": "application/json" };
  const job = `${server.origin}/api/v1/jobs/${finished.my_job_id}`;
  const text = (await (await fetch(`${job}/transcript`, { headers })).json()) as OpenedTranscript;
  const line = text.segments[0];
  if (!line) throw new Error("the recording has no text");
  const form = { expires_at: null, with_media: false, rights: "edit", edit_without_password: true };
  const response = await fetch(`${job}/shares`, { method: "POST", headers, body: JSON.stringify(form) });
  expect(response.status).toBe(201);
  const share = (await response.json()) as Share;

  await signIn(context, reader);
  await page.goto(`${server.origin}/transcription/${finished.my_job_id}`);
  const owned = page.getByTestId("transcript-text").locator(`[data-segment="${line.id}"]`);
  await expect(owned).toContainText(line.text.trim());

  // A visitor without an account, with a chosen name.
  const visitor = await browser.newContext({ locale: "uk-UA" });
  const guest = await visitor.newPage();
  await guest.goto(new URL(new URL(share.url).pathname, server.origin).href);
  const bar = guest.getByRole("region", { name: texts.mode });
  await bar.getByRole("button", { name: texts.mode, exact: true }).click();
  await bar.getByLabel(texts.name).fill("Марта Гість");
  await bar.getByRole("button", { name: texts.start }).click();
  const row = guest.getByTestId("shared-text").locator(`[data-segment="${line.id}"]`);
  await row.locator("p.reading").click();
  const corrected = `Corrected by a visitor: ${line.text.trim()}`;
  await guest.getByTestId("shared-line-editor").fill(corrected);
  await guest.keyboard.press("Control+Enter");
  await expect(guest.getByTestId("shared-save-status")).toHaveText(texts.saved);
  await expect(row).toContainText(corrected);

  await expect(owned).toContainText(corrected);
  await expect(page.getByText(/^Марта Гість .*: /).first()).toBeVisible();
  await page.getByRole("button", { name: transcript.more, exact: true }).click();
  await page.getByRole("menuitem", { name: history.title }).click();
  const named = history.visitor.replace("{{name}}", "Марта Гість").split("{{date}}")[0] ?? "";
  await expect(page.getByRole("dialog").getByText(named).first()).toBeVisible();

  // Undone by the visitor; then the link is revoked while another line is being edited.
  await guest.getByRole("button", { name: texts.undo }).click();
  await expect(row).toContainText(line.text.trim());
  await expect(row).not.toContainText("Corrected by a visitor");
  await row.locator("p.reading").click();
  await guest.getByTestId("shared-line-editor").fill("What is typed stays.");
  const withdrawal = await fetch(`${job}/shares/${share.id}`, { method: "DELETE", headers });
  expect(withdrawal.status).toBe(204);
  await guest.keyboard.press("Control+Enter");
  await expect(guest.getByTestId("unsaved").getByLabel(texts.mine)).toHaveValue("What is typed stays.");
  await expect(guest.getByTestId("unsaved")).toContainText(texts.linkGone);
  await visitor.close();
});
