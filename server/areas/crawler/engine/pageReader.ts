import type { PageFacts, PageLink } from '../../../../contract/crawler/facts';
import { emptyFacts } from '../../../../contract/crawler/emptyFacts';
import type { LinkKind, LinkPosition } from '../../../../contract/crawler/terms';
import { parseUrl } from '../../../../contract/parseUrl';
import { noAttributes } from './elements';
import type { Attributes } from './elements';
import { createFields } from './fields';
import type { Fields } from './fields';
import { metaRobots, refreshOf } from './headerFacts';
import { createResolver } from './normalize';
import { createStructure } from './structure';
import { readJsonLd } from './structured';
import type { Tag } from './tags';
import { cut, squeezed } from './textMeasures';

type MutableLink = { -readonly [K in keyof PageLink]: PageLink[K] };
type OpenLink = { readonly link: MutableLink; text: string; readonly attributes: Attributes };

const mostLinks = 5000;
/** Properties of Open Graph and of Twitter cards that a page may have. */
const mostProperties = 100;
/** Elements within one another. The parser takes a time for each element that grows with their number; browsers build at most 512. */
export const deepest = 5000;

/** Thrown at an element that is nested too deep: the rest of the document is not read. */
export class TooDeep extends Error {}

/** Adds a property unless it is there, or there are too many. */
function addProperty(properties: Record<string, string>, name: string, content: string): void {
  const key = cut(name, 60);
  if (Object.hasOwn(properties, key) || Object.keys(properties).length < mostProperties) properties[key] ??= cut(content, 1000);
}
const agents = new Set(['robots', 'googlebot', 'bingbot', 'baiduspider', 'yandex', 'sogou', '360spider', 'bytespider', 'googlebot-news', 'slurp']);
const landmarkRoles = new Map(Object.entries({ navigation: 'nav', banner: 'header', main: 'main', complementary: 'aside', contentinfo: 'footer' }));

/** The part of the page that an element begins; the present one if it begins none. */
function positionOf({ name, isLandmark }: Tag, role: string | undefined, present: LinkPosition): LinkPosition {
  const stated = role === undefined ? undefined : landmarkRoles.get(role);
  if (present === 'nav' || (stated === undefined && !isLandmark)) return present;
  const landmark = stated ?? name;
  if (landmark === 'nav' || landmark === 'aside') return landmark;
  if (landmark === 'main') return 'main';
  // A header of an article belongs to the article.
  if (landmark === 'article') return present === 'other' ? 'main' : present;
  return present === 'other' ? (landmark as 'header' | 'footer') : present;
}

/** The first address of `srcset` that has one. */
const addressesOf = (srcset: string): string[] => srcset.split(/,\s+|,$/).flatMap((candidate) => candidate.trim().split(/\s+/, 1)[0] || []);
const isModern = (text: string | undefined): boolean =>
  text !== undefined && /\.(?:avif|webp)\b|image\/(?:avif|webp)|[?&](?:fm|format)=(?:avif|webp)/i.test(text);
const wholeNumber = (text: string | undefined): number | null => (text !== undefined && /^\d{1,6}/.test(text) ? Number.parseInt(text, 10) : null);

/** Collects what a page contains while its elements are read in order. */
export class PageReader {
  readonly facts: PageFacts = emptyFacts();
  readonly links: MutableLink[] = [];
  readonly structure = createStructure();
  readonly fields: Fields = createFields();
  mainText = '';
  otherText = '';
  noscriptText = 0;
  scripts = 0;
  images = 0;
  private resolve: ReturnType<typeof createResolver>;
  private readonly tags: Tag[] = [];
  private readonly positions: LinkPosition[] = ['other'];
  private quiet = 0;
  /** Elements `noscript` and `svg` that are open. */
  private noscripts = 0;
  private drawings = 0;
  private inBody = false;
  private hasBase = false;
  private inPicture: { modern: boolean } | null = null;
  private link: OpenLink | null = null;
  /** What the text of a title, heading or JSON-LD block is collected for. */
  private collecting: { readonly name: string; text: string } | null = null;
  private readonly seenIds = new Set<string>();
  private position: LinkPosition = 'other';

  private readonly base: URL;
  private readonly charset: string | null;
  private readonly drop: ReadonlySet<string>;

  constructor(base: URL, charset: string | null, drop: ReadonlySet<string>) {
    this.base = base;
    this.charset = charset;
    this.drop = drop;
    this.resolve = createResolver(base, charset, drop);
  }

  private address(written: string): string | null {
    return this.resolve(written)?.url ?? null;
  }

  private add(written: string | undefined, kind: LinkKind, relations = ''): MutableLink | null {
    if (written === undefined || this.links.length >= mostLinks) return null;
    const found = this.resolve(written);
    if (found === null) return null;
    const has = (name: string): boolean => relations !== '' && relations.split(/\s+/).includes(name);
    const link: MutableLink = {
      url: found.url,
      kind,
      position: this.position,
      anchor: '',
      fragment: found.fragment === '' ? '' : cut(found.fragment, 200),
      nofollow: has('nofollow'),
      sponsored: has('sponsored'),
      ugc: has('ugc'),
      written: written === found.url ? null : cut(written, 300),
    };
    this.links.push(link);
    return link;
  }

  open(tag: Tag, attributes: Attributes): void {
    const { facts, tags } = this;
    const { name } = tag;
    if (tags.length >= deepest) throw new TooDeep();
    facts.elements++;
    tags.push(tag);
    if (tags.length > facts.depth) facts.depth = tags.length;
    if (!this.inBody && !tag.isHead) this.inBody = true;
    if (tag.isFraming) this.structure.open(name, attributes['class']);
    const role = attributes === noAttributes ? undefined : attributes['role'];
    const position = positionOf(tag, role, this.position);
    if (position !== this.position) {
      if (position === 'nav') facts.landmarks.nav = true;
      this.position = position;
    }
    if (name === 'main' || role === 'main') facts.landmarks.main = true;
    this.positions.push(position);
    if (name === 'noscript') this.noscripts++;
    else if (name === 'svg') this.drawings++;
    if (tag.isSilent) this.quiet++;
    else if (!tag.isInline && this.quiet === 0) this.separate();
    if (attributes !== noAttributes) {
      const { id } = attributes;
      if (id !== undefined && id !== '') this.note(id);
    }
    this.fields.open(name, attributes);
    this.element(name, attributes);
  }

  private note(id: string): void {
    const { ids, duplicateIds } = this.facts;
    if (this.seenIds.has(id)) {
      if (duplicateIds.length < 20 && !duplicateIds.includes(cut(id, 100))) duplicateIds.push(cut(id, 100));
      return;
    }
    if (this.seenIds.size >= 10_000) return;
    this.seenIds.add(id);
    if (ids.length < 1000) ids.push(cut(id, 200));
  }

  private element(name: string, attributes: Attributes): void {
    switch (name) {
      case 'a':
      case 'area':
        return this.anchor(name, attributes);
      case 'img':
        return this.image(attributes);
      case 'source':
        if (this.inPicture !== null && (isModern(attributes['type']) || isModern(attributes['srcset']))) this.inPicture.modern = true;
        for (const address of addressesOf(attributes['srcset'] ?? '').slice(0, 1)) this.add(address, 'image');
        return void this.add(attributes['src'], 'media');
      case 'picture':
        this.inPicture = { modern: false };
        return;
      case 'meta':
        return this.meta(attributes);
      case 'link':
        return this.linked(attributes);
      case 'base':
        return this.rebase(attributes['href']);
      case 'script':
        this.scripts++;
        if (attributes['src'] !== undefined) this.add(attributes['src'], 'script');
        if ((attributes['type'] ?? '').trim().toLowerCase() === 'application/ld+json') this.collecting = { name, text: '' };
        return;
      case 'iframe':
      case 'frame':
        return void this.add(attributes['src'], 'frame');
      case 'form':
        return this.form(attributes);
      case 'video':
        this.add(attributes['poster'], 'image');
        return void this.add(attributes['src'], 'media');
      case 'audio':
      case 'track':
      case 'embed':
        return void this.add(attributes['src'], 'media');
      case 'html':
        this.facts.htmlLanguage ??= attributes['lang'] === undefined ? null : cut(attributes['lang'].trim(), 60);
        return;
      case 'title':
        if (this.drawings > 0) return;
        if (this.inBody) this.facts.metaInBody = true;
        this.collecting = { name, text: '' };
        return;
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        this.collecting ??= { name, text: '' };
        return;
      default:
    }
  }

  private anchor(name: string, attributes: Attributes): void {
    const { href } = attributes;
    if (attributes['name'] !== undefined && attributes['name'] !== attributes['id'] && attributes['name'] !== '') this.note(attributes['name']);
    if (href === undefined) return;
    this.endLink();
    const link = this.add(href, 'a', attributes['rel']?.toLowerCase());
    if (link === null) return;
    if (name === 'area') link.anchor = cut(squeezed(attributes['alt'] ?? ''), 200);
    else this.link = { link, text: '', attributes };
  }

  private endLink(): void {
    const open = this.link;
    if (open === null) return;
    this.link = null;
    const { attributes } = open;
    const anchor = squeezed(open.text) || squeezed(attributes['aria-label'] ?? '') || squeezed(attributes['title'] ?? '');
    open.link.anchor = cut(anchor, 200);
    if (anchor === '' && attributes['aria-labelledby'] === undefined && attributes['aria-hidden'] !== 'true') this.facts.unnamedControls++;
  }

  private image(attributes: Attributes): void {
    const lazySource = attributes['data-src'] ?? attributes['data-original'];
    const written =
      attributes['src'] !== undefined && !attributes['src'].startsWith('data:')
        ? attributes['src']
        : (lazySource ?? addressesOf(attributes['srcset'] ?? '')[0]);
    const alt = attributes['alt'] ?? null;
    if (this.link !== null && alt !== null) this.link.text += ` ${alt} `;
    this.fields.text(alt ?? '');
    const added = this.add(written, 'image');
    if (added !== null) added.anchor = cut(squeezed(alt ?? ''), 200);
    if (written === undefined || added === null) return;
    this.images++;
    if (this.facts.images.length >= 300) return;
    this.facts.images.push({
      url: added.url,
      alt: alt === null ? null : cut(alt, 300),
      width: wholeNumber(attributes['width']),
      height: wholeNumber(attributes['height']),
      lazy: attributes['loading']?.toLowerCase() === 'lazy',
      position: this.position,
      modern: this.inPicture?.modern === true || isModern(attributes['srcset']) || isModern(written),
    });
  }

  private meta(attributes: Attributes): void {
    const { facts } = this;
    const name = (attributes['name'] ?? '').trim().toLowerCase();
    const property = (attributes['property'] ?? '').trim().toLowerCase();
    const content = attributes['content'] ?? '';
    const equivalent = (attributes['http-equiv'] ?? '').trim().toLowerCase();
    if (this.inBody && attributes['itemprop'] === undefined && (name !== '' || equivalent !== '')) facts.metaInBody = true;
    if (name === 'description' && facts.descriptions.length < 10) facts.descriptions.push(cut(squeezed(content), 2000));
    else if (agents.has(name)) {
      if (facts.robots.length < 20) facts.robots.push(metaRobots(name, content));
    } else if (name === 'viewport') facts.viewport ??= cut(content, 300);
    else if (equivalent === 'refresh') this.refresh(content);
    const open = property.startsWith('og:') ? property : name.startsWith('og:') ? name : '';
    if (open !== '') addProperty(facts.openGraph, open, content);
    const card = name.startsWith('twitter:') ? name : property.startsWith('twitter:') ? property : '';
    if (card !== '') addProperty(facts.twitter, card, content);
  }

  private refresh(content: string): void {
    const found = refreshOf(content);
    if (found === null) return;
    const url = found.target === '' ? this.base.href : this.add(found.target, 'refresh')?.url;
    if (url !== undefined) this.facts.refresh ??= { seconds: found.seconds, url };
  }

  private linked(attributes: Attributes): void {
    const { facts } = this;
    const { href } = attributes;
    if (href === undefined) return;
    const relations = (attributes['rel'] ?? '').toLowerCase().split(/\s+/);
    const has = (name: string): boolean => relations.includes(name);
    if (has('canonical')) {
      if (this.inBody) facts.metaInBody = true;
      const url = this.add(href, 'canonical')?.url;
      if (url !== undefined && facts.canonicals.length < 10)
        facts.canonicals.push({ url, source: 'html', relative: !/^https?:\/\//i.test(href.trim()), inBody: this.inBody });
    } else if (has('alternate') && attributes['hreflang'] !== undefined) {
      const url = this.add(href, 'hreflang')?.url;
      if (url !== undefined && facts.hreflangs.length < 200)
        facts.hreflangs.push({ language: cut(attributes['hreflang'].trim().toLowerCase(), 40), url, source: 'html' });
    } else if (has('stylesheet')) this.add(href, 'style');
    else if (has('next')) this.add(href, 'next');
    else if (has('prev') || has('previous')) this.add(href, 'previous');
    else if (has('manifest')) this.add(href, 'manifest');
    else if (has('icon') || has('apple-touch-icon')) this.add(href, 'image');
    else if (has('alternate') && /rss|atom|json/i.test(attributes['type'] ?? '')) this.add(href, 'feed');
  }

  private rebase(href: string | undefined): void {
    const base = this.hasBase || href === undefined ? null : parseUrl(href, this.base);
    if (base === null) return;
    this.hasBase = true;
    if (base.protocol === 'http:' || base.protocol === 'https:') this.resolve = createResolver(base, this.charset, this.drop);
  }

  private form(attributes: Attributes): void {
    const { forms } = this.facts;
    const action = attributes['action'] ?? '';
    const url = action === '' ? this.base.href : this.address(action);
    if (action !== '') this.add(action, 'form');
    if (url !== null && forms.length < 50)
      forms.push({ action: cut(url, 2000), method: (attributes['method'] ?? 'get').toLowerCase() === 'post' ? 'post' : 'get' });
  }

  private separate(): void {
    if (this.link !== null) this.link.text += ' ';
    if (this.collecting !== null) this.collecting.text += ' ';
    if (!this.inBody || this.position === 'nav') return;
    if (this.position === 'main') this.mainText += ' ';
    else if (this.position === 'other') this.otherText += ' ';
  }

  /** Whether the text that follows has no character references. */
  isRaw(): boolean {
    return this.tags.at(-1)?.isRaw === true;
  }

  text(text: string): void {
    if (this.collecting !== null && this.collecting.text.length < 200_000) this.collecting.text += text;
    if (this.quiet > 0) {
      if (this.noscripts > 0) this.noscriptText += text.trim().length;
      return;
    }
    if (this.link !== null && this.link.text.length < 1000) this.link.text += text;
    this.fields.text(text);
    if (this.position === 'main') this.mainText += text;
    else if (this.position === 'other' && this.inBody) this.otherText += text;
  }

  close(tag: Tag): void {
    const { name: closed } = tag;
    if (this.tags.pop()?.isFraming === true) this.structure.close();
    this.positions.pop();
    this.position = this.positions.at(-1) ?? 'other';
    if (closed === 'noscript') this.noscripts--;
    else if (closed === 'svg') this.drawings--;
    if (tag.isSilent) this.quiet--;
    else if (!tag.isInline && !tag.isVoid && this.quiet === 0) this.separate();
    this.facts.unnamedControls += this.fields.close(closed);
    if (closed === 'a') this.endLink();
    else if (closed === 'picture') this.inPicture = null;
    if (this.collecting !== null && this.collecting.name === closed) this.collected(this.collecting);
  }

  private collected({ name, text }: { readonly name: string; readonly text: string }): void {
    this.collecting = null;
    const { facts } = this;
    if (name === 'title') {
      if (facts.titles.length < 10) facts.titles.push(cut(squeezed(text), 2000));
    } else if (name === 'script') {
      for (const item of readJsonLd(text)) if (facts.jsonLd.length < 50) facts.jsonLd.push(item);
    } else if (facts.headings.length < 200) facts.headings.push({ level: Number(name[1]), text: cut(squeezed(text), 300) });
  }

  end(): void {
    this.endLink();
    this.facts.unlabelledFields = this.fields.unlabelled();
  }
}
