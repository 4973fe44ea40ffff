import type { FieldCode } from '../errors';
import type { VerificationMethod, VerificationService } from './terms';

/** What services expect as a proof that somebody controls a site: one exact file, or a meta element in the head of its pages. */

type Rule = {
  /** Name of the meta element; null: the service has none. */
  readonly meta: string | null;
  /** Exact names of files, without a slash; null: the service has none. */
  readonly file: RegExp | null;
  /** Content of the file where the service derives it from the name. */
  readonly content?: (name: string) => string;
};

export const verificationRules: Readonly<Record<VerificationService, Rule>> = {
  google: { meta: 'google-site-verification', file: /^google[\da-f]{16}\.html$/, content: (name) => `google-site-verification: ${name}` },
  bing: { meta: 'msvalidate.01', file: /^BingSiteAuth\.xml$/ },
  baidu: { meta: 'baidu-site-verification', file: /^baidu_verify_[\w-]{4,64}\.html$/ },
  yandex: { meta: 'yandex-verification', file: /^yandex_[\da-f]{16}\.html$/ },
  so360: { meta: '360-site-verification', file: /^[\da-f]{32}\.txt$/ },
  sogou: { meta: 'sogou_site_verification', file: /^sogousiteverification\.txt$/ },
  shenma: { meta: 'shenma-site-verification', file: /^shenma-site-verification\.txt$/ },
  toutiao: { meta: 'bytedance-verification-code', file: /^ByteDanceVerify\.html$/ },
  naver: {
    meta: 'naver-site-verification',
    file: /^naver[\da-f]{32}\.html$/,
    content: (name) => `naver-site-verification: ${name}`,
  },
  pinterest: { meta: 'p:domain_verify', file: /^pinterest-[\da-z]{4,40}\.html$/ },
  wechat: { meta: null, file: /^(?:MP|WW)_verify_[\dA-Za-z]{8,40}\.txt$/ },
};
const services = Object.keys(verificationRules) as VerificationService[];

/** Characters of a file, and of the content of a meta element. */
export const verificationSizes = { file: 4000, meta: 200 } as const;
const token = /^[\w+/=:.~-]+$/;
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

export type ProofInput = { readonly service: VerificationService; readonly method: VerificationMethod; readonly name: string; readonly content: string };

/** The service whose file has this name. */
export const serviceOfFile = (name: string): VerificationService | null => services.find((one) => verificationRules[one].file?.test(name)) ?? null;

const attribute = (element: string, name: string): string | null =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
    .exec(element)
    ?.slice(1)
    .find((value) => value !== undefined) ?? null;

/** Reads a pasted meta element; null if the text is none. `service`: null for a name that no service uses. */
export function readMetaElement(text: string): { readonly service: VerificationService | null; readonly name: string; readonly content: string } | null {
  const [element] = /<meta\s[^>]*>/i.exec(text.slice(0, 2000)) ?? [];
  if (element === undefined) return null;
  const name = attribute(element, 'name') ?? attribute(element, 'property');
  const content = attribute(element, 'content');
  if (name === null || content === null) return null;
  return { service: services.find((one) => verificationRules[one].meta === name.toLowerCase()) ?? null, name, content };
}

export type CompletedProof = ProofInput | { readonly field: 'name' | 'content'; readonly code: FieldCode };

/**
 * Completes what a person entered: takes the content out of a pasted meta element, and derives names and contents that the service determines. Returns the field
 * that is wrong otherwise.
 */
export function completeProof({ service, method, name, content }: ProofInput): CompletedProof {
  const rule = verificationRules[service];
  if (method === 'meta') {
    if (rule.meta === null) return { field: 'name', code: 'unknown' };
    const pasted = readMetaElement(content);
    if (pasted && pasted.service !== service) return { field: 'content', code: 'pattern' };
    const value = (pasted?.content ?? content).trim();
    if (value === '') return { field: 'content', code: 'required' };
    if (value.length > verificationSizes.meta) return { field: 'content', code: 'too_long' };
    return token.test(value) ? { service, method, name: rule.meta, content: value } : { field: 'content', code: 'pattern' };
  }
  const file = name.trim().replace(/^\//, '');
  if (!rule.file?.test(file)) return { field: 'name', code: file === '' ? 'required' : 'pattern' };
  if (rule.content) return { service, method, name: file, content: rule.content(file) };
  const text = content.trim();
  if (text === '') return { field: 'content', code: 'required' };
  if (text.length > verificationSizes.file) return { field: 'content', code: 'too_long' };
  return control.test(text) ? { field: 'content', code: 'forbidden_characters' } : { service, method, name: file, content: text };
}
