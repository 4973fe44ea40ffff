import { flag, language, oneOf, text } from '@/lib/searchState';
import type { StateOf } from '@/lib/searchState';
import { transferFields } from '../transfer/address';

/** State of the screen in the URL. `filter` (JSON), `sort` (`-f_a,f_b`) and `group` are present only where they differ from the view's own; `-` means empty. */
export const address = {
  table: text('', 64),
  view: text('', 40),
  q: text('', 200),
  filter: text('', 20_000),
  sort: text('', 400),
  group: text('', 300),
  lang: language(),
  trash: flag(),
  /** The open record. */ record: text('', 40),
  /** Calendar: a day of the shown month or week. */ day: text('', 10),
  span: oneOf(['month', 'week'], 'month'),
  ...transferFields,
};
export type Address = StateOf<typeof address>;
export type ChangeAddress = (change: Partial<Address>, how?: 'push' | 'replace') => void;
