import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { AuditAction, auditResults } from '../../../contract/audit/schemas';
import type { Context } from '../../context';
import type { SessionInfo } from '../../http/access';
import { clientAddress } from '../../http/address';
import { auditLog } from './schema';

type Db = Pick<NodePgDatabase, 'insert'>;
type Facts = Readonly<Record<string, unknown>>;

/** Who performed an action, and from where. */
export type Actor = {
  readonly kind: 'person' | 'token' | 'system' | 'nobody';
  readonly id: string | null;
  readonly name: string;
  readonly tokenId: string | null;
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
};

export type Act = {
  readonly action: AuditAction;
  /** Default `done`. */
  readonly result?: (typeof auditResults)[number];
  readonly target?: { readonly kind: string; readonly id: string; readonly name: string };
  readonly siteId?: string;
  /** Only what changed. Passwords, tokens, codes and secrets must not be passed: `record` rejects keys that resemble them. */
  readonly before?: Facts;
  readonly after?: Facts;
};

/** The caller of a request; `as`: the person, for actions before a session exists (signing in). */
export function actorOf(call: { readonly session: SessionInfo | null; readonly request: FastifyRequest }, as?: { id: string; loginName: string }): Actor {
  const { session, request } = call;
  const person = as ?? (session && { id: session.userId, loginName: session.loginName });
  return {
    kind: person ? (session?.token ? 'token' : 'person') : 'nobody',
    id: person?.id ?? null,
    name: person?.loginName ?? '',
    tokenId: session?.token?.id ?? null,
    address: clientAddress(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
    requestId: request.id,
  };
}

/** The program itself: schedules and jobs. */
export const systemActor: Actor = { kind: 'system', id: null, name: '', tokenId: null, address: '', userAgent: '', requestId: '' };

const secretKey = /password|secret|token(?!Id)|hash|code$|codes$|cookie/i;

/** Adds one entry to the audit log, in the caller's transaction if `db` is one, so that an action and its entry are committed or rolled back together. */
export async function record(ctx: Pick<Context, 'now'>, db: Db, actor: Actor, act: Act): Promise<void> {
  for (const facts of [act.before, act.after])
    for (const key of Object.keys(facts ?? {}))
      if (secretKey.test(key)) throw new Error(`the audit log stores no secrets: ${act.action} tried to write ${key}`);
  await db.insert(auditLog).values({
    at: new Date(ctx.now()),
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    tokenId: actor.tokenId,
    action: act.action,
    result: act.result ?? 'done',
    targetKind: act.target?.kind ?? null,
    targetId: act.target?.id ?? null,
    targetName: act.target?.name ?? null,
    siteId: act.siteId ?? null,
    address: actor.address,
    userAgent: actor.userAgent,
    requestId: actor.requestId,
    before: act.before ? { ...act.before } : null,
    after: act.after ? { ...act.after } : null,
  });
}

type TextsByLanguage = Readonly<Record<string, unknown>>;

/** Languages whose texts two states have differently, as a fact; none if all are alike. An entry cannot be changed later, so it has no texts: they are deleted with their language. */
export function changedLanguages(before: TextsByLanguage, after: TextsByLanguage): Facts {
  const tags = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((tag) => !isDeepStrictEqual(before[tag], after[tag]));
  return tags.length === 0 ? {} : { messageLanguages: tags.sort() };
}

/** The differences between two states, as `before` and `after` of an action. */
export function difference<T extends object>(before: T, after: T, keys: readonly (keyof T & string)[]): { before: Facts; after: Facts } {
  // jsonb does not preserve the order of keys, so objects are compared deeply.
  const changed = keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
  const pick = (from: T): Facts => Object.fromEntries(changed.map((key) => [key, from[key]]));
  return { before: pick(before), after: pick(after) };
}
