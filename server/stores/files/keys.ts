/** The folders of the store, each used by one part of the program. They are folders of the data folder, beside those of the other stores, which keys cannot name. */
export const fileRoots = [
  'imports',
  'table-imports',
  'table-restores',
  'site-imports',
  'site-exports',
  'resource-uploads',
  'resources',
  'themes',
  'crawls',
  'support',
  'countries',
] as const;
export type FileRoot = (typeof fileRoots)[number];

/** Names a file, or a folder below a root: segments of Latin letters, digits, `.`, `_` and `-`. No key is the folder of another. */
export type FileKey = `${FileRoot}/${string}`;

/** S3 allows 1024 bytes; a prefix of the bucket must fit too. File systems allow 255 per segment. */
const limits = { key: 512, segment: 200 };

/** Segments begin with a letter or digit, which excludes `.`, `..` and the store's own temporary files. */
export const isSegment = (name: string): boolean => name.length <= limits.segment && /^[\da-z](?:[\w.-]*[\w-])?$/i.test(name);

/** Throws if it is not a valid key: keys are formed by code, so this is an error of the program. */
export function checkKey(key: string): void {
  const [root = '', ...segments] = key.split('/');
  const isValid = key.length <= limits.key && (fileRoots as readonly string[]).includes(root) && segments.length > 0 && segments.every(isSegment);
  if (!isValid) throw new Error(`not a file key: ${JSON.stringify(key.slice(0, 100))}`);
}
