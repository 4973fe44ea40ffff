import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { canConvert, nearTypes } from '@contract/tables/fieldTypes';
import type { TableField } from '@contract/tables/schemas';
import { fieldTypes } from '@contract/tables/terms';
import type { FieldType } from '@contract/tables/terms';
import { FieldIcon } from '@/features/tables/records/icons';
import { SearchBox } from '@/ui/SearchBox';

/** Choice of a field's new type; the most common ones come first. */
export const TypeChoice = ({ field, onChoose }: { readonly field: TableField; readonly onChoose: (type: FieldType) => void }): ReactElement => {
  const { t } = useTranslation(['tableConvert', 'tableDesign']);
  const [typed, setTyped] = useState('');
  const search = typed.trim().toLowerCase();
  const fits = (type: FieldType) => `${t(`tableDesign:type.${type}`)} ${t(`tableDesign:typeText.${type}`)} ${type}`.toLowerCase().includes(search);
  const near = nearTypes(field.type);
  const others = fieldTypes.filter((type) => canConvert(field.type, type) && !near.includes(type));
  const groups = [
    { name: t('choose.near'), types: near.filter(fits) },
    { name: t('choose.all'), types: others.filter(fits) },
  ].filter(({ types }) => types.length > 0);
  return (
    <>
      <p>{t('choose.lead', { type: t(`tableDesign:type.${field.type}`) })}</p>
      <SearchBox wide label={t('choose.find')} value={typed} maxLength={60} onChange={setTyped} />
      {groups.map(({ name, types }) => (
        <section key={name} className="convert-part" aria-label={name}>
          <h3>{name}</h3>
          <div className="design-types">
            {types.map((type) => (
              <button key={type} type="button" className="design-type" onClick={() => onChoose(type)}>
                <FieldIcon column={{ field: { type } }} />
                <span>{t(`tableDesign:type.${type}`)}</span>
                <small>{t(`tableDesign:typeText.${type}`)}</small>
              </button>
            ))}
          </div>
        </section>
      ))}
      {groups.length === 0 && (
        <p className="design-quiet" role="status">
          {t('choose.none')}
        </p>
      )}
    </>
  );
};
