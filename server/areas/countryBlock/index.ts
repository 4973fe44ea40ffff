import type { FastifyInstance } from 'fastify';
import { countryBlockEndpoints as endpoints } from '../../../contract/countryBlock/schemas';
import type { DatabaseProblem } from '../../../contract/countryBlock/terms';
import type { Context } from '../../context';
import { route } from '../../http/route';
import { DAY, HOUR } from '../../zone';
import type { Area } from '../area';
import { refreshCrawlerRanges } from './crawlerRanges';
import { watchCountryDatabase } from './databaseNotices';
import { updateDatabaseIfDue, updateDatabaseNow, updateJob } from './databaseUpdate';
import { exportBlocked, listBlocked, summarizeBlocked } from './log';
import { previewRule, testRule } from './preview';
import { databaseProblem } from './prepareRule';
import { refreshTorExits } from './torExits';
import { activeRule, changeRule, listVersions, mergeNetworks, readRule, restoreRule } from './rules';

export { claimedCrawler, createBotVerifier } from './bots';
export { openCrawlerRanges } from './crawlerRanges';
export { blockedBetween, storeBlocked } from './log';
export type { LoggedRequest } from './log';
export { countryFor, prepareRule } from './prepareRule';
export type { PreparedRule, RuleDecision } from './prepareRule';
export { activeRule, forgetRuleLanguage, installRule } from './rules';

/** Why the rule of a site has no effect; null: it has, or there is none. */
export async function ruleProblem(ctx: Context, siteId: string): Promise<DatabaseProblem | null> {
  const active = await activeRule(ctx, siteId);
  return active?.rule.enabled ? databaseProblem(ctx.countries.database(), ctx.now()) : null;
}

function register(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.countryRule, (call) => readRule(ctx, call));
  route(app, ctx, endpoints.changeCountryRule, (call) => changeRule(ctx, call));
  route(app, ctx, endpoints.countryRuleVersions, (call) => listVersions(ctx, call));
  route(app, ctx, endpoints.restoreCountryRule, (call) => restoreRule(ctx, call));
  route(app, ctx, endpoints.previewCountryRule, (call) => previewRule(ctx, call));
  route(app, ctx, endpoints.testCountryRule, (call) => testRule(ctx, call));
  route(app, ctx, endpoints.readNetworks, (call) => mergeNetworks(call));
  route(app, ctx, endpoints.blockedRequests, (call) => listBlocked(ctx, call));
  route(app, ctx, endpoints.blockedSummary, (call) => summarizeBlocked(ctx, call));
  route(app, ctx, endpoints.updateCountryDatabase, (call) => updateDatabaseNow(ctx, call));
  route(app, ctx, endpoints.downloadBlocked, (call) => exportBlocked(ctx, call));
}

export const area: Area = {
  register,
  jobs: [updateJob],
  schedules: [
    { name: 'countryRules.watchDatabase', every: HOUR, run: watchCountryDatabase },
    { name: 'countryRules.updateDatabase', every: HOUR, run: updateDatabaseIfDue },
    { name: 'countryRules.refreshTorExits', every: HOUR, run: refreshTorExits },
    { name: 'countryRules.refreshRanges', every: DAY, run: refreshCrawlerRanges },
  ],
  siteTopics: [{ kind: 'countryBlock', action: 'site.read', events: ['countryBlock'] }],
};
