/** The values of tokens.css from which MUI computes shades. A test keeps both files equal. */
export const palettes = {
  light: {
    canvas: '#ffffff',
    ink: '#18181b',
    ink2: '#6b6b74',
    line: '#e7e7ea',
    hover: '#f4f4f5',
    good: '#1a7340',
    warning: '#8a5a00',
    bad: '#c4281c',
    info: '#1862c6',
  },
  dark: {
    canvas: '#131316',
    ink: '#f4f4f6',
    ink2: '#9c9ca6',
    line: '#2c2c33',
    hover: '#202025',
    good: '#5cc384',
    warning: '#dba73b',
    bad: '#ff8178',
    info: '#7ab0ff',
  },
} as const;

/** Dark grey is the specification's primary colour; the dark scheme needs a light value of its own, or buttons would be invisible. */
export const primaryColours = {
  grey: { light: '#424242', dark: '#bdbdbd' },
  blue: { light: '#1677ff', dark: '#1677ff' },
} as const;
