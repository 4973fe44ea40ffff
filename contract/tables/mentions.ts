import { uuidPattern } from '../uuid';

/** Maximum length of a comment as stored, including the ids in its mentions. */
export const longestComment = 4000;
/** Maximum number of people whom one comment mentions. */
export const mostMentions = 20;
/** Maximum number of people in a list to choose from. */
export const mostReaders = 50;

const token = new RegExp(String.raw`@\[(${uuidPattern})\]`, 'gi');

/** How the stored text of a comment refers to a person. It contains the id, so the mention still works after a rename. */
export const mentionOf = (id: string): string => `@[${id}]`;

/** Splits the text of a comment into plain texts and the ids of mentioned people, in order. */
export function commentParts(text: string): (string | { readonly id: string })[] {
  const parts = text.split(token).map((part, at) => (at % 2 === 0 ? part : { id: part.toLowerCase() }));
  return parts.filter((part) => part !== '');
}

/** The ids of the people whom the text mentions, each once. */
export const mentionedIn = (text: string): string[] => [...new Set(commentParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part.id])))];
