import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hook, HookMade } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useSearchState } from '@/lib/searchState';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { RowsSkeleton } from '@/ui/skeletons';
import { useTablesQuery } from '../tablesApi';
import { address, nowhere } from './address';
import { HookEditor } from './HookEditor';
import { HookList } from './HookList';
import './hooks.css';
import { useHooksQuery } from './hooksApi';
import { HookView } from './HookView';
import { SecretDialog } from './SecretDialog';

const noTables: readonly ContentTable[] = [];

const Loaded = ({ siteId, hooks }: { readonly siteId: string; readonly hooks: readonly Hook[] }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const dispatch = useAppDispatch();
  const { data: tables = noTables } = useTablesQuery({ siteId });
  const [at, go] = useSearchState(address);
  const [made, setMade] = useState<HookMade | null>(null);
  const hook = hooks.find(({ id }) => id === at.hook);
  const adding = at.hook === 'new';
  return (
    <>
      {hook ? (
        <HookView key={hook.id} siteId={siteId} tables={tables} hook={hook} onMade={setMade} />
      ) : at.hook === '' || adding || made ? (
        <HookList hooks={hooks} tables={tables} onAdd={() => go({ hook: 'new' })} />
      ) : (
        <EmptyState title={t('missing')} action={<Button onClick={() => go(nowhere)}>{t('back')}</Button>} />
      )}
      <HookEditor
        siteId={siteId}
        tables={tables}
        hook={hook ?? null}
        open={adding || (hook !== undefined && at.edit)}
        onClose={() => go(adding ? nowhere : { edit: false })}
        onMade={(done) => {
          setMade(done);
          go({ hook: done.hook.id }, 'replace');
        }}
        onSaved={(saved) => {
          dispatch(noticeShown({ words: { key: 'tableHooks:saved', values: { name: saved.name } } }));
          go({ edit: false });
        }}
      />
      {made && <SecretDialog {...made} onClose={() => setMade(null)} />}
    </>
  );
};

/** Webhooks of the content tables of a site: the list, or the one that the address names. */
export const HooksPart = ({ siteId }: { readonly siteId: string }): ReactElement => {
  // What came of deliveries, and that one was switched off by itself, shows here soon after.
  const answer = useHooksQuery({ siteId }, { refetchOnMountOrArgChange: true, pollingInterval: 10_000, skipPollingIfUnfocused: true });
  return (
    <AnswerState
      answer={answer}
      skeleton={<RowsSkeleton rows={4} />}
      failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
    >
      {(hooks) => <Loaded siteId={siteId} hooks={hooks} />}
    </AnswerState>
  );
};
