import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { logLevels } from './log';
import type { LogLevel } from './log';
import type { ScannerAddress } from './kit/malwareScanner';
import { crawlers } from '../contract/countryBlock/terms';
import type { Crawler } from '../contract/countryBlock/terms';
import { tlsModes } from '../contract/hostnames/terms';
import type { TlsMode } from '../contract/hostnames/terms';
import { parseUrl } from '../contract/parseUrl';
import { isLoopback } from './loopback';
import { isNear } from './net/publicAddress';
import { isAddress } from './net/publishedText';
import { flagOf, roles, settings } from './settings';
import type { Role, Setting, SettingName } from './settings';
import type { S3Location } from './stores/files/types';
import { StartFailure } from './terminalTexts';

export type Config = {
  /** Absolute path. */
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly deliveryPort: number;
  /** Below whose host sites get their system hosts; null: below `localhost`, at the delivery port. */
  readonly sitesUrl: string | null;
  /** Public addresses of the delivery listener; empty: those of the system hosts. */
  readonly sitesAddresses: readonly string[];
  /** `address` or `address:port`; empty: those of the machine. */
  readonly dnsServers: readonly string[];
  readonly tlsMode: TlsMode;
  /** Port of delivered pages over HTTPS, where this program has the certificates. */
  readonly tlsPort: number;
  /** Directory of the certificate authority (RFC 8555). */
  readonly acmeDirectory: string;
  /** null: only programs on this machine may ask for which hostnames certificates are allowed. */
  readonly tlsAskSecret: string | null;
  /** Origin of the console, without a trailing slash. */
  readonly publicUrl: string;
  readonly databaseUrl: string | null;
  readonly clickhouseUrl: string | null;
  readonly clickhouseMemory: number;
  readonly trustedProxies: readonly string[];
  /** A file in MaxMind's format; null: the one of the package. */
  readonly countryDatabase: string | null;
  /** From where newer databases of countries are downloaded; null: nowhere. */
  readonly countryDatabaseUrl: string | null;
  /** List of the exit addresses of Tor: an absolute path, or an http address; null: none. */
  readonly torExits: string | null;
  /** Lists of the networks of crawlers; `source`: an absolute path, or an http address. */
  readonly crawlerRanges: readonly { readonly crawler: Crawler; readonly source: string }[];
  readonly allowHttp: boolean;
  readonly ack: 'journal' | 'clickhouse';
  readonly journalMaxBytes: number;
  readonly importMaxBytes: number;
  readonly variantsMaxBytes: number;
  readonly pageCacheMaxBytes: number;
  /** Of the resources of one site, and of one resource. */
  readonly resourcesMaxBytes: number;
  readonly resourceMaxBytes: number;
  /** null: files are not scanned. */
  readonly scanner: ScannerAddress | null;
  /** Whether files that cannot be scanned are kept from readers. */
  readonly scanRequired: boolean;
  /** null: files are in the data folder. */
  readonly s3: S3Location | null;
  /** null: no mail is sent, links are copied manually. */
  readonly smtpUrl: string | null;
  /** `Name <address>`; empty without a mail server. */
  readonly mailFrom: string;
  /** Interfaces of search engines for changed pages. */
  readonly indexnowUrl: string;
  readonly baiduPushUrl: string;
  /** Whether webhooks may be sent to addresses of this machine and of private networks. */
  readonly privateWebhooks: boolean;
  /** Whether the installation check may fetch pages at such addresses. */
  readonly privateSites: boolean;
  /** Chromium that renders crawled pages: a path, or `off`; empty: it is looked for. */
  readonly chromiumPath: string;
  /** null: the key is in the data folder. */
  readonly secretKey: string | null;
  readonly roles: ReadonlySet<Role>;
  readonly devtools: boolean;
  readonly logLevel: LogLevel;
  readonly demo: boolean;
  /** With `demo`: whether its site keeps being visited. */
  readonly demoVisits: boolean;
  /** Login names to rescue at this start (areas/account/rescue.ts). */
  readonly resetLink: string | null;
  readonly resetSecondFactor: string | null;
  readonly production: boolean;
};

/**
 * Reads the settings: command line flags take precedence over the environment, the environment over the defaults. Throws `StartFailure` with the name of an
 * invalid setting.
 */
export function readConfig(env: NodeJS.ProcessEnv, argv: readonly string[]): Config {
  const flags = readFlags(argv);
  const value = (name: SettingName): string => {
    const setting: Setting | undefined = settings.find((one) => one.name === name);
    if (setting === undefined) throw new Error(`unknown setting ${name}`);
    const text = (flags.get(name) ?? env[name] ?? '').trim();
    return text === '' ? setting.default : text;
  };
  const port = portOf('PORT', value('PORT'));
  const publicUrl = value('PUBLIC_URL') === '' ? `http://localhost:${port}` : originOf('PUBLIC_URL', value('PUBLIC_URL'));
  const allowHttp = flagValue('ALLOW_HTTP', value('ALLOW_HTTP'));
  if (!allowHttp && isReadableOnTheWay(publicUrl))
    wrong(
      'PUBLIC_URL',
      publicUrl,
      'passwords would travel readable over plain http. Use https, or allow it with ALLOW_HTTP=1',
      '明文 http 会让密码在传输途中可读。请改用 https，或用 ALLOW_HTTP=1 允许',
    );
  const smtpUrl = urlOf('SMTP_URL', value('SMTP_URL'), ['smtp:', 'smtps:']);
  const ack = oneOf('ACK', ['journal', 'clickhouse'] as const, value('ACK'));
  return {
    dataDir: path.resolve(value('DATA_DIR')),
    host: value('HOST'),
    port,
    deliveryPort: portOf('DELIVERY_PORT', value('DELIVERY_PORT')),
    sitesUrl: value('SITES_URL') === '' ? null : originOf('SITES_URL', value('SITES_URL')),
    sitesAddresses: listOf(value('SITES_ADDRESSES')).map((address) => addressOf('SITES_ADDRESSES', address)),
    dnsServers: value('DNS_SERVERS') === 'system' ? [] : listOf(value('DNS_SERVERS')).map((server) => resolverOf(server)),
    tlsMode: oneOf('TLS_MODE', tlsModes, value('TLS_MODE')),
    tlsPort: portOf('TLS_PORT', value('TLS_PORT')),
    acmeDirectory: urlOf('ACME_DIRECTORY', value('ACME_DIRECTORY'), ['https:']) ?? '',
    tlsAskSecret: secretOf('TLS_ASK_SECRET', value('TLS_ASK_SECRET')),
    publicUrl,
    databaseUrl: urlOf('DATABASE_URL', value('DATABASE_URL'), ['postgres:', 'postgresql:']),
    clickhouseUrl: urlOf('CLICKHOUSE_URL', value('CLICKHOUSE_URL'), ['http:', 'https:']),
    clickhouseMemory: bytesOf('CLICKHOUSE_MEMORY', value('CLICKHOUSE_MEMORY')),
    trustedProxies: listOf(value('TRUSTED_PROXIES')).map(proxyOf),
    countryDatabase: value('COUNTRY_DATABASE') || null,
    countryDatabaseUrl: value('COUNTRY_DATABASE_URL') === '' ? null : encryptedUrlOf('COUNTRY_DATABASE_URL', value('COUNTRY_DATABASE_URL')),
    torExits: torExitsOf(value('TOR_EXITS')),
    crawlerRanges: listOf(value('CRAWLER_RANGES')).map(crawlerRangesOf),
    allowHttp,
    ack,
    journalMaxBytes: bytesOf('JOURNAL_MAX_BYTES', value('JOURNAL_MAX_BYTES')),
    importMaxBytes: bytesOf('IMPORT_MAX_BYTES', value('IMPORT_MAX_BYTES')),
    variantsMaxBytes: bytesOf('VARIANTS_MAX_BYTES', value('VARIANTS_MAX_BYTES')),
    pageCacheMaxBytes: bytesOf('PAGE_CACHE_MAX_BYTES', value('PAGE_CACHE_MAX_BYTES')),
    resourcesMaxBytes: bytesOf('RESOURCES_MAX_BYTES', value('RESOURCES_MAX_BYTES')),
    resourceMaxBytes: bytesOf('RESOURCE_MAX_BYTES', value('RESOURCE_MAX_BYTES')),
    scanner: scannerOf(value('CLAMD')),
    scanRequired: flagValue('SCAN_REQUIRED', value('SCAN_REQUIRED')),
    s3: s3Of(value),
    smtpUrl,
    mailFrom: mailFromOf(value('MAIL_FROM'), smtpUrl),
    indexnowUrl: urlOf('INDEXNOW_URL', value('INDEXNOW_URL'), ['http:', 'https:']) ?? '',
    baiduPushUrl: urlOf('BAIDU_PUSH_URL', value('BAIDU_PUSH_URL'), ['http:', 'https:']) ?? '',
    privateWebhooks: flagValue('PRIVATE_WEBHOOKS', value('PRIVATE_WEBHOOKS')),
    privateSites: flagValue('PRIVATE_SITES', value('PRIVATE_SITES')),
    chromiumPath: chromiumOf(value('CHROMIUM_PATH')),
    secretKey: secretOf('SECRET_KEY', value('SECRET_KEY')),
    roles: new Set(listOf(value('ROLES')).map((role) => oneOf('ROLES', roles, role))),
    devtools: flagValue('DEVTOOLS', value('DEVTOOLS')),
    logLevel: oneOf('LOG_LEVEL', logLevels, value('LOG_LEVEL')),
    demo: flagValue('DEMO', value('DEMO')),
    demoVisits: flagValue('DEMO_VISITS', value('DEMO_VISITS')),
    resetLink: value('RESET_LINK') || null,
    resetSecondFactor: value('RESET_SECOND_FACTOR') || null,
    production: env.NODE_ENV !== 'development',
  };
}

function secretOf(name: 'SECRET_KEY' | 'TLS_ASK_SECRET', text: string): string | null {
  if (text === '') return null;
  if (text.length < 32) wrong(name, '…', 'it must have at least 32 characters', '至少需要 32 个字符');
  return text;
}

/** Settings of the bucket; its keys have to be given, so that they are those of this program and not those of the machine. */
function s3Of(value: (name: SettingName) => string): S3Location | null {
  const bucket = value('S3_BUCKET');
  if (bucket === '') {
    const names = ['S3_ENDPOINT', 'S3_PREFIX', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_SECRET_ACCESS_KEY_FILE'] as const;
    const other = names.find((name) => value(name) !== '');
    if (other !== undefined) throw new StartFailure({ en: `${other} is set, but S3_BUCKET is not.`, zh: `设置了 ${other}，但没有设置 S3_BUCKET。` });
    return null;
  }
  const secretFile = value('S3_SECRET_ACCESS_KEY_FILE');
  const accessKeyId = value('S3_ACCESS_KEY_ID');
  const secretAccessKey = secretFile === '' ? value('S3_SECRET_ACCESS_KEY') : contentOf('S3_SECRET_ACCESS_KEY_FILE', secretFile);
  const [missing] = [
    ...(accessKeyId === '' ? ['S3_ACCESS_KEY_ID'] : []),
    ...(secretAccessKey === '' ? [secretFile === '' ? 'S3_SECRET_ACCESS_KEY' : 'S3_SECRET_ACCESS_KEY_FILE'] : []),
  ];
  if (missing !== undefined)
    throw new StartFailure({ en: `S3_BUCKET=${bucket} also needs ${missing}.`, zh: `设置 S3_BUCKET=${bucket} 时，还需要设置 ${missing}。` });
  return {
    kind: 's3',
    endpoint: urlOf('S3_ENDPOINT', value('S3_ENDPOINT'), ['http:', 'https:']),
    region: value('S3_REGION'),
    bucket,
    prefix: prefixOf(value('S3_PREFIX')),
    accessKeyId,
    secretAccessKey,
    pathStyle: flagValue('S3_PATH_STYLE', value('S3_PATH_STYLE')),
  };
}

function contentOf(name: SettingName, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    return wrong(
      name,
      file,
      `the file cannot be read (${(error as NodeJS.ErrnoException).code})`,
      `无法读取这个文件（${(error as NodeJS.ErrnoException).code}）`,
    );
  }
}

/** With a slash at its end. S3 allows names of 1024 bytes, of which a key takes half. */
function prefixOf(text: string): string {
  const folder = text.replaceAll(/^\/+|\/+$/g, '');
  if (folder === '') return '';
  if (folder.length > 400 || !folder.split('/').every((segment) => /^[\w-][\w.-]*$/.test(segment)))
    wrong(
      'S3_PREFIX',
      text,
      'a folder of Latin letters, digits, “.”, “_” and “-”, such as sitewright/files',
      '应为由拉丁字母、数字、“.”、“_”、“-”组成的文件夹，例如 sitewright/files',
    );
  return `${folder}/`;
}

/** Mail needs a sender; by default the user name of the mail server, if it is an address. */
function mailFromOf(text: string, smtpUrl: string | null): string {
  if (smtpUrl === null) return '';
  const from = text === '' ? decodeURIComponent(new URL(smtpUrl).username) : text;
  if (!/^(?:[^<>\r\n]*<[^@<>\s]+@[^@<>\s]+>|[^@<>\s]+@[^@<>\s]+)$/.test(from))
    wrong('MAIL_FROM', from, 'mail needs a sender: Name <address@example.com>', '发送邮件需要发件人：名称 <address@example.com>');
  return from;
}

/** Whether the origin uses plain http to another machine, which is allowed only if requested explicitly. */
function isReadableOnTheWay(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !isLoopback(hostname);
}

function readFlags(argv: readonly string[]): Map<string, string> {
  const names = new Map<string, Setting>(settings.map((setting) => [flagOf(setting.name), setting]));
  const flags = new Map<string, string>();
  for (let i = 0; i < argv.length; i += 1) {
    const [flag = '', ...rest] = (argv[i] ?? '').split('=');
    const setting = names.get(flag);
    if (setting === undefined) throw new StartFailure({ en: `Unknown option ${flag}. Try --help.`, zh: `无法识别的选项 ${flag}，可用 --help 查看全部选项。` });
    const next = argv[i + 1];
    if (rest.length > 0) flags.set(setting.name, rest.join('='));
    else if (setting.type === 'flag') flags.set(setting.name, '1');
    else if (next === undefined || next.startsWith('--')) throw new StartFailure({ en: `${flag} needs a value.`, zh: `${flag} 需要一个值。` });
    else {
      flags.set(setting.name, next);
      i += 1;
    }
  }
  return flags;
}

function wrong(name: string, text: string, en: string, zh: string): never {
  throw new StartFailure({ en: `${name}=${text}: ${en}.`, zh: `${name}=${text}：${zh}。` });
}

function portOf(name: string, text: string): number {
  const port = Number(text);
  return Number.isInteger(port) && port >= 0 && port <= 65_535 && /^\d+$/.test(text)
    ? port
    : wrong(name, text, 'a port is a number from 0 to 65535', '端口应为 0 到 65535 的数字');
}

const units: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

function bytesOf(name: string, text: string): number {
  const found = /^(\d+)\s*([KMGT]?)(i?B)?$/i.exec(text);
  const bytes = found === null ? Number.NaN : Number(found[1]) * (units[(found[2] ?? '').toUpperCase()] ?? Number.NaN);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : wrong(name, text, 'write a size such as 500M or 2G', '请写成 500M 或 2G 这样的大小');
}

function flagValue(name: string, text: string): boolean {
  if (['1', 'true', 'yes', 'on'].includes(text.toLowerCase())) return true;
  if (['0', 'false', 'no', 'off'].includes(text.toLowerCase())) return false;
  return wrong(name, text, 'write 1 or 0', '请写 1 或 0');
}

function oneOf<T extends string>(name: string, allowed: readonly T[], text: string): T {
  return allowed.find((one) => one === text) ?? wrong(name, text, `one of ${allowed.join(', ')}`, `可选值：${allowed.join('、')}`);
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function urlOf(name: string, text: string, protocols: readonly string[]): string | null {
  if (text === '') return null;
  if (!protocols.includes(parseUrl(text)?.protocol ?? '')) {
    const shapes = protocols.map((protocol) => `${protocol}//…`).join(', ');
    // The URL may contain a password and is not repeated.
    throw new StartFailure({ en: `${name} is not an address of the form ${shapes}.`, zh: `${name} 不是 ${shapes} 形式的地址。` });
  }
  return text;
}

function originOf(name: string, text: string): string {
  const url = urlOf(name, text, ['http:', 'https:']);
  const { origin, pathname, search } = new URL(url ?? '');
  if (pathname !== '/' || search !== '')
    wrong(name, text, 'an origin without a path, such as https://console.example.com', '应为不带路径的地址，例如 https://console.example.com');
  return origin;
}

/** A path of a socket, or host and port; null for nothing. */
function scannerOf(text: string): ScannerAddress | null {
  if (text === '') return null;
  if (path.isAbsolute(text)) return { path: text };
  const [, host = '', port = ''] = /^\[?([^[\]/]+?)\]?:(\d+)$/.exec(text) ?? [];
  return host === '' ? wrong('CLAMD', text, 'a path, or host:port', '应为路径，或“主机:端口”') : { host, port: portOf('CLAMD', port) };
}

function chromiumOf(text: string): string {
  if (text === '' || text === 'off') return text;
  const file = path.resolve(text);
  return existsSync(file) ? file : wrong('CHROMIUM_PATH', text, 'there is no such file', '没有这个文件');
}

/** An https address, or an http one of this machine or a private network, where nobody on the way can change what is sent. */
function encryptedUrlOf(name: string, text: string): string {
  const { protocol, hostname } = new URL(urlOf(name, text, ['http:', 'https:']) ?? '');
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'http:' && !isLoopback(host) && !isNear(host))
    throw new StartFailure({ en: `${name} must be an https address, or be in the local network.`, zh: `${name} 应为 https 地址，或内网地址。` });
  return text;
}

function torExitsOf(text: string): string | null {
  if (text === '') return null;
  return isAddress(text) ? encryptedUrlOf('TOR_EXITS', text) : path.resolve(text);
}

function crawlerRangesOf(text: string): Config['crawlerRanges'][number] {
  const [, name = '', source = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (source === '' || (isAddress(source) && parseUrl(source) === null))
    wrong('CRAWLER_RANGES', text, 'entries such as google=https://…', '形如 google=https://… 的条目');
  return { crawler: oneOf('CRAWLER_RANGES', crawlers, name), source: isAddress(source) ? source : path.resolve(source) };
}

const addressOf = (name: string, text: string): string =>
  isIP(text) === 0 ? wrong(name, text, 'IPv4 or IPv6 addresses, separated by commas', '应为用逗号分隔的 IPv4 或 IPv6 地址') : text;

/** `1.1.1.1`, `1.1.1.1:53`, `2606:4700::1111` or `[2606:4700::1111]:53`. */
function resolverOf(text: string): string {
  const [, host = text] = /^\[?([^[\]]+?)\]?:\d{1,5}$/.exec(text) ?? [];
  return isIP(text) !== 0 || isIP(host) !== 0
    ? text
    : wrong('DNS_SERVERS', text, 'addresses separated by commas, or system', '应为用逗号分隔的地址，或 system');
}

function proxyOf(text: string): string {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  const valid = version !== 0 && more.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)));
  return valid || text === 'loopback'
    ? text
    : wrong('TRUSTED_PROXIES', text, 'an address, a network such as 10.0.0.0/8, or loopback', '应为地址、10.0.0.0/8 这样的网段或 loopback');
}
