import type { Reader } from './access';
import type { SiteModel, TableModel } from './model';

/** The table, the reader or writer, and the site's time zone (IANA), which decides days. */
export type TableContext = {
  readonly model: SiteModel;
  /** Default table for changes that name none. */
  readonly table: TableModel;
  readonly reader: Reader;
  readonly timeZone: string;
};
