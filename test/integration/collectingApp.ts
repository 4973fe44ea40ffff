import type { MeasuringSettings } from '../../contract/measuring/schemas';
import { jobHandlers } from '../../server/areas';
import type { Arrivals } from '../../server/areas/analytics';
import { noArrivals } from '../../server/areas/analytics/arrivals';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { startWorker } from '../../server/worker';
import { dataOf, makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { makeFolder } from './collectSupport';

export type CollectingApp = {
  readonly program: TestApp;
  readonly owner: Person;
  readonly collector: Collector;
  readonly close: () => Promise<void>;
};

/** The app with its owner, a worker, and a collector that also accepts posts to `…/als/hits`. */
export async function openCollectingApp(): Promise<CollectingApp> {
  const folder = await makeFolder();
  const arrivals: { -readonly [K in keyof Arrivals]: Arrivals[K] } = { ...noArrivals };
  const program = await makeTestApp({ config: { dataDir: folder.dataDir }, prepare: (app) => void app.decorate('arrivals', arrivals) });
  const collector = await startCollector(program.ctx, { gatherMs: 0 });
  arrivals.acceptFromServer = collector.acceptFromServer;
  const worker = startWorker(program.ctx, jobHandlers, [], { pollEvery: 50 });
  return {
    program,
    owner: await program.signUpOwner(),
    collector,
    async close() {
      await worker.close();
      await collector.close();
      await program.close();
      await folder.remove();
    },
  };
}

/** Settings as they are sent back to be changed. */
export const settingsBody = ({ revision: _revision, tag: _tag, updatedAt: _at, ...rest }: MeasuringSettings) => rest;

/** Calls on the analytics of the current site, and on its measuring settings, which are changed as the console does: all of them, with their revision. */
export function measuringCalls(siteId: () => string) {
  const path = (rest: string): string => `/api/site/${siteId()}/als/${rest}`;
  const readSettings = async (by: Browser): Promise<MeasuringSettings> => dataOf(await by.get(path('settings')));
  async function changeSettings(by: Browser, more: Partial<MeasuringSettings>) {
    const before = await readSettings(by);
    return by.send('PUT', path('settings'), { ...settingsBody(before), ...more }, { 'if-match': `"${before.revision}"` });
  }
  return { path, readSettings, changeSettings };
}
