import { languageLimits } from '../../../contract/languages/terms';
import type { publishingEndpoints as endpoints } from '../../../contract/publishing/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import type { CallOf } from '../../http/route';
import { actorOf } from '../audit';
import { changeLanguages, refuseLanguagePaths } from './languages/change';
import { putPart, readPart, workingParts } from './parts';
import type { PartAuthor } from './parts';
import { refuseSettingValues } from './themes/values';

/** Replaces a part of the working copy. Throws `invalid_fields`, or `stale_revision` with the current part. */
export async function changePart(ctx: Context, call: CallOf<typeof endpoints.changeSitePart>): Promise<{ revision: number }> {
  const { site, params, body, session } = call;
  const author: PartAuthor = { site: site.row, userId: session.userId, actor: actorOf(call) };
  const expected = call.ifMatch();
  if (params.part === 'languages')
    return changeLanguages(ctx, author, { content: readPart('languages', body), confirm: null, days: languageLimits.removedDays }, expected);
  if (params.part === 'settings') {
    const content = readPart('settings', body);
    const parts = await workingParts(ctx.postgres.db, site.row);
    if (parts.settings.revision === expected) await refuseSettingValues(ctx, site.id, parts, content);
  }
  if (params.part === 'routes') await refuseLanguagePaths(ctx, site.row, readPart('routes', body));
  if (!(await putPart(ctx, author, params.part, body, expected))) {
    const current = await workingParts(ctx.postgres.db, { id: site.id, defaultLang: site.row.defaultLang });
    return fail('stale_revision', { current: { revision: current[params.part].revision } });
  }
  return { revision: expected + 1 };
}
