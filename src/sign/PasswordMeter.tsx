import { fill, useWords } from './words';

/** How far the password is, and the one thing to better. Length is what counts; the rest is advice. `enough`: characters, as the server wants them. */
export function PasswordMeter({ password, loginName, enough }: { readonly password: string; readonly loginName: string; readonly enough: number }) {
  const s = useWords().setUp;
  if (password === '') return fill(s.passwordHelp, { min: enough });
  const missing = enough - password.length;
  const repetitive = new Set(password).size < 6;
  const hasLogin = loginName.length >= 3 && password.toLowerCase().includes(loginName.toLowerCase());
  const advice = missing > 0 ? fill(s.passwordMissing, { n: missing }) : hasLogin ? s.passwordHasLogin : repetitive ? s.passwordRepeats : s.passwordEnough;
  const good = missing <= 0 && !hasLogin && !repetitive;
  return (
    <span className={good ? 'meter good' : 'meter'}>
      <span className="bar" aria-hidden="true">
        <span style={{ inlineSize: `${Math.min(1, password.length / enough) * 100}%` }} />
      </span>
      <span aria-live="polite">{good ? `✓ ${advice}` : advice}</span>
    </span>
  );
}
