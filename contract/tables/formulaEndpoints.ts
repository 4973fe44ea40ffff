import { z } from 'zod';
import { formulaCalls } from './calls';
import { endpoint } from '../endpoint';
import { formulaErrors, formulaLimits } from './formula';
import { valueKinds } from './terms';
import { T, TableRef } from './schemas';

/** A formula error and its position, in UTF-16 units of the typed text. */
export const FormulaErrorSchema = z.object({ code: z.enum(formulaErrors), at: z.int(), length: z.int(), name: z.string() });
export const FormulaTrial = z.object({
  /** The stored form: fields by id. */
  formula: z.string(),
  yields: z.enum(valueKinds).nullable(),
  /** Why it cannot be read: `cycle`, `missing_field`, `wrong_type`… null: it can. `error` gives the position. */
  problem: z.string().nullable(),
  error: FormulaErrorSchema.nullable(),
  /** Results for the first five records of the table. */
  samples: z.array(z.object({ id: z.uuid(), label: z.string(), value: z.unknown() })),
});
export type FormulaTrial = z.infer<typeof FormulaTrial>;

export const formulaEndpoints = {
  tryFormula: endpoint(formulaCalls.tryFormula, {
    access: { site: 'tables.design' },
    token: 'tables:design',
    ratePerMinute: 1200,
    summary: 'Look at a formula while it is typed: what is wrong with it, what it yields, and what it makes of a few records',
    params: T,
    body: z.strictObject({
      formula: z.string().max(formulaLimits.length),
      /** The field that the formula is for. */
      field: TableRef.optional(),
      decimals: z.int().min(0).max(10).optional(),
    }),
    response: FormulaTrial,
    errors: ['not_found', 'invalid_fields', 'conflict', 'too_slow'],
  }),
} as const;
