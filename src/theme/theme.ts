import { createTheme } from '@mui/material/styles';
import type { Components, Theme } from '@mui/material/styles';
import type { Primary } from '@/lib/preferences';
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

const components: Components<Omit<Theme, 'components'>> = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: { root: { '&.Mui-focusVisible': { outline: '2px solid var(--info)', outlineOffset: 2 } } },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, size: 'small' },
    styleOverrides: {
      root: { textTransform: 'none', fontWeight: 500, minHeight: 32, padding: '4px 12px', whiteSpace: 'nowrap', '@media (pointer: coarse)': { minHeight: 40 } },
      outlined: { borderColor: 'var(--n-4)', color: 'var(--ink)' },
      text: { color: 'inherit' },
    },
    variants: [
      {
        props: { variant: 'contained', color: 'primary' },
        style: {
          backgroundColor: 'var(--primary-ground)',
          color: 'var(--on-primary)',
          '&:hover': { backgroundColor: 'color-mix(in srgb, var(--primary-ground) 88%, var(--ink))' },
        },
      },
    ],
  },
  MuiIconButton: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: { borderRadius: 3, color: 'var(--ink-2)', '&:hover': { color: 'var(--ink)' }, '@media (pointer: coarse)': { minWidth: 40, minHeight: 40 } },
    },
  },
  MuiTextField: { defaultProps: { size: 'small' } },
  MuiFormControl: { defaultProps: { size: 'small' } },
  MuiSelect: { defaultProps: { size: 'small' } },
  MuiOutlinedInput: { styleOverrides: { root: { fontSize: 14 }, notchedOutline: { borderColor: 'var(--n-4)' } } },
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiDialog: { styleOverrides: { paper: { border: '1px solid var(--line)', boxShadow: 'var(--shadow)' } } },
  MuiDialogTitle: { styleOverrides: { root: { fontSize: 16, fontWeight: 600, padding: '16px 24px 8px' } } },
  MuiPopover: { styleOverrides: { paper: { border: '1px solid var(--line)', boxShadow: 'var(--shadow)' } } },
  MuiMenuItem: { styleOverrides: { root: { fontSize: 14, minHeight: 34, '@media (pointer: coarse)': { minHeight: 44 } } } },
  MuiTooltip: { defaultProps: { enterDelay: 400 }, styleOverrides: { tooltip: { fontSize: 12, backgroundColor: 'var(--n-8)', color: 'var(--n-0)' } } },
  MuiTableCell: {
    styleOverrides: { root: { fontSize: 13, padding: '7px 12px', borderColor: 'var(--line)' }, head: { fontSize: 12, fontWeight: 500, color: 'var(--ink-2)' } },
  },
  MuiChip: { styleOverrides: { root: { borderRadius: 3, fontSize: 12 } } },
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
      body1: { fontSize: '0.875rem' },
      body2: { fontSize: '0.875rem' },
      caption: { fontSize: '0.75rem' },
      button: { fontSize: '0.875rem' },
      h1: { fontSize: '1.25rem', fontWeight: 600, lineHeight: 1.4 },
      h2: { fontSize: '1rem', fontWeight: 600, lineHeight: 1.5 },
      h3: { fontSize: '0.875rem', fontWeight: 600, lineHeight: 1.5 },
    },
    transitions: { duration: { shortest: 120, shorter: 150, short: 180, standard: 200, complex: 200, enteringScreen: 180, leavingScreen: 120 } },
    components,
  });
