import { nanoid } from '@reduxjs/toolkit';
import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { useLanguageName } from '@/lib/languageName';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { useContractForm } from '@/ui/form/useContractForm';
import { PlainButton } from '@/ui/PlainButton';
import { itemOf, itemSchema, targetKinds, valuesOf } from './itemValues';
import type { MenuRow } from './menuTree';
import { RecordChoice } from './RecordChoice';

/** What an item may lead to on the site. */
export type Destinations = { readonly paths: readonly string[]; readonly tables: readonly string[] };

/** A new item of a menu (null), or an existing one: its label in each language, and where it leads. */
export function ItemDialog({
  site,
  item,
  languages,
  destinations,
  onClose,
  onDone,
}: {
  readonly site: Site;
  readonly item: MenuRow['item'] | null;
  readonly languages: readonly string[];
  readonly destinations: Destinations;
  readonly onClose: () => void;
  readonly onDone: (item: MenuRow['item']) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  const [main = site.defaultLang] = languages;
  const schema = useMemo(() => itemSchema(main), [main]);
  const form = useContractForm(schema, { defaultValues: valuesOf(item, languages) });
  const { control } = form;
  const kind = useWatch({ control, name: 'kind' });
  return (
    <FormDialog
      form={form}
      title={t(item ? 'menu.editTitle' : 'menu.addTitle')}
      submitLabel={t(item ? 'menu.apply' : 'menu.addSubmit')}
      width="sm"
      onSubmit={(values) => onDone(itemOf(item?.id ?? nanoid(8), values))}
      onClose={onClose}
    >
      {languages.map((language) => (
        <TextField
          key={language}
          control={control}
          name={`label.${language}`}
          label={languages.length === 1 ? t('menu.label') : t('menu.labelIn', { language: languageName(language) })}
          optional={language !== main}
          maxLength={100}
          autoFocus={language === main}
        />
      ))}
      <SelectField control={control} name="kind" label={t('menu.target')} choices={targetKinds.map((value) => ({ value, label: t(`menu.kind.${value}`) }))} />
      {kind === 'path' && (
        <TextField
          control={control}
          name="path"
          label={t('menu.path')}
          help={t('menu.pathHelp')}
          verbatim
          placeholder="/about"
          messages={{ pattern: t('menu.pathPattern') }}
          below={
            <div className="publishing-buttons">
              {destinations.paths.map((path) => (
                <PlainButton key={path} onClick={() => form.setValue('path', path, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })}>
                  {path}
                </PlainButton>
              ))}
            </div>
          }
        />
      )}
      {kind === 'url' && (
        <TextField control={control} name="url" label={t('menu.url')} help={t('menu.urlHelp')} inputMode="url" verbatim placeholder="https://example.com" />
      )}
      {kind === 'record' && <RecordChoice site={site} form={form} tables={destinations.tables} />}
    </FormDialog>
  );
}
