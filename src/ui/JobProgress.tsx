import { Box, Button, LinearProgress } from '@mui/material';
import type { SxProps } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';

/** The part that is done, 0…1; null: not known. */
export const shareDone = (done: number | null, total: number | null): number | null =>
  done === null || total === null || total === 0 ? null : Math.min(1, done / total);

/** `share`: the part that is done, 0…1; with null, the bar only shows that something is going on. */
export const ProgressBar = ({ label, share, sx }: { label: string; share: number | null; sx?: SxProps }): ReactElement => (
  <LinearProgress {...(share === null ? {} : { variant: 'determinate' as const, value: share * 100 })} aria-label={label} sx={sx ?? null} />
);

/** A long job while it runs: what it does, how far it is, and a button that stops it. */
export const JobProgress = ({
  title,
  titleAs = 'p',
  share,
  detail,
  note,
  stop,
  children,
}: {
  /** What the job does; also the accessible name of the bar. */
  title: string;
  /** `none`: the title is above already. */
  titleAs?: 'p' | 'h3' | 'none';
  share: number | null;
  /** How far the job is, in its own units. */
  detail?: ReactNode;
  /** What to know meanwhile. */
  note?: ReactNode;
  /** Absent: the job cannot be stopped here. */
  stop?: { readonly label: string; readonly busy: boolean; readonly onStop: () => void };
  /** Anything else below, such as a failure. */
  children?: ReactNode;
}): ReactElement => (
  <Box sx={{ display: 'grid', gap: 1, '& > p': { m: 0 } }}>
    {titleAs === 'h3' && <h3>{title}</h3>}
    {titleAs === 'p' && (
      <p role="status">
        <b>{title}</b>
      </p>
    )}
    <ProgressBar label={title} share={share} />
    {detail !== undefined && <p style={{ fontVariantNumeric: 'tabular-nums' }}>{detail}</p>}
    {note !== undefined && <p style={{ fontSize: 'var(--text-table)', fontVariantNumeric: 'tabular-nums', color: 'var(--ink-2)' }}>{note}</p>}
    {stop !== undefined && (
      <Button size="small" variant="outlined" sx={{ justifySelf: 'start' }} disabled={stop.busy} onClick={stop.onStop}>
        {stop.label}
      </Button>
    )}
    {children}
  </Box>
);
