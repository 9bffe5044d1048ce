/** Restores the scroll position of a page, and scrolls new pages to the top. */
import { useEffect, useLayoutEffect } from "react";
import type { Location } from "react-router";
import { type Place, useShown } from "@/lib/history";

const KEY = "slovo.scroll";

/** After a full load the key is always "default", so the path is used instead. */
const keyOf = ({ key, pathname }: Location) => (key === "default" ? pathname : key);

/** Rendered beside the page in the same Suspense, because a page that is not loaded cannot be scrolled. */
export function ScrollMemory() {
  const current = useShown();
  const history = current?.history;
  const place = current?.place;

  useEffect(() => {
    const take = () => {
      window.history.scrollRestoration = "manual";
    };
    const give = () => {
      window.history.scrollRestoration = "auto";
    };
    take();
    window.addEventListener("pageshow", take);
    window.addEventListener("pagehide", give);
    return () => {
      give();
      window.removeEventListener("pageshow", take);
      window.removeEventListener("pagehide", give);
    };
  }, []);

  useLayoutEffect(() => {
    if (!history || !place) return;
    scrollTo(place);
    const keep = () => write({ ...read(), [keyOf(place.location)]: window.scrollY });
    const stop = history.listen(keep);
    window.addEventListener("pagehide", keep);
    return () => {
      stop();
      window.removeEventListener("pagehide", keep);
    };
  }, [history, place]);
  return null;
}

function scrollTo({ location, keepsScroll }: Place) {
  const top = read()[keyOf(location)];
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (top !== undefined) window.scrollTo(0, top);
  else if (target) target.scrollIntoView();
  else if (!keepsScroll) window.scrollTo(0, 0);
}

function read(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

function write(positions: Record<string, number>) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(positions));
  } catch {
    // Storage is full or forbidden: pages start at the top.
  }
}
