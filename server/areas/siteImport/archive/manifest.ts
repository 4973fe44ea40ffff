import { z } from 'zod';
import { archiveFormat } from '../../../../contract/siteImport/terms';
import { LocaleTag, safeName } from '../../../../contract/text';
import { CarriedDetails } from '../../resources';

/**
 * The archive of a site, a ZIP file:
 * `site.json` (this manifest), `tables.json`, `records/<table>.jsonl`, `resources.jsonl`, `resources/<sha256>`, `parts/<part>.json`, `theme/<path>`,
 * and, of sites that have them, `robots.txt` and `glossary.json` (terms of translations).
 * Ids that differ between installations are replaced: tables by `@table:key`, fields by `@field:table.key`, and resources by an id made of what they are, so that
 * an exported, imported and exported site has the same archive. Records keep their ids.
 */
export const Manifest = z.object({
  format: z.literal(archiveFormat),
  version: z.literal(1),
  site: z.object({ name: safeName(60), defaultLang: LocaleTag, timeZone: z.string().max(64) }),
  theme: z.object({ base: z.string().max(40).nullable(), files: z.array(z.string().max(200)).max(500) }),
  tables: z.array(z.object({ key: z.string().max(63), records: z.int().min(0) })).max(500),
  resources: z.int().min(0),
  folders: z.array(z.array(z.string().max(200)).max(20)).max(10_000),
});
export type Manifest = z.output<typeof Manifest>;

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
/** A line of `resources.jsonl`. */
export const ArchivedResource = CarriedDetails.extend({
  sha256: Hash,
  bytes: z.int().min(0),
  folder: z.array(z.string().max(200)).max(20),
  poster: z.string().max(30_000_000).nullable().default(null),
  captions: z
    .array(z.object({ language: LocaleTag, use: z.enum(['subtitles', 'captions', 'chapters']), label: z.string().max(200), source: z.string().max(3_000_000) }))
    .max(100)
    .default([]),
});
export type ArchivedResource = z.output<typeof ArchivedResource>;

export const archivedParts = ['settings', 'menus', 'routes', 'redirects', 'languages', 'seo'] as const;
export const robotsPath = 'robots.txt';
export const glossaryPath = 'glossary.json';
export const contentPath = (sha256: string): string => `resources/${sha256}`;
export const recordsPath = (key: string): string => `records/${key}.jsonl`;
export const partPath = (part: string): string => `parts/${part}.json`;

/** Replaces each id that `names` knows by its name, wherever it is in the text of a JSON document. */
export const withNames = (json: string, names: ReadonlyMap<string, string>): string =>
  json.replaceAll(/[tf]_[a-z2-7]{12}/g, (id) => {
    const name = names.get(id);
    return name === undefined ? id : `@${id.startsWith('t') ? 'table' : 'field'}:${name}`;
  });
/** The reverse of `withNames`. */
export const withIds = (json: string, ids: ReadonlyMap<string, string>): string =>
  json.replaceAll(/@(?:table|field):([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)/g, (whole, name: string) => ids.get(name) ?? whole);

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
export const withResources = (json: string, ids: ReadonlyMap<string, string | null>): string =>
  ids.size === 0 ? json : json.replaceAll(uuid, (id) => ids.get(id) ?? id);
