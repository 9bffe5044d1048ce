/** Whether the component has been painted. */
import { useEffect, useState } from "react";
import { whenPainted } from "@/lib/when-painted";

export function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => whenPainted(() => setPainted(true)), []);
  return painted;
}
