import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const appUser = 'sitewright';
export const appDatabase = 'sitewright';

type Setting = { readonly dataDir: string; readonly memory: number; readonly password: string };
export type Prepared = { readonly store: string; readonly config: string; readonly script: string };

/**
 * Writes the configuration of one start below `<dataDir>/clickhouse` and returns the script the child is to run.
 *
 * `clickhouse local` logs in to itself as `default` without a password, and that user must be allowed to make a File
 * table (standard input) and to start the listener. Any local account could do the same over HTTP, and a temporary File
 * table reads every file we can read. So the script, before it starts the listener, replaces the users by a list in which
 * `default` may come from nowhere; the session that is already open goes on. Then it waits for the end of standard input.
 */
export function prepareFolder({ dataDir, memory, password }: Setting): Prepared {
  const root = path.join(dataDir, 'clickhouse');
  const run = path.join(root, 'run');
  const store = path.join(root, 'store');
  for (const folder of [root, run, store]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const config = path.join(run, 'config.xml');
  const users = path.join(run, 'users.xml');
  write(config, configXml(users, memory));
  write(users, usersXml(password, memory, openDefault));
  const script = [
    // Without FROM it would read from standard input.
    `INSERT INTO FUNCTION file(${quote(users)}, 'RawBLOB', 'text String') SETTINGS engine_file_truncate_on_insert = 1 SELECT ${quote(usersXml(password, memory, closedDefault))} FROM system.one`,
    'SYSTEM RELOAD USERS',
    'SYSTEM START LISTEN HTTP',
    'SELECT count() FROM table',
  ].join('; ');
  return { store, config, script };
}

function write(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function configXml(users: string, memory: number): string {
  return `<clickhouse>
  <logger><console>1</console></logger>
  <log-level>warning</log-level>
  <user_directories><users_xml><path>${escapeXml(users)}</path></users_xml></user_directories>
  <max_server_memory_usage>${memory}</max_server_memory_usage>
  <mark_cache_size>${Math.floor(memory / 8)}</mark_cache_size>
  <background_pool_size>4</background_pool_size>
  <keep_alive_timeout>30</keep_alive_timeout>
  <merge_tree><fsync_after_insert>1</fsync_after_insert><fsync_part_directory>1</fsync_part_directory></merge_tree>
</clickhouse>
`;
}

/** Before the listener: what its own script needs. */
const openDefault = `<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>`;

/** While it listens: nobody can log in as `default` (a documentation address, RFC 5737), and the open session keeps what its last two statements need. */
const closedDefault = `<default><password_sha256_hex>${'0'.repeat(64)}</password_sha256_hex><networks><ip>192.0.2.1</ip></networks><profile>default</profile><quota>default</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query><query>GRANT CREATE ARBITRARY TEMPORARY TABLE ON *.*</query><query>GRANT TABLE ENGINE ON File</query></grants></default>`;

function usersXml(password: string, memory: number, defaultUser: string): string {
  return `<clickhouse>
  <users>
    ${defaultUser}
    <${appUser}><password_sha256_hex>${createHash('sha256').update(password).digest('hex')}</password_sha256_hex><networks><ip>127.0.0.1</ip></networks><profile>${appUser}</profile><quota>default</quota>
      <grants><query>GRANT SELECT, INSERT, ALTER, CREATE DATABASE, CREATE TABLE, CREATE VIEW, CREATE TEMPORARY TABLE, DROP, TRUNCATE, OPTIMIZE, SHOW, KILL QUERY ON *.*</query>
        <query>GRANT TABLE ENGINE ON MergeTree, TABLE ENGINE ON ReplacingMergeTree, TABLE ENGINE ON AggregatingMergeTree, TABLE ENGINE ON SummingMergeTree, TABLE ENGINE ON Memory</query></grants></${appUser}>
  </users>
  <profiles><default/><${appUser}><max_memory_usage>${Math.floor(memory * 0.75)}</max_memory_usage><max_bytes_before_external_group_by>${Math.floor(memory / 3)}</max_bytes_before_external_group_by><max_bytes_before_external_sort>${Math.floor(memory / 3)}</max_bytes_before_external_sort></${appUser}></profiles>
  <quotas><default/></quotas>
</clickhouse>
`;
}
