import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { onDeletes } from '@contract/tables/schemas';
import type { TableField } from '@contract/tables/schemas';
import { aggregatesOf, tableLimits } from '@contract/tables/terms';
import { ChooseLine, TextLine } from '@/features/tables/parts/controls';
import { linkedTable } from '@/features/tables/records/relations';
import type { Editing } from './editing';

const isLink = ({ type }: TableField): boolean => type === 'relation' || type === 'relations' || type === 'inverse';
const isSource = ({ type }: TableField): boolean => type !== 'password' && type !== 'button';

/** The table that a relation points to; for a new relation also its inverse field there. */
export const RelationOptions = ({ tables, field, draft, mayDesign, converting = false, set, setOption, errorAt }: Editing): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { options, type } = draft;
  return (
    <>
      <ChooseLine
        label={t('option.to')}
        help={field ? t('option.toFixed') : undefined}
        error={errorAt('options.to')}
        value={options.to ?? ''}
        options={[{ id: '', name: t('option.choose') }, ...tables.map(({ id, title }) => ({ id, name: title }))]}
        disabled={!mayDesign || field !== null}
        onChange={(to) => setOption({ to: to === '' ? undefined : to })}
      />
      {type === 'relation' && (
        <ChooseLine
          label={t('option.onDelete')}
          error={errorAt('options.onDelete')}
          value={options.onDelete ?? 'clear'}
          options={onDeletes.map((id) => ({ id, name: t(`option.onDeletes.${id}`) }))}
          disabled={!mayDesign}
          onChange={(onDelete) => setOption({ onDelete })}
        />
      )}
      {field === null && !converting && (
        <TextLine
          label={t('option.inverseTitle')}
          help={t('option.inverseHelp')}
          optional
          value={draft.inverseTitle}
          max={tableLimits.nameLength}
          error={errorAt('inverseTitle')}
          onChange={(inverseTitle) => set({ inverseTitle })}
        />
      )}
    </>
  );
};

/** The relation that an inverse field belongs to. */
export const InverseOptions = ({ tables, table, field, draft, mayDesign, setOption, errorAt }: Editing): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const usedIds = new Set(table.fields.flatMap((one) => (one.type === 'inverse' && one.id !== field?.id ? (one.options.of ?? []) : [])));
  const all = tables.flatMap((one) =>
    one.fields
      .filter(({ id, type, options }) => (type === 'relation' || type === 'relations') && options.to === table.id && !usedIds.has(id))
      .map(({ id, title }) => ({ id, name: `${one.title} · ${title}` })),
  );
  if (all.length === 0) return <p className="design-quiet">{t('option.ofNone')}</p>;
  return (
    <ChooseLine
      label={t('option.of')}
      error={errorAt('options.of')}
      value={draft.options.of ?? ''}
      options={[{ id: '', name: t('option.choose') }, ...all]}
      disabled={!mayDesign || field !== null}
      onChange={(of) => setOption({ of: of === '' ? undefined : of })}
    />
  );
};

/** Of lookups and rollups: the relation, the field of the linked records, and how several values are combined. */
export const LookupOptions = ({ tables, table, draft, mayDesign, setOption, errorAt }: Editing): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { options, type } = draft;
  const links = table.fields.filter(isLink);
  const link = links.find(({ id }) => id === options.relation);
  const sources = (linkedTable(tables, link ?? null)?.fields ?? []).filter(isSource);
  const source = sources.find(({ id }) => id === options.target);
  const none = { id: '', name: t('option.choose') };
  if (links.length === 0) return <p className="design-quiet">{t('option.relationNone')}</p>;
  const hows = aggregatesOf(source?.yields ?? 'list');
  return (
    <>
      <ChooseLine
        label={t('option.relation')}
        error={errorAt('options.relation')}
        value={options.relation ?? ''}
        options={[none, ...links.map(({ id, title }) => ({ id, name: title }))]}
        disabled={!mayDesign}
        onChange={(relation) => setOption({ relation: relation === '' ? undefined : relation, target: undefined })}
      />
      <ChooseLine
        label={t('option.target')}
        optional={type === 'rollup' && options.how === 'count'}
        error={errorAt('options.target')}
        value={options.target ?? ''}
        options={[none, ...sources.map(({ id, title }) => ({ id, name: title }))]}
        disabled={!mayDesign || !link}
        onChange={(target) => setOption({ target: target === '' ? undefined : target })}
      />
      {type === 'rollup' && (
        <ChooseLine
          label={t('option.how')}
          error={errorAt('options.how')}
          value={options.how ?? 'count'}
          options={(options.how !== undefined && !hows.includes(options.how) ? [...hows, options.how] : hows).map((id) => ({
            id,
            name: t(`option.hows.${id}`),
          }))}
          disabled={!mayDesign}
          onChange={(how) => setOption({ how })}
        />
      )}
    </>
  );
};
