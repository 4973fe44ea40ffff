import type * as Sdk from '@aws-sdk/client-s3';
import type { S3Location } from '../types';

/** A request to the bucket that failed for good, after all attempts. `code`: as S3 names it (`NoSuchKey`), or Node (`ECONNREFUSED`). `status`: of HTTP, if there was a response. */
export class S3Failure extends Error {
  override readonly name = 'S3Failure';
  readonly code: string;
  readonly status: number | undefined;

  constructor(request: string, error: unknown) {
    const { name, message, code, $metadata } = error as { name?: string; message?: string; code?: unknown; $metadata?: { httpStatusCode?: number } };
    const reason = typeof code === 'string' ? code : (name ?? 'Error');
    super(`S3, ${request}: ${reason}${message ? ` (${message})` : ''}`, { cause: error });
    this.code = reason;
    this.status = $metadata?.httpStatusCode;
  }

  /** Whether the server did not answer, or only that it cannot at the moment. */
  get isAway(): boolean {
    return this.status === undefined || this.status >= 500;
  }
}

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean => error instanceof S3Failure && codes.includes(error.code);

/** The SDK waits longer before every attempt, and longest for a server that reports overload (503). */
const usualAttempts = 7;

/** In ms. After that long without data, a connection counts as lost. */
const timeouts = { connectionTimeout: 5000, socketTimeout: 20_000 };

type Connection = { readonly sdk: typeof Sdk; readonly client: Sdk.S3Client };

/** A bucket, and what its server turned out to be able to do. */
export type Bucket = {
  readonly location: S3Location;
  /** Of each request, and of reads to continue. */
  readonly attempts: number;
  /** Runs one request; `label` names it in errors. Throws `S3Failure`. */
  readonly send: <T>(label: string, request: (connection: Connection) => Promise<T>) => Promise<T>;
  /** Whether the server refuses `If-None-Match: *`, which S3 has known since 2024. */
  lacksConditions: boolean;
};

/** The SDK is loaded with the first request, so that a program with its files in a folder does not spend the time. */
export function bucketAt(location: S3Location, attempts = usualAttempts): Bucket {
  let connecting: Promise<Connection> | null = null;
  return {
    location,
    attempts,
    lacksConditions: false,
    async send(label, request) {
      const connection = await (connecting ??= connect(location, attempts));
      try {
        return await request(connection);
      } catch (error) {
        throw new S3Failure(`${label} in bucket ${location.bucket}`, error);
      }
    },
  };
}

async function connect({ endpoint, region, pathStyle, accessKeyId, secretAccessKey }: S3Location, maxAttempts: number): Promise<Connection> {
  // The SDK warns that its versions after January 2027 need Node 22. Ours is pinned, and operators could do nothing about it.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts,
    retryMode: 'standard',
    requestHandler: timeouts,
    // Servers that do not answer `100 Continue` would only receive large bodies after a wait.
    expectContinueHeader: false,
    // Many servers other than Amazon's refuse the checksums that the SDK adds by default. The signature covers the hash of every body anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}

type Conditions = { readonly IfNoneMatch?: '*' };

export const putObject = (
  { location, send }: Bucket,
  name: string,
  body: Uint8Array,
  options: Conditions & { readonly Metadata?: Record<string, string> } = {},
) =>
  send(`put ${name}`, ({ sdk, client }) =>
    client.send(new sdk.PutObjectCommand({ Bucket: location.bucket, Key: name, Body: body, ContentLength: body.length, ...options })),
  );

/** Does nothing if the object does not exist. */
export const deleteObject = ({ location, send }: Bucket, name: string) =>
  send(`delete ${name}`, ({ sdk, client }) => client.send(new sdk.DeleteObjectCommand({ Bucket: location.bucket, Key: name })));

export const copyObject = ({ location, send }: Bucket, from: string, to: string) =>
  send(`copy ${from}`, ({ sdk, client }) =>
    client.send(new sdk.CopyObjectCommand({ Bucket: location.bucket, Key: to, CopySource: `${location.bucket}/${from}` })),
  );

/** Null if the object does not exist. */
export async function headObject({ location, send }: Bucket, name: string): Promise<Sdk.HeadObjectCommandOutput | null> {
  try {
    return await send(`head ${name}`, ({ sdk, client }) => client.send(new sdk.HeadObjectCommand({ Bucket: location.bucket, Key: name })));
  } catch (error) {
    if (hasCode(error, 'NotFound', 'NoSuchKey')) return null;
    throw error;
  }
}

/** All pages of the list of names that begin with `start`; with `Delimiter`, of the folders. */
export async function* listPages(
  { location, send }: Bucket,
  start: string,
  options: { readonly Delimiter?: '/' } = {},
): AsyncGenerator<Sdk.ListObjectsV2CommandOutput> {
  let token: string | undefined;
  do {
    const next = token === undefined ? {} : { ContinuationToken: token };
    const page = await send(`list ${start}`, ({ sdk, client }) =>
      client.send(new sdk.ListObjectsV2Command({ Bucket: location.bucket, Prefix: start, ...options, ...next })),
    );
    yield page;
    token = page.NextContinuationToken;
  } while (token !== undefined);
}
