import type { ReactElement, ReactNode } from 'react';
import './toggles.css';

type Choice<V extends string> = {
  readonly value: V;
  readonly label: string;
  /** Shown instead of the label, which remains the accessible name. */
  readonly icon?: ReactNode;
};

/** A quiet row of buttons of which one is pressed: a filter or a layout that applies immediately. Without MUI, for pages that load first. */
export const Toggles = <V extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly value: V;
  readonly choices: readonly Choice<V>[];
  readonly onChoose: (value: V) => void;
}): ReactElement => (
  <div role="group" aria-label={label} className="toggles">
    {choices.map(({ value: one, label: name, icon }) => (
      <button
        key={one}
        type="button"
        aria-pressed={one === value}
        {...(icon === undefined ? {} : { 'aria-label': name, title: name })}
        onClick={() => one !== value && onChoose(one)}
      >
        {icon ?? name}
      </button>
    ))}
  </div>
);
