import { Button, NativeSelect, OutlinedInput } from '@mui/material';
import type { Document } from 'domhandler';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { columnTypes } from '@contract/crawler/terms';
import { attributesOf } from './guess';
import { readBy, withAttribute } from './picking';
import type { Choices, Column } from './picking';

type Props = { readonly choices: Choices; readonly document: Document; readonly onChange: (choices: Choices) => void };
type SelectProps = {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly name: string }[];
  readonly onChoose: (value: string) => void;
};

const Select = ({ label, value, choices, onChoose }: SelectProps): ReactElement => (
  <NativeSelect
    size="small"
    value={value}
    onChange={(event) => onChoose(event.target.value)}
    input={<OutlinedInput size="small" />}
    inputProps={{ 'aria-label': label }}
  >
    {choices.map((choice) => (
      <option key={choice.value} value={choice.value}>
        {choice.name}
      </option>
    ))}
  </NativeSelect>
);

const named = ['href', 'src', 'data-src', 'srcset', 'alt', 'title', 'datetime', 'content'] as const;
const isNamed = (attribute: string): attribute is (typeof named)[number] => named.some((one) => one === attribute);

/** One chosen column: its name, type and value, and in how many rows it is. */
function Row({
  column,
  choices,
  document,
  onChange,
  onRemove,
}: Omit<Props, 'onChange'> & { column: Column; onChange: (column: Column) => void; onRemove: () => void }): ReactElement {
  const { t } = useTranslation('crawler');
  const read = readBy(column, choices, document);
  const found = read.flatMap((element) => (element === null ? [] : [element]));
  const [first] = found;
  const attributes = [...new Set([...(first === undefined ? [] : attributesOf(first)), ...(column.attribute === '' ? [] : [column.attribute])])];
  return (
    <li className="picked-column">
      <OutlinedInput
        size="small"
        value={column.name}
        error={column.name.trim() === ''}
        onChange={(event) => onChange({ ...column, name: event.target.value })}
        slotProps={{ input: { 'aria-label': t('extraction.columnName'), maxLength: 60, spellCheck: false } }}
      />
      <Select
        label={t('extraction.type')}
        value={column.type}
        choices={columnTypes.map((value) => ({ value, name: t(`extraction.types.${value}`) }))}
        onChoose={(type) => onChange({ ...column, type: columnTypes.find((one) => one === type) ?? 'text' })}
      />
      {column.from === 'css' && attributes.length > 0 && (
        <Select
          label={t('picking.value')}
          value={column.attribute}
          choices={['', ...attributes].map((value) => ({
            value,
            name: value === '' ? t('picking.text') : isNamed(value) ? t(`picking.attributes.${value}`) : value,
          }))}
          onChoose={(attribute) => onChange(withAttribute(column, attribute, choices, document))}
        />
      )}
      <span className="picked-coverage" data-missing={column.from === 'css' && found.length < read.length ? '' : undefined}>
        {column.from !== 'css'
          ? t(`extraction.sources.${column.from}`)
          : choices.rows.trim() === ''
            ? t(found.length > 0 ? 'picking.isFound' : 'picking.notFound')
            : t('picking.inRows', { found: found.length, rows: read.length })}
      </span>
      <Button size="small" onClick={onRemove} aria-label={t('picking.removeNamed', { name: column.name })}>
        {t('extraction.removeColumn')}
      </Button>
      {column.from === 'css' && <code className="picked-selector">{column.expression.trim() === '' ? t('picking.rowItself') : column.expression}</code>}
    </li>
  );
}

export function PickedColumns({ choices, document, onChange }: Props): ReactElement {
  const { t } = useTranslation('crawler');
  const { columns } = choices;
  if (columns.length === 0) return <p className="picked-none">{t('picking.noColumns')}</p>;
  const setColumns = (next: readonly Column[]): void => onChange({ ...choices, columns: [...next] });
  return (
    <ul className="picked-columns" aria-label={t('extraction.columnList')}>
      {columns.map((column, at) => (
        <Row
          // Columns have no identity but their place: names are typed here.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          column={column}
          choices={choices}
          document={document}
          onChange={(next) => setColumns(columns.map((one, index) => (index === at ? next : one)))}
          onRemove={() => setColumns(columns.filter((_, index) => index !== at))}
        />
      ))}
    </ul>
  );
}
