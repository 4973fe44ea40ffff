import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isLocalizable, isSearchable, tableLimits } from '@contract/tables/terms';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { TextLine, Tick } from '@/features/tables/parts/controls';
import type { Editing } from './editing';
import { isWritten } from './fieldDraft';

/** Aliases that the API still accepts, and which of them to remove. */
const OldNames = ({ field, draft, mayDesign, set }: Editing): ReactElement | null => {
  const { t } = useTranslation('tableDesign');
  const names = (field?.aliases ?? []).filter((name) => !draft.dropAliases.includes(name));
  if (names.length === 0) return null;
  return (
    <div className="design-line">
      <span className="design-quiet">{t('edit.aliases')}</span>
      {names.map((name) => (
        <span key={name} className="design-line">
          <code className="design-mono">{name}</code>
          {mayDesign && (
            <IconButton label={t('edit.dropAlias', { name })} onClick={() => set({ dropAliases: [...draft.dropAliases, name] })}>
              <Icon name="close" size={14} />
            </IconButton>
          )}
        </span>
      ))}
    </div>
  );
};

/** The title, key and presentation of a field. */
export const GeneralPart = (editing: Editing): ReactElement => {
  const { field, table, draft, mayDesign, set, errorAt } = editing;
  const { t } = useTranslation('tableDesign');
  const tick = (name: 'required' | 'localized' | 'searchable' | 'hidden' | 'readonly' | 'sensitive', off = false) => (
    <Tick
      label={t(`edit.${name}`)}
      help={errorAt(name) ?? t(`edit.${name}Help`)}
      checked={draft[name]}
      disabled={!mayDesign || off}
      onChange={(on) => set(name === 'sensitive' && on ? { sensitive: on, searchable: false } : { [name]: on })}
    />
  );
  return (
    <section aria-label={t('edit.general')}>
      <h3>{t('edit.general')}</h3>
      <TextLine
        label={t('edit.name')}
        value={draft.title}
        max={tableLimits.nameLength}
        error={errorAt('title')}
        disabled={!mayDesign}
        onChange={(title) => set({ title })}
      />
      <TextLine
        label={t('edit.key')}
        help={t('edit.keyHelp')}
        optional={field === null}
        value={draft.key}
        max={tableLimits.keyLength}
        mono
        error={errorAt('key')}
        disabled={!mayDesign}
        onChange={(key) => set({ key })}
      />
      <OldNames {...editing} />
      <TextLine
        label={t('edit.help')}
        help={t('edit.helpHelp')}
        optional
        value={draft.help}
        rows={2}
        max={1000}
        error={errorAt('help')}
        disabled={!mayDesign}
        onChange={(help) => set({ help })}
      />
      {field === null && (
        <p className="design-quiet">
          {t('edit.typeLabel')} · <b>{t(`type.${draft.type}`)}</b>
        </p>
      )}
      {isWritten(draft.type) && tick('required')}
      {isLocalizable(draft.type) && tick('localized', table.locales.length < 2 && !draft.localized)}
      {isSearchable(draft.type) && tick('searchable')}
      {tick('hidden')}
      {isWritten(draft.type) && tick('readonly')}
      {tick('sensitive')}
    </section>
  );
};
