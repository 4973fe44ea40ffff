import type { ReactElement } from 'react';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useTexts } from '@/lib/useTexts';
import { useAppDispatch } from '@/store/hooks';
import { useDeleteSiteMutation } from './sitesApi';

/** Moves all sites of the demo to the bin in one click. No name need be typed: they can be restored for 30 days. Only administrators of the site see the button. */
export function RemoveDemo({ site }: { readonly site: Site }): ReactElement | null {
  const t = useTexts('sites');
  const dispatch = useAppDispatch();
  const [remove, { isLoading }] = useDeleteSiteMutation();
  if (!mayOnSite(site.role, 'site.delete')) return null;

  const onClick = async () => {
    // Loaded before the removal, which is not made without a way to undo it.
    const part = await import(/* webpackChunkName: "site-changes" */ './siteDeletion').catch(() => null);
    if (part === null) return void dispatch(noticeShown({ tone: 'bad', message: { key: 'shell:partFailed' } }));
    const { error } = await remove({ siteId: site.id, body: { confirm: site.name } });
    if (error === undefined) part.notifyDeleted(dispatch, site);
    else notifyFailure(dispatch, error);
  };
  return (
    <button type="button" className="remove-demo" disabled={isLoading} onClick={() => void onClick()}>
      {t('removeDemo')}
    </button>
  );
}
