import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import type { PageTexts } from './bulk';

const mostListed = 10;

/** The first pages of a change with their new texts. */
export function TextList({ rows }: { readonly rows: readonly PageTexts[] }): ReactElement | null {
  const { t } = useTranslation('seo');
  const format = useFormat();
  if (rows.length === 0) return null;
  const more = rows.length - mostListed;
  return (
    <>
      <ul className="seo-pages" aria-label={t('pages.bulk.texts')}>
        {rows.slice(0, mostListed).map(({ path, title, description }) => (
          <li key={path} className="seo-page">
            <div className="seo-page-line">
              <span>
                {title !== undefined && <b>{title}</b>}
                <code>{path}</code>
                {description !== undefined && <small>{description}</small>}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="seo-quiet">{t('pages.bulk.more', { count: more, countText: format.number(more) })}</p>}
    </>
  );
}
