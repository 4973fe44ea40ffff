import { randomInt } from 'node:crypto';
import type { z } from 'zod';
import type { SiteInput } from '../../../contract/sites/schemas';
import { isOpen, openStates } from '../../../contract/sites/terms';
import type { SiteMove, SiteState } from '../../../contract/sites/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { isTimeZone } from '../../../contract/timeZone';
import { difference, record } from '../audit';
import type { Actor } from '../audit';
// Imported directly, because the index of that area imports this one.
import { annotate } from '../insights/annotate';
import { isKnownLanguage } from '../languages/list';
import * as queries from './queries';
import type { SiteRecord } from './queries';
import { candidates, isReserved, slugFrom } from './slugs';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
/** 60 random bits: not guessable, short enough for a URL. */
const makeSiteId = (): string => Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join('');

export const announce = (ctx: Context, siteId: string, change: 'added' | 'changed' | 'removed'): void => ctx.live.publish({ type: 'site', siteId, change });

/** A site as the target of an audit log entry. */
export const about = ({ id, name }: Pick<SiteRecord, 'id' | 'name'>) => ({ siteId: id, target: { kind: 'site', id, name } });

/** Free slugs similar to `base`, best first. */
export async function freeSlugs(ctx: Context, base: string, most: number): Promise<string[]> {
  const proposals = candidates(base, most + 20);
  const takenSlugs = await queries.usedSlugs(ctx.postgres.db, proposals);
  return proposals.filter((slug) => !takenSlugs.has(slug)).slice(0, most);
}

/** Whether `slug` is free, with free alternatives. Without `slug`, the best one for `name`. */
export async function slugResponse(
  ctx: Context,
  slug: string | undefined,
  name: string | undefined,
): Promise<{ slug: string; free: boolean; suggestions: string[] }> {
  const requested = slug?.trim().toLowerCase();
  const suggestions = await freeSlugs(ctx, requested || slugFrom(name ?? ''), 3);
  if (!requested) return { slug: suggestions[0] ?? '', free: suggestions.length > 0, suggestions };
  return { slug: requested, free: suggestions[0] === requested, suggestions: suggestions.filter((one) => one !== requested) };
}

export const slugInUse = (): never => fail('slug_taken', { fields: { slug: { code: 'taken' } } });
export const isSlugConflict = (error: unknown): boolean => violatedConstraint(error) === 'sites_slug_key' || error instanceof queries.SlugInUse;

export type NewSite = Omit<z.output<typeof SiteInput>, 'starter' | 'copyFrom'>;

/** Creates a site and announces it. Without a requested slug a free one is chosen; a requested slug that is taken is refused. */
export async function createSite(ctx: Context, input: NewSite, by: { readonly actor: Actor; readonly demo?: boolean }): Promise<SiteRecord> {
  if (!isTimeZone(input.timeZone)) failField('timeZone', 'not_a_time_zone');
  if (!isKnownLanguage(input.defaultLang)) failField('defaultLang', 'pattern');
  if (input.purpose === 'external' && input.url === null) failField('url', 'required');
  if (input.slug !== undefined && isReserved(input.slug)) failField('slug', 'reserved');
  const now = new Date(ctx.now());
  const maker = by.actor.kind === 'system' ? null : by.actor.id;
  for (let attempt = 0; ; attempt++) {
    const slug = input.slug ?? (await freeSlugs(ctx, slugFrom(input.name), 1))[0] ?? makeSiteId();
    try {
      const site = await ctx.postgres.db.transaction(async (tx) => {
        // The pages of an external site exist already.
        const state = input.purpose === 'external' ? 'published' : 'draft';
        const row = { ...input, id: makeSiteId(), slug, state, openState: state, demo: by.demo ?? false, createdBy: maker, createdAt: now } as const;
        await queries.claimSlug(tx, slug, null, now);
        const created = await queries.insertSite(tx, row);
        if (maker !== null) await queries.grant(tx, created.id, maker, 'admin', now);
        await record(ctx, tx, by.actor, {
          action: 'site.created',
          ...about(created),
          after: { name: created.name, slug, purpose: created.purpose, url: created.url },
        });
        return created;
      });
      announce(ctx, site.id, 'added');
      return site;
    } catch (error) {
      if (!isSlugConflict(error)) throw error;
      if (input.slug !== undefined) slugInUse();
      // Another request took the free slug in the meantime.
      if (attempt >= 5) throw error;
    }
  }
}

/** The states from which each move is possible. Deleting additionally requires typing the name. A draft becomes published by its first release only. */
const sources: Readonly<Record<SiteMove | 'deleted', readonly SiteState[]>> = {
  open: ['suspended', 'archived', 'deleted'],
  published: ['maintenance'],
  maintenance: ['published'],
  suspended: [...openStates, 'archived'],
  archived: openStates,
  deleted: [...openStates, 'suspended', 'archived'],
};

/** Only managers suspend a site or end that, also by restoring it. A site that was deleted while suspended is suspended again. */
function stateAfter(site: SiteRecord, to: SiteMove | 'deleted', maySuspend: boolean): SiteState {
  if (!sources[to].includes(site.state)) fail('bad_transition');
  if ((to === 'suspended' || site.state === 'suspended') && !maySuspend) fail('forbidden');
  // Pages of external sites are hosted elsewhere.
  if (to === 'maintenance' && site.purpose === 'external') fail('bad_transition');
  if (to !== 'open') return to;
  return site.state === 'deleted' && site.suspendedAt !== null ? 'suspended' : site.openState;
}

/** Since when and why a site is suspended. In the bin it remains known, because restoring ends no suspension. */
function suspensionAfter(before: SiteRecord, state: SiteState, now: Date, reason: string | null): Pick<SiteRecord, 'suspendedAt' | 'suspendedReason'> {
  const { suspendedAt, suspendedReason } = before;
  if (state === 'suspended') return { suspendedAt: suspendedAt ?? now, suspendedReason: reason ?? suspendedReason };
  return state === 'deleted' ? { suspendedAt, suspendedReason } : { suspendedAt: null, suspendedReason: null };
}

/** Tags as the audit log records them. */
export const tagNames = (tags: SiteRecord['tags']): string => tags.map(({ name }) => name).join(', ');

/** Changes the state of a site, moves it to the bin, or restores it. Throws `bad_transition`, and `forbidden` for what only managers may do. */
export async function moveSite(
  ctx: Context,
  id: string,
  to: SiteMove | 'deleted',
  { actor, maySuspend, reason = null }: { readonly actor: Actor; readonly maySuspend: boolean; readonly reason?: string | null },
): Promise<SiteRecord> {
  const now = new Date(ctx.now());
  const site = await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.lockSite(tx, id)) ?? fail('not_found');
    const state = stateAfter(before, to, maySuspend);
    const moved = await queries.moveSite(tx, id, {
      state,
      ...(isOpen(state) && { openState: state }),
      archivedAt: state === 'archived' ? now : null,
      deletedAt: state === 'deleted' ? now : null,
      ...suspensionAfter(before, state, now, reason),
    });
    await record(ctx, tx, actor, {
      action: 'site.moved',
      ...about(moved),
      before: { state: before.state },
      after: { state, ...(reason !== null && { reason }) },
    });
    return moved;
  });
  announce(ctx, id, to === 'deleted' ? 'removed' : 'changed');
  return site;
}

const factsOf = ({ tags, ...site }: SiteRecord) => ({ ...site, tags: tagNames(tags) });

/** Changes a site; null if it has another revision in the meantime. */
export async function changeSite(ctx: Context, id: string, revision: number, change: Partial<SiteRecord>, actor: Actor): Promise<SiteRecord | null> {
  const site = await ctx.postgres.db.transaction(async (tx) => {
    const before = await queries.lockSite(tx, id);
    const changed = await queries.updateSite(tx, id, revision, change);
    if (!before || !changed) return null;
    await record(ctx, tx, actor, {
      action: 'site.changed',
      ...about(changed),
      ...difference(factsOf(before), factsOf(changed), ['name', 'url', 'timeZone', 'identity', 'tags']),
    });
    await noteChanges(ctx, tx, before, changed, actor);
    return changed;
  });
  if (site) announce(ctx, id, 'changed');
  return site;
}

/** Adds annotations to charts for changes that can explain a jump in the figures. */
export async function noteChanges(ctx: Context, tx: Parameters<typeof annotate>[1], before: SiteRecord, after: SiteRecord, actor: Actor): Promise<void> {
  const author = actor.kind === 'person' || actor.kind === 'token' ? actor.id : null;
  for (const [key, kind] of [
    ['timeZone', 'zone_changed'],
    ['url', 'url_changed'],
    ['identity', 'identity_changed'],
  ] as const) {
    if (before[key] === after[key]) continue;
    await annotate(ctx, tx, after.id, { kind, values: { before: before[key] ?? '', after: after[key] ?? '' }, timeZone: after.timeZone, author });
  }
}
