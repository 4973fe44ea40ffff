/** Text for LIKE in which `%`, `_` and the backslash stand for themselves. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The pattern of everything that contains a text. */
export const containing = (text: string): string => `%${escapeLike(text)}%`;
