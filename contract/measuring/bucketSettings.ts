import { z } from 'zod';
import { bucketLimits } from './buckets';

const Ends = (least: number) =>
  z
    .array(z.int().min(least).max(bucketLimits.largest))
    .min(1)
    .max(bucketLimits.most)
    .refine((ends) => ends.every((end, index) => index === 0 || end > (ends[index - 1] ?? 0)), { message: 'pattern' });

export const BucketSettings = z.strictObject({
  pages: Ends(bucketLimits.least.pages),
  seconds: Ends(bucketLimits.least.seconds),
  days: Ends(bucketLimits.least.days),
  visits: Ends(bucketLimits.least.visits),
});
