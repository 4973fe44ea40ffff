/** Messages of sharing a report. */
export default {
  button: '分享',
  title: '分享这张报表',
  membersText: '能访问“{{site}}”的成员打开后看到同样的画面。',
  members: '复制成员链接',
  publicText: '拿到分享链接的人不用登录就能看这张报表，打开时是现在的时间范围和对比。',
  publicFiltered: '拿到分享链接的人不用登录就能看这张报表，打开时是现在的时间范围和对比，筛选始终生效。',
  create: '创建分享链接',
  notPublic: '这张报表涉及单个访客或团队自己的定义，只能登录后查看。',
  oneGoal: '分享链接按全部目标计算转化。选择全部目标后再创建。',
  tooMany: '分享链接最多带 {{count}} 个筛选。',
  failed: '没有创建链接',
  copied: '已创建并复制链接',
  created: '已创建链接',
  link: '分享链接',
  copyPublic: '复制分享链接',
  manage: '设置密码和有效期，管理全部链接',
} as const;
