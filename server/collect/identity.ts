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

/** The site with its time zone, which decides days, and the pause that a visit may have over midnight. */
export type SiteDays = { readonly id: string; readonly timeZone: string; readonly measuring: Pick<Measuring, 'visits'> };
export type Sender = { readonly address: string; readonly userAgent: string };
/** Who tells of a hit: the browser itself, or somebody's server. */
export type Teller = 'browser' | 'server';
export type VisitorIds = { readonly id: string; readonly alt: string };

export type Identity = {
  /**
   * Names a visitor without an id: a keyed hash of site, address and user agent under the salt of the day (of the site) on
   * which the hit happened. In the first minutes of a day `alt` is the name of the day before, so that a visit goes on.
   */
  readonly visitorOf: (site: SiteDays, sender: Sender, at: number, teller: Teller) => VisitorIds;
  /** Keyed hash of the address for counting addresses of a day of the site. */
  readonly addressKeyOf: (site: Pick<SiteDays, 'id' | 'timeZone'>, address: string, at: number, teller: Teller) => string;
  readonly close: () => void;
};

const refreshMs = 10 * MINUTE;
/** Answers kept; a visitor sends several hits. */
const remembered = 50_000;
/** The first zone of the world begins a day so long before UTC does, the last one so long after it. */
const firstZoneMs = 14 * HOUR;
const lastZoneMs = 12 * HOUR;
/** From its beginning in UTC: a day after it has ended in the last zone. */
const saltLifeMs = 2 * DAY + lastZoneMs;

const utcDayOf = (at: number): Day => new Date(at).toISOString().slice(0, 10);

/**
 * Opens the salts in PostgreSQL. There is one a calendar day, made at random a little before the day begins in the first zone
 * of the world, so that no process waits at midnight, and deleted a day after it has ended in the last one. Sites of all zones
 * share it: what it names belongs to one site and to that site's own day.
 *
 * A hit whose day has no salt any more still counts on its own day. One that a browser sends late is named by today's salt and
 * its day, so that nothing connects it to an address for longer than any other hit. One that a server tells is named by the
 * installation's key and its day, as imported logs are: its sender knows the address anyway, and may tell of it again at any
 * time without being counted twice.
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
    // What was remembered names addresses: it goes with the salt that hid them.
    if (gone) hash = remember(remembered, keyedHash);
  }

  /** `text`: the day whose salt is the key, '' for the installation's; a line break; what is hashed. */
  function keyedHash(text: string): string {
    const cut = text.indexOf('\n');
    const salt = cut === 0 ? lasting : salts.get(text.slice(0, cut));
    if (salt === undefined) throw new Error('there is no salt for this day');
    return createHmac('sha256', salt)
      .update(text.slice(cut + 1))
      .digest('hex')
      .slice(0, 16);
  }

  /** The name of `what` on a day of a site. */
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
