import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SignedKind, TextFormat } from '../../../../../contract/languages/translationTerms';
import { fail } from '../../../../http/failure';
import { batchesOf } from './engine';
import type { Batch, Engine } from './engine';
import { callService } from './call';
import { acs3Authorization, tc3Authorization } from './signatures';
import type { AccessKey } from './signatures';

/** Services of cloud providers, whose requests are signed. They take short texts only, so that longer ones are sent in sections. */

type Sections = { readonly from: string; readonly to: string; readonly format: TextFormat; readonly texts: readonly string[] };
type Signed = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
type Reply = { readonly translations: readonly string[] } | { readonly problem: 'refused' | 'busy' };
type Protocol = {
  readonly address: string;
  /** Characters of one section; sections and characters of one call. */
  readonly section: number;
  readonly most: Engine['most'];
  readonly language: (tag: string) => string;
  readonly sign: (key: AccessKey, host: string, sections: Sections, now: number) => Signed;
  readonly read: (json: unknown, count: number) => Reply;
};

const isTraditional = (tag: string): boolean => new Intl.Locale(tag).maximize().script === 'Hant';
const languageOf = (tag: string): string => new Intl.Locale(tag).language;
/** Both call simplified Chinese `zh`. */
const named = (traditional: string) => (tag: string) => (languageOf(tag) === 'zh' && isTraditional(tag) ? traditional : languageOf(tag));

/** help.aliyun.com, “GetBatchTranslate” of version 2018-10-12: 50 texts of 1 000 characters. */
const aliyun: Protocol = {
  address: 'https://mt.cn-hangzhou.aliyuncs.com',
  section: 1000,
  most: { texts: 50, characters: 20_000 },
  language: named('zh-tw'),
  sign(key, host, { from, to, format, texts }, now) {
    const values = {
      FormatType: format,
      SourceLanguage: from,
      TargetLanguage: to,
      ApiType: 'translate_standard',
      SourceText: JSON.stringify(Object.fromEntries(texts.map((text, at) => [String(at), text]))),
    };
    const parameters = new URLSearchParams(values);
    parameters.set('Scene', 'general');
    const body = parameters.toString();
    const headers = {
      host,
      'content-type': 'application/x-www-form-urlencoded',
      'x-acs-action': 'GetBatchTranslate',
      'x-acs-version': '2018-10-12',
      'x-acs-date': new Date(now).toISOString().replace(/\.\d+/, ''),
      'x-acs-signature-nonce': randomBytes(16).toString('hex'),
      'x-acs-content-sha256': createHash('sha256').update(body).digest('hex'),
    };
    return { headers: { ...headers, authorization: acs3Authorization(key, { headers, body }) }, body };
  },
  read(json, count) {
    const { data } = z
      .object({ Code: z.union([z.string(), z.number()]), TranslatedList: z.array(z.object({ index: z.coerce.number(), translated: z.string() })).optional() })
      .safeParse(json);
    if (data === undefined || String(data.Code) !== '200')
      return { problem: /^(?:Throttling|ServiceUnavailable|InternalError)/.test(String(data?.Code)) ? 'busy' : 'refused' };
    const byIndex = new Map(data.TranslatedList?.map(({ index, translated }) => [index, translated]));
    return { translations: Array.from({ length: count }, (_, at) => byIndex.get(at) ?? '') };
  },
};

/** cloud.tencent.com, “TextTranslateBatch” of version 2018-03-21: fewer than 6 000 characters. */
const tencent: Protocol = {
  address: 'https://tmt.tencentcloudapi.com',
  section: 2000,
  most: { texts: 50, characters: 5000 },
  language: named('zh-TW'),
  sign(key, host, { from, to, texts }, now) {
    const body = JSON.stringify({ Source: from, Target: to, ProjectId: 0, SourceTextList: texts });
    const headers = { host, 'content-type': 'application/json; charset=utf-8' };
    const seconds = Math.floor(now / 1000);
    const authorization = tc3Authorization(key, { service: 'tmt', headers, body, seconds });
    const common = { 'x-tc-action': 'TextTranslateBatch', 'x-tc-version': '2018-03-21', 'x-tc-region': 'ap-guangzhou', 'x-tc-timestamp': String(seconds) };
    return { headers: { ...headers, ...common, authorization }, body };
  },
  read(json) {
    const { data } = z
      .object({ Response: z.object({ TargetTextList: z.array(z.string()).optional(), Error: z.object({ Code: z.string() }).optional() }) })
      .safeParse(json);
    const { TargetTextList: translations, Error: error } = data?.Response ?? {};
    if (translations !== undefined && error === undefined) return { translations };
    return { problem: /LimitExceeded$|^InternalError/.test(error?.Code ?? '') ? 'busy' : 'refused' };
  },
};

const protocols: Readonly<Record<SignedKind, Protocol>> = { aliyun, tencent };

/** The id and the secret of a key, which are stored as `id:secret`; null: it has another form. */
export function accessKeyOf(text: string): AccessKey | null {
  const [, id = '', secret = ''] = /^([^\s:]+):([^\s:]+)$/.exec(text) ?? [];
  return id === '' ? null : { id, secret };
}

/** Ends of sentences and words at which a long text is divided. */
const ends = [/\n/g, /[。！？!?]|\.\s/g, /[\s，、；,;]/g] as const;

/** Divides a text into sections of at most `most` characters, which together are the text. */
function sectionsOf(text: string, most: number): string[] {
  const sections: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const head = rest.slice(0, most);
    const at = ends.map((end) => [...head.matchAll(end)].at(-1)).find((found) => found !== undefined);
    // Never between the halves of a character.
    const cut = at === undefined ? most - (/[\uD800-\uDBFF]$/.test(head) ? 1 : 0) : at.index + at[0].length;
    sections.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...sections, rest];
}

/** What is translated, and at odd positions what is not: with `html` tags, which these services translate badly. */
const contentsOf = (text: string, format: TextFormat): string[] => (format === 'html' ? text.split(/(<[^<>]*>)/) : [text]);

type Section = { readonly text: string; readonly put: (translation: string) => void };

/** Sections of texts with a place for each translation; white space around a section stays where it is. */
function divide({ texts, format }: Pick<Batch, 'texts' | 'format'>, most: number): { readonly sections: Section[]; readonly join: () => string[] } {
  const sections: Section[] = [];
  const results = texts.map((text) =>
    contentsOf(text, format).flatMap((content, at) => {
      if (at % 2 === 1) return [{ text: content }];
      return sectionsOf(content, most).map((part) => {
        const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(part) ?? [];
        const result = { text: part };
        if (inner !== '') sections.push({ text: inner, put: (translation) => void (result.text = translation === '' ? '' : before + translation + after) });
        return result;
      });
    }),
  );
  return { sections, join: () => results.map((parts) => parts.map(({ text }) => text).join('')) };
}

type Connection = { readonly url: string | null; readonly key: AccessKey; readonly allowNear: boolean; readonly now: () => number };

/** A service whose requests are signed, with its address (null: the usual one) and key. `allowNear`: whether it may be in a private network. */
export function signedEngine(kind: SignedKind, { url, key, allowNear, now }: Connection): Engine {
  const protocol = protocols[kind];
  const address = new URL(url ?? protocol.address);
  return {
    kind,
    most: { texts: 200, characters: 20_000 },
    supports: (from, to) => protocol.language(from) !== protocol.language(to),
    async translate({ from, to, format, texts, signal }) {
      const { sections, join } = divide({ texts, format }, protocol.section);
      for (const batch of batchesOf(sections, ({ text }) => text.length, protocol.most)) {
        const pair = { from: protocol.language(from), to: protocol.language(to), format, texts: batch.map(({ text }) => text) };
        const { headers, body } = protocol.sign(key, address.host, pair, now());
        const { status, json } = await callService({ url: new URL('/', address), headers, body, allowNear, stop: signal });
        const reply = protocol.read(json, batch.length);
        if ('problem' in reply) return fail(reply.problem === 'busy' || status === 429 || status >= 500 ? 'engine_unreachable' : 'engine_refused');
        if (reply.translations.length !== batch.length) return fail('engine_refused');
        for (const [at, section] of batch.entries()) section.put(reply.translations[at] ?? '');
      }
      return join();
    },
  };
}
