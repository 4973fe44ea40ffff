import { jobHandlers } from '../../server/areas';
import type { Arrivals } from '../../server/areas/analytics';
import { noArrivals } from '../../server/areas/analytics/arrivals';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { startWorker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
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
