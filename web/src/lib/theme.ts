/** Light, dark, or the system's theme. public/first-paint.js reads the same key before the first paint. */
import { create } from "zustand";
import { THEMES } from "@/rules/appearance";

export { THEMES };
export type Theme = (typeof THEMES)[number];

const THEME_KEY = "slovo.theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

export const isTheme = (value: unknown): value is Theme => THEMES.includes(value as Theme);

const readTheme = (): Theme => {
  const stored = localStorage.getItem(THEME_KEY);
  return isTheme(stored) ? stored : "system";
};

export const useTheme = create<{ theme: Theme; setTheme: (theme: Theme) => void }>((set) => ({
  theme: readTheme(),
  setTheme: (theme) => {
    localStorage.setItem(THEME_KEY, theme);
    set({ theme });
    paint(theme);
  },
}));

/** Applies the theme, and follows changes of the system and in other tabs. */
export function followTheme(): void {
  paint(useTheme.getState().theme);
  systemIsDark.addEventListener("change", () => paint(useTheme.getState().theme));
  window.addEventListener("storage", (event) => {
    if (event.key !== THEME_KEY) return;
    const theme = readTheme();
    useTheme.setState({ theme });
    paint(theme);
  });
}

function paint(theme: Theme) {
  const dark = theme === "dark" || (theme === "system" && systemIsDark.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
