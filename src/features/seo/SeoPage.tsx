import { Suspense } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import { publishingChanged } from '@/features/publishing/publishingApi';
import { selectSite } from '@/features/sites/sitesSlice';
import { text, useSearchState } from '@/lib/searchState';
import { useLive } from '@/lib/useLive';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { PageHeader } from '@/ui/PageHeader';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { tabs } from './tabs';
import './seo.css';

const address = { tab: text('', 20) };

/** What search engines are told about a site. Every tab has an address of its own. */
export function Component(): ReactElement | null {
  const { t } = useTranslation('seo');
  const { siteId = '' } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  const dispatch = useAppDispatch();
  const [{ tab }] = useSearchState(address);
  useLive([`publishing:${siteId}`], () => void dispatch(publishingChanged(siteId)));
  if (site === undefined) return null;
  const open = tabs.filter(({ needs }) => mayOnSite(site.role, needs));
  const current = open.find(({ id }) => id === tab) ?? open[0];
  if (current === undefined) return null;
  const { Content } = current;
  return (
    <>
      <PageHeader title={t('title')} />
      <TabLinks
        label={t('tabs.label')}
        current={current.id}
        tabs={open.map(({ id }, at) => ({ id, name: t(`tabs.${id}`), to: at === 0 ? '?' : `?tab=${id}` }))}
      />
      {site.purpose === 'external' && (
        <p role="note" className="seo-note">
          {t('external')}
        </p>
      )}
      <div className="seo-content">
        <Suspense fallback={<RowsSkeleton rows={6} />}>
          <Content key={siteId} site={site} />
        </Suspense>
      </div>
    </>
  );
}
