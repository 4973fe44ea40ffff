import { Box, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable, TableField } from '@contract/tables';
import { isComputed } from '@contract/tableTerms';
import { FieldIcon } from './icons';
import { ValueInput } from './ValueInput';

/** Fields that a person fills in when a record is made. */
export const filledIn = (table: ContentTable, only?: readonly string[]): readonly TableField[] =>
  table.fields.filter(
    ({ id, type, readonly, hidden }) => !isComputed(type) && type !== 'inverse' && type !== 'repeater' && !readonly && (only ? only.includes(id) : !hidden),
  );

/** A default as the form may show it; what the server fills in by itself stays away. */
export const startValues = (fields: readonly TableField[]): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(({ id, default: given }) => (given?.kind === 'value' ? [[id, given.value] as const] : [])));

/** The fields of one record under each other, with what is wrong at its place. */
export const RecordForm = ({
  fields,
  values,
  faults,
  round,
  onChange,
}: {
  readonly fields: readonly TableField[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly faults: Readonly<Record<string, string>>;
  /** Another number begins the fields anew. */ readonly round: number;
  readonly onChange: (field: string, value: unknown, fault?: string) => void;
}): ReactElement => {
  const { t } = useTranslation('form');
  const id = useId();
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      {fields.map((field) => {
        const fault = faults[field.id];
        const name = `${id}${field.id}`;
        return (
          <Box key={field.id} className="tables-labelled" data-field={field.id}>
            <label htmlFor={name}>
              <FieldIcon asked={{ field }} /> {field.title}
              {!field.required && <small>{t('optional')}</small>}
            </label>
            <ValueInput
              key={round}
              field={field}
              id={name}
              label={field.title}
              value={values[field.id] ?? null}
              fault={fault}
              describedBy={fault !== undefined || field.help !== '' ? `${name}-note` : undefined}
              onChange={(value, wrong) => onChange(field.id, value, wrong)}
            />
            {(fault !== undefined || field.help !== '') && (
              <Typography id={`${name}-note`} variant="caption" component="p" className={fault === undefined ? 'tables-quiet-note' : 'tables-fault'}>
                {fault ?? field.help}
              </Typography>
            )}
          </Box>
        );
      })}
    </Box>
  );
};
