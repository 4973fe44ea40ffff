import { isLog } from '@contract/imports/terms';
import type { ImportFormat, ImportOptions, ImportPreview, jsonFields } from '@contract/imports/schemas';
import { Box, MenuItem, TextField, Typography } from '@mui/material';
import { useEffect, useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

type FieldName = (typeof jsonFields)[number];
const logFormats = ['combined', 'common', 'vhost', 'json'] as const satisfies readonly ImportFormat[];
const fieldNames = ['time', 'address', 'method', 'uri', 'host', 'status', 'referrer', 'agent'] as const satisfies readonly FieldName[];
/** Pause in typing before the preview is fetched again (ms). */
const debounceMs = 600;

/** Corrects the detected format of a log: its format, and the keys of JSON lines. */
export function FormatPart({
  detected,
  found,
  options,
  onChange,
}: {
  readonly detected: ImportFormat | null;
  readonly found: ImportPreview['fields'];
  readonly options: ImportOptions;
  readonly onChange: (options: ImportOptions) => void;
}): ReactElement | null {
  const { t } = useTranslation('imports');
  const id = useId();
  const [open, setOpen] = useState(detected === null);
  const [typed, setTyped] = useState<Readonly<Partial<Record<FieldName, string>>>>({});
  useEffect(() => {
    const fields = Object.fromEntries(Object.entries(typed).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])));
    if (JSON.stringify(fields) === JSON.stringify(options.fields ?? {})) return undefined;
    const timer = setTimeout(() => {
      const { fields: _before, ...rest } = options;
      onChange(Object.keys(fields).length === 0 ? rest : { ...rest, fields });
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [typed, options, onChange]);
  if (detected !== null && !isLog(detected)) return null;
  const json = (options.format ?? detected) === 'json';
  return (
    <Box component="details" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer', width: 'fit-content', py: 0.5 }}>
        {t('advanced.title')}
      </Typography>
      <Box sx={{ display: 'grid', gap: 2, pt: 1.5 }}>
        <TextField
          select
          id={id}
          label={t('advanced.format')}
          value={options.format ?? ''}
          onChange={(event) => {
            const { format: _before, ...rest } = options;
            const chosen = logFormats.find((one) => one === event.target.value);
            onChange(chosen === undefined ? rest : { ...rest, format: chosen });
          }}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
          sx={{ maxWidth: 320 }}
        >
          <MenuItem value="">{detected === null ? t('advanced.choose') : t('advanced.auto', { format: t(`format.${detected}`) })}</MenuItem>
          {logFormats.map((one) => (
            <MenuItem key={one} value={one}>
              {t(`format.${one}`)}
            </MenuItem>
          ))}
        </TextField>
        {json && (
          <Box role="group" aria-label={t('advanced.fields')} sx={{ display: 'grid', gap: 1.5 }}>
            <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: '70ch' }}>
              {t('advanced.fieldsText')}
            </Typography>
            <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 200px), 1fr))' }}>
              {fieldNames.map((name) => (
                <TextField
                  key={name}
                  label={t(`advanced.field.${name}`)}
                  value={typed[name] ?? ''}
                  placeholder={typed[name] === undefined ? (found[name] ?? t('advanced.none')) : t('advanced.guess')}
                  onChange={(event) => setTyped((before) => ({ ...before, [name]: event.target.value }))}
                  slotProps={{ htmlInput: { maxLength: 100, spellCheck: false, autoCapitalize: 'off' }, inputLabel: { shrink: true } }}
                />
              ))}
            </Box>
          </Box>
        )}
      </Box>
    </Box>
  );
}
