import { stringify } from 'csv-stringify/sync';
import type { AuditEntry } from '../../../contract/audit/schemas';
import type { Locale } from '../../http/access';
import { wallAt } from '../../zone';

const messages = {
  'zh-CN': {
    at: '时间',
    actor: '操作者',
    actorKind: '操作者类型',
    actorId: '操作者 ID',
    action: '操作',
    result: '结果',
    targetKind: '对象类型',
    target: '对象',
    targetId: '对象 ID',
    site: '站点 ID',
    address: 'IP 地址',
    place: '地点',
    device: '设备',
    before: '变更前',
    after: '变更后',
  },
  en: {
    at: 'Time',
    actor: 'Who',
    actorKind: 'Kind of actor',
    actorId: 'Actor ID',
    action: 'Action',
    result: 'Result',
    targetKind: 'Kind of target',
    target: 'Target',
    targetId: 'Target ID',
    site: 'Site ID',
    address: 'IP address',
    place: 'Place',
    device: 'Device',
    before: 'Before',
    after: 'After',
  },
} as const;

/** `2026-11-20 08:00:00.000` in local time of `zone`. */
const wallTime = (at: string, zone: string): string => new Date(wallAt(Date.parse(at), zone)).toISOString().slice(0, 23).replace('T', ' ');
const json = (facts: AuditEntry['before']): string => (facts === null ? '' : JSON.stringify(facts));

const cellsOf = (entry: AuditEntry, zone: string): string[] => [
  wallTime(entry.at, zone),
  entry.actor.name,
  entry.actor.kind,
  entry.actor.id ?? '',
  entry.action,
  entry.result,
  entry.target?.kind ?? '',
  entry.target?.name ?? '',
  entry.target?.id ?? '',
  entry.siteId ?? '',
  entry.address,
  entry.place,
  entry.device,
  json(entry.before),
  json(entry.after),
];

/** RFC 4180. Names are user input, so values that a spreadsheet would evaluate as a formula are prefixed with an apostrophe (OWASP, CSV injection). */
const lines = (rows: readonly (readonly string[])[]): string => stringify([...rows], { record_delimiter: '\r\n', escape_formulas: true });

/** The file as a stream of chunks. Without the byte order mark, Excel misreads Chinese text. */
export async function* csvOf(batches: AsyncIterable<readonly AuditEntry[]>, locale: Locale, zone: string): AsyncGenerator<string> {
  const { at, ...rest } = messages[locale];
  yield `\uFEFF${lines([[`${at} (${zone})`, ...Object.values(rest)]])}`;
  for await (const batch of batches) yield lines(batch.map((entry) => cellsOf(entry, zone)));
}

/** One array, one entry per line. */
export async function* jsonOf(batches: AsyncIterable<readonly AuditEntry[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of batches) {
    for (const entry of batch) {
      yield before + JSON.stringify(entry);
      before = ',\n';
    }
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
