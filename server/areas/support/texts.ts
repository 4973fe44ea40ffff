import type { ConversationEvent } from '../../../contract/support/terms';
import type { Locale } from '../../http/access';

type Texts = {
  readonly visitor: string;
  readonly agent: string;
  readonly note: string;
  readonly deleted: string;
  readonly event: Readonly<Record<ConversationEvent, string>>;
};

/** Texts of files and notices. */
export const supportMessages: Readonly<Record<Locale, Texts>> = {
  'zh-CN': {
    visitor: '访客',
    agent: '客服',
    note: '备注',
    deleted: '消息已删除',
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
