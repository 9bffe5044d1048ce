/** A secret that came in the hash of a link: servers and their logs never see it there, and the address bar shall not keep it. */
import { useEffect, useState } from "react";
import { useLocation } from "react-router";

/** `#name=secret` */
export function secretOfHash(hash: string, name: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get(name) || null;
}

/** The secret, in memory from now on; the address loses it at once. */
export function useHashSecret(name: string): string | null {
  const place = useLocation();
  const [secret, setSecret] = useState(() => secretOfHash(place.hash, name));
  // Another link may be opened in the same tab.
  useEffect(() => {
    const found = secretOfHash(place.hash, name);
    if (found === null) return;
    setSecret(found);
    history.replaceState(history.state, "", location.pathname + location.search);
  }, [place, name]);
  return secret;
}
