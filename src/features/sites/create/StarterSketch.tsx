import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import type { StarterChoice } from './newSite';

const line = (x: number, y: number, width: number, strong = false): ReactElement => (
  <rect key={`${String(x)} ${String(y)}`} x={x} y={y} width={width} height={strong ? 5 : 3} rx={1.5} opacity={strong ? 0.75 : 0.3} />
);
const box = (x: number, y: number, width: number, height: number): ReactElement => (
  <rect key={`${String(x)} ${String(y)}`} x={x} y={y} width={width} height={height} rx={3} opacity={0.16} />
);
const accent = (x: number, y: number, width: number, height: number): ReactElement => (
  <rect key={`${String(x)} ${String(y)} accent`} x={x} y={y} width={width} height={height} rx={3} fill="var(--accent)" />
);
const head = [line(10, 8, 24, true), line(112, 9, 10), line(126, 9, 10), line(140, 9, 10)];

/** The layout of the pages that each starter makes, in outline. */
const sketches: Readonly<Record<StarterChoice, readonly ReactElement[]>> = {
  blank: [...head, line(10, 36, 70, true), line(10, 48, 110), line(10, 56, 90)],
  company: [
    ...head,
    line(10, 26, 56, true),
    line(10, 36, 50),
    accent(10, 44, 22, 7),
    box(90, 22, 60, 32),
    box(10, 62, 44, 24),
    box(58, 62, 44, 24),
    box(106, 62, 44, 24),
  ],
  blog: [
    ...head,
    box(10, 22, 62, 40),
    line(80, 26, 66, true),
    line(80, 36, 60),
    line(80, 43, 50),
    accent(80, 52, 16, 5),
    line(10, 70, 60, true),
    line(10, 79, 120),
    line(80, 70, 50, true),
  ],
  docs: [
    ...head,
    line(10, 24, 28, true),
    line(10, 34, 24),
    accent(10, 42, 30, 4),
    line(10, 51, 22),
    line(10, 59, 26),
    line(52, 24, 60, true),
    line(52, 36, 96),
    line(52, 44, 90),
    box(52, 52, 98, 16),
    line(52, 75, 84),
  ],
  copy: [box(14, 12, 92, 58), box(54, 22, 92, 58), line(62, 30, 40, true), line(62, 40, 70), accent(62, 50, 24, 7), line(62, 64, 60)],
};

export const StarterSketch = ({ starter }: { readonly starter: StarterChoice }): ReactElement => (
  <Box
    component="svg"
    viewBox="0 0 160 92"
    aria-hidden="true"
    fill="currentColor"
    sx={{ display: 'block', width: '100%', height: 'auto', border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}
  >
    {sketches[starter]}
  </Box>
);
