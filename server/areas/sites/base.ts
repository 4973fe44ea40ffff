import type { z } from 'zod';
import type { SiteBase, baseEndpoints as endpoints } from '../../../contract/sites/base';
import { baseLimits } from '../../../contract/sites/terms';
import type { Context } from '../../context';
import { isAddressRange } from '../../http/address';
import { fail, failField } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { hashPassword } from '../../kit/passwords';
import { isTimeZone } from '../../../contract/timeZone';
import { DAY } from '../../zone';
import { actorOf, changedLanguages, difference, record, systemActor } from '../audit';
import type { Actor } from '../audit';
import { isKnownLanguage } from '../languages/list';
import { bypassKey } from './gate';
import * as queries from './queries';
import type { SiteRecord } from './queries';
import { systemHostOf } from './responses';
import { about, announce, isSlugConflict, noteChanges, slugInUse } from './sites';
import { isReserved } from './slugs';

type Call = CallOf<typeof endpoints.siteBase>;

async function baseOf(ctx: Context, site: SiteRecord): Promise<z.input<typeof SiteBase>> {
  const systemHost = systemHostOf(site, ctx.config);
  const former = await queries.slugsLeft(ctx.postgres.db, site.id, new Date(ctx.now()));
  return {
    name: site.name,
    slug: site.slug,
    systemHost,
    defaultLang: site.defaultLang,
    timeZone: site.timeZone,
    state: site.state,
    visibility: site.visibility,
    hasPassword: site.passwordHash !== null,
    maintenance: { ...site.maintenance, addresses: [...(site.maintenance.addresses ?? [])] },
    bypassLink: systemHost === null ? null : `${systemHost}/_site/bypass?key=${bypassKey(ctx, site)}`,
    formerSlugs: former.map(({ slug, until }) => ({ slug, until: until.toISOString() })),
    revision: site.revision,
  };
}

export async function readBase(ctx: Context, { site }: Pick<Call, 'site'>): Promise<z.input<typeof SiteBase>> {
  return baseOf(ctx, (await queries.findSite(ctx.postgres.db, site.id)) ?? fail('not_found'));
}

/** Throws `invalid_fields` for values that only the site's present state forbids. */
function checkInput(site: SiteRecord, input: CallOf<typeof endpoints.changeSiteBase>['body']): void {
  if (!isTimeZone(input.timeZone)) failField('timeZone', 'not_a_time_zone');
  if (!isKnownLanguage(input.defaultLang)) failField('defaultLang', 'pattern');
  if (input.slug !== site.slug && isReserved(input.slug)) failField('slug', 'reserved');
  if (input.visibility === 'password' && input.password === undefined && site.passwordHash === null) failField('password', 'required');
  if (!input.maintenance.addresses.every(isAddressRange)) failField('maintenance.addresses', 'not_an_address_range');
  // Pages that are hosted elsewhere cannot be closed from here.
  if (input.visibility !== 'public' && site.purpose === 'external') failField('visibility', 'pattern');
}

const factsOf = ({ name, slug, defaultLang, timeZone, visibility, maintenance: { retryAfter, addresses = [] } }: SiteRecord) => ({
  name,
  slug,
  defaultLang,
  timeZone,
  visibility,
  retryAfter,
  addresses,
});
const factNames = ['name', 'slug', 'defaultLang', 'timeZone', 'visibility', 'retryAfter', 'addresses'] as const;

/** Of the message during maintenance, only its languages. */
function auditedChange(before: SiteRecord, after: SiteRecord): ReturnType<typeof difference> {
  const changed = difference(factsOf(before), factsOf(after), factNames);
  return { before: changed.before, after: { ...changed.after, ...changedLanguages(before.maintenance.message, after.maintenance.message) } };
}

/** Replaces the settings that act at once. A former slug leads to the site for a while. */
export async function changeBase(ctx: Context, call: CallOf<typeof endpoints.changeSiteBase>): Promise<z.input<typeof SiteBase>> {
  const { password, ...input } = call.body;
  const expected = call.ifMatch();
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const now = new Date(ctx.now());
  const actor = actorOf(call);
  try {
    const changed = await ctx.postgres.db.transaction(async (tx) => {
      const before = (await queries.lockSite(tx, call.site.id)) ?? fail('not_found');
      // Before anything is written: a former slug that is still the current one would lead to itself.
      if (before.revision !== expected) return null;
      checkInput(before, call.body);
      if (before.slug !== input.slug) {
        await queries.claimSlug(tx, input.slug, before.id, now);
        await queries.leaveSlug(tx, before.slug, before.id, new Date(now.getTime() + baseLimits.redirectDays * DAY));
      }
      const after = await queries.updateSite(tx, before.id, expected, { ...input, ...(passwordHash !== undefined && { passwordHash }) });
      if (!after) return null;
      const changes = auditedChange(before, after);
      // The log says that the password changed, not what it is.
      const replaced = passwordHash === undefined ? {} : { replaced: 'password' };
      await record(ctx, tx, actor, { action: 'site.changed', ...about(after), before: changes.before, after: { ...changes.after, ...replaced } });
      await noteChanges(ctx, tx, before, after, actor);
      return after;
    });
    if (!changed) return fail('stale_revision', { current: await readBase(ctx, call) });
    announce(ctx, changed.id, 'changed');
    return await baseOf(ctx, changed);
  } catch (error) {
    return isSlugConflict(error) ? slugInUse() : Promise.reject(error);
  }
}

/** Gives the links of a kind another number, so that the former ones no longer work. */
async function renumber(ctx: Context, siteId: string, actor: Actor, kind: 'bypass' | 'previews'): Promise<SiteRecord> {
  const renewed = await ctx.postgres.db.transaction(async (tx) => {
    const site = (await queries.lockSite(tx, siteId)) ?? fail('not_found');
    const change = kind === 'bypass' ? { bypassNumber: site.bypassNumber + 1 } : { previewNumber: site.previewNumber + 1 };
    const after = (await queries.updateSite(tx, site.id, site.revision, change)) ?? fail('conflict');
    await record(ctx, tx, actor, { action: 'site.changed', ...about(after), after: { replaced: kind } });
    return after;
  });
  announce(ctx, renewed.id, 'changed');
  return renewed;
}

/** Makes a new link past the maintenance message. Cookies of the former link no longer work. */
export async function renewBypass(ctx: Context, call: CallOf<typeof endpoints.renewBypass>): Promise<z.input<typeof SiteBase>> {
  return baseOf(ctx, await renumber(ctx, call.site.id, actorOf(call), 'bypass'));
}

/** Ends all addresses of previews of a site. Throws `not_found`. */
export async function endPreviewAddresses(ctx: Context, siteId: string, actor: Actor): Promise<void> {
  await renumber(ctx, siteId, actor, 'previews');
}

/** Gives a new site the settings of another one that hold for any site: not its names, nor who may see it. */
export async function copyBase(ctx: Context, from: string, to: string): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    const [source, site] = [await queries.findSite(tx, from), await queries.lockSite(tx, to)];
    if (source && site) await queries.updateSite(tx, to, site.revision, { maintenance: source.maintenance });
  });
  announce(ctx, to, 'changed');
}

/** Deletes the message during maintenance in a language. */
export async function forgetMessage(ctx: Context, siteId: string, tag: string): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    const before = await queries.lockSite(tx, siteId);
    if (!before || !Object.hasOwn(before.maintenance.message, tag)) return;
    const { [tag]: _removed, ...message } = before.maintenance.message;
    const after = await queries.updateSite(tx, siteId, before.revision, { maintenance: { ...before.maintenance, message } });
    if (after) await record(ctx, tx, systemActor, { action: 'site.changed', ...about(after), ...auditedChange(before, after) });
  });
  announce(ctx, siteId, 'changed');
}
