import type { Context } from '../context';
import { createAnnouncer } from './announce';
import type { Announcer } from './announce';
import { createBuilder } from './builder';
import type { BuilderOptions, WrittenVisit } from './builder';
import { shardOf, takeLeases } from './leases';
import { handOver } from './queue';
import type { RebuiltSite } from './rebuild';
import type { HitRow } from './row';
import { createSiteRebuilds } from './siteRebuilds';
import type { VisitRules } from './visitRules';
import type { VisitTask } from './visitTasks';

export type ShardVisitsOptions = Pick<BuilderOptions, 'rulesOf'> & {
  /** The same, read from the database: all visits of a site follow its latest rules, whatever this process has cached. */
  readonly latestRulesOf?: (siteId: string) => Promise<VisitRules>;
};

export type ShardVisits = {
  readonly held: () => ReadonlySet<number>;
  /** Works hits into the visits of the shards that are held, and leaves the others to whoever holds theirs. `call`: as for the builder. */
  readonly build: (hits: readonly HitRow[], call: number) => Promise<void>;
  readonly write: (which: 'due' | 'all') => Promise<void>;
  /** As of the builder. */
  readonly writtenBelow: () => number;
  /** The place in the queue of what was last left to others; 0: nothing yet. */
  readonly lastHandedOver: () => number;
  readonly rebuild: (siteId: string) => Promise<RebuiltSite>;
  readonly perform: (task: VisitTask) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The visits of the shards that this process holds, with one thing done at a time. `onWritten` runs in the turn of a writing, after it. */
export async function openShardVisits(ctx: Context, options: ShardVisitsOptions, onWritten: () => Promise<void>): Promise<ShardVisits> {
  const { clickhouse, postgres, log } = ctx;
  const builder = createBuilder(clickhouse, options);
  const announcer = createAnnouncer(ctx.live, ctx.now);
  const inTurn = createTurns();
  let lastHandedOver = 0;

  const write = (which: 'due' | 'all'): Promise<void> =>
    inTurn(async () => {
      announce(announcer, await builder.write(which));
      await onWritten();
    });
  async function forgetSite(siteId: string): Promise<void> {
    announce(announcer, await builder.write('all'));
    builder.forget((one) => one === siteId);
  }
  const sites = createSiteRebuilds(ctx, forgetSite, options.latestRulesOf);

  // Another process may have built visits of these sites since we last knew them.
  const leases = await takeLeases(postgres, log, {
    onGained: (gained) => void inTurn(async () => builder.forget((siteId) => gained.has(shardOf(siteId)))),
    // Whoever holds the shards next begins from what is stored.
    onLost: () => void write('all').catch((error: unknown) => log.warn('visits could not be written when the leases were lost', { error })),
  });

  return {
    held: leases.held,
    write,
    writtenBelow: builder.writtenBelow,
    lastHandedOver: () => lastHandedOver,
    build: (hits, call) =>
      inTurn(async () => {
        const held = leases.held();
        const ours = hits.filter((hit) => held.has(shardOf(hit.site_id)));
        const theirs = hits.filter((hit) => !held.has(shardOf(hit.site_id)));
        if (ours.length > 0) await builder.absorb(ours, call);
        if (theirs.length > 0) lastHandedOver = await handOver(postgres, theirs);
      }),
    rebuild: (siteId) => inTurn(() => sites.rebuild(siteId)),
    perform: (task) =>
      inTurn(async () => {
        await sites.perform(task);
        announcer.add(task.siteId, []);
      }),
    async close() {
      announcer.close();
      await leases.close();
    },
  };
}

/** Work on visits waits for the work before it. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  };
}

function announce(announcer: Announcer, visits: readonly WrittenVisit[]): void {
  const bySite = new Map<string, string[]>();
  for (const { siteId, visitId } of visits) {
    const ids = bySite.get(siteId);
    if (ids === undefined) bySite.set(siteId, [visitId]);
    else ids.push(visitId);
  }
  for (const [siteId, ids] of bySite) announcer.add(siteId, ids);
}
