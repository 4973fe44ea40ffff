import { fill, useMessages } from './useMessages';

type Props = {
  readonly password: string;
  readonly loginName: string;
  /** Minimum length in characters, as the server requires. */
  readonly enough: number;
  /** A refused password has its rule repeated. */
  readonly refused: boolean;
};

/** Password strength, and the most useful improvement. Length is what counts; the rest is advice. */
export function PasswordMeter({ password, loginName, enough, refused }: Props) {
  const s = useMessages().setUp;
  const rule = fill(s.passwordHelp, { min: enough });
  if (password === '') return rule;
  const missing = enough - password.length;
  const repetitive = new Set(password).size < 6;
  const hasLogin = loginName.length >= 3 && password.toLowerCase().includes(loginName.toLowerCase());
  const advice = missing > 0 ? fill(s.passwordMissing, { n: missing }) : hasLogin ? s.passwordHasLogin : repetitive ? s.passwordRepeats : s.passwordEnough;
  const good = missing <= 0 && !hasLogin && !repetitive;
  return (
    <>
      <span className={good ? 'meter good' : 'meter'}>
        <span className="bar" aria-hidden="true">
          <span style={{ inlineSize: `${Math.min(1, password.length / enough) * 100}%` }} />
        </span>
        <span aria-live="polite">{good ? `✓ ${advice}` : advice}</span>
      </span>
      {refused && rule}
    </>
  );
}
