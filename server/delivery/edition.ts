import type { IndexedSite } from '../areas/sites';
import type { MachineMark } from '../areas/languages';
import type { SiteContent } from '../areas/tables';
import type { FilingFooter } from './filingFooters';
import type { CompiledRelease } from './release';
import type { SupportOnPages } from './support/onPages';

/** What a request gets: a release of a site with its published records, or the working copy with drafts. */
export type Edition = {
  readonly site: IndexedSite;
  readonly release: CompiledRelease;
  /** Beginning of the addresses of pages: empty, or the path of a preview. */
  readonly root: string;
  /** Origin of the primary host, without a slash at the end. */
  readonly origin: string;
  /** A preview: not for search engines, and not stored. */
  readonly preview: boolean;
  /** A preview in the pseudo-language: texts that can be translated are longer and accented. */
  readonly pseudo?: boolean;
  /** Numbers of filings that the pages show. */
  readonly filings: FilingFooter;
  /** What customer service adds to the pages; absent: nothing. */
  readonly support?: SupportOnPages;
  /** False: what is produced for this request is not stored. */
  readonly isStored?: boolean;
};

/** An edition with its content as of one moment, in the language of a page. */
export type PageContext = Edition & {
  readonly content: SiteContent;
  readonly language: string;
  /** Texts of records of a table, by its id, that a machine translated and that nobody has reviewed. */
  readonly machineMarks: (table: string, ids: readonly string[]) => Promise<readonly MachineMark[]>;
  /** When the contents of pages changed last, by address; pages that were not compared yet are absent. */
  readonly pageChanges: (addresses: readonly string[]) => Promise<ReadonlyMap<string, Date>>;
};
