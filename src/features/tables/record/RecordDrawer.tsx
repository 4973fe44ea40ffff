import { Button, Drawer } from '@mui/material';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordLabels } from '@contract/tables/records';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { phone, useMedia } from '@/lib/useMedia';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { RowsSkeleton } from '@/ui/skeletons';
import { FieldEnvProvider, joinedLabels, useFieldEnv } from '../fieldTypes/env';
import { Labelled } from '../records/Labelled';
import { useRecordQuery } from '../tablesApi';
import { OpenedRecord } from './OpenedRecord';
import type { DrawerProps } from './OpenedRecord';
import './record.css';
import type { UnsavedEdits } from './recordHooks';

/** The labels that came with the record, and those that its editors have found since. */
function useOwnLabels(stored: RecordLabels | undefined) {
  const env = useFieldEnv();
  const [found, setFound] = useState<RecordLabels>({ records: {}, people: {} });
  const own = useMemo(
    () => ({
      ...env,
      onLabel: (kind: 'records' | 'people', one: { readonly id: string; readonly label: string }) =>
        setFound((before) => ({ ...before, [kind]: { ...before[kind], [one.id]: one.label } })),
    }),
    [env],
  );
  const labels = useMemo<RecordLabels>(() => (stored ? joinedLabels(stored, found) : found), [stored, found]);
  return { env: own, labels };
}

type WaitingProps = { readonly titleId: string; readonly title: string; readonly onClose: () => void; readonly children: ReactNode };

/** In place of a record that is not loaded. */
const Waiting = ({ titleId, title, onClose, children }: WaitingProps): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const onPhone = useMedia(phone);
  return (
    <div className="rec-wait">
      <header className="rec-head">
        {onPhone && (
          <IconButton label={t('back')} onClick={onClose}>
            <Icon name="left" size={20} />
          </IconButton>
        )}
        <div className="rec-name">
          <h2 id={titleId}>{title}</h2>
        </div>
        {!onPhone && (
          <IconButton label={t('close')} onClick={onClose}>
            <Icon name="close" size={16} />
          </IconButton>
        )}
      </header>
      {children}
    </div>
  );
};

/** By how much of the unsaved changes the draft contains. */
const leavingNotices = { all: 'tableRecord:draftStored', part: 'tableRecord:draftIncomplete', none: 'tableRecord:draftNone' } as const;

/** A notice if the record is closed with unsaved changes without a question, as by the browser's back button: which of them can be continued. */
function useDraftNotice(leaving: RefObject<UnsavedEdits>): void {
  const dispatch = useAppDispatch();
  const notify = useEffectEvent(() => {
    const { dirty, draft } = leaving.current;
    if (dirty) dispatch(noticeShown({ tone: 'warning', message: { key: leavingNotices[draft] } }));
  });
  // Before the passive effects of the content report that nothing is edited any more.
  useLayoutEffect(() => () => notify(), []);
}

/** One record with its content, history, links and comments, in a drawer at the right; a page on phones. Asks before leaving with unsaved changes. */
const RecordDrawer = (props: DrawerProps): ReactElement => {
  const { siteId, table, recordId, presence, onClose } = props;
  const { t } = useTranslation('tableRecord');
  const titleId = useId();
  const confirm = useConfirm();
  const result = useRecordQuery({ siteId, table: table.id, id: recordId }, { refetchOnMountOrArgChange: true });
  const leaving = useRef<UnsavedEdits>({ dirty: false, draft: 'none', discard: () => undefined });
  useDraftNotice(leaving);
  const here = useEffectEvent(() => presence?.onActive({ rowId: recordId, column: '' }));
  useEffect(() => here(), [recordId]);
  const go = (to: () => void): void => {
    void (async () => {
      if (leaving.current.dirty) {
        if (!(await confirm({ title: t('closeTitle'), body: t('closeText'), confirm: t('discard'), cancel: t('closeKeep'), danger: true }))) return;
        leaving.current.discard();
        leaving.current = { ...leaving.current, dirty: false };
      }
      to();
    })();
  };
  const { env, labels } = useOwnLabels(result.data?.labels);
  return (
    <Drawer
      anchor="right"
      open
      onClose={() => go(onClose)}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': titleId,
          className: 'rec-drawer',
          sx: { width: 'calc(100% - 48px)', maxWidth: table.locales.length > 1 ? 920 : 720, [`@media ${phone}`]: { width: '100%', maxWidth: 'none' } },
        },
      }}
    >
      <ResultState
        result={result}
        skeleton={
          <Waiting titleId={titleId} title={t('loading')} onClose={onClose}>
            <RowsSkeleton rows={8} />
          </Waiting>
        }
        failed={(error, onRetry, retrying) => (
          <Waiting titleId={titleId} title={table.title} onClose={onClose}>
            {isFailure(error) && error.status === 404 ? (
              <EmptyState title={t('missing')} action={<Button onClick={onClose}>{t('close')}</Button>} />
            ) : (
              <ErrorPanel failure={isFailure(error) ? error : null} onRetry={onRetry} retrying={retrying} />
            )}
          </Waiting>
        )}
      >
        {(record) => (
          <FieldEnvProvider value={env}>
            <Labelled labels={labels}>
              <OpenedRecord key={record.id} {...props} record={record} titleId={titleId} onGo={go} onLeaving={(now) => (leaving.current = now)} />
            </Labelled>
          </FieldEnvProvider>
        )}
      </ResultState>
    </Drawer>
  );
};
export default RecordDrawer;
