import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { and, gt, lte } from 'drizzle-orm';
import { collectSalts } from '../areas/analytics/schema';
import type { Measuring } from '../areas/sites';
import type { Context } from '../context';
import { DAY, HOUR, MINUTE, daySpanAt } from '../zone';
import type { Day } from '../zone';
import { remember } from './classify/lru';
import { noId } from './row';

/** The site with its time zone, which determines days, and the gap that a visit may have across midnight. */
export type SiteDays = { readonly id: string; readonly timeZone: string; readonly measuring: Pick<Measuring, 'visits'> };
export type Sender = { readonly address: string; readonly userAgent: string };
/** Who sent a hit: the browser itself, or a site's server. */
export type Teller = 'browser' | 'server';
export type VisitorIds = { readonly id: string; readonly alt: string };

export type Identity = {
  /**
   * Identifies a visitor without an id: a keyed hash of site, address and user agent with the salt of the day (of the site) on which the hit happened. In the
   * first minutes of a day `alt` is the id of the previous day, so that a visit can continue.
   */
  readonly visitorOf: (site: SiteDays, sender: Sender, at: number, teller: Teller) => VisitorIds;
  /** Keyed hash of an address, for counting the distinct addresses of a day of the site. */
  readonly addressKeyOf: (site: Pick<SiteDays, 'id' | 'timeZone'>, address: string, at: number, teller: Teller) => string;
  readonly close: () => void;
};

const refreshMs = 10 * MINUTE;
/** Number of cached hashes; a visitor sends several hits. */
const remembered = 50_000;
/** How much earlier than in UTC a day begins in the first time zone, and how much later in the last one. */
const firstZoneMs = 14 * HOUR;
const lastZoneMs = 12 * HOUR;
/** Lifetime of a salt from the start of its day in UTC: until one day after the day has ended in the last zone. */
const saltLifeMs = 2 * DAY + lastZoneMs;

const utcDayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10);

/**
 * Opens the salts in PostgreSQL. There is one random salt per calendar day, created shortly before the day begins in the first time zone, so that no process
 * waits at midnight, and deleted one day after it has ended in the last one. Sites of all zones share it: hashes include the site and the site's own day.
 *
 * A hit whose day no longer has a salt still counts on its own day. A late hit from a browser is hashed with today's salt and its own day, so that it cannot be
 * linked to an address for longer than any other hit. A hit from a server is hashed with the installation's key and its day, like imported logs: its sender
 * knows the address anyway, and may send it again at any time without being counted twice.
 */
export async function openIdentity(ctx: Context): Promise<Identity> {
  const { db } = ctx.postgres;
  const lasting = createSecretKey(ctx.secrets.mac('collector', 'names on past days'), 'base64url');
  let salts = new Map<Day, KeyObject>();
  let hash = remember(remembered, keyedHash);
  await refresh();
  const timer = setInterval(() => void refresh().catch((error: unknown) => ctx.log.warn('the salts of visitors could not be read', { error })), refreshMs);
  timer.unref();

  async function refresh(): Promise<void> {
    const now = ctx.now();
    const soon = utcDayOf(now + firstZoneMs + 3 * refreshMs);
    const over = utcDayOf(now - saltLifeMs);
    for (const day of new Set([utcDayOf(now - lastZoneMs), utcDayOf(now), soon]))
      await db
        .insert(collectSalts)
        .values({ day, salt: randomBytes(32).toString('base64') })
        .onConflictDoNothing();
    await db.delete(collectSalts).where(lte(collectSalts.day, over));
    const rows = await db
      .select()
      .from(collectSalts)
      .where(and(gt(collectSalts.day, over), lte(collectSalts.day, soon)));
    const gone = [...salts.keys()].some((day) => day <= over);
    salts = new Map(rows.map((row) => [row.day, createSecretKey(row.salt, 'base64')]));
    // Cached hashes contain addresses and must be dropped together with the salt that protects them.
    if (gone) hash = remember(remembered, keyedHash);
  }

  /** `text`: the day whose salt is the key, or '' for the installation's key; a line break; the text to hash. */
  function keyedHash(text: string): string {
    const cut = text.indexOf('\n');
    const salt = cut === 0 ? lasting : salts.get(text.slice(0, cut));
    if (salt === undefined) throw new Error('there is no salt for this day');
    return createHmac('sha256', salt)
      .update(text.slice(cut + 1))
      .digest('hex')
      .slice(0, 16);
  }

  /** The id of `what` on a day of a site. */
  function nameOn(day: Day, what: string, timeZone: string, teller: Teller): string {
    if (salts.has(day)) return hash(`${day}\n${what}`);
    if (teller === 'server') return hash(`\n${day}\n${what}`);
    const today = daySpanAt(ctx.now(), timeZone).day;
    const key = salts.has(today) ? today : ([...salts.keys()].sort().at(-1) ?? today);
    return hash(`${key}\n${day}\n${what}`);
  }

  return {
    visitorOf({ id: siteId, timeZone, measuring }, { address, userAgent }, at, teller) {
      const who = `visitor\n${siteId}\n${address}\n${userAgent}`;
      const { day, dayBefore, start } = daySpanAt(at, timeZone);
      const id = nameOn(day, who, timeZone, teller);
      return { id, alt: at - start < measuring.visits.gapMinutes * MINUTE ? nameOn(dayBefore, who, timeZone, teller) : noId };
    },
    addressKeyOf: ({ id, timeZone }, address, at, teller) => nameOn(daySpanAt(at, timeZone).day, `address\n${id}\n${address}`, timeZone, teller),
    close: () => clearInterval(timer),
  };
}
