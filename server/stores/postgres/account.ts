import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartFailure } from '../../terminalTexts';

/**
 * The account that runs PostgreSQL, which refuses to run as root: the current account; the current account under another uid in a user namespace (files stay
 * owned by root, so folders closed to others stay accessible); or an unprivileged system account, which needs binaries and a data folder that it can access.
 */
export type Account =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace'; readonly command: readonly [string, ...string[]] }
  | { readonly kind: 'user'; readonly name: string; readonly uid: number; readonly gid: number };

const unshare = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] as const;

export function chooseAccount(options: { readonly namespaces: boolean } = { namespaces: true }): Account {
  if (process.getuid?.() !== 0) return { kind: 'self' };
  if (options.namespaces && process.platform === 'linux' && namespaceWorks()) return { kind: 'namespace', command: unshare };
  return systemAccount();
}

function namespaceWorks(): boolean {
  const [command, ...args] = unshare;
  return spawnSync(command, [...args, 'id', '-u'], { encoding: 'utf8' }).stdout?.trim() === '1000';
}

const ownAccount = 'sitewright';

/** `sitewright` if it exists or can be created, else `postgres`, else `nobody`. */
function systemAccount(): Account {
  const known = accounts();
  if (!known.has(ownAccount)) spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', ownAccount]);
  const now = accounts();
  for (const name of [ownAccount, 'postgres', 'nobody']) {
    const ids = now.get(name);
    if (ids !== undefined) return { kind: 'user', name, ...ids };
  }
  throw new StartFailure({
    en: 'PostgreSQL does not run as root, and there is neither a user namespace nor an unprivileged account to run it. Start the program as an ordinary user, or set DATABASE_URL.',
    zh: 'PostgreSQL 不能以 root 运行，而这里既不能使用用户命名空间，也没有可用的普通账户。请以普通用户启动，或设置 DATABASE_URL。',
  });
}

function accounts(): Map<string, { uid: number; gid: number }> {
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  return new Map(rows.filter((row) => row.length >= 4).map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]));
}

/** Command line and spawn options that run `command` as this account. */
export function runAs(
  account: Account,
  command: string,
  args: readonly string[],
): { readonly command: string; readonly args: readonly string[]; readonly ids: { uid?: number; gid?: number } } {
  if (account.kind === 'namespace') {
    const [first, ...rest] = account.command;
    return { command: first, args: [...rest, command, ...args], ids: {} };
  }
  return { command, args, ids: account.kind === 'user' ? { uid: account.uid, gid: account.gid } : {} };
}
