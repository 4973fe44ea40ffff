import type { AuditEntry } from '@contract/audit/schemas';
import type { Contact } from '@contract/contacts/schemas';
import type { Security } from '@contract/account/factors';
import type { Invite, Person } from '@contract/people/schemas';
import { instanceActions, may } from '@contract/permissions';
import type { Resource } from '@contract/resources/schemas';
import type { Session, User } from '@contract/session/schemas';
import type { Language, Site, StartUp } from '@contract/sites/schemas';
import type { UptimeStatus } from '@contract/uptime/schemas';

const at = '2026-11-20T08:00:00.000Z';
const userId = '7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01';

/** Rows as the server sends them; a test sets only what it is about. */
export const user = (change: Partial<User> = {}): User => ({
  id: userId,
  loginName: 'chenxiao',
  displayName: 'Chen Xiao',
  email: null,
  avatar: null,
  role: 'owner',
  locale: 'en',
  timeZone: 'Asia/Shanghai',
  colorScheme: 'light',
  primary: 'grey',
  notices: { newDevice: true, access: true, mention: true },
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

/** A person with only a password. */
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
  state: 'published',
  visibility: 'public',
  defaultLang: 'zh-Hans',
  timeZone: 'Asia/Shanghai',
  identity: 'first_party',
  demo: false,
  support: false,
  role: 'admin',
  pinned: false,
  tags: [],
  createdAt: at,
  archivedAt: null,
  deletedAt: null,
  suspendedReason: null,
  revision: 1,
  ...change,
});

export const secondSite = (change: Partial<Site> = {}): Site =>
  site({ id: 'mnopqrstuvwx', name: 'Harbour News', slug: 'harbour-news', url: 'https://harbour.example', ...change });

/** A monitored site that is reachable. */
export const uptime = (change: Partial<UptimeStatus> = {}): UptimeStatus => ({
  siteId: site().id,
  enabled: true,
  state: 'up',
  since: at,
  reason: null,
  detail: '',
  checkedAt: at,
  responseMs: 180,
  certificateExpiresAt: null,
  ...change,
});

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

export const person = (change: Partial<Person> = {}): Person => ({
  id: '0d6f2a44-5a0e-4a53-9a51-6a3e8b0f4b04',
  loginName: 'wang.bianji',
  displayName: '王编辑',
  avatar: null,
  email: 'wang@example.com',
  emailVerified: true,
  pendingEmail: null,
  role: 'member',
  state: 'active',
  sites: 1,
  secondFactor: false,
  tokens: 0,
  lastSeenAt: null,
  createdAt: at,
  revision: 3,
  ...change,
});

export const invite = (change: Partial<Invite> = {}): Invite => ({
  id: 'c5b7a0de-2f6e-4d6f-8f2b-1c8c7e2a5c05',
  email: 'new@example.com',
  role: 'member',
  grants: [],
  message: '',
  state: 'open',
  invitedBy: 'Chen Xiao',
  createdAt: at,
  expiresAt: '2096-11-27T08:00:00.000Z',
  resent: 0,
  ...change,
});

export const auditEntry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
  id: '1',
  at,
  actor: { kind: 'person', id: userId, name: 'chenxiao' },
  action: 'sign.in',
  result: 'done',
  target: null,
  siteId: null,
  address: '203.0.113.7',
  place: '中国 上海',
  device: 'Chrome · macOS',
  before: null,
  after: null,
  ...change,
});

/** An image without texts. */
export const resource = (change: Partial<Resource> = {}): Resource => ({
  id: '0198c0de-0000-7000-8000-0000000000a1',
  kind: 'image',
  folderId: null,
  name: 'tea.jpg',
  title: {},
  alt: {},
  caption: {},
  tags: [],
  contentType: 'image/jpeg',
  bytes: 204_800,
  sha256: 'ab'.repeat(32),
  width: 300,
  height: 200,
  originalWidth: 300,
  originalHeight: 200,
  rotation: 0,
  crop: null,
  durationMs: null,
  media: null,
  posterSha256: null,
  thumbhash: null,
  color: '#336644',
  hasGps: false,
  focalX: 0.5,
  focalY: 0.5,
  visibility: 'public',
  scan: null,
  uses: 0,
  downloads: 0,
  lastDownloadedAt: null,
  version: 1,
  revision: 1,
  createdAt: at,
  updatedAt: at,
  deletedAt: null,
  ...change,
});
