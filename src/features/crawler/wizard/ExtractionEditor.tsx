import { Button, Checkbox, FormControlLabel, NativeSelect, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { columnTypes } from '@contract/crawler/terms';
import { useTablesQuery } from '@/features/tables/tablesApi';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { useTestExtractionMutation } from '../crawlerApi';
import { addressOf, linesOf } from './draft';
import type { ExtractionRule } from './draft';
import { ExtractedRows } from './ExtractedRows';
import { PickDialog } from './picking/PickDialog';
import type { WizardForm } from './wizardForm';

type Column = ExtractionRule['columns'][number];
const sources = ['css', 'json_ld', 'meta', 'regex', 'header'] as const;

type Props = { readonly form: WizardForm; readonly rule: ExtractionRule; readonly onChange: (rule: ExtractionRule) => void };
type TextProps = { readonly label: string; readonly help?: string; readonly value: string; readonly max: number; readonly onChange: (value: string) => void };

const Text = ({ label, help, value, max, onChange }: TextProps): ReactElement => (
  <Field label={label} help={help}>
    {({ id, ...aria }) => (
      <OutlinedInput
        fullWidth
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        slotProps={{ input: { ...aria, maxLength: max, spellCheck: false } }}
      />
    )}
  </Field>
);

const Choice = <V extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  label: string;
  value: V;
  choices: readonly { value: V; name: string }[];
  onChoose: (value: V) => void;
}): ReactElement => (
  <NativeSelect value={value} onChange={(event) => onChoose(event.target.value as V)} input={<OutlinedInput />} inputProps={{ 'aria-label': label }}>
    {choices.map((choice) => (
      <option key={choice.value} value={choice.value}>
        {choice.name}
      </option>
    ))}
  </NativeSelect>
);

function ColumnRow({
  column,
  onChange,
  onRemove,
}: {
  readonly column: Column;
  readonly onChange: (column: Column) => void;
  readonly onRemove: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('crawler');
  const input = (name: 'name' | 'expression' | 'attribute', label: string, max: number) => (
    <OutlinedInput
      value={column[name]}
      placeholder={label}
      onChange={(event) => onChange({ ...column, [name]: event.target.value })}
      slotProps={{ input: { 'aria-label': label, maxLength: max, spellCheck: false } }}
      sx={{ flex: name === 'expression' ? '1 1 160px' : '0 1 130px' }}
    />
  );
  return (
    <li className="crawl-column">
      {input('name', t('extraction.columnName'), 60)}
      <Choice
        label={t('extraction.type')}
        value={column.type}
        choices={columnTypes.map((value) => ({ value, name: t(`extraction.types.${value}`) }))}
        onChoose={(type) => onChange({ ...column, type })}
      />
      <Choice
        label={t('extraction.from')}
        value={column.from}
        choices={sources.map((value) => ({ value, name: t(`extraction.sources.${value}`) }))}
        onChoose={(from) => onChange({ ...column, from })}
      />
      {input('expression', t(`extraction.expression.${column.from}`), 500)}
      {column.from === 'css' && input('attribute', t('extraction.attribute'), 60)}
      <FormControlLabel
        control={<Checkbox size="small" checked={column.many} onChange={(_event, many) => onChange({ ...column, many })} />}
        label={t('extraction.many')}
      />
      <FormControlLabel
        control={<Checkbox size="small" checked={column.required} onChange={(_event, required) => onChange({ ...column, required })} />}
        label={t('extraction.required')}
      />
      {onRemove && (
        <Button size="small" onClick={onRemove}>
          {t('extraction.removeColumn')}
        </Button>
      )}
    </li>
  );
}

type SampleProps = Pick<Props, 'form' | 'rule'> & { readonly url: string; readonly onUrl: (url: string) => void };

/** The rows that the extraction reads from one page now. */
function Preview({ form, rule, url, onUrl }: SampleProps): ReactElement {
  const { t } = useTranslation('crawler');
  const [siteId, render] = useWatch({ control: form.control, name: ['siteId', 'renderMode'] });
  const [test, { data, error, isLoading }] = useTestExtractionMutation();
  const run = (): void => void test({ siteId, body: { url: addressOf(url.trim()), extraction: rule, render } });
  return (
    <>
      <Text label={t('extraction.sample')} help={t('extraction.sampleHelp')} value={url} max={2000} onChange={onUrl} />
      <div>
        <Button variant="outlined" size="small" disabled={isLoading} onClick={run}>
          {t(isLoading ? 'extraction.reading' : 'extraction.preview')}
        </Button>
      </div>
      {error !== undefined && <ErrorPanel failure={isFailure(error) ? error : null} onRetry={run} retrying={isLoading} />}
      {data && <ExtractedRows result={data} columns={rule.columns} render={render} />}
    </>
  );
}

/** Opens a page on which rows and columns are chosen by clicks. */
function PickOnPage({ form, rule, url, onUrl, onChange }: SampleProps & Pick<Props, 'onChange'>): ReactElement {
  const { t } = useTranslation('crawler');
  const [siteId, render] = useWatch({ control: form.control, name: ['siteId', 'renderMode'] });
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {t('picking.open')}
      </Button>
      <p style={{ margin: '4px 0 0', color: 'var(--ink-2)' }}>{t('picking.openHelp')}</p>
      {isOpen && (
        <PickDialog
          siteId={siteId}
          url={addressOf(url.trim())}
          render={render}
          rule={rule}
          onClose={() => setOpen(false)}
          onUse={(next, address) => {
            onChange(next);
            onUrl(address);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

export function ExtractionEditor({ form, rule, onChange }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const [siteId, seeds] = useWatch({ control: form.control, name: ['siteId', 'seeds'] });
  const [url, setUrl] = useState(() => addressOf(linesOf(seeds)[0] ?? ''));
  const { data: tables = [] } = useTablesQuery({ siteId });
  const setColumns = (columns: readonly Column[]): void => onChange({ ...rule, columns: [...columns] });
  return (
    <div style={{ display: 'grid', gap: 16, padding: '8px 0 16px' }}>
      <Text label={t('extraction.name')} value={rule.name} max={60} onChange={(name) => onChange({ ...rule, name })} />
      <Text
        label={t('extraction.pattern')}
        help={t('scope.patternHelp')}
        value={rule.pattern}
        max={300}
        onChange={(pattern) => onChange({ ...rule, pattern })}
      />
      <PickOnPage form={form} rule={rule} url={url} onUrl={setUrl} onChange={onChange} />
      <Text label={t('extraction.rows')} help={t('extraction.rowsHelp')} value={rule.rows} max={300} onChange={(rows) => onChange({ ...rule, rows })} />
      <ul className="crawl-columns" aria-label={t('extraction.columnList')}>
        {rule.columns.map((column, at) => (
          <ColumnRow
            // Rows have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            column={column}
            onChange={(next) => setColumns(rule.columns.map((one, index) => (index === at ? next : one)))}
            onRemove={rule.columns.length > 1 ? () => setColumns(rule.columns.filter((_, index) => index !== at)) : null}
          />
        ))}
      </ul>
      <div>
        <Button
          size="small"
          disabled={rule.columns.length >= 40}
          onClick={() => setColumns([...rule.columns, { name: '', type: 'text', from: 'css', expression: '', attribute: '', many: false, required: false }])}
        >
          {t('extraction.addColumn')}
        </Button>
      </div>
      <Field label={t('extraction.table')} help={t('extraction.tableHelp')}>
        {({ id, ...aria }) => (
          <NativeSelect
            fullWidth
            id={id}
            value={rule.tableId ?? ''}
            onChange={(event) => onChange({ ...rule, tableId: event.target.value === '' ? null : event.target.value })}
            input={<OutlinedInput />}
            inputProps={aria}
          >
            <option value="">{t('extraction.noTable')}</option>
            {tables.map((table) => (
              <option key={table.id} value={table.id}>
                {table.title}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Preview form={form} rule={rule} url={url} onUrl={setUrl} />
    </div>
  );
}
