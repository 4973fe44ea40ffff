import { Button } from '@mui/material';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { RestoreReport, TableRestore } from '@contract/tables/maintenance';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { addressOf } from '@/store/endpoints';
import { useAppDispatch } from '@/store/hooks';
import { useUploads } from '@/store/useUploads';
import type { UploadTarget } from '@/store/useUploads';
import { ProgressBar, shareDone } from '@/ui/JobProgress';
import { Section } from '@/ui/Section';
import {
  maintenanceCalls,
  useCancelTableRestoreMutation,
  useCreateTableRestoreMutation,
  useRemoveTableRestoreMutation,
  useStartTableRestoreMutation,
  useTableRestoresQuery,
} from './growth/maintenanceApi';
import { useRemoveTableMutation } from '@/features/tables/parts/designApi';
import { useFailureNotice } from '@/features/tables/useFailureNotice';
import { tablesApi } from '@/features/tables/tablesApi';
import { sendableName } from '@/features/tables/transfer/importFile';
import { RestoreDialog } from './RestoreDialog';
import { notifyRestored } from './restoreNotice';

/** Polling interval while a restore is running, ms. */
const pollMs = 1000;
const isWorking = ({ state }: TableRestore): boolean => state === 'checking' || state === 'running';

/** What a backup can and cannot restore. */
const Report = ({ report }: { readonly report: RestoreReport }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const n = (count: number) => ({ count, countText: format.number(count) });
  const lines = [
    t('maintenance.restore.makes', { name: report.title, key: report.key, ...n(report.records) }),
    ...(report.keyTaken ? [t('maintenance.restore.keyTaken', { key: report.key })] : []),
    ...(report.leftOut.length > 0 ? [t('maintenance.restore.leftOut', { names: report.leftOut.join(t('comma')) })] : []),
    ...report.rights.map(({ role, action, why, names }) =>
      t(names.length > 0 || why === 'fewer' ? `maintenance.restore.rights.${why}` : 'maintenance.restore.rights.closed', {
        role: t(`role.${role}`),
        action: t(`action.${action}`),
        names: names.join(t('comma')),
      }),
    ),
    ...(report.links.byName > 0 ? [t('maintenance.restore.byName', n(report.links.byName))] : []),
    ...(report.links.lost > 0 ? [t('maintenance.restore.lost', { ...n(report.links.lost), names: report.links.names.slice(0, 5).join(t('comma')) })] : []),
    ...(report.files && report.files.brought > 0
      ? [t('maintenance.restore.files', { ...n(report.files.brought), size: bytesText(report.files.bytes, format) })]
      : []),
    ...(report.files && report.files.named > 0 ? [t('maintenance.restore.filesNamed', n(report.files.named))] : []),
    ...(report.strangers > 0 ? [t('maintenance.restore.strangers', n(report.strangers))] : []),
    ...(report.emptied > 0 ? [t('maintenance.restore.emptied', n(report.emptied))] : []),
  ];
  return (
    <>
      {lines.map((line) => (
        <small key={line}>{line}</small>
      ))}
    </>
  );
};

/** Actions available in the restore's current state. */
const RestoreActions = ({ site, restore }: { readonly site: Site; readonly restore: TableRestore }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const notifyFailure = useFailureNotice();
  const [start, starting] = useStartTableRestoreMutation();
  const [cancel, cancelling] = useCancelTableRestoreMutation();
  const [forget, forgetting] = useRemoveTableRestoreMutation();
  const [remove, removing] = useRemoveTableMutation();
  const [confirming, setConfirming] = useState(false);
  const of = { siteId: site.id, id: restore.id };
  const { state, tableId, report } = restore;
  const busy = starting.isLoading || cancelling.isLoading || forgetting.isLoading || removing.isLoading;
  const notify = ({ error }: { readonly error?: unknown }): void => notifyFailure(error);
  if (isWorking(restore))
    return (
      <Button disabled={busy} onClick={() => void cancel(of).then(notify)}>
        {t('maintenance.restore.cancel')}
      </Button>
    );
  return (
    <>
      {state === 'checked' && (
        <Button variant="contained" disabled={busy} aria-haspopup="dialog" onClick={() => setConfirming(true)}>
          {t('maintenance.restore.run')}
        </Button>
      )}
      {(state === 'ready' || state === 'failed' || state === 'cancelled') && (
        <Button disabled={busy} onClick={() => void start({ ...of, body: { dryRun: true } }).then(notify)}>
          {t('maintenance.restore.again')}
        </Button>
      )}
      {tableId !== null && (
        <>
          <Button component={Link} to={`${href('site.table.records', { siteId: site.id })}?table=${tableId}`}>
            {t('maintenance.restore.open')}
          </Button>
          <Button disabled={busy} onClick={() => void remove({ siteId: site.id, table: tableId }).then(notify)}>
            {t('maintenance.restore.undo')}
          </Button>
        </>
      )}
      <Button disabled={busy} aria-label={t('maintenance.restore.forgetNamed', { name: restore.file.name })} onClick={() => void forget(of).then(notify)}>
        {t('maintenance.restore.forget')}
      </Button>
      {confirming && report && <RestoreDialog {...of} report={report} onClose={() => setConfirming(false)} />}
    </>
  );
};

const RestoreRow = ({ site, restore }: { readonly site: Site; readonly restore: TableRestore }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const { file, state, done, total, tableId, error } = restore;
  // Only a restore that was seen running gets a notice when it ends.
  const wasRunning = useRef(false);
  const notify = useEffectEvent((table: string) => notifyRestored(dispatch, { siteId: site.id, table, name: restore.report?.title ?? file.name }));
  useEffect(() => {
    if (wasRunning.current && state === 'done' && tableId !== null) notify(tableId);
    wasRunning.current = state === 'running';
  }, [state, tableId]);
  return (
    <li>
      <span>
        <b>{file.name}</b>
        <small>
          {t(`maintenance.restore.state.${state}`)} · {format.relative(restore.createdAt)}
        </small>
        {restore.report && <Report report={restore.report} />}
        {error !== null && (
          <small role="alert" className="admin-bad">
            {error}
          </small>
        )}
        {isWorking(restore) && <ProgressBar label={file.name} share={shareDone(done, total)} sx={{ mt: 0.5 }} />}
      </span>
      <RestoreActions site={site} restore={restore} />
    </li>
  );
};

/** The restores of a site, polled while one is running; also refetches the tables when their number changes. */
function useRestores(siteId: string, tableCount: number): readonly TableRestore[] {
  const dispatch = useAppDispatch();
  const [polling, setPolling] = useState(0);
  const { data: list = [], refetch } = useTableRestoresQuery({ siteId }, { pollingInterval: polling });
  useEffect(() => setPolling(list.some(isWorking) ? pollMs : 0), [list]);
  // A completed or undone restore changes the list of tables.
  const completed = list.filter(({ state }) => state === 'done').length;
  const before = useRef(completed);
  useEffect(() => {
    if (before.current !== completed && list.length > 0) dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: siteId }]));
    before.current = completed;
  }, [completed, list.length, dispatch, siteId]);
  useEffect(() => {
    if (tableCount >= 0) void refetch();
  }, [tableCount, refetch]);
  return list;
}

const restoreTarget = (siteId: string): UploadTarget<TableRestore> => ({
  address: ({ id }) => addressOf(maintenanceCalls.tableRestoreData, { siteId, id }),
  stored: ({ file }) => [file.stored],
});

/** Uploads a backup and starts its check; failures become notices. `progress`: stored share of the file; null while nothing is being sent. */
function useBackupUpload(siteId: string) {
  const dispatch = useAppDispatch();
  const notifyFailure = useFailureNotice();
  const [create] = useCreateTableRestoreMutation();
  const [start] = useStartTableRestoreMutation();
  const uploads = useUploads(restoreTarget(siteId));
  const [current, setCurrent] = useState('');
  const upload = uploads.of(current);
  const send = async (file: File): Promise<void> => {
    if (file.size === 0) {
      dispatch(noticeShown({ tone: 'bad', message: { key: 'tableAdmin:maintenance.restore.empty', values: { name: file.name } } }));
      return undefined;
    }
    const { data, error } = await create({ siteId, body: { name: sendableName(file.name), size: file.size } });
    if (!data) return notifyFailure(error);
    setCurrent(data.id);
    const { sent, failure } = await uploads.send(data, [file]);
    if (failure) return notifyFailure(failure);
    if (sent) notifyFailure((await start({ siteId, id: data.id, body: { dryRun: true } })).error);
    return undefined;
  };
  const [file] = upload?.files ?? [];
  const progress = upload?.sending && file ? (upload.stored[0] ?? 0) / file.size : null;
  return { progress, send };
}

/** Tables from backups: each is uploaded, checked, and restored as a new table. */
export const RestoreList = ({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const list = useRestores(site.id, tables.length);
  const { progress, send } = useBackupUpload(site.id);
  return (
    <Section
      title={t('maintenance.restore.title')}
      note={t('maintenance.restore.note')}
      actions={
        progress === null ? (
          <Button variant="outlined" onClick={() => input.current?.click()}>
            {t('maintenance.restore.choose')}
          </Button>
        ) : (
          <span className="admin-building" role="status">
            {t('maintenance.restore.sending', { share: format.percent(progress) })}
          </span>
        )
      }
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".gz,.json,.ndjson"
        aria-label={t('maintenance.restore.choose')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void send(file);
        }}
      />
      {list.length > 0 && (
        <ul className="admin-list" aria-label={t('maintenance.restore.title')}>
          {list.map((restore) => (
            <RestoreRow key={restore.id} site={site} restore={restore} />
          ))}
        </ul>
      )}
    </Section>
  );
};
