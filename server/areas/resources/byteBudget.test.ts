import { byteBudget } from './byteBudget';

test('tasks beyond the budget are refused before they begin, until others end', async () => {
  const run = byteBudget(100);
  let end = (): void => undefined;
  const wait = new Promise<string>((resolve) => (end = () => resolve('read')));
  const begun: number[] = [];
  const task = (bytes: number) =>
    run(bytes, () => {
      begun.push(bytes);
      return wait;
    });
  const running = [task(60), task(40)];
  await expect(task(1)).rejects.toMatchObject({ code: 'unavailable' });
  end();
  expect(await Promise.all(running)).toEqual(['read', 'read']);
  // A single larger one runs alone.
  expect(await task(500)).toBe('read');
  expect(begun).toEqual([60, 40, 500]);
});

test('a task that fails returns its bytes', async () => {
  const run = byteBudget(100);
  await expect(run(100, () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(await run(100, () => Promise.resolve('read'))).toBe('read');
});
