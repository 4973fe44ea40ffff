import { z } from 'zod';
import { endpoint } from '../endpoint';
import { rowId } from '../text';
import { SiteParams, operate, read } from './common';
import { verificationMethods, verificationServices } from './terms';
import { verificationSizes } from './verification';
import { verificationCalls } from './verificationCalls';

const DateTime = z.iso.datetime();

export const Verification = z.object({
  id: rowId,
  service: z.enum(verificationServices),
  method: z.enum(verificationMethods),
  /** Name of the file, or of the meta element. */
  name: z.string(),
  content: z.string(),
  /** Address of the file, or of the page whose head has the element; null: the site is hosted elsewhere. */
  url: z.string().nullable(),
  createdAt: DateTime,
  createdBy: z.string().nullable(),
  /** Whether it was found when the program requested it last; null: never. */
  delivered: z.boolean().nullable(),
  checkedAt: DateTime.nullable(),
});
export type Verification = z.infer<typeof Verification>;

export const VerificationInput = z.strictObject({
  service: z.enum(verificationServices),
  method: z.enum(verificationMethods),
  name: z.string().trim().max(120).default(''),
  content: z
    .string()
    .trim()
    .max(2 * verificationSizes.file)
    .default(''),
});

const VerificationParams = SiteParams.extend({ id: rowId });

export const verificationEndpoints = {
  verifications: endpoint(verificationCalls.verifications, {
    ...read,
    summary: 'Proofs of ownership that services look for',
    params: SiteParams,
    response: z.object({ rows: z.array(Verification) }),
  }),
  addVerification: endpoint(verificationCalls.addVerification, {
    ...operate,
    summary: 'Add a proof of ownership, a file or a meta element (pasted as a whole or only its content); it is delivered at once',
    params: SiteParams,
    body: VerificationInput,
    response: Verification,
    errors: ['invalid_fields', 'not_delivered'],
  }),
  removeVerification: endpoint(verificationCalls.removeVerification, {
    ...operate,
    summary: 'Remove a proof of ownership',
    params: VerificationParams,
    errors: ['not_found'],
  }),
  checkVerification: endpoint(verificationCalls.checkVerification, {
    ...operate,
    summary: 'Request a proof of ownership as its service would',
    params: VerificationParams,
    response: Verification,
    errors: ['not_found'],
    ratePerMinute: 30,
  }),
} as const;
