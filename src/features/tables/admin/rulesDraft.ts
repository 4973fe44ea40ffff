import type { RuleInput, TableRule } from '@contract/tables/access';
import type { RecordAction, RuleRole } from '@contract/tables/terms';

/** A rule as it is given; null: none is, and the default holds. */
export type Rule = Pick<TableRule, 'allowed' | 'fields' | 'filter'> | null;
export type Place = `${RuleRole}.${RecordAction}`;
/** What the person changed: what stood there when they did, and what they want. */
export type Mine = Readonly<Partial<Record<Place, { readonly from: Rule; readonly to: Rule }>>>;

export const placeOf = (role: RuleRole, action: RecordAction): Place => `${role}.${action}`;
const partsOf = (place: Place): readonly [RuleRole, RecordAction] => place.split('.') as [RuleRole, RecordAction];
/** Only reading is given to everybody. Fields are a matter of reading, making and changing. */
export const mayRule = (role: RuleRole, action: RecordAction): boolean => role !== 'public' || action === 'read';
export const hasFields = (action: RecordAction): boolean => action === 'read' || action === 'create' || action === 'update';

const plain = (rule: Rule): string => JSON.stringify(rule === null ? null : [rule.allowed, rule.fields === null ? null : rule.fields.toSorted(), rule.filter]);
const sameRule = (a: Rule, b: Rule): boolean => plain(a) === plain(b);

/** The rule that stands at a place of what the server answered. */
export function savedRule(rules: readonly TableRule[], place: Place): Rule {
  const found = rules.find(({ role, action }) => placeOf(role, action) === place);
  return found?.given === true ? { allowed: found.allowed, fields: found.fields, filter: found.filter } : null;
}

/** With one place changed; what is as it was saved is no change. */
export function changed(mine: Mine, rules: readonly TableRule[], place: Place, to: Rule): Mine {
  const from = mine[place]?.from ?? savedRule(rules, place);
  const { [place]: _before, ...others } = mine;
  return sameRule(savedRule(rules, place), to) ? others : { ...others, [place]: { from, to } };
}

const entries = (mine: Mine) => Object.entries(mine) as [Place, NonNullable<Mine[Place]>][];
export const placesOf = (mine: Mine): Place[] => entries(mine).map(([place]) => place);

/** Places that somebody else changed too since, and otherwise. */
export const conflicting = (mine: Mine, rules: readonly TableRule[]): Place[] =>
  entries(mine)
    .filter(([place, { from, to }]) => !sameRule(savedRule(rules, place), from) && !sameRule(savedRule(rules, place), to))
    .map(([place]) => place);

/** The person has seen what others made of these places and stays with theirs. */
export const insisting = (mine: Mine, rules: readonly TableRule[]): Mine =>
  Object.fromEntries(entries(mine).map(([place, { to }]) => [place, { from: savedRule(rules, place), to }]));

export const without = (mine: Mine, places: readonly Place[]): Mine => Object.fromEntries(entries(mine).filter(([place]) => !places.includes(place)));

/** Everything that is to stand: what others saved, and over it what the person changed. */
export function inputOf(rules: readonly TableRule[], mine: Mine): RuleInput[] {
  const places = new Set([...rules.filter(({ given }) => given).map(({ role, action }) => placeOf(role, action)), ...placesOf(mine)]);
  return [...places].flatMap((place) => {
    const change = mine[place];
    const rule = change ? change.to : savedRule(rules, place);
    const [role, action] = partsOf(place);
    return rule === null ? [] : [{ role, action, allowed: rule.allowed, fields: rule.fields, filter: rule.filter }];
  });
}
