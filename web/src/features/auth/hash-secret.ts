/** A secret from the hash of a link: it is not sent to servers, and is removed from the address bar. */
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/** `#name=secret` */
export function secretOfHash(hash: string, name: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get(name) || null;
}

/** Read from the state of a history entry, which may contain anything. */
export function secretOfState(state: unknown, name: string): string | null {
  const found = (state as Record<string, unknown> | null)?.[name];
  return typeof found === "string" && found !== "" ? found : null;
}

/** The secret, kept in memory; it is removed from the URL at once. */
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

/** The secret, kept in the history entry only, which survives a reload; `forget` removes it from there, too. */
export function useStoredHashSecret(name: string): { secret: string | null; forget: () => void } {
  const navigate = useNavigate();
  const { hash, search, state } = useLocation();
  const inAddress = secretOfHash(hash, name);
  useEffect(() => {
    if (inAddress !== null) void navigate({ search, hash: "" }, { replace: true, state: { [name]: inAddress } });
  }, [inAddress, name, navigate, search]);
  return {
    secret: inAddress ?? secretOfState(state, name),
    forget: () => void navigate({ search, hash: "" }, { replace: true, state: null }),
  };
}
