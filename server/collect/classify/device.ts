import { UAParser } from 'ua-parser-js';
import type { deviceTypes } from '../../../contract/analytics';
import { isCrawler } from './crawlers';
import { remember } from './lru';

export type Device = {
  readonly deviceType: (typeof deviceTypes)[number];
  /** English product names, '' unknown; contract/names.ts has the Chinese ones. Versions are cut to two numbers. */
  readonly os: string;
  readonly osVersion: string;
  readonly browser: string;
  readonly browserVersion: string;
};

/**
 * Apps with a browser inside, and browsers, that the parser takes for something else; the first match wins, so an app
 * comes before the engine it is built on. A group in the pattern is the version.
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
const osNames: Record<string, string> = { 'Mac OS': 'macOS', OpenHarmony: 'HarmonyOS', 'Chromium OS': 'ChromeOS' };
const types: Record<string, Device['deviceType']> = { mobile: 'mobile', tablet: 'tablet', smarttv: 'tv', console: 'tv' };
/** These have no device of their own in an agent: what runs them and is no phone stands on a desk. */
const desktops = new Set(['Windows', 'macOS', 'Linux', 'ChromeOS', 'Ubuntu', 'Debian', 'Fedora', 'FreeBSD', 'OpenBSD', 'Deepin', 'UOS']);
const phones = new Set(['Android', 'iOS', 'HarmonyOS', 'KaiOS', 'Windows Phone', 'BlackBerry']);

const short = (version: string | undefined): string => version?.match(/^\d+(?:\.\d+)?/)?.[0] ?? '';
const unknown: Device = { deviceType: 'unknown', os: '', osVersion: '', browser: '', browserVersion: '' };

/** The device, system and program that an agent string tells of. Never throws; what it does not tell is ''. */
export const deviceOf: (userAgent: string) => Device = remember(10_000, (written) => {
  // 500 is where the parser's own patterns stop being cheap.
  const agent = written.trim().slice(0, 500);
  if (agent === '') return unknown;
  const parsed = new UAParser(agent).getResult();
  const os = osNames[parsed.os.name ?? ''] ?? parsed.os.name ?? '';
  // HarmonyOS 2–4 write Android's version; OpenHarmony (HarmonyOS 5 and later) writes its own.
  const osVersion = os === 'HarmonyOS' && parsed.os.name !== 'OpenHarmony' ? '' : short(parsed.os.version);

  let browser = browserNames[parsed.browser.name ?? ''] ?? parsed.browser.name ?? '';
  // An app that says nothing of itself around Apple's web view.
  if (browser === 'WebKit') browser = os === 'iOS' ? 'iOS WebView' : '';
  let browserVersion = browser === '360 Browser' ? '' : short(parsed.browser.version);
  for (const [pattern, name] of apps) {
    const match = pattern.exec(agent);
    if (!match) continue;
    browser = name;
    browserVersion = short(match[1]);
    break;
  }
  const deviceType = isCrawler(agent) ? 'bot' : (types[parsed.device.type ?? ''] ?? (desktops.has(os) ? 'desktop' : phones.has(os) ? 'mobile' : 'unknown'));
  return { deviceType, os, osVersion, browser, browserVersion };
});
