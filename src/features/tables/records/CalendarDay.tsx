import { Button, IconButton } from '@mui/material';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentRecord } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { addDays } from '@/lib/days';
import { wallClockOf } from '@/lib/zoned';
import { dayOf } from './calendarDays';
import type { CalendarFields } from './calendarDays';
import { useRecordName } from './cards';
import type { MovedRecord } from './useMoveValue';

/** A record being dragged to another day, with its current dates. */
export type Dragged = MovedRecord & { readonly value: string; readonly end: unknown };
export type DayContext = CalendarFields & {
  readonly table: ContentTable;
  readonly movable: boolean;
  readonly onOpen: (id: string) => void;
};

const Item = ({
  record,
  day,
  context: { table, field, end, timeZone, movable, onOpen },
  onMove,
}: {
  readonly record: ContentRecord;
  readonly day: string;
  readonly context: DayContext;
  readonly onMove: (dragged: Dragged, day: string) => void;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const name = useRecordName(table)(record);
  const value = record.values[field.id];
  const dragged: Dragged = {
    id: record.id,
    name,
    revision: record.revision,
    value: typeof value === 'string' ? value : '',
    end: end ? record.values[end.id] : null,
  };
  const time =
    field.type === 'datetime' && typeof value === 'string' && dayOf(field, value, timeZone) === day
      ? wallClockOf(value, timeZone)?.time.slice(0, 5)
      : undefined;
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return onOpen(record.id);
    }
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    if (!event.altKey || by === undefined || !movable) return undefined;
    event.preventDefault();
    return onMove(dragged, addDays(dayOf(field, value, timeZone) ?? day, by));
  };
  return (
    <li>
      <div
        className="tables-event"
        role="button"
        data-record={record.id}
        tabIndex={0}
        title={movable ? `${name}\n${t('calendar.keys')}` : name}
        {...(movable ? { 'data-drag': JSON.stringify(dragged) } : {})}
        onClick={() => onOpen(record.id)}
        onKeyDown={press}
      >
        {time !== undefined && <small>{time}</small>} {name}
      </div>
    </li>
  );
};

/** One day with its records; also a drop target. */
export const CalendarDay = ({
  day,
  title,
  today,
  other,
  records,
  more,
  onMore,
  context,
  onMove,
  onAdd,
}: {
  readonly day: string;
  readonly title: string;
  readonly today: boolean;
  /** Whether the day belongs to another month. */ readonly other: boolean;
  readonly records: readonly ContentRecord[];
  /** Number of records that are not shown. */ readonly more: number;
  readonly onMore: () => void;
  readonly context: DayContext;
  readonly onMove: (dragged: Dragged, day: string) => void;
  readonly onAdd: (() => void) | null;
}): ReactElement => {
  const { t } = useTranslation('tables');
  return (
    <li data-drop={day} data-today={today ? '' : undefined} data-other={other ? '' : undefined}>
      <header>
        <time dateTime={day} {...(today ? { 'aria-current': 'date' as const } : {})}>
          {title}
        </time>
        {onAdd && (
          <IconButton className="tables-day-add" aria-label={t('calendar.add', { day })} onClick={onAdd}>
            +
          </IconButton>
        )}
      </header>
      <ul>
        {records.map((record) => (
          <Item key={record.id} record={record} day={day} context={context} onMove={onMove} />
        ))}
      </ul>
      {more > 0 && <Button onClick={onMore}>{t('calendar.more', { count: more })}</Button>}
    </li>
  );
};
