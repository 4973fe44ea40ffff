import { mayOnSite } from '../../../contract/permissions';
import type { SiteAction } from '../../../contract/permissions';
import type { listEndpoints as endpoints, SitesChange, SitesChanged } from '../../../contract/sites/list';
import type { z } from 'zod';
import { tagKey } from '../../../contract/sites/schemas';
import type { SiteTag } from '../../../contract/sites/schemas';
import { tagLimits } from '../../../contract/sites/terms';
import type { Context } from '../../context';
import type { AccessSource } from '../../http/access';
import { failureResponse } from '../../http/errors';
import { fail } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { record } from '../audit';
import type { Actor } from '../audit';
import * as queries from './queries';
import { about, announce, moveSite, tagNames } from './sites';

type Call = CallOf<typeof endpoints.changeSites>;
type Change = z.output<typeof SitesChange>;

const actions: Readonly<Record<Change['kind'], SiteAction>> = { tags: 'site.rename', move: 'site.archive', pin: 'site.read' };

/** The field belongs to one of several sites, so that no form can show it. */
const tooManyTags = {
  'zh-CN': `标签太多：每个站点最多 ${String(tagLimits.perSite)} 个。`,
  en: `Too many tags: a site can have ${String(tagLimits.perSite)} at most.`,
};

/** The tags of a site after a change, by name. Throws `invalid_fields` if they are too many. */
export function tagsAfter(before: readonly SiteTag[], { add, remove }: { readonly add: readonly SiteTag[]; readonly remove: readonly string[] }): SiteTag[] {
  const gone = new Set([...remove, ...add.map(({ name }) => name)].map(tagKey));
  const at = new Map(add.map((tag) => [tagKey(tag.name), tag]));
  const present = before.flatMap((tag) => {
    const key = tagKey(tag.name);
    const changed = at.get(key);
    at.delete(key);
    return changed ? [changed] : gone.has(key) ? [] : [tag];
  });
  const after = [...present, ...at.values()];
  if (after.length <= tagLimits.perSite) return after;
  return fail('invalid_fields', { fields: { tags: { code: 'too_long', max: tagLimits.perSite } }, message: tooManyTags });
}

/** Tags of one site. Nothing is recorded or announced if they stay the same. */
async function retag(ctx: Context, siteId: string, change: Extract<Change, { kind: 'tags' }>, actor: Actor): Promise<void> {
  const changed = await ctx.postgres.db.transaction(async (tx) => {
    const before = (await queries.lockSite(tx, siteId)) ?? fail('not_found');
    const tags = tagsAfter(before.tags, change);
    if (JSON.stringify(tags) === JSON.stringify(before.tags)) return false;
    const after = (await queries.updateSite(tx, siteId, before.revision, { tags })) ?? fail('conflict');
    await record(ctx, tx, actor, { action: 'site.changed', ...about(after), before: { tags: tagNames(before.tags) }, after: { tags: tagNames(tags) } });
    return true;
  });
  if (changed) announce(ctx, siteId, 'changed');
}

/** Changes each of several sites by itself, in order. A site that the caller does not see fails like one that does not exist. */
export async function changeSites(
  ctx: Context,
  { session, body, request }: Call,
  { accessTo, actor, maySuspend }: { readonly accessTo: AccessSource['site']; readonly actor: Actor; readonly maySuspend: boolean },
): Promise<{ readonly changed: readonly string[]; readonly failed: SitesChanged['failed'] }> {
  const { change } = body;
  const now = new Date(ctx.now());
  const changed: string[] = [];
  const failed: SitesChanged['failed'] = [];

  async function changeOne(siteId: string): Promise<void> {
    const site = await accessTo(session, siteId);
    if (!site || site.row.state === 'deleted') return fail('not_found');
    if (!mayOnSite(site.role, actions[change.kind])) return fail('forbidden');
    if (change.kind === 'pin') {
      await (change.pinned ? queries.pin(ctx.postgres.db, siteId, session.userId, now) : queries.unpin(ctx.postgres.db, siteId, session.userId));
      return;
    }
    if (site.row.state === 'suspended' && !maySuspend) return fail('site_suspended');
    if (change.kind === 'tags') return retag(ctx, siteId, change, actor);
    await moveSite(ctx, siteId, change.to, { actor, maySuspend });
  }

  for (const siteId of new Set(body.siteIds)) {
    try {
      await changeOne(siteId);
      changed.push(siteId);
    } catch (error) {
      const { code, error: text } = failureResponse(error, request, ctx.log).body;
      failed.push({ siteId, code, error: text });
    }
  }
  // Only this person's other tabs need to update.
  if (change.kind === 'pin') ctx.live.publish({ type: 'user', userId: session.userId });
  return { changed, failed };
}
