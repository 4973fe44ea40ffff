import { and, eq, sql } from 'drizzle-orm';
import type { TranslationEngine } from '../../../../../contract/languages/translations';
import { engineKinds, isSigned } from '../../../../../contract/languages/translationTerms';
import type { EngineKind, ServiceKind } from '../../../../../contract/languages/translationTerms';
import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import { refusalOf } from '../../../../net/publicAddress';
import { dayAt } from '../../../../zone';
import { translationEngines } from '../../schema';
import type { EngineRow } from '../../schema';
import { opencc } from './opencc';
import type { Engine } from './engine';
import { serviceEngine } from './services';
import { accessKeyOf, signedEngine } from './signed';

const sealPurpose = 'translationEngine';
const today = (ctx: Pick<Context, 'now'>): string => dayAt(ctx.now(), 'UTC');
const isService = (kind: EngineKind): kind is ServiceKind => kind !== 'opencc';
/** Only servers of one's own work without a key. */
const isReady = (row: EngineRow): boolean => row.key !== null || (row.kind === 'libre' && row.url !== null);
const ofKind = (siteId: string, kind: ServiceKind) => and(eq(translationEngines.siteId, siteId), eq(translationEngines.kind, kind));

const response = (ctx: Context, kind: EngineKind, row: EngineRow | undefined): TranslationEngine => ({
  kind,
  url: row?.url ?? null,
  hasKey: row !== undefined && row.key !== null,
  ready: kind === 'opencc' || (row !== undefined && isReady(row)),
  dailyLimit: row?.dailyLimit ?? null,
  usedToday: row?.usedOn === today(ctx) ? row.used : 0,
});

/** All engines of a site, also those that are not connected. */
export async function listEngines(ctx: Context, siteId: string): Promise<TranslationEngine[]> {
  const rows = await ctx.postgres.db.select().from(translationEngines).where(eq(translationEngines.siteId, siteId));
  return engineKinds.map((kind) =>
    response(
      ctx,
      kind,
      rows.find((row) => row.kind === kind),
    ),
  );
}

type EngineInput = { readonly url: string | null; readonly key: string | null; readonly dailyLimit: number | null };

/** Connects a service. A stored key goes only to the address that it was entered for. */
export async function putEngine(
  ctx: Context,
  siteId: string,
  kind: ServiceKind,
  { url, key, dailyLimit }: EngineInput,
  by: string,
): Promise<TranslationEngine> {
  if (url !== null) {
    const refusal = refusalOf(new URL(url), ctx.config.privateWebhooks);
    if (refusal !== null) fail('invalid_fields', { fields: { url: { code: refusal } } });
  }
  if (key !== null && isSigned(kind) && accessKeyOf(key) === null) fail('invalid_fields', { fields: { key: { code: 'pattern' } } });
  const { db } = ctx.postgres;
  const [before] = await db.select().from(translationEngines).where(ofKind(siteId, kind));
  const sealed = key === null ? (before?.url === url ? (before?.key ?? null) : null) : ctx.secrets.seal(sealPurpose, key);
  if (sealed === null && !(kind === 'libre' && url !== null)) fail('invalid_fields', { fields: { key: { code: 'required' } } });
  const values = { url, key: sealed, dailyLimit, updatedBy: by, updatedAt: new Date(ctx.now()) };
  const [row] = await db
    .insert(translationEngines)
    .values({ siteId, kind, usedOn: today(ctx), ...values })
    .onConflictDoUpdate({ target: [translationEngines.siteId, translationEngines.kind], set: values })
    .returning();
  return response(ctx, kind, row);
}

/** Whether there was one. */
export const removeEngine = async (db: Pick<Context['postgres']['db'], 'delete'>, siteId: string, kind: ServiceKind): Promise<boolean> =>
  (await db.delete(translationEngines).where(ofKind(siteId, kind)).returning({ kind: translationEngines.kind })).length > 0;

function connected(ctx: Context, kind: ServiceKind, url: string | null, key: string): Engine {
  const allowNear = ctx.config.privateWebhooks;
  if (!isSigned(kind)) return serviceEngine(kind, { url, key, allowNear });
  const accessKey = accessKeyOf(key) ?? fail('invalid_fields', { fields: { engine: { code: 'unknown' } } });
  return signedEngine(kind, { url, key: accessKey, allowNear, now: ctx.now });
}

/** An engine that can translate, and the characters that it may still translate today; null: any number. Throws `invalid_fields` if it is not connected. */
export async function openEngine(ctx: Context, siteId: string, kind: EngineKind): Promise<{ readonly engine: Engine; readonly remaining: number | null }> {
  if (!isService(kind)) return { engine: opencc, remaining: null };
  const [row] = await ctx.postgres.db.select().from(translationEngines).where(ofKind(siteId, kind));
  if (!row || !isReady(row)) return fail('invalid_fields', { fields: { engine: { code: 'unknown' } } });
  const key = row.key === null ? '' : ctx.secrets.open(sealPurpose, row.key);
  const engine = connected(ctx, kind, row.url, key);
  const { dailyLimit, usedToday } = response(ctx, kind, row);
  return { engine, remaining: dailyLimit === null ? null : Math.max(0, dailyLimit - usedToday) };
}

/** Counts characters before they are sent, because services bill what they receive. */
export async function countUse(ctx: Context, siteId: string, kind: EngineKind, characters: number): Promise<void> {
  if (!isService(kind)) return;
  const { usedOn, used } = translationEngines;
  const day = today(ctx);
  await ctx.postgres.db
    .update(translationEngines)
    .set({ usedOn: day, used: sql`CASE WHEN ${usedOn} = ${day}::date THEN ${used} ELSE 0 END + ${characters}::int` })
    .where(ofKind(siteId, kind));
}
