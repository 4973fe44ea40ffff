import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import type { CrawledPage, CrawlIssue, PageRef } from '@contract/crawler/inventorySchemas';
import type { Severity } from '@contract/crawler/terms';
import { readableUrl } from '@/lib/readableUrl';
import { Tag } from '@/ui/Tag';

const severityTone = { error: 'bad', warning: 'warning', notice: 'info' } as const;

export const SeverityTag = ({ severity }: { readonly severity: Severity }): ReactElement => {
  const { t } = useTranslation('inventory');
  return <Tag tone={severityTone[severity]}>{t(`severity.${severity}`)}</Tag>;
};

/** What a page answered: its status, or why there was none. */
export const StatusTag = ({ page: { status, error } }: { readonly page: Pick<CrawledPage, 'status' | 'error'> }): ReactElement => {
  const { t } = useTranslation('inventory');
  if (status === 0) return <Tag tone="bad">{error === null ? t('page.noResponse') : t(`error.${error}`)}</Tag>;
  return <Tag tone={status >= 400 ? 'bad' : status >= 300 ? 'warning' : 'good'}>{String(status)}</Tag>;
};

export const IndexTag = ({ page: { indexable, indexReason } }: { readonly page: Pick<CrawledPage, 'indexable' | 'indexReason'> }): ReactElement => {
  const { t } = useTranslation('inventory');
  return <Tag {...(indexable ? { tone: 'good' as const } : {})}>{t(`indexing.${indexReason}`)}</Tag>;
};

const stateTone = { open: 'warning', regressed: 'bad', ignored: undefined, fixed: 'good' } as const;
export const IssueStateTag = ({ state }: Pick<CrawlIssue, 'state'>): ReactElement => {
  const { t } = useTranslation('inventory');
  const tone = stateTone[state];
  return <Tag {...(tone === undefined ? {} : { tone })}>{t(`state.${state}`)}</Tag>;
};

/** Leads to a page in the drawer. */
export const PageLink = ({ page: { urlId, url, title } }: { readonly page: Pick<PageRef, 'urlId' | 'url' | 'title'> }): ReactElement => {
  const [params] = useSearchParams();
  const next = new URLSearchParams(params);
  next.set('page', String(urlId));
  return (
    <Link className="text-link inventory-url" to={`?${next.toString()}`} preventScrollReset title={title ?? url} dir="ltr">
      {url === '' ? `#${String(urlId)}` : readableUrl(url)}
    </Link>
  );
};
