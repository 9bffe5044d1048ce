/** The stretches of the page's text that are recognised again, and requests for more. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { StretchList, Stretch as StretchState, TranscriptionType } from "@/api";
import { claimClient } from "../document/client-id";
import { refOf } from "../editor/editor-actions";
import type { Workspace } from "../workspace";
import { recogniseAgain, stretchesKey, stretchesQuery } from "./api";
import { overlapping, type Stretch } from "./stretch";

const NONE: readonly StretchState[] = [];

/** The newest first; none without access. */
export function useStretches({
  job,
  document,
  editable,
}: Pick<Workspace, "job" | "document" | "editable">): readonly StretchState[] {
  const version = useStore(document, (state) => state.version);
  const { data } = useQuery({ ...stretchesQuery(job.my_job_id, version), enabled: editable, retry: false });
  return data?.stretches ?? NONE;
}

interface StretchRequest extends Stretch {
  language: string;
  mode: TranscriptionType;
}

/** Asks for a stretch; what has been typed is saved before, because the segments' revisions go with the request. */
export function useRecogniseAgain({ job, document }: Workspace) {
  const queryClient = useQueryClient();
  const id = job.my_job_id;
  return useMutation({
    mutationFn: async (request: StretchRequest) => {
      const client = await claimClient();
      await document.actions.flush();
      const { version, segments } = document.getState();
      return recogniseAgain(id, { ...request, version, client, segments: overlapping(segments, request).map(refOf) });
    },
    onSuccess: (asked) => {
      queryClient.setQueryData<StretchList>(stretchesKey(id, asked.version), (before) => ({
        stretches: [asked, ...(before?.stretches ?? []).filter((other) => other.id !== asked.id)],
      }));
    },
  });
}
