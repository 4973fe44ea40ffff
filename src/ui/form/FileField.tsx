import AttachFile from '@mui/icons-material/AttachFileOutlined';
import Close from '@mui/icons-material/CloseOutlined';
import { Box, Button, IconButton, Typography } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { readBase64 } from '@/lib/readBase64';
import { Field } from './Field';
import type { FieldProps } from './Field';

/** A chosen file as calls send it. */
export type PickedFile<T extends string = string> = { readonly name: string; readonly type: T; /** base64 */ readonly content: string; readonly bytes: number };

/** Accepted types, each with its file extensions: browsers know no type for some (OFD), and systems disagree about others (XML). */
export type FileTypes<T extends string> = Readonly<Record<T, readonly string[]>>;

/** The type by the file extension; null for a file that is not accepted. */
export const typeOf = <T extends string>(types: FileTypes<T>, name: string): T | null => {
  const ending = /\.(\w+)$/.exec(name.toLowerCase())?.[1];
  return (Object.keys(types) as T[]).find((type) => ending !== undefined && types[type].includes(ending)) ?? null;
};

const megabyte = 1024 * 1024;

/** `12 KB`, `1.8 MB`. */
export const fileSize = (bytes: number, number: (value: number) => string): string =>
  bytes < megabyte ? `${number(Math.max(1, Math.round(bytes / 1024)))} KB` : `${number(Math.round((bytes / megabyte) * 10) / 10)} MB`;

type FileFieldProps<T extends string> = FieldProps & {
  readonly types: FileTypes<T>;
  readonly mostBytes: number;
  readonly value: PickedFile<T> | null;
  readonly onPick: (file: PickedFile<T> | null) => void;
  /** The server's refusal as a message. */
  readonly error?: string | undefined;
};

/** Accepts a chosen file or says why not. `names`: the accepted types as text. */
function useFilePick<T extends string>({ types, mostBytes, onPick }: Pick<FileFieldProps<T>, 'types' | 'mostBytes' | 'onPick'>, names: string) {
  const { t } = useTranslation('form');
  const { number } = useFormat();
  const [error, setError] = useState<string | null>(null);
  const pick = async (file: File) => {
    const type = typeOf(types, file.name);
    if (type === null) return setError(t('file.type', { name: file.name, types: names }));
    if (file.size === 0) return setError(t('file.empty', { name: file.name }));
    if (file.size > mostBytes) return setError(t('file.large', { name: file.name, size: fileSize(file.size, number), most: fileSize(mostBytes, number) }));
    try {
      onPick({ name: file.name, type, content: await readBase64(file), bytes: file.size });
      setError(null);
    } catch {
      setError(t('file.unreadable', { name: file.name }));
    }
  };
  const remove = () => {
    onPick(null);
    setError(null);
  };
  return { error, pick, remove };
}

/** Name and size of the chosen file, and the button that removes it. */
function PickedName({ file, onRemove }: { readonly file: PickedFile; readonly onRemove: () => void }): ReactElement {
  const { t } = useTranslation('form');
  const { number } = useFormat();
  return (
    <Typography variant="body2" component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
      <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
        {file.name}
      </Box>
      <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {fileSize(file.bytes, number)}
      </Box>
      <IconButton aria-label={t('file.remove', { name: file.name })} title={t('file.remove', { name: file.name })} onClick={onRemove}>
        <Close fontSize="small" />
      </IconButton>
    </Typography>
  );
}

/** A file field. Type and size are checked when a file is chosen; a refused file leaves the previous one in place. */
export function FileField<T extends string>(props: FileFieldProps<T>): ReactElement {
  const { label, help, optional = false, types, mostBytes, value, error } = props;
  const { t } = useTranslation('form');
  const { number } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const endings = Object.values<readonly string[]>(types).flat();
  const names = endings
    .filter((one) => one !== 'jpeg')
    .map((one) => one.toUpperCase())
    .join(t('file.or'));
  const { error: pickError, pick, remove } = useFilePick(props, names);
  return (
    <Field label={label} help={help ?? t('file.help', { types: names, most: fileSize(mostBytes, number) })} optional={optional} error={pickError ?? error}>
      {({ id, ...aria }) => (
        <Box
          sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            const file = event.dataTransfer.files[0];
            if (file) void pick(file);
          }}
        >
          <input
            ref={input}
            type="file"
            id={id}
            className="only-read"
            tabIndex={-1}
            accept={endings.map((one) => `.${one}`).join(',')}
            {...aria}
            onChange={(event) => {
              const file = event.target.files?.[0];
              // Allows the same file to be chosen again after it was changed.
              event.target.value = '';
              if (file) void pick(file);
            }}
          />
          <Button ref={button} variant="outlined" startIcon={<AttachFile />} onClick={() => input.current?.click()} aria-describedby={aria['aria-describedby']}>
            {t(value === null ? 'file.choose' : 'file.replace')}
          </Button>
          {value !== null && (
            <PickedName
              file={value}
              onRemove={() => {
                remove();
                button.current?.focus();
              }}
            />
          )}
        </Box>
      )}
    </Field>
  );
}
