/** The passages removed from the text of a page. */
import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { RemovedPassage } from "@/api";
import type { Workspace } from "../workspace";
import { removedQuery } from "./api";

const NOTHING: readonly RemovedPassage[] = [];

/** Empty if nothing was removed, or without access: only the owner has it. */
export function useRemoved({
  job,
  document,
  editable,
}: Pick<Workspace, "job" | "document" | "editable">): readonly RemovedPassage[] {
  const version = useStore(document, (state) => state.version);
  const { data } = useQuery({ ...removedQuery(job.my_job_id, version), enabled: editable, retry: false });
  return data?.passages ?? NOTHING;
}

/** Whether somebody speaks in the passage and nothing was recognised. */
export const isUnrecognised = ({ reason }: RemovedPassage): boolean => reason === "unrecognised";
