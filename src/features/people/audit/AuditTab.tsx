import { Box, Button } from '@mui/material';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/ui/EmptyState';
import { InfiniteList } from '@/ui/list/InfiniteList';
import { NoMatch } from '@/ui/list/NoMatch';
import { RowList } from '@/ui/list/RowList';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { auditFile, useAuditInfiniteQuery, useEverybodyQuery } from '../peopleApi';
import { AuditFilterBar } from './AuditFilterBar';
import { AuditLine } from './AuditLine';
import { useAuditFilters } from './useAuditFilters';

/** Who did what, when and from where, latest first. The filters are in the address and apply to the exports. */
export default function AuditTab(): ReactElement {
  const { t } = useTranslation('audit');
  const filtering = useAuditFilters();
  const { filters, actor, isFiltered, change, clear } = filtering;
  const result = useAuditInfiniteQuery(filters, { refetchOnMountOrArgChange: true });
  const { data: everybody } = useEverybodyQuery();
  const people = useMemo(() => new Map(everybody?.map((person) => [person.id, person.displayName])), [everybody]);
  const personName = (id: string | null) => (id === null ? undefined : people.get(id));
  const actorName = (): string =>
    personName(actor) ?? result.data?.pages.flatMap((page) => page.rows).find((row) => row.actor.id === actor)?.actor.name ?? actor.slice(0, 8);
  return (
    <>
      <AuditFilterBar filtering={filtering} actorName={actorName}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, ml: { md: 'auto' } }}>
          <Button onClick={() => void result.refetch()} disabled={result.isFetching}>
            {t('filter.refresh')}
          </Button>
          <Button component="a" href={auditFile(filters, 'csv')} download>
            {t('csv')}
          </Button>
          <Button component="a" href={auditFile(filters, 'json')} download>
            {t('json')}
          </Button>
        </Box>
      </AuditFilterBar>
      <InfiniteList
        result={result}
        skeletonRows={10}
        empty={isFiltered ? <NoMatch title={t('noMatch')} onClear={clear} /> : <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>}
      >
        {(entries) => (
          <RowList label={t('label')}>
            {entries.map((entry) => (
              <AuditLine key={entry.id} entry={entry} personName={personName} onActor={(id) => change({ actor: id })} />
            ))}
          </RowList>
        )}
      </InfiniteList>
      <PlaceCredit />
    </>
  );
}
