import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ResourceUsage } from '@contract/resources/library';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { Section } from '@/ui/Section';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useResourceUsesQuery } from '../libraryApi';
import './library.css';

export type Uses = { readonly uses: readonly ResourceUsage[]; readonly visible: number; readonly total: number };

/**
 * Records that use resources, with links to them. Of places that the reader may not see only the number is known. `inQuestion`: records open in another tab, so
 * that the question stays.
 */
export function UseList({ siteId, uses, visible, total, inQuestion = false }: Uses & { readonly siteId: string; readonly inQuestion?: boolean }): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const linkTo = (table: string, record: string, label: string): ReactElement => {
    const address = `${href('site.table.records', { siteId })}?table=${table}&record=${record}`;
    return inQuestion ? (
      <a href={address} target="_blank" rel="noreferrer">
        {label}
      </a>
    ) : (
      <Link to={address}>{label}</Link>
    );
  };
  const more = visible - uses.length;
  const hidden = total - visible;
  return (
    <div className="resource-uses">
      {uses.length > 0 && (
        <ul>
          {uses.map(({ resourceId, tableId, tableTitle, fieldId, fieldTitle, recordId, label, deleted }) => (
            <li key={`${resourceId} ${recordId} ${fieldId}`}>
              {deleted ? <span>{label}</span> : linkTo(tableId, recordId, label)}
              <small>{t(deleted ? 'uses.placeInBin' : 'uses.place', { table: tableTitle, field: fieldTitle })}</small>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p>{t('uses.more', { count: more, number: format.number(more) })}</p>}
      {hidden > 0 && <p>{t('uses.hidden', { count: hidden, number: format.number(hidden) })}</p>}
    </div>
  );
}

/** Where the open resource is used. */
export function UsedBy({ siteId, id, actions }: { readonly siteId: string; readonly id: string; readonly actions?: ReactElement | false }): ReactElement {
  const { t } = useTranslation('resources');
  const result = useResourceUsesQuery({ siteId, body: { ids: [id] } });
  return (
    <Section title={t('uses.title')} actions={result.currentData !== undefined && result.currentData.total > 0 && actions}>
      <ResultState result={result} skeleton={<RowsSkeleton rows={2} />}>
        {(found) => (found.total === 0 ? <p className="resource-note">{t('uses.none')}</p> : <UseList siteId={siteId} {...found} />)}
      </ResultState>
    </Section>
  );
}
