import type { Context } from '../context';
import { rebuildVisits } from './rebuild';
import type { RebuiltSite } from './rebuild';
import { noteBuild } from './visitBuilds';
import type { VisitRules } from './visitRules';
import { eraseDerived, eraseReplaced, finishTask } from './visitTasks';
import type { VisitTask } from './visitTasks';

export type SiteRebuilds = {
  readonly rebuild: (siteId: string) => Promise<RebuiltSite>;
  /** May be done twice (a crash before it is marked); that changes nothing. */
  readonly perform: (task: VisitTask) => Promise<void>;
};

/**
 * Rebuilds whole sites; reports know which sites are being rebuilt. `forgetSite` writes the visits of a site that are in memory and drops them, because
 * the stored ones are about to change.
 */
export function createSiteRebuilds(
  { clickhouse, postgres }: Pick<Context, 'clickhouse' | 'postgres'>,
  forgetSite: (siteId: string) => Promise<void>,
  latestRulesOf?: (siteId: string) => Promise<VisitRules>,
): SiteRebuilds {
  return {
    async rebuild(siteId) {
      await forgetSite(siteId);
      await noteBuild(clickhouse, siteId, 'site', true);
      const rebuilt = await rebuildVisits(clickhouse, siteId, await latestRulesOf?.(siteId));
      await noteBuild(clickhouse, siteId, 'site', false);
      return rebuilt;
    },
    async perform({ id, siteId, visitors }) {
      await forgetSite(siteId);
      await noteBuild(clickhouse, siteId, 'site', true);
      if (visitors === null) {
        const version = Date.now() * 1000;
        await rebuildVisits(clickhouse, siteId, await latestRulesOf?.(siteId), version);
        await eraseReplaced(clickhouse, siteId, version);
      } else await eraseDerived(clickhouse, siteId, visitors);
      await noteBuild(clickhouse, siteId, 'site', false);
      await finishTask(postgres, id);
    },
  };
}
