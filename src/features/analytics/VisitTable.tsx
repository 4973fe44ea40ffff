import type { VisitRow } from '@contract/analytics';
import type { Site } from '@contract/sites';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { todayIn } from '@/lib/days';
import { readablePath } from '@/lib/readablePath';
import { DataTable } from '@/ui/DataTable';
import type { Column } from '@/ui/tableColumns';
import { useWords } from './useWords';
import { VisitDetail } from './VisitDetail';

const Quiet = styled('span')({ color: 'var(--ink-2)' });
const Cut = styled('span')({ display: 'inline-block', maxWidth: 180, overflow: 'hidden', textOverflow: 'ellipsis', verticalAlign: 'bottom' });
const Online = styled('span')({ display: 'inline-block', width: 7, height: 7, borderRadius: '50%', background: 'var(--good)', marginInlineStart: 8 });
const Label = styled('span')({
  padding: '1px 6px',
  borderRadius: 'var(--radius)',
  fontSize: '0.75rem',
  background: 'var(--warning-ground)',
  color: 'var(--warning)',
  '&[data-new]': { background: 'var(--info-ground)', color: 'var(--info)' },
});

/** Visits as rows; a row opens to the pages of the visit. */
export const VisitTable = ({
  rows,
  fresh,
  site,
  today,
  search,
}: {
  rows: readonly VisitRow[];
  fresh: ReadonlySet<string>;
  site: Site;
  today: string;
  search: string;
}): ReactElement => {
  const { t, format, nameOf, place, device } = useWords();
  const { timeZone } = site;
  const when = (at: number): string =>
    todayIn(timeZone, at) === today ? format.time(at, { timeZone, seconds: true }) : `${todayIn(timeZone, at).slice(5)} ${format.time(at, { timeZone })}`;
  const columns: Column<VisitRow>[] = [
    {
      id: 'last',
      name: t('latest.last'),
      cell: (row) => (
        <span title={format.dateTime(row.last, { timeZone, seconds: true })}>
          {when(row.last)}
          {row.online && <Online role="img" aria-label={t('latest.onlineNow')} title={t('latest.onlineNow')} />}
        </span>
      ),
    },
    { id: 'place', name: t('latest.place'), cell: (row) => place(row.country, row.province, row.city) || <Quiet>{t('unknown.value')}</Quiet> },
    {
      id: 'source',
      name: t('latest.source'),
      cell: (row) => (
        <Cut title={[row.referrer, row.keyword].filter((one) => one !== '').join('\n')}>
          {row.sourceType === 'direct' ? (
            t('sourceType.direct')
          ) : (
            <>
              {nameOf('sourceName', row.sourceName)}{' '}
              <Quiet>{row.keyword === '' ? t(`sourceType.${row.sourceType}`) : t('latest.quoted', { text: row.keyword })}</Quiet>
            </>
          )}
        </Cut>
      ),
    },
    { id: 'entry', name: t('latest.entry'), cell: (row) => <Cut title={readablePath(row.entryPath)}>{readablePath(row.entryPath)}</Cut> },
    {
      id: 'device',
      name: t('latest.device'),
      cell: (row) => (
        <Cut title={device(row)} style={{ maxWidth: 220 }}>
          {nameOf('deviceType', row.deviceType)} <Quiet>{device(row)}</Quiet>
        </Cut>
      ),
    },
    { id: 'pages', name: t('latest.pages'), numeric: true, cell: (row) => format.number(row.views) },
    { id: 'duration', name: t('latest.duration'), numeric: true, cell: (row) => format.duration(row.durationMs / 1000) },
    {
      id: 'visitor',
      name: t('latest.visitor'),
      cell: (row) => (
        <>
          {row.isNew ? <Label data-new="">{t('latest.new')}</Label> : <Quiet>{t('latest.returning', { count: row.visitNo })}</Quiet>}
          {row.verdict !== 'human' && (
            <>
              {' '}
              <Label title={row.botReasons.map((code) => t(`reason.${code as 'agent'}`, { defaultValue: code })).join(t('list'))}>
                {t(`latest.verdict.${row.verdict}`)}
              </Label>
            </>
          )}
        </>
      ),
    },
  ];
  return (
    <DataTable
      label={t('latest.list')}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.visitId}
      fresh={fresh}
      remember="als.latest"
      onSort={() => undefined}
      detail={(row) => <VisitDetail visit={row} siteId={site.id} timeZone={timeZone} search={search} />}
    />
  );
};
