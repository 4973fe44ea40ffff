import type { TFunction } from 'i18next';
import type { AuditEntry } from '@contract/audit/schemas';
import type messages from './messages.zh-CN';

type Audit = typeof messages;
/** Messages of the log in the reader's language. */
export type AuditMessages = TFunction<'audit'>;
export type Names = {
  readonly siteName: (id: string) => string;
  /** The current display name; the log stores the login name at the time. */
  readonly personName: (id: string | null) => string | undefined;
  readonly dateTime: (value: string) => string;
};
/** Wraps every name and value of a sentence, so that the page can highlight them. */
export type Mark = (text: string) => string;
const plain: Mark = (text) => text;

const isMoment = (value: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value) && !Number.isNaN(Date.parse(value));

/** Path of a rule of a content table: `editor.read`. */
const rulePlace = /^(editor|analyst|support|viewer|public)\.(read|create|update|delete|publish)$/;

/** Whether it is allowed, and whether for all: the covered fields and records are shown in the rules editor. */
function ruleText(t: AuditMessages, value: unknown): string {
  if (typeof value !== 'object' || value === null) return t('rule.default');
  const { allowed, fields, filter } = value as { readonly allowed?: unknown; readonly fields?: unknown; readonly filter?: unknown };
  if (allowed !== true) return t('rule.denied');
  return [t('rule.allowed'), ...(Array.isArray(fields) ? [t('rule.fields', { count: fields.length })] : []), ...(filter ? [t('rule.filtered')] : [])].join(
    ' · ',
  );
}

/** A stored value as text: known terms in the reader's language, times in their zone, sites by name, lists joined. */
export function valueText(t: AuditMessages, value: unknown, names: Names, key = ''): string {
  if (rulePlace.test(key)) return ruleText(t, value);
  if (value === null || value === undefined || value === '') return t('detail.nothing');
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? t('value.none') : value.map((one) => valueText(t, one, names, key)).join(' · ');
  if (typeof value === 'object' && key === 'filtered') return t('value.yes');
  if (typeof value === 'object') {
    const { siteId, role } = value as { siteId?: unknown; role?: unknown };
    if (typeof siteId === 'string' && typeof role === 'string') return `${names.siteName(siteId)} ${valueText(t, role, names)}`;
    return JSON.stringify(value);
  }
  const text = value as string;
  if (key === 'siteId' || key === 'siteIds') return names.siteName(text);
  if (key === 'parts') return t(`field.${text as keyof Audit['field']}`, { defaultValue: text });
  if (isMoment(text)) return names.dateTime(text);
  // Free text (a name, a title) is not translated, even if it equals a known term.
  if (
    [
      'name',
      'displayName',
      'loginName',
      'title',
      'note',
      'memo',
      'company',
      'q',
      'reference',
      'path',
      'checkedPath',
      'keyword',
      'field',
      'file',
      'key',
    ].includes(key)
  )
    return text;
  return t(`value.${text as keyof Audit['value']}`, { defaultValue: text });
}

export function fieldLabel(t: AuditMessages, key: string): string {
  const [, role, action] = rulePlace.exec(key) ?? [];
  if (role !== undefined && action !== undefined)
    return t('rule.place', { role: t(`value.${role as 'editor'}`), action: t(`rule.action.${action as keyof Audit['rule']['action']}`) });
  return t(`field.${key as keyof Audit['field']}`, { defaultValue: t('fieldOther', { key }) });
}

export function actorLabel(t: AuditMessages, { kind, id, name }: AuditEntry['actor'], names: Pick<Names, 'personName'>): string {
  if (kind === 'system') return t('who.system');
  if (kind === 'nobody') return t('who.nobody');
  const label = names.personName(id) ?? (name === '' ? t(id === null ? 'who.nobody' : 'who.deleted') : name);
  return kind === 'token' ? t('who.token', { name: label }) : label;
}

type Parts = { readonly who: string; readonly target: string; readonly from: string; readonly to: string; readonly site: string; readonly call: string };

/** The specific sentence for this entry; null: the common one of its action is used. */
function special(t: AuditMessages, entry: AuditEntry, parts: Parts): string | null {
  const { action, result, before, after, siteId } = entry;
  const failed = result !== 'done';
  const nobodyNamed = (entry.target?.name ?? '') === '';
  const pair = (key: string) => before?.[key] !== undefined && after?.[key] !== undefined;
  switch (action) {
    case 'sign.in':
      return failed
        ? t('more.signInFailed', parts)
        : after?.['next'] === 'second'
          ? t('more.firstStep', { who: entry.target ? parts.target : parts.who })
          : null;
    case 'sign.second':
      return failed ? t('more.secondFailed', parts) : null;
    case 'sign.reauth':
      return failed ? t('more.reauthFailed', parts) : null;
    case 'sign.forgot':
      return entry.target === null ? t('more.forgotUnknown', parts) : null;
    case 'account.renamed':
      return pair('loginName') ? t('more.renamed', parts) : null;
    case 'person.role_changed':
      return pair('role') ? t('more.roleChanged', parts) : null;
    case 'person.invited':
      return after?.['role'] === undefined ? null : t(nobodyNamed ? 'more.linkMade' : 'more.invitedAs', parts);
    case 'person.invite_resent':
      return nobodyNamed ? t('more.linkRenewed', parts) : null;
    case 'person.invite_revoked':
      return nobodyNamed ? t('more.linkRevoked', parts) : null;
    case 'person.grants_changed': {
      if (siteId === null || !pair('role')) return null;
      return t(before?.['role'] === null ? 'more.grantGiven' : after?.['role'] === null ? 'more.grantTaken' : 'more.grantChanged', parts);
    }
    case 'site.moved':
      return pair('state') ? t('more.siteMoved', parts) : null;
    case 'trade.order_moved':
      return pair('state') ? t('more.orderMoved', parts) : null;
    case 'trade.invoice_moved':
      return after?.['state'] === undefined ? null : t('more.invoiceMoved', parts);
    case 'trade.payment_moved':
      return after?.['state'] === undefined ? null : t('more.paymentMoved', parts);
    case 'trade.refund_moved':
      return after?.['state'] === undefined ? null : t('more.refundMoved', parts);
    case 'sign.denied':
      return parts.call === '' ? null : t('more.denied', parts);
    case 'person.link_made':
      return after?.['kind'] === 'reset' ? t('more.resetLink', parts) : after?.['kind'] === 'email' ? t('more.emailLink', parts) : null;
    default:
      return null;
  }
}

const changedKey: Partial<Record<AuditEntry['action'], string>> = {
  'account.renamed': 'loginName',
  'site.moved': 'state',
  'trade.order_moved': 'state',
  'trade.invoice_moved': 'state',
  'trade.payment_moved': 'state',
  'trade.refund_moved': 'state',
};
/** Actions whose sentences include the result. */
const saysResult: readonly AuditEntry['action'][] = ['sign.in', 'sign.second', 'sign.reauth', 'sign.denied'];

/** One entry of the log as a sentence in the reader's language. */
export function sentenceOf(t: AuditMessages, entry: AuditEntry, names: Names, mark: Mark = plain): string {
  const { action, before, after, target, siteId } = entry;
  const key = changedKey[action] ?? 'role';
  const name = (target?.kind === 'person' ? names.personName(target.id) : undefined) ?? target?.name ?? '';
  const nameless = entry.actor.kind === 'nobody' || entry.actor.kind === 'system';
  const who = actorLabel(t, entry.actor, names);
  const parts: Parts = {
    who: nameless ? who : mark(who),
    target: name !== '' ? mark(name) : t('what.unknown'),
    from: mark(valueText(t, before?.[key] ?? null, names, key)),
    to: mark(valueText(t, after?.[key] ?? null, names, key)),
    site: siteId === null ? '' : mark(names.siteName(siteId)),
    call: typeof after?.['method'] === 'string' && typeof after['path'] === 'string' ? mark(`${after['method']} ${after['path']}`) : '',
  };
  const plainSentence = special(t, entry, parts) ?? t(`did.${action}`, parts);
  // A name is separated by spaces from the Chinese text around it; a Chinese word is not.
  const sentence = nameless ? plainSentence.replace(`${who} `, `${who}${t('who.gap')}`) : plainSentence;
  return entry.result === 'done' || saysResult.includes(action) ? sentence : t('notDone', { sentence, result: t(`result.${entry.result}`) });
}
