import { createTheme } from '@mui/material/styles';
import type { Components, Theme } from '@mui/material/styles';
import type { Primary } from '@/lib/preferences';
import { Caret } from '@/ui/Caret';
import { palettes, primaryColours } from './palette';

const scheme = (mode: 'light' | 'dark', primary: Primary) => {
  const p = palettes[mode];
  return {
    palette: {
      primary: { main: primaryColours[primary][mode] },
      success: { main: p.good },
      warning: { main: p.warning },
      error: { main: p.bad },
      info: { main: p.info },
      background: { default: p.canvas, paper: mode === 'dark' ? '#1c1c20' : p.canvas },
      text: { primary: p.ink, secondary: p.ink2 },
      divider: p.line,
      action: { hover: p.hover },
    },
  };
};

/** `medium` is a control of 32 px, `small` a filter of 28 px. What no `sx` overrides is in mui.css, because the first scripts have a budget. */
const components: Components<Omit<Theme, 'components'>> = {
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: {
      root: { fontWeight: 500, minHeight: 32, padding: '4px 12px', whiteSpace: 'nowrap' },
      outlined: { borderColor: 'var(--n-4)', color: 'var(--ink)' },
      text: { color: 'inherit' },
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: { padding: 7, color: 'var(--ink-2)' },
    },
    variants: [{ props: { size: 'small' }, style: { padding: 6 } }],
  },
  MuiSelect: { defaultProps: { IconComponent: Caret } },
  MuiNativeSelect: { defaultProps: { IconComponent: Caret } },
  MuiTableCell: {
    styleOverrides: {
      root: { fontSize: 'var(--text-table)', padding: '7px 12px', borderColor: 'var(--line)' },
      head: { fontSize: 'var(--text-secondary)', fontWeight: 500, color: 'var(--ink-2)' },
    },
  },
  MuiTooltip: { defaultProps: { enterDelay: 400 } },
  MuiLink: { defaultProps: { underline: 'hover', color: 'inherit' } },
};

/**
 * Dark grey (or #1677ff) primary, radius 3, base size 14. `typography.fontSize: 14` alone is MUI's default and leaves body text at 16 px, so both
 * body sizes are set. MUI's own messages are not needed: every component that shows one sets its own text.
 */
export const makeTheme = (primary: Primary) =>
  createTheme({
    cssVariables: { cssVarPrefix: 'c', colorSchemeSelector: 'data-scheme' },
    colorSchemes: { light: scheme('light', primary), dark: scheme('dark', primary) },
    shape: { borderRadius: 3 },
    typography: {
      fontSize: 14,
      fontFamily: 'var(--font)',
      fontWeightBold: 600,
      body1: { fontSize: 'var(--text-body)' },
      body2: { fontSize: 'var(--text-body)' },
      caption: { fontSize: 'var(--text-secondary)' },
      button: { fontSize: 'var(--text-body)' },
      h1: { fontSize: 'var(--text-page)', fontWeight: 600, lineHeight: 1.4 },
      h2: { fontSize: 'var(--text-section)', fontWeight: 600, lineHeight: 1.5 },
      h3: { fontSize: 'var(--text-body)', fontWeight: 600, lineHeight: 1.5 },
    },
    transitions: { duration: { shortest: 120, shorter: 150, short: 180, standard: 200, complex: 200, enteringScreen: 180, leavingScreen: 120 } },
    components,
  });
