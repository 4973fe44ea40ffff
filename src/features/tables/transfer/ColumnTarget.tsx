import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportLook } from '@contract/tables/transfers';
import type { ContentTable } from '@contract/tables/schemas';
import { isLocalizable, tableLimits } from '@contract/tables/terms';
import { languageName } from '@/lib/languageName';
import { Choose } from '../records/parts';
import type { Option } from '../records/parts';
import { fieldOfGoal, isLink, newGoal, newOfGoal, newTypes, writable } from './mapping';
import type { Goal, MappingError, NewField } from './mapping';

const none = '';
const create = '+';
const idOf = (goal: Goal | undefined): string => {
  const field = fieldOfGoal(goal);
  if (field !== null) return field.locale === undefined ? field.field : `${field.field}@${field.locale}`;
  return newOfGoal(goal) === null ? none : create;
};

/** Title and type of the field that a column creates. */
const NewFieldInputs = ({
  name,
  field,
  tables,
  invalid,
  onChange,
}: {
  readonly name: string;
  readonly field: NewField;
  readonly tables: readonly ContentTable[];
  readonly invalid: boolean;
  readonly onChange: (field: NewField) => void;
}): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const types = useTranslation('tableDesign');
  const bad = invalid ? { 'aria-invalid': true as const } : {};
  return (
    <>
      <input
        className="tables-input"
        aria-label={t('map.newTitleOf', { name })}
        value={field.title}
        maxLength={tableLimits.nameLength}
        onChange={(event) => onChange({ ...field, title: event.target.value })}
        {...bad}
      />
      <Choose
        label={t('map.newTypeOf', { name })}
        value={field.type}
        options={newTypes.map((id) => ({ id, name: types.t(`type.${id}`) }))}
        onChange={(type) => onChange({ title: field.title, type })}
      />
      {isLink(field.type) && (
        <Choose
          label={t('map.leadsToOf', { name })}
          value={typeof field.options?.['to'] === 'string' ? field.options['to'] : ''}
          options={[{ id: '', name: t('map.leadsTo') }, ...tables.map(({ id, title }) => ({ id, name: title }))]}
          onChange={(to) => onChange({ title: field.title, type: field.type, ...(to === '' ? {} : { options: { to } }) })}
          {...bad}
        />
      )}
    </>
  );
};

/** One column of the file: its name, sample values, and target field. */
export const ColumnTarget = ({
  column,
  goals,
  at,
  table,
  tables,
  design,
  errors,
  onChange,
}: {
  readonly column: ImportLook['columns'][number];
  readonly goals: readonly Goal[];
  readonly at: number;
  readonly table: ContentTable | null;
  readonly tables: readonly ContentTable[];
  readonly design: boolean;
  readonly errors: readonly MappingError[];
  readonly onChange: (goal: Goal) => void;
}): ReactElement => {
  const { t, i18n } = useTranslation('tableTransfer');
  const goal = goals[at] ?? null;
  const newField = newOfGoal(goal);
  const { name } = column;
  const samples = column.samples.filter((sample) => sample !== '');
  const fields = writable(table).flatMap((field): Option<string>[] => [
    { id: field.id, name: field.title, group: t('map.fields') },
    ...(field.localized && isLocalizable(field.type)
      ? (table?.locales.slice(1) ?? []).map((tag) => ({
          id: `${field.id}@${tag}`,
          name: t('map.inLocale', { title: field.title, locale: languageName(tag, i18n.language) }),
          group: t('map.fields'),
        }))
      : []),
  ]);
  // A chosen field that has since been removed is still listed.
  const now = idOf(goal);
  const options: Option<string>[] = [
    { id: none, name: t('map.none') },
    ...(design || newField ? [{ id: create, name: t('map.create') }] : []),
    ...fields,
    ...(now === none || now === create || fields.some(({ id }) => id === now) ? [] : [{ id: now, name: now }]),
  ];
  const choose = (id: string): void => {
    if (id === none) return onChange(null);
    if (id === create) return onChange(newGoal(column, goals.toSpliced(at, 1), table));
    const [field = '', locale] = id.split('@');
    return onChange({ field, ...(locale === undefined ? {} : { locale }) });
  };
  const bad = errors.length > 0 ? { 'aria-invalid': true as const } : {};
  return (
    <li data-off={goal === null ? '' : undefined}>
      <div>
        <b>{name}</b>
        <div className="transfer-samples" title={samples.join('\n')}>
          {samples.length === 0 ? t('map.noSamples') : samples.slice(0, 3).join(' · ')}
        </div>
      </div>
      <div className="transfer-goal">
        <Choose label={t('map.targetOf', { name })} value={now} options={options} onChange={choose} {...bad} />
        {newField && <NewFieldInputs name={name} field={newField} tables={tables} invalid={errors.length > 0} onChange={(field) => onChange({ new: field })} />}
        {errors.map(({ code, name: of }) => (
          <p key={code} role="alert" className="tables-error">
            {t(`map.errors.${code}`, { name: of })}
          </p>
        ))}
      </div>
    </li>
  );
};
