import { LiveEvent } from '../../contract/live/schemas';
import { areas, jobHandlers, schedules } from '../../server/areas';

const repeated = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);

test('jobs, schedules and live topics have one owner each', () => {
  const topics = areas.flatMap(({ siteTopics }) => siteTopics ?? []);
  expect(repeated(jobHandlers.map(({ kind }) => kind))).toEqual([]);
  expect(repeated(schedules.map(({ name }) => name))).toEqual([]);
  expect(repeated(topics.map(({ kind }) => kind))).toEqual([]);
  expect(repeated(topics.flatMap(({ events }) => events))).toEqual([]);
});

test('every live event concerns a site’s area or the stream itself', () => {
  const ofAreas = areas.flatMap(({ siteTopics }) => siteTopics ?? []).flatMap(({ events }) => events);
  const ofStream = ['site', 'user', 'sessionEnded', 'job', 'notice'];
  // Only other processes hear of these.
  const ofProcesses = ['countries', 'use'];
  expect([...ofAreas, ...ofStream, ...ofProcesses].toSorted()).toEqual(LiveEvent.options.map(({ shape }) => shape.type.value).toSorted());
});
