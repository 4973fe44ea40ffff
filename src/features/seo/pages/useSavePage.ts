import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageOverride } from '@contract/seo/part';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure, isStale } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useChangeSeoPagesMutation } from '../seoApi';

/** Saves what a person wrote for a page. `isOutdated`: somebody else has changed settings meanwhile; saving again keeps both. */
export function useSavePage(siteId: string, onDone: () => void) {
  const { t } = useTranslation('seo');
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangeSeoPagesMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  /** The revision that the server named last, after a change by somebody else. */
  const [current, setCurrent] = useState<number | null>(null);
  const save = async (override: PageOverride, revision: number): Promise<void> => {
    setFailure(null);
    const { data, error } = await change({ siteId, revision: Math.max(revision, current ?? 0), body: { overrides: [override] } });
    if (data) {
      dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:saved' } }));
      onDone();
    } else if (isFailure(error)) {
      setFailure(error);
      if (isStale(error)) setCurrent((error.current as { readonly revision: number }).revision);
    }
  };
  const isOutdated = failure !== null && isStale(failure);
  const isCanonical = Object.keys(failure?.fields ?? {}).some((name) => name.endsWith('canonical'));
  return {
    save,
    busy: isLoading,
    failure: isOutdated || isCanonical ? null : failure,
    isOutdated,
    canonicalError: isCanonical ? t('pages.canonicalWrong') : undefined,
  };
}
