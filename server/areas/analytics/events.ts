import type { DimensionId, FilterOp } from '../../../contract/analytics/schemas';
import { normalizePath } from '../../../contract/paths';
import { decimal } from '../../../contract/insights/schemas';
import type { Condition, Goal } from '../../../contract/insights/schemas';
import { failField } from '../../http/failure';

/**
 * Conditions of goals and funnels as SQL over the arrays of one row of `visits`. contract/insights/schemas.ts defines their meaning; the SQL is written here,
 * and user input is always passed as a parameter.
 */
export type GoalSpec = Pick<Goal, 'id' | 'condition' | 'worth'>;

/**
 * Goals as SQL over `visits`. `converted`: 1 if the visit reached one of them, else 0; `worth`: their total value. `keys` and `worths`: the ids of the reached
 * goals and the value of each. `reached`: the same by id, for filters. Names in `params` begin with `goal`, so that they cannot collide with those of a scan.
 */
export type GoalSql = {
  /** Whether there are any goals. */
  readonly some: boolean;
  readonly converted: string;
  readonly worth: string;
  readonly keys: string;
  readonly worths: string;
  readonly reached: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, unknown>>;
};

/**
 * The events that reports count: those sent by the site itself, outbound links, downloads and submitted forms. Other built-in events (such as `$vitals`) are
 * measurements.
 */
export const countedEvent = (name: string): string => `(NOT startsWith(${name}, '$') OR ${name} IN ('$outbound', '$download', '$form'))`;

/** Binds a value as a parameter and returns its SQL placeholder. */
export type Bind = (value: string | number) => string;

/** Parameters named `prefix0`, `prefix1`…, collected in `params`. */
export function binder(prefix: string): { readonly bind: Bind; readonly params: Record<string, unknown> } {
  const params: Record<string, unknown> = {};
  let n = 0;
  const bind: Bind = (value) => {
    const name = `${prefix}${n++}`;
    params[name] = value;
    return `{${name}:${typeof value === 'number' ? 'Float64' : 'String'}}`;
  };
  return { bind, params };
}

const numbers = "('Int64', 'UInt64', 'Double')";
/** The numeric value of a property of the JSON text `props` (see `Condition`), NULL if it is not a number. */
export const numberOf = (props: string, name: string): string => {
  const text = `JSONExtractString(${props}, ${name})`;
  const wholly = `match(${text}, '${decimal.source.replaceAll('\\', '\\\\')}')`;
  return `multiIf(toString(JSONType(${props}, ${name})) IN ${numbers}, toNullable(JSONExtractFloat(${props}, ${name})), ${wholly}, toFloat64OrNull(${text}), NULL)`;
};

/** `*` matches anything but `/`, `**` matches anything, the rest is literal. RE2 (and JavaScript) syntax, anchored at both ends. */
export const globPattern = (glob: string): string =>
  `^(?s:${glob
    .split(/(\*+)/)
    .map((part) => (part === '*' ? '[^/]*' : /^\*\*+$/.test(part) ? '.*' : part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')))
    .join('')})$`;

function propertySql({ name, op, value }: NonNullable<Extract<Condition, { kind: 'event' }>['property']>, bind: Bind): string {
  const key = bind(name);
  const type = `toString(JSONType(props, ${key}))`;
  const text = `JSONExtractString(props, ${key})`;
  switch (op) {
    case 'is':
    case 'not': {
      const asNumber = decimal.test(value) ? `JSONExtractFloat(props, ${key}) = ${bind(Number(value))}` : '0';
      const asBool = value === 'true' || value === 'false' ? `JSONExtractBool(props, ${key}) = ${value === 'true' ? 1 : 0}` : '0';
      const same = `multiIf(${type} = 'String', ${text} = ${bind(value)}, ${type} IN ${numbers}, ${asNumber}, ${type} = 'Bool', ${asBool}, 0)`;
      return op === 'is' ? same : `NOT ${same}`;
    }
    case 'contains':
      return `(${type} = 'String' AND positionCaseInsensitiveUTF8(${text}, ${bind(value)}) > 0)`;
    case 'atLeast':
    case 'atMost':
      return `ifNull(${numberOf('props', key)} ${op === 'atLeast' ? '>=' : '<='} ${bind(Number(value))}, 0)`;
  }
}

/** Whether one hit meets a condition: SQL over `path` for page conditions, over `name` and `props` for events. */
export function conditionSql(condition: Condition, bind: Bind): string {
  if (condition.kind === 'event') {
    const named = `name = ${bind(condition.event)}`;
    return condition.property === null ? `(${named})` : `(${named} AND ${propertySql(condition.property, bind)})`;
  }
  const { match } = condition;
  // A path saved or typed with percent-escapes means the same page.
  const path = normalizePath(condition.path);
  switch (match) {
    case 'is':
      return `(path = ${bind(path)})`;
    case 'starts':
      return `startsWith(path, ${bind(path)})`;
    case 'contains':
      return `(position(path, ${bind(path)}) > 0)`;
    case 'glob':
      return `match(path, ${bind(globPattern(path))})`;
  }
}

/** Applies `sql` to the hits that a condition refers to: an array function with its arrays. */
const over = (condition: Condition, fn: string, sql: string): string =>
  condition.kind === 'event' ? `${fn}((name, props) -> ${sql}, event_name, event_props)` : `${fn}(path -> ${sql}, view_path)`;

/** Goals as SQL. Conversions are of all goals, or of `only` one; filters and rows know all goals either way. */
export function goalSql(goals: readonly GoalSpec[], only?: string): GoalSql {
  const { bind, params } = binder('goal');
  const each = goals.map(({ id, condition, worth }) => {
    const holds = conditionSql(condition, bind);
    const reached = over(condition, 'arrayExists', holds);
    const value =
      worth.kind === 'none'
        ? 'toFloat64(0)'
        : worth.kind === 'fixed'
          ? `if(${reached}, ${bind(worth.amount)}, 0)`
          : over(condition, 'arraySum', `if(${holds}, ifNull(${numberOf('props', bind(worth.property))}, 0), 0)`);
    return { id, reached: `toUInt8(${reached})`, worth: `toFloat64(${value})` };
  });
  const counted = each.filter(({ id }) => only === undefined || id === only);
  const flags = `[${each.map(({ reached }) => reached).join(', ')}]`;
  const some = each.length > 0;
  return {
    some,
    converted: counted.length > 0 ? `toUInt8(${counted.map(({ reached }) => reached).join(' OR ')})` : 'toUInt8(0)',
    worth: counted.length > 0 ? counted.map(({ worth }) => worth).join(' + ') : 'toFloat64(0)',
    keys: some ? `arrayFilter((id, flag) -> flag = 1, {goalIds:Array(String)}, ${flags})` : noKeys,
    worths: some ? `arrayFilter((value, flag) -> flag = 1, [${each.map(({ worth }) => worth).join(', ')}], ${flags})` : "CAST([], 'Array(Float64)')",
    reached: Object.fromEntries(each.map(({ id, reached }) => [id, reached])),
    params: { ...params, goalIds: goals.map(({ id }) => id) },
  };
}

/** The distinct names of the events of a visit, as an array. */
export const eventKeys = `arrayDistinct(arrayFilter(name -> ${countedEvent('name')}, arrayMap(name -> toString(name), event_name)))`;

export const noKeys = "CAST([], 'Array(String)')";

/**
 * Translates a filter by events or goals into a condition on the visit; `list`: SQL of the filter values. `event`: any name; built-in events match only by
 * their full name. `goal`: by id; a goal that does not exist (any more) matches no visit. An empty value matches visits without events or goals.
 */
export function happened(dimension: DimensionId, op: FilterOp, values: readonly string[], list: string, goals: GoalSql | undefined): string {
  const negated = op === 'not' || op === 'excludes';
  const part = op === 'contains' || op === 'excludes';
  const any = (): string => {
    if (dimension === 'event') {
      if (part) return `arrayExists(name -> ${countedEvent('name')} AND multiSearchAnyCaseInsensitiveUTF8(name, ${list}), event_name)`;
      const none = values.includes('') ? ` OR NOT arrayExists(name -> ${countedEvent('name')}, event_name)` : '';
      return `(arrayExists(name -> has(${list}, name), event_name)${none})`;
    }
    if (part) return failField('filter', 'pattern');
    const every = Object.values(goals?.reached ?? {});
    const conditions = values.flatMap((id) => (id === '' ? [every.length === 0 ? '1' : `NOT (${every.join(' OR ')})`] : (goals?.reached[id] ?? [])));
    return `(${conditions.join(' OR ') || '0'})`;
  };
  return negated ? `NOT ${any()}` : any();
}
