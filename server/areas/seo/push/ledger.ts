import type { z } from 'zod';
import type { PushEntry, pushEndpoints as endpoints } from '../../../../contract/seo/pushSchemas';
import { parseUrl } from '../../../../contract/parseUrl';
import type { Context } from '../../../context';
import type { CallOf, ResponseOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import * as queries from './queries';
import type { PushLedgerRow } from './queries';
import { pushTarget } from './settings';

const entryOf = (row: PushLedgerRow): z.input<typeof PushEntry> => ({
  id: String(row.id),
  address: row.address,
  engine: row.engine,
  kind: row.kind,
  state: row.state,
  status: row.status,
  reason: row.reason,
  attempts: row.attempts,
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
});

export async function listLedger(ctx: Context, { site, query }: CallOf<typeof endpoints.pushLedger>): Promise<ResponseOf<typeof endpoints.pushLedger>> {
  const { page, size, ...filter } = query;
  const { rows, total } = await queries.listLedger(ctx.postgres.db, site.id, filter, { offset: (page - 1) * size, limit: size });
  return { rows: rows.map(entryOf), total };
}

/** The whole address of a text that somebody entered; null if it does not belong to the site. Fragments are no pages of their own. */
export function addressOf(text: string, origin: string, hosts: ReadonlySet<string>): string | null {
  const url = parseUrl(text, origin);
  if (url === null || !/^https?:$/.test(url.protocol) || !hosts.has(url.hostname) || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  return url.href.length > 2000 ? null : url.href;
}

/** Queues addresses that somebody chose; they are sent at once. Throws `conflict` if the site does not push to the engine. */
export async function pushNow(ctx: Context, call: CallOf<typeof endpoints.pushNow>): Promise<ResponseOf<typeof endpoints.pushNow>> {
  const { site, body } = call;
  const { origin, hosts } = await pushTarget(ctx, site, body.engine);
  const addresses = new Set<string>();
  const refused: string[] = [];
  for (const text of body.addresses) {
    const address = addressOf(text, origin, hosts);
    if (address === null) refused.push(text);
    else addresses.add(address);
  }
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.queueAddresses(
      tx,
      site.id,
      body.engine,
      [...addresses].map((address) => ({ address, kind: 'manual' })),
      new Date(ctx.now()),
    );
    if (addresses.size === 0) return;
    const target = { kind: 'site', id: site.id, name: site.row.name };
    await record(ctx, tx, actorOf(call), { action: 'seo.pushed', siteId: site.id, target, after: { engine: body.engine, addresses: addresses.size } });
  });
  await ctx.postgres.notify(queries.pushChannel, '');
  ctx.live.publish({ type: 'seo', siteId: site.id, change: 'pushes' });
  return { queued: addresses.size, refused };
}
