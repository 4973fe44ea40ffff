import type { PageFacts, PageLink } from '../../../../contract/crawler/facts';
import type { FetchError, LinkKind, RunTrigger } from '../../../../contract/crawler/terms';

export type { PageFacts, PageLink };

/** Who starts or changes a run; null: the program. */
export type Starter = { readonly userId: string } | null;

export type EnqueueOptions = {
  readonly trigger: RunTrigger;
  readonly who: Starter;
};

/** One response, its body decoded from transfer encodings but not from its charset. */
export type Fetched = {
  readonly url: string;
  /** 0: no response. */
  readonly status: number;
  readonly error: FetchError | null;
  /** By lower-case name; values of repeated headers are joined with `, `, except `set-cookie`, joined with line feeds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly wireBytes: number;
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  /** Absolute address of a redirect; null: none. */
  readonly location: string | null;
  /** The body as received, if it was compressed by gzip alone. */
  readonly gzip: Uint8Array | null;
};

export type FetchOptions = {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes of the decoded body; what is longer ends as `too_large`. */
  readonly maxBytes?: number;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
};

/** What `parsePage` needs besides bytes. */
export type PageSource = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Charset that most pages of the site have; for pages that declare none. */
  readonly usualCharset?: string | null;
  /** Whether an address belongs to the site; absent: same host. */
  readonly isInternal?: (url: string) => boolean;
  /** Further query parameters to drop from links. */
  readonly dropParameters?: readonly string[];
};

export type ParsedPage = {
  readonly facts: PageFacts;
  readonly links: readonly PageLink[];
  /** Decoded text of the document. */
  readonly html: string;
  /** Main text without navigation, header and footer, at most 200 000 characters. */
  readonly text: string;
  /** SHA-256 of the main text, in hex. */
  readonly textHash: string;
  /** 64 bits, signed as PostgreSQL stores them. */
  readonly simhash: bigint;
  /** Hash of the structure of elements; equal for pages of one template. */
  readonly template: string;
};

export type Probe = {
  readonly url: string;
  /** After redirects. */
  readonly finalUrl: string;
  readonly status: number;
  readonly error: FetchError | null;
  readonly title: string | null;
  readonly charset: string;
  /** `closed`: robots.txt cannot be read; `blocked`: it forbids the address. */
  readonly robots: 'allowed' | 'blocked' | 'closed';
  readonly crawlDelay: number | null;
  readonly sitemaps: readonly string[];
  /** Addresses of the first sitemaps; null: none was read. */
  readonly sitemapAddresses: number | null;
  /** Recognised software, such as `WordPress`; null: none. */
  readonly platform: string | null;
  readonly verified: boolean;
  readonly needsScripts: boolean;
  readonly firstByteMs: number;
  readonly bytes: number;
};

/** A link that no element of the page has written, such as that of a redirect. */
export const linkWithoutElement = (url: string, kind: LinkKind): PageLink => ({
  url,
  kind,
  position: 'other',
  anchor: '',
  fragment: '',
  nofollow: false,
  sponsored: false,
  ugc: false,
  written: null,
});
