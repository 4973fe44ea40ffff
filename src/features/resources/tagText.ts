/** Tags in a text, separated by commas of either language or line breaks; each once. */
export const splitTags = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n\u3001\uff0c]/u)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
