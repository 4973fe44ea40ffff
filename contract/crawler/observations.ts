/**
 * What a run learns about hosts beyond its pages, for rules of the whole site. The engine collects it once per run and stores it in `crawl_runs.observations`; each
 * list is limited as its comment says. Absent members were not observed, and rules that need them find nothing.
 */
export type HostObservation = {
  readonly host: string;
  /** The response to a random address that cannot exist; hashes in hexadecimal, of the main text. */
  readonly probe?: { readonly status: number; readonly textHash: string; readonly simhash: string; readonly title: string };
  /** `http://host/`: status and the absolute target of its redirect; status 0: no response. */
  readonly insecure?: { readonly status: number; readonly location: string | null };
  /** `error`: the code that Node's TLS gives, such as `ERR_TLS_CERT_ALTNAME_INVALID`; null: valid. `protocol`: such as `TLSv1.2`. */
  readonly certificate?: { readonly validTo: string; readonly protocol: string; readonly error: string | null };
  /** Sensitive paths that answered 200 with the expected content; requested on verified hosts only. */
  readonly sensitive?: readonly { readonly path: string; readonly kind: 'git' | 'environment' | 'backup' }[];
  /** `/llms.txt`; body at most 20 000 characters. */
  readonly llms?: { readonly status: number; readonly mime: string; readonly body: string };
  /** Whether robots.txt began with a byte order mark. */
  readonly robotsMark?: boolean;
};

export const sitemapProblems = ['unreachable', 'xml', 'too_large', 'too_many', 'wrong_host', 'too_deep', 'relative'] as const;
export type SitemapProblem = (typeof sitemapProblems)[number];
export type SitemapObservation = {
  readonly url: string;
  readonly kind: 'urlset' | 'index' | 'text' | 'feed' | 'unknown';
  /** Where it was found: in robots.txt, at a well-known place, in an index. */
  readonly source: 'robots' | 'known' | 'index';
  readonly status: number;
  readonly bytes: number;
  readonly entries: number;
  readonly problems: readonly SitemapProblem[];
};

export type SiteObservations = {
  readonly hosts: readonly HostObservation[];
  /** At most 500. The default addresses are listed only if a sitemap exists there. Undefined if no sitemaps were read. */
  readonly sitemaps?: readonly SitemapObservation[];
  /** `lastmod` of the first 1 000 entries that have one, as written. */
  readonly lastmods?: readonly { readonly url: string; readonly lastmod: string }[];
};
