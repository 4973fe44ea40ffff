import type { ReactElement } from 'react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { Choose } from '../records/parts';
import { ChooseLine, Tick } from '../parts/controls';
import { fieldOfGoal, isChoice, keyFields } from './mapping';
import type { Mapping } from './mapping';

/** Maximum number of fields that identify records together. */
const mostKeys = 3;

type MappingProps = { readonly mapping: Mapping; readonly choose: (change: Partial<Mapping>) => void };

/** The fields by which rows are matched with existing records. */
const KeyFields = ({ possible, mapping, choose }: MappingProps & { readonly possible: readonly TableField[] }): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  const { key } = mapping;
  const set = (at: number, field: string): void => choose({ key: field === '' ? key.slice(0, at) : [...key.slice(0, at), field, ...key.slice(at + 1)] });
  // One more than are chosen, for the next field.
  const places = Array.from({ length: Math.min(mostKeys, key.length + 1, Math.max(1, possible.length)) }, (_, at) => at);
  return (
    <div>
      <p style={{ marginBottom: 4, fontWeight: 500 }}>{t('map.key')}</p>
      <div className="transfer-line">
        {places.map((at) => (
          <span key={String(at)} className="transfer-line">
            {at > 0 && <span>{t('map.keyAnd')}</span>}
            <Choose
              label={t('map.keyLabel', { n: at + 1 })}
              value={key[at] ?? ''}
              options={[
                { id: '', name: t(at === 0 ? 'map.keyNone' : 'map.keyAndNone') },
                ...possible
                  .filter((field) => field.id === key[at] || !key.includes(field.id))
                  .map((field) => ({ id: field.id, name: t('map.keyBy', { title: field.title }) })),
              ]}
              onChange={(field) => set(at, field)}
            />
          </span>
        ))}
      </div>
      <p className="transfer-quiet" style={{ marginTop: 4 }}>
        {t('map.keyHelp')}
      </p>
    </div>
  );
};

/** What to do with rows that match a record, with the others, and with empty cells. */
const MatchFields = ({ mapping, choose }: MappingProps): ReactElement => {
  const { t } = useTranslation('tableTransfer');
  return (
    <div className="transfer-options">
      <ChooseLine
        label={t('map.onMatch')}
        value={mapping.onMatch}
        options={(['update', 'skip'] as const).map((one) => ({ id: one, name: t(`map.match.${one}`) }))}
        onChange={(onMatch) => choose({ onMatch })}
      />
      <ChooseLine
        label={t('map.onNew')}
        value={mapping.onNew}
        options={(['insert', 'skip'] as const).map((one) => ({ id: one, name: t(`map.new.${one}`) }))}
        onChange={(onNew) => choose({ onNew })}
      />
      {mapping.onMatch === 'update' && (
        <ChooseLine
          label={t('map.emptyCells')}
          value={mapping.emptyCells}
          options={(['keep', 'clear'] as const).map((one) => ({ id: one, name: t(`map.empties.${one}`) }))}
          onChange={(emptyCells) => choose({ emptyCells })}
        />
      )}
    </div>
  );
};

/** What to do with matching rows, empty cells and missing choices, and whether to publish the records. */
export const WriteSettings = ({
  table,
  mapping,
  choose,
  design,
}: MappingProps & {
  readonly table: ContentTable;
  readonly design: boolean;
}): ReactElement | null => {
  const { t } = useTranslation('tableTransfer');
  const id = useId();
  const possible = keyFields(mapping, table);
  const mayUpdate = table.may.includes('update');
  const choices = table.fields.some((field) => isChoice(field.type) && mapping.goals.some((goal) => fieldOfGoal(goal)?.field === field.id));
  const publishes = table.drafts && table.may.includes('publish');
  const byKey = mayUpdate && possible.length > 0;
  if (!byKey && !(design && choices) && !publishes) return null;
  return (
    <section className="transfer-settings" aria-labelledby={id}>
      <h3 id={id}>{t('map.settings')}</h3>
      {byKey && <KeyFields possible={possible} mapping={mapping} choose={choose} />}
      {byKey && mapping.key.length > 0 && <MatchFields mapping={mapping} choose={choose} />}
      {design && choices && (
        <Tick label={t('map.addChoices')} help={t('map.addChoicesHelp')} checked={mapping.addChoices} onChange={(addChoices) => choose({ addChoices })} />
      )}
      {publishes && <Tick label={t('map.publish')} help={t('map.publishHelp')} checked={mapping.publish} onChange={(publish) => choose({ publish })} />}
    </section>
  );
};
