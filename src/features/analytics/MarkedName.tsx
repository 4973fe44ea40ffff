import type { DimensionId } from '@contract/analytics/schemas';
import { styled } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { flagOf } from '@/lib/flag';

const Name = styled('span')({ display: 'inline-flex', alignItems: 'center', gap: 8, minWidth: 0, maxWidth: '100%' });
const Text = styled('span')({ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' });
const Mark = styled('span')({
  flex: 'none',
  width: 16,
  height: 16,
  borderRadius: 'var(--radius)',
  display: 'grid',
  placeItems: 'center',
  fontSize: 'var(--text-secondary)',
  fontWeight: 600,
  lineHeight: 1,
});
const Flag = styled('span')({ flex: 'none', width: 18, fontSize: 'var(--text-body)', lineHeight: 1 });

/** Dimensions whose values get a letter mark. Icons of other sites are not fetched: that would tell those sites about the reader. */
const lettered: ReadonlySet<DimensionId> = new Set(['sourceName', 'referrerHost', 'campaign', 'browser', 'os']);
const colours = 8;
const colourOf = (key: string): number => ([...key].reduce((sum, mark) => (sum * 31 + (mark.codePointAt(0) ?? 0)) % 9973, 7) % colours) + 1;

const markOf = (by: DimensionId, key: string, name: string): ReactElement | null => {
  if (key === '') return null;
  if (by === 'country') {
    const flag = flagOf(key);
    return flag === null ? null : <Flag aria-hidden>{flag}</Flag>;
  }
  if (!lettered.has(by)) return null;
  const colour = `var(--chart-${colourOf(key)})`;
  return (
    <Mark aria-hidden style={{ background: `color-mix(in srgb, ${colour} 16%, transparent)`, color: `color-mix(in srgb, ${colour} 70%, var(--ink))` }}>
      {[...name][0]?.toUpperCase()}
    </Mark>
  );
};

/** The name of a row behind its flag or letter mark, if its dimension has one. */
export const MarkedName = ({ by, rowKey, name }: { readonly by: DimensionId; readonly rowKey: string; readonly name: string }): ReactElement => (
  <Name>
    {markOf(by, rowKey, name)}
    <Text>{name}</Text>
  </Name>
);
