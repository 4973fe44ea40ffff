import type { ReactNode } from 'react';
import './tag.css';

/** The colours of choices in content tables. */
export type TagColor = 'grey' | 'blue' | 'teal' | 'green' | 'yellow' | 'orange' | 'red' | 'purple';

/** A short word on a ground. `tone` says what a state means, `color` is the colour that somebody gave to a choice. */
export const Tag = ({ tone, color, children }: { tone?: 'good' | 'warning' | 'bad' | 'info'; color?: TagColor | undefined; children: ReactNode }) => (
  <span className="tag" data-tone={tone} data-color={color}>
    {children}
  </span>
);
