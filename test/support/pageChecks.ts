import { HtmlValidate } from 'html-validate';
import type { ConfigData } from 'html-validate';
import { SaxesParser } from 'saxes';

/** What delivered pages have to satisfy. */
export const pageRules = {
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // How the source is written is a matter of taste.
    'attribute-boolean-style': 'off',
    'no-trailing-whitespace': 'off',
    'doctype-style': 'off',
    'void-style': 'off',
    'no-inline-style': 'error',
    // The program writes the title, whose length is content.
    'long-title': 'off',
    // Styles and scripts are of the site itself.
    'require-sri': 'off',
  },
} satisfies ConfigData;
const validator = new HtmlValidate(pageRules);

/** What is wrong with the HTML of a delivered page. */
export async function htmlProblems(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, line, message }) => `${line}: ${ruleId} ${message}`));
}

type XmlElement = {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
};

/** The root of a document. Throws if it is not well-formed. */
function readXml(xml: string): XmlElement {
  const root: XmlElement = { name: '', namespace: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]));
    const element: XmlElement = { name: local, namespace: uri, attributes: values, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return root.children[0] ?? root;
}

/** An absolute address in the characters of RFC 3986. */
const isAddress = (text: string): boolean => /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(text) && text.length <= 2048 && URL.canParse(text);
/** RFC 3339, which is a W3C date and time too. */
const isMoment = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text));

/** Children of a namespace that are in `counts` as often as it says, and no others. */
function countProblems({ name, children }: XmlElement, namespace: string, counts: Readonly<Record<string, readonly [least: number, most: number]>>): string[] {
  const own = children.filter((child) => child.namespace === namespace);
  const unknown = own.filter((child) => !(child.name in counts)).map((child) => `${child.name} in ${name}`);
  const wrong = Object.entries(counts).flatMap(([key, [least, most]]) => {
    const count = own.filter((child) => child.name === key).length;
    return count < least || count > most ? [`${count} times ${key} in ${name}`] : [];
  });
  return [...unknown, ...wrong];
}
const valueProblems = ({ name, children }: XmlElement, key: string, isValid: (text: string) => boolean): string[] =>
  children.filter((child) => child.name === key && !isValid(child.text)).map(({ text }) => `${name}: ${key} ${text}`);

const sitemaps = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const xhtml = 'http://www.w3.org/1999/xhtml';
const sitemapImages = 'http://www.google.com/schemas/sitemap-image/1.1';
const mostAddresses = 50_000;

/** What the schemas of the sitemap protocol (`sitemap.xsd`, `siteindex.xsd`) refuse in a sitemap or an index. Their license does not allow a copy here. */
export function sitemapProblems(xml: string): string[] {
  const root = readXml(xml);
  const entry = root.name === 'sitemapindex' ? 'sitemap' : 'url';
  const order = ['loc', 'lastmod'];
  const isRoot = root.namespace === sitemaps && (root.name === 'urlset' || root.name === 'sitemapindex');
  return [
    ...(isRoot ? [] : [`root ${root.name} of ${root.namespace}`]),
    ...countProblems(root, sitemaps, { [entry]: [1, mostAddresses] }),
    ...root.children.flatMap((one) => {
      const own = one.children.filter(({ namespace }) => namespace === sitemaps).map(({ name }) => name);
      const links = one.children.filter(({ namespace }) => namespace !== sitemaps && namespace !== sitemapImages);
      const images = one.children.filter(({ namespace }) => namespace === sitemapImages);
      return [
        ...countProblems(one, sitemaps, { loc: [1, 1], lastmod: [0, 1] }),
        ...(own.join() === order.filter((name) => own.includes(name)).join() ? [] : [`order ${own.join()}`]),
        ...countProblems(one, sitemapImages, { image: [0, 1000] }),
        ...images.flatMap((image) => [...countProblems(image, sitemapImages, { loc: [1, 1] }), ...valueProblems(image, 'loc', isAddress)]),
        ...valueProblems(one, 'loc', isAddress),
        ...valueProblems(one, 'lastmod', isMoment),
        ...links
          .filter(({ name, namespace, attributes }) => {
            const isAlternate = namespace === xhtml && name === 'link' && attributes['rel'] === 'alternate';
            return !isAlternate || !isAddress(attributes['href'] ?? '') || !/^(?:[A-Za-z]{2,3}(?:-\w+)*|x-default)$/.test(attributes['hreflang'] ?? '');
          })
          .map(({ name, attributes }) => `${name} ${JSON.stringify(attributes)}`),
      ];
    }),
  ];
}

const atom = 'http://www.w3.org/2005/Atom';
const many = Number.MAX_SAFE_INTEGER;
/** Elements of Atom that the program writes, and how often RFC 4287 allows them. */
const ofFeed = { id: [1, 1], title: [1, 1], updated: [1, 1], author: [1, many], link: [1, many], entry: [0, many] } as const;
const ofEntry = { id: [1, 1], title: [1, 1], updated: [1, 1], published: [0, 1], summary: [0, 1], content: [0, 1], link: [1, many] } as const;

/** Links need a relation once for each type, and an absolute address. */
function linkProblems({ name, children }: XmlElement, needed: readonly string[]): string[] {
  const links = children.filter((child) => child.name === 'link').map(({ attributes }) => attributes);
  const relations = links.map(({ rel = 'alternate', type = '' }) => `${rel} ${type}`.trim());
  return [
    ...needed.filter((rel) => links.every((link) => link['rel'] !== rel)).map((rel) => `${name}: no link ${rel}`),
    ...relations.filter((relation, at) => relations.indexOf(relation) !== at).map((relation) => `${name}: two links ${relation}`),
    ...links.filter(({ href = '' }) => !isAddress(href)).map(({ href = '' }) => `${name}: link ${href}`),
  ];
}

/** What RFC 4287 refuses in an Atom feed; names of elements that the program does not write are refused too. */
export function atomProblems(xml: string): string[] {
  const root = readXml(xml);
  const entries = root.children.filter(({ name }) => name === 'entry');
  const ids = entries.flatMap(({ children }) => children.filter(({ name }) => name === 'id').map(({ text }) => text));
  return [
    ...(root.name === 'feed' && root.namespace === atom ? [] : [`root ${root.name} of ${root.namespace}`]),
    ...countProblems(root, atom, ofFeed),
    ...linkProblems(root, ['self', 'alternate']),
    ...root.children.filter(({ name }) => name === 'author').flatMap((author) => countProblems(author, atom, { name: [1, 1] })),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `two entries ${id}`),
    ...entries.flatMap((entry) => [
      ...countProblems(entry, atom, ofEntry),
      ...linkProblems(entry, ['alternate']),
      ...entry.children
        .filter(({ name, attributes }) => name === 'content' && attributes['type'] !== 'html')
        .map(({ attributes }) => `content ${JSON.stringify(attributes)}`),
    ]),
    ...[root, ...entries].flatMap((one) => [
      ...valueProblems(one, 'id', isAddress),
      ...valueProblems(one, 'title', (text) => text.trim() !== ''),
      ...valueProblems(one, 'updated', isMoment),
      ...valueProblems(one, 'published', isMoment),
    ]),
  ];
}
