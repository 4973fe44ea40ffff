import { Button, LinearProgress } from '@mui/material';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { transferLimits } from '@contract/tables/transfers';
import type { TableImport } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/store/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { useFileDrop } from '@/ui/useFileDrop';
import { bytesText } from '@/lib/bytes';
import { fileFault, isSameFile, mostBytes, pastedFile, sendableName } from './files';
import { ImportList } from './ImportList';
import { StepFrame } from './pieces';
import { useCreateTableImportMutation } from './transferApi';
import type { Uploading } from './useUpload';

type Props = {
  readonly siteId: string;
  readonly table: ContentTable | null;
  readonly tables: readonly ContentTable[];
  /** An import whose file is not whole yet; null: a new one. */ readonly it: TableImport | null;
  readonly upload: Uploading;
  readonly dropped: File | null;
  readonly onDroppedTaken: () => void;
  readonly onMade: (it: TableImport, file: File) => void;
  readonly onOpen: (id: string) => void;
  /** Something is typed that is nowhere else. */ readonly onTyped: (typed: boolean) => void;
};
const accepted = '.csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx';

/** A place for one file: dropped, or chosen with the keyboard. */
const Drop = ({
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

/** The first step: a file, or text. What has arrived of an upload stays; the same file goes on with it. */
export const FileStep = ({ siteId, table, tables, it, upload, dropped, onDroppedTaken, onMade, onOpen, onTyped }: Props): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const format = useFormat();
  const textId = useId();
  const [create, creating] = useCreateTableImportMutation();
  const [said, setSaid] = useState<{ readonly text: string; readonly bad: boolean } | null>(null);
  const [text, setText] = useState<string | null>(null);
  const put = (next: string | null): void => {
    setText(next);
    onTyped(next !== null && next.trim() !== '');
  };
  const begin = async (file: File, more = false): Promise<void> => {
    const fault = fileFault(file);
    const { name, size } = file;
    if (fault !== null)
      return setSaid({ bad: true, text: t(`file.${fault}`, { name, size: bytesText(size, format), most: bytesText(mostBytes(name), format) }) });
    setSaid(more ? { bad: false, text: t('file.one') } : null);
    const { data } = await create({ siteId, body: { table: table?.id ?? null, name: sendableName(name), size } });
    return data && onMade(data, file);
  };
  const taken = useRef<File | null>(null);
  const take = useEffectEvent((file: File) => {
    if (taken.current === file) return;
    taken.current = file;
    onDroppedTaken();
    void begin(file);
  });
  useEffect(() => {
    if (dropped !== null) take(dropped);
  }, [dropped]);
  const goOn = (file: File): void => {
    if (it === null) return;
    if (isSameFile(it, file)) {
      setSaid(null);
      upload.send(it, file);
    } else setSaid({ bad: true, text: t('upload.wrong') });
  };
  const mine = it !== null && upload.now?.id === it.id ? upload.now : null;
  const stored = Math.max(mine?.stored ?? 0, it?.file.stored ?? 0);
  const progress = it && t('upload.progress', { done: bytesText(stored, format), total: bytesText(it.file.size, format) });
  const note = said && (
    <p role={said.bad ? 'alert' : 'status'} className={said.bad ? 'tables-fault' : 'transfer-quiet'}>
      {said.text}
    </p>
  );
  if (it !== null && progress !== null && mine !== null)
    return (
      <StepFrame
        actions={
          mine.sending ? (
            <Button onClick={upload.pause}>{t('upload.pause')}</Button>
          ) : (
            <Button variant="contained" onClick={() => upload.send(it, mine.file)}>
              {t('upload.resume')}
            </Button>
          )
        }
      >
        <div className="transfer-progress">
          <h3>{t('upload.going', { name: it.file.name })}</h3>
          <LinearProgress variant="determinate" value={it.file.size === 0 ? 100 : (stored / it.file.size) * 100} aria-label={progress} />
          <p className="transfer-quiet" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {progress}
          </p>
          <p role="status" className={mine.waiting ? 'tables-fault' : 'transfer-quiet'}>
            {mine.waiting ? t('upload.waiting') : mine.sending || mine.failure ? '' : t('upload.paused')}
          </p>
          {mine.failure && mine.failure.kind !== 'aborted' && <ErrorPanel title={t('upload.failed')} failure={mine.failure} />}
        </div>
      </StepFrame>
    );
  if (it !== null)
    return (
      <StepFrame actions={<Button onClick={() => onOpen(table ? 'new' : 'table')}>{t('wizard.again')}</Button>}>
        <p>{t('upload.againText', { name: it.file.name, done: bytesText(stored, format), total: bytesText(it.file.size, format) })}</p>
        <Drop name={t('upload.again')} busy={false} onFile={goOn} />
        {note}
      </StepFrame>
    );
  const failure = isFailure(creating.error) ? creating.error : null;
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
              disabled={text.trim() === '' || creating.isLoading}
              aria-busy={creating.isLoading}
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
        <Drop name={t('file.choose')} busy={creating.isLoading} onFile={(file, more) => void begin(file, more)} onPaste={() => put('')} />
      ) : (
        <div className="tables-labelled">
          <label htmlFor={textId}>{t('file.pasteLabel')}</label>
          <textarea
            id={textId}
            className="tables-input"
            rows={12}
            // It takes the place of the button that opened it.
            autoFocus
            spellCheck={false}
            value={text}
            style={{ whiteSpace: 'pre', fontFamily: 'var(--mono, ui-monospace, monospace)' }}
            onChange={(event) => put(event.target.value)}
          />
          <span className="transfer-quiet" style={{ fontWeight: 400 }}>
            {t('file.pasteHelp')}
          </span>
        </div>
      )}
      {note}
      {text === null && <ImportList siteId={siteId} table={table} tables={tables} onOpen={onOpen} />}
    </StepFrame>
  );
};
