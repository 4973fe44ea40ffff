import type { Condition, Goal } from '../../contract/insights/schemas';
import type { OracleFilter, Visit } from './values';
import type { OracleEvent } from './visits';

/** The meaning of conditions of goals and funnels, derived from contract/insights/schemas.ts. */

export type OracleGoal = Pick<Goal, 'id' | 'condition' | 'worth'>;

export const propsOf = (event: OracleEvent): Record<string, unknown> => (event.props === '' ? {} : (JSON.parse(event.props) as Record<string, unknown>));
const isDecimal = (text: string): boolean => /^-?\d{1,15}(\.\d{1,6})?$/.test(text);
/** A JSON number, or a string that is entirely one; otherwise null. */
export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' ? value : typeof value === 'string' && isDecimal(value) ? Number(value) : null;

function globHolds(glob: string, path: string): boolean {
  if (glob === '') return path === '';
  if (glob.startsWith('*')) {
    const many = /^\*+/.exec(glob)?.[0].length ?? 1;
    const rest = glob.slice(many);
    for (let n = 0; n <= path.length; n += 1) {
      if (globHolds(rest, path.slice(n))) return true;
      if (many === 1 && path[n] === '/') return false;
    }
    return false;
  }
  return path[0] === glob[0] && path !== '' && globHolds(glob.slice(1), path.slice(1));
}

export function pageMeets(condition: Extract<Condition, { kind: 'page' }>, path: string): boolean {
  switch (condition.match) {
    case 'is':
      return path === condition.path;
    case 'starts':
      return path.startsWith(condition.path);
    case 'contains':
      return path.includes(condition.path);
    case 'glob':
      return globHolds(condition.path, path);
  }
}

export function eventMeets({ event: name, property }: Extract<Condition, { kind: 'event' }>, event: OracleEvent): boolean {
  if (event.name !== name) return false;
  if (property === null) return true;
  const props = propsOf(event);
  const value = Object.hasOwn(props, property.name) ? props[property.name] : undefined;
  const number = numberOf(value);
  const same =
    typeof value === 'string'
      ? value === property.value
      : typeof value === 'number'
        ? isDecimal(property.value) && value === Number(property.value)
        : typeof value === 'boolean' && String(value) === property.value;
  switch (property.op) {
    case 'is':
      return same;
    case 'not':
      return !same;
    case 'contains':
      return typeof value === 'string' && value.toLowerCase().includes(property.value.toLowerCase());
    case 'atLeast':
      return number !== null && number >= Number(property.value);
    case 'atMost':
      return number !== null && number <= Number(property.value);
  }
}

/** The events of a visit that meet a condition. */
const eventsMeeting = (visit: Visit, condition: Condition): OracleEvent[] =>
  condition.kind === 'event' ? visit.events.filter((event) => eventMeets(condition, event)) : [];
const reachesAnew = (visit: Visit, { condition }: OracleGoal): boolean =>
  condition.kind === 'page' ? visit.views.some((view) => pageMeets(condition, view.path)) : eventsMeeting(visit, condition).length > 0;

const known = new WeakMap<Visit, Map<OracleGoal, { reached: boolean; worth: number }>>();
/** Cached, as the same visits are checked against the same goals thousands of times. */
function outcome(visit: Visit, goal: OracleGoal): { reached: boolean; worth: number } {
  const own = known.get(visit) ?? new Map<OracleGoal, { reached: boolean; worth: number }>();
  known.set(visit, own);
  const found = own.get(goal) ?? { reached: reachesAnew(visit, goal), worth: worthAnew(visit, goal) };
  own.set(goal, found);
  return found;
}
export const reaches = (visit: Visit, goal: OracleGoal): boolean => outcome(visit, goal).reached;
export const worthOf = (visit: Visit, goal: OracleGoal): number => outcome(visit, goal).worth;

function worthAnew(visit: Visit, goal: OracleGoal): number {
  const { worth } = goal;
  if (worth.kind === 'none' || !reachesAnew(visit, goal)) return 0;
  if (worth.kind === 'fixed') return worth.amount;
  return eventsMeeting(visit, goal.condition).reduce((sum, event) => sum + (numberOf(propsOf(event)[worth.property]) ?? 0), 0);
}

/** Filters by events (by name) and goals (by id) of a visit; '' for none. */
export function hasHappened({ dimension, op, values }: OracleFilter, visit: Visit, goals: readonly OracleGoal[]): boolean {
  const own = visit.events.filter((event) => !event.name.startsWith('$') || event.name === '$outbound' || event.name === '$download' || event.name === '$form');
  const any = values.some((value) => {
    if (dimension === 'goal')
      return value === '' ? !goals.some((goal) => reaches(visit, goal)) : goals.some((goal) => goal.id === value && reaches(visit, goal));
    if (op === 'contains' || op === 'excludes') return own.some((event) => event.name.toLowerCase().includes(value.toLowerCase()));
    return value === '' ? own.length === 0 : visit.events.some((event) => event.name === value);
  });
  return op === 'is' || op === 'contains' ? any : !any;
}
