import { botReasonPoints } from '../../../contract/measuring/schemas';
import type { BotReasonId } from '../../../contract/measuring/schemas';
import { isCrawler } from './crawlers';
import { isDatacentre } from './datacentres';
import { deviceOf } from './device';
import { placeOf } from './place';

/** A signal that a visitor is a bot; the console has the texts. */
export type BotReason = BotReasonId;
/** 0…100: up to 49 human, 50–89 suspected, 90 and more a bot. Stored with its signals; the verdict is determined when reading. */
export type BotSignals = { readonly score: number; readonly reasons: readonly BotReason[] };

/** Points of each signal, which are added up. A cloud address alone is not suspicious: people use VPNs and company gateways. */
const weight: Record<BotReason, number> = botReasonPoints;

/** Network names as in place.ts. */
const clouds = new Set(['阿里云', '腾讯云', '华为云']);

/** Bot signals from the request alone (`headers` in lower case, `webdriver` as reported by the browser). They never cause a hit to be dropped. Never throws. */
export const botSignals = (request: {
  readonly userAgent: string;
  readonly ip: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly webdriver: boolean;
}): BotSignals => {
  const reasons: BotReason[] = [];
  const agent = request.userAgent.trim();
  if (agent === '') reasons.push('no_agent');
  else if (/Headless/i.test(agent) || /Headless/i.test(String(request.headers['sec-ch-ua'] ?? '').slice(0, 300))) reasons.push('headless');
  else if (isCrawler(agent)) reasons.push('agent');
  else {
    const { os, browser } = deviceOf(agent);
    if (os === '' && browser === '') reasons.push('unknown_agent');
  }
  if (request.webdriver) reasons.push('webdriver');
  if (!request.headers['accept-language']) reasons.push('no_language');
  if (clouds.has(placeOf(request.ip).isp) || isDatacentre(request.ip)) reasons.push('datacentre');
  return signalsOf(reasons);
};

const signalsOf = (reasons: readonly BotReason[]): BotSignals => ({
  score: Math.min(
    100,
    reasons.reduce((sum, reason) => sum + weight[reason], 0),
  ),
  reasons,
});

/** The signals plus one that is not visible in the request. */
export const withReason = ({ reasons }: BotSignals, reason: BotReason): BotSignals => signalsOf([...reasons.filter((one) => one !== reason), reason]);
