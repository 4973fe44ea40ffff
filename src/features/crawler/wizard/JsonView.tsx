import { Button, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { CrawlerConfig } from '@contract/crawler/config';
import { Field } from '@/ui/form/Field';
import { configOf, withConfig } from './draft';
import type { WizardForm } from './wizardForm';

/** The configuration as JSON, to read, copy and change. Secrets are not part of it. */
export function JsonView({ form, onDone }: { readonly form: WizardForm; readonly onDone: () => void }): ReactElement {
  const { t } = useTranslation('crawler');
  const [text, setText] = useState(() => JSON.stringify(configOf(form.getValues()), null, 2));
  const [error, setError] = useState<string | undefined>(undefined);
  const use = (): void => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      setError(t('json.invalid'));
      return;
    }
    const found = CrawlerConfig.safeParse(value);
    if (!found.success) {
      const [issue] = found.error.issues;
      setError(t('json.refused', { path: issue?.path.join('.') ?? '' }));
      return;
    }
    const next = withConfig(form.getValues(), found.data);
    for (const [name, field] of Object.entries(next)) form.setValue(name as keyof typeof next, field, { shouldDirty: true });
    onDone();
  };
  return (
    <>
      <Field label={t('json.label')} help={t('json.help')} error={error}>
        {({ id, ...aria }) => (
          <OutlinedInput
            fullWidth
            multiline
            minRows={12}
            maxRows={30}
            id={id}
            value={text}
            error={aria['aria-invalid']}
            onChange={(event) => {
              setText(event.target.value);
              setError(undefined);
            }}
            sx={{ fontFamily: 'monospace' }}
            slotProps={{ input: { ...aria, spellCheck: false } }}
          />
        )}
      </Field>
      <div style={{ display: 'flex', gap: 8, marginTop: 16 }}>
        <Button variant="contained" onClick={use}>
          {t('json.use')}
        </Button>
        <Button onClick={onDone}>{t('json.discard')}</Button>
      </div>
    </>
  );
}
