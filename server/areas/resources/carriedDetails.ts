import { z } from 'zod';
import { rotations } from '../../../contract/resources/edits';
import { Crop } from '../../../contract/resources/schemas';
import { resourceLimits, resourceVisibilities } from '../../../contract/resources/terms';
import { safeName, safeText } from '../../../contract/text';

const Texts = (max: number) => z.record(z.string().max(40), safeText(max)).refine((texts) => Object.keys(texts).length <= 100);

/** What a resource says of itself where it travels with what uses it: in backups of tables and in exported archives. */
export const CarriedDetails = z.object({
  id: z.uuid().toLowerCase(),
  name: safeName(resourceLimits.name),
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
});
