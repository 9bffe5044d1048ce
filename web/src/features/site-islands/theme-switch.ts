/**
 * The switch between light and dark in the header of wide windows; the menu of narrow ones also offers the system's
 * choice.
 */
import { followTheme, useTheme } from "@/lib/theme";
import type { Mount } from "./contract";

export const mount: Mount = (button) => {
  followTheme();
  button.addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme === "dark";
    useTheme.getState().setTheme(dark ? "light" : "dark");
  });
};
