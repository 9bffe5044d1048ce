/** The page of a share link: reading, playing, commenting, and its requests. */
import { readFileSync } from "node:fs";
import en from "../../src/locales/en/sharing.json" with { type: "json" };
import player from "../../src/locales/uk/player.json" with { type: "json" };
import problems from "../../src/locales/uk/problems.json" with { type: "json" };
import rules from "../../src/locales/uk/rules.json" with { type: "json" };
import uk from "../../src/locales/uk/sharing.json" with { type: "json" };
import { eachLook } from "../looks";
import { PASSWORD, sharedOf, visit } from "../shared-world";
import { expectAccessible, playerState } from "../test";
import { untilParameter } from "../texts";
import { expect, LOOKS, picture, test } from "../workplace";

test("visitors can read, play, search and download the text", async ({ page, world }) => {
  const requests: string[] = [];
  page.on("request", (request) => request.url().includes("/api/") && requests.push(new URL(request.url()).pathname));
  await visit(page, world, sharedOf(world));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Інтерв’ю з директоркою літературного музею");
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  const text = page.getByTestId("shared-text");
  await text.getByText("вивезли", { exact: true }).first().click();
  await expect.poll(async () => (await playerState(page)).paused).toBe(false);
  expect((await playerState(page)).time).toBeGreaterThan(10);
  await page.getByRole("tab", { name: uk.page.dialog }).click();
  await expect(page.getByTestId("turn").nth(1)).toHaveAttribute("data-side", "right");
  await page.getByRole("searchbox").fill("П'ЯТЬ");
  const results = page.getByRole("region", { name: uk.page.results });
  await expect(results.locator("mark")).toHaveText("п’ять");
  await results.getByRole("button").click();
  await expect(results).toBeHidden();
  await expect(text.getByText("ключ.", { exact: true })).toBeInViewport();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: uk.page.download }).click();
  const file = readFileSync(await (await downloading).path(), "utf8");
  expect(file).toContain("Тетяна Пилипчук: Добрий день. Він починається");
  // No requests for an account.
  expect(requests.filter((path) => !path.includes("/shared/") && !path.endsWith("/media"))).toEqual([]);
});

test("the player shows the waveform, and reports if the text is of another track than the one played", async ({
  page,
  world,
}) => {
  await visit(page, world, sharedOf(world, { audio_track: 1 }));
  const path = page.getByRole("region", { name: player.label }).locator("svg path").first();
  const halves = async () => {
    const heights = [...((await path.getAttribute("d")) ?? "").matchAll(/v([\d.]+)h/g)].map(([, height]) => Number(height));
    const middle = Math.floor(heights.length / 2);
    return [Math.max(...heights.slice(0, middle - 1)) < 10, Math.min(...heights.slice(middle + 1)) > 40];
  };
  await expect.poll(halves).toEqual([true, true]);
  await expect(page.getByText(player.otherTrack.replace("{{number}}", "2"))).toBeVisible();
  await expectAccessible(page);
});

test("a link without the recording has no player", async ({ page, world }) => {
  await visit(page, world, sharedOf(world, { with_media: false, media_url: null }));
  await expect(page.getByTestId("shared-text")).toBeVisible();
  await expect(page.locator("audio, video")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Слухати/ })).toHaveCount(0);
});

test("an invalid link shows what to do", async ({ page, world }) => {
  await visit(page, world, sharedOf(world), { gone: true });
  await expect(page.getByRole("heading", { name: uk.page.gone })).toBeVisible();
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  await expectAccessible(page);
});

test("requests of a visit are counted as one, by sending its grant", async ({ page, world }) => {
  const { grants } = await visit(page, world, sharedOf(world));
  await expect(page.getByTestId("shared-text")).toBeVisible();
  await page.reload();
  await expect(page.getByTestId("shared-text")).toBeVisible();
  expect(grants).toEqual([undefined, "grant-of-the-first-visit"]);
});

test("a link with a password reveals nothing without it, and asks once", async ({ page, world }) => {
  const shared = sharedOf(world, { rights: "comment" });
  const visitState = await visit(page, world, shared, { locked: "grant-for-the-password" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(uk.page.gate.title);
  await expect(page).not.toHaveTitle(/музею/);
  await expect(page.getByText(shared.title)).toHaveCount(0);
  const field = page.getByLabel(uk.page.gate.password, { exact: true });
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill("не той пароль");
  await page.keyboard.press("Enter");
  await expect(field).toHaveAccessibleDescription(problems.codes.share_password_wrong);
  await expect(field).toBeFocused();
  await field.fill(PASSWORD);
  await page.getByRole("button", { name: uk.page.gate.open }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(shared.title);
  expect(visitState.tried).toEqual(["не той пароль", PASSWORD]);
  await page.reload();
  await expect(page.getByTestId("shared-text")).toBeVisible();
  // After a change of the password the old grant is invalid.
  visitState.locked = "grant-for-another-password";
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(uk.page.gate.title);
});

test("a link that is revoked while its password is typed is shown as gone", async ({ page, world }) => {
  const visitState = await visit(page, world, sharedOf(world), { locked: "grant-for-the-password" });
  const field = page.getByLabel(uk.page.gate.password, { exact: true });
  await field.fill(PASSWORD);
  visitState.gone = true;
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: uk.page.gone })).toBeVisible();
});

test("uncertain words are not marked by default", async ({ page, world }) => {
  const shared = sharedOf(world);
  await visit(page, world, shared);
  await expect(page.getByTestId("shared-text")).toBeVisible();
  await expect(page.locator("[data-unsure]")).toHaveCount(0);
});

test("uncertain words are marked if the owner has enabled it", async ({ page, world }) => {
  const shared = sharedOf(world, { with_confidence: true });
  shared.transcript.segments = world.segments.map((segment) => ({ ...segment, speaker: segment.speaker ?? null }));
  await visit(page, world, shared);
  await expect(page.locator("[data-unsure]").first()).toBeVisible();
});

test("a visitor comments on a line with a name, and reads the answer", async ({ page, world }) => {
  const visitState = await visit(page, world, sharedOf(world, { rights: "comment" }));
  await expect(page.getByTestId("shared-text")).toBeVisible();
  await page.getByRole("button", { name: uk.page.comments.mode, exact: true, pressed: false }).click();
  const opener = page.getByRole("button", { name: untilParameter(uk.page.comments.writeOn) }).nth(3);
  await opener.click();
  const form = page.getByRole("form", { name: untilParameter(uk.page.comments.writeOn) });
  await expect(form.getByLabel(uk.page.comments.name)).toBeFocused();
  const markup = "<b onmouseover=alert(1)>п’ять</b> із половиною";
  await form.getByLabel(uk.page.comments.text, { exact: true }).fill(markup);
  await form.getByRole("button", { name: uk.page.comments.send }).click();
  await expect(form.getByLabel(uk.page.comments.name)).toHaveAccessibleDescription(rules.violations.visitor_name_required);
  await form.getByLabel(uk.page.comments.name).fill("Марта");
  await form.getByRole("button", { name: uk.page.comments.send }).click();
  await expect(form).toHaveCount(0);
  const comments = page.getByRole("list", { name: untilParameter(uk.page.comments.of) });
  await expect(comments.getByText(markup)).toBeVisible();
  await expect(comments.locator("b")).toHaveCount(0);
  expect(visitState.comments[0]).toMatchObject({ segment: world.segments[3]?.id, name: "Марта" });
  await expectAccessible(page);
  visitState.comments = visitState.comments.map((comment) => ({ ...comment, answer: "Дякую, виправлю." }));
  await page.reload();
  await expect(page.getByText("Дякую, виправлю.")).toBeVisible();
});

test("comments on removed lines are shown below the text", async ({ page, world }) => {
  const lostComment = { id: "01981d3e-0000-7000-8000-0000000000c2", version: 1, segment: "999", start: 5, name: "Марта" };
  const comment = { ...lostComment, line: "Цього рядка вже немає.", text: "А був.", created_at: "2026-11-21T09:00:00Z" };
  await visit(page, world, sharedOf(world, { rights: "comment" }), { comments: [comment] });
  const elsewhere = page.getByRole("region", { name: uk.page.comments.elsewhere });
  await expect(elsewhere).toContainText(comment.line);
  await expect(elsewhere).toContainText(comment.text);
});

test("a read-only link does not allow comments", async ({ page, world }) => {
  await visit(page, world, sharedOf(world));
  await expect(page.getByTestId("shared-text")).toBeVisible();
  await expect(page.getByRole("button", { name: uk.page.comments.mode, exact: true })).toHaveCount(0);
});

for (const look of eachLook(LOOKS, 1)) {
  test(`screenshots of the shared page: ${look.width} ${look.theme} ${look.locale}`, async ({ page, world }) => {
    await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 800 });
    await page.addInitScript(
      ([locale, theme]) => {
        localStorage.setItem("slovo.locale", locale);
        localStorage.setItem("slovo.theme", theme);
      },
      [look.locale, look.theme] as const,
    );
    await visit(page, world, sharedOf(world));
    await expect(page.getByTestId("shared-text")).toBeVisible();
    await picture(page, "shared", look);
    await expectAccessible(page);
    await page.getByRole("searchbox").fill("музе");
    await expect(page.locator("mark").first()).toBeVisible();
    await picture(page, "shared-search", look);
    await expectAccessible(page);
  });

  test(`screenshots of the password and comments: ${look.width} ${look.theme} ${look.locale}`, async ({ page, world }) => {
    const texts = look.locale === "uk" ? uk : en;
    await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 800 });
    await page.addInitScript(
      ([locale, theme]) => {
        localStorage.setItem("slovo.locale", locale);
        localStorage.setItem("slovo.theme", theme);
      },
      [look.locale, look.theme] as const,
    );
    const line = world.segments[2];
    const comment = {
      id: "01981d3e-0000-7000-8000-0000000000c2",
      version: 1,
      segment: line?.id ?? "",
      start: line?.start ?? 0,
      line: line?.text ?? "",
      name: "Марта Гриценко",
      text: "Вікна перевіряють двічі: уранці й після тривоги.",
      created_at: "2026-11-21T09:00:00Z",
      answer: "Дякую, допишемо.",
    };
    await visit(page, world, sharedOf(world, { rights: "comment" }), { locked: "grant", comments: [comment] });
    const field = page.getByLabel(texts.page.gate.password, { exact: true });
    await expect(field).toBeVisible();
    await picture(page, "shared-password", look);
    await expectAccessible(page);
    await field.fill(PASSWORD);
    await page.keyboard.press("Enter");
    await expect(page.getByText(comment.text)).toBeVisible();
    await page.getByRole("button", { name: texts.page.comments.mode, exact: true, pressed: false }).click();
    await page
      .getByRole("button", { name: untilParameter(texts.page.comments.writeOn) })
      .first()
      .click();
    await expect(page.getByRole("form")).toBeVisible();
    await picture(page, "shared-comments", look);
    await expectAccessible(page);
  });
}
