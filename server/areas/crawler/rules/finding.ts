import type { RuleId } from '../../../../contract/crawler/rules';
import type { FetchError, IndexReason, Severity } from '../../../../contract/crawler/terms';

/** Values for the message of a finding. */
export type FindingDetail = Readonly<Record<string, string | number>>;

/** What a rule found at an address. `subject`: what distinguishes several findings of one rule at one address, such as a host; usually empty. */
export type PageFinding = { readonly rule: RuleId; readonly severity: Severity; readonly subject: string; readonly detail: FindingDetail };
/** `urlId` null: the finding belongs to the site. */
export type Finding = PageFinding & { readonly urlId: number | null };

/** What rules of pages read of a row of `crawl_pages`. */
export type AuditedPage = {
  readonly url: string;
  readonly internal: boolean;
  readonly html: boolean;
  /** Requested because pages use it: a picture, style, script or feed. */
  readonly resource: boolean;
  /** 0: no response. */
  readonly status: number;
  readonly error: FetchError | null;
  readonly mime: string;
  readonly wireBytes: number;
  readonly bytes: number;
  readonly firstByteMs: number;
  /** Null while the run goes on: shorter paths to the page may be found. */
  readonly depth: number | null;
  readonly inSitemap: boolean;
  readonly indexable: boolean;
  readonly indexReason: IndexReason;
  readonly units: number;
};

/** The run that findings belong to. */
export type FindingRun = { readonly id: string; readonly crawlerId: string; readonly siteId: string; readonly number: number };
