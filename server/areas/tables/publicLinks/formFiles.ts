import { Readable } from 'node:stream';
import type { tableFormEndpoints as endpoints } from '../../../../contract/tables/forms';
import { FormFile } from '../../../../contract/tables/forms';
import { formFileType, openFormLimits } from '../../../../contract/tables/formTerms';
import type { PublicForm } from '../../../../contract/tables/publicForm';
import { resourceKindsOf } from '../../../../contract/tables/fieldTypes';
import type { Context } from '../../../context';
import { addressGroup, clientAddress } from '../../../http/address';
import { fail, failField } from '../../../http/failure';
import type { CallOf, ResponseOf } from '../../../http/route';
import { isUnlocked } from '../../../kit/publicLinks';
import type { Throttle } from '../../../kit/throttle';
import { acceptPending, addPending } from '../../resources';
import type { FieldModel } from '../core/model';
import type { WriteTx } from '../core/write/types';
import { filesFor, formOf, statusOf } from './form';
import type { FoundForm } from './openForm';
import { checkStamp, sendsOfStamp } from './stamp';

/** Files through one link: number and mebibytes, per network and in total. */
const ofNetwork = { files: 200, mebibytes: 512, seconds: 3600 } as const;
const ofAll = { files: 3000, mebibytes: 8192, seconds: 86_400 } as const;
/** Files that one opened form may upload, including those that are not sent. */
const ofStamp = 100;

/** A file is named to its visitor only by this text, so that nobody learns the address under which it may be delivered later. */
const purpose = 'form-file';
const sealFile = (ctx: Pick<Context, 'secrets'>, linkId: string, fieldId: string, id: string): string =>
  ctx.secrets.seal(purpose, [linkId, fieldId, id].join(' '));
/** The resource that a text names; null if it is no file of this form and field. */
function openFile(ctx: Pick<Context, 'secrets'>, linkId: string, fieldId: string, text: string): string | null {
  try {
    const [link, field, id] = ctx.secrets.open(purpose, text).split(' ');
    return link === linkId && field === fieldId && id !== undefined ? id : null;
  } catch {
    return null;
  }
}

async function limitFiles(throttle: Throttle, linkId: string, network: string, stamp: string, bytes: number): Promise<void> {
  const mebibytes = Math.ceil(bytes / 2 ** 20);
  await throttle.limit(`form files ${linkId} ${network}`, ofNetwork.files, ofNetwork.seconds);
  if ((await throttle.count(`form files of ${stamp}`, sendsOfStamp.seconds)) > ofStamp) fail('too_many_requests', { retryAfter: ofNetwork.seconds });
  await throttle.spend(`form bytes ${linkId} ${network}`, mebibytes, ofNetwork.mebibytes, ofNetwork.seconds);
  await throttle.limit(`form files ${linkId}`, ofAll.files, ofAll.seconds);
  await throttle.spend(`form bytes ${linkId}`, mebibytes, ofAll.mebibytes, ofAll.seconds);
}

/** Stores a file for a field of a form until the form is sent. */
export async function addFormFile(
  ctx: Context,
  { request, query }: CallOf<typeof endpoints.addFormFile>,
  one: FoundForm,
  throttle: Throttle,
): Promise<ResponseOf<typeof endpoints.addFormFile>> {
  const { publicLink, view, options, table } = one;
  if (!isUnlocked(ctx, request, publicLink)) return fail('unauthorized');
  const stamp = checkStamp(ctx, publicLink.id, query.stamp);
  if (statusOf(publicLink, view, table, true) !== 'open') return fail('link_ended');
  const field = formOf(table, view, options).laid.fields.find(({ id }) => id === query.field);
  const files = field && filesFor(field, options);
  if (!field || !files) return failField('field', 'unknown');
  const bytes = Number(request.headers['content-length'] ?? Number.NaN);
  if (!Number.isSafeInteger(bytes)) return fail('bad_request');
  if (bytes > files.maxBytes) return fail('too_large');
  if (!(request.body instanceof Readable)) return fail('unsupported_media_type');
  await limitFiles(throttle, publicLink.id, addressGroup(clientAddress(request)), stamp, bytes);
  const kinds = resourceKindsOf(field.type) ?? [];
  const id = await addPending(ctx, {
    siteId: publicLink.siteId,
    name: query.name,
    body: request.body,
    bytes,
    until: new Date(ctx.now() + openFormLimits.fileHours * 3_600_000),
    takes: (content) => kinds.includes(content.kind) && files.types.includes(formFileType(content)),
  });
  return id === null ? failField('file', 'wrong_type') : { file: sealFile(ctx, publicLink.id, field.id, id), bytes };
}

/** The values of a submission with its files as resources, which become ordinary ones in this transaction. Throws `invalid_fields`. */
export async function withFormFiles(
  w: WriteTx,
  { publicLink, options, table }: FoundForm,
  { laid }: PublicForm<FieldModel>,
  values: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const entries = await Promise.all(
    Object.entries(values).map(async ([name, value]): Promise<[string, unknown]> => {
      const field = table.byName.get(name);
      const files = field && laid.fields.includes(field) ? filesFor(field, options) : null;
      if (!field || !files || value === null) return [name, value];
      const items = FormFile.array().safeParse(value);
      if (!items.success) return failField(field.id, 'wrong_type');
      if (items.data.length > files.most) return fail('invalid_fields', { fields: { [field.id]: { code: 'too_long', max: files.most } } });
      const ids = items.data.map(({ file }) => openFile(w.ctx, publicLink.id, field.id, file) ?? failField(field.id, 'unknown'));
      if (ids.length === 0) return [name, null];
      if (!(await acceptPending(w.tx, publicLink.siteId, ids, w.now))) return failField(field.id, 'unknown');
      w.after(() => w.ctx.live.publish({ type: 'resources', siteId: publicLink.siteId }));
      return [name, ids.map((resource) => ({ resource }))];
    }),
  );
  return Object.fromEntries(entries);
}
