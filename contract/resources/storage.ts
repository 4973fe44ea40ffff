import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { resourceCalls } from './calls';
import { resourceKinds } from './kinds';

/** The smallest limits that a site may have, in bytes. */
export const leastStorage = { maxBytes: 2 ** 20, maxFileBytes: 2 ** 10 } as const;

/** How much a site stores, and may store. All in bytes. */
export const ResourceStorage = z.object({
  /** Contents of all resources, including earlier versions and the bin, unfinished uploads, and converted videos. Other variants do not count. */
  usedBytes: z.int(),
  /** Of these, unfinished uploads and what only the bin or earlier versions use. */
  freeableBytes: z.int(),
  uploadingBytes: z.int(),
  kinds: z.array(z.object({ kind: z.enum(resourceKinds), bytes: z.int() })),
  /** The limits that apply: those of the site, but at most those of the installation. `maxFileBytes`: of one file. */
  maxBytes: z.int(),
  maxFileBytes: z.int(),
  /** The site's own limits; null where the installation's apply. */
  own: z.object({ maxBytes: z.int().nullable(), maxFileBytes: z.int().nullable() }),
  installation: z.object({ maxBytes: z.int(), maxFileBytes: z.int() }),
  /** Of the site's limits; 0 before they are set. */
  revision: z.int(),
});
export type ResourceStorage = z.infer<typeof ResourceStorage>;

export const ResourceStorageInput = z.strictObject({
  maxBytes: z.int().min(leastStorage.maxBytes).nullable(),
  maxFileBytes: z.int().min(leastStorage.maxFileBytes).nullable(),
});
export type ResourceStorageInput = z.output<typeof ResourceStorageInput>;

const P = z.object({ siteId: SiteId });

export const resourceStorageEndpoints = {
  resourceStorage: endpoint(resourceCalls.resourceStorage, {
    access: { site: 'resources.read' },
    token: 'resources:read',
    summary: 'How much the resources of a site occupy, and how much they may',
    params: P,
    response: ResourceStorage,
    ratePerMinute: 120,
  }),
  changeResourceStorage: endpoint(resourceCalls.changeResourceStorage, {
    access: { site: 'resources.configure' },
    token: 'resources:write',
    ifMatch: 'required',
    summary: 'Set the limits of a site, at most those of the installation (If-Match: revision, 0 before the first change)',
    params: P,
    body: ResourceStorageInput,
    response: ResourceStorage,
    errors: ['stale_revision', 'invalid_fields'],
  }),
};
