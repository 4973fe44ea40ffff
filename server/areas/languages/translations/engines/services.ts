import { z } from 'zod';
import type { ServiceKind, TextFormat } from '../../../../../contract/languages/translationTerms';
import { fail } from '../../../../http/failure';
import { ConnectRefused, sendRequest } from '../../../../net/publicAddress';
import { readBody } from '../../../../net/readText';
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

const protocols: Readonly<Record<ServiceKind, Protocol>> = { deepl, google, libre };
const timeout = 30_000;
const mostBytes = 8 * 1024 ** 2;

/** Posts JSON to a public address and reads JSON. A refusal of the service is final; anything else may pass by itself. */
async function post(url: URL, { headers, body }: Request, allowNear: boolean, stop: AbortSignal): Promise<unknown> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeout), stop]);
  const text = JSON.stringify(body);
  try {
    const response = await sendRequest(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), 'user-agent': 'Sitewright-Translation/1' },
        body: text,
        signal,
      },
      { allowNear },
    );
    const status = response.statusCode ?? 0;
    const content = await readBody(response, mostBytes, signal);
    if (status >= 200 && status < 300) return JSON.parse(content.toString('utf8')) as unknown;
    return status === 429 || status >= 500 ? fail('engine_unreachable') : fail('engine_refused');
  } catch (error) {
    if (error instanceof SyntaxError) return fail('engine_refused', { cause: error });
    if (error instanceof ConnectRefused) return fail(error.code === 'address_refused' ? 'engine_refused' : 'engine_unreachable', { cause: error });
    throw error;
  }
}

/** A service with its address (null: the usual one) and key. `allowNear`: whether it may be in a private network. */
export function serviceEngine(
  kind: ServiceKind,
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
