import type { SQL } from 'drizzle-orm';
import type { RecordFilter } from '../../../../../contract/tables/recordFilter';
import type { Reader } from '../access';
import type { SiteModel, TableModel } from '../model';

/** For whom and as of when computed fields are read. */
export type ComputeEnv = {
  readonly model: SiteModel;
  readonly reader: Reader;
  /** Epoch ms and zone of the site: what NOW and TODAY are, and which day an instant lies on. */
  readonly now: number;
  readonly zone: string;
  /** Language of localized fields; null: the table's first. Where it has no value, that of the first language stands. */
  readonly locale: string | null;
  /** Reads what is published: `alias` names a row of `p_…` where the table has drafts, and so do the rows that lookups lead to. */
  readonly published: boolean;
  /**
   * Condition of a rule's row filter on the records of `table` that stand in the query as `alias`. Inside it everything may be read
   * (computed fields as an administrator), so rules that ask about each other's tables in a ring end.
   */
  readonly where: (env: ComputeEnv, table: TableModel, alias: string, filter: RecordFilter) => SQL;
  /** Relations gone through so far; 0 (or nothing) at the record that is read. */
  readonly hops?: number;
};
