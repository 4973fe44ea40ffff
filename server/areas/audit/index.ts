import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { auditEndpoints as endpoints } from '../../../contract/audit/schemas';
import type { AuditEntry } from '../../../contract/audit/schemas';
import { may } from '../../../contract/permissions';
import { deviceTextOf, placeTextOf } from '../../collect/classify';
import type { Context } from '../../context';
import type { Locale, SessionInfo } from '../../http/access';
import { route } from '../../http/route';
import { DAY, dayAt, instantOf } from '../../zone';
import { csvOf, jsonOf } from './exportFile';
import { exportPerson } from './personalData';
import * as queries from './queries';
import type { AuditRecord, Filter } from './queries';
import { actorOf, record } from './record';
import type { Area } from '../area';

export { denialRecorder } from './denials';
export { entriesOfPerson } from './history';
export { actorOf, changedLanguages, difference, record, systemActor } from './record';
export type { Actor } from './record';

/** Number of entries read from the database at once. */
const batchSize = 1000;
/** Filter days are limited to what PostgreSQL and JavaScript can both represent; there are no entries outside it. */
const earliest = 0;
const latest = Date.UTC(9999, 0, 1);

const entryOf = (row: AuditRecord, locale: Locale): AuditEntry => ({
  id: String(row.id),
  at: row.at.toISOString(),
  actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
  action: row.action,
  result: row.result,
  target: row.targetKind === null ? null : { kind: row.targetKind, id: row.targetId ?? '', name: row.targetName ?? '' },
  siteId: row.siteId,
  address: row.address,
  place: placeTextOf(row.address, locale),
  device: deviceTextOf(row.userAgent),
  before: row.before,
  after: row.after,
});

type Query = Omit<z.output<typeof endpoints.auditExport.query & object>, 'format'>;

/** Days are in the reader's time zone. A token limited to some sites reads only entries about those sites. */
function filterOf({ from, to, ...rest }: Query, session: SessionInfo): Filter {
  const instant = (day: string, millis: number): Date => new Date(Math.min(latest, Math.max(earliest, instantOf(day, millis, session.timeZone))));
  return {
    ...rest,
    from: from === undefined ? undefined : instant(from, 0),
    until: to === undefined ? undefined : instant(to, DAY),
    sites: session.token?.siteIds ?? null,
  };
}

/** Entries about one site, of the given kinds (absent: of all), for people who may change those things without reading the whole log. Addresses and devices are omitted. */
export async function auditOfSite(
  ctx: Context,
  call: { readonly session: SessionInfo; readonly locale: Locale },
  filter: { readonly siteId: string; readonly kinds?: readonly string[]; readonly before: string | undefined; readonly size: number },
): Promise<{ rows: AuditEntry[]; next: string | null }> {
  const { siteId, kinds, before, size } = filter;
  const found = await queries.auditPage(ctx.postgres.db, { siteId, kinds, sites: null }, before === undefined ? null : BigInt(before), size + 1);
  const rows = found.slice(0, size).map((row) => entryOf(row, call.locale));
  const whole = may(call.session.role, 'audit.read');
  return {
    rows: whole ? rows : rows.map((row) => ({ ...row, address: '', place: '', device: '' })),
    next: found.length > size ? (rows.at(-1)?.id ?? null) : null,
  };
}

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.audit, async ({ session, query, locale }) => {
    const { before, size, ...filter } = query;
    const found = await queries.auditPage(db, filterOf(filter, session), before === undefined ? null : BigInt(before), size + 1);
    const rows = found.slice(0, size);
    return { rows: rows.map((row) => entryOf(row, locale)), next: found.length > size ? String(rows.at(-1)?.id) : null };
  });

  /** All entries that match the filter, newest first, read in batches. Entries written in the meantime are not included. */
  async function* batches(filter: Filter, locale: Locale): AsyncGenerator<AuditEntry[]> {
    let before: bigint | null = null;
    for (;;) {
      const rows: AuditRecord[] = await queries.auditPage(db, filter, before, batchSize);
      if (rows.length > 0) yield rows.map((row) => entryOf(row, locale));
      const last = rows.at(-1);
      if (!last || rows.length < batchSize) return;
      before = last.id;
    }
  }

  route(app, ctx, endpoints.auditExport, async (call) => {
    const { session, locale, reply } = call;
    const { format, ...filter } = call.query;
    const chosen = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    await record(ctx, db, actorOf(call), { action: 'audit.exported', after: { format, ...chosen } });
    const read = batches(filterOf(filter, session), locale);
    const text = format === 'csv' ? csvOf(read, locale, session.timeZone) : jsonOf(read);
    const name = `audit-${dayAt(ctx.now(), session.timeZone)}.${format}`;
    return reply
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(Readable.from(text));
  });
}

const sweepSize = 5000;

/** Deletes entries older than 400 days. Runs on a schedule. */
async function sweepAudit(ctx: Context): Promise<void> {
  while ((await queries.deleteOldLines(ctx.postgres.db, sweepSize)) === sweepSize);
}

export const area: Area = { register, exportPerson, schedules: [{ name: 'audit.sweep', every: 6 * 3_600_000, run: sweepAudit }] };
