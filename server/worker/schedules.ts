import type { Context } from '../context';
import * as queries from './queries';

/**
 * Something done again and again, by one process at a time. `every` in milliseconds, kept to half a minute; what is done more often than once a minute
 * is kept to five seconds, and waits for none of the others.
 */
export type Schedule = { readonly name: string; readonly every: number; readonly run: (ctx: Context) => Promise<void> };

async function tick(ctx: Context, due: readonly Schedule[], stopping: AbortSignal): Promise<void> {
  for (const schedule of due) {
    if (stopping.aborted) return;
    const now = ctx.now();
    await queries.addSchedule(ctx.postgres.db, schedule.name, new Date(now));
    if (!(await queries.takeSchedule(ctx.postgres.db, schedule.name, new Date(now), new Date(now + schedule.every)))) continue;
    await schedule.run(ctx).catch((error: unknown) => ctx.log.error('A scheduled task failed', { schedule: schedule.name, error }));
  }
}

/** Looks at some schedules again and again, one after the other; returns the way to stop. */
function keepTicking(ctx: Context, some: readonly Schedule[], every: number, stopping: AbortSignal): () => Promise<void> {
  if (some.length === 0) return async () => undefined;
  let ticking: Promise<void> = Promise.resolve();
  let waiting = false;
  const start = (): void => {
    if (waiting) return;
    waiting = true;
    ticking = ticking
      .then(() => {
        waiting = false;
        return tick(ctx, some, stopping);
      })
      .catch((error: unknown) => ctx.log.warn('The schedules could not be looked at', { error }));
  };
  const timer = setInterval(start, every);
  start();
  return () => {
    clearInterval(timer);
    return ticking;
  };
}

const isPrompt = ({ every }: Schedule): boolean => every < 60_000;

/** Runs schedules until the returned function is called, which resolves when none runs any more. */
export function runSchedules(ctx: Context, schedules: readonly Schedule[], stopping: AbortSignal): () => Promise<void> {
  const stops = [
    keepTicking(ctx, schedules.filter(isPrompt), 5000, stopping),
    keepTicking(
      ctx,
      schedules.filter((schedule) => !isPrompt(schedule)),
      30_000,
      stopping,
    ),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
