import { Checkbox, FormControlLabel, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { DateInput } from '@/ui/date/DateInput';
import { Field } from '@/ui/form/Field';
import type { FieldProps } from '@/ui/form/Field';
import { Choose } from '../records/parts';
import type { Option } from '../records/parts';

type Common = FieldProps & { readonly error?: string | undefined; readonly disabled?: boolean };

/** A text input of one or more lines, with label, help and error. */
export const TextLine = ({
  value,
  onChange,
  rows,
  max = 200,
  placeholder,
  mono = false,
  disabled = false,
  ...field
}: Common & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Number of lines. */ readonly rows?: number;
  readonly max?: number;
  readonly placeholder?: string;
  readonly mono?: boolean;
}): ReactElement => (
  <Field {...field}>
    {({ 'aria-invalid': invalid, ...aria }) => {
      const shared = {
        ...aria,
        ...(invalid ? { 'aria-invalid': true as const } : {}),
        className: mono ? 'tables-input design-mono' : 'tables-input',
        value,
        maxLength: max,
        readOnly: disabled,
        ...(placeholder === undefined ? {} : { placeholder }),
        ...(mono ? { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' } : {}),
      };
      return rows === undefined ? (
        <input {...shared} type="text" onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea {...shared} rows={rows} onChange={(event) => onChange(event.target.value)} />
      );
    }}
  </Field>
);

/** An optional calendar day, `2026-11-20`. */
export const DateLine = ({
  value,
  onChange,
  disabled = false,
  ...field
}: Common & { readonly value: string; readonly onChange: (value: string) => void }): ReactElement => (
  <Field {...field}>{(aria) => <DateInput {...aria} value={value} readOnly={disabled} onChange={onChange} />}</Field>
);

/** An optional number. Input that is not a number yet stays in the box and is not reported. */
export const NumberLine = ({
  value,
  onChange,
  least,
  most,
  whole = false,
  disabled = false,
  ...field
}: Common & {
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}): ReactElement => (
  <Field {...field}>
    {({ 'aria-invalid': invalid, ...aria }) => (
      <input
        {...aria}
        {...(invalid ? { 'aria-invalid': true as const } : {})}
        className="tables-input"
        type="number"
        value={value ?? ''}
        min={least}
        max={most}
        step={whole ? 1 : 'any'}
        readOnly={disabled}
        onChange={(event) => {
          const { value: typed, valueAsNumber } = event.target;
          onChange(typed === '' || !Number.isFinite(valueAsNumber) ? undefined : whole ? Math.trunc(valueAsNumber) : valueAsNumber);
        }}
      />
    )}
  </Field>
);

/** A select of one option. */
export const ChooseLine = <T extends string>({
  value,
  options,
  onChange,
  disabled = false,
  ...field
}: Common & { readonly value: T; readonly options: readonly Option<T>[]; readonly onChange: (value: T) => void }): ReactElement => (
  <Field {...field}>
    {({ 'aria-invalid': invalid, ...aria }) => (
      <Choose
        {...aria}
        {...(invalid ? { 'aria-invalid': true as const } : {})}
        label={field.label}
        value={value}
        options={options}
        onChange={onChange}
        disabled={disabled}
        style={{ width: '100%' }}
      />
    )}
  </Field>
);

/** A check box with a description. */
export const Tick = ({
  label,
  help,
  checked,
  disabled = false,
  onChange,
}: {
  readonly label: string;
  readonly help?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (on: boolean) => void;
}): ReactElement => (
  <div>
    <FormControlLabel
      control={<Checkbox checked={checked} disabled={disabled} onChange={(_event, on) => onChange(on)} />}
      label={<Typography variant="body2">{label}</Typography>}
    />
    {help !== undefined && (
      <Typography variant="caption" component="p" sx={{ m: 0, pl: 3.5, color: 'text.secondary' }}>
        {help}
      </Typography>
    )}
  </div>
);
