import { z } from 'zod';
import { resourceKinds } from './kinds';
import { allVisibilities } from './terms';

/** What is known of the content of a resource. */
export const ResourceContent = z.object({
  kind: z.enum(resourceKinds),
  contentType: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** In pixels, after rotation and crop; null if it has no dimensions. */
  width: z.int().nullable(),
  height: z.int().nullable(),
});

/** What a record shows of a resource that it uses. */
export const ResourceLabel = ResourceContent.extend({
  id: z.uuid(),
  name: z.string(),
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
  /** Clockwise quarter turns in degrees, before the crop. */
  rotation: z.int(),
  crop: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).nullable(),
  visibility: z.enum(allVisibilities),
  /** In the bin. */
  deleted: z.boolean(),
  /** Delivered to nobody: the malware scanner blocked it. */
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
