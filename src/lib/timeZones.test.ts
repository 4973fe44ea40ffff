import { describeTimeZone } from './timeZones';

const summer = new Date('2026-07-01T00:00:00Z');

test('a zone has its localized name and current offset', () => {
  expect(describeTimeZone('Asia/Shanghai', 'zh-CN', summer)).toEqual({ id: 'Asia/Shanghai', name: '中国标准时间', offset: 'UTC+8', minutes: 480 });
  expect(describeTimeZone('Asia/Urumqi', 'zh-CN', summer)).toMatchObject({ name: '乌鲁木齐时间', offset: 'UTC+6' });
  expect(describeTimeZone('Asia/Kathmandu', 'en', summer)).toMatchObject({ name: 'Nepal Time', minutes: 345 });
  expect(describeTimeZone('Nowhere/Else', 'zh-CN', summer)).toEqual({ id: 'Nowhere/Else', name: 'Nowhere/Else', offset: '', minutes: 0 });
});

/** As in a browser without Chinese place names. */
describe('where the browser has only Latin names for a place', () => {
  const parts = Intl.DateTimeFormat.prototype.formatToParts;
  beforeEach(() => {
    jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts').mockImplementation(function (this: Intl.DateTimeFormat, at) {
      const { locale, timeZone } = this.resolvedOptions();
      const place = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
      return locale === 'zh-CN' ? [{ type: 'timeZoneName', value: `${place}时间` }] : parts.call(this, at);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  test.each([
    ['Asia/Urumqi', '乌鲁木齐时间'],
    ['America/Punta_Arenas', '蓬塔阿雷纳斯时间'],
    ['America/Port_of_Spain', 'Port of Spain'],
  ])('%s is not partly Chinese', (id, name) => {
    expect(describeTimeZone(id, 'zh-CN', summer).name).toBe(name);
  });
});
