import type { Readable } from 'node:stream';
import type { FileKey, FileRoot } from './keys';

/** Both bounds are included, as in HTTP; bytes behind the end of the file are ignored. */
export type FileRange = { readonly start?: number; readonly end?: number };
/** `modifiedAt`: epoch ms. */
export type FileStat = { readonly size: number; readonly modifiedAt: number };
export type ListedFile = FileStat & { readonly key: FileKey };
export type FileContent = Uint8Array | AsyncIterable<Uint8Array | string>;

/** `endpoint`: null for Amazon's. `prefix`: beginning of all names, empty or ending with `/`. */
export type S3Location = {
  readonly kind: 's3';
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket is addressed by a path instead of a host name. */
  readonly pathStyle: boolean;
};

/** With this, another thread opens the same store (`fileStoreAt`). It may contain a secret: never log it. */
export type FileStoreLocation = { readonly kind: 'folder'; readonly folder: string } | S3Location;

/**
 * Where files of users are stored, by key. A file is visible when it is complete, and never changes afterwards; the exceptions are stated by the caller: `replace`, and
 * `append` for uploads. What a call has done is durable when it returns.
 */
export type FileStore = {
  readonly location: FileStoreLocation;
  /** Stores a complete file. Fails with the code EEXIST if the key is in use, unless `replace` is set; if `content` fails, nothing is stored. */
  readonly put: (key: FileKey, content: FileContent, options?: { readonly replace?: boolean }) => Promise<void>;
  /**
   * Adds a chunk to a file that grows; the first begins it at 0. False if `offset` is not the end of the file. A call that fails may have stored a part of its chunk: the next
   * one begins at the size of the file. The caller makes sure that nobody else appends to the same key meanwhile.
   *
   * A store whose objects cannot grow (S3) keeps each chunk as an object named by the key, `!` and the offset in 15 digits (`imports/a/0!000000008388608`), and lists, reads and
   * removes them as one file. No key contains `!`.
   */
  readonly append: (key: FileKey, offset: number, chunk: Uint8Array) => Promise<boolean>;
  /** The stream fails with the code ENOENT if the file does not exist. */
  readonly read: (key: FileKey, range?: FileRange) => Readable;
  /** Null if the file does not exist. */
  readonly stat: (key: FileKey) => Promise<FileStat | null>;
  /** All files below a folder, in any order. */
  readonly list: (folder: FileRoot | FileKey) => AsyncIterable<ListedFile>;
  /** Names of the folders directly below a folder, in any order. */
  readonly folders: (folder: FileRoot | FileKey) => Promise<string[]>;
  /** Does nothing if the file does not exist. */
  readonly remove: (key: FileKey) => Promise<void>;
  /** Removes all files below a folder. */
  readonly removeAll: (folder: FileKey) => Promise<void>;
  /** Whether that many more bytes fit. */
  readonly hasSpace: (bytes: number) => Promise<boolean>;
};

/** Whether an operation failed because the file does not exist. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
