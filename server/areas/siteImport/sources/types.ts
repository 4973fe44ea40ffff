import type { ItemData } from '../schema';

/** One page, post or record of a source. `path`: its address there; null if it has none. */
export type SourceItem = {
  readonly collection: string;
  readonly source: string;
  readonly title: string;
  readonly path: string | null;
  readonly data: ItemData;
};

/** Where a source puts what it reads. Repeating an item replaces it. */
export type Sink = {
  readonly item: (item: SourceItem) => Promise<void>;
  readonly site: (facts: { readonly title?: string; readonly description?: string; readonly language?: string | null; readonly url?: string | null }) => void;
  /** A title for a collection; without one it is made of its key. */
  readonly collection: (key: string, title: string) => void;
  /** A field of a collection beside those that all pages have. */
  readonly field: (collection: string, field: { readonly key: string; readonly title: string; readonly type: string }) => void;
  readonly unsupported: (name: string) => void;
  readonly problem: (place: string, code: string) => void;
};

export const noData: ItemData = { slug: null, published: true, values: {}, links: {}, seo: { title: '', description: '' }, base: '', aliases: [] };
