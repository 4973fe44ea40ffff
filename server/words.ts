/** The words of the terminal: English unless the environment asks for Chinese. */
export type BilingualText = { readonly en: string; readonly zh: string };

/** True where LC_ALL, LC_MESSAGES or LANG (in that order) names Chinese. */
export function speaksChinese(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(locale);
}

export function say(text: BilingualText, env: NodeJS.ProcessEnv = process.env): string {
  return speaksChinese(env) ? text.zh : text.en;
}

/**
 * A reason not to start that the person at the terminal can act upon. `main.ts` prints it as one line, without a stack,
 * and leaves with exit code 1.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  readonly text: BilingualText;

  constructor(text: BilingualText, options?: ErrorOptions) {
    super(say(text), options);
    this.text = text;
  }
}
