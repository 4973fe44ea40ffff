import { Box, Button, ButtonBase, IconButton, Popover } from '@mui/material';
import { lazy, memo, type ReactElement, type ReactNode, Suspense, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DayRange } from '@/lib/days';
import { useFormat } from '@/lib/format';
import { Caret } from './Caret';

export type RangeChoice = DayRange & { readonly id: string; readonly name: string };

const DateRangeCalendar = lazy(() => import(/* webpackChunkName: "calendar" */ './DateRangeCalendar'));

type PanelProps = {
  /** Id of the active preset, or `custom`. */
  readonly chosen: string;
  readonly value: DayRange;
  readonly choices: readonly RangeChoice[];
  readonly min: string;
  /** Today in the site's time zone. */
  readonly max: string;
  readonly onChoose: (id: string) => void;
  readonly onRange: (range: DayRange) => void;
  /** Text beside the calendar, such as the time zone. */
  readonly children?: ReactNode;
};

/** A range of days: presets beside a calendar, and arrows to the previous and next period. */
export const DateRangeField = ({
  label,
  onShift,
  ...panel
}: PanelProps & {
  readonly label: string;
  /** −1 goes to the previous period, 1 to the next one. */
  readonly onShift?: (direction: -1 | 1) => void;
}): ReactElement => {
  const { chosen, value, choices, min, max } = panel;
  const { t } = useTranslation('chart');
  const format = useFormat();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const days = format.days(value, max);
  const name = choices.find((one) => one.id === chosen)?.name;
  const close = (): void => setAnchor(null);
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center' }}>
      {onShift !== undefined && (
        <IconButton size="small" aria-label={t('range.before')} title={t('range.before')} disabled={value.from <= min} onClick={() => onShift(-1)}>
          <Caret to="left" />
        </IconButton>
      )}
      <Button
        size="small"
        variant="text"
        color="inherit"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={`${label}${t('colon')}${name === undefined ? days : `${name} ${days}`}`}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ whiteSpace: 'nowrap', gap: 1, fontWeight: 500 }}
      >
        {name !== undefined && <span>{name}</span>}{' '}
        <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums', ...(name === undefined ? {} : { color: 'text.secondary', fontWeight: 400 }) }}>
          {days}
        </Box>
      </Button>
      {onShift !== undefined && (
        <IconButton size="small" aria-label={t('range.after')} title={t('range.after')} disabled={value.to >= max} onClick={() => onShift(1)}>
          <Caret to="right" />
        </IconButton>
      )}
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': label } }}
      >
        <RangePanel {...panel} open={anchor !== null} close={close} />
      </Popover>
    </Box>
  );
};

type RangePanelProps = PanelProps & { readonly open: boolean; readonly close: () => void };

/** The content of the popover, which closes on a choice. The presets appear at once, the calendar after them: it takes longer to render. */
const OpenPanel = ({ value, min, max, onChoose, onRange, close, ...list }: RangePanelProps): ReactElement => {
  const { t } = useTranslation('chart');
  const hasCalendar = useDeferredValue(true, false);
  const loading = <Box sx={{ p: 3, color: 'text.secondary' }}>{t('range.loading')}</Box>;
  return (
    <Box sx={{ display: 'flex', flexDirection: { xs: 'column', sm: 'row' } }}>
      {(list.choices.length > 0 || list.children !== undefined) && (
        <PresetList
          {...list}
          onChoose={(id) => {
            onChoose(id);
            close();
          }}
        />
      )}
      <Box sx={{ width: 320, minHeight: 372 }}>
        <Suspense fallback={loading}>
          {hasCalendar ? (
            <DateRangeCalendar
              value={value}
              min={min}
              max={max}
              onChange={(range) => {
                onRange(range);
                close();
              }}
            />
          ) : (
            loading
          )}
        </Suspense>
      </Box>
    </Box>
  );
};

/** While it closes, nothing in it changes. */
const RangePanel = memo(OpenPanel, (_before, { open }) => !open);

const PresetList = ({ chosen, choices, onChoose, children }: Pick<PanelProps, 'chosen' | 'choices' | 'onChoose' | 'children'>): ReactElement => (
  <Box
    component="ul"
    sx={{
      listStyle: 'none',
      m: 0,
      p: 1,
      minWidth: 148,
      display: { xs: 'grid', sm: 'block' },
      gridTemplateColumns: '1fr 1fr',
      borderRight: { sm: 1 },
      borderColor: { sm: 'divider' },
    }}
  >
    {choices.map((one) => (
      <li key={one.id}>
        <ButtonBase
          aria-pressed={one.id === chosen}
          onClick={() => onChoose(one.id)}
          sx={{
            width: 1,
            justifyContent: 'flex-start',
            font: 'inherit',
            px: 1,
            py: 0.75,
            borderRadius: 1,
            fontWeight: one.id === chosen ? 600 : 400,
            '&:hover, &:focus-visible': { bgcolor: 'action.hover' },
          }}
        >
          {one.name}
        </ButtonBase>
      </li>
    ))}
    {children !== undefined && (
      <Box component="li" sx={{ px: 1, pt: 1, fontSize: 'var(--text-secondary)', color: 'text.secondary', maxWidth: 180 }}>
        {children}
      </Box>
    )}
  </Box>
);
