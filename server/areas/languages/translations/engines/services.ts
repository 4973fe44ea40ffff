import { z } from 'zod';
import type { ServiceKind, SignedKind, TextFormat } from '../../../../../contract/languages/translationTerms';
import { fail } from '../../../../http/failure';
import { callService } from './call';
import type { Batch, Engine } from './engine';

/** Services over HTTP. Each is a protocol: how a request looks, and where the translations are in the response. */

type Request = { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
type Pair = Pick<Batch, 'from' | 'to' | 'texts'> & { readonly format: TextFormat };
type Protocol = {
  readonly most: Engine['most'];
  readonly address: (key: string) => string;
  /** The name of a language; some services name the two sides differently. */
  readonly language: (tag: string, side: 'source' | 'target') => string;
  readonly request: (pair: Pair, key: string) => Request;
  readonly read: (response: unknown) => string[];
};

const isTraditional = (tag: string): boolean => new Intl.Locale(tag).maximize().script === 'Hant';
const languageOf = (tag: string): string => new Intl.Locale(tag).language;

/** developers.deepl.com, “Translate text”. Keys of the free plan end with `:fx`. */
const deepl: Protocol = {
  most: { texts: 50, characters: 50_000 },
  address: (key) => (key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com'),
  language(tag, side) {
    const language = languageOf(tag).toUpperCase();
    if (side === 'source') return language;
    if (language === 'ZH') return isTraditional(tag) ? 'ZH-HANT' : 'ZH-HANS';
    if (language === 'EN') return tag.endsWith('-GB') ? 'EN-GB' : 'EN-US';
    if (language === 'PT') return tag.endsWith('-BR') ? 'PT-BR' : 'PT-PT';
    return language;
  },
  request: ({ from, to, format, texts }, key) => ({
    path: '/v2/translate',
    headers: { authorization: `DeepL-Auth-Key ${key}` },
    body: { text: texts, source_lang: from, target_lang: to, ...(format === 'html' ? { tag_handling: 'html' } : {}) },
  }),
  read: (response) =>
    z
      .object({ translations: z.array(z.object({ text: z.string() })) })
      .parse(response)
      .translations.map(({ text }) => text),
};

/** cloud.google.com/translate, version 2 (“Basic”). The key is in a header, so that it is in no address. */
const google: Protocol = {
  most: { texts: 100, characters: 25_000 },
  address: () => 'https://translation.googleapis.com',
  language: (tag) => (languageOf(tag) === 'zh' ? (isTraditional(tag) ? 'zh-TW' : 'zh-CN') : languageOf(tag)),
  request: ({ from, to, format, texts }, key) => ({
    path: '/language/translate/v2',
    headers: { 'x-goog-api-key': key },
    body: { q: texts, source: from, target: to, format },
  }),
  read: (response) =>
    z
      .object({ data: z.object({ translations: z.array(z.object({ translatedText: z.string() })) }) })
      .parse(response)
      .data.translations.map(({ translatedText }) => translatedText),
};

/** libretranslate.com/docs. Servers of one's own may need no key. */
const libre: Protocol = {
  most: { texts: 25, characters: 10_000 },
  address: () => 'https://libretranslate.com',
  language: (tag) => (languageOf(tag) === 'zh' ? (isTraditional(tag) ? 'zt' : 'zh') : languageOf(tag)),
  request: ({ from, to, format, texts }, key) => ({
    path: '/translate',
    headers: {},
    body: { q: texts, source: from, target: to, format, ...(key === '' ? {} : { api_key: key }) },
  }),
  read: (response) => z.object({ translatedText: z.array(z.string()) }).parse(response).translatedText,
};

export type KeyedKind = Exclude<ServiceKind, SignedKind>;
const protocols: Readonly<Record<KeyedKind, Protocol>> = { deepl, google, libre };

/** Posts JSON to a public address and reads JSON. A refusal of the service is final; anything else may pass by itself. */
async function post(url: URL, { headers, body }: Request, allowNear: boolean, stop: AbortSignal): Promise<unknown> {
  const call = { url, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body), allowNear, stop };
  const { status, json } = await callService(call);
  if (status < 200 || status >= 300) return fail(status === 429 || status >= 500 ? 'engine_unreachable' : 'engine_refused');
  return json ?? fail('engine_refused');
}

/** A service with its address (null: the usual one) and key. `allowNear`: whether it may be in a private network. */
export function serviceEngine(
  kind: KeyedKind,
  { url, key, allowNear }: { readonly url: string | null; readonly key: string; readonly allowNear: boolean },
): Engine {
  const protocol = protocols[kind];
  return {
    kind,
    most: protocol.most,
    supports: (from, to) => protocol.language(from, 'target') !== protocol.language(to, 'target'),
    async translate({ from, to, format, texts, signal }) {
      const request = protocol.request({ from: protocol.language(from, 'source'), to: protocol.language(to, 'target'), format, texts }, key);
      const base = (url ?? protocol.address(key)).replace(/\/+$/, '');
      const response = await post(new URL(base + request.path), request, allowNear, signal);
      let translations: string[];
      try {
        translations = protocol.read(response);
      } catch (error) {
        return fail('engine_refused', { cause: error });
      }
      return translations.length === texts.length ? translations : fail('engine_refused');
    },
  };
}
