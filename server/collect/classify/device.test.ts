import fc from 'fast-check';
import { userAgents } from '../../../test/fixtures/userAgents';
import { botSignals, deviceOf } from './index';
import { isCrawler } from './crawlers';

const browserHeaders = { 'accept-language': 'zh-CN,zh;q=0.9' };

describe('deviceOf', () => {
  test.each(userAgents)('%s, %s %s, %s %s', (deviceType, os, osVersion, browser, browserVersion, agent) => {
    expect(deviceOf(agent)).toEqual({ deviceType, os, osVersion, browser, browserVersion });
  });

  test('returns nothing for a missing agent', () => {
    expect(deviceOf('  ')).toEqual({ deviceType: 'unknown', os: '', osVersion: '', browser: '', browserVersion: '' });
  });

  test('never throws and returns bounded strings', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.stringMatching(/^Mozilla\/5\.0 \([^)]{0,60}\) \S{0,200}$/)), (agent) => {
        const device = deviceOf(agent);
        expect(Object.values(device).every((value) => typeof value === 'string' && value.length <= 500)).toBe(true);
      }),
    );
  });
});

describe('botSignals', () => {
  test.each(userAgents)('%s, %s %s, %s %s: people and programs are told apart', (deviceType, _os, _osVersion, _browser, _browserVersion, userAgent) => {
    const { score } = botSignals({ userAgent, ip: '202.96.128.86', headers: browserHeaders, webdriver: false });
    expect(score >= 90).toBe(deviceType === 'bot');
    if (deviceType !== 'bot') expect(score).toBeLessThan(50);
  });

  test.each([
    ['Toutiao', 'NewsArticle/8.8.6'],
    ['Sogou', 'SogouMSE,SogouMobileBrowser/5.28.13'],
    ['Alipay', 'AlipayDefined(nt:WIFI,ws:390|780|3.0)'],
    ['Taobao', 'TTID/600000@taobao_android_10.4.10'],
  ])('the name %s does not hide a real crawler', (_name, agentToken) => {
    expect(isCrawler(`Mozilla/5.0 ${agentToken}`)).toBe(false);
    expect(isCrawler(`Mozilla/5.0 ${agentToken} (compatible; Bytespider)`)).toBe(true);
  });

  const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
  const person = { userAgent: chrome, ip: '202.96.128.86', headers: browserHeaders, webdriver: false };
  test('lists every reason and treats a driven browser as a program', () => {
    expect(botSignals(person)).toEqual({ score: 0, reasons: [] });
    expect(botSignals({ ...person, webdriver: true })).toEqual({ score: 90, reasons: ['webdriver'] });
    expect(botSignals({ ...person, headers: {} })).toEqual({ score: 50, reasons: ['no_language'] });
    expect(botSignals({ ...person, userAgent: '' })).toEqual({ score: 90, reasons: ['no_agent'] });
    expect(botSignals({ ...person, userAgent: 'Mozilla/5.0 (Foo; Bar) Baz/1.0' })).toEqual({ score: 50, reasons: ['unknown_agent'] });
  });
  test('a cloud address alone is not suspicious', () => {
    const cloud = botSignals({ ...person, ip: '223.5.5.5' });
    expect(cloud.reasons).toEqual(['datacentre']);
    expect(cloud.score).toBeLessThan(50);
    expect(botSignals({ ...person, ip: '223.5.5.5', headers: {} }).score).toBe(80);
  });
  test('never throws, and the score is between 0 and 100', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.boolean(), (userAgent, ip, webdriver) => {
        const { score } = botSignals({ userAgent, ip, headers: {}, webdriver });
        expect(score >= 0 && score <= 100).toBe(true);
      }),
    );
  });
});
