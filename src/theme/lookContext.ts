import { createContext } from 'react';
import type { Primary } from '@/lib/preferences';

/** What MUI's theme depends on. `nonce` is that of the page's policy, empty without one. */
export const LookContext = createContext<{ readonly primary: Primary; readonly nonce: string }>({ primary: 'grey', nonce: '' });
