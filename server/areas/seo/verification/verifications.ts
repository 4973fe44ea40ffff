import type { z } from 'zod';
import { seoLimits } from '../../../../contract/seo/terms';
import { completeProof } from '../../../../contract/seo/verification';
import type { Verification, verificationEndpoints as endpoints } from '../../../../contract/seo/verificationSchemas';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import type { CallOf, ResponseOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { lockSite, readIndexedSite, systemHostOf } from '../../sites';
import { probe } from '../../uptime';
import * as queries from './queries';
import type { FoundVerification, VerificationRow } from './queries';

const urlOf = (origin: string | null, { method, name }: VerificationRow): string | null =>
  origin === null ? null : `${origin}/${method === 'file' ? name : ''}`;

const responseOf = ({ row, author }: FoundVerification, origin: string | null): z.input<typeof Verification> => ({
  id: row.id,
  service: row.service,
  method: row.method,
  name: row.name,
  content: row.content,
  url: urlOf(origin, row),
  createdAt: row.createdAt.toISOString(),
  createdBy: author,
  delivered: row.delivered,
  checkedAt: row.checkedAt?.toISOString() ?? null,
});

/** Contents are no secrets, because everybody can read them on the site; the audit log needs only which proof it was. */
const about = ({ id, siteId, service, method, name }: VerificationRow) => ({
  siteId,
  target: { kind: 'verification', id, name },
  facts: { service, method },
});

/** Main address of a site, without a slash; null if it is hosted elsewhere. */
const originOf = async (ctx: Context, siteId: string): Promise<string | null> => (await readIndexedSite(ctx, siteId))?.origin ?? null;

const announce = (ctx: Pick<Context, 'live'>, siteId: string): void => ctx.live.publish({ type: 'seo', siteId, change: 'proofs' });

async function readOne(ctx: Context, siteId: string, id: string): Promise<z.input<typeof Verification>> {
  const found = (await queries.findVerification(ctx.postgres.db, siteId, id)) ?? fail('not_found');
  return responseOf(found, await originOf(ctx, siteId));
}

export async function listVerifications(ctx: Context, { site }: CallOf<typeof endpoints.verifications>): Promise<ResponseOf<typeof endpoints.verifications>> {
  const [rows, origin] = await Promise.all([queries.listVerifications(ctx.postgres.db, site.id), originOf(ctx, site.id)]);
  return { rows: rows.map((one) => responseOf(one, origin)) };
}

/** Adds a proof, which the delivery listeners of all processes answer at once. Throws `invalid_fields` and `not_delivered`. */
export async function addVerification(ctx: Context, call: CallOf<typeof endpoints.addVerification>): Promise<z.input<typeof Verification>> {
  const { site, body, session } = call;
  if (site.row.purpose !== 'built') fail('not_delivered');
  const proof = completeProof(body);
  if ('code' in proof) return failField(proof.field, proof.code);
  const { id } = await ctx.postgres.db.transaction(async (tx) => {
    await lockSite(tx, site.id);
    if ((await queries.countVerifications(tx, site.id)) >= seoLimits.verifications) failField('service', 'out_of_range');
    const stored = await queries.insertVerification(tx, { ...proof, siteId: site.id, createdBy: session.userId, createdAt: new Date(ctx.now()) });
    if (stored === null) return failField(proof.method === 'file' ? 'name' : 'content', 'duplicate');
    const { facts, ...target } = about(stored);
    await record(ctx, tx, actorOf(call), { action: 'seo.verification_added', ...target, after: facts });
    return stored;
  });
  announce(ctx, site.id);
  return readOne(ctx, site.id, id);
}

export async function removeVerification(ctx: Context, call: CallOf<typeof endpoints.removeVerification>): Promise<void> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const removed = (await queries.removeVerification(tx, site.id, params.id)) ?? fail('not_found');
    const { facts, ...target } = about(removed);
    await record(ctx, tx, actorOf(call), { action: 'seo.verification_removed', ...target, before: facts });
  });
  announce(ctx, site.id);
}

/** Requests a proof at the main address of the site, as its service would, and stores what came of it. `delivered` stays null if no request could be sent. */
export async function checkVerification(ctx: Context, call: CallOf<typeof endpoints.checkVerification>): Promise<z.input<typeof Verification>> {
  const { site, params } = call;
  const { row } = (await queries.findVerification(ctx.postgres.db, site.id, params.id)) ?? fail('not_found');
  const url = urlOf(await originOf(ctx, site.id), row);
  const system = systemHostOf(site.row, ctx.config);
  if (url !== null) {
    const keyword = row.method === 'file' ? row.content : `name="${row.name}" content="${row.content}"`;
    const expectation = { url: new URL(url), servedHost: system === null ? null : new URL(system).host, expectedStatus: 200, keyword };
    const { failure } = await probe(ctx.config, expectation, AbortSignal.timeout(15_000));
    const delivered = failure === 'private_address' ? null : failure === null;
    await queries.storeCheck(ctx.postgres.db, site.id, row.id, delivered, new Date(ctx.now()));
  }
  return readOne(ctx, site.id, params.id);
}
