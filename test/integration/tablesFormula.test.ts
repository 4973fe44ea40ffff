import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { formulaFunctions } from '../../contract/tables/formulaFunctions';
import { compileComputed } from '../../server/areas/tables/core/formula/sql';
import type { ComputeEnv } from '../../server/areas/tables/core/formula/env';
import { tryComputed } from '../../server/areas/tables/core/formula/shapes';
import { siteModel, tableOf } from '../../server/areas/tables/core/model';
import type { FieldModel } from '../../server/areas/tables/core/model';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { formulas, oracleRow } from '../support/formulaOracle';
import { plain } from '../support/formulaValues';
import type { OracleRow } from '../support/formulaValues';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';
import { putRecords } from './tablesReadSupport';

let program: TestApp;
let testTable: Tabled;
const zone = 'Etc/GMT-8';
const now = Date.parse('2026-11-20T20:34:56Z');
beforeAll(async () => {
  program = await makeTestApp();
  testTable = await makeTabled(program, [
    { key: 't', type: 'text' },
    { key: 'u', type: 'longText' },
    { key: 'a', type: 'number' },
    { key: 'b', type: 'number' },
    { key: 'i', type: 'integer' },
    { key: 's', type: 'switch' },
    { key: 'd', type: 'date' },
    { key: 'e', type: 'date' },
    { key: 'm', type: 'datetime' },
    { key: 'h', type: 'time' },
    { key: 'g', type: 'tags' },
    { key: 'o', type: 'json' },
    { key: 'secret', type: 'password' },
    {
      key: 'kind',
      type: 'select',
      options: {
        choices: [
          { id: 'red', title: '红茶' },
          { id: 'green', title: "Green 'tea' \\" },
        ],
      },
    },
  ]);
});
afterAll(() => program.close());

/** Results of formulas for every record in order, as PostgreSQL writes them (moments in ms). A refused formula gives its problem. */
async function results(sources: readonly string[], decimals?: number): Promise<(string | null)[][]> {
  const model = await siteModel(program.ctx, testTable.site.id);
  const table = tableOf(model, testTable.table.id);
  const some = table.fields[0];
  if (!some) throw new Error('no field');
  const columns = sources.map((source, i) => {
    const formula = source.replaceAll(/\{(\w+)\}/g, (_, key: string) => `{${testTable.f[key] ?? key}}`);
    const formulaField: FieldModel = {
      ...some,
      id: `f_${String(i).padStart(12, 'a').replaceAll(/\d/g, 'b')}`,
      key: 'x',
      type: 'formula',
      options: { formula, ...(decimals === undefined ? {} : { decimals }) },
    };
    const tried = tryComputed(model, table, formulaField);
    if (tried.error) return sql`${tried.error.at?.code ?? tried.error.problem}::text`;
    const env: ComputeEnv = { model: tried.model, reader: { role: 'admin', userId: null }, now, zone, locale: null, published: false, where: () => sql`TRUE` };
    const value = compileComputed(env, tried.table, tried.field, 'r');
    return tried.field.yields === 'datetime' ? sql`(extract(epoch FROM ${value}) * 1000)::bigint::text` : sql`(${value})::text`;
  });
  const { rows } = await program.ctx.postgres.db.execute<{ v: (string | null)[] }>(
    sql`SELECT ARRAY[${sql.join(columns, sql`, `)}]::text[] AS v FROM ${sql.raw(`s_${testTable.site.id}.${testTable.table.id} r`)} ORDER BY r.n`,
  );
  return rows.map((row) => row.v);
}
const clear = (): Promise<unknown> => program.ctx.postgres.pool.query(`DELETE FROM s_${testTable.site.id}.${testTable.table.id}`);
async function resultsFor(values: Readonly<Record<string, unknown>>, sources: readonly string[], decimals?: number): Promise<(string | null)[]> {
  await clear();
  await putRecords(program, testTable.site.id, testTable, [{ values }]);
  return (await results(sources, decimals))[0] ?? [];
}

/** Every formula with the result expected for a row, as text. */
const tried = fc.oneof(
  { withCrossShrink: true },
  formulas.num.map((one) => ({
    source: one.source,
    expected: (row: OracleRow) => {
      const v = one.value(row, now);
      return v === null ? null : plain(v);
    },
  })),
  formulas.text.map((one) => ({ source: one.source, expected: (row: OracleRow) => one.value(row, now) || null })),
  formulas.bool.map((one) => ({ source: one.source, expected: (row: OracleRow) => String(one.value(row, now)) })),
  formulas.day.map((one) => ({
    source: one.source,
    expected: (row: OracleRow) => {
      const v = one.value(row, now);
      return v === null ? null : new Date(v * 86_400_000).toISOString().slice(0, 10);
    },
  })),
  formulas.moment.map((one) => ({
    source: one.source,
    expected: (row: OracleRow) => {
      const v = one.value(row, now);
      return v === null ? null : String(v);
    },
  })),
);

test('formulas give the same results as JavaScript and never fail', async () => {
  const rows = fc.sample(oracleRow, { numRuns: 40, seed: 5 });
  await clear();
  await putRecords(
    program,
    testTable.site.id,
    testTable,
    rows.map((row) => ({ values: row })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(tried, { minLength: 1, maxLength: 30 }), async (all) => {
      const found = await results(all.map((one) => one.source));
      const differing = all.flatMap(({ source, expected }, i) =>
        rows.flatMap((row, at) => {
          const value = found[at]?.[i] ?? null;
          return value === expected(row) || value?.startsWith('too_') === true ? [] : [{ source, row, value, expected: expected(row) }];
        }),
      );
      expect(differing.slice(0, 1)).toEqual([]);
    }),
    { numRuns: 60 },
  );
  // Functions outside these formulas are tested below.
  const used = new Set(fc.sample(tried, { numRuns: 3000, seed: 5 }).flatMap(({ source }) => source.match(/[A-Z]+(?=\()/g) ?? []));
  expect(formulaFunctions.map((one) => one.name).filter((name) => !used.has(name))).toEqual(['BLANK']);
});

test('invalid arithmetic yields an empty value', async () => {
  const broken = [
    '1/0',
    'MOD(1, 0)',
    '1 % 0',
    'POWER(0, -1)',
    'POWER(-8, 0.5)',
    'POWER(10, 1000000)',
    'POWER({a}, 99999)',
    '{a} * {a}',
    'VALUE("12x")',
    'VALUE("")',
    `VALUE("${'9'.repeat(200)}")`,
    'FLOOR(1, 0)',
    'DATE(2026, 2, 30)',
    'DATE(0, 1, 1)',
    'DATEADD({d}, 99999999999, "years")',
    'DATEADD({m}, -99999999999, "seconds")',
    '{d} + 1000000000',
    'YEAR(BLANK())',
    '{b} + 1',
    '-{b}',
    'ROUND({b}, 2)',
    'SUM({b}, BLANK())',
    'AVERAGE({b})',
    'BLANK()',
    'IF({s}, 1)',
    'SWITCH("x", "y", 1)',
    '""',
    'COALESCE({t}, "")',
    'DATEADD({e}, 1, "d")',
  ];
  const found = await resultsFor({ a: `9${'0'.repeat(50)}`, d: '9999-12-31', m: '2026-01-01T00:00:00Z' }, broken);
  expect(Object.fromEntries(broken.map((source, i) => [source, found[i]]))).toEqual(Object.fromEntries(broken.map((source) => [source, null])));
});

test('numbers are exact to ten digits and shown with the field’s decimals', async () => {
  const sources = [
    '0.1 + 0.2',
    '1 / 3',
    '2 / 3 * 3',
    '{a} * 3',
    '10 - 9.99',
    'ROUND(2.5)',
    'ROUND(-2.5)',
    'ROUND(1234.5, -2)',
    'POWER(2, 100)',
    'POWER(2, 0.5)',
    '1e',
  ];
  expect(await resultsFor({ a: '0.1234567890' }, sources)).toEqual([
    '0.3',
    '0.3333333333',
    '2',
    '0.370370367',
    '0.01',
    '3',
    '-3',
    '1200',
    '1267650600228229401496703205376',
    '1.4142135624',
    'bad_number',
  ]);
  expect(await resultsFor({}, ['1/3', '2', '2.345'], 2)).toEqual(['0.33', '2', '2.35']);
});

test('date functions respect time zones, month ends and clock changes', async () => {
  const sources = [
    'TODAY()',
    'NOW()',
    'DATESTR({m})',
    'HOUR({m})',
    'DATEADD("2024-01-31", 1, "month")',
    'DATEADD("2024-02-29", -1, "年")',
    'DATEADD({d}, 6, "hours")',
    'DATEDIFF("2026-03-01", "2026-01-31", "months")',
    'DATEDIFF("2026-01-31", "2026-03-01", "months")',
    'DATEDIFF("2026-01-01", "2025-12-18", "weeks")',
    'DATEDIFF({m}, "2026-01-02", "minutes")',
    '{m} = "2026-01-02"',
    '{m} > "2026-01-01"',
    'WEEKDAY("2026-11-22")',
    'TEXT({m}, "YY/MM/DD HH:mm:ss")',
    'DATEADD({d}, 1, "quarter")',
    'DATEDIFF("2028-02-28", "2024-02-29", "years")',
  ];
  expect(await resultsFor({ m: '2026-01-01T17:05:00Z', d: '2026-01-31' }, sources)).toEqual([
    '2026-11-21',
    String(now),
    '2026-01-02',
    '1',
    '2024-02-29',
    '2023-02-28',
    String(Date.parse('2026-01-30T22:00:00Z')),
    '1',
    '-1',
    '2',
    '65',
    'true',
    'true',
    '7',
    '26/01/02 01:05:00',
    '2026-04-30',
    '3',
  ]);
});

test('formulas read choices by title and lists with commas, never passwords', async () => {
  const sources = [
    '{kind} & "!"',
    '{kind} = "红茶"',
    '{g}',
    'LEN({g})',
    '{h}',
    'ISBLANK({o})',
    'IF({o}, 1, 2)',
    '{secret} & ""',
    'LEN({secret})',
    '{o} & ""',
    'SWITCH({kind}, "红茶", "a", "b")',
    'FIND("a", {t}, 2)',
    'FIND("", {t})',
    'VALUE(" 1,234.50 ")',
    'VALUE({s})',
    'TEXT(0.125, "0.0%")',
    'TEXT(1234567.891, "#,##0")',
    'SUBSTITUTE({t}, "a", "")',
    '{a} = BLANK()',
    '"a" < {u}',
  ];
  expect(await resultsFor({ kind: 'red', g: ['x', 'y z'], h: '09:05:00', o: { a: 1 }, secret: 'hash', t: 'banana', s: true }, sources)).toEqual(
    [
      '红茶!',
      'true',
      'x, y z',
      '6',
      '09:05',
      'false',
      '1',
      'wrong_type',
      'wrong_type',
      'wrong_type',
      'a',
      '2',
      '0',
      '1234.5',
      '1',
      '12.5%',
      '1,234,568',
      'bnn',
      'true',
      'false',
    ].map((one) => (one === 'wrong_type' ? expect.stringMatching(/wrong_type|broken_field/) : one)),
  );
  expect(await resultsFor({ kind: 'green' }, ['{kind}', 'ISBLANK({o})'])).toEqual(["Green 'tea' \\", 'true']);
});

test('the length of text results is limited', async () => {
  const long = 'x'.repeat(60_000);
  expect(await resultsFor({ u: long }, ['LEN({u} & {u})', 'LEN(SUBSTITUTE({u}, "x", {u}))', 'LEN(SUBSTITUTE({u}, "x", ""))', 'LEN({u})'])).toEqual([
    '100000',
    '0',
    '0',
    '60000',
  ]);
});

test('the largest accepted formulas can be computed', async () => {
  const chain = (op: string): string => `1${`${op}{i}`.repeat(499)}`;
  const nested = (name: string, more = ''): string => `${`${name}(`.repeat(49)}{a}${`${more})`.repeat(49)}`;
  const found = await resultsFor({ i: 1, a: '2', t: 'a', u: 'b' }, [
    chain('+'),
    chain('*'),
    chain('&'),
    nested('ABS'),
    nested('IF', ', 1, 2'),
    nested('ROUND', ', 3'),
    nested('SUBSTITUTE', ', "x", "y"'),
    nested('POWER', ', 1'),
    nested('MOD', ', 7'),
    '{t}&{u}'.concat('&{t}'.repeat(400)),
  ]);
  expect(found.slice(0, 9)).toEqual(['500', '1', '1'.repeat(500), '2', '1', '2', '2', '2', '2']);
  expect(found[9]).toHaveLength(402);
});

test('cyclic, missing and too costly references are reported as problems', async () => {
  const model = await siteModel(program.ctx, testTable.site.id);
  const table = tableOf(model, testTable.table.id);
  const [some] = table.fields;
  if (!some) throw new Error('no field');
  const field = (n: number, formula: string): FieldModel => ({
    ...some,
    id: `f_${'abcdefghijklmnopqrstuvwxyz234567'[n]}${'a'.repeat(11)}`,
    type: 'formula',
    options: { formula },
  });
  const add = (all: readonly FieldModel[]) =>
    all.reduce((so, one) => tryComputed(so.model, so.table, one), { model, table } as Pick<ReturnType<typeof tryComputed>, 'model' | 'table'>);
  expect(tryComputed(model, table, field(0, `{${field(0, '').id}} + 1`)).error?.problem).toBe('cycle');
  const chain = Array.from({ length: 14 }, (_, i) => field(i, i === 0 ? `{${testTable.f['a']}}` : `{${field(i - 1, '').id}} + 1`));
  const within = add(chain.slice(0, 11));
  expect(tryComputed(within.model, within.table, chain[11] as FieldModel).error).toBeNull();
  const beyond = add(chain.slice(0, 13));
  expect(tryComputed(beyond.model, beyond.table, chain[13] as FieldModel).error?.problem).toBe('too_deep');
  // The first field now depends on the last.
  expect(tryComputed(within.model, within.table, field(0, `{${field(10, '').id}}`)).error?.problem).toBe('cycle');
  const twice = Array.from({ length: 12 }, (_, i) => field(i, i === 0 ? `{${testTable.f['a']}}` : `${`{${field(i - 1, '').id}} + `.repeat(4)}0`));
  const heavy = add(twice.slice(0, 8));
  expect(tryComputed(heavy.model, heavy.table, twice[8] as FieldModel).error?.problem).toBe('too_costly');
  expect(tryComputed(model, table, field(0, '{f_zzzzzzzzzzzz}')).error).toMatchObject({ problem: 'missing_field', at: { code: 'unknown_field', at: 0 } });
});
