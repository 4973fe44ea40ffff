import { isbot } from 'isbot';
import { remember } from './lru';

/**
 * Parts of human user agents that isbot mistakes for crawlers: Toutiao (`NewsArticle`, `News 8.4.1`), Sogou's browsers (`sogou`), Alipay's screen size
 * (`ws:390|780`, its bare pipe), Taobao's channel (resembles a mail address), Instagram's manufacturer name for Pixel phones, Apple TV, Google's own app.
 */
const innocent =
  /NewsArticle\/[\d.]+|\(News [\d. ]+\)|Sogou(?:MSE|MobileBrowser|Search)\b,?|\bws:\d+\|\d+(?:\|[\d.]+)?|TTID\/\S+|; Google; Pixel|^AppleTV\d+,\d+|com\.google\.GooglePlus\/\d+/g;

/** Bots that identify themselves in ways isbot does not know: page tests, previews, scanners, assistants that fetch for their user, monitors. */
const programs =
  /\b(?:GTmetrix|Miniature\.io|Assetnote|Amzn-User|YLT Chrome|Mastodon\/|PTST\/|phantomas\/|vkShare|Y!J-|k6\/\d|HLB\b.*Site24x7|notifyninja|Interactsh|\w+\.oast\.|proximic|Grafana\/|microsoft-flow\/|WebMon\/|Fever\/|PodUptime\/|virustotalcloud|Zao\/|YaK\/|Overcast\/\S+ Podcast Sync|Matomo\/)|^Spotify\/[\d.]+$/i;

/** Televisions, set-top boxes and phones from before 2010, whose agents resemble those of tools: a name and a version, or few words. */
const plainDevices = /\b(?:HbbTV|CE-HTML|NETTV)\/|\b(?:MIDP|CLDC)[-/]?\d|\bWAP(?:[-_ ]?Browser|[12]\.\d)|^Roku/i;
const namesItself = /bot\b|crawl|spider|slurp|seeker|google-|-google|https?:\/\//i;

/** Whether the agent identifies itself as a crawler, a library or a tool. */
export const isCrawler: (userAgent: string) => boolean = remember(10_000, (userAgent) => {
  const agent = userAgent.slice(0, 1000).replace(innocent, '');
  return programs.test(agent) || (plainDevices.test(agent) ? namesItself.test(agent) : isbot(agent));
});
