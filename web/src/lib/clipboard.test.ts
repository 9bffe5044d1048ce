// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { copyText } from "./clipboard";

function clipboard(writeText: ((text: string) => Promise<void>) | undefined) {
  vi.stubGlobal("navigator", { clipboard: writeText && { writeText } });
}

/** A fake `execCommand` that records what was selected in which field. */
function command(answer: () => boolean) {
  const copied: string[] = [];
  document.execCommand = () => {
    copied.push((document.activeElement as HTMLTextAreaElement).value);
    return answer();
  };
  return copied;
}

afterEach(() => {
  document.body.innerHTML = "";
});

it("uses the clipboard", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  clipboard(writeText);
  expect(await copyText("слово")).toBe(true);
  expect(writeText).toHaveBeenCalledWith("слово");
});

it.each([["absent", undefined] as const, ["refused", () => Promise.reject(new Error("no"))] as const])(
  "falls back to execCommand when the clipboard is %s, and removes its field",
  async (_, writeText) => {
    clipboard(writeText);
    const copied = command(() => true);
    document.body.innerHTML = "<button></button>";
    const button = document.querySelector("button");
    button?.focus();
    expect(await copyText("слово")).toBe(true);
    expect(copied).toEqual(["слово"]);
    expect(document.querySelector("textarea")).toBeNull();
    expect(document.activeElement).toBe(button);
  },
);

it.each([
  ["returns false", () => false],
  [
    "throws",
    () => {
      throw new Error("no");
    },
  ],
])("reports a failure if execCommand %s", async (_, answer) => {
  clipboard(undefined);
  command(answer);
  expect(await copyText("слово")).toBe(false);
});
