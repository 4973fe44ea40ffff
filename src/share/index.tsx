import { createRoot } from 'react-dom/client';
import type { Preferences } from '@/lib/preferences';
import type { AppStore } from '@/store';
import { SharedApp } from './SharedApp';

/** Draws the page of a read-only link instead of the console. */
export const startShared = (root: HTMLElement, parts: { readonly store: AppStore; readonly nonce: string; readonly preferences: Preferences }): void =>
  createRoot(root).render(<SharedApp {...parts} />);
