import { z } from 'zod';
import { captionUses, posterBytes } from '../../../../contract/resources/terms';
import { vttLimits } from '../../../../contract/resources/vtt';
import { maintenanceLimits } from '../../../../contract/tables/maintenance';
import { LocaleTag, safeName } from '../../../../contract/text';
import { CarriedDetails } from '../../resources';

/** Bytes of a file in one line; in base64 well below the longest line. */
export const partBytes = 3 * 2 ** 20;

const Captions = z.object({
  language: LocaleTag,
  use: z.enum(captionUses),
  label: safeName(vttLimits.label),
  source: z.string().max(vttLimits.characters),
});
/** A line that describes a file. */
export const FileLine = z.object({
  file: CarriedDetails.extend({
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    bytes: z
      .int()
      .min(0)
      .max(maintenanceLimits.backupFileBytes * 1000),
    // Missing in files of earlier releases, as the next ones are.
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
