import { Suspense, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceKindsOf } from '@contract/tables/fieldTypes';
import { fileItemsOf, isResourceUse, resourceIdIn } from '@contract/tables/fieldTypes/fileValues';
import type { FileItem } from '@contract/tables/fieldTypes/fileValues';
import type { ResourceLabel } from '@contract/resources/labels';
import type { Resource } from '@contract/resources/schemas';
import { useMedia } from '@/lib/useMedia';
import { useFileDrop } from '@/ui/useFileDrop';
import type { FileDrop } from '@/ui/useFileDrop';
import { ariaOf, useTypedDraft } from '../editorProps';
import type { EditorProps } from '../editorProps';
import { safeHref, useFieldEnv } from '../env';
import { AddressListEditor } from '../plainEditors';
import { FileRow } from './FileRow';
import { itemName } from './fileNames';
import { labelOf } from './labelOf';
import { FilePicker } from './lazyFilePicker';
import { useFileUploads } from './useFileUploads';

/** What the file picker of the browser offers. Anything may be dropped; the server decides by content. */
const accepts: Readonly<Record<string, string>> = { image: 'image/*', svg: 'image/svg+xml', video: 'video/*' };

/** The items of the value with labels of those that were added here. */
function useFileItems({ field, value, onChange }: EditorProps) {
  const { t } = useTranslation('tableFields');
  const env = useFieldEnv();
  const [items, setItems] = useState(() => fileItemsOf(value));
  const [added, setAdded] = useState<Readonly<Record<string, ResourceLabel>>>({});
  // Uploads end later than the render that began them.
  const latest = useRef(items);
  const { most } = field.options;
  const put = (next: readonly FileItem[]): void => {
    latest.current = next;
    setItems(next);
    if (most !== undefined && next.length > most) onChange(value, t('most', { count: most }));
    else onChange(next.length === 0 ? null : next);
  };
  return {
    items,
    labels: { ...env.labels.resources, ...added },
    put,
    move: (from: number, to: number): void => {
      const [item] = latest.current.slice(from, from + 1);
      if (item) put(latest.current.toSpliced(from, 1).toSpliced(to, 0, item));
    },
    addUses: (resources: readonly Resource[]): void => {
      setAdded((before) => ({ ...before, ...Object.fromEntries(resources.map((one) => [one.id, labelOf(one)])) }));
      const uses = resources.map(({ id }) => ({ resource: id }));
      // A field for one file replaces it.
      put(most === 1 ? uses.slice(0, 1) : [...latest.current, ...uses]);
    },
  };
}

/** The address of a file that the server fetches, typed into the editor; it appears once it is wanted. */
const AddressInput = ({ onAdd, typed }: { readonly onAdd: (item: FileItem) => void; readonly typed: string }): ReactElement => {
  const { t } = useTranslation('tableFields');
  const [text, setText] = useState(typed);
  const [wrong, setWrong] = useState(false);
  const [isOpen, setIsOpen] = useState(typed !== '');
  const add = (): void => {
    const resource = resourceIdIn(text.trim());
    const url = safeHref(text);
    setWrong(resource === null && url === null);
    if (resource === null && url === null) return;
    onAdd(resource === null ? { url: url ?? '' } : { resource });
    setText('');
    setIsOpen(false);
  };
  if (!isOpen) {
    return (
      <button type="button" className="f-plain" onClick={() => setIsOpen(true)}>
        {t('fileAdd')}
      </button>
    );
  }
  return (
    <div className="f-file">
      <input
        type="url"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
        autoFocus={typed === ''}
        aria-label={t('fileUrl')}
        aria-invalid={wrong}
        placeholder="https://"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          event.stopPropagation();
          add();
        }}
      />
      <button type="button" className="f-plain" disabled={text.trim() === ''} onClick={add}>
        {t('fileAdd')}
      </button>
      {wrong && <p className="f-note">{t('fileFault')}</p>}
    </div>
  );
};

type WaysProps = EditorProps & {
  readonly siteId: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onChoose: (resources: readonly Resource[]) => void;
} & Pick<FileDrop, 'choose' | 'input'>;

/** The buttons that add files: from the device, from the resources of the site, from the camera of a phone. */
const FileWays = ({ siteId, onFiles, onChoose, choose, input, ...props }: WaysProps): ReactElement => {
  const { type, title, options } = props.field;
  const { t } = useTranslation('tableFields');
  const camera = useFileDrop(onFiles);
  const [picking, setPicking] = useState(false);
  const byTouch = useMedia('(pointer: coarse)');
  const accept = accepts[type];
  const several = options.most !== 1;
  return (
    <div className="f-fileways">
      <button {...ariaOf(props)} aria-label={t('files.uploadTo', { name: title })} type="button" className="f-plain" onClick={choose}>
        {t('files.upload')}
      </button>
      <button type="button" className="f-plain" onClick={() => setPicking(true)}>
        {t('files.pick')}
      </button>
      {byTouch && (accept === 'image/*' || accept === 'video/*') && (
        <button type="button" className="f-plain" onClick={camera.choose}>
          {t('files.camera')}
        </button>
      )}
      <input {...input} multiple={several} {...(accept === undefined ? {} : { accept })} />
      <input {...camera.input} capture="environment" {...(accept === undefined ? {} : { accept })} />
      {picking && (
        <Suspense fallback={null}>
          <FilePicker
            siteId={siteId}
            kinds={resourceKindsOf(type) ?? []}
            several={several}
            onClose={() => setPicking(false)}
            onChoose={(resources) => {
              setPicking(false);
              onChoose(resources);
            }}
          />
        </Suspense>
      )}
    </div>
  );
};

/** Files of a record: uploaded by choosing, dropping, pasting or taking a photo; chosen among the resources of the site; or fetched from an address. */
const ResourceListEditor = ({ siteId, ...props }: EditorProps & { readonly siteId: string }): ReactElement => {
  const { field, typed } = props;
  const { t } = useTranslation('tableFields');
  const env = useFieldEnv();
  const { items, labels, put, move, addUses } = useFileItems(props);
  const [replacing, setReplacing] = useState((typed ?? '') !== '');
  const { waiting, error, upload: send } = useFileUploads(siteId);
  const add = (resources: readonly Resource[]): void => {
    addUses(resources);
    setReplacing(false);
  };
  const addAddress = (item: FileItem): void => {
    put(field.options.most === 1 ? [item] : [...items, item]);
    setReplacing(false);
  };
  const upload = (files: readonly File[]): void => send(files, add);
  const { over, place, input, choose } = useFileDrop(upload);
  const [dragged, setDragged] = useState<number | null>(null);
  useTypedDraft(typed, () => undefined);
  // A field for one file that has one can only replace it.
  const isFull = field.options.most === 1 && items.length === 1 && !replacing;
  return (
    <div
      className={over ? 'f-filelist f-over' : 'f-filelist'}
      {...place}
      onPaste={(event) => {
        const files = [...event.clipboardData.files];
        if (files.length === 0) return;
        event.preventDefault();
        event.stopPropagation();
        upload(files);
      }}
    >
      {items.length > 0 && (
        <ul className="f-filerows" aria-label={field.title}>
          {items.map((item, at) => (
            <FileRow
              // oxlint-disable-next-line react/no-array-index-key -- the same file may be there twice
              key={at}
              siteId={siteId}
              item={item}
              label={isResourceUse(item) ? labels[item.resource] : undefined}
              name={itemName(item, labels) || t('files.unknown')}
              locales={env.localesOf(field)}
              at={at}
              of={items.length}
              onChange={(next) => put(items.with(at, next))}
              onMove={(to) => move(at, to)}
              onRemove={() => put(items.toSpliced(at, 1))}
              onDrag={setDragged}
              onDropHere={() => {
                if (dragged !== null) move(dragged, at);
              }}
            />
          ))}
        </ul>
      )}
      {isFull ? (
        <button {...ariaOf(props)} aria-label={t('fileReplaceOf', { name: field.title })} type="button" className="f-plain" onClick={() => setReplacing(true)}>
          {t('fileReplace')}
        </button>
      ) : (
        <>
          <FileWays {...props} siteId={siteId} choose={choose} input={input} onFiles={upload} onChoose={add} />
          <AddressInput typed={typed ?? ''} onAdd={addAddress} />
        </>
      )}
      <p className="f-note" role="status">
        {waiting > 0 ? t('files.uploading', { count: waiting }) : (error ?? t('files.drop'))}
      </p>
    </div>
  );
};

/** Where nothing is stored, files are addresses. */
const filesEditor =
  (pictures: boolean) =>
  (props: EditorProps): ReactElement => {
    const { siteId } = useFieldEnv();
    return siteId === null ? <AddressListEditor {...props} pictures={pictures} /> : <ResourceListEditor {...props} siteId={siteId} />;
  };
export const FileListEditor = filesEditor(false);
export const PictureListEditor = filesEditor(true);
