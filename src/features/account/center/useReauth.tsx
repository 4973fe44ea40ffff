import { useState } from 'react';
import type { ReactElement } from 'react';
import { isFailure } from '@/store/failure';
import { ReauthDialog } from './ReauthDialog';

type Waiting = { readonly answer: (proven: boolean) => void };

/**
 * `const [proven, dialog] = useReauth()`: `await proven(() => rename(body))` does the call, asks for the password where the server wants it proven,
 * and then does the call again. Cancelled: the first answer, with its `reauth_required`.
 */
export function useReauth(): readonly [<R extends { readonly error?: unknown }>(call: () => Promise<R>) => Promise<R>, ReactElement | null] {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const ask = () =>
    new Promise<boolean>((resolve) => {
      setWaiting({
        answer: (proven) => {
          setWaiting(null);
          resolve(proven);
        },
      });
    });
  const proven = async <R extends { readonly error?: unknown }>(call: () => Promise<R>): Promise<R> => {
    const result = await call();
    if (!isFailure(result.error) || result.error.code !== 'reauth_required' || !(await ask())) return result;
    return call();
  };
  return [proven, waiting && <ReauthDialog onAnswer={waiting.answer} />];
}
