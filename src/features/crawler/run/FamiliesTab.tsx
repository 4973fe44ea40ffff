import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { CrawlFamily, CrawlRunDetail } from '@contract/crawler/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { Tag } from '@/ui/Tag';
import type { Column } from '@/ui/tableColumns';
import { useCrawlFamiliesQuery, useSetCrawlFamilyMutation } from '../crawlerApi';
import '../crawler.css';

const tones = { open: 'info', paused: 'warning', allowed: 'good', excluded: 'bad' } as const;

/** Families of addresses that look like traps: calendars, filters, sessions. They wait until somebody decides. */
export function FamiliesTab({ run, mayChange }: { readonly run: CrawlRunDetail; readonly mayChange: boolean }): ReactElement {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const result = useCrawlFamiliesQuery({ crawlRunId: run.id }, { refetchOnMountOrArgChange: true });
  const [set, { isLoading }] = useSetCrawlFamilyMutation();
  const decide = async ({ host, family }: CrawlFamily, state: 'allowed' | 'excluded'): Promise<void> =>
    notifyFailure(dispatch, (await set({ crawlRunId: run.id, body: { host, family, state } })).error);
  const columns: readonly Column<CrawlFamily>[] = [
    {
      id: 'family',
      name: t('families.family'),
      fills: true,
      minWidth: 200,
      cell: ({ host, family }) => (
        <span className="crawl-clip" title={host + family}>
          {host + family}
        </span>
      ),
    },
    { id: 'state', name: t('runs.state'), minWidth: 90, cell: ({ state }) => <Tag tone={tones[state]}>{t(`families.${state}`)}</Tag> },
    { id: 'reason', name: t('families.reason'), minWidth: 160, cell: ({ reason }) => (reason === null ? '' : t(`families.because.${reason}`)) },
    { id: 'pages', name: t('column.pages'), numeric: true, minWidth: 70, cell: ({ pages }) => format.number(pages) },
    { id: 'waiting', name: t('families.waiting'), numeric: true, minWidth: 70, cell: ({ waiting }) => format.number(waiting) },
    {
      id: 'decide',
      name: t('families.decide'),
      minWidth: 160,
      cell: (family) =>
        mayChange && run.progress !== null ? (
          <>
            <Button size="small" disabled={isLoading || family.state === 'allowed'} onClick={() => void decide(family, 'allowed')}>
              {t('families.allow')}
            </Button>
            <Button size="small" disabled={isLoading || family.state === 'excluded'} onClick={() => void decide(family, 'excluded')}>
              {t('families.exclude')}
            </Button>
          </>
        ) : null,
    },
  ];
  return (
    <ListContent
      result={result}
      rowsOf={(rows) => rows}
      empty={
        <EmptyState ghost="rows" title={t('families.none')}>
          {t('families.noneText')}
        </EmptyState>
      }
    >
      {(rows) => (
        <>
          <p>{t('families.lead')}</p>
          <DataTable label={t('tab.families')} columns={columns} rows={rows} rowKey={({ host, family }) => host + family} />
        </>
      )}
    </ListContent>
  );
}
