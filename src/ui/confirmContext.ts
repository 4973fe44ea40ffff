import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';

/** A confirmation before an action that cannot simply be undone. `danger` gives the confirm button the error colour. */
export type Question = { readonly title: ReactNode; readonly body?: ReactNode; readonly confirm: string; readonly cancel?: string; readonly danger?: boolean };
export type Confirm = (question: Question) => Promise<boolean>;

export const ConfirmContext = createContext<Confirm | null>(null);

/** Usage: `if (await confirm({ title, confirm: t('delete'), danger: true })) …` */
export function useConfirm(): Confirm {
  const ask = useContext(ConfirmContext);
  if (!ask) throw new Error('useConfirm needs a ConfirmHost above it');
  return ask;
}
