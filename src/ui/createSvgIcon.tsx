import type { CSSProperties, ReactElement, ReactNode } from 'react';

type Props = {
  readonly fontSize?: 'small';
  /** Accessible name; without it the icon is decorative. */
  readonly titleAccess?: string;
  readonly className?: string;
  readonly style?: CSSProperties;
};

/** Draws the icons of `@mui/icons-material` without the rest of MUI: the build puts it in the place of the package's own function of this name. */
export default function createSvgIcon(path: ReactNode): (props: Props) => ReactElement {
  return ({ fontSize, titleAccess, className = '', style }) => (
    <svg
      className={`svg-icon ${className}`}
      data-size={fontSize}
      style={style}
      viewBox="0 0 24 24"
      focusable="false"
      {...(titleAccess === undefined ? { 'aria-hidden': true } : { role: 'img' })}
    >
      {path}
      {titleAccess !== undefined && <title>{titleAccess}</title>}
    </svg>
  );
}
