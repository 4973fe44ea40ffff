import type { CardData } from '@contract/dashboard/schemas';
import type { Site } from '@contract/sites/schemas';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { filterText } from '@/lib/filterText';
import { useFormat } from '@/lib/format';
import { usePlaces } from '@/lib/usePlaces';
import { href } from '@/routes/paths';
import { DataTable } from '@/ui/DataTable';
import { Delta } from '@/ui/Delta';
import { RowsSkeleton } from '@/ui/skeletons';
import type { Column } from '@/ui/tableColumns';
import { CardSection, Quiet } from './CardSection';
import type { Dashboard } from './useDashboard';

const kinds = {
  pages: { by: 'path', measure: 'views', report: 'site.als.path' },
  sources: { by: 'sourceName', measure: 'visitors', report: 'site.als.source' },
} as const;
type Row = CardData<'top'>['pages'][number];

/** The five most viewed pages, or the top five sources, of the last seven days with their change. */
export const TopCard = ({ site, dashboard, kind }: { site: Site; dashboard: Dashboard; kind: keyof typeof kinds }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const { number, locale } = useFormat();
  const places = usePlaces();
  const navigate = useNavigate();
  const { by, measure, report } = kinds[kind];
  const name = t(`card.${kind}`);
  const textOf = (key: string): string =>
    key === '' ? t(kind === 'sources' ? 'direct' : 'unknown') : kind === 'pages' ? key : (places?.productName(key, locale === 'en' ? 'en' : 'zh-CN') ?? key);
  const columnsFor = (compared: boolean): Column<Row>[] => [
    { id: 'name', name: t(kind === 'pages' ? 'page' : 'source'), fills: true, share: (row) => row.share, cell: (row) => textOf(row.key) },
    { id: 'value', name: t(`figure.${measure}`), numeric: true, cell: (row) => number(row.now) },
    ...(compared
      ? [
          {
            id: 'change',
            name: t('change'),
            numeric: true,
            cell: (row: Row) => (
              <Delta
                now={row.now}
                before={row.before}
                better="more"
                sample={Math.min(row.now, row.before)}
                hint={`${number(row.now)} / ${number(row.before)}`}
              />
            ),
          },
        ]
      : []),
  ];
  return (
    <CardSection
      id="top"
      dashboard={dashboard}
      title={name}
      note={t('lastSeven')}
      more={`${href(report, { siteId: site.id })}?sort=${measure}.desc`}
      columns={6}
      skeleton={<RowsSkeleton rows={5} />}
      empty={<Quiet>{t('noRows')}</Quiet>}
    >
      {(data) => (
        <DataTable
          label={name}
          columns={columnsFor(data.compared)}
          rows={data[kind]}
          rowKey={(row) => row.key}
          dense
          onRow={(row) =>
            void navigate({
              pathname: href('site.als.overview', { siteId: site.id }),
              search: new URLSearchParams({ filter: filterText({ by, op: 'is', values: [row.key] }) }).toString(),
            })
          }
          onSort={() => undefined}
          empty={t('noRows')}
        />
      )}
    </CardSection>
  );
};
