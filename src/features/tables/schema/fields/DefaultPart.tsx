import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldDefault, TableField } from '@contract/tables/schemas';
import { kindOf } from '@contract/tables/terms';
import { ChooseLine } from '@/features/tables/parts/controls';
import { FieldEnvProvider } from '@/features/tables/fieldTypes/env';
import { FieldEditor, hasEditor } from '@/features/tables/fieldTypes/FieldEditor';
import { useTableEnv } from '@/features/tables/records/useTableEnv';
import { defaultKinds } from './fieldDraft';
import type { Editing } from './editing';

const nobody = { records: {}, people: {} };

/** The default value of a new record. */
export const DefaultPart = ({ site, tables, field, draft, mayDesign, set, errorAt }: Editing): ReactElement | null => {
  const { t } = useTranslation('tableDesign');
  const env = useTableEnv({ siteId: site.id, tables, timeZone: site.timeZone, labels: nobody });
  const kinds = defaultKinds(draft.type);
  const [valueError, setValueError] = useState<string | undefined>();
  if (kinds.length === 0) return null;
  const kind = draft.default?.kind ?? 'none';
  // The value is edited as for a field with the type and options above, saved or not.
  const editedField: TableField = {
    ...draft,
    title: t('default.valueLabel'),
    id: field?.id ?? 'f_new',
    aliases: [],
    unique: false,
    indexed: false,
    localized: false,
    required: false,
    readonly: false,
    rules: [],
    conditions: [],
    yields: kindOf(draft.type),
    problem: null,
    deletedAt: null,
  };
  const problem = valueError ?? errorAt('default');
  return (
    <section aria-label={t('edit.default')}>
      <h3>{t('edit.default')}</h3>
      <p className="design-quiet">{t('default.lead')}</p>
      <ChooseLine
        label={t('default.label')}
        value={kind}
        options={[{ id: 'none' as const, name: t('default.none') }, ...kinds.map((id) => ({ id, name: t(`default.${id}`) }))]}
        disabled={!mayDesign}
        error={kind === 'value' ? undefined : problem}
        onChange={(next) => {
          setValueError(undefined);
          const nextDefault: FieldDefault | null =
            next === 'none' ? null : next === 'value' ? { kind: next, value: draft.type === 'switch' ? true : null } : { kind: next };
          set({ default: nextDefault });
        }}
      />
      {draft.default?.kind === 'value' && (
        <FieldEnvProvider value={env}>
          <fieldset disabled={!mayDesign} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            {hasEditor(draft.type) ? (
              <FieldEditor
                field={editedField}
                value={draft.default.value}
                onChange={(value, typed) => {
                  setValueError(typed);
                  set({ default: { kind: 'value', value } });
                }}
              />
            ) : (
              <textarea
                className="tables-input"
                aria-label={t('default.valueLabel')}
                rows={4}
                value={typeof draft.default.value === 'string' ? draft.default.value : ''}
                onChange={(event) => set({ default: { kind: 'value', value: event.target.value === '' ? null : event.target.value } })}
              />
            )}
            {problem !== undefined && (
              <p role="alert" className="tables-error" style={{ margin: '4px 0 0', fontSize: 'var(--text-secondary)' }}>
                {problem}
              </p>
            )}
          </fieldset>
        </FieldEnvProvider>
      )}
    </section>
  );
};
