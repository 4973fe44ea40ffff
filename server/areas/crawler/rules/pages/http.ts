import type { PageRuleGroup, PageRuleInput } from './group';

/** Media types by extension, where servers have one obvious choice. */
const expected: ReadonlyMap<string, RegExp> = new Map([
  ['html', /^(?:text\/html|application\/xhtml\+xml)$/],
  ['htm', /^(?:text\/html|application\/xhtml\+xml)$/],
  ['css', /^text\/css$/],
  ['js', /^(?:text|application)\/(?:x-)?javascript$/],
  ['mjs', /^(?:text|application)\/(?:x-)?javascript$/],
  ['json', /json$/],
  ['pdf', /^application\/pdf$/],
  ['png', /^image\/(?:png|avif|webp)$/],
  ['jpg', /^image\/(?:jpeg|avif|webp)$/],
  ['jpeg', /^image\/(?:jpeg|avif|webp)$/],
  ['gif', /^image\/(?:gif|avif|webp)$/],
  ['webp', /^image\/webp$/],
  ['avif', /^image\/avif$/],
  ['svg', /^image\/svg\+xml$/],
]);
const textual = /^text\/|javascript|json|xml/;
const staticTypes = /^(?:text\/css|image\/|font\/|audio\/|video\/|application\/(?:x-)?javascript|text\/javascript|application\/font)/;

const extensionOf = (path: string): string => /\.([a-z0-9]{1,5})$/i.exec(path)?.[1]?.toLowerCase() ?? '';

/** Whether a response may be stored for a while, by RFC 9111. */
const isCacheable = (headers: Readonly<Record<string, string>>): boolean => {
  const control = headers['cache-control'];
  if (control === undefined) return headers.expires !== undefined && Number.isFinite(Date.parse(headers.expires));
  if (/no-store|no-cache/i.test(control)) return false;
  return /immutable/i.test(control) || Number(/max-age=(\d+)/i.exec(control)?.[1] ?? 0) > 0;
};

function failures({ page: { status, error }, report }: PageRuleInput): void {
  if (error === 'timeout') report('http_timeout');
  else if (error === 'too_large') report('http_too_large');
  else if (error !== null) report('http_server_error', { kind: error, status: 0 });
  else if (status >= 500) report('http_server_error', { kind: 'status', status });
  else if (status >= 400) report('http_client_error', { status });
}

export const httpRules: PageRuleGroup = (input) => {
  const { page, facts, rules, address, report } = input;
  if (!page.internal) return;
  const { status, error } = page;
  // `image_broken` and `link_broken` report a broken resource at the pages that use it.
  if (!page.resource) failures(input);
  if (error !== null || status !== 200) return;

  const extension = extensionOf(address.pathname);
  const mime = page.mime.toLowerCase();
  if (mime === '') report('http_content_type', { mime: '–', extension: extension || '–' });
  else if (expected.get(extension)?.test(mime) === false) report('http_content_type', { mime, extension });

  const slow = rules.parameter('http_slow', 'milliseconds');
  if (page.html && page.firstByteMs > slow) report('http_slow', { milliseconds: page.firstByteMs, limit: slow });
  if (textual.test(mime) && facts.headers['content-encoding'] === undefined && page.bytes > rules.parameter('http_uncompressed', 'bytes')) {
    report('http_uncompressed', { kilobytes: Math.ceil(page.bytes / 1024) });
  }
  if (!page.html && staticTypes.test(mime) && !isCacheable(facts.headers)) report('http_no_cache', { value: facts.headers['cache-control'] ?? '–' });
};
