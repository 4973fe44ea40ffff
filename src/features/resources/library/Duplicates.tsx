import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { DuplicateGroup } from '@contract/resources/library';
import type { ResourceKind } from '@contract/resources/terms';
import { useFormat } from '@/lib/format';
import type { Paging } from '@/lib/useListAddress';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { Pager } from '@/ui/Pager';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useResourceDuplicatesQuery } from '../libraryApi';
import { useMeasures } from '../ResourceGrid';
import { Thumbnail } from '../Thumbnail';
import { useReplaceEverywhere } from './useReplaceEverywhere';
import './library.css';

type Props = { readonly siteId: string; readonly kind: ResourceKind; readonly mayWrite: boolean; readonly onOpen: (id: string) => void };

/** Resources that show the same. Keeping one uses it in place of the others, which then go to the bin. */
function Group({ siteId, group, mayWrite, onOpen }: Omit<Props, 'kind'> & { readonly group: DuplicateGroup }): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const measuresOf = useMeasures();
  const confirm = useConfirm();
  const replace = useReplaceEverywhere(siteId);
  const [busy, setBusy] = useState(false);
  const keep = async (id: string, name: string): Promise<void> => {
    const others = group.rows.filter((row) => row.id !== id);
    const question = { title: t('duplicates.keepTitle', { name }), body: t('duplicates.keepText', { count: others.length }), confirm: t('duplicates.keep') };
    if (!(await confirm(question))) return;
    setBusy(true);
    await replace(
      others.map((row) => row.id),
      id,
      true,
    );
    setBusy(false);
  };
  return (
    <section className="resource-duplicates" aria-label={t(group.exact ? 'duplicates.exact' : 'duplicates.near', { count: group.rows.length })}>
      <h2>{t(group.exact ? 'duplicates.exact' : 'duplicates.near', { count: group.rows.length })}</h2>
      <ul>
        {group.rows.map((resource) => {
          const { id, name, uses } = resource;
          return (
            <li key={id}>
              <button type="button" title={name} onClick={() => onOpen(id)}>
                <span className="resource-picture">
                  <Thumbnail siteId={siteId} resource={resource} alt="" />
                </span>
                <b>{name}</b>
                <small>{measuresOf(resource).join(' · ')}</small>
                <small>{uses === 0 ? t('filter.unused') : t('duplicates.uses', { count: uses, number: format.number(uses) })}</small>
              </button>
              {mayWrite && (
                <PlainButton disabled={busy} aria-label={t('duplicates.keepNamed', { name })} onClick={() => void keep(id, name)}>
                  {t('duplicates.keep')}
                </PlainButton>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const sizes = [20, 50] as const;

/** Groups of duplicates of one kind, a page at a time. */
export default function Duplicates({ siteId, kind, paging, ...props }: Props & { readonly paging: Paging }): ReactElement {
  const { t } = useTranslation('resources');
  const { page, size, onPage } = paging;
  const result = useResourceDuplicatesQuery({ siteId, kind, skip: (page - 1) * size, size });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {({ groups, total }) =>
        total === 0 ? (
          <EmptyState ghost="cards" title={t('duplicates.none')}>
            {t('duplicates.noneText')}
          </EmptyState>
        ) : (
          <>
            {groups.length === 0 && <PlainButton onClick={() => onPage(1)}>{t('duplicates.first')}</PlainButton>}
            {groups.map((group) => (
              <Group key={group.rows[0]?.id} siteId={siteId} group={group} {...props} />
            ))}
            <Pager {...paging} count={total} sizes={sizes} />
          </>
        )
      }
    </ResultState>
  );
}
