import type { ReactElement, ReactNode } from 'react';

/** A row of a list of settings: its name, what it is now, and what can be done. */
export function SettingRow({
  name,
  detail,
  actions,
  ...data
}: {
  readonly name: ReactNode;
  readonly detail: ReactNode;
  readonly actions?: ReactNode;
  readonly [attribute: `data-${string}`]: string;
}): ReactElement {
  return (
    <li className="address-row" {...data}>
      <span>
        <b>{name}</b>
        <small>{detail}</small>
      </span>
      {actions && <span>{actions}</span>}
    </li>
  );
}
