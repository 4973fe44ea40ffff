import { isbot } from 'isbot';
import { remember } from './lru';

/**
 * Parts of people's agents that isbot takes for crawlers: Toutiao (`NewsArticle`, `News 8.4.1`), Sogou's browsers (`sogou`),
 * Alipay's screen size (`ws:390|780`, its bare pipe), Taobao's channel (looks like a mail address).
 */
const innocent = /NewsArticle\/[\d.]+|\(News [\d. ]+\)|Sogou(?:MSE|MobileBrowser|Search)\b,?|\bws:\d+\|\d+(?:\|[\d.]+)?|TTID\/\S+/g;

/** The agent names itself as a crawler, a library or a tool. */
export const isCrawler: (userAgent: string) => boolean = remember(10_000, (userAgent) => isbot(userAgent.slice(0, 1000).replace(innocent, '')));
