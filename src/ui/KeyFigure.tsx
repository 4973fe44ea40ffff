import { Box, ButtonBase, Skeleton } from '@mui/material';
import type { MouseEvent, ReactElement, ReactNode } from 'react';

/**
 * One large figure with its name above and its difference below, without a box. With `onExplain` the figure is a button that opens its explanation.
 */
export const KeyFigure = ({
  name,
  value,
  exact,
  below,
  onExplain,
  explainLabel,
  chosen = false,
  loading = false,
}: {
  name: string;
  value: string;
  /** The full number if `value` is abbreviated; shown on hover. */
  exact?: string;
  below?: ReactNode;
  onExplain?: (event: MouseEvent<HTMLElement>) => void;
  /** The button's accessible name; contains `name` and `value` as displayed (WCAG 2.5.3). */
  explainLabel?: string;
  /** Shown in the chart at the moment. */
  chosen?: boolean;
  loading?: boolean;
}): ReactElement => {
  const box = { display: 'block', textAlign: 'left', py: 0.5, px: 1, mx: -1, borderRadius: 1, minWidth: 0 } as const;
  const figure = (
    <>
      <Box
        component="span"
        sx={{
          display: 'block',
          fontSize: 'var(--text-secondary)',
          color: 'text.secondary',
          whiteSpace: 'nowrap',
          ...(onExplain === undefined ? {} : { borderBottom: '1px dotted var(--n-5)' }),
          width: 'fit-content',
          maxWidth: '100%',
          overflow: 'hidden',
          textOverflow: 'ellipsis',
        }}
        title={name}
      >
        {name}
      </Box>{' '}
      <Box
        component="span"
        {...(exact === undefined ? {} : { title: exact })}
        sx={{
          display: 'block',
          fontSize: { xs: 'var(--text-page)', sm: 'var(--text-figure)' },
          lineHeight: 1.3,
          fontWeight: 600,
          fontVariantNumeric: 'tabular-nums',
          whiteSpace: 'nowrap',
          ...(chosen ? { color: 'var(--link)' } : {}),
        }}
      >
        {loading ? <Skeleton width={72} /> : value}
      </Box>
    </>
  );
  return (
    <Box sx={box}>
      {onExplain === undefined ? (
        figure
      ) : (
        <ButtonBase
          onClick={onExplain}
          aria-haspopup="dialog"
          {...(explainLabel === undefined ? {} : { 'aria-label': explainLabel })}
          sx={{ ...box, py: 0, width: 'calc(100% + 16px)', font: 'inherit', '&:hover, &:focus-visible': { bgcolor: 'action.hover' } }}
        >
          {figure}
        </ButtonBase>
      )}
      {/* Beside the button, not in it: the button's label would hide the difference from screen readers. */}
      <Box component="span" sx={{ display: 'block', fontSize: 'var(--text-secondary)', minHeight: 18 }}>
        {loading ? <Skeleton width={40} /> : below}
      </Box>
    </Box>
  );
};
