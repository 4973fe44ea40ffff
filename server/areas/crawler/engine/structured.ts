import type { PageFacts } from '../../../../contract/crawler/facts';
import { cut } from './textMeasures';

type JsonLd = PageFacts['jsonLd'][number];
const most = 50;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of properties, and those of objects in them, such as `offers.price`. */
function propertiesOf(item: Record<string, unknown>): string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(item)) {
    if (name.startsWith('@')) continue;
    names.push(cut(name, 60));
    const inner = Array.isArray(value) ? value.find(isObject) : value;
    if (isObject(inner)) for (const key of Object.keys(inner)) if (!key.startsWith('@')) names.push(cut(`${name}.${key}`, 120));
  }
  return names.slice(0, 100);
}

const typesOf = (item: Record<string, unknown>): string[] =>
  [item['@type'] ?? []]
    .flat()
    .filter((type): type is string => typeof type === 'string')
    .slice(0, 10)
    .map((type) => cut(type.replace(/^https?:\/\/schema\.org\//, ''), 100));

/** The objects of a block of JSON-LD, those of a `@graph` one by one. */
function itemsOf(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.slice(0, most).flatMap(itemsOf);
  if (!isObject(value)) return [];
  return Array.isArray(value['@graph']) ? value['@graph'].slice(0, most).filter(isObject) : [value];
}

/** What a block of JSON-LD describes; one entry with `error` if it does not parse. */
export function readJsonLd(source: string): JsonLd[] {
  const text = source.replace(/^\s*(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, '').replace(/(?:-->|\/\/\s*\]\]>|\]\]>)\s*$/, '');
  if (text.trim() === '') return [{ types: [], error: 'empty', properties: [] }];
  try {
    return itemsOf(JSON.parse(text)).map((item) => ({ types: typesOf(item), error: null, properties: propertiesOf(item) }));
  } catch (error) {
    return [{ types: [], error: cut(error instanceof Error ? error.message : 'invalid', 200), properties: [] }];
  }
}

const secretKinds = [
  ['aws_key', /\bAKIA[0-9A-Z]{16}\b/],
  ['private_key', /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/],
  ['github_token', /\bgh[opsu]_[A-Za-z0-9]{36}\b/],
  ['github_token', /\bgithub_pat_\w{40,}/],
  ['stripe_key', /\b[sr]k_live_[A-Za-z0-9]{20,}/],
  ['slack_token', /\bxox[abprs]-[A-Za-z0-9-]{20,}/],
  ['google_oauth', /\bGOCSPX-[\w-]{28}/],
  ['npm_token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['aliyun_key', /\bLTAI[A-Za-z0-9]{16,24}\b/],
  ['tencent_key', /\bAKID[A-Za-z0-9]{32}\b/],
] as const;
/** How they begin. Hardly any page has one of these, and to look for texts that begin with a rare character takes next to no time. */
const beginnings = ['AKIA', 'AKID', '-----BEGIN ', 'xox', 'GOCSPX-', 'LTAI'];
const beginningsWithUnderscore = /gh[opsu]_|github_pat_|[sr]k_live_|npm_/;
const mayHaveSecrets = (html: string): boolean =>
  beginnings.some((beginning) => html.includes(beginning)) || (html.includes('_') && beginningsWithUnderscore.test(html));

export function findSecrets(html: string): PageFacts['secrets'] {
  if (!mayHaveSecrets(html)) return [];
  return secretKinds.flatMap(([kind, pattern]) => {
    const found = pattern.exec(html)?.[0];
    return found === undefined ? [] : [{ kind, excerpt: `${found.slice(0, 8)}…${kind === 'private_key' ? '' : found.slice(-2)}` }];
  });
}
