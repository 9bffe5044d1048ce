/** The server's data on the public pages: its edition, operator and contacts. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { setupKey } from "./admin-setup";
import { api, call } from "./client";
import type { Edition, SiteSettings, SiteView } from "./schema";

export type { Edition, SiteSettings, SiteView, SocialLink, Testimonial } from "./schema";

const siteKey = ["admin", "site"] as const;

export const siteQuery = () =>
  queryOptions({
    queryKey: siteKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/site", { signal })),
  });

/** The response contains the whole state. */
function useStored() {
  const queryClient = useQueryClient();
  return (view: SiteView) => {
    queryClient.setQueryData(siteKey, view);
    void queryClient.invalidateQueries({ queryKey: setupKey });
  };
}

export const useSaveSite = () =>
  useMutation({
    mutationFn: (body: SiteSettings) => call(api.PUT("/api/v1/admin/site", { body })),
    onSuccess: useStored(),
  });

export const useChooseEdition = () =>
  useMutation({
    mutationFn: (edition: Edition) => call(api.PUT("/api/v1/admin/site/edition", { body: { edition } })),
    onSuccess: useStored(),
  });

/** A link to the public pages with a draft of the settings. */
export const usePreviewSite = () =>
  useMutation({ mutationFn: (body: SiteSettings) => call(api.POST("/api/v1/admin/site/preview", { body })) });
