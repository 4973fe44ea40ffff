import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  OutlinedInput,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportedContact, contactEndpoints } from '@contract/contacts/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import type { ResultOf } from '@/store/endpoints';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { readText } from '@/lib/readText';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { encodeFieldError } from '@/ui/form/fieldError';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { useImportContactsMutation } from './contactToolsApi';
import { asFile } from './importFile';

const largest = 1_000_000;

/** The result of a line as text. */
function Outcome({ row }: { readonly row: ImportedContact }): ReactElement {
  const { t } = useTranslation('contacts');
  const say = useFieldErrorMessage();
  if (row.result !== 'refused') return <>{t(`import.result.${row.result}`)}</>;
  const known = ['name', 'company', 'email', 'phone', 'wechat', 'address', 'note', 'subscriptions'] as const;
  const field = known.find((one) => one === row.field);
  const why =
    row.code === null
      ? ''
      : (say(encodeFieldError({ code: row.code }), { pattern: field === 'phone' ? t('contacts.phonePattern') : t('import.unreadable') }) ?? '');
  return (
    <Box component="span" sx={{ color: 'error.main' }}>
      {field === undefined ? why : t('import.fieldError', { field: t(`contacts.${field}`), why })}
    </Box>
  );
}

type Preview = ResultOf<typeof contactEndpoints.importContacts>;

/** The text to import, stored as a draft, and its two calls: the preview and the import itself. */
function useContactImport(onDone: () => void) {
  const dispatch = useAppDispatch();
  const { restored, keep, drop } = useDraft<{ text: string }>('contacts.import');
  const [text, setText] = useState(restored?.text ?? '');
  const [preview, setPreview] = useState<Preview | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [tooLarge, setTooLarge] = useState(false);
  const [run, { isLoading: busy }] = useImportContactsMutation();
  const change = (next: string) => {
    setText(next);
    setFailure(null);
    setTooLarge(next.length > largest);
    if (next.length <= largest) keep({ text: next });
  };
  const openFile = (file: File) => {
    // A character has at most four bytes; a larger file cannot fit.
    if (file.size > largest * 4) setTooLarge(true);
    else void readText(file).then(change, () => dispatch(noticeShown({ tone: 'bad', message: { key: 'contacts:import.unread' } })));
  };
  const start = async (dryRun: boolean) => {
    if (busy || text.trim() === '' || tooLarge) return;
    setFailure(null);
    const { data, error } = await run({ body: { ...asFile(text), dryRun } });
    if (isFailure(error)) {
      setPreview(null);
      return setFailure(error);
    }
    if (!data) return;
    if (dryRun) return setPreview(data);
    drop();
    dispatch(noticeShown({ tone: 'good', message: { key: 'contacts:import.done', values: { count: data.added } } }));
    onDone();
  };
  return { text, change, openFile, preview, back: () => setPreview(null), failure, tooLarge, busy, start };
}
type ContactImport = ReturnType<typeof useContactImport>;

/** The first step: a file or pasted text. `unread`: the server could not read it as contacts. */
function ImportSource({ source, unread }: { readonly source: ContactImport; readonly unread: boolean }): ReactElement {
  const { t } = useTranslation('contacts');
  const helpId = useId();
  const input = useRef<HTMLInputElement>(null);
  const { text, change, openFile, tooLarge } = source;
  const invalid = unread || tooLarge;
  const sample = [
    [t('contacts.name'), t('contacts.company'), t('contacts.email'), t('contacts.phone'), t('contacts.column.topics')],
    [t('import.sampleName'), t('import.sampleCompany'), 'lin@example.com', '13800138000', t('import.sampleTopics')],
  ]
    .map((row) => row.join(','))
    .join('\n');
  return (
    <>
      <Typography id={helpId} variant="body2" sx={{ color: 'text.secondary' }}>
        {t('import.lead')}
      </Typography>
      <Box>
        <Button variant="outlined" onClick={() => input.current?.click()}>
          {t('import.choose')}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,.vcf,text/csv,text/vcard"
          hidden
          aria-label={t('import.choose')}
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = '';
            if (file) openFile(file);
          }}
        />
      </Box>
      <OutlinedInput
        multiline
        autoFocus
        minRows={8}
        maxRows={16}
        value={text}
        onChange={(event) => change(event.target.value)}
        placeholder={sample}
        error={invalid}
        slotProps={{ input: { 'aria-label': t('import.text'), 'aria-describedby': helpId, 'aria-invalid': invalid, spellCheck: false } }}
        sx={{ fontFamily: 'var(--mono)', fontSize: 'var(--text-table)' }}
      />
      {invalid && (
        <Typography role="alert" variant="caption" sx={{ color: 'error.main' }}>
          {t(tooLarge ? 'import.tooLarge' : 'import.unread')}
        </Typography>
      )}
    </>
  );
}

/** The second step: what the import will do with each line. The summary is focused when it appears. */
function ImportPreview({ rows }: { readonly rows: Preview['rows'] }): ReactElement {
  const { t } = useTranslation('contacts');
  const summary = useRef<HTMLParagraphElement>(null);
  useEffect(() => summary.current?.focus(), [rows]);
  const count = (result: ImportedContact['result']) => rows.filter((row) => row.result === result).length;
  return (
    <>
      <Typography ref={summary} tabIndex={-1} variant="body2" sx={{ outline: 'none' }}>
        {t('import.summary', { added: count('added'), duplicate: count('duplicate'), refused: count('refused') })}
      </Typography>
      {/* Keeps the grid from shrinking the table to nothing in a low window: the dialog scrolls instead. */}
      <Box sx={{ minWidth: 0, minHeight: 160, overflow: 'hidden' }}>
        <TableContainer sx={{ maxHeight: 400 }}>
          <Table size="small" stickyHeader aria-label={t('import.preview')}>
            <TableHead>
              <TableRow>
                <TableCell align="right" sx={{ width: 56 }}>
                  {t('import.line')}
                </TableCell>
                <TableCell>{t('contacts.name')}</TableCell>
                <TableCell sx={{ display: { xs: 'none', sm: 'table-cell' } }}>{t('contacts.email')}</TableCell>
                <TableCell>{t('import.outcome')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map((row) => (
                <TableRow key={row.line}>
                  <TableCell align="right" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
                    {row.line}
                  </TableCell>
                  <TableCell sx={{ overflowWrap: 'anywhere' }}>{row.name}</TableCell>
                  <TableCell sx={{ display: { xs: 'none', sm: 'table-cell' }, overflowWrap: 'anywhere' }}>{row.email}</TableCell>
                  <TableCell>
                    <Outcome row={row} />
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      </Box>
    </>
  );
}

/** Imports a table or vCards, pasted or from a file: first a preview line by line, then the import itself. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('contacts');
  const titleId = useId();
  const source = useContactImport(onClose);
  const { text, preview, back, failure, tooLarge, busy, start } = source;
  const unread = failure?.fields?.text !== undefined;
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="md">
      <DialogTitle id={titleId}>{t('import.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        {failure && !unread && <ErrorPanel failure={failure} title={failure.code === 'too_large' ? t('import.tooMany') : undefined} />}
        {preview === null ? <ImportSource source={source} unread={unread} /> : <ImportPreview rows={preview.rows} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={preview === null ? onClose : back}>{t(preview === null ? 'merge.cancel' : 'import.back')}</Button>
        {preview === null ? (
          <Button variant="contained" disabled={text.trim() === '' || tooLarge} aria-busy={busy} onClick={() => void start(true)}>
            {t(busy ? 'import.reading' : 'import.look')}
          </Button>
        ) : (
          <Button variant="contained" disabled={preview.added === 0} aria-busy={busy} onClick={() => void start(false)}>
            {busy ? t('import.busy') : t('import.do', { count: preview.added })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
