import { Box } from '@mui/material';
import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { DateCalendar } from '@mui/x-date-pickers/DateCalendar';
import { LocalizationProvider, type LocalizationProviderProps } from '@mui/x-date-pickers/LocalizationProvider';
import { enUS, zhCN } from '@mui/x-date-pickers/locales';
import { PickerDay, type PickerDayProps } from '@mui/x-date-pickers/PickerDay';
import dayjs from 'dayjs';
import 'dayjs/locale/en-gb';
import 'dayjs/locale/zh-cn';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DayRange } from '@/lib/days';
import { useFormat } from '@/lib/format';
import { Caret } from './Caret';

const text = (day: dayjs.Dayjs): string => day.format('YYYY-MM-DD');

const CaretLeft = (): ReactElement => <Caret to="left" />;
const CaretRight = (): ReactElement => <Caret to="right" />;

/**
 * A calendar in which the first click starts a range and the second ends it, in either order. Arrow keys, PageUp and PageDown move, Enter selects.
 * Days are plain calendar days, independent of the reader's time zone. Weeks begin on Monday in both languages, as in reports; dayjs's own English begins them on Sunday.
 */
const DateRangeCalendar = ({ value, min, max, onChange }: { value: DayRange; min: string; max: string; onChange: (range: DayRange) => void }): ReactElement => {
  const { t, i18n } = useTranslation('chart');
  const format = useFormat();
  const [begun, setBegun] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const zh = i18n.language.startsWith('zh');
  const localeText = (zh ? zhCN : enUS).components.MuiLocalizationProvider.defaultProps.localeText as NonNullable<
    LocalizationProviderProps<dayjs.Dayjs>['localeText']
  >;
  const end = begun === null ? value.to : (over ?? begun);
  const start = begun ?? value.from;
  const range = useMemo(() => (start <= end ? { from: start, to: end } : { from: end, to: start }), [start, end]);

  const choose = (day: string): void => {
    if (begun === null) {
      setBegun(day);
      setOver(null);
      return;
    }
    setBegun(null);
    onChange(begun <= day ? { from: begun, to: day } : { from: day, to: begun });
  };
  const Day = useCallback(
    (props: PickerDayProps) => {
      const day = text(props.day);
      const inside = !props.outsideCurrentMonth && day >= range.from && day <= range.to;
      const edge = inside && (day === range.from || day === range.to);
      return (
        <PickerDay
          {...props}
          selected={edge}
          onMouseEnter={() => setOver(day)}
          onFocusVisible={() => setOver(day)}
          sx={{
            borderRadius: 1,
            fontVariantNumeric: 'tabular-nums',
            ...(inside && !edge ? { bgcolor: 'action.selected' } : {}),
            ...(edge ? { '&.Mui-selected': { bgcolor: 'var(--primary-ground)' } } : {}),
          }}
        />
      );
    },
    [range],
  );

  return (
    <LocalizationProvider dateAdapter={AdapterDayjs} adapterLocale={zh ? 'zh-cn' : 'en-gb'} localeText={localeText}>
      <DateCalendar
        value={dayjs(begun ?? value.to)}
        minDate={dayjs(min)}
        maxDate={dayjs(max)}
        onChange={(day, state) => {
          if (day !== null && state === 'finish') choose(text(day));
        }}
        views={['year', 'month', 'day']}
        slots={{ day: Day, switchViewIcon: Caret, leftArrowIcon: CaretLeft, rightArrowIcon: CaretRight }}
        slotProps={{ calendarHeader: { format: zh ? 'YYYY [年] M [月]' : 'MMMM YYYY' } }}
        reduceAnimations
        autoFocus
      />
      <Box
        role="status"
        aria-live="polite"
        sx={{ px: 2, pb: 1.5, fontSize: 'var(--text-secondary)', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
      >
        {begun === null ? t('range.first') : t('range.second', { day: format.day(begun, max) })}
      </Box>
    </LocalizationProvider>
  );
};

export default DateRangeCalendar;
