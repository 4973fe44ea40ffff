import type { Reader } from './access';
import type { SiteModel, TableModel } from './model';

/** Whose records, who reads or writes them, and the zone of the site (IANA), which decides days. */
export type TableContext = {
  readonly model: SiteModel;
  /** Of changes, the table of those that name no other. */
  readonly table: TableModel;
  readonly reader: Reader;
  readonly timeZone: string;
};
