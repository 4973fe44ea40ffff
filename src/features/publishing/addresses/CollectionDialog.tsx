import { NativeSelect, OutlinedInput } from '@mui/material';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ThemeManifest } from '@contract/publishing/theme';
import type { ContentTable } from '@contract/tables/schemas';
import { CheckField } from '@/ui/form/CheckField';
import { Field } from '@/ui/form/Field';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useTextIn } from '../useTextIn';
import { collectionSchema, inputOf, newestFirst, routeOf, suggestionsFor } from './collectionValues';
import type { CollectionInput, CollectionValues } from './collectionValues';
import { fittingFields, slugFields } from './fitting';
import { hasTemplate } from './routeList';
import type { CollectionRoute } from './routeList';

type Collection = ThemeManifest['collections'][string];
type FormOfCollection = ContractForm<CollectionInput, CollectionValues>;

const unknownCollection: Collection = { title: {}, fields: {} };

/** Which field of the table is which field of the collection; only fitting ones are offered. */
function FieldMapping({
  form,
  table,
  collection,
}: {
  readonly form: FormOfCollection;
  readonly table: ContentTable;
  readonly collection: Collection;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  return (
    <fieldset className="field-group publishing-mapping">
      <legend className="field-label">{t('address.fields')}</legend>
      {Object.entries(collection.fields).map(([key, { type, label, required }]) => (
        <SelectField
          key={key}
          control={form.control}
          name={`fields.${key}`}
          label={textIn(label) || key}
          optional={!required}
          choices={[{ value: '', label: t('address.noField') }, ...fittingFields(table, type).map(({ id, title }) => ({ value: id, label: title }))]}
        />
      ))}
    </fieldset>
  );
}

/** The table of the collection. Another one changes which fields there are, so they are suggested anew. */
function TableField({
  form,
  tables,
  onChoose,
}: {
  readonly form: FormOfCollection;
  readonly tables: readonly ContentTable[];
  readonly onChoose: (id: string) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const { field } = useController({ control: form.control, name: 'table' });
  return (
    <Field label={t('address.table')}>
      {({ id, ...aria }) => (
        <NativeSelect
          fullWidth
          value={field.value}
          onChange={(event) => {
            field.onChange(event.target.value);
            onChoose(event.target.value);
          }}
          onBlur={field.onBlur}
          input={<OutlinedInput id={id} inputRef={field.ref} />}
          inputProps={aria}
        >
          {field.value === '' && <option value="">{t('address.chooseTable')}</option>}
          {tables.map((table) => (
            <option key={table.id} value={table.id}>
              {table.title}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

/** Addresses, order and what search engines and readers get. */
function AddressFields({
  form,
  table,
  hasList,
  hasRecord,
}: {
  readonly form: FormOfCollection;
  readonly table: ContentTable;
  readonly hasList: boolean;
  readonly hasRecord: boolean;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const { control } = form;
  const messages = { reserved: t('address.reserved'), duplicate: t('address.duplicate') };
  const sortable = table.fields.filter(({ type }) => ['text', 'date', 'datetime', 'integer', 'number', 'autonumber', 'rating'].includes(type));
  const orders = [
    { value: newestFirst, label: t('address.newest') },
    { value: '$publishedAt', label: t('address.oldest') },
    ...sortable.flatMap(({ id, title }) => [
      { value: id, label: t('address.ascending', { field: title }) },
      { value: `-${id}`, label: t('address.descending', { field: title }) },
    ]),
  ];
  return (
    <>
      {hasList && (
        <>
          <TextField
            control={control}
            name="listPath"
            label={t('address.listPath')}
            help={t('address.listPathHelp')}
            optional
            verbatim
            messages={{ ...messages, pattern: t('address.pathPattern') }}
          />
          <SelectField control={control} name="sort" label={t('address.sort')} choices={orders} />
          <TextField control={control} name="perPage" label={t('address.perPage')} inputMode="numeric" />
        </>
      )}
      {hasRecord && (
        <>
          <TextField
            control={control}
            name="recordPath"
            label={t('address.recordPath')}
            help={t('address.recordPathHelp')}
            optional
            verbatim
            messages={{ ...messages, pattern: t('address.recordPattern') }}
          />
          <SelectField
            control={control}
            name="slug"
            label={t('address.slug')}
            help={t('address.slugHelp')}
            choices={[...slugFields(table).map(({ id, title }) => ({ value: id, label: title })), { value: '', label: t('address.byId') }]}
          />
        </>
      )}
      <div>
        {hasList && <CheckField control={control} name="feed" label={t('address.feed')} />}
        <CheckField control={control} name="sitemap" label={t('address.sitemap')} />
      </div>
    </>
  );
}

/** Which table is a collection of the theme, and at which addresses its records are. */
export function CollectionDialog({
  collectionKey,
  manifest,
  route,
  tables,
  conflictOf,
  onClose,
  onDone,
}: {
  readonly collectionKey: string;
  readonly manifest: ThemeManifest;
  readonly route: CollectionRoute | null;
  readonly tables: readonly ContentTable[];
  readonly conflictOf: (route: CollectionRoute) => 'reserved' | 'duplicate' | null;
  readonly onClose: () => void;
  readonly onDone: (route: CollectionRoute) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const textIn = useTextIn();
  const collection = manifest.collections[collectionKey] ?? unknownCollection;
  const hasList = hasTemplate(manifest, collectionKey, 'list');
  const hasRecord = hasTemplate(manifest, collectionKey, 'record');
  const schema = useMemo(() => collectionSchema(collection), [collection]);
  const initial = inputOf(collectionKey, collection, route);
  const form = useContractForm(schema, {
    defaultValues: { ...initial, ...(route === null && !hasList ? { listPath: '' } : {}), ...(route === null && !hasRecord ? { recordPath: '' } : {}) },
  });
  const tableId = useWatch({ control: form.control, name: 'table' });
  const table = tables.find(({ id }) => id === tableId);
  const chooseTable = (id: string): void => {
    const chosen = tables.find((one) => one.id === id);
    const { fields, slug } = chosen ? suggestionsFor(chosen, collection) : { fields: initial.fields, slug: '' };
    for (const [key, field] of Object.entries(fields)) form.setValue(`fields.${key}`, field, { shouldDirty: true });
    form.setValue('slug', slug, { shouldDirty: true });
  };
  const submit = (values: CollectionValues): void => {
    const next = routeOf(collectionKey, values);
    const conflict = conflictOf(next);
    if (conflict === null) onDone(next);
    else form.setError(values.listPath === '' ? 'recordPath' : 'listPath', { message: encodeFieldError({ code: conflict }) }, { shouldFocus: true });
  };
  return (
    <FormDialog
      form={form}
      title={textIn(collection.title) || collectionKey}
      submitLabel={t('menu.apply')}
      canSubmit={table !== undefined}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <TableField form={form} tables={tables} onChoose={chooseTable} />
      {table && <FieldMapping form={form} table={table} collection={collection} />}
      {table && <AddressFields form={form} table={table} hasList={hasList} hasRecord={hasRecord} />}
      {tables.length === 0 && <p className="publishing-quiet">{t('address.noTables')}</p>}
    </FormDialog>
  );
}
