/** Edits of a worked example: `anchor` occurs exactly once in the file, so that an example which no longer fits fails instead of changing the wrong place. */
export const after = (file, anchor, text) => ({ file, anchor, replacement: `${anchor}${text}` });
export const before = (file, anchor, text) => ({ file, anchor, replacement: `${text}${anchor}` });
