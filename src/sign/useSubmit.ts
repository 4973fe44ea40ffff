import { useRef, useState } from 'react';
import type { FormEvent, RefObject } from 'react';
import type { FailureBody } from '@contract/errors';
import { post } from './call';
import type { CallResult, Failure } from './call';
import { useCountdown } from './parts';

export type FieldError = NonNullable<FailureBody['fields']>[string];
export type FieldErrors<N extends string> = Partial<Record<N, FieldError>>;

type Submit<N extends string> = {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly errors: FieldErrors<N>;
  readonly failure: Failure | null;
  readonly busy: boolean;
  /** Until the server accepts calls again; 0: now. */
  readonly secondsLeft: number;
  readonly clear: (name: N) => void;
  /** Marks invalid fields and focuses the first. */
  readonly point: (found: FieldErrors<N>) => void;
  readonly setFailure: (failure: Failure | null) => void;
  /**
   * POSTs, one call at a time. Returns null if it could not be sent, or if the error is now shown at its fields or above the form; codes in `own` are
   * left to the caller. After a success the form stays busy: the page is about to change.
   */
  readonly send: <T>(path: string, body: unknown, own?: readonly string[]) => Promise<CallResult<T> | null>;
  /** Submit handler: checks the input first. */
  readonly onSubmit: (event: FormEvent, check: () => FieldErrors<N>, go: () => Promise<unknown>) => void;
};

/** The shared submit behaviour of the sign page's forms. `order`: the fields from top to bottom, marked with `data-field`. */
export function useSubmit<N extends string>(order: readonly N[]): Submit<N> {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setFaults] = useState<FieldErrors<N>>({});
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const [secondsLeft, wait] = useCountdown();

  const point = (found: FieldErrors<N>) => {
    setFaults(found);
    const first = order.find((name) => found[name]);
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus();
  };
  const clear = (name: N) => {
    if (errors[name]) setFaults({ ...errors, [name]: undefined });
  };

  const send = async <T>(path: string, body: unknown, own: readonly string[] = []): Promise<CallResult<T> | null> => {
    if (busy || secondsLeft > 0) return null;
    setFailure(null);
    setBusy(true);
    const result = await post<T>(path, body);
    if (result.ok) return result;
    setBusy(false);
    const why = result.failure;
    if (why.kind === 'response') {
      if (own.includes(why.code ?? '')) return result;
      if (why.status === 429) wait(why.retryAfter ?? 60);
      const named = Object.fromEntries(Object.entries(why.fields).filter(([name]) => (order as readonly string[]).includes(name))) as FieldErrors<N>;
      if (Object.keys(named).length > 0) {
        point(named);
        return null;
      }
    }
    setFailure(why);
    return null;
  };

  const onSubmit = (event: FormEvent, check: () => FieldErrors<N>, go: () => Promise<unknown>) => {
    event.preventDefault();
    if (busy || secondsLeft > 0) return;
    const found = check();
    if (Object.keys(found).length > 0) point(found);
    else void go();
  };
  return { form, errors, failure, busy, secondsLeft, clear, point, setFailure, send, onSubmit };
}
