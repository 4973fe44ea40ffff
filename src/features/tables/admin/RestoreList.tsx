import { Button, LinearProgress } from '@mui/material';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { TableRestore } from '@contract/tables/maintenance';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { href } from '@/routes/paths';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import { addressOf } from '@/store/endpoints';
import { isFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { sendPieces } from '@/store/sendPieces';
import { Section } from '@/ui/Section';
import {
  careCalls,
  useCancelTableRestoreMutation,
  useCreateTableRestoreMutation,
  useRemoveTableRestoreMutation,
  useStartTableRestoreMutation,
  useTableRestoresQuery,
} from '../care/careApi';
import { useRemoveTableMutation } from '../parts/designApi';
import { tablesApi } from '../tablesApi';
import { sendableName } from '../transfer/files';
import { RestoreDialog } from './RestoreDialog';
import { tellRestored } from './restoreEnds';

/** How often a restoring that goes on is asked after, ms. */
const pollMs = 1000;
const isWorking = ({ state }: TableRestore): boolean => state === 'checking' || state === 'running';

/** What a file would make, or has made. */
const Report = ({ it }: { readonly it: TableRestore }): ReactElement | null => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const { report } = it;
  if (!report) return null;
  const n = (count: number) => ({ count, shown: format.number(count) });
  const lines = [
    t('care.restore.makes', { name: report.title, key: report.key, ...n(report.records) }),
    ...(report.keyTaken ? [t('care.restore.keyTaken', { key: report.key })] : []),
    ...(report.leftOut.length > 0 ? [t('care.restore.leftOut', { names: report.leftOut.join(t('comma')) })] : []),
    ...report.rights.map(({ role, action, why, names }) =>
      t(names.length > 0 || why === 'fewer' ? `care.restore.rights.${why}` : 'care.restore.rights.closed', {
        role: t(`role.${role}`),
        action: t(`action.${action}`),
        names: names.join(t('comma')),
      }),
    ),
    ...(report.links.byName > 0 ? [t('care.restore.byName', n(report.links.byName))] : []),
    ...(report.links.lost > 0 ? [t('care.restore.lost', { ...n(report.links.lost), names: report.links.names.slice(0, 5).join(t('comma')) })] : []),
    ...(report.strangers > 0 ? [t('care.restore.strangers', n(report.strangers))] : []),
    ...(report.emptied > 0 ? [t('care.restore.emptied', n(report.emptied))] : []),
  ];
  return (
    <>
      {lines.map((line) => (
        <small key={line}>{line}</small>
      ))}
    </>
  );
};

const Row = ({ site, it }: { readonly site: Site; readonly it: TableRestore }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const [start, starting] = useStartTableRestoreMutation();
  const [cancel, cancelling] = useCancelTableRestoreMutation();
  const [forget, forgetting] = useRemoveTableRestoreMutation();
  const [remove, removing] = useRemoveTableMutation();
  const [asking, setAsking] = useState(false);
  const of = { siteId: site.id, id: it.id };
  const busy = starting.isLoading || cancelling.isLoading || forgetting.isLoading || removing.isLoading;
  const tell = ({ error }: { readonly error?: unknown }): void => {
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
  };
  const share = it.done !== null && it.total ? Math.min(100, (it.done / it.total) * 100) : null;
  const { tableId } = it;
  const working = useRef(false);
  const made = useEffectEvent((table: string) => tellRestored(dispatch, { siteId: site.id, table, name: it.report?.title ?? it.file.name }));
  useEffect(() => {
    if (working.current && it.state === 'done' && tableId !== null) made(tableId);
    working.current = it.state === 'running';
  }, [it.state, tableId]);
  return (
    <li>
      <span>
        <b>{it.file.name}</b>
        <small>
          {t(`care.restore.state.${it.state}`)} · {format.relative(it.createdAt)}
        </small>
        <Report it={it} />
        {it.error !== null && (
          <small role="alert" className="admin-bad">
            {it.error}
          </small>
        )}
        {isWorking(it) && (
          <LinearProgress sx={{ mt: 0.5 }} {...(share === null ? {} : { variant: 'determinate' as const, value: share })} aria-label={it.file.name} />
        )}
      </span>
      {isWorking(it) ? (
        <Button size="small" disabled={busy} onClick={() => void cancel(of).then(tell)}>
          {t('care.restore.cancel')}
        </Button>
      ) : (
        <>
          {it.state === 'checked' && (
            <Button size="small" variant="contained" disabled={busy} aria-haspopup="dialog" onClick={() => setAsking(true)}>
              {t('care.restore.run')}
            </Button>
          )}
          {(it.state === 'ready' || it.state === 'failed' || it.state === 'cancelled') && (
            <Button size="small" disabled={busy} onClick={() => void start({ ...of, body: { dryRun: true } }).then(tell)}>
              {t('care.restore.again')}
            </Button>
          )}
          {tableId !== null && (
            <>
              <Button size="small" component={Link} to={`${href('site.table.records', { siteId: site.id })}?table=${tableId}`}>
                {t('care.restore.open')}
              </Button>
              <Button size="small" disabled={busy} onClick={() => void remove({ siteId: site.id, table: tableId }).then(tell)}>
                {t('care.restore.undo')}
              </Button>
            </>
          )}
          <Button size="small" disabled={busy} aria-label={t('care.restore.forgetNamed', { name: it.file.name })} onClick={() => void forget(of).then(tell)}>
            {t('care.restore.forget')}
          </Button>
        </>
      )}
      {asking && it.report && <RestoreDialog {...of} report={it.report} onClose={() => setAsking(false)} />}
    </li>
  );
};

/** Tables from files: chosen, looked at, made beside all others. */
export const RestoreList = ({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const input = useRef<HTMLInputElement>(null);
  const sending = useRef<AbortController | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [polling, setPolling] = useState(0);
  const { data: list = [], refetch } = useTableRestoresQuery({ siteId: site.id }, { pollingInterval: polling });
  const [create] = useCreateTableRestoreMutation();
  const [start] = useStartTableRestoreMutation();
  useEffect(() => () => sending.current?.abort(), []);
  useEffect(() => setPolling(list.some(isWorking) ? pollMs : 0), [list]);
  // A table that was made, or thrown away again, changes the list of tables.
  const mades = list.filter(({ state }) => state === 'done').length;
  const seen = useRef(mades);
  useEffect(() => {
    if (seen.current !== mades && list.length > 0) dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: site.id }]));
    seen.current = mades;
  }, [mades, list.length, dispatch, site.id]);
  const tables_ = tables.length;
  useEffect(() => {
    if (tables_ >= 0) void refetch();
  }, [tables_, refetch]);
  const take = async (file: File): Promise<void> => {
    const { data, error } = await create({ siteId: site.id, body: { name: sendableName(file.name), size: Math.max(1, file.size) } });
    if (!data) {
      if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
      return;
    }
    const mine = new AbortController();
    sending.current = mine;
    setSent(0);
    const { failure } = await sendPieces<TableRestore>({
      file,
      from: data,
      address: (offset) => addressOf(careCalls.tableRestoreData, { siteId: site.id, id: data.id, offset }),
      stored: (one) => one.file.stored,
      onMoved: (one) => setSent(one.file.stored / one.file.size),
      onWaiting: () => undefined,
      signal: mine.signal,
    });
    setSent(null);
    if (mine.signal.aborted) return;
    if (failure) dispatch(noticeShown({ tone: 'bad', words: failureWords(failure), requestId: failure.requestId }));
    else await start({ siteId: site.id, id: data.id, body: { dryRun: true } });
  };
  return (
    <Section
      title={t('care.restore.title')}
      note={t('care.restore.note')}
      actions={
        sent === null ? (
          <Button size="small" variant="outlined" onClick={() => input.current?.click()}>
            {t('care.restore.choose')}
          </Button>
        ) : (
          <span className="admin-building" role="status">
            {t('care.restore.sending', { share: format.percent(sent) })}
          </span>
        )
      }
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".gz,.json,.ndjson"
        aria-label={t('care.restore.choose')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void take(file);
        }}
      />
      {list.length > 0 && (
        <ul className="admin-list" aria-label={t('care.restore.title')}>
          {list.map((it) => (
            <Row key={it.id} site={site} it={it} />
          ))}
        </ul>
      )}
    </Section>
  );
};
