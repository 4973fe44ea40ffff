/** Sitemaps of a site. */
export default {
  index: '站点地图',
  indexText: 'robots.txt 中已列出。在各搜索引擎的站长平台提交索引文件即可。',
  flat: '供百度使用的文本文件',
  flatText: '百度不读取索引，需要逐个提交这些网址。',
  none: '没有站点地图',
  why: {
    not_released: '首次发布页面之后自动生成。',
    settings: '站点设置禁止搜索引擎收录，因此没有站点地图。',
    site: '站点尚未公开发布，因此没有站点地图。',
  },
  kind: { index: '以下文件的索引', pages: '列表和独立页面', records: '记录：{{collection}}' },
  copy: '复制 {{path}} 的网址',
} as const;
