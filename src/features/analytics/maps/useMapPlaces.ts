import type { MeasureId, Report, Row } from '@contract/analytics/schemas';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { publicLinkSecret } from '@/lib/publicLink';
import { href } from '@/routes/paths';
import type { BlockProps } from '../blocks';
import { withFilter } from '../filters';
import { carried, writeState } from '../urlState';
import { useLabels } from '../useLabels';
import { useRowReading } from '../useRowReading';
import type { Outline } from './outline';
import { breaksOf } from './scale';
import { useOutline } from './useOutline';

export const mapMeasures = ['visits', 'visitors', 'views', 'newVisitors', 'ips'] as const satisfies readonly MeasureId[];
export type MapMeasure = (typeof mapMeasures)[number];

export type PlacesProps = Pick<BlockProps, 'site' | 'state' | 'own' | 'change'> & {
  readonly by: 'province' | 'country';
  readonly measure: MapMeasure;
  readonly report: Report;
  readonly table: boolean;
  readonly small: boolean;
};

/** More names would cover the map. */
const namedFirst = 6;

/** Filters by a region and goes one level deeper. */
const usePick = ({ site, state, own, change, by }: PlacesProps): ((code: string) => void) => {
  const navigate = useNavigate();
  return (code) => {
    const filters = withFilter(own, { by, op: 'is', values: [code] });
    // A public report stays on its screen.
    if (publicLinkSecret !== null) {
      change({ filters });
      return;
    }
    // Visits from China are split by province first.
    const next = by === 'country' && code === 'CN' ? 'site.als.loc.provinces' : 'site.als.loc.cities';
    void navigate({ pathname: href(next, { siteId: site.id }), search: writeState({ ...carried(state), filters }, new URLSearchParams()).toString() });
  };
};

/** The highlighted row, and `bare`: a region without visits has no row, but hovering over it says so. */
const usePlaceReading = (rows: readonly Row[], pick: (code: string) => void) => {
  const { index, spoken, set, onKeyDown } = useRowReading(rows.length, (at) => {
    const row = rows[at];
    if (row !== undefined) pick(row.key);
  });
  const [bare, setBare] = useState<string | null>(null);
  const onRead = (code: string | null): void => {
    const at = rows.findIndex(({ key }) => key === code);
    set(at < 0 ? null : at);
    setBare(at < 0 ? code : null);
  };
  return { index, spoken, bare, onRead, onKeyDown };
};

/** Values by code, the codes that the map draws, and the bounds of the colours, which only drawn regions decide. */
const usePlaceScale = (rows: readonly Row[], outline: Outline | null, measure: MapMeasure) => {
  const values = useMemo(() => new Map(rows.map((row) => [row.key, row.values[measure]])), [rows, measure]);
  const drawn = useMemo(() => new Set((outline?.regions ?? []).map(({ code }) => code)), [outline]);
  const breaks = useMemo(() => breaksOf([...values].flatMap(([code, value]) => (drawn.has(code) && value !== null ? [value] : []))), [values, drawn]);
  return { values, drawn, breaks };
};

/** Everything that the map and the table of one report share. */
export const useMapPlaces = (props: PlacesProps) => {
  const { by, measure, report, small } = props;
  const labels = useLabels();
  const { t, format } = labels;
  const pick = usePick(props);
  const { outline, failed, retry } = useOutline(by);
  const rows = useMemo(() => report.rows ?? [], [report]);
  const reading = usePlaceReading(rows, pick);
  const { values, drawn, breaks } = usePlaceScale(rows, outline, measure);
  const names = useMemo(() => {
    const named =
      by === 'province' && format.locale !== 'en'
        ? [...drawn]
        : rows
            .map(({ key }) => key)
            .filter((key) => drawn.has(key))
            .slice(0, namedFirst);
    return new Map(small ? [] : named.map((code) => [code, labels.nameOf(by, code)]));
  }, [by, drawn, rows, format.locale, labels, small]);
  const nameOf = (row: Row): string => (row.key === '' ? t('blocks.map.unknownPlace') : labels.nameOf(by, row.key));
  const undrawn = outline === null ? [] : rows.filter(({ key }) => key !== '' && !drawn.has(key));
  return { ...props, title: t(`blocks.map.${by}`), outline, failed, retry, rows, nameOf, pick, reading, values, drawn, breaks, names, undrawn };
};

export type MapPlaces = ReturnType<typeof useMapPlaces>;
