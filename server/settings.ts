import { countrySettings } from './countrySettings';
import type { BilingualText } from './terminalTexts';

export type SettingType = 'text' | 'port' | 'bytes' | 'flag' | 'list' | 'address';

/** One setting: read from the environment by its name, or from the command line as `--name-with-dashes`. */
export type Setting = {
  readonly name: string;
  readonly type: SettingType;
  /** As written in the environment; empty: not set. */
  readonly default: string;
  readonly meaning: BilingualText;
  /** The only values allowed, for `text` and `list`. */
  readonly oneOf?: readonly string[];
};

export const roles = ['web', 'collect', 'delivery', 'worker'] as const;
export type Role = (typeof roles)[number];

/** All settings. `--help` and docs/settings.md are generated from this table. */
export const settings = [
  { name: 'DATA_DIR', type: 'text', default: './data', meaning: { en: 'Folder for all data of the program', zh: '存放全部数据的文件夹' } },
  {
    name: 'HOST',
    type: 'text',
    default: 'localhost',
    meaning: { en: 'Address to listen on; 0.0.0.0 accepts connections from the network', zh: '监听地址；0.0.0.0 表示对网络开放' },
  },
  { name: 'PORT', type: 'port', default: '3000', meaning: { en: 'Port of the console, the API and the collector', zh: '控制台、API 和采集的端口' } },
  {
    name: 'DELIVERY_PORT',
    type: 'port',
    default: '3001',
    meaning: { en: 'Port of the delivered pages of all sites, by host name', zh: '按域名提供站点页面的端口' },
  },
  {
    name: 'SITES_URL',
    type: 'address',
    default: '',
    meaning: {
      en: 'Origin below whose host every site gets an address of its own: with https://sites.example.com, https://tea.sites.example.com (default http://localhost:DELIVERY_PORT); needs a wildcard DNS record',
      zh: '站点自带网址所在的域名：设为 https://sites.example.com 时，站点的网址形如 https://tea.sites.example.com（默认 http://localhost:DELIVERY_PORT）；需要泛域名解析',
    },
  },
  {
    name: 'SITES_ADDRESSES',
    type: 'list',
    default: '',
    meaning: {
      en: 'Public IP addresses at which the pages of sites arrive, for A and AAAA records of hostnames (default: those that the host of SITES_URL resolves to)',
      zh: '站点页面对外的 IP 地址，用于域名的 A 和 AAAA 记录（默认取 SITES_URL 的域名解析到的地址）',
    },
  },
  {
    name: 'DNS_SERVERS',
    type: 'list',
    default: '223.5.5.5,119.29.29.29,1.1.1.1,8.8.8.8',
    meaning: {
      en: 'Resolvers that check the DNS of hostnames, separated by commas; “system” uses those of this machine',
      zh: '检查域名解析所用的 DNS 服务器，用逗号分隔；system 表示使用本机的设置',
    },
  },
  {
    name: 'TLS_MODE',
    type: 'text',
    default: 'proxy',
    oneOf: ['proxy', 'caddy', 'acme', 'manual'],
    meaning: {
      en: 'Who has the HTTPS certificates of hostnames: a proxy in front of this program, Caddy, which asks this program for which hostnames it may request them, or this program itself: requested automatically (acme) or uploaded (manual)',
      zh: '域名的 HTTPS 证书由谁管理：proxy 为前置代理；caddy 为 Caddy，由它向本程序确认可以申请哪些域名的证书；acme 和 manual 为本程序，前者自动申请，后者由人上传',
    },
  },
  {
    name: 'TLS_PORT',
    type: 'port',
    default: '443',
    meaning: { en: 'Port of the delivered pages over HTTPS, with TLS_MODE acme or manual', zh: 'TLS_MODE 为 acme 或 manual 时，以 HTTPS 提供站点页面的端口' },
  },
  {
    name: 'ACME_DIRECTORY',
    type: 'address',
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    meaning: {
      en: 'Certificate authority for TLS_MODE=acme; https://acme-staging-v02.api.letsencrypt.org/directory to try it',
      zh: 'TLS_MODE 为 acme 时的证书颁发机构；试用时设为 https://acme-staging-v02.api.letsencrypt.org/directory',
    },
  },
  {
    name: 'TLS_ASK_SECRET',
    type: 'text',
    default: '',
    meaning: {
      en: 'Secret with which a Caddy on another machine asks: /internal/tls/ask?secret=… (default: only programs on this machine may ask)',
      zh: '其他机器上的 Caddy 询问时使用的密钥：/internal/tls/ask?secret=…（默认只有本机程序可以询问）',
    },
  },
  {
    name: 'PUBLIC_URL',
    type: 'address',
    default: '',
    meaning: { en: 'Address at which people open the console (default http://localhost:PORT)', zh: '用户打开控制台的地址（默认 http://localhost:PORT）' },
  },
  {
    name: 'DATABASE_URL',
    type: 'address',
    default: '',
    meaning: { en: 'PostgreSQL 15 or newer to use instead of the embedded one', zh: '改用外部 PostgreSQL（15 或更新）的地址' },
  },
  {
    name: 'CLICKHOUSE_URL',
    type: 'address',
    default: '',
    meaning: {
      en: 'ClickHouse 24.8 or newer to use instead of the embedded one: http://user:password@host:8123/database',
      zh: '改用外部 ClickHouse（24.8 或更新）的地址：http://用户:密码@主机:8123/数据库',
    },
  },
  {
    name: 'CLICKHOUSE_MEMORY',
    type: 'bytes',
    default: '2G',
    meaning: { en: 'Memory limit of the embedded ClickHouse', zh: '内置 ClickHouse 的内存上限' },
  },
  {
    name: 'TRUSTED_PROXIES',
    type: 'list',
    default: '',
    meaning: {
      en: 'Addresses or networks of proxies whose X-Forwarded-For is trusted, separated by commas',
      zh: '信任其 X-Forwarded-For 的代理地址或网段，用逗号分隔',
    },
  },
  ...countrySettings,
  {
    name: 'ALLOW_HTTP',
    type: 'flag',
    default: '0',
    meaning: { en: 'Allow sign-in over plain http on addresses other than this machine', zh: '允许在本机以外的地址上用明文 http 登录' },
  },
  {
    name: 'ACK',
    type: 'text',
    default: 'journal',
    oneOf: ['journal', 'clickhouse'],
    meaning: {
      en: 'When a hit is acknowledged: once it is in the fsynced journal, or once it is in ClickHouse',
      zh: '何时确认收到采集记录：采集日志落盘后，或写入 ClickHouse 后',
    },
  },
  {
    name: 'JOURNAL_MAX_BYTES',
    type: 'bytes',
    default: '1G',
    meaning: {
      en: 'Size limit of the journal while ClickHouse is unavailable; beyond it, hits are refused and trackers retry',
      zh: 'ClickHouse 不可用时采集日志的大小上限；超出后拒收，由统计脚本稍后重试',
    },
  },
  {
    name: 'IMPORT_MAX_BYTES',
    type: 'bytes',
    default: '50G',
    meaning: {
      en: 'Total size limit of the files of one import (access logs or exports of other tools)',
      zh: '一次数据导入（访问日志或其他统计工具的导出）的文件总大小上限',
    },
  },
  {
    name: 'VARIANTS_MAX_BYTES',
    type: 'bytes',
    default: '5G',
    meaning: {
      en: 'Total size of computed variants of images that are stored; beyond it, the least recently used are deleted and computed again when needed',
      zh: '保存的图片变体的总大小；超出后删除最久没有用到的，需要时再重新生成',
    },
  },
  {
    name: 'PAGE_CACHE_MAX_BYTES',
    type: 'bytes',
    default: '256M',
    meaning: {
      en: 'Memory for rendered pages of delivered sites; beyond it, those that were visited least recently are rendered again',
      zh: '缓存站点页面所用的内存；超出后，最久没有访问的页面会在下次访问时重新生成',
    },
  },
  {
    name: 'RESOURCES_MAX_BYTES',
    type: 'bytes',
    default: '100G',
    meaning: {
      en: 'Total size limit of the resources (images, videos and other files) of a site; its administrators can set a lower one',
      zh: '一个站点的资源（图片、视频等文件）的总大小上限；站点管理员可以设置更低的上限',
    },
  },
  {
    name: 'RESOURCE_MAX_BYTES',
    type: 'bytes',
    default: '10G',
    meaning: { en: 'Size limit of one resource; administrators of a site can set a lower one', zh: '单个资源的大小上限；站点管理员可以设置更低的上限' },
  },
  {
    name: 'CLAMD',
    type: 'text',
    default: '',
    meaning: {
      en: 'Malware scanner for resources: the socket of clamd, such as /run/clamav/clamd.ctl, or host:port (default: none)',
      zh: '资源的恶意软件扫描：clamd 的套接字（例如 /run/clamav/clamd.ctl）或“主机:端口”（默认不扫描）',
    },
  },
  {
    name: 'SCAN_REQUIRED',
    type: 'flag',
    default: '1',
    meaning: {
      en: 'Whether files wait while the scanner is unavailable, and are blocked if they are too large for it; 0: they are accepted, and scanned once it is available unless they are too large',
      zh: '扫描程序不可用时文件是否等待，以及过大而无法扫描的文件是否拦截；0 表示先接收，扫描程序恢复后再扫描，过大的文件不扫描',
    },
  },
  {
    name: 'S3_BUCKET',
    type: 'text',
    default: '',
    meaning: { en: 'S3 bucket for uploaded files (default: in DATA_DIR)', zh: '存放上传文件的 S3 存储桶（默认存放在 DATA_DIR 中）' },
  },
  {
    name: 'S3_ENDPOINT',
    type: 'address',
    default: '',
    meaning: {
      en: 'S3 server of the bucket, such as https://s3.example.com (default: Amazon S3)',
      zh: '存储桶所在的 S3 服务器，例如 https://s3.example.com（默认为 Amazon S3）',
    },
  },
  {
    name: 'S3_REGION',
    type: 'text',
    default: 'us-east-1',
    meaning: { en: 'Region of the bucket; some servers other than Amazon’s check it too', zh: '存储桶所在的区域；有些非亚马逊的服务器也会检查' },
  },
  {
    name: 'S3_PREFIX',
    type: 'text',
    default: '',
    meaning: { en: 'Folder in the bucket, for a bucket shared with other programs', zh: '存储桶中的文件夹，用于与其他程序共用的存储桶' },
  },
  {
    name: 'S3_ACCESS_KEY_ID',
    type: 'text',
    default: '',
    meaning: { en: 'Access key that may list, read, write and delete in the bucket', zh: '有权在存储桶中列出、读取、写入和删除的访问密钥 ID' },
  },
  {
    name: 'S3_SECRET_ACCESS_KEY',
    type: 'text',
    default: '',
    meaning: { en: 'Secret of the access key', zh: '与访问密钥 ID 对应的私有密钥（Secret Access Key）' },
  },
  {
    name: 'S3_SECRET_ACCESS_KEY_FILE',
    type: 'text',
    default: '',
    meaning: { en: 'File that contains the secret, instead of S3_SECRET_ACCESS_KEY', zh: '存有私有密钥的文件，代替 S3_SECRET_ACCESS_KEY' },
  },
  {
    name: 'S3_PATH_STYLE',
    type: 'flag',
    default: '0',
    meaning: {
      en: 'Address the bucket as endpoint/bucket instead of bucket.endpoint; most servers that people run themselves need this',
      zh: '用“服务器/存储桶”而不是“存储桶.服务器”访问存储桶；自行搭建的服务器大多需要',
    },
  },
  {
    name: 'SMTP_URL',
    type: 'address',
    default: '',
    meaning: {
      en: 'Mail server: smtp://user:password@host:587 (STARTTLS if offered) or smtps://…; without one, links are copied and passed on by hand',
      zh: '邮件服务器：smtp://用户:密码@主机:587（支持时自动加密）或 smtps://…；不设置时，链接由人工复制转交',
    },
  },
  {
    name: 'MAIL_FROM',
    type: 'text',
    default: '',
    meaning: { en: 'Sender of mails: Name <address> (default: the user of SMTP_URL)', zh: '发件人：名称 <地址>（默认取 SMTP_URL 的用户）' },
  },
  {
    name: 'INDEXNOW_URL',
    type: 'address',
    default: 'https://api.indexnow.org/indexnow',
    meaning: {
      en: 'Where changed pages are announced by IndexNow; every participating search engine passes them on to the others',
      zh: '通过 IndexNow 通知页面变化的接口地址；参与的搜索引擎之间会互相转告',
    },
  },
  {
    name: 'BAIDU_PUSH_URL',
    type: 'address',
    default: 'http://data.zz.baidu.com/urls',
    meaning: { en: 'Where changed pages are announced to Baidu', zh: '向百度推送页面的接口地址' },
  },
  {
    name: 'PRIVATE_WEBHOOKS',
    type: 'flag',
    default: '0',
    meaning: {
      en: 'Allow webhooks of contacts and content tables to private addresses (this machine, the local network)',
      zh: '允许联系人和内容表的 Webhook 发往内网地址（本机、局域网）',
    },
  },
  {
    name: 'PRIVATE_SITES',
    type: 'flag',
    default: '0',
    meaning: {
      en: 'Allow tag checks, availability monitoring and hostname checks of sites at private addresses (this machine, the local network)',
      zh: '允许统计代码检查、可用性监测和域名检查访问内网地址（本机、局域网）的网站',
    },
  },
  {
    name: 'CHROMIUM_PATH',
    type: 'text',
    default: '',
    meaning: {
      en: 'Chromium or Chrome that runs the scripts of crawled pages, where a crawler is set to; “off”: none (default: looked for in PATH)',
      zh: '为爬虫运行页面脚本的 Chromium 或 Chrome（仅用于开启了此功能的爬虫）；off 表示不使用（默认在 PATH 中查找）',
    },
  },
  {
    name: 'SECRET_KEY',
    type: 'text',
    default: '',
    meaning: {
      en: 'Key that encrypts secrets in the database (second factors, queued mails, webhooks, public links, keys of certificates); the same for all processes (default: the file secret.key in DATA_DIR)',
      zh: '用来加密数据库中的机密（两步验证、待发邮件、Webhook、分享链接、证书私钥）的密钥；所有进程必须相同（默认使用 DATA_DIR 中的 secret.key）',
    },
  },
  { name: 'ROLES', type: 'list', default: roles.join(','), oneOf: roles, meaning: { en: 'Roles of this process', zh: '本进程承担的角色' } },
  { name: 'DEVTOOLS', type: 'flag', default: '0', meaning: { en: 'Allow Redux DevTools to inspect the console', zh: '允许 Redux DevTools 查看控制台状态' } },
  {
    name: 'LOG_LEVEL',
    type: 'text',
    default: 'info',
    oneOf: ['debug', 'info', 'warn', 'error', 'silent'],
    meaning: { en: 'Level of detail of the log', zh: '运行日志的详细程度' },
  },
  {
    name: 'RESET_LINK',
    type: 'text',
    default: '',
    meaning: {
      en: 'Login name for which this start prints a one-time link to set a new password; for an only owner who is locked out',
      zh: '登录名：本次启动为其显示设置新密码的一次性链接，供无法登录的唯一所有者使用',
    },
  },
  {
    name: 'RESET_SECOND_FACTOR',
    type: 'text',
    default: '',
    meaning: { en: 'Login name whose second factor this start removes', zh: '登录名：本次启动移除其两步验证' },
  },
  {
    name: 'DEMO',
    type: 'flag',
    default: '0',
    meaning: { en: 'Add a site labelled “Demo” with 90 days of generated traffic and content', zh: '添加一个标明“演示”的站点，附 90 天的模拟访问和内容' },
  },
  {
    name: 'DEMO_VISITS',
    type: 'flag',
    default: '1',
    meaning: { en: 'Visits to the demo site keep arriving while the program runs', zh: '程序运行期间，演示站点持续收到新的模拟访问' },
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];

/** Converts PORT to --port, DATA_DIR to --data-dir. */
export function flagOf(name: string): string {
  return `--${name.toLowerCase().replaceAll('_', '-')}`;
}
