import type { Setting } from './settings';

/** Settings of what country rules decide by. */
export const countrySettings = [
  {
    name: 'COUNTRY_DATABASE',
    type: 'text',
    default: '',
    meaning: {
      en: 'File in MaxMind’s format (mmdb) that tells the country of addresses for country rules, both IPv4 and IPv6 (default: the one of the package)',
      zh: '国家/地区规则判断地址归属所用的数据库文件，MaxMind 格式（mmdb），须同时含 IPv4 和 IPv6（默认使用程序自带的）',
    },
  },
  {
    name: 'COUNTRY_DATABASE_URL',
    type: 'address',
    default: '',
    meaning: {
      en: 'Address from which a newer database of countries is downloaded every month, an mmdb file that may be packed with gzip; https, or http in the local network (default: none, the database is as old as the program or COUNTRY_DATABASE)',
      zh: '每月从这个网址下载较新的国家/地区数据库（mmdb 文件，可用 gzip 压缩）；须为 https，内网可用 http（默认不下载，使用程序自带的或 COUNTRY_DATABASE）',
    },
  },
  {
    name: 'TOR_EXITS',
    type: 'text',
    default: '',
    meaning: {
      en: 'List of the exit addresses of the Tor network, which country rules may then name: a file, or an address (https, or http in the local network), such as https://check.torproject.org/torbulkexitlist; read every six hours (default: none)',
      zh: 'Tor 网络出口地址的列表，设置后国家/地区规则可以选择 Tor：文件或网址（须为 https，内网可用 http），例如 https://check.torproject.org/torbulkexitlist；每六小时读取一次（默认无）',
    },
  },
  {
    name: 'CRAWLER_RANGES',
    type: 'list',
    default: '',
    meaning: {
      en: 'Published networks of crawlers, which country rules may let in: files or addresses of JSON lists as google=https://…, for google, bing, baidu, yandex, apple and duckduckgo, separated by commas; read daily (default: none, crawlers are recognised by their host names)',
      zh: '爬虫公布的网段，供国家/地区规则放行：JSON 列表的文件或网址，写作 google=https://…，可用 google、bing、baidu、yandex、apple、duckduckgo，用逗号分隔；每天读取一次（默认无，只按主机名识别爬虫）',
    },
  },
] as const satisfies readonly Setting[];
