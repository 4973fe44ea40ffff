import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { MenuRow, Popup } from '@/ui/Popup';

/** Morning of a day, in the reader's zone. */
const morning = (from: Date, days: number): Date => new Date(from.getFullYear(), from.getMonth(), from.getDate() + days, 9);

/** Times until which a conversation may wait; the next Monday is at least one day away. */
export const snoozeTimes = (now: Date) =>
  [
    { id: 'hour', until: new Date(now.getTime() + 3_600_000) },
    { id: 'hours', until: new Date(now.getTime() + 4 * 3_600_000) },
    { id: 'tomorrow', until: morning(now, 1) },
    { id: 'monday', until: morning(now, (8 - now.getDay()) % 7 || 7) },
    { id: 'week', until: morning(now, 7) },
  ] as const;

export function SnoozeMenu({
  anchor,
  onClose,
  onChoose,
}: {
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
  readonly onChoose: (until: Date) => void;
}): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const [now] = useState(() => new Date());
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('snooze.label')} role="menu" align="end" width={264}>
      {snoozeTimes(now).map(({ id, until }) => (
        <MenuRow
          key={id}
          role="menuitem"
          onClick={() => {
            onClose();
            onChoose(until);
          }}
        >
          <span style={{ flex: 1 }}>{t(`snooze.${id}`)}</span>
          <small>{format.dateTime(until)}</small>
        </MenuRow>
      ))}
    </Popup>
  );
}
