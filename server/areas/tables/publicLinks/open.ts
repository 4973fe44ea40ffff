import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openViewLimits } from '../../../../contract/tables/publicLinkTerms';
import { tablePublicLinkEndpoints as endpoints } from '../../../../contract/tables/publicLinks';
import { systemKinds } from '../../../../contract/tables/terms';
import type { RecordSort } from '../../../../contract/tables/recordFilter';
import type { Context } from '../../../context';
import { byteOrderMark, csvLine } from '../../../csv';
import type { Locale } from '../../../http/access';
import { asDownload, downloadPlaces } from '../../../http/download';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { ResponseOf, CallOf } from '../../../http/route';
import { siteModel, tableOf } from '../core/model';
import { listRecords, onTable } from '../core/read';
import type { TableContext } from '../core/tableContext';
import { exportPages } from '../core/read/pages';
import { systemTitles } from '../core/systemTitles';
import { cellOf, groupText } from './cells';
import { stopOf } from './form';
import { findLink } from './found';
import * as queries from './queries';
import type { FoundPublicLink } from './queries';
import { idOf, isSortable, readerOfLink, shownOf } from './reach';
import type { LinkView, ShownColumn } from './reach';
import { isUnlocked, createLinkUnlock } from '../../../kit/publicLinks';

type Opened = FoundPublicLink & { readonly context: TableContext; readonly linkView: LinkView };
type LinkQuery = { readonly q?: string | undefined; readonly sort?: string | undefined };

/**
 * What a visitor with a link gets. Records are read through `core/read` as a reader limited to the link's columns and records; responses contain texts,
 * so that no ids of records, people or choices are exposed.
 */
export function registerOpenViews(app: FastifyInstance, ctx: Context): void {
  const unlock = createLinkUnlock(ctx, 'view');
  const placeFor = downloadPlaces({ all: 2, each: 1 });
  route(app, ctx, endpoints.openView, (call) => openView(ctx, call));
  route(app, ctx, endpoints.openViewRows, (call) => openViewRows(ctx, call));
  route(app, ctx, endpoints.openViewFile, (call) => openViewFile(ctx, call, placeFor));
  route(app, ctx, endpoints.unlockView, async ({ request, body }) => {
    const { publicLink } = await findLink(ctx, request);
    // For a stopped link, entering the password gives the same response as for a removed one.
    if (publicLink.form === null) await found(ctx, request);
    return unlock(request, publicLink, body.password);
  });
}

/** A link that shows records. A form shows none, and a form link shows none even after its view has become another kind. */
async function found(ctx: Context, request: FastifyRequest): Promise<FoundPublicLink> {
  const one = await findLink(ctx, request);
  if (one.view.kind === 'form' || one.publicLink.form !== null) return fail('not_found');
  // A link stops when its creator loses the permission, and then looks removed.
  const table = tableOf(await siteModel(ctx, one.publicLink.siteId), one.view.tableId);
  return (await stopOf(ctx.postgres.db, one.publicLink, table)) === null ? one : fail('not_found');
}
/** Runs `work` with what the link currently shows. */
async function opened<T>(ctx: Context, one: FoundPublicLink, work: (opened: Opened) => Promise<T>): Promise<T> {
  const { publicLink, view, site } = one;
  const at = { id: publicLink.siteId, timeZone: site.timeZone };
  return onTable(ctx, at, view.tableId, { role: 'public', userId: null, only: new Map() }, async (context) => {
    const { table } = context;
    const linkView = shownOf(table, view, publicLink.drafts);
    return work({ ...one, linkView, context: { ...context, reader: readerOfLink(context.model, table, view, linkView) } });
  });
}
async function unlocked(ctx: Context, request: FastifyRequest): Promise<FoundPublicLink> {
  const one = await found(ctx, request);
  return isUnlocked(ctx, request, one.publicLink) ? one : fail('unauthorized');
}
/** The query of a link: over what is shown, in the order that the visitor chose. Groups stay together. */
function queryOf({ linkView, publicLink }: Opened, { q, sort }: LinkQuery) {
  const chosen = sort === undefined ? null : sortOf(linkView, sort);
  const groups = linkView.sort.slice(0, linkView.groups.length);
  const order =
    chosen === null
      ? linkView.sort
      : groups.some(({ field }) => field === chosen.field)
        ? groups.map((group) => (group.field === chosen.field ? chosen : group))
        : [...groups, chosen];
  const cellFormat = [...linkView.columns, ...linkView.groups.map(({ column }) => column)];
  const fields = cellFormat.flatMap((column) => (typeof column === 'string' ? [] : [column.id]));
  return { q, sort: order, fields, published: !publicLink.drafts };
}

/** What the link shows, or that it needs a password; counts the visit. */
async function openView(ctx: Context, { request, locale, reply }: CallOf<typeof endpoints.openView>): Promise<ResponseOf<typeof endpoints.openView>> {
  void reply.header('x-robots-tag', 'noindex');
  const one = await found(ctx, request);
  const { publicLink, view, site } = one;
  if (!isUnlocked(ctx, request, publicLink))
    return {
      needsPassword: true,
      expiresAt: null,
      timeZone: 'UTC',
      title: '',
      tableTitle: '',
      layout: 'grid' as const,
      columns: [],
      groups: [],
      searchable: false,
      download: false,
      drafts: false,
    };
  const response = await opened(ctx, one, async ({ linkView, context }) => ({
    needsPassword: false,
    expiresAt: publicLink.expiresAt?.toISOString() ?? null,
    timeZone: site.timeZone,
    title: view.title,
    tableTitle: context.table.title,
    layout: linkView.layout,
    columns: linkView.columns.map((column) => ({
      id: idOf(column),
      title: titleOf(column, locale),
      kind: typeof column === 'string' ? systemKinds[column] : column.yields,
      sortable: isSortable(column),
      number: typeof column === 'string' ? column === '$n' : column.yields === 'number',
    })),
    groups: linkView.groups.map(({ column }) => ({ title: titleOf(column, locale) })),
    searchable: linkView.columns.some((column) => typeof column !== 'string' && column.searchable),
    download: publicLink.download,
    drafts: publicLink.drafts && context.table.drafts,
  }));
  await queries.countOpening(ctx.postgres.db, publicLink.id, new Date(ctx.now()));
  return response;
}

/** A page of records as texts, up to the row limit of links. */
async function openViewRows(
  ctx: Context,
  { request, query, locale }: CallOf<typeof endpoints.openViewRows>,
): Promise<ResponseOf<typeof endpoints.openViewRows>> {
  return opened(ctx, await unlocked(ctx, request), async (one) => {
    const { offset, limit } = query;
    const { context, linkView } = one;
    const end = Math.min(offset + limit, openViewLimits.rows);
    const page = await listRecords(ctx, context, { ...queryOf(one, query), offset, limit: end - offset, count: 'capped', names: 'id' });
    const cellFormat = { labels: page.labels, timeZone: context.timeZone, locale };
    return {
      rows: page.rows.map((row) => ({
        cells: linkView.columns.map((column) => cellOf(row, column, cellFormat)),
        group: linkView.groups.map((group) => groupText(row, group, cellFormat)),
      })),
      total: page.total,
      more: page.more,
      next: page.next !== null && end < openViewLimits.rows ? end : null,
    };
  });
}

/** All records as a CSV file, if the link allows it. */
async function openViewFile(
  ctx: Context,
  { request, query, locale, reply }: CallOf<typeof endpoints.openViewFile>,
  placeFor: ReturnType<typeof downloadPlaces>,
): Promise<FastifyReply> {
  const link = await unlocked(ctx, request);
  if (!link.publicLink.download) return fail('forbidden');
  const signal = placeFor(reply, link.publicLink.id);
  const { linkView, context, pages } = await opened(ctx, link, async (one) => ({
    ...one,
    pages: (await exportPages(ctx, one.context, queryOf(one, query), { signal, most: null })).pages,
  }));
  async function* lines(): AsyncGenerator<string> {
    yield byteOrderMark + csvLine(linkView.columns.map((column) => titleOf(column, locale)));
    for await (const { rows, labels } of pages ?? []) {
      const cellFormat = { labels, timeZone: context.timeZone, locale, whole: true };
      yield rows.map((row) => csvLine(linkView.columns.map((column) => csvCell(column, cellOf(row, column, cellFormat).text)))).join('');
    }
  }
  asDownload(reply, `${link.view.title.replaceAll(/[/\\:*?"<>|]/g, '_')}.csv`, 'text/csv; charset=utf-8');
  return reply.header('x-robots-tag', 'noindex').send(Readable.from(lines(), { objectMode: false }));
}

const titleOf = (column: ShownColumn, locale: Locale): string => (typeof column === 'string' ? systemTitles[column][locale] : column.title);
/** Numbers need no escaping: they contain no user text. */
const csvCell = (column: ShownColumn, text: string) =>
  (column === '$n' || (typeof column !== 'string' && column.yields === 'number')) && /^-?\d+(?:\.\d+)?$/.test(text) ? { number: text } : text;

/** Only by columns of the link; the order by others would reveal their values. */
function sortOf({ columns }: LinkView, text: string): RecordSort {
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  const column = columns.find((one) => idOf(one) === name);
  return column && isSortable(column) ? { field: name, descending } : failField('sort', 'unknown_field');
}
