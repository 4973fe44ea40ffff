import type { ConversationEvent, ConversationKind } from '../../../contract/support/terms';
import type { Locale } from '../../http/access';

/** Columns of the export. */
export const csvColumns = [
  'number',
  'kind',
  'state',
  'subject',
  'tags',
  'visitor',
  'email',
  'phone',
  'company',
  'country',
  'page',
  'agent',
  'started',
  'firstReply',
  'resolved',
  'firstReplySeconds',
  'messages',
  'rating',
  'ratingComment',
] as const;
type CsvColumn = (typeof csvColumns)[number];

type Texts = {
  readonly visitor: string;
  readonly agent: string;
  readonly note: string;
  readonly deleted: string;
  readonly test: { readonly subject: (site: string) => string; readonly text: string };
  readonly notice: {
    readonly subject: (site: string, kind: ConversationKind, who: string) => string;
    /** In place of the text of a message that is a file. */
    readonly file: string;
    readonly conversation: string;
    readonly unread: string;
    readonly page: string;
    readonly email: string;
    readonly phone: string;
    readonly action: string;
  };
  /** Of visitors who wait longer than the time to answer. */
  readonly overdue: {
    readonly subject: (site: string, who: string) => string;
    readonly text: (minutes: number) => string;
    readonly since: string;
    readonly unassigned: string;
    readonly footerAssigned: string;
    readonly footerOnDuty: string;
  };
  readonly csv: Readonly<Record<CsvColumn, string>>;
  readonly event: Readonly<Record<ConversationEvent, string>>;
};

/** Texts of files and notices. */
export const supportTexts: Readonly<Record<Locale, Texts>> = {
  'zh-CN': {
    visitor: '访客',
    agent: '客服',
    note: '备注',
    deleted: '消息已删除',
    test: { subject: (site) => `${site}：客服通知测试`, text: '能看到这条消息，说明客服通知可以送达。' },
    notice: {
      subject: (site, kind, who) => (kind === 'form' ? `${site}：${who}的新留言` : `${site}：${who}在等待回复`),
      file: '访客发送了文件。',
      conversation: '会话',
      unread: '未读消息',
      page: '页面',
      email: '邮箱',
      phone: '电话',
      action: '查看会话',
    },
    overdue: {
      subject: (site, who) => `${site}：${who}超过时限仍未得到回复`,
      text: (minutes) => `站点的回复时限是 ${minutes} 分钟，时限已过，还没有人回复。`,
      since: '开始等待',
      unassigned: '未分配',
      footerAssigned: '收到此邮件，是因为会话分配给了你。',
      footerOnDuty: '收到此邮件，是因为会话没有分配，而你正在接待。',
    },
    csv: {
      number: '编号',
      kind: '类型',
      state: '状态',
      subject: '主题',
      tags: '标签',
      visitor: '访客',
      email: '邮箱',
      phone: '电话',
      company: '公司',
      country: '国家/地区',
      page: '页面',
      agent: '客服人员',
      started: '开始时间',
      firstReply: '首次回复',
      resolved: '解决时间',
      firstReplySeconds: '首次回复用时（秒）',
      messages: '消息数',
      rating: '评分',
      ratingComment: '评价',
    },
    event: {
      assigned: '分配了会话',
      unassigned: '取消了分配',
      transferred: '转接了会话',
      resolved: '会话已解决',
      reopened: '会话重新打开',
      snoozed: '会话稍后处理',
      awoken: '会话恢复处理',
      spam: '标记为垃圾会话',
      not_spam: '取消垃圾标记',
      merged: '合并了另一个会话',
      rated: '访客作出评价',
    },
  },
  en: {
    visitor: 'Visitor',
    agent: 'Agent',
    note: 'note',
    deleted: 'Message deleted',
    test: { subject: (site) => `${site}: test of support notices`, text: 'Seeing this message means that support notices get through.' },
    notice: {
      subject: (site, kind, who) => (kind === 'form' ? `${site}: new message from ${who}` : `${site}: ${who} is waiting for an answer`),
      file: 'The visitor sent a file.',
      conversation: 'Conversation',
      unread: 'Unread messages',
      page: 'Page',
      email: 'Email',
      phone: 'Phone',
      action: 'Open conversation',
    },
    overdue: {
      subject: (site, who) => `${site}: ${who} has not been answered in time`,
      text: (minutes) => `The site’s time to answer, ${minutes === 1 ? 'one minute' : `${minutes} minutes`}, has passed without a reply.`,
      since: 'Waiting since',
      unassigned: 'Unassigned',
      footerAssigned: 'You get this because the conversation is assigned to you.',
      footerOnDuty: 'You get this because the conversation is unassigned and you are available.',
    },
    csv: {
      number: 'Number',
      kind: 'Kind',
      state: 'State',
      subject: 'Subject',
      tags: 'Tags',
      visitor: 'Visitor',
      email: 'Email',
      phone: 'Phone',
      company: 'Company',
      country: 'Country/region',
      page: 'Page',
      agent: 'Agent',
      started: 'Started',
      firstReply: 'First answer',
      resolved: 'Resolved',
      firstReplySeconds: 'First answer after (seconds)',
      messages: 'Messages',
      rating: 'Rating',
      ratingComment: 'Comment',
    },
    event: {
      assigned: 'assigned the conversation',
      unassigned: 'removed the assignment',
      transferred: 'transferred the conversation',
      resolved: 'resolved the conversation',
      reopened: 'The conversation was reopened',
      snoozed: 'snoozed the conversation',
      awoken: 'The conversation is no longer snoozed',
      spam: 'marked the conversation as spam',
      not_spam: 'marked the conversation as no spam',
      merged: 'merged another conversation into this one',
      rated: 'The visitor rated the conversation',
    },
  },
};

export const searchTooSlow: Readonly<Record<Locale, string>> = {
  'zh-CN': '搜索耗时过长，已停止。请输入更多文字。',
  en: 'The search took too long and was stopped. Enter a longer text.',
};

export const writtenSince: Readonly<Record<Locale, string>> = {
  'zh-CN': '访客刚刚又发来了消息，请先查看。',
  en: 'The visitor has just written again. Read the message first.',
};
