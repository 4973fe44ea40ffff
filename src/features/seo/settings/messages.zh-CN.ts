/** Settings for search engines. */
export default { titles: '标题', separator: '页面与站点之间的分隔符' } as const;
