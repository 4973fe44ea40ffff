import type { VisitRow } from '@contract/analytics/schemas';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import type { ReactElement, ReactNode } from 'react';
import { csvText, saveText } from '@/lib/csvFile';
import { todayIn } from '@/lib/days';
import { phone, useMedia } from '@/lib/useMedia';
import { DataTable } from '@/ui/DataTable';
import { type Column, readColumns } from '@/ui/tableColumns';
import { useLabels, type Labels } from './useLabels';
import { VisitDetail } from './VisitDetail';

const Quiet = styled('span')({ color: 'var(--ink-2)' });
const Cut = styled('span')({ display: 'inline-block', maxWidth: 180, overflow: 'hidden', textOverflow: 'ellipsis', verticalAlign: 'bottom' });
const Online = styled('span')({ display: 'inline-block', width: 7, height: 7, borderRadius: '50%', background: 'var(--good)', marginInlineStart: 8 });
/** Two lines, as wide as the frame of the table leaves beside the caret. Of the second, the device is shortened first. */
const Lines = styled('span')({
  display: 'grid',
  alignContent: 'center',
  gap: 2,
  width: 'calc(100cqw - 40px)',
  minHeight: 44,
  padding: '6px 0',
  '& > span': { display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 },
  '& > span + span': { fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' },
  '& > span > span': { overflow: 'hidden', textOverflow: 'ellipsis', flex: '0 1 auto' },
  '& > span:first-of-type > span:first-of-type': { flex: 'none' },
  '& > span + span > span:not(:last-of-type)': { flexShrink: 0, maxWidth: '45%' },
});
const Label = styled('span')({
  padding: '1px 6px',
  borderRadius: 'var(--radius)',
  fontSize: 'var(--text-secondary)',
  background: 'var(--warning-ground)',
  color: 'var(--warning)',
  '&[data-new]': { background: 'var(--info-ground)', color: 'var(--info)' },
});

/** A column of the list, and its value in a file: exact times and numbers. */
type VisitColumn = Column<VisitRow> & { readonly write: (row: VisitRow) => string | number };

const figureColumns = ({ t, format }: Labels): readonly VisitColumn[] => [
  { id: 'pages', name: t('latest.pages'), numeric: true, write: (row) => row.views, cell: (row) => format.number(row.views) },
  {
    id: 'duration',
    name: t('latest.duration'),
    numeric: true,
    write: (row) => Math.round(row.durationMs / 1000),
    cell: (row) => format.duration(row.durationMs / 1000),
  },
  {
    id: 'engaged',
    name: t('latest.engaged'),
    numeric: true,
    extra: true,
    write: (row) => Math.round(row.engagedMs / 1000),
    cell: (row) => format.duration(row.engagedMs / 1000),
  },
  { id: 'events', name: t('latest.events'), numeric: true, extra: true, write: (row) => row.events, cell: (row) => format.number(row.events) },
];

/** New or returning, and whether it seems to be a bot. */
const visitorColumn = ({ t }: Labels): VisitColumn => {
  const verdict = (row: VisitRow): string => t(`latest.verdict.${row.verdict}`);
  return {
    id: 'visitor',
    name: t('latest.visitor'),
    write: (row) => [row.isNew ? t('latest.new') : t('latest.returning', { count: row.visitNo }), ...(row.verdict === 'human' ? [] : [verdict(row)])].join(' '),
    cell: (row) => (
      <>
        {row.isNew ? <Label data-new="">{t('latest.new')}</Label> : <Quiet>{t('latest.returning', { count: row.visitNo })}</Quiet>}
        {row.verdict !== 'human' && (
          <>
            {' '}
            <Label title={row.botReasons.map((code) => t(`reason.${code as 'agent'}`, { defaultValue: code })).join(t('list'))}>{verdict(row)}</Label>
          </>
        )}
      </>
    ),
  };
};

/** What columns and lines of the list write about a visit. */
const textsOf = ({ t, format, nameOf, place }: Labels, timeZone: string, today: string) => ({
  when: (at: number): string =>
    todayIn(timeZone, at) === today
      ? format.time(at, { timeZone, seconds: true })
      : `${format.monthDay(todayIn(timeZone, at))} ${format.time(at, { timeZone })}`,
  full: (at: number): string => format.dateTime(at, { timeZone, seconds: true }),
  where: (row: VisitRow): string => place(row.country, row.province, row.city),
  source: (row: VisitRow): string => (row.sourceType === 'direct' ? t('sourceType.direct') : nameOf('sourceName', row.sourceName)),
});

/** The only column on a phone: when and where, and below that page, source and device. */
const phoneColumn = (labels: Labels, timeZone: string, today: string): Column<VisitRow> => {
  const { t, device, nameOf } = labels;
  const { when, where, source } = textsOf(labels, timeZone, today);
  const part = (text: string): ReactNode => <span title={text}>{text}</span>;
  return {
    id: 'visit',
    name: t('latest.visitor'),
    cell: (row) => (
      <Lines>
        <span>
          <span>{when(row.last)}</span>
          {part(where(row) || t('unknown.value'))}
          {row.online && <Online role="img" aria-label={t('latest.onlineNow')} />}
          {row.verdict !== 'human' && <Label>{t(`latest.verdict.${row.verdict}`)}</Label>}
        </span>
        <span>
          {part(row.exitPath === '' ? row.entryPath : row.exitPath)}
          {part(source(row))}
          {part(device(row) || nameOf('deviceType', row.deviceType))}
        </span>
      </Lines>
    ),
  };
};

const columnsOf = (labels: Labels, timeZone: string, today: string): readonly VisitColumn[] => {
  const { t, nameOf, device, product } = labels;
  const { when, full, where, source } = textsOf(labels, timeZone, today);
  const dim = (text: string): ReactNode => (text === '' ? <Quiet>–</Quiet> : <Cut title={text}>{text}</Cut>);
  const plain = (id: string, name: string, write: (row: VisitRow) => string, extra = true): VisitColumn => ({
    id,
    name,
    write,
    cell: (row) => dim(write(row)),
    ...(extra ? { extra: true } : {}),
  });
  return [
    {
      id: 'last',
      name: t('latest.last'),
      write: (row) => full(row.last),
      cell: (row) => (
        <span title={full(row.last)}>
          {when(row.last)}
          {row.online && <Online role="img" aria-label={t('latest.onlineNow')} title={t('latest.onlineNow')} />}
        </span>
      ),
    },
    plain('start', t('latest.start'), (row) => full(row.start)),
    {
      id: 'place',
      name: t('latest.place'),
      write: where,
      cell: (row) => where(row) || <Quiet>{t('unknown.value')}</Quiet>,
    },
    {
      id: 'source',
      name: t('latest.source'),
      write: source,
      cell: (row) => (
        <Cut title={[row.referrer, row.keyword].filter((one) => one !== '').join('\n')}>
          {source(row)}{' '}
          {row.sourceType !== 'direct' && <Quiet>{row.keyword === '' ? t(`sourceType.${row.sourceType}`) : t('latest.quoted', { text: row.keyword })}</Quiet>}
        </Cut>
      ),
    },
    plain('sourceType', t('dimension.sourceType'), (row) => t(`sourceType.${row.sourceType}`)),
    plain('keyword', t('latest.keyword'), (row) => row.keyword),
    plain('referrer', t('latest.entryReferrer'), (row) => row.referrer),
    plain('entry', t('latest.entry'), (row) => row.entryPath, false),
    plain('exit', t('dimension.exitPath'), (row) => row.exitPath),
    {
      id: 'device',
      name: t('latest.device'),
      write: (row) => [nameOf('deviceType', row.deviceType), device(row)].filter((one) => one !== '').join(' · '),
      cell: (row) => (
        <Cut title={`${nameOf('deviceType', row.deviceType)} ${device(row)}`} style={{ maxWidth: 220 }}>
          {nameOf('deviceType', row.deviceType)} <Quiet>{device(row)}</Quiet>
        </Cut>
      ),
    },
    plain('screen', t('latest.screen'), (row) => row.screen),
    plain('language', t('latest.language'), (row) => row.language),
    plain('address', t('latest.address'), (row) => row.address),
    plain('isp', t('latest.isp'), (row) => product(row.isp)),
    ...figureColumns(labels),
    plain('visitorId', t('latest.visitorId'), (row) => row.visitor),
    visitorColumn(labels),
  ];
};

/** The chosen columns of the list, from the address or from storage; the first one is always shown. */
const shownOf = (columns: readonly VisitColumn[], chosen: readonly string[] | null): readonly VisitColumn[] =>
  columns.filter(({ id, extra }, at) => at === 0 || (chosen === null ? extra !== true : chosen.includes(id)));

const remember = 'als.latest';

/** Visits as rows; a row expands to the pages of the visit. */
export const VisitTable = ({
  rows,
  fresh,
  site,
  today,
  search,
  columns: inAddress,
  onColumns,
}: {
  rows: readonly VisitRow[];
  fresh: ReadonlySet<string>;
  site: Site;
  today: string;
  search: string;
  columns: readonly string[] | null;
  onColumns: (ids: readonly string[] | null) => void;
}): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const onPhone = useMedia(phone);
  return (
    <DataTable
      label={t('latest.list')}
      {...(onPhone
        ? { columns: [phoneColumn(labels, site.timeZone, today)] }
        : { columns: columnsOf(labels, site.timeZone, today), remember, chosen: inAddress ?? readColumns(remember), onChoose: onColumns })}
      rows={rows}
      rowKey={(row) => row.visitId}
      fresh={fresh}
      onSort={() => undefined}
      detail={(row) => <VisitDetail visit={row} siteId={site.id} timeZone={site.timeZone} search={search} />}
    />
  );
};

/** Links to the visits on the screen as files: the chosen columns (CSV), or all data (JSON). Absent without the permission to export. */
export const VisitFiles = ({
  rows,
  site,
  today,
  columns: inAddress,
}: {
  rows: readonly VisitRow[];
  site: Site;
  today: string;
  columns: readonly string[] | null;
}): ReactElement | null => {
  const labels = useLabels();
  const { t } = labels;
  if (!mayOnSite(site.role, 'analytics.export')) return null;
  const name = `${site.slug}-${today}`;
  const saveCsv = (): void => {
    const visible = shownOf(columnsOf(labels, site.timeZone, today), inAddress ?? readColumns(remember));
    saveText(`${name}.csv`, 'text/csv', csvText([visible.map((column) => column.name), ...rows.map((row) => visible.map((column) => column.write(row)))]));
  };
  return (
    <>
      <Button size="small" disabled={rows.length === 0} onClick={saveCsv}>
        {t('controls.csv')}
      </Button>
      <Button size="small" disabled={rows.length === 0} onClick={() => saveText(`${name}.json`, 'application/json', JSON.stringify(rows, null, 2))}>
        {t('controls.json')}
      </Button>
    </>
  );
};
