/** The visitor's name: entered once, for comments and edits. */
import { useCallback, useState } from "react";

const KEY = "slovo.visitor-name";

export interface VisitorName {
  name: string;
  setName: (name: string) => void;
}

export function useVisitorName(): VisitorName {
  const [name, setNameState] = useState(storedName);
  const setName = useCallback((next: string) => {
    setNameState(next);
    try {
      if (next.trim() === "") localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      // Without storage, it is asked for again on the next page.
    }
  }, []);
  return { name, setName };
}

function storedName(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}
