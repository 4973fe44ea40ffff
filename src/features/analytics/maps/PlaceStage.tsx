import { styled } from '@mui/material/styles';
import type { CSSProperties, ReactElement } from 'react';
import { isCompared } from '../analyticsApi';
import { useLabels } from '../useLabels';
import { MapDrawing } from './MapDrawing';
import { MapLegend } from './MapLegend';
import { MapReading } from './MapReading';
import type { Outline } from './outline';
import { PlaceNotes } from './PlaceNotes';
import type { MapPlaces } from './useMapPlaces';

const Frame = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, var(--map, 820px)) minmax(200px, 260px)',
  gap: 32,
  alignItems: 'start',
  '@media (max-width: 899px)': { gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 },
});
const Stage = styled('div')({ borderRadius: 'var(--radius)', touchAction: 'pan-y', padding: 4, margin: -4 });

/** The map with its legend, and the values of the highlighted region beside it. */
export const PlaceStage = ({ places, outline }: { readonly places: MapPlaces; readonly outline: Outline }): ReactElement => {
  const { title, small, measure, rows, values, drawn, breaks, names, pick } = places;
  const { index, bare, onRead, onKeyDown } = places.reading;
  const labels = useLabels();
  const { t } = labels;
  const code = index === null ? null : (rows[index]?.key ?? null);
  return (
    <Frame {...(small ? { style: { '--map': '560px' } as CSSProperties } : {})}>
      <div>
        <Stage role="group" tabIndex={0} aria-label={t('blocks.map.keys', { name: title })} onKeyDown={onKeyDown} onBlur={() => onRead(null)}>
          <MapDrawing
            outline={outline}
            values={values}
            breaks={breaks}
            names={names}
            read={code ?? bare}
            southSea={t('blocks.map.southSea')}
            onRead={onRead}
            onPick={pick}
          />
        </Stage>
        <MapLegend
          values={[...values].flatMap(([place, value]) => (drawn.has(place) && value !== null && value > 0 ? [value] : []))}
          breaks={breaks}
          name={labels.measure(measure)}
          neutral={outline.neutral !== ''}
        />
        <PlaceNotes places={places} />
      </div>
      <PlaceReading places={places} />
      <span role="status" aria-live="polite" className="only-read">
        <SpokenPlace places={places} />
      </span>
    </Frame>
  );
};

const PlaceReading = ({ places }: { readonly places: MapPlaces }): ReactElement => {
  const { by, measure, report, rows, nameOf } = places;
  const { index, bare } = places.reading;
  const { t, nameOf: nameOfKey } = useLabels();
  const row = index === null ? undefined : rows[index];
  const compared = isCompared(report);
  if (index !== null && row !== undefined)
    return (
      <MapReading
        name={nameOf(row)}
        values={row.values}
        before={compared && bare === null ? row.compare : null}
        share={row.share}
        rank={row.key === '' ? null : index + 1}
        measure={measure}
      />
    );
  if (bare !== null) return <MapReading name={nameOfKey(by, bare)} values={null} before={null} share={null} rank={null} measure={measure} />;
  return (
    <MapReading
      name={t(`blocks.map.all.${by}`)}
      values={report.totals}
      before={compared ? report.compareTotals : null}
      share={null}
      rank={null}
      measure={measure}
    />
  );
};

/** The place reached by arrow keys, in words. */
const SpokenPlace = ({ places: { rows, measure, reading, nameOf } }: { readonly places: MapPlaces }): string => {
  const labels = useLabels();
  const { t, format } = labels;
  const { spoken } = reading;
  const row = spoken === null ? undefined : rows[spoken];
  if (spoken === null || row === undefined) return '';
  return [
    t('blocks.map.rank', { rank: spoken + 1 }),
    nameOf(row),
    `${labels.measure(measure)} ${labels.value(measure, row.values[measure])}`,
    row.share === null ? '' : t('blocks.map.share', { percent: format.percent(row.share) }),
  ]
    .filter((part) => part !== '')
    .join(t('list'));
};
