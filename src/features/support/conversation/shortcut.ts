/** The shortcut being typed: `/` at the start of the text, with letters after it and nothing else. */
export const typedShortcut = (text: string): string | null => /^\/([\p{L}\p{N}_-]{0,20})$/u.exec(text)?.[1] ?? null;
