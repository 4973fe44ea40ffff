import { styled } from '@mui/material/styles';

/** A button of the frame: the first load does without MUI's, which comes with the first page that needs it. */
export const PlainButton = styled('button')({
  display: 'inline-flex', alignItems: 'center', justifyContent: 'center', gap: 8, minHeight: 32, padding: '4px 12px', border: '1px solid var(--n-4)', borderRadius: 'var(--radius)', background: 'transparent', color: 'var(--ink)', fontWeight: 500, cursor: 'pointer', whiteSpace: 'nowrap', textDecoration: 'none',
  transition: 'background 120ms var(--ease)',
  '&:hover': { background: 'var(--hover)' },
  '&[data-kind="primary"]': { background: 'var(--primary)', borderColor: 'var(--primary)', color: 'var(--on-primary)' },
  '&[data-kind="primary"]:hover': { filter: 'brightness(1.12)' },
  '&[data-kind="quiet"]': { borderColor: 'transparent', padding: '4px 8px', color: 'var(--ink-2)' },
  '&[data-kind="quiet"]:hover': { color: 'var(--ink)' },
  '&:disabled': { opacity: 0.5, cursor: 'default' },
  '@media (pointer: coarse)': { minHeight: 44 },
});

/** A square button that holds an icon; `aria-label` says what it does. */
export const IconButton = styled('button')({
  position: 'relative', display: 'inline-grid', placeItems: 'center', width: 32, height: 32, padding: 0, border: 0, borderRadius: 'var(--radius)', background: 'transparent', color: 'var(--ink-2)', cursor: 'pointer',
  transition: 'background 120ms var(--ease), color 120ms var(--ease)',
  '&:hover, &[aria-expanded="true"]': { background: 'var(--hover)', color: 'var(--ink)' },
  '@media (pointer: coarse)': { width: 44, height: 44 },
});
