import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { SiteRole } from '../../../contract/permissions';
import { TableInput } from '../../../contract/tables/schemas';
import { NewPublicLink } from '../../../contract/tables/publicLinks';
import { ViewInput } from '../../../contract/tables/views';
import type { Context } from '../../context';
import type { Locale } from '../../http/access';
import type { Actor } from '../audit';
import { recordsTable } from './core/ids';
import { siteModel, tableOf } from './core/model';
import { contentViews } from './core/schema';
import { inWrite } from './core/write/call';
import { addRecords, changeRecords } from './core/write/commands';
import { writeBatch } from './core/write/engine';
import type { Change } from './core/write/types';
import { createView } from './records';
import { addTable, applyRights, designerBy, designing, putFirst, tendRecords } from './schema';
import { createPublicLink } from './publicLinks';

const readByAll = { role: 'public', action: 'read', allowed: true, fields: null, filter: null } as const;

type Values = Readonly<Record<string, unknown>>;
/** A table with its records, views and public links. Fields are named by key. */
export type TableContent = {
  readonly table: z.input<typeof TableInput> & { readonly key: string };
  /** Whether the table comes before those that exist. */
  readonly first?: boolean;
  /** Whether everybody may read its published records. */
  readonly open?: boolean;
  /** `translations`: values of localized fields in the table's second language. `publish`: for tables with drafts. */
  readonly records: readonly { readonly values: Values; readonly translations?: Values; readonly publish?: boolean }[];
  readonly views: readonly { readonly view: z.input<typeof ViewInput>; readonly link?: z.input<typeof NewPublicLink> }[];
};
export type Installer = {
  readonly site: { readonly id: string; readonly timeZone: string; readonly defaultLang: string };
  readonly userId: string;
  readonly role: SiteRole;
  readonly locale: Locale;
  readonly actor: Actor;
};

/** A table that was created: its id, those of its fields by key, and those of its records in their order. */
export type InstalledTable = { readonly table: string; readonly fields: Readonly<Record<string, string>>; readonly records: readonly string[] };

/** Ids of the records of a table, in the order of their creation. */
async function storedRecords(ctx: Context, siteId: string, tableId: string): Promise<string[]> {
  const { rows } = await ctx.postgres.db.execute<{ id: string }>(
    sql`SELECT id FROM ${sql.raw(recordsTable(siteId, tableId))} WHERE deleted_at IS NULL ORDER BY n`,
  );
  return rows.map(({ id }) => id);
}

async function titlesOfViews(ctx: Context, tableId: string): Promise<ReadonlySet<string>> {
  const rows = await ctx.postgres.db.select({ title: contentViews.title }).from(contentViews).where(eq(contentViews.tableId, tableId));
  return new Set(rows.map(({ title }) => title));
}

/**
 * Creates a table with its content, as one person would. `resumes`: an earlier call with the same content was interrupted, so that what exists of the table stays and
 * only the rest is added. Throws as the single steps do.
 */
export async function installTable(
  ctx: Context,
  by: Installer,
  { table: input, first, open, records, views }: TableContent,
  { resumes = false }: { readonly resumes?: boolean } = {},
): Promise<InstalledTable> {
  const { site, userId, role, locale, actor } = by;
  const designer = designerBy(site.id, { lang: site.defaultLang, actor, userId, locale }, role);
  const present = resumes ? (await siteModel(ctx, site.id)).tables.find(({ key }) => key === input.key) : undefined;
  const create = (): Promise<string> =>
    designing(ctx, designer, async (design) => {
      const id = await addTable(design, TableInput.parse(input));
      if (first === true) await putFirst(design, id);
      if (open === true) await applyRights(design, tableOf(await design.model(), id), [readByAll], () => '');
      return id;
    });
  const tableId = present?.id ?? (await create());
  await tendRecords(ctx, site.id, userId);
  const model = await siteModel(ctx, site.id);
  const table = tableOf(model, tableId);
  const reader = { role, userId };
  const context = { model, table, reader, timeZone: site.timeZone };

  // Added as one batch: either all of them exist or none.
  const stored = present ? await storedRecords(ctx, site.id, tableId) : [];
  const add = async (): Promise<string[]> => {
    const added = await addRecords(ctx, null, context, { records: records.map(({ values }) => values), publish: false, origin: 'template' });
    return added.records.map(({ id }) => id);
  };
  const ids = stored.length > 0 ? stored : await add();
  const changes = records.flatMap(({ translations }, at) => (translations ? [{ id: ids[at] ?? '', values: translations }] : []));
  if (changes.length > 0) await changeRecords(ctx, null, context, { changes, locale: table.locales[1], origin: 'template', path: (at) => `records.${at}` });
  const published = records.flatMap(({ publish }, at): Change[] => (publish ? [{ kind: 'publish', id: ids[at] ?? '' }] : []));
  if (published.length > 0) await inWrite(ctx, null, (w) => writeBatch(w, context, published, { origin: 'template' }));

  const titles = present ? await titlesOfViews(ctx, tableId) : new Set<string>();
  for (const { view, link } of views) {
    if (titles.has(view.title)) continue;
    const created = await createView(ctx, { model, table, reader, userId, shares: true, locks: true }, ViewInput.parse(view));
    if (link) await createPublicLink(ctx, { siteId: site.id, userId, actor }, { table: tableId, view: created.id }, NewPublicLink.parse(link));
  }
  return { table: tableId, fields: Object.fromEntries(table.fields.map(({ key, id }) => [key, id])), records: ids };
}
