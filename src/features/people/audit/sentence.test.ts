import { auditActions, auditResults } from '@contract/audit/schemas';
import type { AuditEntry } from '@contract/audit/schemas';
import { i18n, startI18n } from '@/i18n';
import { ensureMessages } from '@/i18n';
import type { UiLocale } from '@/lib/preferences';
import { auditEntry, person, site } from '../../../../test/support/factories';
import { fieldLabel, sentenceOf, valueText } from './sentence';
import type { AuditMessages } from './sentence';

const wang = person();
const names = {
  siteName: (id: string) => (id === site().id ? '茶社' : id),
  personName: (id: string | null) => (id === wang.id ? wang.displayName : undefined),
  dateTime: (value: string) => `<${value.slice(0, 10)}>`,
};
const target = { kind: 'person', id: wang.id, name: wang.loginName };
async function messagesIn(locale: UiLocale): Promise<AuditMessages> {
  await startI18n(locale);
  await i18n.changeLanguage(locale);
  await ensureMessages(['audit']);
  return i18n.getFixedT(locale, 'audit');
}

describe.each(['zh-CN', 'en'] as const)('%s', (locale) => {
  let t: AuditMessages;
  beforeAll(async () => {
    t = await messagesIn(locale);
  });

  test.each(auditActions)('%s is a complete sentence for any result and missing data', (action) => {
    for (const result of auditResults)
      for (const change of [
        { target },
        { target: null },
        { target, siteId: site().id, before: { role: null, state: 'draft' }, after: { role: 'editor', state: 'paid' } },
      ] as const) {
        const text = sentenceOf(t, auditEntry({ action, result, ...change }), names);
        expect(text).not.toMatch(/did\.|more\.|value\.|\{\{|undefined|null/);
        expect(text).toContain(
          change.target === null && action.startsWith('contact.')
            ? ''
            : action.startsWith('contact.verified') || action.startsWith('contact.unsub')
              ? ''
              : 'chenxiao',
        );
        if (locale === 'zh-CN') expect(text).toMatch(/\p{Script=Han}/u);
        else expect(text.replaceAll('茶社', '').replaceAll('王编辑', '')).not.toMatch(/\p{Script=Han}/u);
      }
  });
});

describe('the values of a line', () => {
  let t: AuditMessages;
  beforeAll(async () => {
    t = await messagesIn('zh-CN');
  });
  const say = (change: Partial<AuditEntry>) => sentenceOf(t, auditEntry({ actor: { kind: 'person', id: null, name: '林晓' }, target, ...change }), names);

  test.each<[Partial<AuditEntry>, string]>([
    [{ action: 'person.role_changed', before: { role: 'member' }, after: { role: 'manager' } }, '林晓 把 王编辑 的角色从 成员 改为 管理员'],
    [{ action: 'person.grants_changed', siteId: site().id, before: { role: null }, after: { role: 'editor' } }, '林晓 让 王编辑 成为 茶社 的 编辑'],
    [
      { action: 'person.grants_changed', siteId: site().id, before: { role: 'editor' }, after: { role: 'viewer' } },
      '林晓 把 王编辑 在 茶社 的角色从 编辑 改为 只读',
    ],
    [{ action: 'person.grants_changed', siteId: site().id, before: { role: 'editor' }, after: { role: null } }, '林晓 取消了 王编辑 在 茶社 的 编辑 权限'],
    [{ action: 'sign.in', result: 'failed', actor: { kind: 'nobody', id: null, name: '' } }, '有人尝试登录 王编辑 的账号，登录失败'],
    [{ action: 'sign.in', actor: { kind: 'nobody', id: null, name: '' }, after: { factor: 'password', next: 'second' } }, '王编辑 输对了密码，等待第二步验证'],
    [
      {
        action: 'site.moved',
        actor: { kind: 'system', id: null, name: '' },
        target: { kind: 'site', id: 'x', name: '旧站' },
        before: { state: 'deleted' },
        after: { state: 'erased' },
      },
      '系统把站点 旧站 从 回收站 改为 彻底删除',
    ],
    [
      { action: 'contact.added', actor: { kind: 'token', id: null, name: '林晓' }, target: { kind: 'contact', id: 'x', name: '周雨' } },
      '林晓（令牌） 添加了联系人 周雨',
    ],
    [
      { action: 'sign.denied', result: 'refused', target: null, after: { method: 'DELETE', path: '/api/acc/users/:id', reason: 'forbidden' } },
      '林晓 尝试了没有权限的操作：DELETE /api/acc/users/:id',
    ],
    [{ action: 'sign.denied', result: 'refused', target: null }, '林晓 尝试没有权限的操作'],
    [
      { action: 'trade.invoice_moved', target: { kind: 'invoice', id: 'x', name: 'F-7' }, before: { state: 'issuing' }, after: { state: 'issued' } },
      '林晓 把发票 F-7 的状态改为 已开具',
    ],
    [{ action: 'person.link_made', after: { kind: 'reset' } }, '林晓 给 王编辑 生成了重设密码的链接'],
    [{ action: 'person.link_made', after: { kind: 'email' } }, '林晓 给 王编辑 生成了确认邮箱的链接'],
    [{ action: 'person.disabled', result: 'refused' }, '林晓 停用了 王编辑 的账号（被拒绝）'],
    [{ action: 'person.invited', target: { kind: 'invite', id: 'x', name: '' }, after: { role: 'member' } }, '林晓 邀请了一位新成员，角色为 成员'],
  ])('%j', (change, text) => {
    expect(say(change)).toBe(text);
  });

  test('values become labels, days and names, and names are never translated', () => {
    const value = (raw: unknown, key = '') => valueText(t, raw, names, key);
    expect([value(null), value(true), value('manager'), value(['a', 'b']), value([]), value(7)]).toEqual(['（空）', '是', '管理员', 'a · b', '无', '7']);
    expect(value('2026-11-20T08:00:00.000Z')).toBe('<2026-11-20>');
    expect(value([{ siteId: site().id, role: 'editor' }])).toBe('茶社 编辑');
    expect(value([site().id, 'gone'], 'siteIds')).toBe('茶社 · gone');
    expect(value('manager', 'name')).toBe('manager');
    expect(value({ deep: { er: 1 } })).toBe('{"deep":{"er":1}}');
    expect(value(['indexed', 'title'], 'parts')).toBe('索引 · 标题');
    expect([value(null, 'viewer.read'), value({ allowed: false, fields: null, filter: null }, 'public.read')]).toEqual(['默认', '不允许']);
    expect(value({ allowed: true, fields: ['f_a', 'f_b'], filter: { field: 'f_a', op: 'empty' } }, 'editor.update')).toBe('允许 · 2 个字段 · 部分记录');
    expect(fieldLabel(t, 'public.read')).toBe('公众：查看');
    expect([fieldLabel(t, 'role'), fieldLabel(t, 'whatever')]).toEqual(['角色', '其他（whatever）']);
  });
});
