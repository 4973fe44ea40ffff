import type { ConversationResponse, NewConversation, NewMessage, OfflineForm, VisitedPage, VisitorMessage } from '../../../contract/support/visitors';
import { textAlong } from '../../../contract/languages/fallback';
import type { StoredSupportSettings } from '../../../contract/support/settings';
import { supportLimits } from '../../../contract/support/terms';
import type { ConversationKind, PrechatField } from '../../../contract/support/terms';
import { parseUrl } from '../../../contract/parseUrl';
import { addVisitor, appendFromVisitor, findStartOf, isBlocked, seeVisitor, startConversation, updateVisitor } from '../../areas/support';
import type { VisitorAnswers, VisitorRow } from '../../areas/support';
import { sourceOf } from '../../collect/classify';
import { clientAddress } from '../../http/address';
import { fail, failField } from '../../http/failure';
import type { KnownCall, VisitorCall } from './call';
import { languageOf } from './config';
import { checkStamp } from './stamp';
import { messagesAfter, messageView, responseOf } from './views';

/** What visitors write. Everything is stored before it is acknowledged, and a repeated client id changes nothing. */

type Fields = Readonly<Record<string, string>>;
type Prechat = Pick<StoredSupportSettings, 'prechat'>;

/** Only pages of the web: agents follow these addresses. */
const webAddress = (url: string): string => (/^https?:$/.test(parseUrl(url)?.protocol ?? '') ? url : '');
export const visitedPage = ({ url, title }: VisitedPage): { url: string; title: string } => ({ url: webAddress(url), title });

const isEmail = (text: string): boolean => /^[^\s@]{1,64}@[^\s@]{1,185}\.[^\s@.]{2,63}$/.test(text);
const longest: Readonly<Record<PrechatField, number>> = {
  name: supportLimits.name,
  email: 254,
  phone: supportLimits.phone,
  wechat: supportLimits.wechat,
  company: supportLimits.company,
  topic: supportLimits.topic,
  custom1: supportLimits.custom,
  custom2: supportLimits.custom,
  custom3: supportLimits.custom,
};

/** Values of the fields that the site has, cut to their length. Throws `invalid_fields`. */
function readFields({ prechat }: Prechat, fields: Fields, isComplete: boolean): Partial<Record<PrechatField, string>> {
  const values: Partial<Record<PrechatField, string>> = {};
  for (const { field, required } of prechat.fields) {
    const value = (fields[field] ?? '').trim().slice(0, longest[field]);
    if (value === '' && required && isComplete) failField(`fields.${field}`, 'required');
    if (field === 'email' && value !== '' && !isEmail(value)) failField('fields.email', 'not_an_email');
    if (value !== '') values[field] = value;
  }
  return values;
}

/** What the fields say about the visitor; answers to questions of the site by their label in its default language, which is what agents read. */
function answersOf({ prechat }: Prechat, values: Partial<Record<PrechatField, string>>, site: VisitorCall['site'], language: string): VisitorAnswers {
  const custom = prechat.fields.flatMap(({ field, label }) => {
    const value = field.startsWith('custom') ? values[field] : undefined;
    return value === undefined ? [] : [[textAlong(label, [site.defaultLang]) ?? field, value] as const];
  });
  const { name = '', email = '', phone = '', wechat = '', company = '' } = values;
  return { name, email, phone, wechat, company, language, ...(custom.length > 0 && { custom: Object.fromEntries(custom) }) };
}

/** The name of a topic whose label the visitor chose, in their language before others; a text that the visitor wrote is the topic itself. */
function topicOf({ prechat }: Prechat, chosen: string, language: string): string {
  const found =
    prechat.topics.find(({ name, label }) => (label[language] ?? name) === chosen) ??
    prechat.topics.find(({ name, label }) => name === chosen || Object.values(label).includes(chosen));
  return found?.name ?? chosen;
}

function sourceOfVisit({ site }: VisitorCall, { url, referrer }: VisitedPage) {
  const landing = webAddress(url);
  const source = sourceOf({ url: landing, referrer: webAddress(referrer), siteHosts: site.hosts });
  return { landing, referrer: source.refUrl, campaign: source.utmCampaign, medium: source.utmMedium, channel: source.sourceType };
}

/** The visitor of the call, who is created with the first message. */
async function visitorOf(call: VisitorCall, { page, analyticsId }: NewConversation, language: string): Promise<VisitorRow> {
  const { ctx, request, site, token } = call;
  const address = clientAddress(request);
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 500);
  const known = /^[0-9a-f]{16}$/.test(analyticsId ?? '') ? (analyticsId ?? null) : null;
  if (call.visitor === null) {
    const source = sourceOfVisit(call, page);
    return addVisitor(ctx, { siteId: site.id, address, userAgent, language, analyticsId: known, source, page: visitedPage(page) }, token);
  }
  await seeVisitor(ctx, call.visitor, { page: visitedPage(page), address, userAgent });
  return known === null || known === call.visitor.analyticsId ? call.visitor : updateVisitor(ctx, call.visitor, { analyticsId: known });
}

type Beginning = { readonly kind: ConversationKind; readonly isComplete: boolean };

async function start(
  call: VisitorCall,
  input: NewConversation,
  { kind, isComplete }: Beginning,
): Promise<{ readonly visitor: VisitorRow; readonly id: string }> {
  const { ctx, site, request } = call;
  const language = languageOf(input.language, site);
  const { settings } = await call.settings();
  if (settings.mode !== 'builtin') fail('not_found');
  const before = call.visitor && (await findStartOf(ctx, call.visitor, input.clientId));
  if (call.visitor && before) return { visitor: call.visitor, id: before.id };
  const values = readFields(settings, input.fields, isComplete || settings.prechat.when === 'always');
  await call.count('conversations');
  const visitor = await updateVisitor(ctx, await visitorOf(call, input, language), answersOf(settings, values, site, language));
  const blocked = await isBlocked(ctx, site.id, { visitorId: visitor.id, email: visitor.email, address: clientAddress(request) });
  const { conversation } = await startConversation(ctx, visitor, {
    clientId: input.clientId,
    kind,
    messageId: input.message.clientId,
    body: input.message.text,
    subject: topicOf(settings, values.topic ?? '', language),
    language,
    page: visitedPage(input.page),
    delaySeconds: settings.notify.delaySeconds,
    blocked,
  });
  return { visitor, id: conversation.id };
}

/** Begins a conversation with its first message. */
export async function begin(call: VisitorCall, input: NewConversation): Promise<ConversationResponse> {
  const { visitor, id } = await start(call, input, { kind: 'chat', isComplete: false });
  return responseOf((await messagesAfter(call.ctx, visitor, id, 0)) ?? fail('not_found'));
}

/** Stores the form. What programs send is accepted and dropped, so that they learn nothing. */
export async function leaveForm(call: VisitorCall, input: OfflineForm): Promise<void> {
  checkStamp(call.ctx, call.site.id, input.stamp);
  if (input.website !== '') return call.count('conversations');
  await start(call, input, { kind: 'form', isComplete: true });
}

/** Stores a message, or a file that was stored before it. What the blocked write is stored in the same way, so that nothing tells them. */
export async function sendMessage(call: KnownCall, message: NewMessage, fileId?: string): Promise<VisitorMessage> {
  const { ctx, request, site, visitor, conversation } = call;
  const blocked = await isBlocked(ctx, site.id, { visitorId: visitor.id, email: visitor.email, address: clientAddress(request) });
  const { settings } = await call.settings();
  const { row } = await appendFromVisitor(ctx, {
    siteId: site.id,
    conversationId: conversation.id,
    clientId: message.clientId,
    kind: fileId === undefined ? 'text' : 'file',
    body: message.text,
    fileId,
    delaySeconds: settings.notify.delaySeconds,
    blocked,
  });
  return messageView(ctx, row) ?? fail('not_found');
}
