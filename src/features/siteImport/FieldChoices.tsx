import { Checkbox, FormControlLabel, NativeSelect, OutlinedInput } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFieldChoice, ImportMapping, SiteImport } from '@contract/siteImport/schemas';
import { importPlaces, importPlacesOf, importTypesOf } from '@contract/siteImport/terms';
import { Field } from '@/ui/form/Field';

type Collection = NonNullable<SiteImport['plan']>['collections'][number];
type PlannedField = Collection['fields'][number];
type Choice = ImportMapping['collections'][number];

const asPlanned = ({ key, title, type }: PlannedField): ImportFieldChoice => ({ key, include: true, title, to: key, type: type as ImportFieldChoice['type'] });
/** What becomes of each field of a collection. */
export const fieldChoices = (fields: readonly PlannedField[], choice: Choice): ImportFieldChoice[] => {
  const chosen = new Map(choice.fields?.map((one) => [one.key, one]));
  return fields.map((field) => chosen.get(field.key) ?? asPlanned(field));
};
export const areFieldsNamed = ({ fields = [] }: Choice): boolean => fields.every(({ include, title }) => !include || title.trim() !== '');

function FieldRow({
  field,
  choice,
  used,
  onChange,
}: {
  readonly field: PlannedField;
  readonly choice: ImportFieldChoice;
  /** Keys of the table that other fields have. */
  readonly used: ReadonlySet<string>;
  readonly onChange: (choice: ImportFieldChoice) => void;
}): ReactElement {
  const { t } = useTranslation('siteImport');
  const places = importPlacesOf(field).filter((place) => !used.has(place));
  const types = importTypesOf(field.type);
  const typeName = (type: string): string => t(`plan.types.${type}` as 'plan.types.text');
  const become = (value: string): void => {
    const place = places.find((one) => `to ${one}` === value);
    const type = types.find((one) => one === value) ?? choice.type;
    onChange(place === undefined ? { ...choice, to: field.key, type } : { ...choice, to: place, type: importPlaces[place], title: t(`plan.places.${place}`) });
  };
  return (
    <li>
      <FormControlLabel
        control={<Checkbox checked={choice.include} onChange={(_event, include) => onChange({ ...choice, include, to: field.key })} />}
        label={field.title}
      />
      {choice.include && (
        <>
          <Field label={t('plan.becomes')}>
            {({ id, ...aria }) => (
              <NativeSelect
                fullWidth
                id={id}
                value={choice.to === field.key ? choice.type : `to ${choice.to}`}
                onChange={({ target }) => become(target.value)}
                disabled={places.length + types.length < 2}
                input={<OutlinedInput />}
                inputProps={{ ...aria, 'aria-label': t('plan.becomesNamed', { field: field.title }) }}
              >
                <optgroup label={t('plan.own')}>
                  {types.map((type) => (
                    <option key={type} value={type}>
                      {typeName(type)}
                    </option>
                  ))}
                </optgroup>
                {places.length > 0 && (
                  <optgroup label={t('plan.part')}>
                    {places.map((place) => (
                      <option key={place} value={`to ${place}`}>
                        {t(`plan.places.${place}`)}
                      </option>
                    ))}
                  </optgroup>
                )}
              </NativeSelect>
            )}
          </Field>
          <Field label={t('plan.fieldName')} error={choice.title.trim() === '' ? t('plan.tableNeeded') : undefined}>
            {(control) => (
              <OutlinedInput
                fullWidth
                value={choice.title}
                onChange={({ target }) => onChange({ ...choice, title: target.value })}
                inputProps={{ ...control, maxLength: 60, 'aria-label': t('plan.fieldNamed', { field: field.title }) }}
              />
            )}
          </Field>
        </>
      )}
    </li>
  );
}

/** The fields of a collection: which come along, as what, and under which names. */
export function FieldChoices({
  fields,
  choice,
  onChange,
}: {
  readonly fields: readonly PlannedField[];
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}): ReactElement {
  const { t } = useTranslation('siteImport');
  const choices = fieldChoices(fields, choice);
  const titles = choices.flatMap(({ include, title }) => (include ? [title] : []));
  const put = (next: ImportFieldChoice): void => {
    const clashes = next.include && choices.some(({ key, include, to }) => include && key !== next.key && to === next.to);
    // The place of a field that was left out may have been given to another one meanwhile.
    if (!clashes) onChange({ ...choice, fields: choices.map((one) => (one.key === next.key ? next : one)) });
  };
  return (
    <details className="import-fields">
      <summary>{t('plan.fields', { fields: [t('plan.titleField'), ...titles].join(t('plan.comma')) })}</summary>
      <ul>
        {fields.map((field, at) => {
          const own = choices[at] ?? asPlanned(field);
          const used = new Set(choices.flatMap(({ key, include, to }) => (include && key !== field.key ? [to] : [])));
          return <FieldRow key={field.key} field={field} choice={own} used={used} onChange={put} />;
        })}
      </ul>
    </details>
  );
}
