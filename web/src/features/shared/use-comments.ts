/** The comments of a shared text, and the one being written. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { SharedComment, SharedTranscript } from "@/api";
import { commentsQuery } from "./api";
import { type CommentsState, type Draft, placeComments } from "./comments";
import type { VisitorName } from "./visitor-name";

const NONE: readonly SharedComment[] = [];

/** `commenting` is null if the link does not allow comments. */
export function useComments(
  token: string,
  { rights, transcript }: Pick<SharedTranscript, "rights" | "transcript">,
  { name, setName }: VisitorName,
) {
  const may = rights !== "read";
  const { data = NONE, isError: failed } = useQuery({ ...commentsQuery(token), enabled: may });
  const [on, setOn] = useState(false);
  const [draft, setDraft] = useState<Draft | null>(null);
  const placed = useMemo(() => placeComments(data, transcript), [data, transcript]);
  const commenting = useMemo<CommentsState | null>(
    () => (may ? { token, byLine: placed.byLine, on, draft, setDraft, name, setName } : null),
    [may, token, placed, on, draft, name, setName],
  );
  return { commenting, elsewhere: may ? placed.elsewhere : NONE, failed, on, toggle: () => setOn(!on) };
}
