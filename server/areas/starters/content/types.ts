import type { ShippedTheme } from '../../../../contract/publishing/terms';

/** What a starter puts into a new site, in the language of its pages. Its texts say what belongs in their place. */

/** The text in the language of the site. */
export type Say = (zh: string, en: string) => string;
export type Writing = {
  readonly say: Say;
  /** Name of the site. */
  readonly name: string;
  /** A day (`YYYY-MM-DD`) before today in the site's time zone. */
  readonly daysAgo: (days: number) => string;
};

/** A picture that is drawn when it is stored. */
export type StarterPicture = { readonly name: string; readonly alt: string; readonly svg: () => string };

/** `values`, `pictures` (by name) and `links` (positions in the linked collection) are by field of the collection. */
export type StarterRecord = {
  readonly slug?: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
  /** Values of texts in the second language of the collection. */
  readonly translations?: Readonly<Record<string, string>>;
  readonly pictures?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, number | readonly number[]>>;
};

/** A table for a collection of the theme, and its addresses. Linked collections come first. */
export type StarterCollection = {
  readonly key: string;
  readonly icon: string;
  readonly listPath: string | null;
  readonly recordPath: string | null;
  readonly sort: string;
  /** Languages of its texts; absent: they are in that of the site alone. */
  readonly locales?: readonly [string, string];
  readonly records: readonly StarterRecord[];
};

export type StarterLink = { readonly label: string; readonly path: string };

export type StarterContent = {
  readonly theme: ShippedTheme;
  readonly tagline: string;
  /** Settings of the theme; `images` by name of the picture. */
  readonly settings: Readonly<Record<string, string>>;
  readonly images?: Readonly<Record<string, string>>;
  readonly pictures: readonly StarterPicture[];
  readonly collections: readonly StarterCollection[];
  readonly templates: readonly { readonly path: string; readonly template: string; readonly title: string }[];
  /** By key of the theme's menus. */
  readonly menus: Readonly<Record<string, readonly StarterLink[]>>;
};
