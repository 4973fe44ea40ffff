import keywords from './keywords/messages.zh-CN';
import push from './push/messages.zh-CN';
import settings from './settings/messages.zh-CN';
import verification from './verification/messages.zh-CN';

/** What search engines are told about a site. */
export default {
  keywords,
  push,
  settings,
  verification,
  title: '搜索优化',
  tabs: { label: '搜索优化的内容', settings: '设置', verification: '所有权验证', push: '推送', keywords: '关键词' },
  external: '此站点的页面托管在别处。这里的设置只对本程序发布的页面生效。',
} as const;
