import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { FormulaType } from '../../../../../contract/tables/formulaTypes';
import type { ValueKind } from '../../../../../contract/tables/terms';

/**
 * Building blocks for the SQL of formulas. Two rules apply to all of them: they never raise an error, whatever the values, and each writes its arguments
 * only once, because nested formulas would otherwise double with every level.
 */

/** PostgreSQL type of a computed field's value. */
const sqlTypeOf: Record<ValueKind, string> = {
  text: 'text',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  time: 'time',
  list: 'text[]',
  record: 'uuid',
  records: 'uuid[]',
  object: 'jsonb',
};
export const nothing = (kind: ValueKind): SQL => sql.raw(`NULL::${sqlTypeOf[kind]}`);
export const textParam = (text: string): SQL => sql`${text}::text`;
/** A number literal from the program or from digits that the parser has validated. */
export const numberLiteral = (digits: string): SQL => {
  if (!/^-?\d+(\.\d+)?$/.test(digits)) throw new Error('not a number');
  return sql.raw(`${digits}::numeric`);
};

/** Number fields have up to 60 digits before the point, and so do calculated numbers; larger ones become null. */
const bound = sql.raw(`1${'0'.repeat(60)}`);
/** GREATEST and LEAST ignore null, so null becomes the bound, and the bound becomes null again. */
const bounded = (x: SQL): SQL => sql`nullif(nullif(least(greatest(${x}, -${bound}), ${bound}), ${bound}), -${bound})`;
/** Decimals inside a formula, and of its result (as many as a number field may have). */
const [innerDigits, outerDigits] = [20, 10];
/** Rounds to exactly twenty decimals. */
export const number = (x: SQL): SQL => bounded(sql`round(${x}, ${sql.raw(String(innerDigits))})`);
/** Rounds to the decimals of a formula's result. */
export const finalNumber = (x: SQL, digits: number = outerDigits): SQL => sql`trim_scale(round(${bounded(x)}, ${sql.raw(String(digits))}))`;
/** Zero with twenty decimals: PostgreSQL derives the precision of a division from the scale of its operands. */
const fine = sql.raw(`0.${'0'.repeat(innerDigits)}`);
export const quotient = (a: SQL, b: SQL): SQL => number(sql`(${a} + ${fine}) / nullif(${b}, 0)`);

/**
 * Binds values to names (`v.a`, `v.b`…) so that `body` can use them more than once. OFFSET prevents the planner from inlining them and from evaluating
 * early.
 */
export function once(values: Readonly<Record<string, SQL>>, body: SQL): SQL {
  const columns = Object.entries(values).map(([name, value]) => sql`${value} AS ${sql.raw(name)}`);
  return sql`(SELECT ${body} FROM (SELECT ${sql.join(columns, sql`, `)} OFFSET 0) v)`;
}

/** A count argument of a text function, clamped to the valid range. */
export const count = (x: SQL, least: number, most: number): SQL => sql`least(greatest(trunc(${x}), ${sql.raw(String(least))}), ${sql.raw(String(most))})::int`;

/** Maximum length of a text that a formula builds, in characters. */
const longest = 100_000;
export const cut = (text: SQL): SQL => sql`left(${text}, ${sql.raw(String(longest))})`;
export const joined = (texts: readonly SQL[]): SQL =>
  cut(
    sql`(${sql.join(
      texts.map((text) => sql`coalesce(${cut(text)}, '')`),
      sql` || `,
    )})`,
  );
export const substituted = (text: SQL, old: SQL, by: SQL): SQL =>
  once(
    { a: sql`coalesce(${text}, '')`, b: sql`coalesce(${old}, '')`, c: sql`coalesce(${by}, '')` },
    sql`CASE WHEN v.b = '' THEN v.a WHEN length(v.a)::bigint + (length(v.a) - length(replace(v.a, v.b, ''))) / length(v.b)::bigint * length(v.c) <= ${sql.raw(String(longest))} THEN replace(v.a, v.b, v.c) END`,
  );
export const found = (part: SQL, text: SQL, start: SQL | null): SQL =>
  start === null
    ? sql`coalesce(strpos(${text}, nullif(${part}, '')), 0)::numeric`
    : once(
        { a: sql`nullif(${part}, '')`, b: text, c: count(start, 1, 10_000_000) },
        sql`CASE WHEN strpos(substr(v.b, v.c), v.a) > 0 THEN (strpos(substr(v.b, v.c), v.a) + v.c - 1)::numeric ELSE 0::numeric END`,
      );
/** Trims every kind of whitespace found in texts. */
export const trimmed = (text: SQL): SQL => sql`btrim(${text}, ${' \t\n\r\u00a0\u3000\ufeff'}::text)`;
export const readNumber = (text: SQL): SQL =>
  once(
    { a: sql`replace(${trimmed(text)}, ',', '')` },
    sql`CASE WHEN v.a ~ '^[+-]?([0-9]{1,60}([.][0-9]{0,40})?|[.][0-9]{1,40})$' THEN round(v.a::numeric, 20) END`,
  );

/** Has the sign of the divisor, as in spreadsheets. */
export const remainder = (a: SQL, b: SQL): SQL => number(once({ a, b }, sql`CASE WHEN v.b <> 0 THEN mod(mod(v.a, v.b) + v.b, v.b) END`));
export const toMultiple = (how: 'floor' | 'ceil', a: SQL, step: SQL | null): SQL =>
  step === null ? sql`${sql.raw(how)}(${a})` : number(once({ a, b: step }, sql`${sql.raw(how)}((v.a + ${fine}) / nullif(v.b, 0)) * v.b`));
/** Estimates the size of the result before calculating it. */
export const power = (a: SQL, b: SQL): SQL =>
  number(
    once(
      { a, b },
      sql`CASE WHEN v.a IS NULL OR v.b IS NULL THEN NULL WHEN v.b = 0 THEN 1 WHEN v.a = 0 AND v.b < 0 THEN NULL WHEN v.a = 0 THEN 0 WHEN v.a < 0 AND v.b <> trunc(v.b) THEN NULL
      WHEN v.b::float8 * ln(abs(v.a))::float8 > 140 OR abs(v.b) > 100000 THEN NULL WHEN v.b::float8 * ln(abs(v.a))::float8 < -60 THEN 0 ELSE power(v.a + ${fine}, v.b) END`,
    ),
  );
const values = (all: readonly SQL[]): SQL =>
  sql`(VALUES ${sql.join(
    all.map((one) => sql`(${one})`),
    sql`, `,
  )}) v(a)`;
export const sum = (all: readonly SQL[]): SQL => number(sql`(SELECT sum(v.a) FROM ${values(all)})`);
export const mean = (all: readonly SQL[]): SQL => number(sql`(SELECT (sum(v.a) + ${fine}) / nullif(count(v.a), 0) FROM ${values(all)})`);

/** Dates and instants in the years 1 to 9999; others become null. */
const datesBetween = (x: SQL, type: string): SQL => {
  const low = sql.raw(`${type} '0001-12-31${type === 'date' ? '' : ' 00:00:00+00'} BC'`);
  const high = sql.raw(`${type} '10000-01-01${type === 'date' ? '' : ' 00:00:00+00'}'`);
  return sql`nullif(nullif(least(greatest(${x}, ${low}), ${high}), ${high}), ${low})`;
};
export const inZone = (x: SQL, zone: string): SQL => sql`(${x} AT TIME ZONE ${textParam(zone)})`;
export const dayOf = (x: SQL, zone: string): SQL => sql`${inZone(x, zone)}::date`;
export const beginOf = (x: SQL, zone: string): SQL => sql`(${x}::timestamp AT TIME ZONE ${textParam(zone)})`;

/** Interval of one unit, and how many units make a year. */
const units = {
  second: ['1 second', 31_556_952],
  minute: ['1 minute', 525_949.2],
  hour: ['1 hour', 8765.82],
  day: ['1 day', 365.2425],
  week: ['7 days', 52.1775],
  month: ['1 month', 12],
  quarter: ['3 months', 4],
  year: ['1 year', 1],
} as const;
type Unit = keyof typeof units;
/** `type`: type of `x`; clock units need an instant. Days and longer units keep the time of day in the zone. Whole units only. */
export function moved(x: SQL, by: SQL, unit: Unit, type: 'date' | 'datetime', zone: string): SQL {
  const [interval, perYear] = units[unit];
  const step = sql.raw(`trunc(v.b)::float8 * interval '${interval}'`);
  const clock = unit === 'second' || unit === 'minute' || unit === 'hour';
  const after =
    type === 'date' ? sql`(v.a + ${step})::date` : clock ? sql`v.a + ${step}` : sql`((${inZone(sql`v.a`, zone)} + ${step}) AT TIME ZONE ${textParam(zone)})`;
  const near = sql.raw(`extract(year FROM v.a) + v.b / ${perYear} BETWEEN -1 AND 10001`);
  return datesBetween(once({ a: x, b: by }, sql`CASE WHEN ${near} THEN ${after} END`), type === 'date' ? 'date' : 'timestamptz');
}
/** From `b` to `a` in whole units. `type`: type of both; days and longer units follow the zone's calendar and clock. */
export function between(a: SQL, b: SQL, unit: Unit, type: 'date' | 'datetime', zone: string): SQL {
  const clock = unit === 'second' || unit === 'minute' || unit === 'hour';
  if (clock) {
    const seconds = unit === 'second' ? 1 : unit === 'minute' ? 60 : 3600;
    const [from, to] = type === 'date' ? [beginOf(b, zone), beginOf(a, zone)] : [b, a];
    return sql`trunc(extract(epoch FROM ${to} - ${from}) / ${sql.raw(String(seconds))})`;
  }
  const wall = (x: SQL): SQL => (type === 'date' ? sql`${x}::timestamp` : inZone(x, zone));
  if (unit === 'day' || unit === 'week') return sql`trunc(extract(epoch FROM ${wall(a)} - ${wall(b)}) / ${sql.raw(unit === 'day' ? '86400' : '604800')})`;
  const months = sql.raw(
    `((extract(year FROM v.a) - extract(year FROM v.b)) * 12 + extract(month FROM v.a) - extract(month FROM v.b) +
     CASE WHEN v.a >= v.b AND v.a - date_trunc('month', v.a) < v.b - date_trunc('month', v.b) THEN -1
          WHEN v.a < v.b AND v.a - date_trunc('month', v.a) > v.b - date_trunc('month', v.b) THEN 1 ELSE 0 END)`,
  );
  return once({ a: wall(a), b: wall(b) }, sql`trunc(${months} / ${sql.raw(unit === 'month' ? '1' : unit === 'quarter' ? '3' : '12')})`);
}
export const dateFromParts = (year: SQL, month: SQL, day: SQL): SQL =>
  once(
    { a: sql`trunc(${year})`, b: sql`trunc(${month})`, c: sql`trunc(${day})` },
    sql`CASE WHEN v.a BETWEEN 1 AND 9999 AND v.b BETWEEN 1 AND 12 AND v.c BETWEEN 1 AND 31
      THEN CASE WHEN extract(month FROM make_date(v.a::int, v.b::int, 1) + (v.c::int - 1)) = v.b THEN make_date(v.a::int, v.b::int, 1) + (v.c::int - 1) END END`,
  );

/** Readable text. Empty texts stay empty. */
export function written(x: SQL, type: Exclude<FormulaType, 'object' | 'blank'>, zone: string): SQL {
  switch (type) {
    case 'text':
      return x;
    case 'number':
      return sql`trim_scale(round(${x}, ${sql.raw(String(outerDigits))}))::text`;
    case 'boolean':
      return sql`(${x})::text`;
    case 'date':
      return sql`to_char((${x})::timestamp, 'YYYY-MM-DD')`;
    case 'datetime':
      return sql`to_char(${inZone(x, zone)}, 'YYYY-MM-DD HH24:MI')`;
  }
}
/** Percent-encoded for addresses (RFC 3986: all but unreserved characters). */
export const encoded = (text: SQL): SQL => sql`(SELECT string_agg(CASE WHEN c ~ '^[A-Za-z0-9_.~-]$' THEN c ELSE
  regexp_replace(upper(encode(convert_to(c, 'UTF8'), 'hex')), '(..)', '%\\1', 'g') END, '' ORDER BY i)
  FROM regexp_split_to_table(left(${text}, 2000), '') WITH ORDINALITY AS k(c, i))`;
