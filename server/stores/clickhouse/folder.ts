import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const appUser = 'sitewright';
export const appDatabase = 'sitewright';

/** The folder of the embedded ClickHouse's tables. */
export const storeFolder = (dataDir: string): string => path.join(dataDir, 'clickhouse', 'store');

type Setting = {
  readonly dataDir: string;
  readonly memory: number;
  /** false: data need not survive a crash of the machine; for tests only. */
  readonly durable: boolean;
  readonly password: string;
  readonly key: string;
};
export type Prepared = { readonly store: string; readonly config: string; readonly script: string };

/** Every request must have this start's key in this header; the server responds to all others with 404. */
export const keyHeader = 'x-sitewright-key';

/**
 * Writes the configuration of one start below `<dataDir>/clickhouse` and returns the script that the child runs.
 *
 * `clickhouse local` logs in to itself as `default`, without a password and from 127.0.0.1: no setting changes that, and the user must be allowed to create a
 * File table (standard input) and to start the listener. Any local account could log in the same way over HTTP, and a temporary File table can read every file
 * that this process can read. Therefore the listener has only one handler, for requests with a secret header: all other requests get a 404, whatever user they
 * name. The script then waits for the end of standard input.
 */
export function prepareFolder({ dataDir, memory, durable, password, key }: Setting): Prepared {
  const root = path.join(dataDir, 'clickhouse');
  const run = path.join(root, 'run');
  const store = storeFolder(dataDir);
  for (const folder of [root, run, store]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const config = path.join(run, 'config.xml');
  const users = path.join(run, 'users.xml');
  write(config, configXml(users, memory, durable, key));
  write(users, usersXml(password, memory));
  return { store, config, script: 'SYSTEM START LISTEN HTTP; SELECT count() FROM table' };
}

function write(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function configXml(users: string, memory: number, durable: boolean, key: string): string {
  const sync = durable ? 1 : 0;
  return `<clickhouse>
  <logger><console>1</console></logger>
  <log-level>error</log-level>
  <user_directories><users_xml><path>${escapeXml(users)}</path></users_xml></user_directories>
  <http_handlers>
    <rule><headers><${keyHeader}>${key}</${keyHeader}></headers><handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler></rule>
  </http_handlers>
  <max_server_memory_usage>${memory}</max_server_memory_usage>
  <mark_cache_size>${Math.floor(memory / 8)}</mark_cache_size>
  <background_pool_size>4</background_pool_size>
  <keep_alive_timeout>30</keep_alive_timeout>
  <merge_tree><fsync_after_insert>${sync}</fsync_after_insert><fsync_part_directory>${sync}</fsync_part_directory></merge_tree>
</clickhouse>
`;
}

/**
 * Rewrites of queries that find nothing to rewrite in a report, but compare its parts with each other: together they take as long as everything else that
 * happens to a report over a small site (56 → 31 ms for one with all measures).
 */
const unusedRewrites = [
  'optimize_syntax_fuse_functions',
  'optimize_group_by_function_keys',
  'optimize_and_compare_chain',
  'optimize_aggregators_of_group_by_keys',
];

const everyday = 'SELECT, INSERT, ALTER, CREATE DATABASE, CREATE TABLE, CREATE VIEW, CREATE TEMPORARY TABLE, DROP, TRUNCATE, OPTIMIZE, SHOW, KILL QUERY';
const engines = ['MergeTree', 'ReplacingMergeTree', 'AggregatingMergeTree', 'SummingMergeTree', 'Memory'];

/**
 * `default` has the rights needed by the script above, and the program's user those needed by the program: neither can read files or URLs through SQL
 * functions.
 */
function usersXml(password: string, memory: number): string {
  const local = '<networks><ip>127.0.0.1</ip></networks>';
  const limits = `<max_memory_usage>${Math.floor(memory * 0.75)}</max_memory_usage><max_bytes_before_external_group_by>${Math.floor(memory / 3)}</max_bytes_before_external_group_by><max_bytes_before_external_sort>${Math.floor(memory / 3)}</max_bytes_before_external_sort>`;
  return `<clickhouse>
  <users>
    <default><password></password>${local}<profile>default</profile><quota>default</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query><query>GRANT CREATE ARBITRARY TEMPORARY TABLE ON *.*</query><query>GRANT TABLE ENGINE ON File</query></grants></default>
    <${appUser}><password_sha256_hex>${createHash('sha256').update(password).digest('hex')}</password_sha256_hex>${local}<profile>${appUser}</profile><quota>default</quota>
      <grants><query>GRANT ${everyday} ON *.*</query><query>GRANT ${engines.map((engine) => `TABLE ENGINE ON ${engine}`).join(', ')}</query></grants></${appUser}>
  </users>
  <profiles><default/><${appUser}>${limits}${unusedRewrites.map((name) => `<${name}>0</${name}>`).join('')}</${appUser}></profiles>
  <quotas><default/></quotas>
</clickhouse>
`;
}
