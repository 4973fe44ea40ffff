import { Icon } from './Icon';
import './stepper.css';

/**
 * The steps of a wizard by name. Completed steps are marked, with `done` as text for screen readers; with `onStep` they can be reopened. On phones only the
 * current step shows its name.
 */
export const Stepper = <S extends string>({
  label,
  steps,
  current,
  done,
  onStep,
}: {
  label: string;
  steps: readonly { readonly id: S; readonly name: string }[];
  current: S;
  done?: string;
  onStep?: (step: S) => void;
}) => {
  const place = steps.findIndex(({ id }) => id === current);
  return (
    <nav aria-label={label} className="stepper">
      <ol>
        {steps.map(({ id, name }, at) => {
          const content = (
            <>
              <i aria-hidden="true">{at < place ? <Icon name="check" size={12} /> : at + 1}</i>
              <span>{name}</span>
              {at < place && done !== undefined && <span className="only-read">{done}</span>}
            </>
          );
          return (
            <li key={id} aria-current={at === place ? 'step' : undefined} data-done={at < place || undefined}>
              {at < place && onStep ? (
                <button type="button" onClick={() => onStep(id)}>
                  {content}
                </button>
              ) : (
                content
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
};
