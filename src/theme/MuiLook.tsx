import createCache from '@emotion/cache';
import type { EmotionCache } from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { ThemeProvider } from '@mui/material/styles';
import type { Theme } from '@mui/material/styles';
import { createContext, use } from 'react';
import type { ReactNode } from 'react';
import type { Primary } from '@/lib/preferences';
import { LookContext } from './lookContext';
import { makeTheme } from './theme';

declare module '@mui/material/styles' {
  // Its types know the properties of a provider whose theme is made of CSS variables only with this.
  interface CssThemeVariables {
    enabled: true;
  }
}

/** One for all parts, or each would insert the same styles again. */
let cache: EmotionCache | undefined;
const cacheFor = (nonce: string): EmotionCache => (cache ??= createCache({ key: 'c', prepend: true, ...(nonce === '' ? {} : { nonce }) }));

/** Themes as computed, by primary colour: every part that opens has the same. */
const themes = new Map<Primary, Theme>();
function themeFor(primary: Primary): Theme {
  const theme = themes.get(primary) ?? makeTheme(primary);
  themes.set(primary, theme);
  return theme;
}

const InsideContext = createContext(false);

/** MUI's theme and styles around a part; nothing inside another one. The scheme is an attribute of the page, which `LookProvider` sets. */
export const MuiLook = ({ children }: { readonly children: ReactNode }) => {
  const { primary, nonce } = use(LookContext);
  const inside = use(InsideContext);
  if (inside) return children;
  return (
    <InsideContext value>
      <CacheProvider value={cacheFor(nonce)}>
        <ThemeProvider theme={themeFor(primary)} storageManager={null} colorSchemeNode={null} noSsr {...(nonce === '' ? {} : { nonce })}>
          {children}
        </ThemeProvider>
      </CacheProvider>
    </InsideContext>
  );
};
