import { styled } from '@mui/material/styles';
import { Fragment } from 'react';

const Key = styled('kbd')({ font: 'inherit', fontSize: '0.6875rem', lineHeight: '16px', minWidth: 16, padding: '0 4px', border: '1px solid var(--line)', borderRadius: 3, color: 'var(--ink-2)', background: 'var(--n-1)', textAlign: 'center', display: 'inline-block' });

const mac = /Mac|iPhone|iPad/.test(navigator.platform);
const glyph = (key: string): string => (key === 'mod' ? (mac ? '⌘' : 'Ctrl') : key === 'shift' ? (mac ? '⇧' : 'Shift') : key === 'enter' ? '↵' : key === 'esc' ? 'Esc' : key.length === 1 ? key.toUpperCase() : key);

/** Keys as the reader's keyboard names them: `mod+k`, or a sequence `g h`. */
export const Kbd = ({ keys, spoken = false }: { keys: string; /** Nothing else says it: not hidden from screen readers. */ spoken?: boolean }) => (
  <span aria-hidden={!spoken} style={{ display: 'inline-flex', gap: 3 }}>
    {keys.split(/[+ ]/).map((key, at) => (
      <Fragment key={`${key}${String(at)}`}>
        <Key>{glyph(key)}</Key>
      </Fragment>
    ))}
  </span>
);
