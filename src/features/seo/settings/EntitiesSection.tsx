import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { entityProperties, entityTypes } from '@contract/seo/terms';
import type { EntityProperty } from '@contract/seo/terms';
import { FilterSelect } from '@/ui/FilterSelect';
import { FieldGroup } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { TextInput } from '../TextInput';
import type { SectionProps, SeoContent } from './sectionProps';

type Entity = SeoContent['entities'][number];
/** A collection of the site with its fields. */
export type Collection = { readonly key: string; readonly title: string; readonly fields: readonly string[] };

/** Where a property of a product comes from: a field of its record, or a fixed text. */
function Property({
  name,
  entity,
  fields,
  onChange,
}: {
  readonly name: EntityProperty;
  readonly entity: Entity;
  readonly fields: readonly string[];
  readonly onChange: (entity: Entity) => void;
}): ReactElement {
  const { t } = useTranslation('seo');
  const source = entity.properties[name];
  const put = (next: Entity['properties'][EntityProperty]): void => {
    const { [name]: _old, ...others } = entity.properties;
    onChange({ ...entity, properties: next === undefined ? others : { ...others, [name]: next } });
  };
  const isText = source !== undefined && 'text' in source;
  const choices = [
    { value: '', label: t('settings.noValue') },
    { value: '=', label: t('settings.fixedText') },
    ...fields.map((field) => ({ value: field, label: field })),
  ];
  return (
    <FieldGroup label={t(`settings.property.${name}`)}>
      <FilterSelect
        label={t(`settings.property.${name}`)}
        value={source === undefined ? '' : 'text' in source ? '=' : source.field}
        choices={choices}
        onChoose={(value) => put(value === '' ? undefined : value === '=' ? { text: '' } : { field: value })}
      />
      {isText && (
        <TextInput
          label={t('settings.textOf', { property: t(`settings.property.${name}`) })}
          value={source.text}
          maxLength={200}
          onChange={(text) => put({ text })}
        />
      )}
    </FieldGroup>
  );
}

/** What records are in structured data. */
export function EntitiesSection({
  content,
  onChange,
  readOnly,
  collections,
}: SectionProps & { readonly collections: readonly Collection[] }): ReactElement | null {
  const { t } = useTranslation('seo');
  if (collections.length === 0) return null;
  const put = (key: string, entity: Entity | null): void => {
    const others = content.entities.filter(({ collection }) => collection !== key);
    onChange({ ...content, entities: entity === null ? others : [...others, entity] });
  };
  return (
    <FormSection title={t('settings.section.entities')} lead={t('settings.entitiesLead')}>
      {collections.map(({ key, title, fields }) => {
        const entity = content.entities.find(({ collection }) => collection === key);
        return (
          <fieldset key={key} className="field-group seo-template" disabled={readOnly}>
            <legend>{title}</legend>
            <FilterSelect
              label={t('settings.typeOf', { collection: title })}
              value={entity?.type ?? ''}
              choices={[{ value: '', label: t('settings.type.automatic') }, ...entityTypes.map((value) => ({ value, label: t(`settings.type.${value}`) }))]}
              onChoose={(next) => {
                const type = entityTypes.find((one) => one === next);
                put(key, type === undefined ? null : { collection: key, type, properties: entity?.properties ?? {} });
              }}
            />
            {entity?.type === 'Product' &&
              entityProperties.map((name) => <Property key={name} name={name} entity={entity} fields={fields} onChange={(next) => put(key, next)} />)}
          </fieldset>
        );
      })}
    </FormSection>
  );
}
