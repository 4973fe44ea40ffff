import { availabilityNow, readAgentsSeen, readSettingsForVisitors, textsIn } from '../../areas/support';
import type { SupportTexts } from '../../../contract/support/settings';
import type { Context } from '../../context';
import { openSiteCache } from '../siteCache';

const mostSites = 20_000;
/** Heartbeats of agents are no events; one that is this old still tells who is there (`supportLimits.presence`). */
const agentsEvery = 30_000;

export type SettingsNow = Awaited<ReturnType<typeof readSettingsForVisitors>> &
  ReturnType<typeof availabilityNow> & {
    /** The texts in the languages of a chain. */
    readonly textsIn: (chain: readonly string[]) => SupportTexts;
  };

export type VisitorSettings = {
  /** What applies to the visitors of a site now. From memory while it is current: opening a page reads nothing from PostgreSQL. */
  readonly of: (siteId: string) => Promise<SettingsNow>;
  readonly close: () => void;
};

/** Settings of sites in memory, which events of the notify bus refresh. */
export function openVisitorSettings(ctx: Context): VisitorSettings {
  const stored = openSiteCache(ctx, { name: 'support settings', event: 'supportSettings', mostSites, read: (siteId) => readSettingsForVisitors(ctx, siteId) });
  const agents = openSiteCache(ctx, {
    name: 'support agents',
    event: 'supportAgents',
    mostSites,
    refreshEvery: agentsEvery,
    read: (siteId) => readAgentsSeen(ctx, siteId),
  });
  return {
    async of(siteId) {
      const found = await stored.of(siteId);
      const agentsSeen = found.settings.needsAgent ? await agents.of(siteId) : 0;
      return { ...found, ...availabilityNow(found, agentsSeen, ctx.now()), textsIn: (chain) => textsIn(found.settings, chain) };
    },
    close() {
      stored.close();
      agents.close();
    },
  };
}
