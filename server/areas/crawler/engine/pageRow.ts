import { hash } from 'node:crypto';
import type { PageFacts } from '../../../../contract/crawler/facts';
import { emptyFacts } from '../../../../contract/crawler/emptyFacts';
import type { IndexReason } from '../../../../contract/crawler/terms';
import type { FrontierEntry } from './frontier';
import { cookiesOf, headerRobots, recordedHeaders } from './headerFacts';
import type { Fetched, ParsedPage } from './terms';
import { cut } from './textMeasures';

/** Han characters per word, for texts in both. */
export const hanPerWord = 1.7;
export const unitsOf = ({ counts }: PageFacts): number => Math.round(counts.words + counts.han / hanPerWord);

export const mimeOf = (headers: Fetched['headers']): string => cut((headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '', 100);

/** Whether a body is HTML: by its type, or by its beginning where the server states none. */
export function isHtml(mime: string, body: Uint8Array): boolean {
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return true;
  if (mime !== '' && mime !== 'application/octet-stream' && mime !== 'text/plain') return false;
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(512, body.byteLength)).toString('latin1').trimStart().toLowerCase();
  return start.startsWith('<!doctype html') || start.startsWith('<html') || (mime === '' && /^<(?:head|body|title|meta)\b/.test(start));
}

const isClosedToIndex = ({ robots }: PageFacts): boolean =>
  robots.some(
    ({ agent, directives }) =>
      (agent === '*' || agent === 'googlebot' || agent === 'baiduspider') && directives.some((one) => one === 'noindex' || one === 'none'),
  );

/** Why a page that was requested cannot be listed by a search engine. */
export function indexReasonOf(response: Pick<Fetched, 'status' | 'error' | 'location'>, html: boolean, facts: PageFacts, url: string): IndexReason {
  if (response.error !== null || response.status === 0) return 'error';
  if (response.location !== null || (response.status >= 300 && response.status < 400)) return 'redirect';
  if (response.status !== 200) return 'status';
  if (!html) return 'not_html';
  if (isClosedToIndex(facts)) return 'noindex';
  const [canonical] = facts.canonicals;
  return canonical !== undefined && canonical.url !== url ? 'canonical' : 'ok';
}

/** Facts of a response that is no page: its headers. */
export function factsOfHeaders(headers: Fetched['headers']): PageFacts {
  return { ...emptyFacts(), headers: recordedHeaders(headers), cookies: cookiesOf(headers), robots: headerRobots(headers) };
}

export type PageRowInput = {
  readonly runId: string;
  readonly entry: FrontierEntry;
  readonly response: Fetched;
  readonly internal: boolean;
  readonly html: boolean;
  readonly facts: PageFacts;
  readonly parsed: ParsedPage | null;
  readonly redirectTo: number | null;
  readonly canonicalId: number | null;
  readonly inSitemap: boolean;
  readonly reused: boolean;
  readonly storesBody: boolean;
  readonly now: number;
};

/** Of a HEAD request, the length that the server states. */
const sizeOf = ({ body, headers }: Fetched): number => (body.byteLength > 0 ? body.byteLength : Math.min(2 ** 31 - 1, Number(headers['content-length']) || 0));

/** A row of `crawl_pages`, by the names of its columns. */
export function pageRow(input: PageRowInput) {
  const { runId, entry, response, internal, html, facts, parsed, reused } = input;
  const { counts } = facts;
  const indexReason = indexReasonOf(response, html, facts, entry.url);
  const sha = input.storesBody && response.body.byteLength > 0 && html ? hash('sha256', response.body) : null;
  return {
    run_id: runId,
    url_id: entry.id,
    internal,
    html,
    status: response.status,
    error: response.error,
    redirect_to: input.redirectTo,
    mime: mimeOf(response.headers),
    wire_bytes: response.wireBytes,
    bytes: sizeOf(response),
    connect_ms: response.connectMs,
    first_byte_ms: response.firstByteMs,
    total_ms: response.totalMs,
    etag: cutOrNull(response.headers['etag'], 300),
    last_modified: cutOrNull(response.headers['last-modified'], 100),
    reused,
    sha: sha === null ? null : `\\x${sha}`,
    text_hash: parsed === null ? null : `\\x${parsed.textHash}`,
    simhash: parsed === null ? null : parsed.simhash.toString(),
    template: parsed?.template ?? null,
    indexable: internal && indexReason === 'ok',
    index_reason: indexReason,
    title: facts.titles[0] ?? null,
    description: facts.descriptions[0] ?? null,
    h1: facts.headings.find(({ level }) => level === 1)?.text ?? null,
    language: facts.htmlLanguage,
    canonical_id: input.canonicalId,
    units: unitsOf(facts),
    depth: Math.min(entry.depth, 30_000),
    links_in: 0,
    links_internal: counts.internalLinks,
    links_external: counts.externalLinks,
    page_rank: null,
    in_sitemap: input.inSitemap,
    facts,
    fetched_at: new Date(input.now).toISOString(),
  };
}

const cutOrNull = (text: string | undefined, length: number): string | null => (text === undefined ? null : cut(text, length));
