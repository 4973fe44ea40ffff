import type { ReactElement, ReactNode } from 'react';
import { scrollMarks } from '@contract/insights/reports';
import type { EventDetail, EventRow, ScrollReport, SearchesReport } from '@contract/insights/reports';
import { Box, Button, Typography } from '@mui/material';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useFormat } from '@/lib/format';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { Pager } from '@/ui/Pager';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import type { Column } from '@/ui/tableColumns';
import { BlockState } from '../BlockState';
import { scopeOf } from '../blocksApi';
import { withFilter } from '../filters';
import { pageSizes, writeState } from '../urlState';
import { ExampleCode } from './ExampleCode';
import { InsightFrame, type InsightProps } from './InsightFrame';
import { useEventDetailQuery, useEventsReportQuery, useScrollQuery, useSearchesQuery } from './insightsApi';

const tabs = ['events', 'outbound', 'downloads', 'forms', 'notFound', 'searches', 'scroll'] as const;
type Tab = (typeof tabs)[number];
type Value = EventDetail['properties'][number]['values'][number];
type NextPage = NonNullable<SearchesReport['next']>[number];

const count = <R,>(id: string, name: string, of: (row: R) => number, write: (n: number) => string): Column<R> => ({
  id,
  name,
  numeric: true,
  sortable: true,
  value: of,
  cell: (row) => write(of(row)),
});
const Paging = ({ state, change, rows }: Pick<InsightProps, 'state' | 'change'> & { readonly rows: number }): ReactElement => (
  <Pager page={state.page} size={state.size} count={rows} sizes={pageSizes} onPage={(page) => change({ page })} onSize={(size) => change({ size })} />
);

/** A property: its most frequent values, and statistics of its numbers. */
const Property = ({ property }: { readonly property: EventDetail['properties'][number] }): ReactElement => {
  const { t } = useTranslation('insights');
  const { number, percent } = useFormat();
  const { numbers } = property;
  return (
    <Section
      title={property.name}
      note={[
        t('event.has', { count: property.count, countText: number(property.count) }),
        t('event.distinct', { count: property.distinct, countText: number(property.distinct) }),
        numbers ? t('event.numbers', { sum: number(numbers.sum), mean: number(numbers.mean), min: number(numbers.min), max: number(numbers.max) }) : '',
      ]
        .filter((one) => one !== '')
        .join(' · ')}
    >
      <DataTable
        label={property.name}
        rows={property.values}
        rowKey={({ value }) => value}
        columns={[
          { id: 'value', name: t('event.value'), fills: true, share: (row) => row.share, cell: ({ value }) => (value === '' ? t('event.blank') : value) },
          count<Value>('count', t('event.count'), (row) => row.count, number),
          { id: 'share', name: t('event.share'), numeric: true, cell: ({ share }) => percent(share) },
          count<Value>('visits', t('event.visits'), (row) => row.visits, number),
          count<Value>('visitors', t('event.visitors'), (row) => row.visitors, number),
        ]}
      />
    </Section>
  );
};

const Detail = ({
  site,
  state,
  change,
  name,
  title,
  back,
  empty,
}: InsightProps & { readonly name: string; readonly title: string; readonly back: boolean; readonly empty: ReactNode }): ReactElement => {
  const { t } = useTranslation('insights');
  const { number, date, time } = useFormat();
  const result = useEventDetailQuery({ siteId: site.id, ...scopeOf(state), name });
  return (
    <>
      {back && (
        <Button size="small" onClick={() => change({ at: null })} sx={{ mb: 1 }}>
          {t('event.back')}
        </Button>
      )}
      <BlockState name={title} result={result} skeleton={<RowsSkeleton rows={6} />}>
        {(detail) =>
          detail.count === 0 ? (
            empty
          ) : (
            <>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 0.5, mb: 2 }}>
                <Typography component="h2" variant="h2" sx={{ overflowWrap: 'anywhere' }}>
                  {title}
                </Typography>
                <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                  {t('event.summary', {
                    count: detail.count,
                    countText: number(detail.count),
                    visits: number(detail.visits),
                    visitors: number(detail.visitors),
                  })}
                  {detail.lastAt !== null &&
                    ` · ${t('event.lastAt', { at: `${date(detail.lastAt, { timeZone: site.timeZone, weekday: false })} ${time(detail.lastAt, { timeZone: site.timeZone })}` })}`}
                </Typography>
                <Button size="small" onClick={() => change({ filters: withFilter(state.filters, { by: 'event', op: 'is', values: [name] }) })}>
                  {t('event.filter')}
                </Button>
              </Box>
              {detail.properties.length === 0 ? (
                <EmptyState title={t('event.noProperties')} />
              ) : (
                detail.properties.map((property) => <Property key={property.name} property={property} />)
              )}
            </>
          )
        }
      </BlockState>
    </>
  );
};

const Events = (props: InsightProps): ReactElement => {
  const { site, state, change } = props;
  const { t } = useTranslation('insights');
  const { number, date, time } = useFormat();
  const result = useEventsReportQuery({ siteId: site.id, ...scopeOf(state), page: state.page, size: state.size }, { skip: state.at !== null });
  const empty = (
    <EmptyState title={t('event.emptyTitle')}>
      <ExampleCode code="sitewright('signup', {plan: 'pro'})">{t('event.example')}</ExampleCode>
    </EmptyState>
  );
  if (state.at !== null) return <Detail {...props} key={state.at} name={state.at} title={state.at} back empty={empty} />;
  return (
    <BlockState name={t('event.title')} result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(report) =>
        report.rowCount === 0 ? (
          empty
        ) : (
          <Section
            title={t('event.title')}
            note={t('event.summary', {
              count: report.totals.count,
              countText: number(report.totals.count),
              visits: number(report.totals.visits),
              visitors: number(report.totals.visitors),
            })}
          >
            <DataTable<EventRow>
              label={t('event.title')}
              rows={report.rows}
              rowKey={({ name }) => name}
              onRow={({ name }) => change({ at: name })}
              rowHint={({ name }) => t('event.open', { name })}
              columns={[
                { id: 'name', name: t('event.name'), fills: true, share: (row) => row.count / Math.max(1, report.totals.count), cell: ({ name }) => name },
                count('count', t('event.count'), (row) => row.count, number),
                count('visits', t('event.visits'), (row) => row.visits, number),
                count('visitors', t('event.visitors'), (row) => row.visitors, number),
                {
                  id: 'last',
                  name: t('event.last'),
                  numeric: true,
                  value: ({ lastAt }) => lastAt,
                  cell: ({ lastAt }) => `${date(lastAt, { timeZone: site.timeZone, weekday: false })} ${time(lastAt, { timeZone: site.timeZone })}`,
                },
              ]}
            />
            <Paging {...props} rows={report.rowCount} />
          </Section>
        )
      }
    </BlockState>
  );
};

const Searches = (props: InsightProps): ReactElement => {
  const { site, state, change } = props;
  const { t } = useTranslation('insights');
  const { number, percent } = useFormat();
  const result = useSearchesQuery({ siteId: site.id, ...scopeOf(state), page: state.page, size: state.size, ...(state.at === null ? {} : { term: state.at }) });
  type Row = SearchesReport['rows'][number];
  return (
    <BlockState name={t('search.title')} result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(report) =>
        report.searches === 0 ? (
          <EmptyState title={t('search.emptyTitle')}>{t('search.emptyText')}</EmptyState>
        ) : (
          <>
            <Section
              title={t('search.title')}
              note={t('search.summary', { count: report.searches, countText: number(report.searches), visitors: number(report.visitors) })}
            >
              <DataTable<Row>
                label={t('search.title')}
                rows={report.rows}
                rowKey={({ term }) => term}
                onRow={({ term }) => change({ at: state.at === term ? null : term })}
                rowHint={({ term }) => t('search.open', { term })}
                columns={[
                  { id: 'term', name: t('search.term'), fills: true, share: (row) => row.searches / report.searches, cell: ({ term }) => term },
                  count('searches', t('search.searches'), (row) => row.searches, number),
                  count('visitors', t('event.visitors'), (row) => row.visitors, number),
                  count('followed', t('search.followed'), (row) => row.followed, number),
                  count('again', t('search.again'), (row) => row.again, number),
                  {
                    ...count<Row>(
                      'left',
                      t('search.left'),
                      (row) => row.left / row.searches,
                      (n) => percent(n),
                    ),
                    hint: t('search.leftHelp'),
                  },
                ]}
              />
              <Paging {...props} rows={report.rowCount} />
            </Section>
            {report.next !== null && state.at !== null && (
              <Section title={t('search.next', { term: state.at })}>
                <DataTable
                  label={t('search.next', { term: state.at })}
                  rows={report.next}
                  rowKey={({ path }) => path}
                  empty={t('search.nextNone')}
                  columns={[
                    { id: 'path', name: t('scroll.page'), fills: true, cell: ({ path }) => path },
                    count<NextPage>('views', t('scroll.views'), (row) => row.views, number),
                  ]}
                />
              </Section>
            )}
          </>
        )
      }
    </BlockState>
  );
};

const Scroll = (props: InsightProps): ReactElement => {
  const { site, state } = props;
  const { t } = useTranslation('insights');
  const { number, percent } = useFormat();
  const result = useScrollQuery({ siteId: site.id, ...scopeOf(state), page: state.page, size: state.size });
  type Row = ScrollReport['rows'][number];
  return (
    <BlockState name={t('scroll.title')} result={result} skeleton={<RowsSkeleton rows={8} />}>
      {(report) =>
        report.totals.views === 0 ? (
          <EmptyState title={t('scroll.emptyTitle')}>{t('scroll.emptyText')}</EmptyState>
        ) : (
          <Section title={t('scroll.title')} note={t('scroll.note', { average: percent(report.totals.average ?? 0, 0) })}>
            <DataTable<Row>
              label={t('scroll.title')}
              rows={report.rows}
              rowKey={({ path }) => path}
              columns={[
                { id: 'path', name: t('scroll.page'), fills: true, cell: ({ path }) => path },
                count('views', t('scroll.views'), (row) => row.views, number),
                count<Row>(
                  'average',
                  t('scroll.average'),
                  (row) => row.average ?? 0,
                  (n) => percent(n, 0),
                ),
                ...scrollMarks.map((mark, at) =>
                  count<Row>(
                    `to${mark}`,
                    t('scroll.to', { mark }),
                    (row) => (row.reached[at] ?? 0) / Math.max(1, row.views),
                    (n) => percent(n, 0),
                  ),
                ),
              ]}
            />
            <Paging {...props} rows={report.rowCount} />
          </Section>
        )
      }
    </BlockState>
  );
};

const Content = (props: InsightProps): ReactElement => {
  const { t } = useTranslation('insights');
  const [params] = useSearchParams();
  const open: Tab = tabs.find((one) => one === props.state.view) ?? 'events';
  return (
    <>
      <TabLinks
        label={t('event.title')}
        current={open}
        tabs={tabs.map((id) => ({
          id,
          name: t(`tab.${id}`),
          to: `?${writeState({ ...props.state, view: id === tabs[0] ? null : id, at: null, page: 1 }, params).toString()}`,
        }))}
      />
      {open === 'events' && <Events {...props} />}
      {open === 'outbound' && (
        <Detail
          {...props}
          name="$outbound"
          title={t('tab.outbound')}
          back={false}
          empty={<EmptyState title={t('outbound.emptyTitle')}>{t('outbound.emptyText')}</EmptyState>}
        />
      )}
      {open === 'downloads' && (
        <Detail
          {...props}
          name="$download"
          title={t('tab.downloads')}
          back={false}
          empty={<EmptyState title={t('download.emptyTitle')}>{t('download.emptyText')}</EmptyState>}
        />
      )}
      {open === 'forms' && (
        <Detail
          {...props}
          name="$form"
          title={t('tab.forms')}
          back={false}
          empty={<EmptyState title={t('form.emptyTitle')}>{t('form.emptyText')}</EmptyState>}
        />
      )}
      {open === 'notFound' && (
        <Detail
          {...props}
          name="$404"
          title={t('tab.notFound')}
          back={false}
          empty={<EmptyState title={t('notFound.emptyTitle')}>{t('notFound.emptyText')}</EmptyState>}
        />
      )}
      {open === 'searches' && <Searches {...props} />}
      {open === 'scroll' && <Scroll {...props} />}
    </>
  );
};

/** Events on pages: the site's own events, outbound links, downloads, searches, and scroll depth. */
export const Component = (): ReactElement => <InsightFrame title="event">{(props) => <Content {...props} />}</InsightFrame>;
