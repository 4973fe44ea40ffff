import { createLog } from '../log';
import { startSender } from './outbox';
import type { Attempt, SenderOptions } from './outbox';

const ctx = { log: createLog('silent'), now: Date.now, postgres: { listen: () => Promise.resolve(() => Promise.resolve()) } } as never;
const start = (takeDue: SenderOptions['takeDue'], more: Partial<SenderOptions> = {}) =>
  startSender(ctx, { channel: 'test', atOnce: 2, pollEvery: 20, graceFor: 50, takeDue, ...more });
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

test("concurrent messages never exceed the sender's limit", async () => {
  const waiting = Array.from({ length: 7 }, (_, i) => i);
  let [underWay, most] = [0, 0];
  const attempt: Attempt = async () => {
    most = Math.max(most, (underWay += 1));
    await after(5);
    underWay -= 1;
    return null;
  };
  const sender = start(async (capacity, begin) => {
    const batch = waiting.splice(0, capacity());
    for (const _ of batch) begin(attempt);
    return batch.length > 0;
  });
  while (waiting.length > 0) await after(5);
  await sender.close();
  expect([most, underWay]).toEqual([2, 0]);
});

test('the next attempt starts when due, without waiting for the poll', async () => {
  const at: number[] = [];
  const sender = start(
    async (_capacity, begin) => {
      if (at.length === 0) begin(async () => at.push(Date.now()) && Date.now() + 60);
      else if (at.length === 1 && Date.now() - (at[0] ?? 0) >= 60) at.push(Date.now());
      return false;
    },
    { pollEvery: 60_000 },
  );
  while (at.length < 2) await after(10);
  await sender.close();
  expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(60);
});

test('closing aborts unfinished messages after the grace period', async () => {
  let begun = false;
  const sender = start(async (_capacity, begin) => {
    if (begun) return false;
    begun = true;
    begin(() => new Promise((resolve) => sender.cut.addEventListener('abort', () => resolve(null))));
    return true;
  });
  while (!begun) await after(5);
  await sender.close();
  expect([sender.isStopping(), sender.cut.aborted]).toEqual([true, true]);
});
