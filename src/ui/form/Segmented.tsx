import type { ReactElement } from 'react';
import { FieldGroup } from './Field';

/** A single choice from two or three visible options. For choices that apply immediately, outside forms. */
export function Segmented<V extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly value: V;
  readonly choices: readonly { readonly value: V; readonly label: string; readonly lang?: string }[];
  readonly onChoose: (value: V) => void;
}): ReactElement {
  return (
    <FieldGroup label={label}>
      <div role="group" aria-label={label} className="segmented">
        {choices.map((choice) => (
          <button
            key={choice.value}
            type="button"
            aria-pressed={choice.value === value}
            lang={choice.lang}
            onClick={() => choice.value !== value && onChoose(choice.value)}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </FieldGroup>
  );
}
