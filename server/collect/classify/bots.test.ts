import { userAgents } from '../../../test/fixtures/userAgents';
import { botSignals } from './bots';

const signalsOf = (more: Partial<Parameters<typeof botSignals>[0]>) =>
  botSignals({ userAgent: userAgents[0]?.[5] ?? '', ip: '36.112.24.10', headers: { 'accept-language': 'zh-CN' }, webdriver: false, ...more });

/** Case 12: browsers inside Chinese apps are human. */
test.each(userAgents.filter(([type]) => type !== 'bot').map((one) => [one[3], one[5]] as const))('%s is recognized: %s', (_browser, userAgent) => {
  expect(signalsOf({ userAgent }).score).toBeLessThan(50);
});

test.each(['3.5.140.2', '34.102.136.180', '159.89.1.1', '51.38.1.1', '39.105.1.1', '106.52.1.1', '119.3.1.1', '2a01:4f8::1'])(
  '%s is a datacentre, which alone proves nothing',
  (ip) => {
    expect(signalsOf({ ip })).toEqual({ score: 30, reasons: ['datacentre'] });
  },
);

test('a headless browser is recognized by its brand despite another agent', () => {
  expect(signalsOf({ headers: { 'accept-language': 'en', 'sec-ch-ua': '"HeadlessChrome";v="131", "Chromium";v="131"' } }).reasons).toEqual(['headless']);
});

test("a Pixel in an app's user agent is not a program", () => {
  const agent =
    'Mozilla/5.0 (Linux; Android 13; Pixel 6; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/96.0 Mobile Safari/537.36 Instagram 289.0.0.20.75 Android (33/13; 420dpi; 1080x2201; Google; Pixel 6; oriole; oriole; en_US)';
  expect(signalsOf({ userAgent: agent }).score).toBe(0);
});

test.each(['36.112.24.10', '223.104.3.1', '240e:3a1::1', '203.0.113.9', 'rubbish', ''])('%s is not known to be a datacentre', (ip) => {
  expect(signalsOf({ ip }).reasons).toEqual([]);
});
