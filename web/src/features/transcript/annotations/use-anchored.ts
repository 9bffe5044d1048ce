/** The bookmarks and highlights of a page with their positions in the current text. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useDeferredStore } from "@/hooks/use-deferred-store";
import type { DocumentState } from "../document/document-types";
import type { Workspace } from "../workspace";
import { type AnchoredAnnotation, anchorAll } from "./anchor";
import { annotationsQuery } from "./api";

const textOf = ({ segments, positions, version }: DocumentState) => ({ segments, positions, version });
type CurrentText = ReturnType<typeof textOf>;
const isSame = (one: CurrentText, other: CurrentText) =>
  one.segments === other.segments && one.positions === other.positions && one.version === other.version;

const NOTHING: readonly AnchoredAnnotation[] = [];

/** Empty for other users: only the owner has access. */
export function useAnchored({
  job,
  document,
  annotations,
}: Pick<Workspace, "job" | "document" | "annotations">): readonly AnchoredAnnotation[] {
  const { data } = useQuery({ ...annotationsQuery(job.my_job_id), enabled: annotations !== null, retry: false });
  const text = useDeferredStore(document, textOf, isSame);
  return useMemo(() => (data && data.length > 0 ? anchorAll(data, text) : NOTHING), [data, text]);
}
