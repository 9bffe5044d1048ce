/** Reloads a URL that the server serves as a public page. */
import { useEffect } from "react";
import { Loading } from "@/components/loading";
import { NotFound } from "./not-found";

/** The path for which the server served the app. Reloading it would load the app again, endlessly. */
const arrivedAt = location.pathname;

export function PublicPage() {
  const wrong = location.pathname === arrivedAt;
  useEffect(() => {
    // The URL is already in the address bar.
    if (!wrong) location.reload();
  }, [wrong]);
  return wrong ? <NotFound /> : <Loading />;
}
