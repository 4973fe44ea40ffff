import type { FieldCode } from '../../../contract/errors';
import { skeletonOf } from './skeleton';

/** Names that could be mistaken for the installation itself, or for a part of a URL. */
const reserved: ReadonlySet<string> = new Set([
  'admin',
  'administrator',
  'root',
  'system',
  'sysadmin',
  'owner',
  'manager',
  'support',
  'help',
  'security',
  'abuse',
  'postmaster',
  'webmaster',
  'hostmaster',
  'noreply',
  'no-reply',
  'mail',
  'api',
  'sign',
  'sign-in',
  'signin',
  'login',
  'logout',
  'account',
  'accounts',
  'anonymous',
  'guest',
  'null',
  'undefined',
  'everyone',
  'all',
  'me',
  'self',
  'console',
  'sitewright',
  'official',
  '管理员',
  '系统',
  '客服',
  '官方',
  '匿名',
  '所有人',
  '安全中心',
]);

const reservedSkeletons: ReadonlySet<string> = new Set([...reserved].map(skeletonOf));

/** Rules beyond the contract's pattern; `name` is already NFKC and lower case. */
export function findLoginNameError(name: string): FieldCode | null {
  if (/^\d+$/.test(name)) return 'digits_only';
  if (reservedSkeletons.has(skeletonOf(name.replaceAll(/[._-]+$/g, '')))) return 'reserved';
  return null;
}
