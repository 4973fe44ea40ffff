import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { LocaleTag, rowId, safeName, safeText } from '../text';
import { deliveredVariants } from './addresses';
import { resourceCalls } from './calls';
import { resourceContentCalls } from './contentCalls';
import { resourceKinds } from './kinds';
import { rotations, smallestCrop } from './edits';
import { resourceScanEndpoints } from './scan';
import { resourceStorageEndpoints } from './storage';
import {
  captionUses,
  resourceFilters,
  resourceLimits,
  resourcePresetNames,
  resourceSorts,
  allVisibilities,
  resourceVisibilities,
  scanResults,
  svgRemovalKinds,
  svgRemovalReasons,
} from './terms';

/** Text in each language of the site. */
const Texts = (max: number) => z.record(LocaleTag, safeText(max)).refine((texts) => Object.keys(texts).length <= 50);
const Share = z.number().min(0).max(1);
const Extent = z.number().min(smallestCrop).max(1);
/** Shares of the width and height of the turned image. */
export const Crop = z
  .strictObject({ x: Share, y: Share, width: Extent, height: Extent })
  .refine(({ x, y, width, height }) => x + width <= 1.0001 && y + height <= 1.0001);

export const ResourceFolder = z.object({
  id: rowId,
  parentId: rowId.nullable(),
  name: z.string(),
  /** Resources directly in the folder that are not in the bin. */
  count: z.int(),
});
export type ResourceFolder = z.infer<typeof ResourceFolder>;

export const Resource = z.object({
  id: rowId,
  kind: z.enum(resourceKinds),
  folderId: rowId.nullable(),
  name: z.string(),
  title: z.record(z.string(), z.string()),
  alt: z.record(z.string(), z.string()),
  caption: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  /** Detected from the content. */
  contentType: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** In pixels, after rotation and crop; null if it has no dimensions. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** Of the upright image, before rotation and crop. */
  originalWidth: z.int().nullable(),
  originalHeight: z.int().nullable(),
  /** Clockwise quarter turns, in degrees, before the crop. */
  rotation: z.int(),
  /** The visible part of the turned image; null for all of it. */
  crop: Crop.nullable(),
  durationMs: z.int().nullable(),
  /** Of videos and audio; null if nothing could be read. Codecs as in RFC 6381. */
  media: z.object({ container: z.string(), videoCodec: z.string().nullable(), audioCodec: z.string().nullable(), frameRate: z.number().nullable() }).nullable(),
  /** The image that a video shows before it plays; its variants have the address of the video with this hash. */
  posterSha256: z.string().nullable(),
  /** A preview of about 25 bytes, in base64 (https://evanw.github.io/thumbhash/). */
  thumbhash: z.string().nullable(),
  /** Dominant colour, `#rrggbb`. */
  color: z.string().nullable(),
  /** Whether the original contains the position where it was taken. */
  hasGps: z.boolean(),
  /** The point that crops keep visible, as shares of `width` and `height`. */
  focalX: z.number(),
  focalY: z.number(),
  visibility: z.enum(allVisibilities),
  /** Result of the malware scanner; null: not scanned. */
  scan: z.enum(scanResults).nullable(),
  /** Records, pages and settings that use it. */
  uses: z.int(),
  /** How often the file itself, not a variant, was delivered; counted a few seconds later. */
  downloads: z.int(),
  lastDownloadedAt: z.iso.datetime().nullable(),
  version: z.int(),
  revision: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
});
export type Resource = z.infer<typeof Resource>;

export const ResourceChange = z
  .strictObject({
    name: safeName(resourceLimits.name),
    folderId: rowId.nullable(),
    title: Texts(resourceLimits.text),
    alt: Texts(resourceLimits.text),
    caption: Texts(resourceLimits.caption),
    tags: z.array(safeName(resourceLimits.tag)).max(resourceLimits.tags),
    focalX: Share,
    focalY: Share,
    /** Only of images, as the crop. */
    rotation: z.literal(rotations),
    crop: Crop.nullable(),
    visibility: z.enum(resourceVisibilities),
  })
  .partial();
export type ResourceChange = z.output<typeof ResourceChange>;

const Ids = z.array(rowId).min(1).max(resourceLimits.bulk);
const IdsInput = z.strictObject({ ids: Ids });
const Changed = z.object({ ids: z.array(rowId) });
/** The beginning of the hash: with it the address never changes, and neither does what it shows. */
const Version = z
  .string()
  .regex(/^[0-9a-f]{8,64}$/)
  .optional();
const P = z.object({ siteId: SiteId });
const R = z.object({ siteId: SiteId, id: rowId });
const U = z.object({ siteId: SiteId, upload: rowId });
const read = { access: { site: 'resources.read' }, token: 'resources:read' } as const;
const write = { access: { site: 'resources.write' }, token: 'resources:write' } as const;

export const ResourceQuery = z.object({
  kind: z.enum(resourceKinds).optional(),
  /** Id of a folder; `root` for resources in none; absent for all. */
  folder: z.union([rowId, z.literal('root')]).optional(),
  q: safeText(200).optional(),
  tag: safeName(resourceLimits.tag).optional(),
  filter: z.enum(resourceFilters).optional(),
  deleted: z.stringbool().default(false),
  sort: z.enum(resourceSorts).default('newest'),
  /** Position behind the last row of the previous page, as that page returned it. */
  after: z.string().max(600).optional(),
  size: z.coerce.number().int().min(1).max(resourceLimits.page).default(60),
});
export type ResourceQuery = z.output<typeof ResourceQuery>;

const ViewBoxText = z
  .string()
  .max(100)
  .regex(/^-?\d+(?:\.\d+)? -?\d+(?:\.\d+)?(?: \d+(?:\.\d+)?){2}$/);

/** Changes of the source in this order. */
export const SvgQuery = z.object({
  /** Four numbers with single spaces: x, y, width and height. */
  viewBox: ViewBoxText.optional(),
  /** Empty to remove it. */
  title: safeText(resourceLimits.text).optional(),
  description: safeText(resourceLimits.caption).optional(),
  /** Replaces colours of fills and strokes by `currentColor`. */
  currentColor: z.stringbool().default(false),
  /** Shortens the source without a visible change, and prefixes ids with the name. */
  optimise: z.stringbool().default(false),
});

export const SvgSource = z.object({
  source: z.string(),
  /** What cleaning removed from the original, at most 500 parts in the order of the file. */
  removed: z.array(z.object({ kind: z.enum(svgRemovalKinds), name: z.string(), reason: z.enum(svgRemovalReasons), line: z.int(), column: z.int() })),
  removedCount: z.int(),
  /** Of the original, and of `source`. */
  bytesBefore: z.int(),
  bytesAfter: z.int(),
  viewBox: z.string().nullable(),
  title: z.string(),
  description: z.string(),
  /** Colours of fills and strokes in `source`. */
  colors: z.array(z.string()),
});
export type SvgSource = z.infer<typeof SvgSource>;

const FolderInput = z.strictObject({ name: safeName(resourceLimits.name), parentId: rowId.nullable() });

/** What is known of a file before it is sent. `size` in bytes. */
const NewFile = { name: safeName(resourceLimits.name), size: z.int().min(0), folderId: rowId.nullable().default(null) };

export const resourceEndpoints = {
  ...resourceScanEndpoints,
  ...resourceStorageEndpoints,
  resources: endpoint(resourceCalls.resources, {
    ...read,
    summary: 'Resources of a site, a page at a time by cursor',
    params: P,
    query: ResourceQuery,
    response: z.object({ rows: z.array(Resource), after: z.string().nullable(), total: z.int() }),
    errors: ['bad_request'],
  }),
  resource: endpoint(resourceCalls.resource, { ...read, summary: 'One resource', params: R, response: Resource, errors: ['not_found'] }),
  changeResource: endpoint(resourceCalls.changeResource, {
    ...write,
    ifMatch: 'required',
    summary: 'Change name, folder, texts, tags, focal point, rotation, crop or visibility (If-Match: revision)',
    params: R,
    body: ResourceChange,
    response: Resource,
    errors: ['not_found', 'stale_revision', 'invalid_fields'],
  }),
  resourceContent: endpoint(resourceContentCalls.resourceContent, {
    ...read,
    kind: 'file',
    summary: 'The file, or an SVG after cleaning; ranges are supported',
    params: R,
    /** `download`: the file as it was uploaded, never opened in place. */
    query: z.object({ v: Version, download: z.stringbool().default(false) }),
    errors: ['not_found'],
    ratePerMinute: 3000,
  }),
  resourceVariant: endpoint(resourceContentCalls.resourceVariant, {
    ...read,
    kind: 'file',
    summary: 'A variant of an image, in the best format that the request accepts',
    params: R,
    query: z.object({
      preset: z.enum(resourcePresetNames).default('thumbnail'),
      v: Version,
      /** How the image is turned and cropped, as addresses spell it: another address for another picture. */
      edit: z
        .string()
        .regex(/^[-\dcr]{0,40}$/)
        .default(''),
      /** The whole image, neither turned nor cropped. */
      plain: z.stringbool().default(false),
    }),
    errors: ['not_found', 'unavailable'],
    ratePerMinute: 6000,
  }),
  signResource: endpoint(resourceCalls.signResource, {
    ...write,
    summary: 'An address of the current version that works until a time, also for a private resource; of a video, with those of its poster and captions',
    params: R,
    body: z.strictObject({
      preset: z.enum(deliveredVariants).default('original'),
      /** In seconds from now. */
      expiresIn: z.int().min(resourceLimits.shortestSignature).max(resourceLimits.longestSignature),
      /** The file is downloaded under this name, instead of shown where browsers can. */
      downloadAs: safeName(resourceLimits.name).nullable().default(null),
    }),
    response: z.object({
      address: z.string(),
      expiresAt: z.iso.datetime(),
      poster: z.string().nullable(),
      captions: z.array(z.object({ language: z.string(), use: z.enum(captionUses), label: z.string(), address: z.string() })),
    }),
    errors: ['not_found', 'invalid_fields'],
  }),
  resourceSvg: endpoint(resourceCalls.resourceSvg, {
    ...read,
    summary: 'The source of an SVG after cleaning and optional changes, and what was removed; nothing is stored',
    params: R,
    query: SvgQuery,
    response: SvgSource,
    errors: ['not_found', 'invalid_fields', 'unavailable'],
    // Cleaning two megabytes takes half a second.
    ratePerMinute: 60,
  }),
  resourceSprite: endpoint(resourceCalls.resourceSprite, {
    ...read,
    summary: 'One SVG with a symbol for each of several SVGs; ids are formed from their names',
    params: P,
    body: z.strictObject({ ids: z.array(rowId).min(1).max(resourceLimits.spriteIcons), currentColor: z.boolean().default(false) }),
    response: z.object({ source: z.string(), symbols: z.array(z.object({ id: rowId, symbol: z.string() })) }),
    errors: ['not_found', 'invalid_fields', 'too_large', 'unavailable'],
    ratePerMinute: 20,
  }),
  moveResources: endpoint(resourceCalls.moveResources, {
    ...write,
    summary: 'Move resources into a folder',
    params: P,
    body: z.strictObject({ ids: Ids, folderId: rowId.nullable() }),
    response: Changed,
    errors: ['not_found'],
  }),
  tagResources: endpoint(resourceCalls.tagResources, {
    ...write,
    summary: 'Add tags to resources and remove others',
    params: P,
    body: z.strictObject({
      ids: Ids,
      add: z.array(safeName(resourceLimits.tag)).max(resourceLimits.tags).default([]),
      remove: z.array(safeName(resourceLimits.tag)).max(resourceLimits.tags).default([]),
    }),
    response: Changed,
    errors: ['invalid_fields'],
  }),
  removeResources: endpoint(resourceCalls.removeResources, { ...write, summary: 'Move resources to the bin', params: P, body: IdsInput, response: Changed }),
  restoreResources: endpoint(resourceCalls.restoreResources, {
    ...write,
    summary: 'Restore resources from the bin',
    params: P,
    body: IdsInput,
    response: Changed,
  }),
  purgeResources: endpoint(resourceCalls.purgeResources, {
    ...write,
    summary: 'Delete resources in the bin for good',
    params: P,
    body: IdsInput,
    response: Changed,
  }),
  resourceFolders: endpoint(resourceCalls.resourceFolders, {
    ...read,
    summary: 'Folders',
    params: P,
    /** The kind of resources that are counted; all if absent. */
    query: z.object({ kind: z.enum(resourceKinds).optional() }),
    response: z.array(ResourceFolder),
  }),
  addResourceFolder: endpoint(resourceCalls.addResourceFolder, {
    ...write,
    summary: 'Create a folder',
    params: P,
    body: FolderInput,
    response: ResourceFolder,
    errors: ['name_taken', 'not_found', 'too_large'],
  }),
  changeResourceFolder: endpoint(resourceCalls.changeResourceFolder, {
    ...write,
    summary: 'Rename or move a folder',
    params: R,
    body: FolderInput.partial(),
    response: ResourceFolder,
    errors: ['name_taken', 'not_found', 'conflict', 'too_large'],
  }),
  removeResourceFolder: endpoint(resourceCalls.removeResourceFolder, {
    ...write,
    summary: 'Delete a folder; what it contains moves to its parent',
    params: R,
    errors: ['not_found', 'name_taken'],
  }),
  resourceTags: endpoint(resourceCalls.resourceTags, {
    ...read,
    summary: 'Tags in use, the most frequent first',
    params: P,
    response: z.array(z.object({ tag: z.string(), count: z.int() })),
  }),
  addKnownResource: endpoint(resourceCalls.addKnownResource, {
    ...write,
    summary: 'Add a file that the site already has, by its SHA-256; null if it must be uploaded',
    params: P,
    body: z.strictObject({ ...NewFile, sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: z.object({ resource: Resource.nullable() }),
    errors: ['not_found', 'invalid_fields'],
  }),
  createResourceUpload: endpoint(resourceCalls.createResourceUpload, {
    ...write,
    kind: 'file',
    summary: 'Begin an upload (tus 1.0); metadata: name, folder, replaces',
    params: P,
    errors: ['too_large', 'not_found', 'invalid_fields'],
  }),
  resourceUpload: endpoint(resourceCalls.resourceUpload, {
    ...write,
    kind: 'file',
    summary: 'How much of an upload has arrived (tus 1.0, HEAD)',
    params: U,
    errors: ['not_found'],
  }),
  resourceUploadData: endpoint(resourceCalls.resourceUploadData, {
    ...write,
    kind: 'file',
    summary: 'The next chunk of an upload (tus 1.0)',
    params: U,
    errors: ['not_found', 'too_large', 'unsupported_media_type'],
    bodyLimit: resourceLimits.chunkBytes,
    ratePerMinute: 3000,
  }),
  finishResourceUpload: endpoint(resourceCalls.finishResourceUpload, {
    ...write,
    summary: 'The resource that a complete upload becomes',
    params: U,
    response: Resource,
    errors: ['not_found', 'conflict', 'stale_revision', 'unavailable'],
  }),
  removeResourceUpload: endpoint(resourceCalls.removeResourceUpload, {
    ...write,
    kind: 'file',
    summary: 'Cancel an upload (tus 1.0)',
    params: U,
    errors: ['not_found'],
  }),
};
