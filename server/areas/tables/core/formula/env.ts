import type { SQL } from 'drizzle-orm';
import type { RecordFilter } from '../../../../../contract/tables/recordFilter';
import type { Reader } from '../access';
import type { SiteModel, TableModel } from '../model';

/** The reader and the moment for which computed fields are evaluated. */
export type ComputeEnv = {
  readonly model: SiteModel;
  readonly reader: Reader;
  /** Epoch ms and the site's time zone: decide NOW, TODAY and the day of an instant. */
  readonly now: number;
  readonly zone: string;
  /** Language of localized fields, falling back to the table's first; null: the first. */
  readonly locale: string | null;
  /** Reads published state: `alias` is a row of `p_…` if the table uses drafts, and so are the rows behind lookups. */
  readonly published: boolean;
  /**
   * Condition of a rule's row filter on the records of `table` that the query names `alias`. Inside it every field is readable (computed fields as an
   * administrator), so that rules that refer to each other's tables terminate.
   */
  readonly where: (env: ComputeEnv, table: TableModel, alias: string, filter: RecordFilter) => SQL;
  /** Relations followed so far; 0 or missing at the record that is read. */
  readonly hops?: number;
};
