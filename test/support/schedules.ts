import { schedules } from '../../server/areas';
import type { Context } from '../../server/context';

/** Runs a schedule of the worker once, by its name. */
export async function runSchedule(ctx: Context, name: string): Promise<void> {
  const schedule = schedules.find((one) => one.name === name);
  if (!schedule) throw new Error(`no schedule ${name}`);
  await schedule.run(ctx);
}
