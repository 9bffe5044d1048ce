import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Island, Mount } from "./contract";
import { startLoader } from "./loader";

/** An island whose loading is completed or failed by the test. */
function island(holds?: string) {
  const mount = vi.fn<Mount>();
  let [arrive, fail] = [() => {}, (_why: Error) => {}];
  const code = new Promise<{ mount: Mount }>((resolve, reject) => {
    [arrive, fail] = [() => resolve({ mount }), reject];
  });
  const load = vi.fn(() => code);
  return { island: { load, ...(holds && { holds }) } satisfies Island, load, mount, arrive, fail };
}

const find = <E extends Element = HTMLElement>(selector: string) => {
  const found = document.querySelector<E>(selector);
  if (!found) throw new Error(selector);
  return found;
};

/** Waits for pending promises. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

let stop = () => {};
let form: ReturnType<typeof island>;
let link: ReturnType<typeof island>;
let menu: ReturnType<typeof island>;

beforeEach(() => {
  document.body.innerHTML = `
    <form data-island="contact" action="/contact" method="post"><input name="email"><button type="submit">Send</button></form>
    <form data-island="other"><input></form>
    <div data-island="locale"><a href="#en">English</a></div>
    <button popovertarget="site-menu">Menu</button><nav id="site-menu" data-island="menu"></nav>`;
  [form, link, menu] = [island(), island("a"), island()];
  stop = startLoader({ contact: form.island, locale: link.island, menu: menu.island });
});
afterEach(() => stop());

it("loads an island once, on the first interaction with it, and no other", async () => {
  expect(form.load).not.toHaveBeenCalled();
  find("[name=email]").dispatchEvent(new Event("focusin", { bubbles: true }));
  find("[name=email]").dispatchEvent(new Event("pointerover", { bubbles: true }));
  form.arrive();
  await settled();
  find("[name=email]").dispatchEvent(new Event("pointerdown", { bubbles: true }));
  await settled();
  expect(form.load).toHaveBeenCalledOnce();
  expect(form.mount.mock.calls).toEqual([[find("[data-island=contact]")]]);
  expect(link.load).not.toHaveBeenCalled();
});

it("loads a menu by its button, and ignores unknown islands", async () => {
  find("[data-island=other] input").dispatchEvent(new Event("focusin", { bubbles: true }));
  find("button[popovertarget]").dispatchEvent(new Event("pointerover", { bubbles: true }));
  menu.arrive();
  await settled();
  expect(menu.mount.mock.calls).toEqual([[find("#site-menu")]]);
});

describe("a form that is submitted while its island is loading", () => {
  const send = () => find<HTMLFormElement>("[data-island=contact]").requestSubmit(find<HTMLButtonElement>("[type=submit]"));

  it("is submitted by the island once, with the pressed button", async () => {
    const submitters: (HTMLElement | null)[] = [];
    form.mount.mockImplementation((element) =>
      element.addEventListener("submit", (event) => {
        event.preventDefault();
        submitters.push((event as SubmitEvent).submitter);
      }),
    );
    send();
    send();
    expect(submitters).toEqual([]);
    form.arrive();
    await settled();
    expect(submitters).toEqual([find("[type=submit]")]);
  });

  it.each(["code cannot be had", "island cannot begin"])("goes as without scripts when the %s", async (why) => {
    vi.spyOn(console, "warn").mockReturnValue();
    const native: boolean[] = [];
    find("[data-island=contact]").addEventListener("submit", (event) => {
      native.push(!event.defaultPrevented);
      event.preventDefault();
    });
    send();
    if (why === "code cannot be had") form.fail(new Error("no network"));
    else form.mount.mockRejectedValue(new Error("no texts"));
    form.arrive();
    await settled();
    expect(native).toEqual([true]);
    send();
    expect(native).toEqual([true, true]);
    expect(form.load).toHaveBeenCalledOnce();
  });

  it("is submitted by the browser after a timeout", async () => {
    vi.useFakeTimers();
    const native = vi.fn((event: Event) => event.preventDefault());
    find("[data-island=contact]").addEventListener("submit", native);
    send();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(native).toHaveBeenCalledOnce();
    form.arrive();
    await vi.advanceTimersByTimeAsync(1);
    expect(form.mount).not.toHaveBeenCalled();
    vi.useRealTimers();
  });
});

describe("a click on an element that an island improves", () => {
  it("waits for the island", async () => {
    const clicks = vi.fn((event: Event) => event.preventDefault());
    link.mount.mockImplementation((element) => element.addEventListener("click", clicks));
    const first = new MouseEvent("click", { bubbles: true, cancelable: true });
    find("[data-island=locale] a").dispatchEvent(first);
    expect(first.defaultPrevented).toBe(true);
    link.arrive();
    await settled();
    expect(clicks).toHaveBeenCalledOnce();
  });

  it("is left to the browser with a modifier key", () => {
    const click = new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true });
    find("[data-island=locale]").addEventListener("click", (event) => expect(event.defaultPrevented).toBe(false));
    find("[data-island=locale] a").dispatchEvent(click);
  });

  it("is not delayed if the island does not hold clicks", () => {
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    find("button[popovertarget]").dispatchEvent(click);
    expect(click.defaultPrevented).toBe(false);
  });
});
