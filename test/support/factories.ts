import type { Contact } from '@contract/contacts';
import type { Security } from '@contract/factors';
import { instanceActions, may } from '@contract/permissions';
import type { Session, User } from '@contract/session';
import type { Language, Site, StartUp } from '@contract/sites';

const at = '2026-11-20T08:00:00.000Z';
const userId = '7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01';

/** Rows as the server would send them; a test names only what it is about. */
export const user = (change: Partial<User> = {}): User => ({
  id: userId,
  loginName: 'chenxiao',
  displayName: 'Chen Xiao',
  email: null,
  avatar: null,
  role: 'owner',
  locale: 'zh-CN',
  timeZone: 'Asia/Shanghai',
  colorScheme: 'light',
  primary: 'grey',
  notices: { newDevice: true, access: true },
  createdAt: at,
  revision: 1,
  ...change,
});

export const session = (change: Partial<Session> = {}): Session => ({
  id: '2f2bb0a0-34a5-4d51-9f0e-6c6d3f1f2a02',
  userId,
  role: 'owner',
  can: instanceActions.filter((action) => may('owner', action)),
  createdAt: at,
  idleUntil: at,
  absoluteUntil: at,
  serverTime: at,
  insecureTransport: false,
  enrolment: 'none',
  enrolBy: null,
  ...change,
});

/** A person with nothing but a password. */
export const security = (change: Partial<Security> = {}): Security => ({
  passwordChangedAt: at,
  minLength: 15,
  totpSince: null,
  passkeys: [],
  recoveryLeft: null,
  renameFrom: null,
  selfRename: true,
  mail: false,
  pendingEmail: null,
  ...change,
});

export const site = (change: Partial<Site> = {}): Site => ({
  id: 'abcdefghijkl',
  name: 'Tea House',
  slug: 'tea-house',
  purpose: 'external',
  url: 'https://tea.example',
  systemHost: null,
  state: 'active',
  defaultLang: 'zh-Hans',
  timeZone: 'Asia/Shanghai',
  identity: 'first_party',
  demo: false,
  role: 'admin',
  pinned: false,
  createdAt: at,
  archivedAt: null,
  deletedAt: null,
  revision: 1,
  ...change,
});

export const secondSite = (change: Partial<Site> = {}): Site =>
  site({ id: 'mnopqrstuvwx', name: 'Harbour News', slug: 'harbour-news', url: 'https://harbour.example', ...change });

export const language = (change: Partial<Language> = {}): Language => ({
  code: 'zh-Hans',
  name: '简体中文',
  nameZh: '简体中文',
  nameEn: 'Chinese (Simplified)',
  dir: 'ltr',
  ui: true,
  common: true,
  ...change,
});

export const startUp = (change: Partial<StartUp> = {}): StartUp => ({ sites: [site(), secondSite()], intls: [language()], ...change });

export const contact = (change: Partial<Contact> = {}): Contact => ({
  id: '91c8f1a4-0b0c-4bb8-8b7a-3d1a5e6f7a03',
  name: 'Lin Yue',
  company: '',
  title: 'technical',
  email: 'lin@example.com',
  emailVerifiedAt: null,
  phone: null,
  locale: 'zh-CN',
  subscriptions: {},
  wechat: '',
  address: '',
  kinds: [],
  siteIds: null,
  webhook: null,
  webhookSecret: null,
  quietHours: null,
  note: '',
  createdAt: at,
  updatedAt: at,
  revision: 1,
  ...change,
});
