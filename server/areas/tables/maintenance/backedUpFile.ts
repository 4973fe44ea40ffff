import { z } from 'zod';
import { rotations } from '../../../../contract/resources/edits';
import { Crop } from '../../../../contract/resources/schemas';
import { captionUses, posterBytes, resourceLimits, resourceVisibilities } from '../../../../contract/resources/terms';
import { vttLimits } from '../../../../contract/resources/vtt';
import { maintenanceLimits } from '../../../../contract/tables/maintenance';
import { LocaleTag, safeName, safeText } from '../../../../contract/text';

/** Bytes of a file in one line; in base64 well below the longest line. */
export const partBytes = 3 * 2 ** 20;

const Texts = (max: number) => z.record(z.string().max(40), safeText(max)).refine((texts) => Object.keys(texts).length <= 100);
const Captions = z.object({
  language: LocaleTag,
  use: z.enum(captionUses),
  label: safeName(vttLimits.label),
  source: z.string().max(vttLimits.characters),
});
/** A line that describes a file. */
export const FileLine = z.object({
  file: z.object({
    id: z.uuid().toLowerCase(),
    name: safeName(resourceLimits.name),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    bytes: z
      .int()
      .min(0)
      .max(maintenanceLimits.backupFileBytes * 1000),
    title: Texts(resourceLimits.text),
    alt: Texts(resourceLimits.text),
    caption: Texts(resourceLimits.caption),
    tags: z.array(safeName(resourceLimits.tag)).max(resourceLimits.tags),
    visibility: z.enum(resourceVisibilities),
    focalX: z.number().min(0).max(1),
    focalY: z.number().min(0).max(1),
    // Missing in files of earlier releases.
    rotation: z.literal(rotations).default(0),
    crop: Crop.nullable().default(null),
    poster: z
      .base64()
      .max(Math.ceil(posterBytes / 3) * 4)
      .nullable()
      .default(null),
    captions: z.array(Captions).max(vttLimits.tracks).default([]),
    /** Lines behind it that contain its content; null: it is not in the backup. */
    parts: z
      .int()
      .min(0)
      .max(Math.ceil(maintenanceLimits.backupFileBytes / partBytes))
      .nullable(),
  }),
});
export const PartLine = z.object({ part: z.base64() });

export type BackedUpFile = Readonly<Omit<z.output<typeof FileLine>['file'], 'tags' | 'captions' | 'rotation'>> & {
  readonly tags: readonly string[];
  readonly rotation: number;
  readonly captions: readonly z.output<typeof Captions>[];
};
