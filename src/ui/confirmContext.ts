import { createContext, useContext } from 'react';
import type { ReactNode } from 'react';

/** What is asked before something that cannot simply be undone. `danger` paints the confirming button in the colour of bad news. */
export type Question = { readonly title: ReactNode; readonly body?: ReactNode; readonly confirm: string; readonly cancel?: string; readonly danger?: boolean };
export type Ask = (question: Question) => Promise<boolean>;

export const ConfirmContext = createContext<Ask | null>(null);

/** `if (await confirm({ title, confirm: t('delete'), danger: true })) …` */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext);
  if (!ask) throw new Error('useConfirm needs a ConfirmHost above it');
  return ask;
}
