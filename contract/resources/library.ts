import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { rowId } from '../text';
import { resourceLibraryCalls } from './calls';
import { ResourceContent } from './labels';
import { Crop, Resource } from './schemas';
import { resourceKinds } from './kinds';
import { addressProblems, resourceLimits } from './terms';

const P = z.object({ siteId: SiteId });
const R = P.extend({ id: rowId });
const read = { access: { site: 'resources.read' }, token: 'resources:read' } as const;
const write = { access: { site: 'resources.write' }, token: 'resources:write' } as const;

/** A place that uses a resource: a field of a record that the reader may see. */
export const ResourceUsage = z.object({
  resourceId: rowId,
  tableId: z.string(),
  tableTitle: z.string(),
  fieldId: z.string(),
  fieldTitle: z.string(),
  recordId: rowId,
  label: z.string(),
  /** The record is in the bin. */
  deleted: z.boolean(),
});
export type ResourceUsage = z.infer<typeof ResourceUsage>;

export const ResourceVersion = ResourceContent.extend({
  version: z.int(),
  rotation: z.int(),
  crop: Crop.nullable(),
  /** Who uploaded it; empty if unknown. */
  by: z.string(),
  createdAt: z.iso.datetime(),
});
export type ResourceVersion = z.infer<typeof ResourceVersion>;

/** Resources that show the same, the oldest first. */
export const DuplicateGroup = z.object({
  /** Whether their contents are the same byte by byte. */
  exact: z.boolean(),
  rows: z.array(Resource),
});
export type DuplicateGroup = z.infer<typeof DuplicateGroup>;

export const resourceLibraryEndpoints = {
  resourceUses: endpoint(resourceLibraryCalls.resourceUses, {
    ...read,
    summary: 'Records that use resources, as far as the caller may see them',
    params: P,
    body: z.strictObject({ ids: z.array(rowId).min(1).max(resourceLimits.bulk) }),
    response: z.object({
      /** The first of those that the caller may see. */
      uses: z.array(ResourceUsage),
      /** Places that the caller may see, and all places. */
      visible: z.int(),
      total: z.int(),
    }),
  }),
  replaceResources: endpoint(resourceLibraryCalls.replaceResources, {
    ...write,
    summary: 'Use another resource wherever some are used, as one batch of changes that can be undone; a job if there are many',
    params: P,
    body: z.strictObject({
      ids: z.array(rowId).min(1).max(resourceLimits.replaced),
      by: rowId,
      /** Moves those to the bin that nothing uses afterwards. */
      remove: z.boolean().default(false),
    }),
    response: z.object({
      /** The batch of the content tables; null if no record was changed. */
      batchId: z.string().nullable(),
      /** Table of the batch. */
      tableId: z.string().nullable(),
      /** Records that were changed. */
      changed: z.int(),
      /** Places that still use one of the resources: the caller may not change them, or their field does not take the other one. */
      remaining: z.int(),
      removed: z.array(rowId),
      /** The job that does it, instead. */
      jobId: z.string().nullable(),
    }),
    errors: ['not_found', 'invalid_fields', 'forbidden', 'token_scope'],
    ratePerMinute: 60,
  }),
  resourceDuplicates: endpoint(resourceLibraryCalls.resourceDuplicates, {
    ...read,
    summary: 'Groups of resources with the same content, and of images that look the same',
    params: P,
    query: z.object({
      kind: z.enum(resourceKinds).default('image'),
      /** Groups to skip. */
      skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
      size: z.coerce.number().int().min(1).max(50).default(20),
    }),
    response: z.object({ groups: z.array(DuplicateGroup), total: z.int() }),
    ratePerMinute: 60,
  }),
  resourceVersions: endpoint(resourceLibraryCalls.resourceVersions, {
    ...read,
    summary: 'Earlier versions of a resource, the latest first',
    params: R,
    response: z.array(ResourceVersion),
    errors: ['not_found'],
  }),
  activateResourceVersion: endpoint(resourceLibraryCalls.activateResourceVersion, {
    ...write,
    ifMatch: 'required',
    summary: 'Make an earlier version the current one (If-Match: revision)',
    params: R.extend({ version: z.coerce.number().int().min(1).max(1_000_000) }),
    response: Resource,
    errors: ['not_found', 'stale_revision'],
  }),
  addResourceFrom: endpoint(resourceLibraryCalls.addResourceFrom, {
    ...write,
    summary: 'Fetch a file from a public address once and store it',
    params: P,
    body: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2000), folderId: rowId.nullable().default(null) }),
    response: z.object({ resource: Resource.nullable(), problem: z.enum(addressProblems).nullable() }),
    errors: ['not_found', 'invalid_fields', 'too_large', 'unavailable'],
    ratePerMinute: 30,
  }),
};
