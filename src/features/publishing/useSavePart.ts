import type { EditedPart, SiteParts } from '@contract/publishing/schemas';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { publishingApi, useChangeSitePartMutation } from './publishingApi';

/** `theirs`: somebody else has saved the part meanwhile, and this is what they have saved. */
export type SavedPart<P extends EditedPart> =
  | { readonly revision: number }
  | { readonly theirs: SiteParts[P] }
  | { readonly failure: ApiFailure }
  | { readonly failure: null };

/** Saves a part of the working copy over the revision that somebody has edited. */
export function useSavePart<P extends EditedPart>(siteId: string, part: P) {
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangeSitePartMutation();
  const save = async (revision: number, body: SiteParts[P]['content']): Promise<SavedPart<P>> => {
    const { data, error } = await change({ siteId, part, revision, body });
    if (data) return data;
    if (!isFailure(error)) return { failure: null };
    if (!isStale(error)) return { failure: error };
    // The refusal names only the revision.
    const current = await dispatch(publishingApi.endpoints.siteParts.initiate({ siteId }, { forceRefetch: true, subscribe: false }));
    if (current.data) return { theirs: current.data[part] };
    return { failure: isFailure(current.error) ? current.error : error };
  };
  return { save, busy: isLoading };
}
