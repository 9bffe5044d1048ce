/** What a visitor has said they are called: asked for once, for comments and for edits. */
import { useCallback, useState } from "react";

const KEY = "slovo.visitor-name";

export interface VisitorName {
  name: string;
  setName: (name: string) => void;
}

export function useVisitorName(): VisitorName {
  const [name, setOwn] = useState(keptName);
  const setName = useCallback((next: string) => {
    setOwn(next);
    try {
      if (next.trim() === "") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      // It is asked for again on the next page.
    }
  }, []);
  return { name, setName };
}

function keptName(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
