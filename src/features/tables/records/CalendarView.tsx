import ChevronLeft from '@mui/icons-material/ChevronLeftOutlined';
import ChevronRight from '@mui/icons-material/ChevronRightOutlined';
import { Button, IconButton, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentRecord } from '@contract/tables/records';
import type { RecordFilter } from '@contract/tables/recordFilter';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isDay } from '@/lib/days';
import { spaced, useFormat } from '@/lib/format';
import { phone, useMedia } from '@/lib/useMedia';
import { useToday } from '@/lib/useToday';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { addDays, addMonth, instantOf, wallOf, weeksOf } from '../fieldTypes/zoned';
import { useRecordsQuery } from '../tablesApi';
import type { Address, ChangeAddress } from './address';
import { CalendarDay, dayOf } from './CalendarDay';
import type { Dragged } from './CalendarDay';
import { Labelled } from './Labelled';
import { dateFields, LookPanel } from './panels';
import { Choose } from './parts';
import { useMoveValue } from './useMoveValue';
import type { Question } from './useRecordSource';
import type { ActiveView } from './useActiveView';

type Props = {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly activeView: ActiveView;
  readonly question: Question;
  readonly timeZone: string;
  readonly at: Address;
  readonly changeAddress: ChangeAddress;
  readonly onBatches: (batches: readonly string[]) => void;
  readonly onAdd: (values: Readonly<Record<string, unknown>>) => void;
  readonly onOpen: (id: string) => void;
};
const most = 1000;
const inDay = 3;
/** The same time on another day; for date fields just that day. */
const onDay = (field: TableField, value: string, day: string, timeZone: string): string | null =>
  field.type === 'date' ? day : instantOf(day, wallOf(value, timeZone)?.time ?? '09:00:00', timeZone);
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** Filter of the records that overlap the visible days: they begin before the end, and end (or begin) after the start. */
function filterOf(start: TableField, end: TableField | undefined, days: readonly string[], timeZone: string): RecordFilter {
  const edge = (field: TableField, day: string, time: string) => (field.type === 'date' ? day : (instantOf(day, time, timeZone) ?? day));
  const first = days[0] ?? '';
  const last = days.at(-1) ?? '';
  const begins = { field: start.id, op: 'lte', value: edge(start, last, '23:59:59') } as const;
  const from = { field: start.id, op: 'gte', value: edge(start, first, '00:00:00') } as const;
  return end ? { and: [begins, { or: [from, { field: end.id, op: 'gte', value: edge(end, first, '00:00:00') }] }] } : { and: [from, begins] };
}

/** Records on a calendar: a month or a week. */
export const CalendarView = (props: Props): ReactElement => {
  const { siteId, table, activeView, question, timeZone, at, changeAddress, onBatches, onAdd, onOpen } = props;
  const { t } = useTranslation('tables');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const today = useToday(timeZone);
  const onPhone = useMedia(phone);
  const [opened, setOpened] = useState<string | null>(null);
  const { query } = activeView;
  const field = table.fields.find(({ id }) => id === (query.date ?? dateFields(table)[0]?.id));
  const end = table.fields.find(({ id, type }) => id === query.dateEnd && type === field?.type && id !== field?.id);
  const day = isDay(at.day) ? at.day : today;
  const month = day.slice(0, 7);
  const six = weeksOf(month);
  // A sixth week without a day of the month is omitted.
  const whole = six.slice(35).every((one) => !one.startsWith(month)) ? six.slice(0, 35) : six;
  const monday = addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
  const days = at.span === 'week' ? Array.from({ length: 7 }, (_, place) => addDays(monday, place)) : whole;
  const own = field && filterOf(field, end, days, timeZone);
  const filter = own && JSON.stringify(question.filter === undefined ? own : { and: [JSON.parse(question.filter) as RecordFilter, own] });
  const { sort: _sort, ...narrowing } = question;
  const answer = useRecordsQuery(
    { siteId, table: table.id, ...narrowing, limit: most, sort: field?.id ?? '$n', ...(filter === undefined ? {} : { filter }) },
    { skip: field === undefined },
  );
  const move = useMoveValue(siteId, table.id, question.locale, onBatches);
  if (!field)
    return (
      <EmptyState
        title={t('views.setUp.calendar')}
        action={dateFields(table).length > 0 && <LookPanel table={table} query={query} change={activeView.change} kind="calendar" />}
      />
    );
  const put = async (dragged: Dragged, to: string) => {
    const from = dayOf(field, dragged.value, timeZone);
    const value = onDay(field, dragged.value, to, timeZone);
    if (value === null || from === to) return;
    // A record of several days moves as a whole.
    const last = end && typeof dragged.end === 'string' && from !== null ? dayOf(end, dragged.end, timeZone) : null;
    const moved = end && last !== null && from !== null ? { [end.id]: onDay(end, String(dragged.end), addDays(last, daysBetween(from, to)), timeZone) } : {};
    if (!(await move(dragged.id, { [field.id]: value, ...moved }, dragged.revision))) return;
    dispatch(
      noticeShown({
        message: { key: 'tables:calendar.moved', values: { record: dragged.name, day: format.date(`${to}T12:00:00Z`, { timeZone: 'UTC' }) } },
        for: 3000,
      }),
    );
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-record="${CSS.escape(dragged.id)}"]`)?.focus());
  };
  const movable = table.may.includes('update') && !field.readonly && question.locale === undefined;
  const go = (by: -1 | 1) => changeAddress({ day: at.span === 'week' ? addDays(day, 7 * by) : `${addMonth(month, by)}-01` });
  const heading =
    at.span === 'week'
      ? t('calendar.between', { from: days[0] ?? '', to: days.at(-1) ?? '' })
      : spaced(new Intl.DateTimeFormat(format.locale, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01T12:00:00Z`)));
  const weekdays = whole
    .slice(0, 7)
    .map((one) => new Intl.DateTimeFormat(format.locale, { weekday: 'short', timeZone: 'UTC' }).format(new Date(`${one}T12:00:00Z`)));
  const onIt = (rows: readonly ContentRecord[], one: string) =>
    rows.filter((record) => {
      const from = dayOf(field, record.values[field.id], timeZone);
      const to = (end && dayOf(end, record.values[end.id], timeZone)) ?? from;
      return from !== null && to !== null && from <= one && one <= (to < from ? from : to);
    });
  return (
    <div className="tables-calendar">
      <div className="tables-calendar-head">
        <Typography variant="h2" aria-live="polite">
          {heading}
        </Typography>
        <IconButton size="small" aria-label={t('calendar.before')} onClick={() => go(-1)}>
          <ChevronLeft />
        </IconButton>
        <Button size="small" onClick={() => changeAddress({ day: '' })}>
          {t('calendar.today')}
        </Button>
        <IconButton size="small" aria-label={t('calendar.after')} onClick={() => go(1)}>
          <ChevronRight />
        </IconButton>
        <Choose
          label={t('calendar.span')}
          value={at.span}
          options={(['month', 'week'] as const).map((id) => ({ id, name: t(`calendar.${id}`) }))}
          onChange={(span) => changeAddress({ span, day })}
        />
      </div>
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton />}
        failed={(error, retry) => <ErrorPanel title={t('empty.loadFailed')} failure={isFailure(error) ? error : null} onRetry={retry} />}
      >
        {({ rows, labels, next }) => (
          <Labelled labels={labels}>
            {next !== null && <Typography variant="caption">{t('calendar.capped')}</Typography>}
            {!onPhone && (
              <div className="tables-weekdays" aria-hidden="true">
                {weekdays.map((one) => (
                  <span key={one}>{one}</span>
                ))}
              </div>
            )}
            <ol className="tables-days" data-span={at.span} aria-label={t('calendar.label')}>
              {days.map((one) => {
                const all = onIt(rows, one);
                // On phones the days form a list without empty days.
                if (onPhone && all.length === 0 && one !== today) return null;
                const visibleRecords = at.span === 'week' || opened === one || onPhone ? all : all.slice(0, inDay);
                return (
                  <CalendarDay
                    key={one}
                    day={one}
                    title={onPhone ? format.date(`${one}T12:00:00Z`, { timeZone: 'UTC' }) : String(Number(one.slice(8)))}
                    today={one === today}
                    other={at.span === 'month' && !one.startsWith(month)}
                    records={visibleRecords}
                    more={all.length - visibleRecords.length}
                    onMore={() => setOpened(one)}
                    context={{ table, field, end, timeZone, movable, onOpen }}
                    onMove={(dragged, to) => void put(dragged, to)}
                    onAdd={
                      table.may.includes('create') ? () => onAdd({ [field.id]: field.type === 'date' ? one : instantOf(one, '09:00:00', timeZone) }) : null
                    }
                  />
                );
              })}
            </ol>
          </Labelled>
        )}
      </AnswerState>
    </div>
  );
};
