/** A secret that came in the hash of a link: servers and their logs never see it there, and the address bar shall not keep it. */
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

/** `#name=secret` */
export function secretOfHash(hash: string, name: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get(name) || null;
}

/** Read from the state of a history entry, which may hold anything. */
export function secretOfState(state: unknown, name: string): string | null {
  const found = (state as Record<string, unknown> | null)?.[name];
  return typeof found === "string" && found !== "" ? found : null;
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

/** The secret, from now on in the history entry alone, which a reload keeps; `forget` takes it out of there, too. */
export function useKeptHashSecret(name: string): { secret: string | null; forget: () => void } {
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
