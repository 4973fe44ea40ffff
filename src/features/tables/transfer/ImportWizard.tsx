import { Dialog } from '@mui/material';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import type { TableImport } from '@contract/tables/transfers';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { phone, useMedia } from '@/lib/useMedia';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useUploads } from '@/store/useUploads';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { Stepper } from '@/ui/Stepper';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { RowsSkeleton } from '@/ui/skeletons';
import { tablesApi } from '../tablesApi';
import type { Step, TransferAddress } from './address';
import { steps } from './address';
import { DoneStep } from './DoneStep';
import { FileStep } from './FileStep';
import { StepFrame } from './StepFrame';
import { ImportSetup } from './ImportSetup';
import { RunStep } from './RunStep';
import { stepOf } from './importStep';
import { transferTarget } from './transferApi';
import './transfer.css';
import { isBusy, useImport } from './useImport';

export type WizardProps = {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  /** Table on the screen, the target of a new import. */ readonly current: ContentTable | null;
  readonly at: Pick<TransferAddress, 'import' | 'step'>;
  readonly change: (change: Partial<TransferAddress>, how?: 'push' | 'replace') => void;
  /** A file dropped on the screen, to start with. */ readonly dropped: File | null;
  readonly onDroppedTaken: () => void;
  readonly onShow: (tableId: string) => void;
};

/** Moves the reading position to the dialog's heading when it opens. */
const focusAtOnce = (node: HTMLElement | null): void => node?.focus();

/** Refetches what an import has written or undone. */
function useRefreshAfterImport(siteId: string, it: TableImport | undefined): void {
  const dispatch = useAppDispatch();
  const known = useRef<string | null>(null);
  const refresh = useEffectEvent((key: string) => {
    if (known.current !== null && known.current !== key && it !== undefined)
      dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: siteId }, ...(it.tableId === null ? [] : [{ type: 'Records' as const, id: it.tableId }])]));
    known.current = key;
  });
  const key = it === undefined ? null : `${it.id} ${it.state} ${String(it.undone)}`;
  useEffect(() => {
    if (key !== null) refresh(key);
  }, [key]);
}

/** The title and the steps; focusing the title announces a change of step. */
const WizardHead = ({
  titleId,
  target,
  step,
  onClose,
}: {
  readonly titleId: string;
  readonly target: ContentTable | null;
  readonly step: Step;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const head = useRef<HTMLDivElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current === step) return;
    before.current = step;
    head.current?.querySelector<HTMLElement>('h2')?.focus();
  }, [step]);
  return (
    <div className="transfer-head" ref={head}>
      <h2 ref={focusAtOnce} id={titleId} tabIndex={-1} style={{ outline: 'none' }}>
        {target ? t('wizard.into', { table: target.title }) : t('wizard.newTable')}
      </h2>
      <Stepper label={t('wizard.steps')} steps={steps.map((id) => ({ id, name: t(`wizard.step.${id}`) }))} current={step} done={t('wizard.stepDone')} />
      <IconButton label={t('close')} onClick={onClose}>
        <Icon name="close" />
      </IconButton>
    </div>
  );
};

/** An import that is loading, or could not be loaded. */
const Unknown = ({
  error,
  refetch,
  isFetching,
  onAgain,
  onClose,
}: Pick<ReturnType<typeof useImport>, 'error' | 'refetch' | 'isFetching'> & { readonly onAgain: () => void; readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const isGone = isFailure(error) && (error.code === 'not_found' || error.code === 'invalid_fields');
  return (
    <StepFrame actions={<PlainButton onClick={onClose}>{t('close')}</PlainButton>}>
      {isGone ? (
        <EmptyState title={t('wizard.gone')} action={<PlainButton onClick={onAgain}>{t('wizard.again')}</PlainButton>} />
      ) : isFailure(error) ? (
        <ErrorPanel failure={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </StepFrame>
  );
};

/** Closes the wizard: confirms where input would be lost, and notifies what continues or is kept. */
function useClose({
  sending,
  typed,
  it,
  onClose,
  pause,
}: {
  readonly sending: boolean;
  readonly typed: boolean;
  readonly it: TableImport | undefined;
  readonly onClose: () => void;
  readonly pause: () => void;
}) {
  const { t } = useTranslation('tableTransfer');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  return async (): Promise<void> => {
    if (sending || typed) {
      const sure = await confirm({
        title: t('wizard.leaveTitle'),
        body: t(sending ? 'wizard.leaveUpload' : 'wizard.leaveText'),
        confirm: t('wizard.leave'),
        cancel: t('wizard.stay'),
        danger: !sending,
      });
      if (!sure) return;
      pause();
    }
    if (it && (isBusy(it) || (it.state !== 'done' && it.state !== 'uploading')))
      dispatch(noticeShown({ message: { key: it.state === 'running' ? 'tableTransfer:wizard.goesOn' : 'tableTransfer:wizard.saved' } }));
    onClose();
  };
}

/**
 * Imports a file of records, step by step. The server and the URL keep its state, so that it continues after a reload or in another tab. Nothing is written
 * before the dry run is confirmed.
 */
const ImportWizard = ({ site, tables, current, at, change, dropped, onDroppedTaken, onShow }: WizardProps): ReactElement => {
  const onPhone = useMedia(phone);
  const titleId = useId();
  const siteId = site.id;
  const id = at.import === 'new' || at.import === 'table' ? '' : at.import;
  const { it, error, isFetching, refetch, put, arrived } = useImport(siteId, id);
  const uploads = useUploads(transferTarget(siteId));
  const send = async (created: TableImport, files: readonly File[]): Promise<void> => {
    if ((await uploads.send(created, files)).sent) await arrived(created.id);
  };
  const [typed, setTyped] = useState(false);
  const sending = uploads.isSending;
  const leaving = useUnsavedWork(sending || typed);

  const target = id === '' ? (at.import === 'new' ? current : null) : (tables.find((one) => one.id === it?.tableId) ?? null);
  const step = stepOf(id === '' ? null : (it ?? null), at.step);
  const design = mayOnSite(site.role, 'tables.design');

  useRefreshAfterImport(siteId, it);
  const close = useClose({ sending, typed, it, onClose: () => change({ import: '', step: '' }), pause: () => uploads.pause(id) });
  const open = (next: string): void => change({ import: next, step: '' });
  const shared = { siteId, table: target, tables };

  let content: ReactElement;
  if (id !== '' && it === undefined)
    content = <Unknown error={error} refetch={refetch} isFetching={isFetching} onAgain={() => open(current ? 'new' : 'table')} onClose={() => void close()} />;
  else if (step === 'file' || it === undefined)
    content = (
      <FileStep
        key={id}
        {...shared}
        it={it ?? null}
        uploads={uploads}
        onSend={(created, files) => void send(created, files)}
        dropped={dropped}
        onDroppedTaken={onDroppedTaken}
        onMade={(createdImport, file) => {
          put(createdImport);
          setTyped(false);
          void send(createdImport, [file]);
          change({ import: createdImport.id, step: '' }, 'replace');
        }}
        onOpen={open}
        onTyped={setTyped}
      />
    );
  else if (step === 'run') content = <RunStep key={id} {...shared} it={it} put={put} onClose={() => void close()} />;
  else if (step === 'done') content = <DoneStep key={id} {...shared} it={it} put={put} onShow={onShow} onAnother={() => open(target ? 'new' : 'table')} />;
  else
    content = (
      <ImportSetup
        key={id}
        {...shared}
        it={it}
        put={put}
        step={step}
        design={design}
        onStep={(next) => change({ step: next })}
        onAnother={() => open(target && target.id === current?.id ? 'new' : 'table')}
      />
    );

  return (
    <Dialog
      open
      fullScreen={onPhone}
      fullWidth
      maxWidth="lg"
      aria-labelledby={titleId}
      onClose={(_event, reason) => {
        // A click outside is more often accidental than intended.
        if (reason === 'escapeKeyDown') void close();
      }}
      slotProps={{ paper: { sx: onPhone ? {} : { height: 'min(780px, calc(100vh - 64px))' } } }}
    >
      <WizardHead titleId={titleId} target={target} step={step} onClose={() => void close()} />
      {content}
      <LeaveDialog blocker={leaving} />
    </Dialog>
  );
};

export default ImportWizard;
