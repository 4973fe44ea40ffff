/** Maximum length of the stored text of a comment: mentions count with all characters of their ids. */
export const longestComment = 4000;
/** Maximum number of people whom one comment mentions. */
export const mostMentions = 20;
/** Maximum number of people in a list to choose from. */
export const mostReaders = 50;

const token = /@\[([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\]/gi;

/** A mention in the stored text of a comment: an id, so that it survives a rename. */
export const mentionOf = (id: string): string => `@[${id}]`;

/** Splits the text of a comment into plain texts and the ids of mentioned people, in order. */
export function commentParts(text: string): (string | { readonly id: string })[] {
  const parts = text.split(token).map((part, at) => (at % 2 === 0 ? part : { id: part.toLowerCase() }));
  return parts.filter((part) => part !== '');
}

/** The ids of the people whom the text mentions, each once. */
export const mentionedIn = (text: string): string[] => [...new Set(commentParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part.id])))];
