import type { ReactNode } from 'react';
import './tag.css';

/** A short word on a ground. `tone` says what a state means, `color` is one of `choiceColors` of content tables. */
export const Tag = ({ tone, color, children }: { tone?: 'good' | 'warning' | 'bad' | 'info'; color?: string | undefined; children: ReactNode }) => (
  <span className="tag" data-tone={tone} data-color={color} title={typeof children === 'string' ? children : undefined}>
    {children}
  </span>
);
