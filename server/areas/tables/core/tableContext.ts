import type { Reader } from './access';
import type { SiteModel, TableModel } from './model';

/** Whose records, who reads or writes them, and the zone of the site (IANA), which decides days. */
export type TableContext = {
  readonly model: SiteModel;
  /** Changes that name no table are made in this one. */
  readonly table: TableModel;
  readonly reader: Reader;
  readonly timeZone: string;
};
