import type { PageOverride } from '@contract/seo/part';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { defineUndo } from '@/features/notices/undoListeners';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import type { SubmitResult } from '@/ui/form/useSubmit';
import { seoApi, useChangeSeoPagesMutation } from '../seoApi';
import { overridesOf } from './bulk';
import type { PageTexts } from './bulk';

type Undone = { readonly siteId: string; readonly revision: number; readonly overrides: PageOverride[] };
const notifyChanged = defineUndo<Undone>('seo/bulkChangeUndone', (dispatch, { siteId, revision, overrides }) =>
  dispatch(seoApi.endpoints.changeSeoPages.initiate({ siteId, revision, body: { overrides } })),
);

export type BulkChange = (changes: readonly PageTexts[]) => Promise<SubmitResult<{ readonly revision: number }>>;

/** Changes texts of many pages in a language, with an undo; undefined while the stored ones are not known. */
export function useBulkChange(siteId: string, tag: string): BulkChange | undefined {
  const dispatch = useAppDispatch();
  const format = useFormat();
  const { data: parts } = useSitePartsQuery({ siteId });
  const [send] = useChangeSeoPagesMutation();
  if (parts === undefined) return undefined;
  const { content, revision } = parts.seo;
  return async (changes) => {
    const { after, before } = overridesOf(content.overrides, tag, changes);
    const { data, error } = await send({ siteId, revision, body: { overrides: after } });
    if (error !== undefined) return { error };
    const message = { key: 'seo:pages.bulk.done', values: { count: changes.length, countText: format.number(changes.length) } };
    notifyChanged(dispatch, message, { siteId, revision: data.revision, overrides: before });
    return { data };
  };
}
