import { schedules } from '../../server/areas';
import type { Context } from '../../server/context';

/** Runs a schedule of the worker once, by its name, `ahead` milliseconds from now. */
export async function runSchedule(ctx: Context, name: string, ahead = 0): Promise<void> {
  const schedule = schedules.find((one) => one.name === name);
  if (!schedule) throw new Error(`no schedule ${name}`);
  await schedule.run(ahead === 0 ? ctx : { ...ctx, now: () => ctx.now() + ahead });
}
