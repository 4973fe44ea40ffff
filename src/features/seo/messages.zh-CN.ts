import notFound from './notFound/messages.zh-CN';
import robots from './robots/messages.zh-CN';
import settings from './settings/messages.zh-CN';

/** What search engines are told about a site. */
export default {
  notFound,
  robots,
  settings,
  title: '搜索优化',
  tabs: { label: '搜索优化的内容', settings: '设置', robots: 'robots.txt', redirects: '重定向', notFound: '失效网址' },
  external: '此站点的页面托管在别处。这里的设置只对本程序发布的页面生效。',
} as const;
