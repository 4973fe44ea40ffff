import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordFilter } from '@contract/tables/recordFilter';
import { ChooseLine, TextLine } from '@/features/tables/parts/controls';
import { FilterBuilder } from '@/features/tables/records/FilterBuilder';
import { emptyGroup, fromFilter, newRule, toFilter } from '@/features/tables/records/filterModel';
import type { Editing } from './editing';
import { newUid } from './fieldDraft';

const most = 20;

/** An edited filter, reported as soon as it is complete. */
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
        context={{ siteId: site.id, tables, people: {} }}
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

type FilterEntry = { readonly uid: string; readonly filter: RecordFilter | null };
/** Filters of a field, each with its settings. */
function ConditionList<T extends FilterEntry>({
  editing,
  part,
  list,
  fresh,
  onChange,
  meaning,
}: {
  readonly editing: Editing;
  readonly part: 'rules' | 'conditions';
  readonly list: readonly T[];
  /** Creates a new entry. */ readonly fresh: () => T;
  readonly onChange: (list: T[]) => void;
  readonly meaning: (one: T, at: number, change: (part: Partial<T>) => void) => ReactElement;
}): ReactElement {
  const { mayDesign, errorAt } = editing;
  const { t } = useTranslation('tableDesign');
  return (
    <section aria-label={t(`edit.${part}`)}>
      <h3>{t(`edit.${part}`)}</h3>
      <p className="design-quiet">{errorAt(part) ?? t(`${part}.lead`)}</p>
      {list.map((one, at) => {
        const change = (next: Partial<T>): void => onChange(list.map((other) => (other.uid === one.uid ? { ...other, ...next } : other)));
        return (
          <div key={one.uid} className="design-box">
            <Condition editing={editing} filter={one.filter} onChange={(filter) => change({ filter } as Partial<T>)} />
            {meaning(one, at, change)}
            {mayDesign && (
              <Button color="error" sx={{ justifySelf: 'start' }} onClick={() => onChange(list.filter(({ uid }) => uid !== one.uid))}>
                {t(`${part}.remove`)}
              </Button>
            )}
          </div>
        );
      })}
      {mayDesign && (
        <Button sx={{ justifySelf: 'start' }} disabled={list.length >= most} onClick={() => onChange([...list, fresh()])}>
          {t(`${part}.add`)}
        </Button>
      )}
    </section>
  );
}

/** Conditions that records must meet, with the message shown where one is not met. */
export const RulesPart = (editing: Editing): ReactElement => {
  const { draft, mayDesign, set, errorAt } = editing;
  const { t } = useTranslation('tableDesign');
  return (
    <ConditionList
      editing={editing}
      part="rules"
      list={draft.rules}
      fresh={() => ({ uid: newUid(), filter: null, message: '' })}
      onChange={(rules) => set({ rules })}
      meaning={({ message }, at, change) => (
        <TextLine
          label={t('rules.message')}
          value={message}
          error={errorAt(`rules.${String(at)}.message`)}
          disabled={!mayDesign}
          onChange={(next) => change({ message: next })}
        />
      )}
    />
  );
};

/** When the field is hidden, required or read-only. */
export const ConditionsPart = (editing: Editing): ReactElement => {
  const { draft, mayDesign, set } = editing;
  const { t } = useTranslation('tableDesign');
  return (
    <ConditionList
      editing={editing}
      part="conditions"
      list={draft.conditions}
      fresh={() => ({ uid: newUid(), filter: null, then: 'hidden' as const })}
      onChange={(conditions) => set({ conditions })}
      meaning={({ then }, _at, change) => (
        <ChooseLine
          label={t('conditions.then')}
          value={then}
          options={(['hidden', 'required', 'readonly'] as const).map((id) => ({ id, name: t(`conditions.thens.${id}`) }))}
          disabled={!mayDesign}
          onChange={(next) => change({ then: next })}
        />
      )}
    />
  );
};
