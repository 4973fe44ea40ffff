import type { ContactTopic } from '../../../contract/contacts/schemas';
import type { Locale } from '../../http/access';

type Messages = {
  readonly colon: string;
  readonly topic: Record<ContactTopic, string>;
  /** Why a contact receives a notice. */
  readonly footer: (topic: string) => string;
  readonly verify: {
    readonly subject: string;
    readonly paragraphs: (name: string, host: string) => string[];
    readonly action: string;
    readonly footer: string;
  };
  readonly test: { readonly subject: string; readonly paragraph: (by: string, host: string) => string };
};

/** Texts of messages to contacts, by language. */
export const contactMessages: Record<Locale, Messages> = {
  'zh-CN': {
    colon: '：',
    topic: {
      notice: '公告',
      security: '安全',
      certificate: '证书',
      filing: '备案',
      uptime: '可用性',
      crawl: '抓取',
      support: '客服',
      billing: '账单',
      report: '流量报告',
      traffic: '流量预警',
    },
    footer: (topic) => `收到这封邮件，是因为这个邮箱登记为联系人，并接收“${topic}”通知。`,
    verify: {
      subject: '确认用这个邮箱接收通知',
      paragraphs: (name, host) => [
        `${host} 的管理者把这个邮箱登记为联系人“${name}”的邮箱，用来接收站点和账号的通知。`,
        '确认之前，不会往这里发送任何通知。链接 24 小时内有效；如果与此无关，忽略这封邮件即可。',
      ],
      action: '确认邮箱',
      footer: '收到这封邮件，是因为有人登记了这个邮箱。',
    },
    test: { subject: '测试通知', paragraph: (by, host) => `这是 ${by} 在 ${host} 发送的测试消息。能看到它，说明通知可以送达。` },
  },
  en: {
    colon: ': ',
    topic: {
      notice: 'Announcements',
      security: 'Security',
      certificate: 'Certificates',
      filing: 'Filings',
      uptime: 'Availability',
      crawl: 'Crawls',
      support: 'Support',
      billing: 'Billing',
      report: 'Traffic reports',
      traffic: 'Traffic alerts',
    },
    footer: (topic) => `You get this because this address belongs to a contact who is notified about “${topic}”.`,
    verify: {
      subject: 'Confirm this address for notices',
      paragraphs: (name, host) => [
        `The operator of ${host} has entered this address for the contact “${name}”, to send notices about sites and accounts to.`,
        'Nothing is sent here before you confirm. The link works for 24 hours; if this is not about you, ignore it.',
      ],
      action: 'Confirm address',
      footer: 'You get this because somebody entered this address.',
    },
    test: { subject: 'Test notice', paragraph: (by, host) => `${by} sent this test message from ${host}. Seeing it means that notices get through.` },
  },
};
