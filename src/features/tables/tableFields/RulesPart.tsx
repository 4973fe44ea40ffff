import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordFilter } from '@contract/recordFilter';
import { ChooseLine, TextLine } from '../parts/controls';
import { FilterBuilder } from '../records/FilterBuilder';
import { emptyGroup, fromFilter, newRule, toFilter } from '../records/filterModel';
import type { Editing } from './editing';
import { newUid } from './fieldDraft';

const most = 20;

/** A filter that is edited here and handed on as soon as it is complete. */
const Condition = ({
  editing,
  filter,
  onChange,
}: {
  readonly editing: Editing;
  readonly filter: RecordFilter | null;
  readonly onChange: (filter: RecordFilter | null) => void;
}): ReactElement => {
  const { site, tables, table, mayDesign } = editing;
  const { t } = useTranslation('tableDesign');
  const [group, setGroup] = useState(() => {
    if (filter) return fromFilter(filter);
    const first = newRule(table);
    return first ? emptyGroup('and', [first]) : emptyGroup();
  });
  return (
    <fieldset disabled={!mayDesign} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <FilterBuilder
        draft={group}
        table={table}
        scene={{ siteId: site.id, tables, people: {} }}
        onChange={(next) => {
          setGroup(next);
          onChange(toFilter(next));
        }}
      />
      {filter === null && (
        <p className="design-quiet" role="status">
          {t('rules.incomplete')}
        </p>
      )}
    </fieldset>
  );
};

/** What must hold for a record, and the words for who breaks it. */
export const RulesPart = (editing: Editing): ReactElement => {
  const { draft, mayDesign, set, fault } = editing;
  const { t } = useTranslation('tableDesign');
  const { rules } = draft;
  return (
    <section aria-label={t('edit.rules')}>
      <h3>{t('edit.rules')}</h3>
      <p className="design-quiet">{fault('rules') ?? t('rules.lead')}</p>
      {rules.map((rule, i) => (
        <div key={rule.uid} className="design-box">
          <Condition
            editing={editing}
            filter={rule.filter}
            onChange={(filter) => set({ rules: rules.map((one) => (one.uid === rule.uid ? { ...one, filter } : one)) })}
          />
          <TextLine
            label={t('rules.message')}
            value={rule.message}
            error={fault(`rules.${String(i)}.message`)}
            disabled={!mayDesign}
            onChange={(message) => set({ rules: rules.map((one) => (one.uid === rule.uid ? { ...one, message } : one)) })}
          />
          {mayDesign && (
            <Button size="small" color="error" sx={{ justifySelf: 'start' }} onClick={() => set({ rules: rules.filter(({ uid }) => uid !== rule.uid) })}>
              {t('rules.remove')}
            </Button>
          )}
        </div>
      ))}
      {mayDesign && (
        <Button
          size="small"
          sx={{ justifySelf: 'start' }}
          disabled={rules.length >= most}
          onClick={() => set({ rules: [...rules, { uid: newUid(), filter: null, message: '' }] })}
        >
          {t('rules.add')}
        </Button>
      )}
    </section>
  );
};

/** When the field is hidden, required or read-only. */
export const ConditionsPart = (editing: Editing): ReactElement => {
  const { draft, mayDesign, set, fault } = editing;
  const { t } = useTranslation('tableDesign');
  const { conditions } = draft;
  return (
    <section aria-label={t('edit.conditions')}>
      <h3>{t('edit.conditions')}</h3>
      <p className="design-quiet">{fault('conditions') ?? t('conditions.lead')}</p>
      {conditions.map((condition) => (
        <div key={condition.uid} className="design-box">
          <Condition
            editing={editing}
            filter={condition.filter}
            onChange={(filter) => set({ conditions: conditions.map((one) => (one.uid === condition.uid ? { ...one, filter } : one)) })}
          />
          <ChooseLine
            label={t('conditions.then')}
            value={condition.then}
            options={(['hidden', 'required', 'readonly'] as const).map((id) => ({ id, name: t(`conditions.thens.${id}`) }))}
            disabled={!mayDesign}
            onChange={(then) => set({ conditions: conditions.map((one) => (one.uid === condition.uid ? { ...one, then } : one)) })}
          />
          {mayDesign && (
            <Button
              size="small"
              color="error"
              sx={{ justifySelf: 'start' }}
              onClick={() => set({ conditions: conditions.filter(({ uid }) => uid !== condition.uid) })}
            >
              {t('conditions.remove')}
            </Button>
          )}
        </div>
      ))}
      {mayDesign && (
        <Button
          size="small"
          sx={{ justifySelf: 'start' }}
          disabled={conditions.length >= most}
          onClick={() => set({ conditions: [...conditions, { uid: newUid(), filter: null, then: 'hidden' }] })}
        >
          {t('conditions.add')}
        </Button>
      )}
    </section>
  );
};
