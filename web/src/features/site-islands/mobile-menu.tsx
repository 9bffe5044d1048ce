/**
 * What scripts add to the menu of narrow windows, which the browser opens and closes by itself: the focus stays in it, and at its
 * end are the theme's choice and, for who is signed in, their name.
 */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { followTheme, THEMES, useTheme } from "@/lib/theme";
import type { Mount } from "./contract";
import { draw } from "./draw";
import "./site-islands.css";

const FOCUSABLE = "a[href], button:not([disabled]), input:not([disabled])";

function MobileMenu({ menu }: { menu: HTMLElement }) {
  const { t } = useTranslation(["site-islands", "common"]);
  const user = useUser();
  const { theme, setTheme } = useTheme();
  useMenuState(menu);
  useKeptFocus(menu);
  return (
    <>
      <fieldset className="island-theme">
        <legend>{t("common:theme.label")}</legend>
        {THEMES.map((one) => (
          <button key={one} type="button" aria-pressed={one === theme} onClick={() => setTheme(one)}>
            {t(`common:theme.${one}`)}
          </button>
        ))}
      </fieldset>
      {user && (
        <p className="island-user">
          {t("menu.signed_in")} <strong>{user.fullname ?? user.email.split("@")[0]}</strong>
        </p>
      )}
    </>
  );
}

/** Tells its button whether the menu is open, and closes it where it is in the way. */
function useMenuState(menu: HTMLElement) {
  useEffect(() => {
    const off = new AbortController();
    const { signal } = off;
    const opener = document.querySelector(`[popovertarget="${menu.id}"]:not([popovertargetaction=hide])`);
    const tell = () => opener?.setAttribute("aria-expanded", String(isOpen(menu)));
    const close = () => isOpen(menu) && menu.hidePopover();
    tell();
    menu.addEventListener("toggle", tell, { signal });
    menu.addEventListener("click", ({ target }) => (target as Element).closest("a") && close(), { signal });
    // In a wide window the links stand in the page's head, and no button would open the menu again.
    addEventListener("resize", () => opener?.checkVisibility() === false && close(), { signal });
    // As one comes back to it, when the browser keeps the page whole.
    addEventListener("pagehide", close, { signal });
    return () => off.abort();
  }, [menu]);
}

/** While it is open, Tab goes around in it. */
function useKeptFocus(menu: HTMLElement) {
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      if (event.key !== "Tab" || !isOpen(menu)) return;
      const stops = [...menu.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((stop) => stop.checkVisibility());
      const [end, other] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
      const at = document.activeElement;
      if (at !== end && menu.contains(at)) return;
      event.preventDefault();
      other?.focus();
    };
    document.addEventListener("keydown", turn);
    return () => document.removeEventListener("keydown", turn);
  }, [menu]);
}

const isOpen = (menu: HTMLElement) => menu.matches(":popover-open");

export const mount: Mount = (menu) => {
  followTheme();
  return draw(<MobileMenu menu={menu} />, menu.appendChild(document.createElement("div")));
};
