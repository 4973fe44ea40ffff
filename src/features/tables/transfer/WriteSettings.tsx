import type { ReactElement } from 'react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { Choose } from '../records/parts';
import { ChooseLine, Tick } from '../parts/controls';
import { fieldOfGoal, isChoice, keyFields } from './mapping';
import type { Mapping } from './mapping';

/** Most fields that tell records apart together. */
const mostKeys = 3;

/** What becomes of rows whose record is there already, of empty cells and missing choices, and whether records are published. */
export const WriteSettings = ({
  table,
  mapping,
  choose,
  design,
}: {
  readonly table: ContentTable;
  readonly mapping: Mapping;
  readonly choose: (change: Partial<Mapping>) => void;
  readonly design: boolean;
}): ReactElement | null => {
  const { t } = useTranslation('tableTransfer');
  const id = useId();
  const possible = keyFields(mapping, table);
  const { key } = mapping;
  const mayUpdate = table.may.includes('update');
  const choices = table.fields.some((field) => isChoice(field.type) && mapping.goals.some((goal) => fieldOfGoal(goal)?.field === field.id));
  const publishes = table.drafts && table.may.includes('publish');
  const byKey = mayUpdate && possible.length > 0;
  if (!byKey && !(design && choices) && !publishes) return null;
  const put = (at: number, field: string): void => choose({ key: field === '' ? key.slice(0, at) : [...key.slice(0, at), field, ...key.slice(at + 1)] });
  // One more than there are: the next condition.
  const lines = Array.from({ length: Math.min(mostKeys, key.length + 1, Math.max(1, possible.length)) }, (_, at) => at);
  return (
    <section className="transfer-settings" aria-labelledby={id}>
      <h3 id={id}>{t('map.settings')}</h3>
      {byKey && (
        <div>
          <p style={{ marginBottom: 4, fontWeight: 500 }}>{t('map.key')}</p>
          <div className="transfer-line">
            {lines.map((at) => (
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
                  onChange={(field) => put(at, field)}
                />
              </span>
            ))}
          </div>
          <p className="transfer-quiet" style={{ marginTop: 4 }}>
            {t('map.keyHelp')}
          </p>
        </div>
      )}
      {byKey && key.length > 0 && (
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
      )}
      {design && choices && (
        <Tick label={t('map.addChoices')} help={t('map.addChoicesHelp')} checked={mapping.addChoices} onChange={(addChoices) => choose({ addChoices })} />
      )}
      {publishes && <Tick label={t('map.publish')} help={t('map.publishHelp')} checked={mapping.publish} onChange={(publish) => choose({ publish })} />}
    </section>
  );
};
