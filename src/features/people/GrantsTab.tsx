import { Box, OutlinedInput, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Grants } from '@contract/people/schemas';
import { mayManage } from '@contract/permissions';
import type { SiteRole } from '@contract/permissions';
import { noticeShown } from '@/features/notices/noticesSlice';
import { selectMay, selectSession } from '@/features/session/sessionSlice';
import { useDraft } from '@/features/session/useDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { text, useSearchState } from '@/lib/searchState';
import { phone, useMedia } from '@/lib/useMedia';
import { useTyped } from '@/lib/useTyped';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { RowsSkeleton } from '@/ui/skeletons';
import { changesOf, mostChanges, overrun, settled, tableOf, withEdit } from './grantDraft';
import type { GrantDraft } from './grantDraft';
import { GrantMatrix } from './GrantMatrix';
import { GrantPeople } from './GrantPeople';
import { useChangeGrantsMutation, useGrantsQuery } from './peopleApi';

const address = { who: text('', 100), site: text('', 100) };
const matches = (query: string, ...texts: readonly string[]): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => texts.join('\n').toLowerCase().includes(word));
const none: GrantDraft = {};

function Editor({ grants }: { readonly grants: Grants }): ReactElement {
  const { t } = useTranslation('people');
  const dispatch = useAppDispatch();
  const onPhone = useMedia(phone);
  const session = useAppSelector(selectSession);
  const mayAtAll = useAppSelector((state) => selectMay(state, 'people.manage'));
  const { restored, keep, drop } = useDraft<GrantDraft>('people.grants');
  const [edits, setEdits] = useState<GrantDraft>(restored ?? none);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [{ who, site }, change] = useSearchState(address);
  const [whoTyped, setWho] = useTyped(who, (next) => change({ who: next }, 'replace'));
  const [siteTyped, setSite] = useTyped(site, (next) => change({ site: next }, 'replace'));
  const [save, { isLoading }] = useChangeGrantsMutation();

  const table = useMemo(() => tableOf(grants.grants), [grants]);
  const draft = useMemo(() => {
    const users = new Set(grants.people.map((one) => one.id));
    const sites = new Set(grants.sites.map((one) => one.id));
    return settled(table, edits, (key) => {
      const [userId = '', siteId = ''] = key.split(' ');
      return users.has(userId) && sites.has(siteId);
    });
  }, [table, edits, grants]);
  const changes = changesOf(draft);
  const lost = useMemo(() => new Set(overrun(table, draft)), [table, draft]);
  const blocker = useUnsavedWork(changes.length > 0);
  const people = useMemo(() => grants.people.filter((one) => matches(whoTyped, one.displayName, one.loginName)), [grants, whoTyped]);
  const sites = useMemo(() => grants.sites.filter((one) => matches(siteTyped, one.name)), [grants, siteTyped]);

  const put = (next: GrantDraft) => {
    setEdits(next);
    setFailure(null);
    if (Object.keys(next).length === 0) drop();
    else keep(next);
  };
  const mayEdit = (person: Grants['people'][number]) => mayAtAll && session !== null && mayManage(session.role, person.role);
  const edit = (key: string, role: SiteRole | null) => put(withEdit(table, draft, key, role));
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isLoading || changes.length === 0 || changes.length > mostChanges) return;
    setFailure(null);
    const { error } = await save({ body: { changes } });
    if (isFailure(error)) return setFailure(error);
    put(none);
    // The pressed button is removed; keyboard focus continues in the last active cell.
    form.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus();
    dispatch(noticeShown({ tone: 'good', message: { key: 'people:grants.saved', values: { n: changes.length } } }));
  };
  const search = (label: string, value: string, onChange: (value: string) => void) => (
    <OutlinedInput
      size="small"
      type="search"
      value={value}
      placeholder={label}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ input: { 'aria-label': label, maxLength: 100 } }}
      sx={{ height: 32, width: { xs: 1, sm: 220 } }}
    />
  );
  const props = { people, sites, table, draft, mayEdit, onEdit: edit };
  return (
    <form onSubmit={(event) => void submit(event)} aria-label={t('tab.grants')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mb: 1.5 }}>
        {search(t('grants.searchPeople'), whoTyped, setWho)}
        {search(t('grants.searchSites'), siteTyped, setSite)}
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
        <GrantPeople {...props} />
      ) : (
        <GrantMatrix {...props} overrun={lost} />
      )}
      {lost.size > 0 && (
        <Typography role="status" variant="body2" sx={{ mt: 1, color: 'warning.main' }}>
          {t('grants.overrun', { count: lost.size })}
        </Typography>
      )}
      {changes.length > mostChanges && (
        <Typography role="alert" variant="body2" sx={{ mt: 1, color: 'error.main' }}>
          {t('grants.tooMany', { most: mostChanges })}
        </Typography>
      )}
      <SaveBar dirty={changes.length > 0} saving={isLoading} onDiscard={() => put(none)} saveLabel={t('grants.saveCount', { count: changes.length })} />
      <LeaveDialog blocker={blocker} />
    </form>
  );
}

/** Who has which role on which site, for everybody whose role needs grants. */
export default function GrantsTab(): ReactElement {
  const { t } = useTranslation('people');
  const answer = useGrantsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2, maxWidth: 720 }}>
        {t('grants.lead')}
      </Typography>
      <AnswerState
        answer={answer}
        skeleton={<RowsSkeleton rows={10} />}
        failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
      >
        {(grants) =>
          grants.people.length === 0 || grants.sites.length === 0 ? (
            <EmptyState title={t(grants.sites.length === 0 ? 'grants.noSites' : 'grants.noPeople')}>{t('grants.emptyText')}</EmptyState>
          ) : (
            <Editor grants={grants} />
          )
        }
      </AnswerState>
    </>
  );
}
