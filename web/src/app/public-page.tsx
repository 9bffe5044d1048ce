/** The URL is served by the server: navigation within the application loads the document from there. */
import { useEffect } from "react";
import { Loading } from "@/components/loading";
import { NotFound } from "./not-found";

/** What the server has sent the application for. Loading that once more would bring the application again, without an end. */
const arrivedAt = location.pathname;

export function PublicPage() {
  const wrong = location.pathname === arrivedAt;
  useEffect(() => {
    // The address is in the bar already.
    if (!wrong) location.reload();
  }, [wrong]);
  return wrong ? <NotFound /> : <Loading />;
}
