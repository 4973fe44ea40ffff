/** What is wrong with the pages of a site. */
export default {
  all: '页面',
  indexable: '允许收录',
  problems: '待改进',
  nothing: '没有发现问题。',
  more: '只检查前 {{countText}} 个页面，即每个集合中最新的记录。',
  pages: '{{countText}} 个页面',
  unused: '页面已不存在的文案',
  unusedText: '有人为这些网址写过标题或描述，但网址上已经没有页面。',
  closed: {
    settings: '站点设置禁止搜索引擎收录所有页面。',
    site: '站点尚未公开发布，搜索引擎不能收录任何页面。',
  },
  health: '搜索健康度',
  crawledAt: '上次抓取：{{time}}',
  notCrawled: '这个站点还没有抓取过。抓取可以找出失效链接、缺失的标题和阻碍收录的原因。',
  toCrawl: '查看抓取结果',
  indexablePages: '可收录页面',
  ofPages: '共 {{countText}} 个页面',
  issues: { error: '错误', warning: '警告', notice: '提示' },
  toSettings: '打开站点设置',
} as const;
