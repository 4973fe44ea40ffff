import { vitalsLimits } from '../../../contract/vitals/collect';
import { pathFamily } from '../../../contract/crawler/urlFamily';
import { connectionTypes, largestValue, navigationTypes, subParts, vitalMetrics } from '../../../contract/vitals/terms';
import type { NavigationType, VitalMetric } from '../../../contract/vitals/terms';
import { cleanText } from '../text';
import { readAddress, siteId } from '../validate';

/** A measured value that may be stored. */
export type ValidVital = {
  readonly metric: VitalMetric;
  /** Id of the measurement in the browser. */
  readonly name: string;
  readonly view: string;
  readonly value: number;
  /** Epoch ms by the server's clock. */
  readonly at: number;
  readonly host: string;
  readonly path: string;
  readonly family: string;
  readonly navigation: NavigationType;
  /** JSON of texts and numbers; '' if nothing is known. */
  readonly attribution: string;
};
export type ValidVitals = {
  readonly siteId: string;
  readonly connection: string;
  readonly webdriver: boolean;
  readonly values: readonly ValidVital[];
  readonly refused: readonly number[];
};

type Bag = Readonly<Record<string, unknown>>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const nameOfMetric: ReadonlyMap<unknown, VitalMetric> = new Map(vitalMetrics.map((metric) => [metric.toUpperCase(), metric]));
const known = <T extends string>(list: readonly T[], value: unknown): T | undefined => list.find((one) => one === value);

/** Texts of an attribution that are stored, by metric: the element, or the script. */
const texts: Readonly<Record<VitalMetric, readonly string[]>> = {
  lcp: ['target', 'url'],
  inp: ['interactionTarget', 'interactionType', 'loadState'],
  cls: ['largestShiftTarget', 'loadState'],
  fcp: ['loadState'],
  ttfb: [],
};
const figures: Readonly<Record<VitalMetric, readonly string[]>> = {
  ...subParts,
  inp: [...subParts.inp, 'totalScriptDuration', 'totalStyleAndLayoutDuration', 'totalPaintDuration'],
  cls: ['largestShiftValue', 'largestShiftTime'],
};

/** Text without what may identify a person: addresses lose query and fragment, and pictures inside of them their content. */
const withoutQuery = (text: string): string => (text.startsWith('data:') ? 'data:' : (text.split(/[?#]/, 1)[0] ?? ''));
const stored = (key: string, text: string): string => cleanText(key === 'url' || key === 'scriptUrl' ? withoutQuery(text) : text, vitalsLimits.attributionText);

/** A duration or score of an attribution, within what JSON can store. */
const rounded = (figure: number): number => Math.round(Math.min(vitalsLimits.ageMs, Math.max(0, figure)) * 10_000) / 10_000;

function attributionOf(metric: VitalMetric, found: unknown): string {
  if (!isBag(found)) return '';
  const picked: Record<string, string | number> = {};
  for (const key of texts[metric]) if (typeof found[key] === 'string' && found[key] !== '') picked[key] = stored(key, found[key]);
  for (const key of figures[metric]) if (isNumber(found[key])) picked[key] = rounded(found[key]);
  const script = metric === 'inp' && isBag(found['longestScript']) ? found['longestScript'] : null;
  const entry = script !== null && isBag(script['entry']) ? script['entry'] : null;
  if (script !== null && entry !== null) {
    for (const [key, value] of [
      ['scriptUrl', entry['sourceURL']],
      ['scriptFunction', entry['sourceFunctionName']],
      ['scriptPart', script['subpart']],
    ] as const)
      if (typeof value === 'string' && value !== '') picked[key] = stored(key, value);
    if (isNumber(script['intersectingDuration'])) picked['scriptDuration'] = Math.round(rounded(script['intersectingDuration']));
  }
  return Object.keys(picked).length === 0 ? '' : JSON.stringify(picked);
}

/** null: unknown metric, a value that no page has, or no web page. */
function validValue(value: unknown, receivedAt: number): ValidVital | null {
  if (!isBag(value)) return null;
  const { i, p, n, v, a, l, y, o } = value;
  const metric = nameOfMetric.get(n);
  const navigation = known(navigationTypes, y);
  if (metric === undefined || navigation === undefined || !isNumber(v) || v < 0 || v > largestValue[metric]) return null;
  if (typeof i !== 'string' || !/^[\w-]{8,64}$/.test(i) || typeof p !== 'string' || !/^[0-9a-f]{16}$/.test(p)) return null;
  if (!isNumber(a) || a > vitalsLimits.ageMs || typeof l !== 'string') return null;
  const place = readAddress(l);
  if (place === null) return null;
  return {
    metric,
    name: i,
    view: p,
    value: v,
    at: Math.round(receivedAt - Math.max(0, a)),
    host: place.host,
    path: place.path,
    family: pathFamily(place.path),
    navigation,
    attribution: attributionOf(metric, o),
  };
}

/** Validates the text of one request as described in contract/vitals/collect.ts; null if it is none. Of several values with one id the last counts. */
export function validateVitals(text: string, receivedAt: number): ValidVitals | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isBag(body) || typeof body['s'] !== 'string' || !siteId.test(body['s']) || !Array.isArray(body['h'])) return null;
  if (body['h'].length === 0 || body['h'].length > vitalsLimits.valuesPerRequest) return null;
  const values = new Map<string, ValidVital>();
  const refused: number[] = [];
  body['h'].forEach((one: unknown, index) => {
    const valid = validValue(one, receivedAt);
    if (valid === null) refused.push(index);
    else values.set(valid.metric + valid.name, valid);
  });
  return {
    siteId: body['s'],
    connection: known(connectionTypes, body['c']) ?? '',
    webdriver: body['b'] === true,
    values: [...values.values()],
    refused,
  };
}
