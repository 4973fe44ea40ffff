import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Crawler, CrawlRun } from '@contract/crawler/schemas';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { InfiniteList } from '@/ui/list/InfiniteList';
import type { Column } from '@/ui/tableColumns';
import { useCrawlRunsInfiniteQuery } from '../crawlerApi';
import { RunStateTag } from '../runStates';

function useColumns(current: string | null): readonly Column<CrawlRun>[] {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  return [
    {
      id: 'number',
      name: t('runs.number'),
      minWidth: 80,
      cell: ({ id, number }) => (
        <Link to={`?run=${id}`} {...(id === current ? { 'aria-current': true as const } : {})}>
          {t('runs.run', { number })}
        </Link>
      ),
    },
    { id: 'state', name: t('runs.state'), minWidth: 90, cell: ({ state }) => <RunStateTag state={state} /> },
    { id: 'started', name: t('runs.started'), minWidth: 140, fills: true, cell: ({ startedAt, createdAt }) => format.dateTime(startedAt ?? createdAt) },
    { id: 'trigger', name: t('runs.trigger'), minWidth: 90, cell: ({ trigger }) => t(`trigger.${trigger}`) },
    { id: 'duration', name: t('summary.duration'), numeric: true, minWidth: 90, cell: ({ activeMs }) => format.duration(activeMs / 1000) },
    { id: 'pages', name: t('column.pages'), numeric: true, minWidth: 70, cell: ({ counters }) => format.number(counters.pages) },
    { id: 'score', name: t('column.score'), numeric: true, minWidth: 60, cell: ({ score }) => (score === null ? '–' : format.number(Math.round(score))) },
    {
      id: 'changes',
      name: t('column.changes'),
      numeric: true,
      minWidth: 110,
      cell: ({ newIssues, fixedIssues }) => t('list.changes', { found: format.number(newIssues), fixed: format.number(fixedIssues) }),
    },
    { id: 'errors', name: t('column.errors'), numeric: true, minWidth: 70, cell: ({ counters }) => format.number(counters.issues.error) },
  ];
}

/** All runs, the latest first; a run has its own address. */
export function RunsTab({ crawler, current }: { readonly crawler: Crawler; readonly current: string | null }): ReactElement {
  const { t } = useTranslation('crawler');
  const columns = useColumns(current);
  const result = useCrawlRunsInfiniteQuery({ crawlerId: crawler.id });
  return (
    <InfiniteList
      result={result}
      empty={
        <EmptyState ghost="rows" title={t('run.none')}>
          {t('run.noneText')}
        </EmptyState>
      }
    >
      {(rows) => <DataTable label={t('tab.runs')} columns={columns} rows={rows} rowKey={({ id }) => id} />}
    </InfiniteList>
  );
}
