import { gzipSync } from 'node:zlib';
import type { RuleId } from '../../../contract/crawler/rules';
import { htmlOf, textOf } from './page';
import type { PageOptions } from './page';

/** A response of the site, and what an audit has to find at its address. */
export type Planted = {
  readonly path: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Stated size of a file whose content nobody reads. */
  readonly size?: number;
  readonly delay?: number;
  readonly plain?: boolean;
  /** Headers that the site otherwise sends and this response lacks. */
  readonly without?: readonly string[];
  /** Not linked from the list of planted pages. */
  readonly hidden?: boolean;
  readonly rules: readonly RuleId[];
};
export type PlantInput = {
  readonly origin: string;
  /** Of a server without TLS on the same address. */
  readonly plainOrigin: string;
  /** Of a server on another address. */
  readonly otherOrigin: string;
  /** First or second run: some problems are changes between them. */
  readonly isSecond: boolean;
};

const page = (path: string, rules: readonly RuleId[], options: PageOptions = {}, more: Partial<Planted> = {}): Planted => ({
  path,
  rules,
  body: htmlOf(path, options),
  ...more,
});
const redirect = (path: string, to: string, rules: readonly RuleId[], status = 301): Planted => ({
  path,
  status,
  headers: { location: to },
  rules,
  hidden: true,
});
const file = (path: string, type: string, size: number, rules: readonly RuleId[] = [], more: Partial<Planted> = {}): Planted => ({
  path,
  headers: { 'content-type': type, 'cache-control': 'public, max-age=86400' },
  size,
  rules,
  hidden: true,
  ...more,
});
const picture = (src: string, more = 'alt="Leaves" width="40" height="30"'): string => `<img src="${src}" ${more}>`;
const structured = (data: string): string => `<script type="application/ld+json">${data}</script>`;
const product = '{"@type":"Product","name":"Oolong","offers":{"@type":"Offer","price":"1"}}';

function responses({ isSecond }: PlantInput): Planted[] {
  return [
    { path: '/f/gone', status: 404, body: htmlOf('/not-found'), rules: ['http_client_error'], hidden: true },
    { path: '/f/error', status: 500, body: 'x', rules: ['http_server_error'], hidden: true },
    {
      path: '/f/huge',
      headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
      plain: true,
      body: gzipSync(Buffer.alloc(22 * 2 ** 20, 'a')),
      rules: ['http_too_large'],
      hidden: true,
    },
    { path: '/f/soft-404', body: htmlOf('/not-found'), rules: ['http_soft_404'] },
    file('/f/wrong.css', 'text/plain', 200, ['http_content_type']),
    page('/f/wrong-type', [], { head: '<link rel="stylesheet" href="/f/wrong.css">' }),
    page('/f/slow', ['http_slow'], {}, { delay: 4300 }),
    page('/f/uncompressed', ['http_uncompressed'], {}, { plain: true }),
    file('/f/stale.js', 'text/javascript', 200, ['http_no_cache'], { headers: { 'content-type': 'text/javascript' } }),
    page('/f/no-cache', [], { head: '<script src="/f/stale.js"></script>' }),
    redirect('/f/chain-a', '/f/chain-b', ['redirect_chain']),
    redirect('/f/chain-b', '/f/chain-c', []),
    page('/f/chain-c', []),
    redirect('/f/loop-a', '/f/loop-b', ['redirect_loop']),
    redirect('/f/loop-b', '/f/loop-a', ['redirect_loop']),
    redirect('/f/temporary', '/f/chain-c', isSecond ? ['redirect_temporary'] : [], 302),
    page('/f/refresh', ['redirect_meta'], { head: '<meta http-equiv="refresh" content="5; url=/f/chain-c">' }),
    page('/f/no-hsts', [], {}, { without: ['strict-transport-security'] }),
  ];
}

function links({ otherOrigin, isSecond }: PlantInput): Planted[] {
  const many = Array.from({ length: 520 }, (_, at) => `<a href="/p/1">Link ${String(at)}</a>`).join('');
  const deep = [1, 2, 3, 4].map((level) =>
    page(`/f/deep-${level}`, level === 4 ? ['link_depth'] : [], level === 4 ? {} : { main: `<a href="/f/deep-${level + 1}">Deeper</a>` }, {
      hidden: level > 1,
    }),
  );
  const external: RuleId[] = isSecond ? ['link_external_broken'] : [];
  return [
    page('/f/link-broken', ['link_broken'], { main: '<a href="/f/gone">a</a><a href="/f/error">b</a><a href="/f/huge">c</a>' }),
    page('/f/link-redirected', ['link_redirected'], { main: '<a href="/f/chain-a">a</a><a href="/f/loop-a">b</a><a href="/f/temporary">c</a>' }),
    page('/f/link-empty', ['link_empty', 'accessibility_name'], { main: '<a href="/p/1"></a>' }),
    page('/f/link-local', ['link_local', ...external], { main: '<a href="http://localhost:9/tea">Draft</a>' }),
    page('/f/link-external', ['link_local', ...external], { main: `<a href="${otherOrigin}/missing">Source</a>` }),
    page('/f/anchors', [], { main: '<h2 id="there">There</h2>' }),
    page('/f/link-fragment', ['link_fragment'], { main: '<a href="/f/anchors#there">a</a><a href="/f/anchors#nowhere">b</a>' }),
    page('/f/link-nofollow', ['link_nofollow'], { main: '<a href="/p/2" rel="nofollow">Two</a>' }),
    page('/f/orphan', ['link_orphan'], {}, { hidden: true }),
    page('/f/dead-end', ['link_dead_end'], { navigation: '' }),
    page('/f/many', ['link_many'], { main: many }),
    page('/f/weak', ['link_weak'], {}, { hidden: true }),
    ...deep,
    page('/f/to-blocked', [], { main: '<a href="/blocked/tea">Tea</a>' }),
    { path: '/blocked/tea', body: '', rules: ['index_blocked'], hidden: true },
    page(`/f/${'long-address-'.repeat(9)}`, ['url_long']),
    page('/f/Upper', ['url_case']),
    page('/f/under_score', ['url_underscore']),
    page('/f//slashes', ['url_slashes']),
    page('/f/a%20space', ['url_space']),
  ];
}

function indexing({ origin, isSecond }: PlantInput): Planted[] {
  const noindex = '<meta name="robots" content="noindex">';
  const alternates = (all: Readonly<Record<string, string>>): string =>
    Object.entries(all)
      .map(([language, path]) => `<link rel="alternate" hreflang="${language}" href="${origin}${path}">`)
      .join('');
  const parameters = '/f/list?a=1&b=2&c=3&d=4';
  return [
    page('/f/noindex', ['index_noindex'], { head: noindex }),
    page('/f/listed-noindex', ['index_noindex', 'sitemap_wrong_pages'], { head: noindex }),
    page('/f/conflict', ['index_conflict', 'index_noindex'], { head: '<meta name="robots" content="index">' }, { headers: { 'x-robots-tag': 'noindex' } }),
    page('/f/colour?c=red', ['canonical_missing']),
    page(parameters, ['url_parameters'], { canonical: origin + parameters }),
    page('/f/canonicals', ['canonical_multiple'], { canonical: `${origin}/f/canonicals`, head: `<link rel="canonical" href="${origin}/p/1">` }),
    page('/f/canonical-broken', ['canonical_broken'], { canonical: `${origin}/f/gone` }),
    page('/f/canonical-chain', ['canonical_chain'], { canonical: `${origin}/f/canonical-middle` }),
    page('/f/canonical-middle', [], { canonical: `${origin}/p/3` }),
    page('/f/canonical-relative', ['canonical_relative'], { canonical: '/f/canonical-relative' }),
    page('/f/no-language', ['language_missing'], { language: null }),
    page('/f/wrong-language', ['language_wrong'], { language: 'zh-CN' }),
    page('/f/one-way', ['hreflang_no_return'], { head: alternates({ en: '/f/one-way', de: '/f/german', 'x-default': '/f/one-way' }) }),
    page('/f/german', [], { language: 'de', head: alternates({ de: '/f/german', 'x-default': '/f/german' }) }),
    page('/f/bad-code', ['hreflang_bad'], { head: alternates({ 'en-UK': '/f/bad-code', 'x-default': '/f/bad-code' }) }),
    page('/f/no-self', ['hreflang_no_self'], { head: alternates({ fr: '/f/french', 'x-default': '/f/french' }) }),
    page('/f/french', [], { language: 'fr', head: alternates({ fr: '/f/french', en: '/f/no-self', 'x-default': '/f/french' }) }),
    page('/f/no-default', ['hreflang_no_default'], { head: alternates({ en: '/f/no-default', it: '/f/italian' }) }),
    page('/f/italian', [], { language: 'it', head: alternates({ it: '/f/italian', en: '/f/no-default', 'x-default': '/f/italian' }) }),
    page('/f/changed-title', isSecond ? ['change_title'] : [], { title: isSecond ? `Another ${textOf('another', 5)}` : `Before ${textOf('before', 5)}` }),
    page('/f/changed-index', isSecond ? ['change_indexing', 'index_noindex'] : [], isSecond ? { head: noindex } : {}),
    isSecond
      ? { path: '/f/removed', status: 404, body: htmlOf('/not-found'), rules: ['http_client_error', 'change_gone'], hidden: true }
      : page('/f/removed', [], {}, { hidden: true }),
    page('/f/to-removed', isSecond ? ['link_broken'] : [], { main: '<a href="/f/removed">Tea</a>' }),
    page('/f/unlinked', isSecond ? ['change_gone'] : [], {}, { hidden: isSecond }),
  ];
}

function texts(): Planted[] {
  const same = textOf('same text');
  const alike = textOf('alike', 1200);
  const twice = `Same ${textOf('title of two', 5)}`;
  /** Findings cut it within a character of two code units. */
  const long = `${'a'.repeat(198)}\u{1F375} ${textOf('long title of two', 5)}`;
  const described = `Same ${textOf('description of two', 13)}`;
  return [
    page('/f/no-title', ['title_missing'], { title: null }),
    page('/f/title-1', ['title_duplicate'], { title: twice }),
    page('/f/title-2', ['title_duplicate'], { title: twice }),
    page('/f/title-short', ['title_length'], { title: 'Tea' }),
    page('/f/title-long', ['title_length'], { title: textOf('long title', 20) }),
    page('/f/title-long-1', ['title_duplicate', 'title_length'], { title: long }),
    page('/f/title-long-2', ['title_duplicate', 'title_length'], { title: long }),
    page('/f/titles', ['title_multiple'], { head: '<title>Another title of this page</title>' }),
    page('/f/no-description', ['description_missing'], { description: null }),
    page('/f/description-1', ['description_duplicate'], { description: described }),
    page('/f/description-2', ['description_duplicate'], { description: described }),
    page('/f/description-short', ['description_length'], { description: 'Tea.' }),
    page('/f/no-heading', ['heading_missing'], { heading: '<h2>Small</h2>' }),
    page('/f/headings', ['heading_multiple'], { main: '<h1>Second</h1>' }),
    page('/f/heading-order', ['heading_order'], { main: '<h3>Skipped</h3>' }),
    page('/f/thin', ['content_thin'], { text: textOf('thin', 40) }),
    page('/f/same-1', ['content_duplicate'], { text: same, heading: '<h1>Same</h1>' }),
    page('/f/same-2', ['content_duplicate'], { text: same, heading: '<h1>Same</h1>' }),
    page('/f/alike-1', ['content_similar'], { text: `${alike} one`, heading: '<h1>Alike</h1>' }),
    page('/f/alike-2', ['content_similar'], { text: `${alike} two`, heading: '<h1>Alike</h1>' }),
    page('/f/mojibake', ['content_mojibake'], { main: '<p>Caf\uFFFD and t\uFFFDa</p>' }),
    page('/f/charset', ['content_charset'], {}, { headers: { 'content-type': 'text/html; charset=gbk' } }),
    page('/f/scripts', ['content_needs_scripts'], { text: '', main: '<div id="root"></div><script src="/files/app.js"></script>' }),
    file('/files/app.js', 'text/javascript', 300),
  ];
}

function documents({ plainOrigin }: PlantInput): Planted[] {
  return [
    file('/img/small.png', 'image/png', 900),
    file('/img/large.webp', 'image/webp', 700_000, ['image_large']),
    file('/img/old.jpg', 'image/jpeg', 200_000),
    { path: '/img/none.png', status: 404, body: htmlOf('/not-found'), rules: [], hidden: true },
    { path: '/img/page.png', body: htmlOf('/not-found'), rules: ['http_content_type'], hidden: true },
    page('/f/image-page', [], { main: picture('/img/page.png') }),
    page('/f/image-fine', [], { main: picture('/img/small.png') }),
    page('/f/image-alt', ['image_alt'], { main: picture('/img/small.png', 'width="40" height="30"') }),
    page('/f/image-large', [], { main: picture('/img/large.webp') }),
    page('/f/image-broken', ['image_broken'], { main: picture('/img/none.png') }),
    page('/f/image-size', ['image_dimensions'], { main: picture('/img/small.png', 'alt="Leaves"') }),
    page('/f/image-format', ['image_format'], { main: picture('/img/old.jpg') }),
    page('/f/image-lazy', ['image_lazy'], { main: picture('/img/small.png', 'alt="Leaves" width="800" height="600" loading="lazy"') }),
    page('/f/data-invalid', ['structured_data_invalid'], { head: structured('{"@type": "Product",}') }),
    page('/f/data-incomplete', ['structured_data_incomplete'], { head: structured('{"@type":"Product","name":"Oolong"}') }),
    page('/f/data-noindex', ['structured_data_noindex', 'index_noindex'], { head: `<meta name="robots" content="noindex">${structured(product)}` }),
    page('/f/data-fine', [], { head: structured(product) }),
    page('/f/open-title', ['social_title'], { openTitle: false }),
    page('/f/open-image', ['social_image'], { openImage: '' }),
    page('/f/open-small', ['social_image'], { head: '<meta property="og:image:width" content="100">' }),
    page('/f/mixed', ['security_mixed'], { main: picture(`${plainOrigin}/fine.png`) }),
    page('/f/form', ['security_form'], { main: `<form action="${plainOrigin}/send" method="post"></form>` }),
    page('/f/secret', ['security_leak'], { main: '<p>AKIAABCDEFGH12345678</p>' }),
    page('/f/viewport', ['mobile_viewport'], { viewport: null }),
    page('/f/zoom', ['mobile_viewport'], { viewport: 'width=device-width, user-scalable=no' }),
    page('/f/dom', ['dom_large'], { main: '<i></i>'.repeat(1600) }),
    page('/f/ids', ['dom_duplicate_id'], { main: '<i id="a"></i><i id="a"></i>' }),
    page('/f/body-meta', ['dom_meta_in_body'], { main: '<meta name="author" content="Tea">' }),
    page('/f/label', ['accessibility_label'], { main: '<form action="/f/label"><input name="q"></form>' }),
    page('/f/name', ['accessibility_name'], { main: '<button></button>' }),
    page('/f/landmark', ['accessibility_landmark'], { container: 'article' }),
  ];
}

/** Every problem that one page can have, or a page in comparison with others. */
export const plantsOf = (input: PlantInput): Planted[] => [...responses(input), ...links(input), ...indexing(input), ...texts(), ...documents(input)];
