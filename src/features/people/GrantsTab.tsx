import { Box, Typography } from '@mui/material';
import { useMemo } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Grants } from '@contract/people/schemas';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { text, useSearchState } from '@/lib/searchState';
import { phone, useMedia } from '@/lib/useMedia';
import { useTyped } from '@/lib/useTyped';
import { ResultState } from '@/ui/ResultState';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { SearchBox } from '@/ui/SearchBox';
import { RowsSkeleton } from '@/ui/skeletons';
import { mostChanges } from './grantDraft';
import { GrantMatrix } from './GrantMatrix';
import { GrantPeople } from './GrantPeople';
import { useGrantsQuery } from './peopleApi';
import { useGrantEdits } from './useGrantEdits';

const address = { who: text('', 100), site: text('', 100) };
const matches = (query: string, ...texts: readonly string[]): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => texts.join('\n').toLowerCase().includes(word));

/** What keeps a save from being harmless, or from being possible. */
function Warnings({ conflicts, changes }: { readonly conflicts: number; readonly changes: number }): ReactElement {
  const { t } = useTranslation('people');
  return (
    <>
      {conflicts > 0 && (
        <Typography role="status" variant="body2" sx={{ mt: 1, color: 'warning.main' }}>
          {t('grants.overrun', { count: conflicts })}
        </Typography>
      )}
      {changes > mostChanges && (
        <Typography role="alert" variant="body2" sx={{ mt: 1, color: 'error.main' }}>
          {t('grants.tooMany', { most: mostChanges })}
        </Typography>
      )}
    </>
  );
}

function Editor({ grants }: { readonly grants: Grants }): ReactElement {
  const { t } = useTranslation('people');
  const onPhone = useMedia(phone);
  const [{ who, site }, change] = useSearchState(address);
  const [whoTyped, setWho] = useTyped(who, (next) => change({ who: next }, 'replace'));
  const [siteTyped, setSite] = useTyped(site, (next) => change({ site: next }, 'replace'));
  const { table, draft, changes, conflicting, failure, saving, mayEdit, edit, discard, save } = useGrantEdits(grants);
  const blocker = useUnsavedWork(changes.length > 0);
  const people = useMemo(() => grants.people.filter((one) => matches(whoTyped, one.displayName, one.loginName)), [grants, whoTyped]);
  const sites = useMemo(() => grants.sites.filter((one) => matches(siteTyped, one.name)), [grants, siteTyped]);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    // The pressed button is removed; keyboard focus continues in the last active cell.
    if (await save()) form.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus();
  };
  const cells = { people, sites, table, draft, mayEdit, onEdit: edit };
  return (
    <form onSubmit={(event) => void submit(event)} aria-label={t('tab.grants')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
        <SearchBox label={t('grants.searchPeople')} value={whoTyped} onChange={setWho} />
        <SearchBox label={t('grants.searchSites')} value={siteTyped} onChange={setSite} />
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('grants.size', { people: t('grants.peopleCount', { count: people.length }), sites: t('grants.siteCount', { count: sites.length }) })}
        </Typography>
      </Box>
      {failure && (
        <Box sx={{ mb: 1.5 }}>
          <ErrorPanel failure={failure} title={t('grants.failed')} />
        </Box>
      )}
      {people.length === 0 || sites.length === 0 ? (
        <EmptyState kind="noMatch" title={t('grants.noMatch')} />
      ) : onPhone ? (
        <GrantPeople {...cells} />
      ) : (
        <GrantMatrix {...cells} overrun={conflicting} />
      )}
      <Warnings conflicts={conflicting.size} changes={changes.length} />
      <SaveBar dirty={changes.length > 0} saving={saving} onDiscard={discard} saveLabel={t('grants.saveCount', { count: changes.length })} />
      <LeaveDialog blocker={blocker} />
    </form>
  );
}

/** Who has which role on which site, for everybody whose role needs grants. */
export default function GrantsTab(): ReactElement {
  const { t } = useTranslation('people');
  const result = useGrantsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2, maxWidth: 720 }}>
        {t('grants.lead')}
      </Typography>
      <ResultState result={result} skeleton={<RowsSkeleton rows={10} />}>
        {(grants) =>
          grants.people.length === 0 || grants.sites.length === 0 ? (
            <EmptyState title={t(grants.sites.length === 0 ? 'grants.noSites' : 'grants.noPeople')}>{t('grants.emptyText')}</EmptyState>
          ) : (
            <Editor grants={grants} />
          )
        }
      </ResultState>
    </>
  );
}
