import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { SetUp, SetUpState } from '../../../contract/session/schemas';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { mailWorks } from '../../mail';
import { sameSecret } from '../../secrets';
import { actorOf, record } from '../audit';
import { findLoginNameError } from './loginNames';
import { isTimeZone } from '../../../contract/timeZone';
import { newPassword, findPasswordError } from './passwords';
import * as queries from './queries';
import type { UserRecord } from './queries';
import { hashToken, makeToken } from '../../kit/tokens';

const settingName = 'setup_token_hash';
const lockName = 'first-owner';

/**
 * The one-time token that creates the first owner (`/sign/setup#t=…`), or null if there already is one. Every start creates a new token: only the link printed
 * last works, and the database stores only its hash.
 */
export const ensureSetUpToken = (ctx: Context): Promise<string | null> =>
  ctx.postgres.withLock(lockName, async () => {
    if (await queries.hasOwner(ctx.postgres.db)) return null;
    const token = makeToken();
    await queries.writeSetting(ctx.postgres.db, settingName, hashToken(token), new Date(ctx.now()));
    return token;
  });

export async function setUpState(ctx: Context, token: string | undefined): Promise<z.input<typeof SetUpState>> {
  const mail = mailWorks(ctx.config);
  if (await queries.hasOwner(ctx.postgres.db)) return { needed: false, tokenValid: false, mail };
  return { needed: true, mail, tokenValid: token !== undefined && (await isRight(ctx, token)) };
}

async function isRight(ctx: Context, token: string): Promise<boolean> {
  const stored = await queries.readSetting(ctx.postgres.db, settingName);
  return typeof stored === 'string' && sameSecret(stored, hashToken(token));
}

/** Creates the first owner and invalidates the token. Under a lock, so that only one of two concurrent requests succeeds. */
export const setUp = (ctx: Context, input: z.output<typeof SetUp>, request: FastifyRequest): Promise<UserRecord> =>
  ctx.postgres.withLock(lockName, async () => {
    if (await queries.hasOwner(ctx.postgres.db)) fail('already_set_up');
    if (!(await isRight(ctx, input.token))) fail('bad_setup_token');
    const loginNameError = findLoginNameError(input.loginName);
    if (loginNameError) failField('loginName', loginNameError);
    const error = await findPasswordError(input.password, input, { secondFactor: false });
    if (error) fail('invalid_fields', { fields: { password: error } });
    if (!isTimeZone(input.timeZone)) failField('timeZone', 'not_a_time_zone');
    const password = await newPassword(input.password, ctx.now());
    return ctx.postgres.db.transaction(async (tx) => {
      const user = await queries.insertUser(tx, {
        loginName: input.loginName,
        displayName: input.displayName,
        ...password,
        role: 'owner',
        locale: input.locale,
        timeZone: input.timeZone,
        createdAt: new Date(ctx.now()),
      });
      await queries.deleteSetting(tx, settingName);
      const target = { kind: 'person', id: user.id, name: user.loginName };
      await record(ctx, tx, actorOf({ session: null, request }, user), { action: 'sign.set_up', target });
      return user;
    });
  });
