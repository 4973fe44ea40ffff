import type { MaintenanceFinding } from '../../../../contract/tables/maintenance';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import { columnOf } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { defineJob, enqueue } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { adviceOn, usageOf } from '../schema';
import { columnName, linksTable, recordsTable } from '../core/ids';
import { siteModel } from '../core/model';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { compileFilter } from '../core/read/filter';
import { asking } from '../core/read/run';
import { newReadContext } from '../core/read/statement';
import { contentSites } from '../core/schema';
import { MaintenanceInput } from './input';
import * as queries from './queries';

/** Records checked per statement; maximum number of choices and ids in a filter. */
const piece = 5000;
const mostNamed = 500;
const first = '00000000-0000-0000-0000-000000000000';
const staleDays = 30;
/** Sites with changes since are checked again at night. */
const freshFor = 20 * 3_600_000;

/** A reader who sees everything: the figures are shown to people who design tables. */
const reader = { role: 'admin', userId: null } as const;

type Question = Pick<MaintenanceFinding, 'kind' | 'fieldId' | 'locale'> & { readonly filter: RecordFilter };
/** What is counted in the records of a table, each as the filter that shows exactly those records. */
export function questionsOf(table: TableModel): Question[] {
  const [, ...others] = table.locales;
  const about = (field: FieldModel, kind: Question['kind'], filter: RecordFilter, locale: string | null = null): Question => ({
    kind,
    fieldId: field.id,
    locale,
    filter,
  });
  const stale: Question[] = table.drafts
    ? [
        {
          kind: 'staleDrafts',
          fieldId: null,
          locale: null,
          filter: {
            and: [
              { field: '$state', op: 'in', value: ['draft', 'changed'] },
              { field: '$updatedAt', op: 'lt', value: `$now-${staleDays}d` },
            ],
          },
        },
      ]
    : [];
  return [
    ...stale,
    ...table.fields.flatMap((field): Question[] => {
      const filled: RecordFilter = { field: field.id, op: 'notEmpty' };
      return [
        ...(field.localized
          ? others.map((locale) => about(field, 'untranslated', { and: [filled, { field: field.id, op: 'empty', value: locale }] }, locale))
          : []),
        ...(field.required && field.problem === null ? [about(field, 'requiredEmpty', { field: field.id, op: 'empty' })] : []),
      ];
    }),
  ];
}

/** Whether a field could be removed without loss: it names no record and nothing uses its values. */
const mayBeUnused = (table: TableModel, field: FieldModel): boolean =>
  columnOf[field.type] !== 'none' && field.id !== table.primaryField && field.type !== 'autonumber';

type Counted = {
  records: number;
  readonly counts: number[];
  readonly filled: Map<string, number>;
  readonly unknown: Map<string, Named>;
  readonly lost: Map<string, Named>;
};
type Named = { count: number; readonly names: Set<string> };
const add = (all: Map<string, Named>, id: string, count: number, names: readonly string[]): void => {
  const known = all.get(id) ?? { count: 0, names: new Set<string>() };
  known.count += count;
  for (const name of names) if (known.names.size < mostNamed) known.names.add(name);
  all.set(id, known);
};

/** Scans the records of a table once, in batches, and counts. `tell` receives the number of checked records, and may throw to stop. */
async function countAll(
  ctx: Context,
  model: SiteModel,
  table: TableModel,
  questions: readonly Question[],
  tell: (done: number) => Promise<void>,
): Promise<Counted> {
  const ask = asking(ctx);
  const stored = table.fields.filter((field) => mayBeUnused(table, field));
  const chosen = table.fields.filter((field) => field.type === 'select' || field.type === 'multiSelect');
  const linked = table.fields.filter(
    (field) => (field.type === 'relation' || field.type === 'relations') && field.options.to !== undefined && model.byName.has(field.options.to),
  );
  const found: Counted = { records: 0, counts: questions.map(() => 0), filled: new Map(), unknown: new Map(), lost: new Map() };
  for (let after = first; ;) {
    const scope = await newReadContext(ctx, { model, table, reader, timeZone: 'UTC' });
    const { row, params } = scope;
    const some = `(SELECT * FROM ${recordsTable(model.siteId, table.id)} WHERE deleted_at IS NULL AND id > ${params.bind(after, 'uuid')} ORDER BY id LIMIT ${piece}) ${row}`;
    const counts = [...questions.map(({ filter }) => filter), ...stored.map((field): RecordFilter => ({ field: field.id, op: 'notEmpty' }))].map(
      (filter) => `count(*) FILTER (WHERE ${compileFilter(scope, filter)})`,
    );
    const [line = []] = await ask(
      `SELECT count(*), (array_agg(${row}.id ORDER BY ${row}.id DESC))[1]${counts.map((count) => `, ${count}`).join('')} FROM ${some}`,
      params.values,
    );
    const [count, last, ...rest] = line;
    found.records += Number(count);
    questions.forEach((_, at) => (found.counts[at] = (found.counts[at] ?? 0) + Number(rest[at])));
    stored.forEach(({ id }, at) => found.filled.set(id, (found.filled.get(id) ?? 0) + Number(rest[questions.length + at])));
    const of = `FROM (SELECT id${chosen.map(({ id }) => `, ${columnName(id)}`).join('')} FROM ${recordsTable(model.siteId, table.id)} WHERE deleted_at IS NULL AND id > $1::uuid ORDER BY id LIMIT ${piece}) t`;
    for (const field of chosen) {
      const column = `t.${columnName(field.id)}`;
      const known = (field.options.choices ?? []).map((choice) => choice.id);
      const list = field.type === 'select' ? `ARRAY[${column}]` : column;
      const text = `SELECT v, count(*) FROM (SELECT t.id, v ${of} CROSS JOIN LATERAL unnest(${list}) AS u(v)) x WHERE v <> '' AND NOT v = ANY($2::text[]) GROUP BY v`;
      const strange = await ask(text, [after, known]);
      if (strange.length === 0) continue;
      const [holders] = await ask(`SELECT count(*) ${of} WHERE ${column} IS NOT NULL AND NOT array_remove(${list}, '') <@ $2::text[]`, [after, known]);
      add(
        found.unknown,
        field.id,
        Number(holders?.[0] ?? 0),
        strange.flatMap(([v]) => v ?? []),
      );
    }
    for (const field of linked) {
      const target = model.byName.get(field.options.to ?? '');
      if (!target) continue;
      // Filters treat a link into the bin as empty, so these are found in the stored links.
      const links =
        field.type === 'relation'
          ? `(SELECT id AS a, ${columnName(field.id)} AS b FROM ${recordsTable(model.siteId, table.id)} WHERE ${columnName(field.id)} IS NOT NULL)`
          : linksTable(model.siteId, field.id);
      const text = `SELECT DISTINCT t.id ${of} JOIN ${links} l ON l.a = t.id
        WHERE NOT EXISTS (SELECT 1 FROM ${recordsTable(model.siteId, target.id)} o WHERE o.id = l.b AND o.deleted_at IS NULL)`;
      const broken = await ask(text, [after]);
      if (broken.length > 0)
        add(
          found.lost,
          field.id,
          broken.length,
          broken.flatMap(([id]) => id ?? []),
        );
    }
    await tell(found.records);
    if (Number(count) < piece || !last) return found;
    after = last;
  }
}

/** Findings about a table, those with most records first. */
export async function healthOf(
  ctx: Context,
  model: SiteModel,
  table: TableModel,
  tell: (done: number) => Promise<void>,
): Promise<{ records: number; findings: MaintenanceFinding[] }> {
  const questions = questionsOf(table);
  const found = await countAll(ctx, model, table, questions, tell);
  const named = (
    all: ReadonlyMap<string, Named>,
    kind: MaintenanceFinding['kind'],
    filter: (id: string, names: string[]) => RecordFilter,
  ): MaintenanceFinding[] => [...all].map(([id, { count, names }]) => ({ kind, fieldId: id, locale: null, count, filter: filter(id, [...names]) }));
  const unused: MaintenanceFinding[] = [];
  if (found.records > 0)
    for (const field of table.fields.filter((one) => mayBeUnused(table, one) && found.filled.get(one.id) === 0))
      if ((await usageOf(ctx.postgres.db, model, table, field, reader, 'en')).length === 0)
        unused.push({ kind: 'unusedField', fieldId: field.id, locale: null, count: 0, filter: null });
  const { suggested: adviceItems } = await adviceOn(ctx, model.siteId, table);
  const all: MaintenanceFinding[] = [
    ...questions.map((question, at) => ({ ...question, count: found.counts[at] ?? 0 })).filter(({ count }) => count > 0),
    ...named(found.unknown, 'unknownChoice', (id, names) => ({
      field: id,
      op: table.fields.find((field) => field.id === id)?.type === 'select' ? 'in' : 'hasAny',
      value: names,
    })),
    ...named(found.lost, 'brokenLink', (_, names) => ({ field: '$id', op: 'in', value: names })),
  ];
  return {
    records: found.records,
    findings: [
      ...all.sort((a, b) => b.count - a.count),
      ...unused,
      ...adviceItems.map(({ fieldId, count }): MaintenanceFinding => ({ kind: 'slowField', fieldId, locale: null, count, filter: null })),
    ],
  };
}

/** Checks one table or all tables of a site, and stores the findings with the time. Only reads, so an interrupted run starts over. */
export const checkJob = defineJob('tables.check', async (job: RunningJob, ctx) => {
  const { tableId } = MaintenanceInput.parse(job.input);
  const { siteId } = job;
  if (siteId === null) return;
  const { db } = ctx.postgres;
  const stored = await queries.storedOf(db, siteId);
  const checkedTables = (await siteModel(ctx, siteId)).tables.filter((table) => tableId === null || table.id === tableId);
  const about = ({ id }: TableModel): number => Math.max(stored.get(id)?.live ?? 0, stored.get(id)?.rows ?? 0);
  const total = checkedTables.reduce((sum, table) => sum + about(table), 0);
  let before = 0;
  for (const { id } of checkedTables) {
    const model = await siteModel(ctx, siteId);
    const table = model.tables.find((one) => one.id === id);
    if (!table) continue;
    const result = await healthOf(ctx, model, table, (done) => job.progress(before + done, Math.max(total, before + done)));
    before += result.records;
    await queries.storeMaintenance(db, { siteId, tableId: id, kind: 'check', at: new Date(ctx.now()), result });
  }
});

/** Nightly: checks sites whose tables have changed since their last check. Runs on a schedule. */
export async function checkNightly(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  for (const { siteId } of await db.select({ siteId: contentSites.siteId }).from(contentSites)) {
    const model = await siteModel(ctx, siteId);
    const maintenance = await queries.maintenanceOf(db, siteId);
    const written = await queries.countedOf(
      db,
      siteId,
      model.tables.map(({ id }) => ({ id, small: false })),
    );
    const isDue = ({ id }: TableModel): boolean => {
      const checked = maintenance.find((one) => one.tableId === id && one.kind === 'check')?.at.getTime() ?? 0;
      const last = written.get(id)?.last ?? null;
      return last !== null && Date.parse(last) > checked && ctx.now() - checked > freshFor;
    };
    if (model.tables.some(isDue))
      await enqueue(ctx, 'tables.check', {
        siteId,
        label: model.tables.length === 1 ? (model.tables[0]?.title ?? '') : `${model.tables.length}`,
        input: { tableId: null },
        once: true,
      });
  }
}
