import { randomUUID } from 'node:crypto';
import { StartFailure } from '../../../terminalTexts';
import type { BilingualText } from '../../../terminalTexts';
import type { S3Location } from '../types';
import { bucketAt, deleteObject, headObject, listPages, putObject, S3Failure } from './bucket';

/** Fewer than usual, so that a wrong address is reported after a second. */
const startAttempts = 4;

/** Lists, writes, reads and deletes at the start, because a bucket that only fails with the first upload is noticed too late. Throws `StartFailure`, which names the setting. */
export async function checkBucket(location: S3Location, attempts = startAttempts): Promise<void> {
  const bucket = bucketAt(location, attempts);
  // No key begins with a dot.
  const probe = `${location.prefix}.probe-${randomUUID()}`;
  try {
    for await (const page of listPages(bucket, probe)) if (page.KeyCount !== 0) break;
    await putObject(bucket, probe, Buffer.alloc(0));
    // With the same right as reading the content.
    await headObject(bucket, probe);
    await deleteObject(bucket, probe);
  } catch (error) {
    if (error instanceof S3Failure) throw new StartFailure(explain(error, location), { cause: error });
    throw error;
  }
}

function explain(error: S3Failure, { bucket, region, endpoint, accessKeyId }: S3Location): BilingualText {
  // Without a user name and password that the address may contain.
  const server = endpoint === null ? 'Amazon S3' : new URL(endpoint).host;
  switch (error.code) {
    case 'NoSuchBucket':
    case 'InvalidBucketName':
      return {
        en: `S3_BUCKET=${bucket}: ${server} has no such bucket (${error.code}).`,
        zh: `S3_BUCKET=${bucket}：${server} 上没有这个存储桶（${error.code}）。`,
      };
    case 'SignatureDoesNotMatch':
      return {
        en: `S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID=${accessKeyId}, or that key does not exist (${error.code}).`,
        zh: `S3_SECRET_ACCESS_KEY 与 S3_ACCESS_KEY_ID=${accessKeyId} 不匹配，或没有这个密钥（${error.code}）。`,
      };
    case 'InvalidAccessKeyId':
      return {
        en: `S3_ACCESS_KEY_ID=${accessKeyId}: ${server} has no such key (${error.code}).`,
        zh: `S3_ACCESS_KEY_ID=${accessKeyId}：${server} 上没有这个密钥（${error.code}）。`,
      };
    case 'AccessDenied':
    case 'Forbidden':
    case '403':
      return {
        en: `S3_ACCESS_KEY_ID=${accessKeyId}: this key may not list, read, write and delete in the bucket ${bucket} (${error.code}).`,
        zh: `S3_ACCESS_KEY_ID=${accessKeyId}：这个密钥无权在存储桶 ${bucket} 中列出、读取、写入和删除（${error.code}）。`,
      };
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return {
        en: `S3_REGION=${region}: the bucket ${bucket} is in another region (${error.code}).`,
        zh: `S3_REGION=${region}：存储桶 ${bucket} 在另一个区域（${error.code}）。`,
      };
    default:
      break;
  }
  const reason = error.status === undefined ? error.code : `${error.code}, ${error.status}`;
  return {
    en: `S3_ENDPOINT: ${server} does not answer as an S3 server with the bucket ${bucket} (${reason}). Servers without a host name for each bucket need S3_PATH_STYLE=1.`,
    zh: `S3_ENDPOINT：${server} 未按 S3 协议应答，或无法访问存储桶 ${bucket}（${reason}）。不为每个存储桶提供域名的服务器需要设置 S3_PATH_STYLE=1。`,
  };
}
