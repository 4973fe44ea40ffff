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
    robots: 'robots.txt 禁止搜索引擎访问所有页面。',
    rules: '没有页面允许收录：规则或机器翻译使搜索引擎不收录。',
  },
  open: { settings: '打开站点设置', site: '打开站点设置', robots: '编辑 robots.txt', rules: '查看规则' },
} as const;
