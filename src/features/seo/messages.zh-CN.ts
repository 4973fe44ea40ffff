import keywords from './keywords/messages.zh-CN';
import notFound from './notFound/messages.zh-CN';
import robots from './robots/messages.zh-CN';
import overview from './overview/messages.zh-CN';
import pages from './pages/messages.zh-CN';
import push from './push/messages.zh-CN';
import settings from './settings/messages.zh-CN';
import sitemaps from './sitemaps/messages.zh-CN';
import verification from './verification/messages.zh-CN';

/** What search engines are told about a site. */
export default {
  keywords,
  notFound,
  robots,
  overview,
  pages,
  push,
  settings,
  sitemaps,
  verification,
  title: '搜索优化',
  tabs: {
    label: '搜索优化的内容',
    overview: '概况',
    pages: '页面',
    sitemaps: '站点地图',
    settings: '设置',
    robots: 'robots.txt',
    redirects: '重定向',
    notFound: '失效网址',
    verification: '所有权验证',
    push: '推送',
    keywords: '搜索词',
  },
  external: '这个站点的网页由其他系统提供。这里的设置只对在这里搭建的网页生效。',
  problem: {
    title_missing: '缺少标题',
    title_long: '标题过长',
    title_duplicate: '标题与其他页面相同',
    description_missing: '缺少描述',
    description_long: '描述过长',
    description_duplicate: '描述与其他页面相同',
    noindex: '不收录',
    machine: '机器翻译',
    no_image: '没有图片',
  },
  advice: {
    title_missing: '搜索结果里只有站点名称，看不出是哪个页面。',
    title_long: '搜索结果会截掉末尾。',
    title_duplicate: '标题相同的页面，搜索引擎往往只显示一个。',
    description_missing: '搜索引擎会自行摘取页面里的一段文字。',
    description_long: '搜索结果会截掉末尾。',
    description_duplicate: '每个页面各写一段描述，更容易被点开。',
    noindex: '搜索引擎不会收录这些页面，请确认是否符合预期。',
    machine: '译文经人审阅之前，搜索引擎不会收录这些页面。',
    no_image: '分享这些页面的链接时没有配图。',
  },
} as const;
