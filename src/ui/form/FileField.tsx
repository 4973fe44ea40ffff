import AttachFile from '@mui/icons-material/AttachFileOutlined';
import Close from '@mui/icons-material/CloseOutlined';
import { Box, Button, IconButton, Typography } from '@mui/material';
import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
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

const read = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')));
    reader.readAsDataURL(file);
  });

const megabyte = 1024 * 1024;

/** `12 KB`, `1.8 MB`. */
export const fileSize = (bytes: number, number: (value: number) => string): string =>
  bytes < megabyte ? `${number(Math.max(1, Math.round(bytes / 1024)))} KB` : `${number(Math.round((bytes / megabyte) * 10) / 10)} MB`;

/** A file field. Type and size are checked when a file is chosen; a refused file leaves the previous one in place. */
export function FileField<T extends string>({
  label,
  help,
  optional = false,
  types,
  mostBytes,
  value,
  onPick,
  error,
}: FieldProps & {
  readonly types: FileTypes<T>;
  readonly mostBytes: number;
  readonly value: PickedFile<T> | null;
  readonly onPick: (file: PickedFile<T> | null) => void;
  /** The server's refusal as a message. */
  readonly error?: string | undefined;
}): ReactElement {
  const { t } = useTranslation('form');
  const { number } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const endings = Object.values<readonly string[]>(types).flat();
  const names = endings
    .filter((one) => one !== 'jpeg')
    .map((one) => one.toUpperCase())
    .join(t('file.or'));

  const pick = async (file: File) => {
    const type = typeOf(types, file.name);
    if (type === null) return setFault(t('file.type', { name: file.name, types: names }));
    if (file.size === 0) return setFault(t('file.empty', { name: file.name }));
    if (file.size > mostBytes) return setFault(t('file.large', { name: file.name, size: fileSize(file.size, number), most: fileSize(mostBytes, number) }));
    try {
      onPick({ name: file.name, type, content: await read(file), bytes: file.size });
      setFault(null);
    } catch {
      setFault(t('file.unreadable', { name: file.name }));
    }
  };
  return (
    <Field label={label} help={help ?? t('file.help', { types: names, most: fileSize(mostBytes, number) })} optional={optional} error={fault ?? error}>
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
            <Typography variant="body2" component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minWidth: 0 }}>
              <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
                {value.name}
              </Box>
              <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
                {fileSize(value.bytes, number)}
              </Box>
              <IconButton
                aria-label={t('file.remove', { name: value.name })}
                title={t('file.remove', { name: value.name })}
                onClick={() => {
                  onPick(null);
                  setFault(null);
                  button.current?.focus();
                }}
              >
                <Close sx={{ fontSize: 16 }} />
              </IconButton>
            </Typography>
          )}
        </Box>
      )}
    </Field>
  );
}
