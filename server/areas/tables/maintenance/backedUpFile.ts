import { z } from 'zod';
import { resourceLimits, resourceVisibilities } from '../../../../contract/resources/terms';
import { maintenanceLimits } from '../../../../contract/tables/maintenance';
import { safeName, safeText } from '../../../../contract/text';

/** Bytes of a file in one line; in base64 well below the longest line. */
export const partBytes = 3 * 2 ** 20;

const Texts = (max: number) => z.record(z.string().max(40), safeText(max)).refine((texts) => Object.keys(texts).length <= 100);
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
    /** Lines behind it that contain its content; null: it is not in the backup. */
    parts: z
      .int()
      .min(0)
      .max(Math.ceil(maintenanceLimits.backupFileBytes / partBytes))
      .nullable(),
  }),
});
export const PartLine = z.object({ part: z.base64() });

export type BackedUpFile = Readonly<Omit<z.output<typeof FileLine>['file'], 'tags'>> & { readonly tags: readonly string[] };
