import { styled } from '@mui/material/styles';
import type { ReactElement, ReactNode } from 'react';

const List = styled('dl')({
  margin: 0,
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  fontSize: 'var(--text-table)',
  '& > dt': { color: 'var(--ink-2)', padding: '5px 12px 5px 0', borderTop: '1px solid var(--line)', minWidth: 0, overflowWrap: 'anywhere' },
  '& > dd': { margin: 0, padding: '5px 0', borderTop: '1px solid var(--line)', textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
  '& a': { color: 'var(--link)' },
  '& a:not(:hover)': { textDecoration: 'none' },
  '@media (pointer: coarse)': {
    '& a': { display: 'inline-block', padding: '8px 0 8px 16px' },
    '& > dd:has(a)': { paddingBlock: 0 },
    '& > dt:has(+ dd a)': { paddingBlock: 8 },
  },
  '& > dt:first-of-type, & > dd:first-of-type': { borderTop: 0 },
});

export type Fact = { readonly id: string; readonly name: ReactNode; readonly value: ReactNode };

/** Names with values, in two columns. */
export const Facts = ({ rows }: { readonly rows: readonly Fact[] }): ReactElement => (
  <List>{rows.map(({ id, name, value }) => [<dt key={`${id} name`}>{name}</dt>, <dd key={id}>{value}</dd>])}</List>
);
