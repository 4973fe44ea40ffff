import { agentsByClass } from '../../../test/fixtures/agentsByClass';
import fc from 'fast-check';
import { deviceOf } from './device';
import { hintsOf } from './hints';

const classes = Object.entries(agentsByClass);
const share = (right: number, all: number): number => right / Math.max(1, all);

test('the user agents are numerous and distinct', () => {
  const agents = classes.flatMap(([, rows]) => rows.map((row) => row[3]));
  expect(new Set(agents).size).toBe(agents.length);
  expect(agents.length).toBeGreaterThanOrEqual(300);
});

/** At least nine in ten of every class: some model names are uninformative and in no table. */
test.each(classes)('at least nine in ten %s have the right type', (_class, rows) => {
  const wrong = rows
    .filter(([type, , , agent]) => deviceOf(agent).deviceType !== type)
    .map(([type, , , agent]) => `${deviceOf(agent).deviceType}, not ${type}: ${agent}`);
  expect({ enough: share(rows.length - wrong.length, rows.length) >= 0.9, wrong: share(rows.length - wrong.length, rows.length) >= 0.9 ? [] : wrong }).toEqual({
    enough: true,
    wrong: [],
  });
});

test.each(classes)('at least nine in ten %s have the right system and browser', (_class, rows) => {
  const compared = rows.flatMap(([, os, browser, agent]) => {
    const device = deviceOf(agent);
    return [
      ...(os === null ? [] : [{ right: device.os === os, mismatch: `${device.os}, not ${os}: ${agent}` }]),
      ...(browser === null ? [] : [{ right: device.browser === browser, mismatch: `${device.browser}, not ${browser}: ${agent}` }]),
    ];
  });
  const wrong = compared.filter(({ right }) => !right).map(({ mismatch }) => mismatch);
  const enough = compared.length === 0 || share(compared.length - wrong.length, compared.length) >= 0.9;
  expect({ enough, wrong: enough ? [] : wrong }).toEqual({ enough: true, wrong: [] });
});

describe('client hints', () => {
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
  const android = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
  const desk = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
  const brands = '"Chromium";v="131", "Not_A Brand";v="24"';
  const sent = (platform: string, more: Record<string, string> = {}, scriptHints: [string, string] | null = null) =>
    hintsOf({ 'sec-ch-ua': brands, 'sec-ch-ua-platform': `"${platform}"`, 'sec-ch-ua-mobile': '?0', ...more }, scriptHints);

  test.each([
    ['15.0.0', '11'],
    ['13.0.0', '11'],
    ['10.0.0', '10'],
    ['', '10'],
  ])('Windows with platform version %s is Windows %s', (version, expectedVersion) => {
    expect(deviceOf(windows, sent('Windows', {}, [version, '']))).toMatchObject({ deviceType: 'desktop', os: 'Windows', osVersion: expectedVersion });
  });

  test('the real version of macOS and Android is used', () => {
    expect(deviceOf(mac, sent('macOS', { 'sec-ch-ua-platform-version': '"15.1.0"' }))).toMatchObject({ os: 'macOS', osVersion: '15.1' });
    expect(deviceOf(android, sent('Android', {}, ['14.0.0', 'Pixel 8']))).toMatchObject({ deviceType: 'mobile', os: 'Android', osVersion: '14.0' });
  });

  test('the model gives the device type when the agent does not', () => {
    expect(deviceOf(android, sent('Android', {}, ['14.0.0', 'SM-X200'])).deviceType).toBe('tablet');
    expect(deviceOf(android, sent('Android', { 'sec-ch-ua-model': '"BRAVIA 4K UR2"' })).deviceType).toBe('tv');
  });

  test('a desktop-mode request of an Android device counts as that device', () => {
    expect(deviceOf(desk, sent('Android', { 'sec-ch-ua-mobile': '?1' }))).toMatchObject({ deviceType: 'mobile', os: 'Android' });
    expect(deviceOf(desk, sent('Android'))).toMatchObject({ deviceType: 'tablet', os: 'Android' });
  });

  test("a browser with Chrome's user agent is named by its brand", () => {
    const brave = { 'sec-ch-ua': '"Brave";v="131", "Chromium";v="131", "Not_A Brand";v="24"' };
    expect(deviceOf(windows, sent('Windows', brave))).toMatchObject({ browser: 'Brave', browserVersion: '131' });
    expect(deviceOf(windows, sent('Windows'))).toMatchObject({ browser: 'Chrome', browserVersion: '131.0' });
  });

  test('unknown hints change nothing and never throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other, third) => {
        const device = deviceOf(windows, hintsOf({ 'sec-ch-ua': one, 'sec-ch-ua-platform': other, 'sec-ch-ua-model': third }, [third, one]));
        expect(device).toMatchObject({ deviceType: 'desktop', os: 'Windows', browser: 'Chrome' });
      }),
    );
  });
});
