/** Terms of sites, without zod. */

/**
 * draft        not published yet: visitors get a start page that may not be indexed
 * published    visitors get the live release; for external sites, their pages are hosted elsewhere
 * maintenance  visitors get a message with status 503
 * suspended    closed by a manager of the installation; nobody else can change the site
 * archived     out of use, data kept
 * deleted      in the bin
 */
export const siteStates = ['draft', 'published', 'maintenance', 'suspended', 'archived', 'deleted'] as const;
export type SiteState = (typeof siteStates)[number];

/** Sites in use: they are measured, and answer their visitors. */
export const openStates = ['draft', 'published', 'maintenance'] as const satisfies readonly SiteState[];
export type OpenState = (typeof openStates)[number];
export const isOpen = (state: SiteState): state is OpenState => (openStates as readonly SiteState[]).includes(state);

/** Sites whose availability is checked: during maintenance and behind a password, pages are answered with an error on purpose. */
export const checkedStates = ['draft', 'published'] as const satisfies readonly SiteState[];
export const isChecked = ({ state, visibility }: { readonly state: SiteState; readonly visibility: Visibility }): boolean =>
  (checkedStates as readonly SiteState[]).includes(state) && visibility === 'public';

/** Only published sites that are open to everybody are indexed. */
export const isIndexed = ({ state, visibility }: { readonly state: SiteState; readonly visibility: Visibility }): boolean =>
  state === 'published' && visibility === 'public';

/** Targets of a change of state. `open`: back to the open state that the site had before. */
export const siteMoves = ['open', 'published', 'maintenance', 'suspended', 'archived'] as const;
export type SiteMove = (typeof siteMoves)[number];

/** Who gets the pages: everybody, those who know the password, or people with access to the site. */
export const visibilities = ['public', 'password', 'private'] as const;
export type Visibility = (typeof visibilities)[number];

/**
 * What visitors get during maintenance. `message`: by language, HTML is not interpreted. `retryAfter`: in seconds. `addresses`: IP addresses and ranges of visitors
 * who get the site nevertheless; absent in what was stored before there were any.
 */
export type Maintenance = { readonly message: Readonly<Record<string, string>>; readonly retryAfter: number; readonly addresses?: readonly string[] };

export const baseLimits = {
  /** Characters of the password of a site. */
  password: { least: 6, most: 200 },
  /** Characters of the message during maintenance, per language. */
  message: 500,
  /** `Retry-After` during maintenance, in seconds. */
  retryAfter: { least: 60, most: 86_400, usual: 3600 },
  /** Addresses and ranges that get the site during maintenance, characters of one, and of all together in the console. */
  addresses: { most: 250, characters: 50, text: 2000 },
  /** Characters of the reason of a suspension. */
  suspensionReason: 500,
  /** How long the previous address of a site leads to the new one, in days. */
  redirectDays: 90,
} as const;

/** The colours of choices in content tables (`choiceColors`). */
export const tagColors = ['grey', 'blue', 'teal', 'green', 'yellow', 'orange', 'red', 'purple'] as const;
export type TagColor = (typeof tagColors)[number];
/** Characters of the name of a tag, and tags of one site. */
export const tagLimits = { name: 24, perSite: 10 } as const;
/** Sites that one call changes. The console sends larger selections in several calls. */
export const changesMost = 100;
