/** Texts for the terminal: English unless the environment selects Chinese. */
export type BilingualText = { readonly en: string; readonly zh: string };

/** True if LC_ALL, LC_MESSAGES or LANG (in that order) selects Chinese. */
export function speaksChinese(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(locale);
}

export function say(text: BilingualText, env: NodeJS.ProcessEnv = process.env): string {
  return speaksChinese(env) ? text.zh : text.en;
}

/** A start failure that the person at the terminal can resolve. `main.ts` prints it as one line, without a stack, and exits with code 1. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  readonly text: BilingualText;

  constructor(text: BilingualText, options?: ErrorOptions) {
    super(say(text), options);
    this.text = text;
  }
}
