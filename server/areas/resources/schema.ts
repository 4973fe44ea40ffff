import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { bigint, boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, real, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { CaptionUse, Crop, MediaDetails, ResourceKind, ResourceVisibility, ScanResult } from '../../../contract/resources/terms';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const site = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });
export type Texts = Readonly<Record<string, string>>;

/** Contents of files, each stored once per site. What is known of a blob was read from its content. */
export const blobs = pgTable(
  'blobs',
  {
    siteId: site(),
    sha256: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    kind: text().$type<ResourceKind>().notNull(),
    contentType: text('content_type').notNull(),
    /** Upright, in pixels. */
    width: integer(),
    height: integer(),
    durationMs: integer('duration_ms'),
    thumbhash: text(),
    color: text(),
    /** Of 64 bits as 16 hexadecimal digits: similar images differ in few bits. */
    perceptualHash: text('perceptual_hash'),
    hasGps: boolean('has_gps').notNull().default(false),
    /** Of videos and audio: container, codecs and frame rate, as far as they could be read. */
    media: jsonb().$type<MediaDetails>(),
    /** Result of the malware scanner; null if none is configured or it has not responded yet. */
    scan: text().$type<ScanResult>(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.sha256] })],
);

export const resourceFolders = pgTable(
  'resource_folders',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: site(),
    parentId: uuid('parent_id').references((): AnyPgColumn => resourceFolders.id, { onDelete: 'restrict' }),
    name: text().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [uniqueIndex('resource_folders_name_index').on(t.siteId, sql`coalesce(${t.parentId}, '00000000-0000-0000-0000-000000000000')`, sql`lower(${t.name})`)],
);

export const resources = pgTable(
  'resources',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: site(),
    kind: text().$type<ResourceKind>().notNull(),
    folderId: uuid('folder_id').references(() => resourceFolders.id, { onDelete: 'restrict' }),
    name: text().notNull(),
    title: jsonb().$type<Texts>().notNull().default({}),
    alt: jsonb().$type<Texts>().notNull().default({}),
    caption: jsonb().$type<Texts>().notNull().default({}),
    tags: text().array().notNull().default([]),
    sha256: text().notNull(),
    /** Clockwise quarter turns, in degrees, before the crop. */
    rotation: integer().notNull().default(0),
    /** The part of the turned image that variants show, as shares of its width and height; null for all of it. */
    crop: jsonb().$type<Crop>(),
    focalX: real('focal_x').notNull().default(0.5),
    focalY: real('focal_y').notNull().default(0.5),
    visibility: text().$type<ResourceVisibility>().notNull().default('public'),
    /** The image that a video shows before it plays. */
    posterSha256: text('poster_sha256'),
    /** A file that came with a public form stays apart until its record is accepted; then null. What is not accepted by then is deleted. */
    pendingUntil: moment('pending_until'),
    /** Deliveries of the file itself; changing them changes neither revision nor `updatedAt`. */
    downloads: bigint({ mode: 'number' }).notNull().default(0),
    lastDownloadedAt: moment('last_downloaded_at'),
    version: integer().notNull().default(1),
    revision: integer().notNull().default(1),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    deletedAt: moment('deleted_at'),
  },
  (t) => [
    foreignKey({ columns: [t.siteId, t.sha256], foreignColumns: [blobs.siteId, blobs.sha256] }),
    foreignKey({ columns: [t.siteId, t.posterSha256], foreignColumns: [blobs.siteId, blobs.sha256] }),
    index('resources_newest_index').on(t.siteId, t.kind, t.createdAt, t.id),
    index('resources_folder_index').on(t.siteId, t.folderId),
    index('resources_blob_index').on(t.siteId, t.sha256),
    index('resources_poster_index').on(t.siteId, t.posterSha256),
    index('resources_tags_index').using('gin', t.tags),
  ],
);

/** Whether a variant is a converted video (`videoName`). The same text everywhere, so that its index is used. */
export const isVideoName = (name: AnyPgColumn) => sql`${name} LIKE '720.%'`;

/** Computed files of a content that are in the file store. `lastUsedAt` is at most an hour behind. */
export const resourceVariants = pgTable(
  'resource_variants',
  {
    siteId: site(),
    sha256: text().notNull(),
    name: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    lastUsedAt: moment('last_used_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.siteId, t.sha256, t.name] }),
    foreignKey({ columns: [t.siteId, t.sha256], foreignColumns: [blobs.siteId, blobs.sha256] }).onDelete('cascade'),
    index('resource_variants_used_index').on(t.lastUsedAt),
    index('resource_variants_video_index').on(t.siteId).where(isVideoName(t.name)),
  ],
);

/** Contents that a resource had before it was replaced. */
export const resourceVersions = pgTable(
  'resource_versions',
  {
    resourceId: uuid('resource_id')
      .notNull()
      .references(() => resources.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    siteId: site(),
    sha256: text().notNull(),
    name: text().notNull(),
    /** How this version was turned and cropped. */
    rotation: integer().notNull().default(0),
    crop: jsonb().$type<Crop>(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.resourceId, t.version] }),
    foreignKey({ columns: [t.siteId, t.sha256], foreignColumns: [blobs.siteId, blobs.sha256] }),
    index('resource_versions_blob_index').on(t.siteId, t.sha256),
  ],
);

/**
 * Uses of resources, written in the transaction of the change that begins or ends a use. `source`: what uses it, such as `record`; `owner`: the table of a
 * record; `place`: the field. Deleting a resource does not delete its uses: the owner shows that the file is missing.
 */
export const resourceReferences = pgTable(
  'resource_references',
  {
    siteId: site(),
    resourceId: uuid('resource_id').notNull(),
    source: text().notNull(),
    owner: text().notNull(),
    sourceId: text('source_id').notNull(),
    place: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.siteId, t.resourceId, t.source, t.owner, t.sourceId, t.place] }),
    index('resource_references_source_index').on(t.siteId, t.source, t.owner, t.sourceId),
  ],
);

/** Captions of videos in WebVTT, one text for each language and use. */
export const resourceCaptions = pgTable(
  'resource_captions',
  {
    resourceId: uuid('resource_id')
      .notNull()
      .references(() => resources.id, { onDelete: 'cascade' }),
    language: text().notNull(),
    use: text().$type<CaptionUse>().notNull(),
    label: text().notNull(),
    source: text().notNull(),
    revision: integer().notNull().default(1),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.resourceId, t.language, t.use] })],
);

/** Limits that a site sets for itself; null for those of the installation. In bytes. */
export const resourceSettings = pgTable('resource_settings', {
  siteId: site().primaryKey(),
  maxBytes: bigint('max_bytes', { mode: 'number' }),
  maxFileBytes: bigint('max_file_bytes', { mode: 'number' }),
  revision: integer().notNull().default(1),
});

/** Uploads in progress; their bytes are in the file store. */
export const resourceUploads = pgTable(
  'resource_uploads',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: site(),
    name: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    folderId: uuid('folder_id'),
    /** The resource whose content the upload replaces; null for a new one. */
    replaces: uuid(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    /** The resource that it became; the sender of the last chunk may not have received the response. */
    resourceId: uuid('resource_id'),
  },
  (t) => [index('resource_uploads_site_index').on(t.siteId, t.createdAt)],
);
