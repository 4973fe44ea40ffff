import { useTranslation } from 'react-i18next';
import { readSchedule } from './schedule';

/** 2024-01-07 was a Sunday. */
const sunday = Date.UTC(2024, 0, 7);
export const weekdayName = (locale: string, weekday: number): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(new Date(sunday + weekday * 86_400_000));

/** A schedule in words. */
export function useScheduleText(): (expression: string | null) => string {
  const { t, i18n } = useTranslation('crawler');
  return (expression) => {
    const schedule = readSchedule(expression);
    if (schedule.every === 'never') return t('schedule.never');
    if (schedule.every === 'custom') return schedule.expression;
    if (schedule.every === 'day') return t('schedule.atDay', { time: schedule.time });
    if (schedule.every === 'week') return t('schedule.atWeek', { time: schedule.time, weekday: weekdayName(i18n.language, schedule.weekday) });
    return t('schedule.atMonth', { time: schedule.time, day: schedule.day });
  };
}
