import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { Icon } from '@/ui/Icon';
import { useThemeFailuresQuery } from '../themeApi';

type Place = { readonly path: string; readonly line: number | null; readonly column: number | null };

/** Templates of the live release that failed on pages of visitors; nothing if none did. */
export function FailureList({ siteId, onOpen }: { readonly siteId: string; readonly onOpen: (place: Place) => void }): ReactElement | null {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const { data = [] } = useThemeFailuresQuery({ siteId });
  if (data.length === 0) return null;
  return (
    <section className="theme-failures" aria-label={t('theme.failure.title')}>
      <h3>{t('theme.failure.title')}</h3>
      <ul className="theme-problems">
        {data.map(({ file, line, column, message, page, count, lastAt }) => (
          <li key={`${file ?? ''} ${String(line)} ${message}`}>
            <Icon name="warning" size={14} />
            {file !== null && (
              <button type="button" className="bare-button text-link" onClick={() => onOpen({ path: file, line, column })}>
                {line === null ? file : t('theme.failure.place', { file, line })}
              </button>
            )}
            <span>
              {message}
              <br />
              {t('theme.failure.text', { count, page, at: format.dateTime(lastAt) })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
