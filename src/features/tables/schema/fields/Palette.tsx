import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldType } from '@contract/tables/terms';
import { typesOfGroup } from '@/features/tables/fieldTypes';
import { paletteGroups } from '@/features/tables/fieldTypes/definition';
import { FieldIcon } from '@/features/tables/records/icons';
import { SearchBox } from '@/ui/SearchBox';

/** All field types by group, searchable by name, purpose, or API name. */
export const Palette = ({ onChoose }: { readonly onChoose: (type: FieldType) => void }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [typed, setTyped] = useState('');
  const search = typed.trim().toLowerCase();
  const fits = (type: FieldType) => `${t(`type.${type}`)} ${t(`typeText.${type}`)} ${type}`.toLowerCase().includes(search);
  const groups = paletteGroups.map((id) => ({ id, types: typesOfGroup(id).filter(fits) })).filter(({ types }) => types.length > 0);
  return (
    <>
      <SearchBox
        wide
        label={t('palette.find')}
        value={typed}
        maxLength={60}
        onChange={setTyped}
        onKeyDown={(event) => {
          const [first] = groups[0]?.types ?? [];
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (search !== '' && first) onChoose(first);
        }}
      />
      {groups.map(({ id, types }) => (
        <section key={id} aria-label={t(`kinds.${id}`)}>
          <h3>{t(`kinds.${id}`)}</h3>
          <div className="design-types">
            {types.map((type) => (
              <button key={type} type="button" className="design-type" onClick={() => onChoose(type)}>
                <FieldIcon column={{ field: { type } }} />
                <span>{t(`type.${type}`)}</span>
                <small>{t(`typeText.${type}`)}</small>
              </button>
            ))}
          </div>
        </section>
      ))}
      {groups.length === 0 && (
        <p className="design-quiet" role="status" style={{ marginTop: 16 }}>
          {t('palette.none')}
        </p>
      )}
    </>
  );
};
