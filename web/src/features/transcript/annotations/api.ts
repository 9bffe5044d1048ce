/** The calls of bookmarks and highlights. What is done is shown at once; when it is refused, the list is read again. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type Annotation, ApiError, api, call, type NewAnnotation } from "@/api";

const annotationsKey = (id: string) => ["annotations", id] as const;

export const annotationsQuery = (id: string) =>
  queryOptions({
    queryKey: annotationsKey(id),
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/annotations", { params: { path: { id } }, signal })),
    staleTime: 60_000,
  });

export interface AnnotationChange {
  id: string;
  colour?: Annotation["colour"];
  note?: string;
}

/** The ids are the page's own: what has arrived already is not stored twice. */
const again = (failures: number, error: unknown) => failures < 2 && !(error instanceof ApiError);

function useOptimistic<Input>(
  id: string,
  send: (input: Input) => Promise<unknown>,
  show: (before: readonly Annotation[], input: Input) => Annotation[],
) {
  const queryClient = useQueryClient();
  const queryKey = annotationsKey(id);
  return useMutation({
    mutationFn: send,
    retry: again,
    onMutate: async (input: Input) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<Annotation[]>(queryKey, (before) => show(before ?? [], input));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

export const useCreateAnnotations = (id: string) =>
  useOptimistic(
    id,
    (annotations: NewAnnotation[]) =>
      call(api.POST("/api/v1/jobs/{id}/annotations", { params: { path: { id } }, body: { annotations } })),
    (before, made) => {
      const at = new Date().toISOString();
      const ids = new Set(made.map((one) => one.id));
      const rest = before.filter((one) => !ids.has(one.id));
      return [...rest, ...made.map((one) => ({ ...one, note: one.note ?? "", created_at: at, changed_at: at }))];
    },
  );

export const useChangeAnnotation = (id: string) =>
  useOptimistic(
    id,
    ({ id: annotation_id, ...body }: AnnotationChange) =>
      call(api.PATCH("/api/v1/jobs/{id}/annotations/{annotation_id}", { params: { path: { id, annotation_id } }, body })),
    (before, change) => before.map((one) => (one.id === change.id ? { ...one, ...change } : one)),
  );

export const useDeleteAnnotation = (id: string) =>
  useOptimistic(
    id,
    (annotation_id: string) =>
      call(api.DELETE("/api/v1/jobs/{id}/annotations/{annotation_id}", { params: { path: { id, annotation_id } } })),
    (before, gone) => before.filter((one) => one.id !== gone),
  );
