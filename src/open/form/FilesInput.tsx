import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { OpenField } from '@contract/tables/forms';
import { fill } from '../useMessages';
import { filesIn } from './typed';
import type { Typed, UploadedFile } from './typed';
import type { UploadResult } from './uploadFile';
import { sizeText, useFormMessages } from './useFormMessages';

/** What the form provides to its inputs for files. */
export type FileUploads = {
  readonly upload: (field: string, file: File, onProgress: (share: number) => void) => Promise<UploadResult>;
  /** Called with 1 when an upload begins and with -1 when it ends. */
  readonly onCount: (change: 1 | -1) => void;
};
const Uploads = createContext<FileUploads | null>(null);
export const FileUploadsProvider = Uploads.Provider;

const mimes = { image: 'image/*', video: 'video/*', audio: 'audio/*', pdf: 'application/pdf' } as const;
/** What the browser offers to choose; the server decides by content. */
function acceptOf(types: NonNullable<OpenField['files']>['types']): string | undefined {
  const list = types.flatMap((one) => (one === 'other' ? [] : mimes[one]));
  return list.length < types.length ? undefined : list.join(',');
}

type Props = {
  readonly id: string;
  readonly field: OpenField;
  readonly files: NonNullable<OpenField['files']>;
  readonly typed: Typed;
  readonly onChange: (typed: Typed) => void;
  readonly aria: { readonly 'aria-invalid': boolean; readonly 'aria-describedby': string | undefined };
};

/** Files under way, and why the last ones were not taken. */
function useFormUploads({ field, files, typed, onChange }: Props) {
  const messages = useFormMessages();
  const uploads = useContext(Uploads);
  const [running, setRunning] = useState<readonly { readonly id: number; readonly name: string; readonly share: number }[]>([]);
  const started = useRef(0);
  const [problems, setProblems] = useState<readonly string[]>([]);
  // An upload ends later than the render that began it.
  const latest = useRef({ list: filesIn(typed), onChange });
  useEffect(() => {
    latest.current = { list: filesIn(typed), onChange };
  });
  const put = (list: readonly UploadedFile[]): void => {
    latest.current = { ...latest.current, list };
    latest.current.onChange(list);
  };
  const texts = {
    tooLarge: messages.fileTooLarge,
    refused: messages.fileRefused,
    wrongType: messages.fileWrongType,
    later: messages.filesLater,
    failed: messages.fileFailed,
  };
  async function send(file: File): Promise<void> {
    if (!uploads) return;
    const { name } = file;
    // Files may have the same name.
    const id = started.current++;
    const show = (share: number | null): void =>
      setRunning((before) => [...before.filter((one) => one.id !== id), ...(share === null ? [] : [{ id, name, share }])]);
    uploads.onCount(1);
    show(0);
    try {
      const result = file.size > files.maxBytes ? ({ ok: false, why: 'tooLarge' } as const) : await uploads.upload(field.id, file, show);
      if (result.ok) put([...latest.current.list, { file: result.file, name, bytes: file.size }]);
      else setProblems((before) => [...new Set([...before, fill(texts[result.why], { name })])]);
    } finally {
      show(null);
      uploads.onCount(-1);
    }
  }
  return {
    running,
    problems,
    remove: (one: UploadedFile): void => put(latest.current.list.filter((other) => other !== one)),
    add: async (chosen: readonly File[]): Promise<void> => {
      const space = files.most - latest.current.list.length;
      setProblems(chosen.length > space ? [fill(messages.fileTooMany, { n: files.most })] : []);
      for (const file of chosen.slice(0, Math.max(0, space))) await send(file);
    },
  };
}

/** Files for a field, uploaded as soon as they are chosen. */
export const FilesInput = (props: Props): ReactElement => {
  const { id, files, typed, aria } = props;
  const messages = useFormMessages();
  const { running, problems, remove, add } = useFormUploads(props);
  const accept = acceptOf(files.types);
  return (
    <div className="files">
      <input
        {...aria}
        id={id}
        type="file"
        className="unseen"
        multiple={files.most > 1}
        {...(accept === undefined ? {} : { accept })}
        onChange={(event) => {
          void add([...(event.target.files ?? [])]);
          // The same file can be chosen again after it was removed.
          event.target.value = '';
        }}
      />
      <label htmlFor={id} className="plain">
        {files.most > 1 ? messages.chooseFiles : messages.chooseFile}
      </label>
      {(filesIn(typed).length > 0 || running.length > 0) && (
        <ul>
          {filesIn(typed).map((one) => (
            <li key={one.file}>
              <span>{one.name}</span>
              <small>{sizeText(one.bytes)}</small>
              <button type="button" className="quiet" aria-label={fill(messages.fileRemove, { name: one.name })} onClick={() => remove(one)}>
                ×
              </button>
            </li>
          ))}
          {running.map(({ id: upload, name, share }) => (
            <li key={upload}>
              <span>{name}</span>
              <small role="status">{fill(messages.fileUploading, { percent: Math.round(share * 100) })}</small>
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <div className="error" role="alert">
          {problems.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
    </div>
  );
};
