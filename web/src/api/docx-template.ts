/** The Word template for the user’s DOCX files; at most one. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, apiFetch, call, watchUser } from "./client";
import { type ExportedFile, fileOf } from "./exports";
import type { DocxTemplate } from "./schema";

const TEMPLATE = "/api/v1/me/docx-template";

const templateKey = ["docx-template"] as const;

/** Null if there is none. */
export const docxTemplateQuery = () =>
  queryOptions({
    queryKey: templateKey,
    queryFn: async ({ signal }) => (await call(api.GET(TEMPLATE, { signal }))).template ?? null,
  });

/** Shows the new state from the server, unless another user has signed in meanwhile. */
function useTemplateAction<Given>(act: (given: Given) => Promise<DocxTemplate | null>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (given: Given) => {
      const isSameUser = watchUser();
      await client.cancelQueries({ queryKey: templateKey });
      const template = await act(given);
      if (isSameUser()) client.setQueryData(docxTemplateQuery().queryKey, template);
      return template;
    },
  });
}

export const useSendDocxTemplate = () =>
  useTemplateAction(async (file: File) => {
    const headers = { "content-type": "application/octet-stream" };
    const name = encodeURIComponent(file.name);
    const response = await apiFetch(`${TEMPLATE}?name=${name}`, { method: "PUT", headers, body: file });
    return (await response.json()) as DocxTemplate;
  });

export const useRemoveDocxTemplate = () =>
  useTemplateAction(async (_: undefined) => {
    await call(api.DELETE(TEMPLATE));
    return null;
  });

/** The user’s template as it was uploaded, or an example to start with. */
export const fetchDocxTemplate = async (which: "file" | "example"): Promise<ExportedFile> =>
  fileOf(await apiFetch(`${TEMPLATE}/${which}`));
