import { schedules } from '../../server/areas';
import type { Context } from '../../server/context';

/** Runs what the worker does again and again, once, by its name. */
export async function runSchedule(ctx: Context, name: string): Promise<void> {
  const schedule = schedules.find((one) => one.name === name);
  if (!schedule) throw new Error(`no schedule ${name}`);
  await schedule.run(ctx);
}
