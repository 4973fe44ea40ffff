import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { accountEndpoints as endpoints } from '../../../contract/account/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { route } from '../../http/route';
import { actorOf, record } from '../audit';
import { storedPicture } from './picture';
import { announceUser, maySee, userResponse, targetOf } from './profile';
import * as queries from './queries';

const largestFile = 2 * 2 ** 20;
const oneYear = 31_536_000;

export function registerAvatar(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  route(app, ctx, endpoints.avatar, async ({ session, params, request, reply }) => {
    const picture = (await maySee(db, session, params.id)) ? await queries.findAvatar(db, params.id) : null;
    if (!picture) return fail('not_found');
    const tag = `"${picture.version}"`;
    // A URL that contains the version identifies one immutable picture; a URL without it must be revalidated.
    const version = new URL(request.url, 'http://x').searchParams.get('v');
    void reply
      .header('etag', tag)
      .header('cache-control', version === picture.version ? `private, max-age=${oneYear}, immutable` : 'private, no-cache')
      .header('cross-origin-resource-policy', 'same-origin');
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    return reply.type('image/png').send(picture.png);
  });

  route(app, ctx, endpoints.changeAvatar, async (call) => {
    const { session, body } = call;
    const file = Buffer.from(body.png, 'base64');
    if (file.length > largestFile) fail('too_large');
    const png = storedPicture(file) ?? failField('png', 'not_an_image');
    const version = createHash('sha256').update(png).digest('base64url').slice(0, 16);
    const user = await db.transaction(async (tx) => {
      const before = await queries.findUser(tx, session.userId);
      await queries.putAvatar(tx, session.userId, png);
      const after = (await queries.setAvatarVersion(tx, session.userId, version)) ?? fail('not_found');
      if (before?.avatarVersion !== version) await record(ctx, tx, actorOf(call), { action: 'account.avatar_changed', target: targetOf(after) });
      return after;
    });
    announceUser(ctx, user.id);
    return userResponse(user, session);
  });

  route(app, ctx, endpoints.removeAvatar, async (call) => {
    const { session } = call;
    const user = await db.transaction(async (tx) => {
      const { rowCount } = await queries.deleteAvatar(tx, session.userId);
      const after = (await queries.setAvatarVersion(tx, session.userId, null)) ?? fail('not_found');
      if (rowCount) await record(ctx, tx, actorOf(call), { action: 'account.avatar_removed', target: targetOf(after) });
      return after;
    });
    announceUser(ctx, user.id);
    return userResponse(user, session);
  });
}
