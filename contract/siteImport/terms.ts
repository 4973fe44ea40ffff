import type { FieldType } from '../tables/fieldTypes';

/** Import of a website, and the archive in which one is exported, without zod. */

/** Where the content comes from. `archive`: a website that Sitewright exported. */
export const importSources = ['archive', 'wordpress', 'ghost', 'static', 'markdown', 'csv', 'address'] as const;
export type ImportSource = (typeof importSources)[number];

/**
 * `uploading` → `detecting` → `planned` → `running` ↔ `paused` → `done` (or `incomplete`: some items failed) → `undoing` → `undone`. `failed` and `cancelled`
 * can be started again.
 */
export const siteImportStates = [
  'uploading',
  'uploaded',
  'detecting',
  'planned',
  'running',
  'paused',
  'done',
  'incomplete',
  'failed',
  'cancelled',
  'undoing',
  'undone',
] as const;
export type SiteImportState = (typeof siteImportStates)[number];

/** What happened to one page or file. */
export const importOutcomes = ['pending', 'created', 'updated', 'unchanged', 'skipped', 'failed'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** Steps of a run, in their order. */
export const importSteps = ['site', 'media', 'records', 'settings', 'check'] as const;
export type ImportStep = (typeof importSteps)[number];

export const importStatuses = ['as_is', 'draft'] as const;
export const mediaChoices = ['copy', 'link'] as const;

/** Fields that pages have in themes, with their types: a field of the source can become one of them. */
export const importPlaces = { summary: 'longText', body: 'richText', date: 'datetime', cover: 'image' } as const satisfies Readonly<Record<string, FieldType>>;
export type ImportPlace = keyof typeof importPlaces;

const ofText: readonly FieldType[] = [
  'text',
  'longText',
  'richText',
  'number',
  'integer',
  'currency',
  'percent',
  'switch',
  'date',
  'datetime',
  'url',
  'email',
  'phone',
  'tags',
];
const fieldTypesOf: Readonly<Record<string, readonly FieldType[]>> = {
  text: ofText,
  longText: ofText,
  number: ofText,
  url: [...ofText, 'image'],
  richText: ['richText', 'longText', 'text'],
  datetime: ['datetime', 'date', 'text'],
};
/** Types that a field of the source can get, by what its values are. The type of links and pictures is given. */
export const importTypesOf = (type: string): readonly FieldType[] => fieldTypesOf[type] ?? [type as FieldType];
/** Places of a theme that a field of the source can take. */
export const importPlacesOf = ({ key, type }: { readonly key: string; readonly type: string }): readonly ImportPlace[] =>
  (Object.keys(importPlaces) as ImportPlace[]).filter((place) => place !== key && importTypesOf(type).includes(importPlaces[place]));

export const siteImportLimits = {
  /** Of an uploaded file. */
  fileBytes: 2 * 1024 ** 3,
  /** Entries of an archive, bytes of each when unpacked, and of all together. */
  entries: 50_000,
  entryBytes: 512 * 1024 ** 2,
  unpackedBytes: 8 * 1024 ** 3,
  /** Unpacked bytes per packed byte of an entry above 64 KiB. */
  ratio: 200,
  /** Bytes of one page, post or record. */
  itemBytes: 4 * 1024 ** 2,
  /** Bytes of a file of the archive that is read at once, such as a list of posts. */
  documentBytes: 256 * 1024 ** 2,
  /** Pages, posts and records. */
  items: 20_000,
  media: 20_000,
  mediaBytes: 50 * 1024 ** 2,
  /** Pages that are read from an address. */
  pages: 2000,
  collections: 19,
  /** Fields of a collection. */
  fields: 100,
  /** Imports of one person that are not finished. */
  open: 20,
  /** For how many days an import can be undone. */
  undoDays: 30,
} as const;

export const archiveFormat = 'sitewright-site';
