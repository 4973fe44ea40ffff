import { nextCheckIn } from './schedule';

const hour = 3_600_000;

test('a new hostname is checked ever less often, and for a week', () => {
  const times: number[] = [];
  for (let checks = 1; ; checks += 1) {
    const next = nextCheckIn({ active: false, checks, wrongAnswers: 0 });
    if (next === null) break;
    times.push(next);
  }
  const age = times.reduce((sum, ms) => sum + ms, 0);
  expect(times.slice(0, 40).map((ms) => ms / 1000)).toEqual([
    ...Array<number>(5).fill(10),
    ...Array<number>(10).fill(30),
    ...Array<number>(24).fill(300),
    3600,
  ]);
  expect([age >= 7 * 24 * hour, age < 7 * 24 * hour + hour]).toEqual([true, true]);
});

test('a working hostname is checked every six hours, and sooner after a wrong answer', () => {
  const next = (wrongAnswers: number) => nextCheckIn({ active: true, checks: 900, wrongAnswers });
  expect([next(0), next(1), next(2), next(3)]).toEqual([6 * hour, hour / 4, hour / 4, 6 * hour]);
});
