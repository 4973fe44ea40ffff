import { z } from 'zod';
import type { FieldCode } from '@contract/errors';
import { encodeFieldError, fieldErrorOf } from '@/ui/form/fieldError';

type Path = readonly PropertyKey[];
export type ReportError = (path: Path, code: FieldCode) => void;

/**
 * A form schema on top of a schema of the contract: `read` turns the input into the body of the call and reports what it cannot parse; the contract
 * validates the rest. All errors are reported at once, one per field, each at the field given by `at`.
 */
export function typedSchema<I, O>(
  read: (typed: I, report: ReportError) => unknown,
  contract: z.ZodType<O>,
  at: (path: Path) => Path = (path) => path,
): z.ZodType<O, I> {
  return z.custom<I>().transform((typed, context): O => {
    const faulty = new Set<string>();
    const put = (path: Path, message: string) => {
      const name = path.map(String).join('.');
      if (faulty.has(name)) return;
      faulty.add(name);
      context.addIssue({ code: 'custom', path: [...path], message, input: typed });
    };
    const body = read(typed, (path, code) => put(path, encodeFieldError({ code })));
    const result = contract.safeParse(body, { error: (issue) => encodeFieldError(fieldErrorOf(issue)) });
    if (!result.success) for (const issue of result.error.issues) put(at(issue.path), issue.message);
    return result.success && faulty.size === 0 ? result.data : z.NEVER;
  });
}
