/** Texts for the terminal: English unless the environment selects Chinese. */
export type Words = { readonly en: string; readonly zh: string };

/** True if LC_ALL, LC_MESSAGES or LANG (in that order) selects Chinese. */
export function speaksChinese(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh/i.test(locale);
}

export function say(words: Words, env: NodeJS.ProcessEnv = process.env): string {
  return speaksChinese(env) ? words.zh : words.en;
}

/** A start failure that the person at the terminal can resolve. `main.ts` prints it as one line, without a stack, and exits with code 1. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  readonly words: Words;

  constructor(words: Words, options?: ErrorOptions) {
    super(say(words), options);
    this.words = words;
  }
}
