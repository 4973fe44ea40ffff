import { createContext } from 'react';

/** Opens the search of the frame; null outside the frame. */
export const PaletteContext = createContext<(() => void) | null>(null);
