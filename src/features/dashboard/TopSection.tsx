import type { Report, Row } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { isCompared, useReportQuery } from '@/features/analytics/analyticsApi';
import { addDays } from '@/lib/days';
import { filterText } from '@/lib/filterText';
import { useFormat } from '@/lib/format';
import { usePlaces } from '@/lib/usePlaces';
import { useToday } from '@/lib/useToday';
import { href } from '@/routes/paths';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { MoreLink } from './MoreLink';
import { SectionState } from './SectionState';

const kinds = {
  pages: { by: 'path', measure: 'views', report: 'site.als.path' },
  sources: { by: 'sourceName', measure: 'visitors', report: 'site.als.source' },
} as const;
const most = 5;

/** The five most viewed pages, or the top five sources, of the last seven days with their change. */
export const TopSection = ({ site, kind }: { site: Site; kind: keyof typeof kinds }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const { number, locale } = useFormat();
  const places = usePlaces();
  const navigate = useNavigate();
  const today = useToday(site.timeZone);
  const { by, measure, report: reportId } = kinds[kind];
  const result = useReportQuery(
    { siteId: site.id, from: addDays(today, -6), to: today, compare: 'weekday', by, sort: measure, size: most },
    { refetchOnMountOrArgChange: true },
  );
  const name = t(kind);
  const pathname = href('site.als.overview', { siteId: site.id });
  const textOf = (key: string): string =>
    key === '' ? t(kind === 'sources' ? 'direct' : 'unknown') : kind === 'pages' ? key : (places?.productName(key, locale === 'en' ? 'en' : 'zh-CN') ?? key);
  const columnsOf = (report: Report): Column<Row>[] => [
    { id: 'name', name: t(kind === 'pages' ? 'page' : 'source'), fills: true, share: (row) => row.share, cell: (row) => textOf(row.key) },
    { id: 'value', name: t(kind === 'pages' ? 'views' : 'figure.visitors'), numeric: true, cell: (row) => number(row.values[measure] ?? 0) },
    ...(!isCompared(report)
      ? []
      : [
          {
            id: 'change',
            name: t('change'),
            numeric: true,
            cell: (row: Row) => (
              <Delta
                now={row.values[measure]}
                before={row.compare?.[measure] ?? null}
                better="more"
                sample={Math.min(row.values.visits ?? 0, row.compare?.visits ?? 0)}
                hint={`${number(row.values[measure] ?? 0)} / ${number(row.compare?.[measure] ?? 0)}`}
              />
            ),
          },
        ]),
  ];
  const open = (row: Row): void => {
    void navigate({ pathname, search: new URLSearchParams({ filter: filterText({ by, op: 'is', values: [row.key] }) }).toString() });
  };
  return (
    <div data-half="">
      <Section
        title={name}
        note={t('lastSeven')}
        actions={<MoreLink to={{ pathname: href(reportId, { siteId: site.id }), search: `sort=${measure}.desc` }} name={name} />}
      >
        <SectionState name={name} result={result} skeleton={<RowsSkeleton rows={most} />}>
          {(report) => (
            <DataTable
              label={name}
              columns={columnsOf(report)}
              rows={report.rows ?? []}
              rowKey={(row) => row.key}
              dense
              onRow={open}
              onSort={() => undefined}
              empty={t('noRows')}
            />
          )}
        </SectionState>
      </Section>
    </div>
  );
};
