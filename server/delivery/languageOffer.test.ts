import { runInNewContext } from 'node:vm';
import { preferredLanguage } from '../../contract/languages/tags';
import { offerScript, offerTag } from './languageOffer';
import { languageOffer } from './steps/languageOffer';
import type { Edition, PageContext } from './edition';
import type { Delivery } from './step';

type Element = { readonly name: string; readonly children: Element[]; lang?: string; href?: string; textContent?: string; onclick?: () => void };

/** Runs the script on a page; the bar that it shows, if any. */
function offered(tags: readonly string[], language: string, preferred: readonly string[], stored: Map<string, string> = new Map()): Element | undefined {
  const element = (name: string): Element & { style: object } => {
    const children: Element[] = [];
    return Object.assign({ name, children, style: {} }, { append: (...more: Element[]) => children.push(...more), remove: () => undefined });
  };
  const body = element('body');
  const rows = tags.map((tag) => (tag === language ? { tag } : { tag, href: `https://a.test/${tag}`, text: [`in ${tag}`, 'Close'] }));
  runInNewContext(offerScript, {
    document: { currentScript: { dataset: { language, offers: JSON.stringify(rows) } }, createElement: element, body },
    navigator: { languages: preferred },
    localStorage: { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value) },
  });
  return body.children[0];
}
const tags = ['en', 'zh-Hans', 'zh-Hant', 'pt-BR', 'ja'];

test.each([['zh-TW'], ['zh-CN', 'ja'], ['zh'], ['zh-Hant-HK'], ['fr', 'ja-JP'], ['pt-PT', 'pt-BR'], ['de'], ['en-GB', 'ja'], ['EN']])(
  'a browser that prefers %s %s is offered what the start page would lead to',
  (...preferred) => {
    const expected = preferredLanguage(preferred.filter(Boolean).join(), tags);
    expect(offered(tags, 'en', preferred.filter(Boolean))?.lang ?? 'en').toBe(expected ?? 'en');
  },
);

test('an offer that was dismissed does not come back', () => {
  const stored = new Map<string, string>();
  const bar = offered(tags, 'en', ['ja'], stored);
  expect(bar?.children.map(({ textContent }) => textContent)).toEqual(['in ja', 'Close']);
  bar?.children[1]?.onclick?.();
  expect(offered(tags, 'en', ['ja'], stored)).toBeUndefined();
});

test('only a page that exists in other languages loads the script', () => {
  const context = { preview: false, release: { languageRules: { suggestion: 'banner' } } } as unknown as PageContext;
  const both = new Map([
    ['en', 'https://a.test/'],
    ['ja', 'https://a.test/ja?a="b"'],
  ]);
  const [tag = ''] = offerTag(context, { contentLanguage: 'en', alternates: both });
  expect(tag).toContain('data-language="en" data-offers="[{&quot;tag&quot;:&quot;en&quot;},');
  expect(tag).not.toContain('a="b"');
  expect(offerTag(context, { contentLanguage: 'en', alternates: new Map([['en', 'https://a.test/']]) })).toEqual([]);
  expect(offerTag({ ...context, preview: true }, { contentLanguage: 'en', alternates: both })).toEqual([]);
});

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['', undefined],
])('a browser that accepts "%s" gets the script as %s', async (accept, encoding) => {
  const delivery = { path: '/_l/offer.js', request: { headers: { 'accept-encoding': accept } } } as unknown as Delivery;
  const sent = await languageOffer(delivery, {} as Edition);
  expect(sent?.headers['content-encoding']).toBe(encoding);
  expect(sent?.headers).toMatchObject({ vary: 'accept-encoding', 'content-type': 'text/javascript; charset=utf-8' });
  expect(Buffer.byteLength(sent?.body as Buffer) < offerScript.length / 2).toBe(encoding !== undefined);
});
