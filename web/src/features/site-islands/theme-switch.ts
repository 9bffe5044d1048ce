/** Light or dark, in the head of wide windows; the menu of narrow ones has the system's choice, too. */
import { followTheme, useTheme } from "@/lib/theme";
import type { Mount } from "./contract";

export const mount: Mount = (button) => {
  followTheme();
  button.addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme === "dark";
    useTheme.getState().setTheme(dark ? "light" : "dark");
  });
};
