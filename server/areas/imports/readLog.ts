import type { Context } from '../../context';
import type { RunningJob } from '../../worker';
import type { IndexedSite } from '../sites';
import { filePath } from './files';
import { readLogLine } from './line';
import type { FieldNames, LogFormat } from './line';
import { createLogHits } from './logHits';
import { createCounter, openNaming } from './naming';
import { pageViewOf } from './pageView';
import { refuse, seen } from './progress';
import type { Progress } from './progress';
import type { ImportRecord } from './queries';
import { linesOf, openFile, Truncated } from './reader';
import { maskLine } from './sample';
import { openSink } from './sink';
import type { Sink } from './sink';

/** Lines after which progress is told even where nothing becomes a hit. */
const tellEvery = 20_000;

export type Reading = {
  readonly ctx: Context;
  readonly job: RunningJob;
  readonly row: ImportRecord;
  readonly site: IndexedSite;
  /** Changed as it goes. */
  readonly progress: Progress;
  /** Bytes of the files before `file`, as they lie on the disk. */
  readonly before: (file: number) => number;
};

/** The host that stands in where a log names none. */
export const ownHost = (site: Pick<IndexedSite, 'url' | 'servedHost'>): string =>
  site.url !== null && URL.canParse(site.url) ? new URL(site.url).host : (site.servedHost ?? 'localhost');

/** Reads access logs line by line into hits, on from where `progress` says. */
export async function readLogs(reading: Reading, format: LogFormat): Promise<void> {
  const sink = await openSink(reading.ctx, reading.row, reading.progress);
  try {
    await readInto(sink, reading, format);
    await sink.close();
  } finally {
    await sink.settle();
  }
}

async function readInto(sink: Sink, { ctx, job, row, site, progress, before }: Reading, format: LogFormat): Promise<void> {
  const mode = row.mode ?? 'compare';
  const fields = row.fields as FieldNames;
  const { hitOf, namesElsewhere } = createLogHits(openNaming(ctx.secrets), site, mode, row.createdAt.getTime());
  const rules = { now: ctx.now(), hosts: site.hosts, host: ownHost(site) };

  for (; progress.file < row.files.length; Object.assign(progress, { file: progress.file + 1, offset: 0, line: 0, replay: { offset: 0, line: 0 } })) {
    const name = row.files[progress.file]?.name ?? '';
    const counter = createCounter();
    const opened = await openFile(filePath(ctx, row.id, progress.file), progress.replay.offset);
    let line = progress.replay.line;
    let untold = 0;
    const readUntil = progress.offset;
    try {
      for await (const lines of linesOf(opened.bytes, progress.replay.offset)) {
        // Also where nothing comes of what is read: an end that somebody asks for must be heard.
        if (job.cancelled) await job.progress(progress.read, row.total);
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
            // Counted again only to know which of several equal lines comes next.
            if (again) continue;
            progress.lines += 1;
            seen(progress, parsed.at);
            const view = { text, n, line: parsed, place: found };
            sink.add(hitOf(view), sink.looks ? namesElsewhere(view) : []);
          }
          untold += 1;
          if (sink.full() || untold >= tellEvery) {
            untold = 0;
            const now = { offset: next, line };
            Object.assign(progress, { ...now, replay: counter.from(now), read: before(progress.file) + opened.read() });
            await sink.flush();
            await job.progress(progress.read, row.total);
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
