import MapIcon from '@mui/icons-material/MapOutlined';
import TableIcon from '@mui/icons-material/TableRowsOutlined';
import type { MeasureId, Report, Row } from '@contract/analytics/schemas';
import { Button, IconButton } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type CSSProperties, type ReactElement, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { sharedSecret } from '@/lib/sharedLink';
import { href } from '@/routes/paths';
import { DataTable } from '@/ui/DataTable';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { isCompared, useReportQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import type { BlockProps, LateBlock } from './blocks';
import { narrowed, withFilter } from './filters';
import { MapDrawing } from './maps/MapDrawing';
import { MapLegend } from './maps/MapLegend';
import { MapReading } from './maps/MapReading';
import { breaksOf } from './maps/scale';
import { useOutline } from './maps/useOutline';
import { measureColumns } from './measureColumns';
import { QuietSelect } from './QuietSelect';
import { carried, reportQuery, writeState } from './urlState';
import { useRowReading } from './useRowReading';
import { useLabels } from './useLabels';

const measures = ['visits', 'visitors', 'views', 'newVisitors', 'ips'] as const satisfies readonly MeasureId[];
type Shown = (typeof measures)[number];
const Frame = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, var(--map, 820px)) minmax(200px, 260px)',
  gap: 32,
  alignItems: 'start',
  '@media (max-width: 899px)': { gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 },
});
const Stage = styled('div')({ borderRadius: 'var(--radius)', touchAction: 'pan-y', padding: 4, margin: -4 });
const Note = styled('p')({ color: 'var(--ink-2)', fontSize: '0.8125rem', marginTop: 8 });
/** More names would cover the map. */
const namedFirst = 6;

/** Visits by province on a map of China, or by country on a world map; its table has the same data. */
const MapBlock: LateBlock<'map'> = ({ block, ...props }): ReactElement | null =>
  block.small === true && props.state.by !== null ? null : <PlaceMap key={block.by} {...props} by={block.by} small={block.small === true} />;

const PlaceMap = ({ site, state, own, change, by, small }: BlockProps & { readonly by: 'province' | 'country'; readonly small: boolean }): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  const measure: Shown = measures.find((id) => id === state.sort?.id) ?? 'visits';
  const inChina = by === 'province';
  const asked = useMemo(() => (inChina ? { ...state, filters: narrowed(state.filters, ['country:is:CN']) } : state), [inChina, state]);
  const answer = useReportQuery({ siteId: site.id, ...reportQuery(asked), by, sort: measure, size: 500 });
  const whole = useReportQuery({ siteId: site.id, ...reportQuery({ ...state, filters: own }), compare: 'none' }, { skip: !inChina });
  const [table, setTable] = useState(false);
  const title = t(`blocks.map.${by}`);
  const everywhere = whole.currentData?.totals.visits ?? 0;
  const chinese = answer.currentData?.totals.visits ?? 0;
  const away = inChina && everywhere > 0 && answer.currentData !== undefined ? (everywhere - chinese) / everywhere : 0;
  return (
    <div style={{ marginBottom: 32 }}>
      <Section
        title={title}
        actions={
          <>
            <QuietSelect
              label={t('blocks.map.measure')}
              value={measure}
              options={measures.map((id) => ({ id, name: labels.measure(id) }))}
              onChange={(id) => change({ sort: { id, dir: 'desc' } }, 'replace')}
            />
            <IconButton
              size="small"
              aria-pressed={table}
              aria-label={t(table ? 'blocks.map.asMap' : 'blocks.map.asTable')}
              title={t(table ? 'blocks.map.asMap' : 'blocks.map.asTable')}
              onClick={() => setTable(!table)}
            >
              {table ? <MapIcon fontSize="small" /> : <TableIcon fontSize="small" />}
            </IconButton>
          </>
        }
      >
        <BlockState name={title} answer={answer} skeleton={<Bone h={420} style={{ opacity: 0.5, maxWidth: 820 }} />}>
          {(report) => (
            <>
              {(report.rows ?? []).length === 0 ? (
                <Note>{t(`blocks.map.empty.${by}`)}</Note>
              ) : (
                <Places {...{ site, state, own, change, by, measure, report, table, small }} />
              )}
              {away > 0.0005 && (
                <Note>
                  {t('blocks.map.elsewhere', { percent: format.percent(away) })}
                  {sharedSecret === null && (
                    <Button
                      size="small"
                      component={Link}
                      to={{
                        pathname: href('site.als.loc.countries', { siteId: site.id }),
                        search: writeState({ ...carried(state), filters: own }, new URLSearchParams()).toString(),
                      }}
                      sx={{ ml: 0.5, py: 0, color: 'info.main' }}
                    >
                      {t('blocks.map.world')}
                    </Button>
                  )}
                </Note>
              )}
            </>
          )}
        </BlockState>
      </Section>
    </div>
  );
};

type PlacesProps = Pick<BlockProps, 'site' | 'state' | 'own' | 'change'> & {
  readonly by: 'province' | 'country';
  readonly measure: Shown;
  readonly report: Report;
  readonly table: boolean;
  readonly small: boolean;
};

const Places = ({ site, state, own, change, by, measure, report, table, small }: PlacesProps): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  const navigate = useNavigate();
  const { outline, failed, retry } = useOutline(by);
  const rows = useMemo(() => report.rows ?? [], [report]);
  const title = t(`blocks.map.${by}`);
  const nameOf = (row: Row): string => (row.key === '' ? t('blocks.map.unknownPlace') : labels.nameOf(by, row.key));
  const pick = (code: string): void => {
    const filters = withFilter(own, { by, op: 'is', values: [code] });
    // A shared report stays on its screen.
    if (sharedSecret !== null) {
      change({ filters });
      return;
    }
    // Visits from China are split by province first.
    const next = by === 'country' && code === 'CN' ? 'site.als.loc.provinces' : 'site.als.loc.cities';
    void navigate({ pathname: href(next, { siteId: site.id }), search: writeState({ ...carried(state), filters }, new URLSearchParams()).toString() });
  };
  const { index, spoken, set, onKeyDown } = useRowReading(rows.length, (at) => {
    const row = rows[at];
    if (row !== undefined) pick(row.key);
  });
  const values = useMemo(() => new Map(rows.map((row) => [row.key, row.values[measure]])), [rows, measure]);
  const drawn = useMemo(() => new Set((outline?.regions ?? []).map(({ code }) => code)), [outline]);
  const breaks = useMemo(() => breaksOf([...values].flatMap(([code, value]) => (drawn.has(code) && value !== null ? [value] : []))), [values, drawn]);
  const names = useMemo(() => {
    const list =
      by === 'province' && format.locale !== 'en'
        ? [...drawn]
        : rows
            .map(({ key }) => key)
            .filter((key) => drawn.has(key))
            .slice(0, namedFirst);
    return new Map(small ? [] : list.map((code) => [code, labels.nameOf(by, code)]));
  }, [by, drawn, rows, format.locale, labels, small]);
  const codeAt = index === null ? null : (rows[index]?.key ?? null);
  // Regions without visits have no row; hovering over them says so.
  const [bare, setBare] = useState<string | null>(null);
  const onRead = (code: string | null): void => {
    const at = rows.findIndex(({ key }) => key === code);
    set(at < 0 ? null : at);
    setBare(at < 0 ? code : null);
  };
  const read = index === null ? undefined : rows[index];
  const heard = spoken === null ? undefined : rows[spoken];
  const unknown = rows.find(({ key }) => key === '');
  const undrawn = outline === null ? [] : rows.filter(({ key }) => key !== '' && !drawn.has(key));
  const notes = (
    <>
      {unknown !== undefined && (unknown.values[measure] ?? 0) > 0 && (
        <Note>
          {t('blocks.map.unknown', {
            value: `${labels.value(measure, unknown.values[measure])} ${labels.measure(measure)}`,
            percent: unknown.share === null ? '' : format.percent(unknown.share),
          })}
        </Note>
      )}
      {undrawn.length > 0 && <Note>{t('blocks.map.small', { names: undrawn.map(nameOf).join(t('list')) })}</Note>}
    </>
  );
  const asTable = (
    <DataTable
      label={title}
      columns={[
        { id: 'name', name: t(`dimension.${by}`), fills: true, share: (row) => row.share, cell: nameOf },
        ...measureColumns<Row>({
          labels,
          shown: [measure, ...measures.filter((id) => id !== measure).slice(0, 2)],
          more: [],
          totals: report.totals,
          of: (row) => row.values,
          before: (row) => (isCompared(report) ? row.compare : null),
          differences: [measure],
        }),
      ]}
      rows={rows}
      rowKey={({ key }) => key}
      dense
      onRow={({ key }) => pick(key)}
      rowHint={(row) => t('blocks.map.hint', { name: nameOf(row) })}
      totalLabel={t('block.total')}
    />
  );
  if (table || failed)
    return (
      <>
        {failed && !table && (
          <Note role="alert">
            {t('blocks.map.failed')}
            <Button size="small" onClick={retry} sx={{ ml: 1 }}>
              {t('blocks.map.retry')}
            </Button>
          </Note>
        )}
        {asTable}
        {undrawn.length === 0 ? null : notes}
      </>
    );
  if (outline === null) return <Bone h={small ? 240 : 420} style={{ opacity: 0.5, maxWidth: 820 }} />;
  return (
    <Frame {...(small ? { style: { '--map': '560px' } as CSSProperties } : {})}>
      <div>
        <Stage role="group" tabIndex={0} aria-label={t('blocks.map.keys', { name: title })} onKeyDown={onKeyDown} onBlur={() => onRead(null)}>
          <MapDrawing
            outline={outline}
            values={values}
            breaks={breaks}
            names={names}
            read={codeAt ?? bare}
            southSea={t('blocks.map.southSea')}
            onRead={onRead}
            onPick={pick}
          />
        </Stage>
        <MapLegend
          values={[...values].flatMap(([code, value]) => (drawn.has(code) && value !== null && value > 0 ? [value] : []))}
          breaks={breaks}
          name={labels.measure(measure)}
          neutral={outline.neutral !== ''}
        />
        {notes}
      </div>
      <MapReading
        name={read !== undefined ? nameOf(read) : bare !== null ? labels.nameOf(by, bare) : t(`blocks.map.all.${by}`)}
        values={read !== undefined ? read.values : bare !== null ? null : report.totals}
        before={!isCompared(report) || bare !== null ? null : read !== undefined ? read.compare : report.compareTotals}
        share={read?.share ?? null}
        rank={read === undefined || index === null || read.key === '' ? null : index + 1}
        measure={measure}
      />
      <span role="status" aria-live="polite" className="only-read">
        {heard === undefined || spoken === null
          ? ''
          : [
              t('blocks.map.rank', { rank: spoken + 1 }),
              nameOf(heard),
              `${labels.measure(measure)} ${labels.value(measure, heard.values[measure])}`,
              heard.share === null ? '' : t('blocks.map.share', { percent: format.percent(heard.share) }),
            ]
              .filter((part) => part !== '')
              .join(t('list'))}
      </span>
    </Frame>
  );
};

export default MapBlock;
