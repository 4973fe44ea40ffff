import { Box, Button, Typography } from '@mui/material';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { AuditEntry } from '@contract/audit/schemas';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { RowsSkeleton } from '@/ui/skeletons';
import { auditFile, useAuditInfiniteQuery, useEverybodyQuery } from '../peopleApi';
import { AuditFilterBar } from './AuditFilterBar';
import { AuditLine } from './AuditLine';
import { useAuditFilters } from './useAuditFilters';

/** No entries, or none that match the filters; `onClear` is absent without filters. */
function NoEntries({ onClear }: { readonly onClear: (() => void) | undefined }): ReactElement {
  const { t } = useTranslation('audit');
  if (!onClear) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>;
  return (
    <EmptyState
      kind="noMatch"
      title={t('noMatch')}
      action={
        <Button variant="outlined" onClick={onClear}>
          {t('filter.clear')}
        </Button>
      }
    />
  );
}

type EntriesProps = {
  readonly entries: readonly AuditEntry[];
  /** Whether there are older entries, and whether they are being loaded. */
  readonly older: 'none' | 'more' | 'loading';
  readonly personName: (id: string | null) => string | undefined;
  readonly onActor: (id: string) => void;
  readonly onOlder: () => void;
};

function Entries({ entries, older, personName, onActor, onOlder }: EntriesProps): ReactElement {
  const { t } = useTranslation('audit');
  return (
    <>
      <Box component="ul" aria-label={t('label')} sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
        {entries.map((entry) => (
          <AuditLine key={entry.id} entry={entry} personName={personName} onActor={onActor} />
        ))}
      </Box>
      <Box sx={{ mt: 2, textAlign: 'center' }}>
        {older === 'none' ? (
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {t('end')}
          </Typography>
        ) : (
          <Button variant="outlined" aria-busy={older === 'loading'} onClick={onOlder}>
            {t(older === 'loading' ? 'loadingOlder' : 'older')}
          </Button>
        )}
      </Box>
    </>
  );
}

/** Who did what, when and from where, latest first. The filters are in the address and apply to the exports. */
export default function AuditTab(): ReactElement {
  const { t } = useTranslation('audit');
  const filtering = useAuditFilters();
  const { filters, actor, isFiltered, change, clear } = filtering;
  const answer = useAuditInfiniteQuery(filters, { refetchOnMountOrArgChange: true });
  const { data: everybody } = useEverybodyQuery();
  const people = useMemo(() => new Map(everybody?.map((person) => [person.id, person.displayName])), [everybody]);
  const personName = (id: string | null) => (id === null ? undefined : people.get(id));
  const actorName = (): string =>
    personName(actor) ?? answer.data?.pages.flatMap((page) => page.rows).find((row) => row.actor.id === actor)?.actor.name ?? actor.slice(0, 8);
  return (
    <>
      <AuditFilterBar filtering={filtering} actorName={actorName}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, ml: { md: 'auto' } }}>
          <Button onClick={() => void answer.refetch()} disabled={answer.isFetching}>
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
      <AnswerState answer={answer} skeleton={<RowsSkeleton rows={10} />}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.rows);
          if (entries.length === 0) return <NoEntries onClear={isFiltered ? clear : undefined} />;
          return (
            <Entries
              entries={entries}
              older={!answer.hasNextPage ? 'none' : answer.isFetchingNextPage ? 'loading' : 'more'}
              personName={personName}
              onActor={(id) => change({ actor: id })}
              onOlder={() => void answer.fetchNextPage()}
            />
          );
        }}
      </AnswerState>
      <PlaceCredit />
    </>
  );
}
