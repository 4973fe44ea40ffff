import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableRule } from '@contract/tables/access';
import { allowedByDefault, recordActions, ruleRoles } from '@contract/tables/terms';
import type { RecordAction, RuleRole } from '@contract/tables/terms';
import type { ContentTable } from '@contract/tables/schemas';
import { useFilterText } from '@/features/tables/records/useFilterText';

type Rule = Pick<TableRule, 'allowed' | 'fields' | 'filter'> | null;
type Parts = Readonly<Record<string, unknown>>;

export type Props = { readonly table: ContentTable | null; readonly tables: readonly ContentTable[]; readonly before: Parts; readonly after: Parts };

/** One line per role and action, before and after. `table`: null where the table does not exist here; names then stay as written. */
export default function Lines({ table, tables, before, after }: Props): ReactElement {
  const { t } = useTranslation(['tableSchemas', 'tables', 'tableAdmin']);
  const filterText = useFilterText(table, tables);
  const titleOf = (name: string): string =>
    table?.fields.find(({ id, key }) => id === name || key === name)?.title ?? (name.startsWith('f_') ? t('history.goneField') : name);
  const ruleText = (role: RuleRole, action: RecordAction, rule: Rule): string => {
    if (rule === null) return t('history.byDefault', { state: t(allowedByDefault(role, action) ? 'tableAdmin:rules.allowed' : 'tableAdmin:rules.denied') });
    if (!rule.allowed) return t('tableAdmin:rules.denied');
    return [
      t('tableAdmin:rules.allowed'),
      ...(rule.fields
        ? [rule.fields.length === 0 ? t('history.noFields') : t('history.onlyFields', { names: rule.fields.map(titleOf).join(t('tableAdmin:comma')) })]
        : []),
      ...(rule.filter ? [t('history.onlyWhere', { filter: filterText(rule.filter) })] : []),
    ].join(t('history.semicolon'));
  };
  return (
    <>
      {ruleRoles.flatMap((role) =>
        recordActions.flatMap((action) => {
          const place = `${role}.${action}`;
          if (!(place in after) && !(place in before)) return [];
          const text = (parts: Parts) => ruleText(role, action, (parts[place] ?? null) as Rule);
          return [
            <p key={place} className="design-quiet" style={{ overflowWrap: 'anywhere' }}>
              {t('history.right', { role: t(`tableAdmin:role.${role}`), action: t(`tableAdmin:action.${action}`), was: text(before), is: text(after) })}
            </p>,
          ];
        }),
      )}
    </>
  );
}
