import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

export type ReadPage = {
  readonly title: string;
  readonly body: string;
  readonly description: string;
  readonly seoTitle: string;
  readonly language: string | null;
  readonly siteName: string;
  readonly date: string | null;
  readonly author: string | null;
  readonly cover: string | null;
  readonly canonical: string | null;
  readonly generator: string;
  readonly noindex: boolean;
  /** Addresses of its links, as they are written. */
  readonly links: readonly string[];
};

const short = (text: string | null | undefined, most: number): string => (text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, most);

/** Common parts of pages that are no content, in case the page does not mark what is. */
const surroundings =
  'header, footer, nav, aside, script, style, noscript, template, form, iframe, [role=navigation], [role=banner], [role=contentinfo], .sidebar, .breadcrumb';

/** The content of a page: what it marks as such, else what readability chooses, else everything without what surrounds it. */
function contentOf(document: Document, html: string): string {
  const marked = document.querySelectorAll('main, [role=main], article');
  const [main] = [...marked].filter((one) => !one.parentElement?.closest('main, [role=main], article'));
  if (main && marked.length > 0 && short(main.textContent, 50) !== '') {
    const copy = main.cloneNode(true) as unknown as Element;
    for (const one of copy.querySelectorAll(surroundings)) if (one.tagName !== 'HEADER') one.remove();
    // The title of the record shows it already.
    copy.querySelector('h1')?.remove();
    return copy.innerHTML;
  }
  const article = new Readability(parseHTML(html).document, { maxElemsToParse: 50_000 }).parse();
  if (article?.content) return article.content;
  const { body } = document;
  for (const one of body.querySelectorAll(surroundings)) one.remove();
  body.querySelector('h1')?.remove();
  return body.innerHTML;
}

/** A page as a person sees it, and what it says of itself. */
export function readPage(html: string): ReadPage {
  const { document } = parseHTML(html) as unknown as { readonly document: Document };
  const meta = (...names: readonly string[]): string => {
    for (const name of names) {
      const found = document.querySelector(`meta[name="${name}"], meta[property="${name}"], meta[itemprop="${name}"]`)?.getAttribute('content');
      if (found) return short(found, 1000);
    }
    return '';
  };
  const links = [...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href') ?? '').slice(0, 5000);
  const seoTitle = short(document.querySelector('title')?.textContent, 300);
  const heading = short(document.querySelector('h1')?.textContent, 300);
  const time = document.querySelector('time[datetime]')?.getAttribute('datetime') ?? '';
  const body = document.body ? contentOf(document, html) : '';
  return {
    title: heading || meta('og:title') || seoTitle,
    body,
    description: meta('description', 'og:description'),
    seoTitle,
    language: document.documentElement?.getAttribute('lang') || null,
    siteName: meta('og:site_name') || '',
    date: meta('article:published_time', 'datePublished', 'date') || time || null,
    author: meta('author', 'article:author') || null,
    cover: meta('og:image') || null,
    canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? null,
    generator: meta('generator'),
    noindex: /noindex/i.test(meta('robots')),
    links,
  };
}
