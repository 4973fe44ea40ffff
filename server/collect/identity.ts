import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { and, gte, lt, lte } from 'drizzle-orm';
import { collectSalts } from '../areas/analytics/schema';
import type { Context } from '../context';
import { remember } from './classify/lru';
import { noId } from './row';
import { gapMs } from './visits';

export type Sender = { readonly siteId: string; readonly address: string; readonly userAgent: string };
export type VisitorIds = { readonly id: string; readonly alt: string };

export type Identity = {
  /**
   * Names a visitor without an id: a keyed hash of site, address and user agent under the salt of the day (UTC) on which
   * the hit happened. In the first minutes of a day `alt` is the name under yesterday's salt, so that a visit goes on.
   */
  readonly visitorOf: (sender: Sender, at: number) => VisitorIds;
  /** Keyed hash of the address for counting addresses of a day. */
  readonly addressKeyOf: (siteId: string, address: string, at: number) => string;
  readonly close: () => void;
};

const dayMs = 24 * 3600 * 1000;
const refreshMs = 10 * 60 * 1000;
/** Answers kept; a visitor sends several hits. */
const remembered = 50_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Opens the salts in PostgreSQL. There is one a day, made at random, the next one a little ahead so that no process waits
 * at midnight; those of the day before yesterday and earlier are deleted here and there.
 */
export async function openIdentity(ctx: Context): Promise<Identity> {
  const { db } = ctx.postgres;
  let salts = new Map<string, KeyObject>();
  let hash = remember(remembered, keyedHash);
  await refresh();
  const timer = setInterval(() => void refresh().catch((error: unknown) => ctx.log.warn('the salts of visitors could not be read', { error })), refreshMs);
  timer.unref();

  async function refresh(): Promise<void> {
    const now = ctx.now();
    const [yesterday, today, soon] = [dayOf(now - dayMs), dayOf(now), dayOf(now + 3 * refreshMs)];
    for (const day of new Set([today, soon]))
      await db
        .insert(collectSalts)
        .values({ day, salt: randomBytes(32).toString('base64') })
        .onConflictDoNothing();
    await db.delete(collectSalts).where(lt(collectSalts.day, yesterday));
    const rows = await db
      .select()
      .from(collectSalts)
      .where(and(gte(collectSalts.day, yesterday), lte(collectSalts.day, soon)));
    const gone = [...salts.keys()].some((day) => day < yesterday);
    salts = new Map(rows.map((row) => [row.day, createSecretKey(row.salt, 'base64')]));
    // What was remembered names addresses: it goes with the salt that hid them.
    if (gone) hash = remember(remembered, keyedHash);
  }

  /** A hit older than the salts is named by today's: it then has no connection to that day, which is the point of salts. */
  function dayFor(at: number): string {
    const day = dayOf(at);
    if (salts.has(day)) return day;
    const today = dayOf(ctx.now());
    return salts.has(today) ? today : ([...salts.keys()].sort().at(-1) ?? today);
  }

  /** `text`: the day, a line break, what is hashed. */
  function keyedHash(text: string): string {
    const cut = text.indexOf('\n');
    const salt = salts.get(text.slice(0, cut));
    if (salt === undefined) throw new Error('there is no salt for this day');
    return createHmac('sha256', salt)
      .update(text.slice(cut + 1))
      .digest('hex')
      .slice(0, 16);
  }

  return {
    visitorOf({ siteId, address, userAgent }, at) {
      const who = `visitor\n${siteId}\n${address}\n${userAgent}`;
      const day = dayFor(at);
      const id = hash(`${day}\n${who}`);
      const midnight = Math.floor(at / dayMs) * dayMs;
      const before = dayOf(at - dayMs);
      const soonAfterMidnight = day === dayOf(at) && at - midnight < gapMs && salts.has(before);
      return { id, alt: soonAfterMidnight ? hash(`${before}\n${who}`) : noId };
    },
    addressKeyOf: (siteId, address, at) => hash(`${dayFor(at)}\naddress\n${siteId}\n${address}`),
    close: () => clearInterval(timer),
  };
}
