import type { RuleInput, TableRule } from '@contract/tables/access';
import type { RecordAction, RuleRole } from '@contract/tables/terms';

/** An access rule; null: no rule is set, and the default applies. */
export type Rule = Pick<TableRule, 'allowed' | 'fields' | 'filter'> | null;
export type RuleKey = `${RuleRole}.${RecordAction}`;
/** The user's changes: for each place, the rule it started from and the new one. */
export type RuleEdits = Readonly<Partial<Record<RuleKey, { readonly from: Rule; readonly to: Rule }>>>;

export const ruleKeyOf = (role: RuleRole, action: RecordAction): RuleKey => `${role}.${action}`;
export const ruleKeyParts = (place: RuleKey): readonly [RuleRole, RecordAction] => place.split('.') as [RuleRole, RecordAction];
/** The public can only be granted reading. Field limits apply to reading, creating and changing. */
export const hasRule = (role: RuleRole, action: RecordAction): boolean => role !== 'public' || action === 'read';
export const hasFields = (action: RecordAction): boolean => action === 'read' || action === 'create' || action === 'update';

const plain = (rule: Rule): string => JSON.stringify(rule === null ? null : [rule.allowed, rule.fields === null ? null : rule.fields.toSorted(), rule.filter]);
const sameRule = (a: Rule, b: Rule): boolean => plain(a) === plain(b);

/** The saved rule of a place. */
export function savedRule(rules: readonly TableRule[], place: RuleKey): Rule {
  const found = rules.find(({ role, action }) => ruleKeyOf(role, action) === place);
  return found?.explicit === true ? { allowed: found.allowed, fields: found.fields, filter: found.filter } : null;
}

/** The changes with one place changed; restoring the saved rule removes the change. */
export function withRuleEdit(mine: RuleEdits, rules: readonly TableRule[], place: RuleKey, to: Rule): RuleEdits {
  const from = mine[place]?.from ?? savedRule(rules, place);
  const { [place]: _before, ...others } = mine;
  return sameRule(savedRule(rules, place), to) ? others : { ...others, [place]: { from, to } };
}

const entries = (mine: RuleEdits) => Object.entries(mine) as [RuleKey, NonNullable<RuleEdits[RuleKey]>][];
export const editedKeys = (mine: RuleEdits): RuleKey[] => entries(mine).map(([place]) => place);

/** Places that somebody else has since changed to something different. */
export const conflictingKeys = (mine: RuleEdits, rules: readonly TableRule[]): RuleKey[] =>
  entries(mine)
    .filter(([place, { from, to }]) => !sameRule(savedRule(rules, place), from) && !sameRule(savedRule(rules, place), to))
    .map(([place]) => place);

/** Rebases the user's changes on the saved rules, after the user has seen the conflicts and decided to keep their own. */
export const rebased = (mine: RuleEdits, rules: readonly TableRule[]): RuleEdits =>
  Object.fromEntries(entries(mine).map(([place, { to }]) => [place, { from: savedRule(rules, place), to }]));

export const withoutEdits = (mine: RuleEdits, places: readonly RuleKey[]): RuleEdits =>
  Object.fromEntries(entries(mine).filter(([place]) => !places.includes(place)));

/** The complete rules to save: the saved ones with the user's changes applied. */
export function inputOf(rules: readonly TableRule[], mine: RuleEdits): RuleInput[] {
  const places = new Set([...rules.filter(({ explicit: isSet }) => isSet).map(({ role, action }) => ruleKeyOf(role, action)), ...editedKeys(mine)]);
  return [...places].flatMap((place) => {
    const change = mine[place];
    const rule = change ? change.to : savedRule(rules, place);
    const [role, action] = ruleKeyParts(place);
    return rule === null ? [] : [{ role, action, allowed: rule.allowed, fields: rule.fields, filter: rule.filter }];
  });
}
