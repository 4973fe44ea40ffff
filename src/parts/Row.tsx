import type { ReactElement, ReactNode } from 'react';

/** One part with its states beside each other. */
export const Row = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <div className="parts-row" data-part={name}>
    <h3>{name}</h3>
    <div>{children}</div>
  </div>
);
