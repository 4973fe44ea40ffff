import type { RestoredRule, RestoreReport } from '../../../../contract/tables/maintenance';
import { applyRights, applySchema, freeKey, namesIn, readSchemaFile, renamedLayout } from '../schema';
import type { Design, FileField, FileTable } from '../schema';
import { historyTable, recordsTable } from '../core/ids';
import type { SiteModel, TableModel } from '../core/model';
import { run } from '../core/write/rows';
import { Failure } from '../../../http/failure';
import { FileStop } from './file';
import type { Opened } from './file';

export type Fitted = {
  readonly table: FileTable;
  /** Fields that cannot be created here: titles by key. */
  readonly gone: ReadonlyMap<string, string>;
  readonly keyTaken: boolean;
  /** Rules that cannot be restored as they were. Creating the table finds further ones (`makeFitted`). */
  readonly rights: readonly RestoredRule[];
};

/** Names of other fields that a field depends on. */
const spokenOf = ({ options }: FileField): string[] => {
  const { formula = '', label = '', url = '', relation, from } = options;
  const named = [formula, label, url].flatMap((text) => [...text.matchAll(/\{([^{}]+)\}/g)].map((found) => found[1] ?? ''));
  return [...named, ...[relation, from].filter((name) => name !== undefined)];
};

/** Makes the title unique among the site's tables. */
function freeTitle({ tables }: SiteModel, title: string): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? title : `${Array.from(title).slice(0, 94).join('')} ${n}`;
    if (!tables.some((table) => table.title === free)) return free;
  }
}

/**
 * The definition of a file adapted to this site: with a unique title, without fields that lead to missing tables or mirror relations of other tables,
 * and without fields that depend on those. Throws `FileStop` for an invalid definition.
 */
export function fittedTable(model: SiteModel, { header }: Pick<Opened, 'header'>, title: string | null): Fitted {
  let fileTable: FileTable | undefined;
  try {
    [fileTable] = readSchemaFile({ format: 'sitewright-tables', version: 1, tables: [header.table] });
  } catch (error) {
    if (error instanceof Failure) throw new FileStop('definition');
    throw error;
  }
  if (!fileTable) throw new FileStop('definition');
  const usedNames = namesIn(model.tables);
  const keyTaken = usedNames.has(fileTable.key);
  const key = keyTaken ? freeKey(fileTable.key, usedNames, 'table') : fileTable.key;
  const old = fileTable.key;
  const gone = new Set<string>();
  const isGone = (field: FileField): boolean => {
    const { to, of } = field.options;
    if (field.type === 'inverse') return of === undefined || !of.startsWith(`${old}.`) || gone.has(of.slice(old.length + 1));
    if (field.type === 'relation' || field.type === 'relations') return to === undefined || (to !== old && !model.byName.has(to));
    return spokenOf(field).some((name) => gone.has(name));
  };
  // Repeats for chains of dependent fields.
  for (let before = -1; before !== gone.size;) {
    before = gone.size;
    for (const field of fileTable.fields) if (isGone(field)) gone.add(field.key);
  }
  const restoredFields = fileTable.fields.filter((field) => !gone.has(field.key));
  const titles = new Map(fileTable.fields.flatMap(({ key: name, title: fieldTitle }) => (gone.has(name) ? [[name, fieldTitle] as const] : [])));
  const own = (field: FileField): FileField => {
    const { to, of } = field.options;
    return {
      ...field,
      options: {
        ...field.options,
        ...(to === old ? { to: key } : {}),
        ...(of?.startsWith(`${old}.`) ? { of: `${key}.${of.slice(old.length + 1)}` } : {}),
      },
    };
  };
  const pages = fileTable.pages && !model.tables.some((other) => other.pages?.pattern === fileTable.pages?.pattern) ? fileTable.pages : null;
  const nameOf = (name: string | null): string | null => (name === null || gone.has(name) ? null : name);
  const usable = pages && ![...pages.pattern.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => gone.has(name));
  return {
    table: {
      ...fileTable,
      key,
      title: freeTitle(model, title ?? fileTable.title),
      primaryField: nameOf(fileTable.primaryField),
      pages: usable ? { ...pages, titleField: nameOf(pages.titleField) } : null,
      ...(fileTable.layout ? { layout: renamedLayout(fileTable.layout, nameOf) } : {}),
      ...(fileTable.rights
        ? { rights: fileTable.rights.map((rule) => (rule.fields ? { ...rule, fields: rule.fields.filter((name) => !gone.has(name)) } : rule)) }
        : {}),
      fields: restoredFields.map(own),
    },
    gone: titles,
    keyTaken,
    rights: [
      ...header.closed.map((rule): RestoredRule => ({ ...rule, why: 'people' })),
      ...(fileTable.rights ?? []).flatMap(({ role, action, fields }): RestoredRule[] => {
        const names = fields?.flatMap((name) => titles.get(name) ?? []) ?? [];
        return names.length > 0 ? [{ role, action, why: 'fewer', names }] : [];
      }),
    ],
  };
}

/**
 * Restores access rules: with the defaults, too many people might see the records. A rule with fields that do not exist here is closed, so that nothing
 * is exposed until somebody opens it. Returns those rules, with the names of the fields.
 */
async function giveRights(
  design: Design,
  createdTable: TableModel,
  rights: NonNullable<FileTable['rights']>,
  gone: ReadonlyMap<string, string>,
): Promise<RestoredRule[]> {
  const give = (rules: typeof rights): Promise<void> => applyRights(design, createdTable, rules, (i) => `rights.${i}.`);
  try {
    await give(rights);
    return [];
  } catch (error) {
    if (!(error instanceof Failure) || !error.fields) throw error;
    const faulty = new Set(Object.keys(error.fields).map((name) => Number(name.split('.')[1])));
    await give(rights.map((rule, i) => (faulty.has(i) ? { ...rule, allowed: false, fields: null, filter: null } : rule)));
    return rights.flatMap(({ role, action, filter }, i): RestoredRule[] =>
      faulty.has(i) ? [{ role, action, why: 'fields', names: [...gone].flatMap(([key, title]) => (asksFor(filter, key) ? [title] : [])) }] : [],
    );
  }
}

/** Whether a filter uses a field, directly or as a link to another table. */
const asksFor = (part: unknown, key: string): boolean =>
  typeof part === 'object' &&
  part !== null &&
  Object.entries(part).some(([name, value]) =>
    typeof value === 'string' ? name === 'field' && (value === key || value.startsWith(`${key}.`)) : asksFor(value, key),
  );

/** Creates the table of a file without records. Returns its id and the rules that could not be restored as they were, each with its final state. */
export async function makeFitted(design: Design, { table, gone, rights }: Fitted): Promise<{ readonly id: string; readonly rights: RestoredRule[] }> {
  await applySchema(design, [table], [table.key]);
  const createdTable = await design.table(table.key);
  const closed = table.rights ? await giveRights(design, createdTable, table.rights, gone) : [];
  // The file contains the only record of a singleton.
  await run(design.tx, `DELETE FROM ${recordsTable(design.siteId, createdTable.id)}`, []);
  await run(design.tx, `DELETE FROM ${historyTable(design.siteId)} WHERE table_id = $1::text`, [createdTable.id]);
  const isClosed = (rule: RestoredRule): boolean => closed.some(({ role, action }) => role === rule.role && action === rule.action);
  return { id: createdTable.id, rights: [...rights.filter((rule) => !isClosed(rule)), ...closed] };
}

export const emptyReport = (opened: Pick<Opened, 'header'>, fitted: Fitted, siteId: string): RestoreReport => ({
  title: fitted.table.title,
  key: fitted.table.key,
  keyTaken: fitted.keyTaken,
  madeAt: opened.header.madeAt,
  own: opened.header.siteId === siteId,
  records: 0,
  binned: 0,
  published: 0,
  fields: fitted.table.fields.length,
  leftOut: [...fitted.gone.values()],
  rights: [...fitted.rights],
  links: { byId: 0, byName: 0, lost: 0, names: [] },
  strangers: 0,
  emptied: 0,
  places: [],
  files: { brought: 0, bytes: 0, named: 0 },
});
