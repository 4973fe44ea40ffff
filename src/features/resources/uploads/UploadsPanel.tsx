import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { phone, useMedia } from '@/lib/useMedia';
import { useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { useFailureMessage } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { ProgressBar } from '@/ui/JobProgress';
import { IconButton, PlainButton } from '@/ui/PlainButton';
import { itemAddress } from '../kinds';
import { useAddFiles } from './useAddFiles';
import { discardInterrupted, useUploadQueue } from './uploads';
import { canPause, isActive, isComplete, selectUploads } from './uploadsSlice';
import type { Upload } from './uploadsSlice';
import './uploads.css';

/** More rows than this are only counted: a chosen folder may have thousands of files. */
const mostRows = 60;
const order = { failed: 0, interrupted: 1, offline: 2, sending: 3, finishing: 4, checking: 5, paused: 6, waiting: 7, known: 8, done: 9 } as const;

const rowBar = { flexBasis: '100%', marginRight: '8px' } as const;

/** What is happening to the file, or what has become of it. */
function StatusText({ upload }: { readonly upload: Upload }): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const messageOf = useFailureMessage();
  const { status, failure, bytes, sent, resource, siteId } = upload;
  if (status === 'failed') return <span data-tone="bad">{failure ? messageOf(failure) : t('uploads.status.failed')}</span>;
  if (status === 'sending' || status === 'paused' || status === 'offline')
    return <span>{t(`uploads.at.${status}`, { sent: bytesText(sent, format), bytes: bytesText(bytes, format) })}</span>;
  return (
    <span>
      {t(`uploads.status.${status}`)} {resource && <Link to={itemAddress(siteId, resource)}>{t('uploads.show', { kind: t(`kind.${resource.kind}`) })}</Link>}
    </span>
  );
}

/** Asks for the file of an interrupted upload; the browser cannot read it again by itself. */
function ChooseAgain({ upload }: { readonly upload: Upload }): ReactElement {
  const { t } = useTranslation('resources');
  const addFiles = useAddFiles(upload.siteId, upload.folderId);
  return (
    <label className="uploads-choose">
      {t('uploads.chooseAgain')}
      <input
        type="file"
        aria-label={t('uploads.chooseAgainNamed', { name: upload.name })}
        onChange={(event) => {
          void addFiles(Array.from(event.target.files ?? [], (file) => ({ file, folders: [] })));
          event.target.value = '';
        }}
      />
    </label>
  );
}

function UploadRow({ upload }: { readonly upload: Upload }): ReactElement {
  const { t } = useTranslation('resources');
  const queue = useUploadQueue();
  const confirm = useConfirm();
  const { id, name, status, bytes, sent } = upload;
  const discard = async (): Promise<void> => {
    const isPartial = status === 'interrupted' || (sent > 0 && !isComplete(upload));
    const question = { title: t('discardUpload.title'), body: t('discardUpload.text'), confirm: t('item.discard'), danger: true };
    if (isPartial && !(await confirm(question))) return;
    if (status === 'interrupted') await discardInterrupted(queue, id);
    else queue.cancel([id]);
  };
  return (
    <li data-status={status}>
      <div className="uploads-name">
        <b title={name}>{name}</b>
        <StatusText upload={upload} />
      </div>
      {status === 'interrupted' && <ChooseAgain upload={upload} />}
      {canPause(upload) && (
        <PlainButton data-quiet="" aria-label={t('uploads.pauseNamed', { name })} onClick={() => queue.pause([id])}>
          {t('uploads.pause')}
        </PlainButton>
      )}
      {status === 'paused' && (
        <PlainButton data-quiet="" aria-label={t('uploads.resumeNamed', { name })} onClick={() => queue.resume([id])}>
          {t('uploads.resume')}
        </PlainButton>
      )}
      {status === 'failed' && (
        <PlainButton data-quiet="" aria-label={t('uploads.retryNamed', { name })} onClick={() => queue.resume([id])}>
          {t('uploads.retry')}
        </PlainButton>
      )}
      {status !== 'finishing' && (
        <IconButton label={t(isComplete(upload) ? 'uploads.dismissNamed' : 'uploads.cancelNamed', { name })} onClick={() => void discard()}>
          <Icon name="close" size={16} />
        </IconButton>
      )}
      {(isActive(upload) || status === 'paused') && <ProgressBar label={name} share={bytes === 0 ? 0 : sent / bytes} sx={rowBar} />}
    </li>
  );
}

/** Asks for confirmation before the tab is closed or reloaded. Moving inside the console stops nothing. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [active]);
}

function useSummary(uploads: readonly Upload[]) {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const total = uploads.filter(({ status }) => status !== 'interrupted');
  const bytes = total.reduce((sum, upload) => sum + upload.bytes, 0);
  const sent = total.reduce((sum, upload) => sum + (isComplete(upload) ? upload.bytes : upload.sent), 0);
  const count = (status: (upload: Upload) => boolean): number => uploads.filter(status).length;
  const active = count(isActive);
  const failed = count(({ status }) => status === 'failed');
  const title =
    active > 0
      ? t('uploads.running', { done: format.number(count(isComplete)), total: format.number(total.length) })
      : failed > 0
        ? t('uploads.withFailures', { count: failed })
        : count(({ status }) => status === 'paused') > 0
          ? t('uploads.allPaused')
          : count(({ status }) => status === 'interrupted') > 0
            ? t('uploads.unfinished')
            : t('uploads.complete', { count: count(isComplete) });
  return { title, active, share: bytes === 0 ? 0 : sent / bytes };
}

/** Uploads of this tab in the lower corner of every page: progress, pause, resume, retry and cancel. Absent without uploads. */
export default function UploadsPanel(): ReactElement | null {
  const { t } = useTranslation('resources');
  const queue = useUploadQueue();
  const uploads = useAppSelector(selectUploads);
  const { title, active, share } = useSummary(uploads);
  const [folded, setFolded] = useState(useMedia(phone));
  useLeaveWarning(active > 0);
  if (uploads.length === 0) return null;
  const pausable = uploads.filter(canPause).map(({ id }) => id);
  const paused = uploads.filter(({ status }) => status === 'paused').map(({ id }) => id);
  const complete = uploads.filter(isComplete).map(({ id }) => id);
  const rows = uploads.toSorted((a, b) => order[a.status] - order[b.status]).slice(0, mostRows);
  return (
    <section className="uploads" aria-label={t('uploads.title')}>
      <header>
        <b role="status">{title}</b>
        <IconButton label={t(folded ? 'uploads.unfold' : 'uploads.fold')} aria-expanded={!folded} onClick={() => setFolded(!folded)}>
          <Icon name={folded ? 'up' : 'down'} />
        </IconButton>
      </header>
      {active > 0 && <ProgressBar label={t('uploads.progress')} share={share} />}
      {!folded && (
        <>
          <ul>
            {rows.map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </ul>
          {uploads.length > mostRows && <p>{t('uploads.more', { count: uploads.length - mostRows })}</p>}
          <footer>
            {pausable.length > 1 && (
              <PlainButton data-quiet="" onClick={() => queue.pause(pausable)}>
                {t('uploads.pauseAll')}
              </PlainButton>
            )}
            {paused.length > 1 && (
              <PlainButton data-quiet="" onClick={() => queue.resume(paused)}>
                {t('uploads.resumeAll')}
              </PlainButton>
            )}
            {complete.length > 0 && (
              <PlainButton data-quiet="" onClick={() => queue.cancel(complete)}>
                {t('uploads.clear')}
              </PlainButton>
            )}
          </footer>
        </>
      )}
    </section>
  );
}
