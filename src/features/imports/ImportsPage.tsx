import type { Import } from '@contract/imports/schemas';
import { Box } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router-dom';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { selectSite } from '@/features/sites/sitesSlice';
import { useToday } from '@/lib/useToday';
import { isFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useUploads } from '@/store/useUploads';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { EmptyState } from '@/ui/EmptyState';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { PageHeader } from '@/ui/PageHeader';
import { Bone } from '@/ui/skeletons';
import { TabLinks } from '@/ui/TabLinks';
import { ImportDrop } from './ImportDrop';
import { importTarget } from './importFiles';
import { ImportItem } from './ImportItem';
import { importsApi, useCreateImportMutation, useImportsQuery } from './importsApi';
import { ReconcileTab } from './ReconcileTab';

/** Imports of a site, and the reconciliation with the script. The tab and the open import are in the address. */
export const Component = (): ReactElement | null => {
  const { siteId = '' } = useParams();
  const { t } = useTranslation('imports');
  const [params] = useSearchParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  const today = useToday(site?.timeZone ?? 'UTC');
  if (site === undefined) return null;
  const tab = params.get('tab') === 'reconcile' ? 'reconcile' : 'list';
  return (
    <>
      <PageHeader title={t('title')} />
      <TabLinks
        label={t('tabs')}
        current={tab}
        tabs={[
          { id: 'list', name: t('tab.list'), to: '?' },
          { id: 'reconcile', name: t('tab.reconcile'), to: '?tab=reconcile' },
        ]}
      />
      <Box sx={{ mt: 3 }}>
        {/* Hidden, not unmounted: an upload continues while the other tab is shown. */}
        <Box hidden={tab !== 'list'}>
          <List siteId={site.id} timeZone={site.timeZone} />
        </Box>
        {tab === 'reconcile' && <ReconcileTab siteId={site.id} today={today} />}
      </Box>
    </>
  );
};

const busyStates = new Set(['queued', 'running', 'removing']);

function List({ siteId, timeZone }: { readonly siteId: string; readonly timeZone: string }): ReactElement {
  const { t } = useTranslation('imports');
  const [params, setParams] = useSearchParams();
  const dispatch = useAppDispatch();
  const uploads = useUploads(importTarget(siteId));
  const blocker = useUnsavedWork(uploads.isSending);
  const send = async (it: Import, files: readonly File[]): Promise<void> => {
    const { sent, failure } = await uploads.send(it, files);
    if (sent || failure !== null) dispatch(importsApi.util.invalidateTags(['Import']));
  };
  const [create, creating] = useCreateImportMutation();
  const result = useImportsQuery({ siteId }, { refetchOnMountOrArgChange: true });
  const { data, error, isFetching, refetch } = result;
  const busy = data?.some((one) => busyStates.has(one.state)) ?? false;
  useImportsQuery({ siteId }, { pollingInterval: busy ? 1500 : 0, skipPollingIfUnfocused: true });
  const openId = params.get('open') ?? data?.find((one) => one.state === 'uploading')?.id ?? null;
  const toggle = (id: string): void =>
    setParams(
      (before) => {
        before.set('open', openId === id ? 'none' : id);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  const begin = async (files: readonly File[]): Promise<void> => {
    const { data: created } = await create({ siteId, body: { files: files.map(({ name, size }) => ({ name, size })) } });
    if (created === undefined) return;
    void send(created, files);
    setParams(
      (before) => {
        before.set('open', created.id);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return (
    <>
      <LeaveDialog blocker={blocker} />
      <ImportDrop busy={creating.isLoading} onFiles={(files) => void begin(files)} />
      {isFailure(creating.error) && <ErrorPanel failure={creating.error} />}
      {isFailure(error) && <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />}
      {data === undefined ? (
        !isFailure(error) && <Bone h={160} />
      ) : data.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
      ) : (
        <Box component="ul" aria-label={t('tab.list')} sx={{ m: 0, p: 0 }}>
          {data.map((it) => (
            <ImportItem
              key={it.id}
              siteId={siteId}
              timeZone={timeZone}
              it={it}
              upload={uploads.of(it.id)}
              onSend={(files) => void send(it, files)}
              onPause={() => uploads.pause(it.id)}
              open={openId === it.id}
              onToggle={() => toggle(it.id)}
            />
          ))}
        </Box>
      )}
    </>
  );
}
