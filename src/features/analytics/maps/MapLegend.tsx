import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { useLabels } from '../useLabels';
import { classColour } from './scale';

const List = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '4px 16px',
  listStyle: 'none',
  padding: 0,
  margin: '8px 0 0',
  fontSize: 'var(--text-secondary)',
  color: 'var(--ink-2)',
  '& li': { display: 'inline-flex', alignItems: 'center', gap: 6 },
});
const Swatch = styled('span')({ width: 20, height: 12, borderRadius: 2, border: '1px solid var(--line)' });

/** The colours of a map with their ranges of values. */
export const MapLegend = ({
  values,
  breaks,
  name,
  neutral,
}: {
  values: readonly number[];
  breaks: readonly number[];
  name: string;
  neutral: boolean;
}): ReactElement => {
  const { t, format } = useLabels();
  const starts = values.length === 0 ? [] : [Math.min(...values), ...breaks];
  const spans = starts.map((from, at) => {
    const next = starts[at + 1];
    if (next === undefined) return at === 0 ? format.number(from) : t('blocks.map.atLeast', { from: format.number(from) });
    return next - 1 <= from ? format.number(from) : t('blocks.map.span', { from: format.number(from), to: format.number(next - 1) });
  });
  return (
    <List aria-label={t('blocks.map.legend')}>
      <li>{name}</li>
      {spans.map((text, at) => (
        <li key={text}>
          <Swatch style={{ background: classColour(at, breaks) }} />
          {text}
        </li>
      ))}
      <li>
        <Swatch style={{ background: classColour(null, breaks) }} />
        {t('blocks.map.none')}
      </li>
      {neutral && (
        <li>
          <Swatch style={{ background: 'repeating-linear-gradient(45deg, var(--n-4) 0 2px, var(--n-2) 2px 5px)' }} />
          {t('blocks.map.neutral')}
        </li>
      )}
    </List>
  );
};
