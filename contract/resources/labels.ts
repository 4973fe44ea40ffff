import { z } from 'zod';
import { resourceKinds, resourceVisibilities } from './terms';

/** What a record shows of a resource that it uses. */
export const ResourceLabel = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(resourceKinds),
  contentType: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** As it is shown, in pixels; null if it has no dimensions. */
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** The resource's own alternative text by language; that of the use takes precedence. */
  alt: z.record(z.string(), z.string()),
  thumbhash: z.string().nullable(),
  color: z.string().nullable(),
  /** Path on the hosts of the site, and the attribute `srcset` of an image; '' without dimensions. */
  url: z.string(),
  srcset: z.string(),
  /** The point that crops keep visible, as shares of width and height. */
  focalX: z.number(),
  focalY: z.number(),
  /** How it is turned, in degrees, and then cropped. */
  rotation: z.int(),
  crop: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).nullable(),
  visibility: z.enum(resourceVisibilities),
  /** In the bin. */
  deleted: z.boolean(),
  /** Delivered to nobody, because of the malware scanner. */
  blocked: z.boolean(),
});
export type ResourceLabel = z.infer<typeof ResourceLabel>;

/** A resource in a record, as the public reads it; texts in the language of the request. */
export const PublicResource = ResourceLabel.omit({
  alt: true,
  sha256: true,
  focalX: true,
  focalY: true,
  rotation: true,
  crop: true,
  visibility: true,
  deleted: true,
  blocked: true,
}).extend({
  alt: z.string(),
  caption: z.string(),
});
export type PublicResource = z.infer<typeof PublicResource>;
