import { Button, IconButton, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentRecord } from '@contract/tables/records';
import type { RecordFilter } from '@contract/tables/recordFilter';
import type { ContentTable } from '@contract/tables/schemas';
import { addMonth } from '@/lib/calendar';
import { addDays, isDay } from '@/lib/days';
import { spaceBesideHan, useFormat } from '@/lib/format';
import { phone, useMedia } from '@/lib/useMedia';
import { useToday } from '@/lib/useToday';
import { isFailure } from '@/lib/failure';
import { ResultState } from '@/ui/ResultState';
import { Caret } from '@/ui/Caret';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useRecordsQuery } from '../tablesApi';
import type { Address, ChangeAddress } from './address';
import { CalendarDay } from './CalendarDay';
import type { DayContext, Dragged } from './CalendarDay';
import { filterOf, monthDays, movedValues, newOnDay, recordsOn, weekDays } from './calendarDays';
import type { CalendarFields } from './calendarDays';
import { Labelled } from './Labelled';
import { dateFields } from './newView';
import { LookPanel } from './panels';
import { Choose } from './parts';
import { useCardDrag } from './useCardDrag';
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
const maxRecords = 1000;
/** Records that a day of a month shows until it is expanded. */
const recordsInDay = 3;

type HeadProps = Pick<Props, 'at' | 'changeAddress'> & { /** The visible day. */ readonly day: string; readonly days: readonly string[] };

/** The visible month or week, and the way to others. */
const CalendarHead = ({ at, changeAddress, day, days }: HeadProps): ReactElement => {
  const { t } = useTranslation('tables');
  const { locale } = useFormat();
  const month = day.slice(0, 7);
  const go = (by: -1 | 1) => changeAddress({ day: at.span === 'week' ? addDays(day, 7 * by) : `${addMonth(month, by)}-01` });
  const heading =
    at.span === 'week'
      ? t('calendar.between', { from: days[0] ?? '', to: days.at(-1) ?? '' })
      : spaceBesideHan(new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(`${month}-01T12:00:00Z`)));
  return (
    <div className="tables-calendar-head">
      <Typography variant="h2" aria-live="polite">
        {heading}
      </Typography>
      <IconButton aria-label={t('calendar.before')} onClick={() => go(-1)}>
        <Caret to="left" />
      </IconButton>
      <Button onClick={() => changeAddress({ day: '' })}>{t('calendar.today')}</Button>
      <IconButton aria-label={t('calendar.after')} onClick={() => go(1)}>
        <Caret to="right" />
      </IconButton>
      <Choose
        label={t('calendar.span')}
        value={at.span}
        options={(['month', 'week'] as const).map((id) => ({ id, name: t(`calendar.${id}`) }))}
        onChange={(span) => changeAddress({ span, day })}
      />
    </div>
  );
};

const Weekdays = ({ days }: { readonly days: readonly string[] }): ReactElement => {
  const { locale } = useFormat();
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const names = days.slice(0, 7).map((day) => weekday.format(new Date(`${day}T12:00:00Z`)));
  return (
    <div className="tables-weekdays" aria-hidden="true">
      {names.map((name) => (
        <span key={name}>{name}</span>
      ))}
    </div>
  );
};

type DaysProps = Pick<Props, 'at' | 'onAdd'> & {
  readonly days: readonly string[];
  readonly month: string;
  readonly today: string;
  readonly records: readonly ContentRecord[];
  readonly context: DayContext;
  readonly onMove: (dragged: Dragged, to: string) => void;
  readonly opened: string | null;
  readonly onOpened: (day: string) => void;
};

/** The days with their records. On phones they form a list without empty days. */
const Days = ({ at, onAdd, days, month, today, records, context, onMove, opened, onOpened }: DaysProps): ReactElement => {
  const { t } = useTranslation('tables');
  const format = useFormat();
  const onPhone = useMedia(phone);
  const { table, field } = context;
  return (
    <ol className="tables-days" data-span={at.span} aria-label={t('calendar.label')}>
      {days.map((day) => {
        const all = recordsOn(records, day, context);
        if (onPhone && all.length === 0 && day !== today) return null;
        const visibleRecords = at.span === 'week' || opened === day || onPhone ? all : all.slice(0, recordsInDay);
        return (
          <CalendarDay
            key={day}
            day={day}
            title={onPhone ? format.date(`${day}T12:00:00Z`, { timeZone: 'UTC' }) : String(Number(day.slice(8)))}
            today={day === today}
            other={at.span === 'month' && !day.startsWith(month)}
            records={visibleRecords}
            more={all.length - visibleRecords.length}
            onMore={() => onOpened(day)}
            context={context}
            onMove={onMove}
            onAdd={table.may.includes('create') ? () => onAdd({ [field.id]: newOnDay(context, day) }) : null}
          />
        );
      })}
    </ol>
  );
};

/** Moves a record to another day. */
function useMoveToDay({ siteId, table, question, onBatches }: Props, fields: CalendarFields): (dragged: Dragged, to: string) => void {
  const format = useFormat();
  const move = useMoveValue(siteId, table.id, question.locale, onBatches);
  return (dragged, to) => {
    const values = movedValues(fields, dragged, to);
    if (values === null) return;
    const day = format.date(`${to}T12:00:00Z`, { timeZone: 'UTC' });
    void move(dragged, values, { key: 'tables:calendar.moved', values: { record: dragged.name, day } });
  };
}

const Calendar = ({ fields, ...props }: Props & { readonly fields: CalendarFields }): ReactElement => {
  const { siteId, table, question, timeZone, at, changeAddress, onAdd, onOpen } = props;
  const { t } = useTranslation('tables');
  const today = useToday(timeZone);
  const onPhone = useMedia(phone);
  const [opened, setOpened] = useState<string | null>(null);
  const { field } = fields;
  const day = isDay(at.day) ? at.day : today;
  const month = day.slice(0, 7);
  const days = at.span === 'week' ? weekDays(day) : monthDays(month);
  const inDays = filterOf(fields, days);
  const filter = JSON.stringify(question.filter === undefined ? inDays : { and: [JSON.parse(question.filter) as RecordFilter, inDays] });
  const { sort: _sort, ...narrowing } = question;
  const result = useRecordsQuery({ siteId, table: table.id, ...narrowing, limit: maxRecords, sort: field.id, filter });
  const move = useMoveToDay(props, fields);
  const movable = table.may.includes('update') && !field.readonly && question.locale === undefined;
  const board = useCardDrag(movable, (card, to) => move(JSON.parse(card) as Dragged, to));
  return (
    <div className="tables-calendar" ref={board}>
      <CalendarHead at={at} changeAddress={changeAddress} day={day} days={days} />
      <ResultState
        result={result}
        skeleton={<RowsSkeleton />}
        failed={(error, retry) => <ErrorPanel title={t('empty.loadFailed')} failure={isFailure(error) ? error : null} onRetry={retry} />}
      >
        {({ rows, labels, next }) => (
          <Labelled labels={labels}>
            {next !== null && <Typography variant="caption">{t('calendar.capped')}</Typography>}
            {!onPhone && <Weekdays days={days} />}
            <Days
              at={at}
              onAdd={onAdd}
              days={days}
              month={month}
              today={today}
              records={rows}
              context={{ ...fields, table, movable, onOpen }}
              onMove={move}
              opened={opened}
              onOpened={setOpened}
            />
          </Labelled>
        )}
      </ResultState>
    </div>
  );
};

/** Records on a calendar: a month or a week. */
export const CalendarView = (props: Props): ReactElement => {
  const { table, activeView, timeZone } = props;
  const { t } = useTranslation('tables');
  const { query, change } = activeView;
  const field = table.fields.find(({ id }) => id === (query.date ?? dateFields(table)[0]?.id));
  const end = table.fields.find(({ id, type }) => id === query.dateEnd && type === field?.type && id !== field?.id);
  if (!field)
    return (
      <EmptyState
        title={t('views.setUp.calendar')}
        action={dateFields(table).length > 0 && <LookPanel table={table} query={query} change={change} kind="calendar" />}
      />
    );
  return <Calendar {...props} fields={{ field, end, timeZone }} />;
};
