import { Box, Button, Typography } from '@mui/material';
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
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { Segmented } from '@/ui/form/Segmented';
import { PlaceCredit } from '@/ui/PlaceCredit';
import { RowsSkeleton } from '@/ui/skeletons';
import { useTableAuditInfiniteQuery } from './adminApi';

const kinds = ['all', ...tableAuditKinds] as const;
const address = { kind: oneOf(kinds, 'all') };
const word = { all: 'audit.all', table: 'audit.tables', webhook: 'audit.webhooks' } as const;

/** Entries of the audit log about a site's tables, rules and webhooks. */
export default function AuditPart({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('tableAdmin');
  const [{ kind }, change] = useSearchState(address);
  const answer = useTableAuditInfiniteQuery({ siteId, ...(kind === 'all' ? {} : { kind }) }, { refetchOnMountOrArgChange: true });
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
      <AnswerState answer={answer} skeleton={<RowsSkeleton rows={8} />}>
        {(data) => {
          const rows = data.pages.flatMap((page) => page.rows);
          if (rows.length === 0) return <EmptyState title={t('audit.empty')}>{t('audit.emptyText')}</EmptyState>;
          return (
            <>
              <Box component="ul" aria-label={t('audit.label')} sx={{ m: 0, p: 0, listStyle: 'none', borderTop: 1, borderColor: 'divider' }}>
                {rows.map((entry) => (
                  <AuditLine key={entry.id} entry={entry} personName={(id) => (id === null ? undefined : people.get(id))} />
                ))}
              </Box>
              <Box sx={{ mt: 2, textAlign: 'center' }}>
                {answer.hasNextPage ? (
                  <Button variant="outlined" aria-busy={answer.isFetchingNextPage} onClick={() => void answer.fetchNextPage()}>
                    {t(answer.isFetchingNextPage ? 'audit.loading' : 'audit.older')}
                  </Button>
                ) : (
                  <Typography variant="caption" sx={{ color: 'text.secondary' }}>
                    {t('audit.end')}
                  </Typography>
                )}
              </Box>
            </>
          );
        }}
      </AnswerState>
      {mayAll && <PlaceCredit />}
    </>
  );
}
