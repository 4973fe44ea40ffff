/**
 * The text without what the program makes at random (UUIDs, ids of tables and fields, signed stamps of forms). A short word that must not
 * occur may appear in these by chance.
 */
export const withoutGenerated = (text: string): string =>
  text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b[ft]_[a-z2-7]{12}\b|"stamp":"[\w.-]+"/g, '');
