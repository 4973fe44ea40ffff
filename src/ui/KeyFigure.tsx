import { Box, ButtonBase, Skeleton, Tooltip } from '@mui/material';
import type { MouseEvent, ReactElement, ReactNode } from 'react';
import { Icon } from './Icon';

/**
 * One large figure with its name above and its difference below, without a box. With `onExplain` the figure is a button that opens its explanation; with
 * `onPick` too, the figure shows itself in the chart, and a small button beside its name explains it.
 */
export const KeyFigure = ({
  name,
  value,
  exact,
  below,
  onPick,
  tip,
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
  /** Shows the measure in the chart. */ onPick?: () => void;
  /** More about the figure, in a tooltip of that button. */ tip?: ReactElement;
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
          ...(onExplain === undefined || onPick !== undefined ? {} : { borderBottom: '1px dotted var(--n-5)' }),
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
        }}
      >
        {loading ? <Skeleton width={72} /> : value}
      </Box>
    </>
  );
  return (
    <Box sx={{ ...box, position: 'relative', ...(chosen ? { boxShadow: 'inset 0 2px 0 var(--chart-accent)' } : {}) }}>
      <FigureButton figure={figure} box={box} chosen={chosen} explainLabel={explainLabel} onPick={onPick} tip={tip} onExplain={onExplain} />
      {/* Beside the button, not in it: the button's label would hide the difference from screen readers. */}
      <Box component="span" sx={{ display: 'block', color: 'text.secondary', fontSize: 'var(--text-secondary)', minHeight: 18 }}>
        {loading ? <Skeleton width={40} /> : below}
      </Box>
    </Box>
  );
};

type ButtonProps = {
  readonly figure: ReactElement;
  readonly box: object;
  readonly chosen: boolean;
  readonly explainLabel: string | undefined;
  readonly onPick: (() => void) | undefined;
  readonly tip: ReactElement | undefined;
  readonly onExplain: ((event: MouseEvent<HTMLElement>) => void) | undefined;
};

const FigureButton = ({ figure, box, chosen, explainLabel, onPick, tip, onExplain }: ButtonProps): ReactElement => {
  const look = { ...box, py: 0, width: 'calc(100% + 16px)', font: 'inherit', '&:hover, &:focus-visible': { bgcolor: 'action.hover' } };
  const label = explainLabel === undefined ? {} : { 'aria-label': explainLabel };
  if (onPick === undefined)
    return onExplain === undefined ? (
      figure
    ) : (
      <ButtonBase onClick={onExplain} aria-haspopup="dialog" {...label} sx={look}>
        {figure}
      </ButtonBase>
    );
  return (
    <>
      <Tooltip describeChild placement="bottom-start" title={tip ?? ''}>
        <ButtonBase onClick={onPick} aria-pressed={chosen} sx={look}>
          {figure}
        </ButtonBase>
      </Tooltip>
      {onExplain !== undefined && (
        <ButtonBase
          onClick={onExplain}
          aria-haspopup="dialog"
          {...label}
          sx={{
            position: 'absolute',
            top: 2,
            right: 0,
            width: 24,
            height: 24,
            borderRadius: 1,
            color: 'var(--n-5)',
            '&:hover, &:focus-visible': { color: 'text.primary' },
            '@media (pointer: coarse)': { '&::after': { content: '""', position: 'absolute', inset: '-10px 0 -10px -20px' } },
          }}
        >
          <Icon name="info" size={14} />
        </ButtonBase>
      )}
    </>
  );
};
