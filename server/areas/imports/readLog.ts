import type { ImportMode } from '../../../contract/imports/schemas';
import { parseUrl } from '../../../contract/parseUrl';
import type { FileKey } from '../../stores/files/keys';
import { fileStoreAt } from '../../stores/files/open';
import { storedFile } from '../../stores/files/storedFile';
import type { FileStoreLocation } from '../../stores/files/types';
import type { IndexedSite } from '../sites';
import { readLogLine } from './logLine';
import type { FieldNames, LogFormat } from './logLine';
import { createLogHits } from './logHits';
import type { ImportStore } from './hitStore';
import { createCounter, createNaming } from './naming';
import { pageViewOf } from './pageView';
import { refuse, includeTime } from './progress';
import type { Progress } from './progress';
import { linesOf, openFile, Truncated } from './reader';
import { maskLine } from './sample';
import { openSink } from './sink';
import type { Sink } from './sink';

/** Lines, and bytes of the file, after which progress is reported, and lines after which it is stored even if none becomes a hit. */
const tellEvery = { lines: 20_000, bytes: 16 * 2 ** 20 };
const saveEvery = 500_000;

/** All input for reading the logs of an import; it can be sent to another thread. */
export type LogReading = {
  readonly number: number;
  readonly site: IndexedSite;
  readonly mode: ImportMode;
  readonly format: LogFormat;
  readonly fields: FieldNames;
  readonly store: FileStoreLocation;
  /** `size`: stored bytes. */
  readonly files: readonly { readonly name: string; readonly key: FileKey; readonly size: number }[];
  /** Where to start. */
  readonly progress: Progress;
  /** See naming.ts. */
  readonly namingKey: string;
  /** Epoch ms: the current time, and the time stored as the receipt of the hits. */
  readonly now: number;
  readonly receivedAt: number;
};

/** The host functions that reading calls. */
export type ReadingHost = {
  readonly store: ImportStore;
  /** Stores the progress of the import. */
  readonly save: (progress: Progress) => Promise<void>;
  /** Reports the number of bytes read; throws if the import must stop. */
  readonly tell: (bytes: number) => Promise<void>;
};

/** The host used for log lines without one. */
export const ownHost = (site: Pick<IndexedSite, 'url' | 'servedHost'>): string => parseUrl(site.url ?? '')?.host ?? site.servedHost ?? 'localhost';

/** Reads access logs line by line into hits. Returns the final progress. */
export async function readLogs(reading: LogReading, { store, save, tell }: ReadingHost): Promise<Progress> {
  const progress = structuredClone(reading.progress);
  const sink = await openSink({ store, siteId: reading.site.id, number: reading.number, save }, progress);
  try {
    await readInto(sink, reading, progress, tell);
    await sink.close();
  } finally {
    await sink.settle();
  }
  return progress;
}

async function readInto(sink: Sink, reading: LogReading, progress: Progress, tell: ReadingHost['tell']): Promise<void> {
  const { site, files, format, fields } = reading;
  const store = fileStoreAt(reading.store);
  const { hitOf, namesElsewhere } = createLogHits(createNaming(reading.namingKey), site, reading.mode, reading.receivedAt);
  const rules = { now: reading.now, hosts: site.hosts, host: ownHost(site) };
  const before = (file: number): number => files.slice(0, file).reduce((sum, { size }) => sum + size, 0);

  for (; progress.file < files.length; Object.assign(progress, { file: progress.file + 1, offset: 0, line: 0, replay: { offset: 0, line: 0 } })) {
    const { name, key } = files[progress.file] as LogReading['files'][number];
    const counter = createCounter();
    const opened = await openFile(storedFile(store, key), progress.replay.offset);
    let line = progress.replay.line;
    let unreported = 0;
    let unsaved = 0;
    let reportedAt = opened.read();
    const readUntil = progress.offset;
    try {
      for await (const lines of linesOf(opened.bytes, progress.replay.offset)) {
        // Also reported while no line becomes a hit, so that a cancellation takes effect.
        if (opened.read() - reportedAt >= tellEvery.bytes) {
          reportedAt = opened.read();
          await tell(before(progress.file) + reportedAt);
        }
        for (const { text, start, next } of lines) {
          const place = { offset: start, line };
          line += 1;
          const again = start < readUntil;
          if (text === '') continue;
          const parsed = text === null ? null : readLogLine(text, format, fields);
          const found = text === null ? 'too_long' : parsed === null ? 'not_a_line' : pageViewOf(parsed, rules);
          if (typeof found === 'string') {
            if (!again) {
              progress.lines += 1;
              refuse(progress, found, () => ({ file: name, line, text: text === null ? '' : maskLine(text) }));
            }
          } else if (parsed !== null && text !== null) {
            const n = counter.next(Math.floor(parsed.at / 1000), text, place);
            // Replayed only to restore the numbering of equal lines.
            if (again) continue;
            progress.lines += 1;
            includeTime(progress, parsed.at);
            const view = { text, n, line: parsed, place: found };
            sink.add(hitOf(view), sink.looks ? namesElsewhere(view) : []);
          }
          unreported += 1;
          unsaved += 1;
          if (sink.full() || unsaved >= saveEvery) {
            unsaved = 0;
            const now = { offset: next, line };
            Object.assign(progress, { ...now, replay: counter.from(now), read: before(progress.file) + opened.read() });
            await sink.flush();
          }
          if (unreported >= tellEvery.lines) {
            unreported = 0;
            reportedAt = opened.read();
            await tell(before(progress.file) + reportedAt);
          }
        }
      }
    } catch (error) {
      if (!(error instanceof Truncated)) throw error;
      refuse(progress, 'truncated', () => ({ file: name, line, text: '' }));
    } finally {
      opened.close();
    }
    progress.read = before(progress.file + 1);
  }
}
