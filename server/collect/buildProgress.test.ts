import { makeHit } from '../../test/oracle/traffic';
import { createBuildProgress } from './buildProgress';
import { createSiteQueue } from './siteQueue';

const started = () => {
  const queue = createSiteQueue();
  const builder = { writtenBelow: Number.POSITIVE_INFINITY };
  const progress = createBuildProgress(queue, () => builder.writtenBelow);
  const workIn = (call: number): void => progress.finish(queue.next(Number.POSITIVE_INFINITY)!, call);
  return { queue, builder, progress, workIn };
};

it('hits are settled when the visits of their call are written', () => {
  const { queue, builder, progress, workIn } = started();
  const number = queue.push([makeHit({})]);
  expect(progress.settledBelow()).toBe(number);
  builder.writtenBelow = 1;
  workIn(1);
  expect(progress.settledBelow()).toBe(number);
  builder.writtenBelow = 2;
  expect(progress.settledBelow()).toBe(Number.POSITIVE_INFINITY);
});

it('hits of another process are dropped once, when they are settled', async () => {
  const { queue, progress, workIn } = started();
  const dropped: number[][] = [];
  const drop = async (ids: number[]): Promise<void> => void dropped.push(ids);
  progress.assign(queue.push([makeHit({})]), [7]);
  await progress.dropSettled(drop);
  expect(dropped).toEqual([]);
  workIn(1);
  await progress.dropSettled(drop);
  await progress.dropSettled(drop);
  expect(dropped).toEqual([[7]]);
  expect(progress.assignedIds()).toEqual([]);
});
