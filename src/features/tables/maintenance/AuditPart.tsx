import { Button } from '@mui/material';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { tableAuditKinds } from '@contract/tables/terms';
import { AuditLine } from '@/features/people/audit/AuditLine';
import { useEverybodyQuery } from '@/features/people/peopleApi';
import { selectMay } from '@/features/session/sessionSlice';
import { oneOf, useSearchState } from '@/lib/searchState';
import { href } from '@/routes/paths';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { Segmented } from '@/ui/form/Segmented';
import { InfiniteList } from '@/ui/list/InfiniteList';
import { RowList } from '@/ui/list/RowList';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { useTableAuditInfiniteQuery } from './adminApi';

const kinds = ['all', ...tableAuditKinds] as const;
const address = { kind: oneOf(kinds, 'all') };
const word = { all: 'audit.all', table: 'audit.tables', webhook: 'audit.webhooks' } as const;

/** Entries of the audit log about a site's tables, rules and webhooks. */
export default function AuditPart({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('tableAdmin');
  const [{ kind }, change] = useSearchState(address);
  const result = useTableAuditInfiniteQuery({ siteId, ...(kind === 'all' ? {} : { kind }) }, { refetchOnMountOrArgChange: true });
  const mayPeople = useAppSelector((state) => selectMay(state, 'people.read'));
  const mayAll = useAppSelector((state) => selectMay(state, 'audit.read'));
  const { data: everybody } = useEverybodyQuery(undefined, { skip: !mayPeople });
  const people = useMemo(() => new Map(everybody?.map((person) => [person.id, person.displayName])), [everybody]);
  const whole = (query: Record<string, string>): string => `${href('account.users')}?${new URLSearchParams({ tab: 'audit', ...query }).toString()}`;
  return (
    <>
      <p className="admin-note">{t('audit.note')}</p>
      <div className="admin-tools">
        <Segmented<(typeof kinds)[number]>
          label={t('audit.kind')}
          value={kind}
          choices={kinds.map((value) => ({ value, label: t(word[value]) }))}
          onChoose={(next) => change({ kind: next }, 'replace')}
        />
        {mayAll && (
          <Button component={Link} to={whole({ site: siteId, range: 'd400' })}>
            {t('audit.toAll')}
          </Button>
        )}
      </div>
      <InfiniteList result={result} empty={<EmptyState title={t('audit.empty')}>{t('audit.emptyText')}</EmptyState>}>
        {(entries) => (
          <RowList label={t('audit.label')}>
            {entries.map((entry) => (
              <AuditLine key={entry.id} entry={entry} personName={(id) => (id === null ? undefined : people.get(id))} />
            ))}
          </RowList>
        )}
      </InfiniteList>
      {mayAll && <PlaceCredit />}
    </>
  );
}
