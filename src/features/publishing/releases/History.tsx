import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Release } from '@contract/publishing/schemas';
import type { Site } from '@contract/sites/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { InfiniteList } from '@/ui/list/InfiniteList';
import { Section } from '@/ui/Section';
import { useCancelReleaseMutation, useReleasesInfiniteQuery } from '../publishingApi';
import { ReleaseRow } from './ReleaseRow';
import { RollBackDialog } from './RollBackDialog';

function useCancelling(site: Site): (release: Release) => Promise<void> {
  const { t } = useTranslation('publishing');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const format = useFormat();
  const [cancel] = useCancelReleaseMutation();
  return async ({ id, number, scheduledFor }) => {
    const when = scheduledFor === null ? '' : format.dateTime(scheduledFor, { timeZone: site.timeZone });
    if (!(await confirm({ title: t('cancel.title', { number }), body: t('cancel.text', { when }), confirm: t('cancel.submit'), cancel: t('cancel.back') })))
      return;
    const { data, error } = await cancel({ siteId: site.id, id });
    if (data) dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:cancel.done', values: { number } } }));
    else notifyFailure(dispatch, error);
  };
}

/** All releases, the newest first. */
export function History({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('publishing');
  const result = useReleasesInfiniteQuery({ siteId: site.id });
  const [target, setTarget] = useState<Release | null>(null);
  const cancel = useCancelling(site);
  const mayPublish = mayOnSite(site.role, 'site.publish');
  const mayRollBack = ({ state, live }: Release): boolean => mayPublish && state === 'published' && !live;
  return (
    <Section title={t('history.title')}>
      <InfiniteList
        result={result}
        empty={
          <EmptyState ghost="rows" title={t('history.none')}>
            {t('history.noneText')}
          </EmptyState>
        }
        skeletonRows={4}
      >
        {(rows: readonly Release[]) => (
          <>
            <ol className="publishing-releases">
              {rows.map((release) => (
                <ReleaseRow
                  key={release.id}
                  site={site}
                  release={release}
                  onCancel={mayPublish && release.state === 'scheduled' ? () => void cancel(release) : null}
                  onRollBack={mayRollBack(release) ? () => setTarget(release) : null}
                />
              ))}
            </ol>
            {target && <RollBackDialog siteId={site.id} release={target} live={rows.find(({ live }) => live)} onClose={() => setTarget(null)} />}
          </>
        )}
      </InfiniteList>
    </Section>
  );
}
