import { UAParser } from 'ua-parser-js';
import { isCrawler } from './crawlers';
import { deviceTypeOf, type DeviceType } from './deviceType';
import { brandIn, noHints, type Hints } from './hints';
import { remember } from './lru';

export type Device = {
  readonly deviceType: DeviceType;
  /** English product names, '' if unknown; contract/names.ts has the Chinese ones. Versions are truncated to two numbers. */
  readonly os: string;
  readonly osVersion: string;
  readonly browser: string;
  readonly browserVersion: string;
};

/**
 * Apps with an embedded browser, and browsers, that the parser misidentifies; the first match wins, so an app comes before the engine it is built on. The
 * capture group is the version.
 */
const apps: readonly (readonly [RegExp, string])[] = [
  [/\bwxwork\/([\d.]+)/i, 'WeCom'],
  [/\bMicroMessenger\/([\d.]+)/i, 'WeChat'],
  [/\bDingTalk\/([\d.]+)/i, 'DingTalk'],
  [/\b(?:Lark|Feishu)\/([\d.]+)/, 'Feishu'],
  [/\bAliApp\(TB\/([\d.]+)/, 'Taobao'],
  [/\bAliApp\(TM\/([\d.]+)/, 'Tmall'],
  [/\bAlipayClient\/([\d.]+)/, 'Alipay'],
  [/\b(?:jdapp|JDAPP);?(?:iPhone|android)?;?([\d.]+)?/, 'JD'],
  [/\bxhs\/([\d.]+)|XHSBaseUA/i, 'Xiaohongshu'],
  [/\bNewsArticle\/([\d.]+)/, 'Toutiao'],
  [/\baweme.*?\bapp_version\/([\d.]+)|\baweme/i, 'Douyin'],
  [/\bKwai\/([\d.]+)/i, 'Kuaishou'],
  [/\bBiliApp\//, 'Bilibili'],
  [/\bZhihuHybrid\b|\bcom\.zhihu\.android\b/, 'Zhihu'],
  [/\bWeibo\b.*?__weibo__([\d.]+)|\bWeibo\b/, 'Weibo'],
  [/\bdoubao\/([\d.]+)/i, 'Doubao'],
  [/\bQQ\/([\d.]+)/, 'QQ'],
  [/\bbaiduboxapp\/([\d.]+)/, 'Baidu App'],
  [/\bSogouSearch\b/, 'Sogou Search'],
  [/\bQuark\/([\d.]+)/, 'Quark'],
  [/\bUC(?:Browser|WEB)\/?([\d.]+)?/, 'UC Browser'],
  // 360 hides its own version behind Chrome's.
  [/\b(?:QHBrowser|QihooBrowser)\/([\d.]+)/, '360 Browser'],
  [/\bQIHU\b|\b360[SE]E\b/, '360 Browser'],
  [/\bMetaSr\b/, 'Sogou Browser'],
  [/\bLBBROWSER\b/, 'Liebao Browser'],
  [/\bTheWorld(?: ([\d.]+))?/, 'TheWorld Browser'],
];

const browserNames: Record<string, string> = {
  QQBrowser: 'QQ Browser',
  QQBrowserLite: 'QQ Browser',
  UCBrowser: 'UC Browser',
  360: '360 Browser',
  Baidu: 'Baidu Browser',
  'Sogou Explorer': 'Sogou Browser',
  'Sogou Mobile': 'Sogou Browser',
  2345: '2345 Browser',
  HeyTap: 'OPPO Browser',
  weibo: 'Weibo',
  IE: 'Internet Explorer',
  'Mobile Safari': 'Safari',
  'Chrome Headless': 'Chrome',
  'Chrome WebView': 'Android WebView',
  'Mobile Firefox': 'Firefox',
};
const osNames: Record<string, string> = {
  'Mac OS': 'macOS',
  OpenHarmony: 'HarmonyOS',
  'Chromium OS': 'ChromeOS',
  WEBOS: 'webOS',
  KAIOS: 'KaiOS',
  'RIM Tablet OS': 'BlackBerry',
};
const types: Record<string, DeviceType> = { mobile: 'mobile', tablet: 'tablet', smarttv: 'tv', console: 'tv' };

const short = (version: string | undefined): string => version?.match(/^\d+(?:\.\d+)?/)?.[0] ?? '';
const unknown: Device = { deviceType: 'unknown', os: '', osVersion: '', browser: '', browserVersion: '' };

/** macOS or iOS derived from the version of Darwin, their kernel; programs that use Apple's network library report no other version. */
function appleSystem(darwin: number, mac: boolean): { readonly os: string; readonly osVersion: string } {
  if (!mac) return { os: 'iOS', osVersion: darwin >= 25 ? String(darwin + 1) : darwin >= 10 ? String(darwin - 6) : '' };
  return { os: 'macOS', osVersion: darwin >= 25 ? String(darwin + 1) : darwin >= 20 ? String(darwin - 9) : darwin >= 9 ? `10.${darwin - 4}` : '' };
}

/** `Instapaper/8.1 CFNetwork/1410.0.3 Darwin/22.6.0`: an app on Apple's systems that fetches without a browser. */
function appleApp(agent: string): Device | null {
  const match = /^([^\s/]+)(?:\/([\w.%-]+))?.*?\bCFNetwork\/[\d.]+ Darwin\/(\d+)/.exec(agent);
  if (!match || match[1] === 'Mozilla') return null;
  const mac = /\((?:x86_64|i386|Power)|\bMac|Macintosh/.test(agent);
  let name = match[1] ?? '';
  try {
    name = decodeURIComponent(name);
  } catch {
    // A name that is not encoded, with a per cent sign in it.
  }
  return {
    deviceType: mac ? 'desktop' : 'mobile',
    ...appleSystem(Number(match[3]), mac),
    browser: name === 'MobileSafari' ? 'Safari' : name.slice(0, 60),
    // Apple's own programs have build numbers in the billions instead of versions.
    browserVersion: /^(?:Mobile)?Safari$|^com\.apple/.test(name) ? '' : short(match[2]),
  };
}

/** The system named in the agent, or in the hints if the agent is frozen. */
function systemOf(
  agent: string,
  parsed: { readonly name?: string | undefined; readonly version?: string | undefined },
  hints: Hints,
): Pick<Device, 'os' | 'osVersion'> {
  // HarmonyOS computers also contain Windows, for sites that look for it.
  const harmony = /\bOpenHarmony(?: ([\d.]+))?/.exec(agent);
  if (harmony) return { os: 'HarmonyOS', osVersion: short(harmony[1]) };
  if (hints.platform === 'Android' && !/\bAndroid|HarmonyOS\b/.test(agent)) return { os: 'Android', osVersion: short(hints.platformVersion) };
  // UC Browser's abbreviation of Android.
  const android = /\bAdr ([\d.]+)/.exec(agent);
  if (android) return { os: 'Android', osVersion: short(android[1]) };
  const os = osNames[parsed.name ?? ''] ?? parsed.name ?? '';
  // HarmonyOS 2–4 report Android's version.
  if (os === 'HarmonyOS') return { os, osVersion: '' };
  const major = Number.parseInt(hints.platformVersion, 10);
  if (os === hints.platform && major > 0) {
    // Windows reports the number of its feature updates here: 13 and more are Windows 11.
    if (os === 'Windows') return { os, osVersion: major >= 13 ? '11' : '10' };
    if (os === 'macOS' || os === 'Android') return { os, osVersion: short(hints.platformVersion) };
  }
  return { os, osVersion: short(parsed.version) };
}

function browserOf(
  agent: string,
  parsed: { readonly name?: string | undefined; readonly version?: string | undefined },
  os: string,
  hints: Hints,
): Pick<Device, 'browser' | 'browserVersion'> {
  for (const [pattern, name] of apps) {
    const match = pattern.exec(agent);
    if (match) return { browser: name, browserVersion: short(match[1]) };
  }
  const browser = browserNames[parsed.name ?? ''] ?? parsed.name ?? '';
  // An app around Apple's web view that does not identify itself.
  if (browser === 'WebKit') return { browser: os === 'iOS' ? 'iOS WebView' : '', browserVersion: short(parsed.version) };
  const brand = browser === 'Chrome' ? brandIn(hints.brands) : null;
  if (brand) return { browser: brand.name, browserVersion: short(brand.version) };
  return { browser, browserVersion: browser === '360 Browser' ? '' : short(parsed.version) };
}

const classify = (agent: string, hints: Hints): Device => {
  const app = appleApp(agent);
  if (app) return isCrawler(agent) ? { ...app, deviceType: 'bot' } : app;
  const parsed = new UAParser(agent).getResult();
  const { os, osVersion } = systemOf(agent, parsed.os, hints);
  const type = (): DeviceType => {
    // The desktop version of a page was requested: the hints still contain the device.
    if (hints.platform === 'Android' && !/\bAndroid\b/.test(agent)) return hints.mobile ? 'mobile' : 'tablet';
    return deviceTypeOf(agent, types[parsed.device.type ?? ''], hints.model || undefined);
  };
  return { deviceType: isCrawler(agent) ? 'bot' : type(), os, osVersion, ...browserOf(agent, parsed.browser, os, hints) };
};

/** Beyond 500 characters the parser's patterns become slow. */
const longestAgent = 500;
const remembered: (key: string) => Device = remember(10_000, (key) => {
  const [agent = '', platform = '', platformVersion = '', model = '', mobile = '', brands = ''] = key.split('\n');
  return classify(agent, { platform, platformVersion, model, mobile: mobile === '1', brands });
});

/** Device, system and browser derived from a user agent string and its hints. Never throws; unknown values are ''. */
export function deviceOf(written: string, hints: Hints = noHints): Device {
  const agent = written.trim().slice(0, longestAgent).replaceAll('\n', ' ');
  if (agent === '') return unknown;
  return remembered([agent, hints.platform, hints.platformVersion, hints.model, hints.mobile ? '1' : '', hints.brands].join('\n'));
}
