import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceLimits } from '@contract/resources/terms';
import type { ResourceKind } from '@contract/resources/terms';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { PlainButton } from '@/ui/PlainButton';
import { libraryApi } from './libraryApi';
import { resourcesApi } from './resourcesApi';

const { resourcesToChange } = libraryApi.endpoints;
const { purgeResources } = resourcesApi.endpoints;

/** Deletes everything of a kind in the bin for good, after a question. `total`: resources in the bin. */
export function EmptyBin({ siteId, kind, total }: { readonly siteId: string; readonly kind: ResourceKind; readonly total: number }): ReactElement {
  const { t } = useTranslation('resources');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  /** As many as one page at a time; the number that was deleted. Throws the failure of a call. */
  const purge = async (): Promise<number> => {
    for (let count = 0; ;) {
      const query = { siteId, kind, deleted: 'true', size: resourceLimits.page } as const;
      const { rows } = await dispatch(resourcesToChange.initiate(query, { subscribe: false, forceRefetch: true })).unwrap();
      if (rows.length === 0) return count;
      const { ids } = await dispatch(purgeResources.initiate({ siteId, body: { ids: rows.map(({ id }) => id) } })).unwrap();
      // What is left cannot be deleted.
      if (ids.length === 0) return count;
      count += ids.length;
    }
  };
  const empty = async (): Promise<void> => {
    if (!(await confirm({ title: t('purge.title', { count: total }), body: t('purge.text'), confirm: t('binScreen.purge'), danger: true }))) return;
    setBusy(true);
    try {
      dispatch(noticeShown({ tone: 'good', message: { key: 'resources:done.purged', values: { count: await purge() } } }));
    } catch (error) {
      notifyFailure(dispatch, error);
    }
    setBusy(false);
  };
  return (
    <PlainButton data-quiet="" data-danger="" disabled={busy} aria-busy={busy} onClick={() => void empty()}>
      {t('binScreen.purge')}
    </PlainButton>
  );
}
