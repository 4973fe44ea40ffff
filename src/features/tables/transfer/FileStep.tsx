import { Button } from '@mui/material';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { transferLimits } from '@contract/tables/transfers';
import type { TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import type { Upload, Uploads } from '@/store/useUploads';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { useFileDrop } from '@/ui/useFileDrop';
import { bytesText } from '@/lib/bytes';
import { fileErrorOf, isSameFile, mostBytes, pastedFile, sendableName } from './importFile';
import { ImportList } from './ImportList';
import { StepFrame } from './StepFrame';
import { useCreateTableImportMutation } from './transferApi';

type Props = {
  readonly siteId: string;
  readonly table: ContentTable | null;
  readonly tables: readonly ContentTable[];
  /** An import whose upload is incomplete; null: a new one. */ readonly it: TableImport | null;
  readonly uploads: Uploads<TableImport>;
  /** Sends what is missing of the file of an import. */ readonly onSend: (it: TableImport, files: readonly File[]) => void;
  readonly dropped: File | null;
  readonly onDroppedTaken: () => void;
  readonly onMade: (it: TableImport, file: File) => void;
  readonly onOpen: (id: string) => void;
  /** Whether there is unsaved input. */ readonly onTyped: (typed: boolean) => void;
};
const accepted = '.csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx,.zip';

/** A file input that also accepts drops. */
const FileDrop = ({
  name,
  busy,
  onFile,
  onPaste,
}: {
  readonly name: string;
  readonly busy: boolean;
  readonly onFile: (file: File, more: boolean) => void;
  readonly onPaste?: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const { over, place, input, choose } = useFileDrop(([file, ...others]) => {
    if (file && !busy) onFile(file, others.length > 0);
  });
  return (
    <div className="transfer-drop" data-over={over ? '' : undefined} {...place}>
      <b>{over ? t('file.over') : t('file.drop')}</b>
      <p className="transfer-quiet">
        {t('file.help', {
          file: bytesText(transferLimits.fileBytes, format),
          xlsx: bytesText(transferLimits.xlsxBytes, format),
          rows: format.number(transferLimits.rows),
        })}
      </p>
      <span className="transfer-line" style={{ justifyContent: 'center' }}>
        <Button variant="contained" disabled={busy} onClick={choose}>
          {name}
        </Button>
        {onPaste && <Button onClick={onPaste}>{t('file.paste')}</Button>}
      </span>
      <input {...input} accept={accepted} aria-label={name} />
    </div>
  );
};

type Note = { readonly text: string; readonly bad: boolean };
const NoteText = ({ note }: { readonly note: Note | null }): ReactElement | null =>
  note && (
    <p role={note.bad ? 'alert' : 'status'} className={note.bad ? 'tables-error' : 'transfer-quiet'}>
      {note.text}
    </p>
  );

/** An upload of this page: its progress, with buttons to pause and resume. */
const UploadProgress = ({
  it,
  uploads,
  upload,
  onSend,
}: Pick<Props, 'uploads' | 'onSend'> & {
  readonly it: TableImport;
  readonly upload: Upload;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const stored = Math.max(upload.stored[0] ?? 0, it.file.stored);
  // Everything has arrived, and the next step is loading.
  const working = upload.sending || (stored >= it.file.size && upload.failure === null);
  const progress = t('upload.progress', { done: bytesText(stored, format), total: bytesText(it.file.size, format) });
  return (
    <StepFrame
      actions={
        working ? (
          <Button disabled={!upload.sending} onClick={() => uploads.pause(it.id)}>
            {t('upload.pause')}
          </Button>
        ) : (
          <Button variant="contained" onClick={() => onSend(it, upload.files)}>
            {t('upload.resume')}
          </Button>
        )
      }
    >
      <div className="transfer-progress">
        <JobProgress title={t('upload.going', { name: it.file.name })} titleAs="h3" share={shareDone(stored, it.file.size) ?? 1} note={progress} />
        <p role="status" className={upload.waiting ? 'tables-error' : 'transfer-quiet'}>
          {upload.waiting ? t('upload.waiting') : working || upload.failure ? '' : t('upload.paused')}
        </p>
        {upload.failure && <ErrorPanel title={t('upload.failed')} failure={upload.failure} />}
      </div>
    </StepFrame>
  );
};

/** An upload that another page began: choosing the same file resumes it. */
const ResumeUpload = ({ it, table, onSend, onOpen }: Pick<Props, 'table' | 'onSend' | 'onOpen'> & { readonly it: TableImport }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const [note, setNote] = useState<Note | null>(null);
  const resume = (file: File): void => {
    if (isSameFile(it, file)) {
      setNote(null);
      onSend(it, [file]);
    } else setNote({ bad: true, text: t('upload.wrong') });
  };
  return (
    <StepFrame actions={<Button onClick={() => onOpen(table ? 'new' : 'table')}>{t('wizard.again')}</Button>}>
      <p>{t('upload.againText', { name: it.file.name, done: bytesText(it.file.stored, format), total: bytesText(it.file.size, format) })}</p>
      <FileDrop name={t('upload.again')} busy={false} onFile={resume} />
      <NoteText note={note} />
    </StepFrame>
  );
};

/** Creates an import for a file; a file that cannot be imported is refused before anything is uploaded. */
function useNewImport({ siteId, table, dropped, onDroppedTaken, onMade }: Props) {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const [create, creating] = useCreateTableImportMutation();
  const [note, setNote] = useState<Note | null>(null);
  const begin = async (file: File, more = false): Promise<void> => {
    const fileError = fileErrorOf(file);
    const { name, size } = file;
    if (fileError !== null)
      return setNote({ bad: true, text: t(`file.${fileError}`, { name, size: bytesText(size, format), most: bytesText(mostBytes(name), format) }) });
    setNote(more ? { bad: false, text: t('file.one') } : null);
    const { data } = await create({ siteId, body: { table: table?.id ?? null, name: sendableName(name), size } });
    return data && onMade(data, file);
  };
  const lastDropped = useRef<File | null>(null);
  const takeDropped = useEffectEvent((file: File) => {
    if (lastDropped.current === file) return;
    lastDropped.current = file;
    onDroppedTaken();
    void begin(file);
  });
  useEffect(() => {
    if (dropped !== null) takeDropped(dropped);
  }, [dropped]);
  return { note, creating: creating.isLoading, failure: isFailure(creating.error) ? creating.error : null, begin };
}

const PastedText = ({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const id = useId();
  return (
    <div className="tables-labelled">
      <label htmlFor={id}>{t('file.pasteLabel')}</label>
      <textarea
        id={id}
        className="tables-input"
        rows={12}
        // Replaces the button that opened it.
        autoFocus
        spellCheck={false}
        value={text}
        style={{ whiteSpace: 'pre', fontFamily: 'var(--mono, ui-monospace, monospace)' }}
        onChange={(event) => onChange(event.target.value)}
      />
      <span className="transfer-quiet" style={{ fontWeight: 400 }}>
        {t('file.pasteHelp')}
      </span>
    </div>
  );
};

/** A new import: a file, pasted text, or one of the latest imports. */
const NewImport = (props: Props): ReactElement => {
  const { siteId, table, tables, onOpen, onTyped } = props;
  const { t } = useTranslation('tableTransfer');
  const { note, creating, failure, begin } = useNewImport(props);
  /** The pasted text; null: a file is chosen instead. */
  const [text, setText] = useState<string | null>(null);
  const put = (next: string | null): void => {
    setText(next);
    onTyped(next !== null && next.trim() !== '');
  };
  return (
    <StepFrame
      actions={
        text === null ? (
          <p className="transfer-quiet" style={{ marginRight: 'auto' }}>
            {t('file.next')}
          </p>
        ) : (
          <>
            <Button onClick={() => put(null)}>{t('file.pasteBack')}</Button>
            <Button
              variant="contained"
              disabled={text.trim() === '' || creating}
              aria-busy={creating}
              onClick={() => void begin(pastedFile(text, t('file.pasteName')))}
            >
              {t('file.pasteGo')}
            </Button>
          </>
        )
      }
    >
      {failure && <ErrorPanel title={t('failed')} failure={failure} />}
      {text === null ? (
        <FileDrop name={t('file.choose')} busy={creating} onFile={(file, more) => void begin(file, more)} onPaste={() => put('')} />
      ) : (
        <PastedText text={text} onChange={put} />
      )}
      <NoteText note={note} />
      {text === null && <ImportList siteId={siteId} table={table} tables={tables} onOpen={onOpen} />}
    </StepFrame>
  );
};

/** The first step: a file, or text. The uploaded part of a file is kept; choosing the same file resumes the upload. */
export const FileStep = (props: Props): ReactElement => {
  const { it, table, uploads, onSend, onOpen } = props;
  if (it === null) return <NewImport {...props} />;
  const upload = uploads.of(it.id);
  return upload === undefined ? (
    <ResumeUpload it={it} table={table} onSend={onSend} onOpen={onOpen} />
  ) : (
    <UploadProgress it={it} uploads={uploads} upload={upload} onSend={onSend} />
  );
};
