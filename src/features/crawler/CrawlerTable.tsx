import { Checkbox } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CrawlerSummary } from '@contract/crawler/schemas';
import { mayOnSite } from '@contract/permissions';
import { selectSites } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { useAppSelector } from '@/store/hooks';
import { Sparkline } from '@/ui/chart/Sparkline';
import { DataTable } from '@/ui/DataTable';
import type { Column } from '@/ui/tableColumns';
import { RunStateTag } from './runStates';
import { useScheduleText } from './scheduleText';
import './crawler.css';

type Props = {
  readonly rows: readonly CrawlerSummary[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
};
const inRow = { display: 'inline-flex', alignItems: 'center', gap: 8 } as const;

function useColumns({ chosen, onChoose }: Pick<Props, 'chosen' | 'onChoose'>): readonly Column<CrawlerSummary>[] {
  const { t } = useTranslation('crawler');
  const runColumns = useRunColumns();
  const sites = useAppSelector(selectSites);
  const siteOf = new Map(sites.map((site) => [site.id, site]));
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return [
    {
      id: 'name',
      name: t('column.name'),
      fills: true,
      minWidth: 200,
      cell: ({ id, name, siteId }) => {
        const site = siteOf.get(siteId);
        return (
          <span style={{ ...inRow, maxWidth: '100%' }}>
            {site !== undefined && mayOnSite(site.role, 'crawler.run') && (
              <Checkbox
                size="small"
                checked={chosen.has(id)}
                onChange={() => toggle(id)}
                slotProps={{ input: { 'aria-label': t('list.choose', { name }) } }}
                sx={{ p: 0 }}
              />
            )}
            <Link className="text-link crawl-clip" to={href('developer.crawler.one', { crawlerId: id })} title={name}>
              {name}
            </Link>
          </span>
        );
      },
    },
    { id: 'site', name: t('column.site'), minWidth: 120, cell: ({ siteId }) => siteOf.get(siteId)?.name ?? '' },
    { id: 'kind', name: t('column.kind'), minWidth: 90, cell: ({ kind }) => t(`kind.${kind}.name`) },
    ...runColumns,
  ];
}

/** What the last run found, and when the next one comes. */
function useRunColumns(): readonly Column<CrawlerSummary>[] {
  const { t } = useTranslation('crawler');
  const format = useFormat();
  const scheduleText = useScheduleText();
  return [
    {
      id: 'lastRun',
      name: t('column.lastRun'),
      minWidth: 160,
      cell: ({ lastRun }) =>
        lastRun === null ? (
          t('list.state.never')
        ) : (
          <span style={inRow}>
            <RunStateTag state={lastRun.state} />
            <span title={format.dateTime(lastRun.createdAt)}>{format.relative(lastRun.createdAt)}</span>
          </span>
        ),
    },
    {
      id: 'score',
      name: t('column.score'),
      numeric: true,
      minWidth: 110,
      cell: ({ scores }) => {
        const last = scores.at(-1);
        return last === undefined ? (
          '–'
        ) : (
          <span style={inRow}>
            {scores.length > 1 && <Sparkline values={scores} width={56} height={18} />}
            {format.number(Math.round(last))}
          </span>
        );
      },
    },
    {
      id: 'pages',
      name: t('column.pages'),
      numeric: true,
      minWidth: 70,
      cell: ({ lastRun }) => (lastRun === null ? '–' : format.number(lastRun.counters.pages)),
    },
    {
      id: 'changes',
      name: t('column.changes'),
      numeric: true,
      minWidth: 110,
      cell: ({ lastRun }) =>
        lastRun === null ? '–' : t('list.changes', { found: format.number(lastRun.newIssues), fixed: format.number(lastRun.fixedIssues) }),
    },
    { id: 'errors', name: t('column.errors'), numeric: true, minWidth: 70, cell: ({ openIssues }) => format.number(openIssues.error) },
    {
      id: 'schedule',
      name: t('column.schedule'),
      minWidth: 150,
      cell: ({ schedule, enabled, nextAt }) => (
        <span title={nextAt === null ? undefined : t('list.next', { when: format.dateTime(nextAt) })}>
          {enabled ? scheduleText(schedule) : t('schedule.off')}
        </span>
      ),
    },
  ];
}

export function CrawlerTable({ rows, chosen, onChoose }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const columns = useColumns({ chosen, onChoose });
  return <DataTable label={t('title')} columns={columns} rows={rows} rowKey={({ id }) => id} remember="crawlers" />;
}
