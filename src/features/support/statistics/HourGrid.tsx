import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statistics } from '@contract/support/settings';

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** Conversations by weekday and hour: the more, the darker, with the number in each cell. */
export function HourGrid({ cells }: { readonly cells: Statistics['byHour'] }): ReactElement {
  const { t } = useTranslation('support');
  const most = Math.max(1, ...cells.map(({ started }) => started));
  const at = new Map(cells.map(({ weekday, hour, started }) => [`${String(weekday)} ${String(hour)}`, started]));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the keyboard
    <div className="support-hours" tabIndex={0} role="group" aria-label={t('statistics.byHour')}>
      <table>
        <thead>
          <tr>
            <td>
              <span className="only-read">{t('statistics.byHourNote')}</span>
            </td>
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((day) => (
            <tr key={day}>
              <th scope="row">{t(`weekday.${day}`)}</th>
              {hours.map((hour) => {
                const count = at.get(`${String(day)} ${String(hour)}`) ?? 0;
                return (
                  <td
                    key={hour}
                    style={
                      count === 0
                        ? undefined
                        : { background: `color-mix(in srgb, var(--accent) ${String(Math.round(8 + (count / most) * 32))}%, var(--canvas))` }
                    }
                  >
                    {count === 0 ? '' : count}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
