/** Voices that the account remembers, and the names that they propose for the speakers of a text. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, apiFetch, call } from "./client";
import { type ExportedFile, fileOf } from "./exports";
import type { JobVoices, NewVoiceBody, RememberedVoice, Voice } from "./schema";

export type { JobVoices, RememberedVoice, Voice, VoiceProposal } from "./schema";

/** Polling interval in ms while voices are computed or compared. */
const POLL_MS = 2_000;

const keys = { voices: ["voices"], texts: ["job-voices"] } as const;

const isLearning = ({ state }: Pick<Voice | RememberedVoice, "state">): boolean => state === "learning";

/** Whether the text is being compared, or a voice of it computed. */
export const isUnderWay = ({ looking, remembered }: JobVoices): boolean => looking || remembered.some(isLearning);

/** All voices of the account, by name. */
export const voicesQuery = () =>
  queryOptions({
    queryKey: keys.voices,
    queryFn: async ({ signal }) => (await call(api.GET("/api/v1/me/voices", { signal }))).voices,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isLearning) ? POLL_MS : false),
  });

/** What the account's voices have to do with one run of a text. */
export const jobVoicesQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: [...keys.texts, id, version],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/voices", { params: { path: { id }, query: { version } }, signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  });

/** Every change of a voice may change what is known about a text, and the other way round. */
async function refresh(client: QueryClient): Promise<void> {
  await Promise.all(Object.values(keys).map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** The list changes at once, so that the page can move the focus from a row that is gone. */
function useVoiceChange<Input>(change: (input: Input) => Promise<unknown>, after: (known: Voice[], input: Input) => Voice[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (_, input) => client.setQueryData(voicesQuery().queryKey, (known) => known && after(known, input)),
    onSettled: () => void refresh(client),
  });
}

export const useRenameVoice = () =>
  useVoiceChange(
    ({ id, name }: { id: string; name: string }) =>
      call(api.PATCH("/api/v1/me/voices/{id}", { params: { path: { id } }, body: { name } })),
    (known, { id, name }) => known.map((voice) => (voice.id === id ? { ...voice, name } : voice)),
  );

/** Deletes a voice permanently. */
export const useDeleteVoice = () =>
  useVoiceChange(
    (id: string) => call(api.DELETE("/api/v1/me/voices/{id}", { params: { path: { id } } })),
    (known, id) => known.filter((voice) => voice.id !== id),
  );

/** Adds a voice to another one, which keeps its name; the first one is deleted. */
export const useMergeVoice = () =>
  useVoiceChange(
    ({ id, into }: { id: string; into: string }) =>
      call(api.POST("/api/v1/me/voices/{id}/merge", { params: { path: { id } }, body: { into } })),
    (known, { id }) => known.filter((voice) => voice.id !== id),
  );

/** All voices as a JSON file. */
export const fetchVoicesFile = async (): Promise<ExportedFile> => fileOf(await apiFetch("/api/v1/me/voices/export"));

/** A speaker as a new voice with this name, or as more speech of an existing voice. */
export type VoiceChoice = { name: string } | { voice: string };

/** Remembers the voice of a speaker. Only called if the reader has stated that this person agrees. */
export function useRememberVoice(id: string, version: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ speaker, as }: { speaker: string; as: VoiceChoice }) => {
      const body: NewVoiceBody = { version, speaker, consent: true, ...as };
      return call(api.POST("/api/v1/jobs/{id}/voices", { params: { path: { id } }, body }));
    },
    onSuccess: () => refresh(client),
  });
}

/** Compares the text's speakers with all voices. */
export function useCompareVoices(id: string, version: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.POST("/api/v1/jobs/{id}/voices/compare", { params: { path: { id } }, body: { version } })),
    onSuccess: (found) => client.setQueryData(jobVoicesQuery(id, version).queryKey, found),
  });
}

/** Declines the name proposed for a speaker. It disappears at once, and is back if the request fails. */
export function useDismissVoice(id: string, version: number) {
  const client = useQueryClient();
  const { queryKey } = jobVoicesQuery(id, version);
  const without = (known: JobVoices | undefined, speaker: string) =>
    known && { ...known, proposals: known.proposals.filter((proposal) => proposal.speaker !== speaker) };
  return useMutation({
    mutationFn: (speaker: string) =>
      call(api.DELETE("/api/v1/jobs/{id}/voices/{speaker}", { params: { path: { id, speaker }, query: { version } } })),
    onMutate: async (speaker) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (known) => without(known, speaker));
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
