import type { FastifyInstance } from 'fastify';
import { tokenEndpoints as endpoints } from '../../../contract/tokens/schemas';
import type { ApiToken } from '../../../contract/tokens/schemas';
import { placeTextOf } from '../../collect/classify';
import type { Context } from '../../context';
import { clientAddress, isAddressRange } from '../../http/address';
import { fail } from '../../http/failure';
import type { FieldErrors } from '../../http/failure';
import { route } from '../../http/route';
import { queueMail } from '../../mail';
import { actorOf, difference, record } from '../audit';
import { sitesOf } from '../sites';
import { newTokenMail } from './mails';
import * as queries from './queries';
import type { TokenRecord } from './queries';
import { tokenPrefix } from './read';
import type { Area } from '../area';
import { erasePerson, exportPerson } from './personalData';
import { hashToken, makeToken } from '../../kit/tokens';

export { tokenAccess } from './read';

const day = 24 * 3_600_000;
/** Maximum number of unexpired tokens per person. */
const mostTokens = 50;
/** How long an expired token stays in the list, so that its owner sees why a program stopped working. */
const endedStaysFor = 30 * day;

const tokenView = (token: TokenRecord): ApiToken => ({
  id: token.id,
  name: token.name,
  ending: token.ending,
  scopes: token.scopes,
  siteIds: token.siteIds,
  addresses: token.addresses,
  createdAt: token.createdAt.toISOString(),
  expiresAt: token.expiresAt.toISOString(),
  lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
  lastAddress: token.lastAddress,
});

const targetOf = ({ id, name }: TokenRecord) => ({ kind: 'token', id, name });

/** Field errors of the list items for which `isGood` is false, each at its own path. */
const itemErrors = (name: string, items: readonly string[], isGood: (item: string) => boolean, code: FieldErrors[string]['code']): FieldErrors =>
  Object.fromEntries(items.flatMap((item, i) => (isGood(item) ? [] : [[`${name}.${i}`, { code }]])));

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.tokens, async ({ session }) => (await queries.tokensOf(db, session.userId)).map(tokenView));

  route(app, ctx, endpoints.addToken, async (call) => {
    const { session, body, request } = call;
    const addresses = body.addresses.map((address) => address.toLowerCase());
    const open = new Set(body.siteIds === null ? [] : (await sitesOf(ctx, session)).map((site) => site.id));
    const fields = {
      ...itemErrors('addresses', addresses, isAddressRange, 'not_an_address_range'),
      ...itemErrors('siteIds', body.siteIds ?? [], (id) => open.has(id), 'unknown'),
    };
    if (Object.keys(fields).length > 0) fail('invalid_fields', { fields });
    const value = tokenPrefix + makeToken();
    const now = new Date(ctx.now());
    const token = await db.transaction(async (tx) => {
      const owner = (await queries.lockOwner(tx, session.userId)) ?? fail('not_found');
      if ((await queries.countTokens(tx, owner.id, now)) >= mostTokens) fail('conflict');
      const created = await queries.insertToken(tx, {
        tokenHash: hashToken(value),
        ending: value.slice(-4),
        userId: owner.id,
        name: body.name,
        scopes: [...new Set(body.scopes)],
        siteIds: body.siteIds && [...new Set(body.siteIds)],
        addresses: [...new Set(addresses)],
        createdAt: now,
        expiresAt: new Date(now.getTime() + body.days * day),
      });
      const { name, ending, scopes, siteIds, expiresAt } = created;
      await record(ctx, tx, actorOf(call), {
        action: 'token.made',
        target: targetOf(created),
        after: { name, ending, scopes, siteIds, addresses: created.addresses, expiresAt: expiresAt.toISOString() },
      });
      if (owner.email !== null && owner.emailVerifiedAt !== null) {
        const address = clientAddress(request);
        const from = [placeTextOf(address, owner.locale), address].filter((part) => part !== '').join(' · ');
        await queueMail(ctx, tx, newTokenMail({ ...owner, email: owner.email }, created, from, ctx.config.publicUrl), { kind: 'token' });
      }
      return created;
    });
    return { token: tokenView(token), value };
  });

  route(app, ctx, endpoints.renameToken, async (call) => {
    const { session, params, body } = call;
    return db.transaction(async (tx) => {
      const before = (await queries.lockToken(tx, session.userId, params.id)) ?? fail('not_found');
      if (before.name === body.name) return tokenView(before);
      const after = (await queries.renameToken(tx, session.userId, params.id, body.name)) ?? fail('not_found');
      await record(ctx, tx, actorOf(call), { action: 'token.renamed', target: targetOf(after), ...difference(before, after, ['name']) });
      return tokenView(after);
    });
  });

  route(app, ctx, endpoints.removeToken, async (call) => {
    await db.transaction(async (tx) => {
      const token = (await queries.removeToken(tx, call.session.userId, call.params.id)) ?? fail('not_found');
      await record(ctx, tx, actorOf(call), { action: 'token.removed', target: targetOf(token), before: { ending: token.ending, scopes: token.scopes } });
    });
  });
}

/** Deletes tokens that expired a month ago. Runs on a schedule. */
const sweepTokens = async (ctx: Context): Promise<void> => void (await queries.removeEndedBefore(ctx.postgres.db, new Date(ctx.now() - endedStaysFor)));

export const area: Area = { register, erasePerson, exportPerson, schedules: [{ name: 'tokens.sweep', every: 24 * 3_600_000, run: sweepTokens }] };
