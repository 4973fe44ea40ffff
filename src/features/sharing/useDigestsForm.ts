import { z } from 'zod';
import { alertDirections, alertMeasures, alertWindows, canFire, cannotFire, mostRules } from '@contract/digests/schemas';
import type { Digests } from '@contract/digests/schemas';
import type { Site } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { setServerErrors, resetForm, useContractForm } from '@/ui/form/useContractForm';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useState } from 'react';
import { useChangeDigestsMutation } from './digestsApi';

const whole = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));
/** The settings as typed: numbers are strings. */
const Input = z.object({
  weekly: z.boolean(),
  monthly: z.boolean(),
  hour: whole(0, 23),
  rules: z
    .array(
      z
        .object({
          measure: z.enum(alertMeasures),
          window: z.enum(alertWindows),
          direction: z.enum(alertDirections),
          percent: whole(10, 10_000),
          least: whole(1, 1_000_000_000),
        })
        .refine(canFire, cannotFire),
    )
    .max(mostRules),
});
export type DigestsInput = z.input<typeof Input>;
type Output = z.output<typeof Input>;

const typed = ({ weekly, monthly, hour, rules }: Digests): DigestsInput => ({
  weekly,
  monthly,
  hour: String(hour),
  rules: rules.map((rule) => ({ ...rule, percent: String(rule.percent), least: String(rule.least) })),
});

/** The form of digests and alerts. If somebody else saved first, it keeps the input and shows the other revision. */
export function useDigestsForm(
  site: Site,
  digests: Digests,
): {
  readonly form: ContractForm<DigestsInput, Output>;
  readonly submit: (input: Output) => Promise<void>;
  readonly discard: () => void;
  readonly saving: boolean;
  readonly failure: ApiFailure | null;
} {
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangeDigestsMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const form = useContractForm(Input, { defaultValues: typed(digests), values: typed(digests) });
  return {
    form,
    saving: isLoading,
    failure,
    discard: () => {
      setFailure(null);
      resetForm(form, typed(digests));
    },
    submit: async (input) => {
      setFailure(null);
      const { data, error } = await change({ siteId: site.id, revision: digests.revision, body: input });
      if (data) {
        resetForm(form, typed(data));
        dispatch(noticeShown({ message: { key: 'sharing:reports.saved' } }));
      } else if (isFailure(error) && !setServerErrors(form, error)) setFailure(error);
    },
  };
}
