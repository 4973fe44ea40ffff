import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Webhook, CreatedWebhook } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useSearchState } from '@/lib/searchState';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { EmptyState } from '@/ui/EmptyState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useTablesQuery } from '@/features/tables/tablesApi';
import { address, listAddress } from './address';
import { WebhookEditor } from './WebhookEditor';
import { WebhookList } from './WebhookList';
import './webhooks.css';
import { useHooksQuery } from './webhooksApi';
import { WebhookView } from './WebhookView';
import { SecretDialog } from './SecretDialog';

const noTables: readonly ContentTable[] = [];

const Loaded = ({ siteId, hooks }: { readonly siteId: string; readonly hooks: readonly Webhook[] }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const dispatch = useAppDispatch();
  const { data: tables = noTables } = useTablesQuery({ siteId });
  const [at, go] = useSearchState(address);
  const [createdHook, setCreatedHook] = useState<CreatedWebhook | null>(null);
  const hook = hooks.find(({ id }) => id === at.hook);
  const adding = at.hook === 'new';
  return (
    <>
      {hook ? (
        <WebhookView key={hook.id} siteId={siteId} tables={tables} hook={hook} onMade={setCreatedHook} />
      ) : at.hook === '' || adding || createdHook ? (
        <WebhookList hooks={hooks} tables={tables} onAdd={() => go({ hook: 'new' })} />
      ) : (
        <EmptyState title={t('missing')} action={<Button onClick={() => go(listAddress)}>{t('back')}</Button>} />
      )}
      <WebhookEditor
        siteId={siteId}
        tables={tables}
        hook={hook ?? null}
        open={adding || (hook !== undefined && at.edit)}
        onClose={() => go(adding ? listAddress : { edit: false })}
        onMade={(done) => {
          setCreatedHook(done);
          go({ hook: done.hook.id }, 'replace');
        }}
        onSaved={(saved) => {
          dispatch(noticeShown({ message: { key: 'tableHooks:saved', values: { name: saved.name } } }));
          go({ edit: false });
        }}
      />
      {createdHook && <SecretDialog {...createdHook} onClose={() => setCreatedHook(null)} />}
    </>
  );
};

/** Webhooks of a site's content tables: the list, or the webhook in the URL. */
export const WebhooksPart = ({ siteId }: { readonly siteId: string }): ReactElement => {
  // Results of deliveries, and automatic deactivation of a webhook, appear soon after.
  const result = useHooksQuery({ siteId }, { refetchOnMountOrArgChange: true, pollingInterval: 10_000, skipPollingIfUnfocused: true });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={4} />}>
      {(hooks) => <Loaded siteId={siteId} hooks={hooks} />}
    </ResultState>
  );
};
