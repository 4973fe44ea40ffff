import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useLabels } from '../useLabels';
import type { MapPlaces } from './useMapPlaces';

export const Note = styled('p')({ color: 'var(--ink-2)', fontSize: 'var(--text-table)', marginTop: 8 });

/** What the map cannot show: visits without a place, and places too small to draw. */
export const PlaceNotes = ({ places: { rows, measure, undrawn, nameOf } }: { readonly places: MapPlaces }): ReactElement => {
  const labels = useLabels();
  const { t, format } = labels;
  const unknown = rows.find(({ key }) => key === '');
  return (
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
};
