/**
 * Scripts for the menu of narrow windows, which the browser opens and closes by itself: they keep the focus in it, and
 * add the choice of a theme and the name of a signed-in user.
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
  useTrappedFocus(menu);
  return (
    <>
      <fieldset className="island-theme">
        <legend>{t("common:theme.label")}</legend>
        {THEMES.map((option) => (
          <button key={option} type="button" aria-pressed={option === theme} onClick={() => setTheme(option)}>
            {t(`common:theme.${option}`)}
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

/** Tells the button whether the menu is open, and closes the menu when it is not needed. */
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
    // In a wide window the links are in the header, and there is no button to close the menu.
    addEventListener("resize", () => opener?.checkVisibility() === false && close(), { signal });
    // Closed before the browser caches the page.
    addEventListener("pagehide", close, { signal });
    return () => off.abort();
  }, [menu]);
}

/** While it is open, Tab wraps around in it. */
function useTrappedFocus(menu: HTMLElement) {
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
