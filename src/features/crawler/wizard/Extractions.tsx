import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { RowList } from '@/ui/list/RowList';
import type { ExtractionRule } from './draft';
import { ExtractionEditor } from './ExtractionEditor';
import type { WizardForm } from './wizardForm';

const newRule = (name: string): ExtractionRule => ({
  name,
  pattern: '*',
  rows: '',
  columns: [{ name: 'title', type: 'text', from: 'css', expression: 'h1', attribute: '', many: false, required: true }],
  tableId: null,
});

/** The extractions of a crawler; one of them is open for editing. */
export function Extractions({ form }: { readonly form: WizardForm }): ReactElement {
  const { t } = useTranslation('crawler');
  const { field, fieldState } = useController({ control: form.control, name: 'extractions' });
  const say = useFieldErrorMessage();
  const [open, setOpen] = useState<number | null>(field.value.length === 1 ? 0 : null);
  const rules = field.value;
  const error = say(fieldState.error?.message);
  const freeName = (): string => {
    let n = rules.length + 1;
    while (rules.some(({ name }) => name === t('extraction.newName', { n }))) n += 1;
    return t('extraction.newName', { n });
  };
  return (
    <>
      {error !== undefined && <div role="alert">{error}</div>}
      {rules.length > 0 && (
        <RowList label={t('extraction.title')}>
          {rules.map((rule, at) => (
            // Rows have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at} style={{ padding: '8px 0', borderBottom: '1px solid var(--n-3)' }}>
              <div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 }}>
                <span style={{ flex: 1, minWidth: 120 }}>
                  {rule.name} <span style={{ color: 'var(--ink-2)' }}>{t('extraction.columns', { count: rule.columns.length })}</span>
                </span>
                <Button size="small" aria-expanded={open === at} onClick={() => setOpen(open === at ? null : at)}>
                  {t(open === at ? 'extraction.collapse' : 'extraction.edit')}
                </Button>
                <Button size="small" onClick={() => field.onChange(rules.filter((_, index) => index !== at))}>
                  {t('extraction.remove')}
                </Button>
              </div>
              {open === at && (
                <ExtractionEditor form={form} rule={rule} onChange={(next) => field.onChange(rules.map((one, index) => (index === at ? next : one)))} />
              )}
            </li>
          ))}
        </RowList>
      )}
      <div>
        <Button
          variant="outlined"
          disabled={rules.length >= 20}
          onClick={() => {
            field.onChange([...rules, newRule(freeName())]);
            setOpen(rules.length);
          }}
        >
          {t('extraction.add')}
        </Button>
      </div>
    </>
  );
}
