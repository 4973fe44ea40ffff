import { spawn } from 'node:child_process';
import type { VideoFormat } from '../../contract/resources/terms';
import { findProgram } from './installedProgram';
import { stopWithUs } from '../stores/process';

/** The path of ffmpeg; null if it is not installed. */
export const findFfmpeg = (folders?: readonly string[]): string | null => findProgram(['ffmpeg'], folders);

/** The video cannot be read, or needs more time, memory or space than is allowed. */
export class TranscodingFailed extends Error {
  override readonly name = 'TranscodingFailed';
}

export type TranscodingLimits = {
  /** Milliseconds for one video. */
  readonly timeout: number;
  /** Memory of ffmpeg, and bytes of the result. */
  readonly memory: number;
  readonly outputBytes: number;
};
export const defaultLimits: TranscodingLimits = { timeout: 6 * 3_600_000, memory: 4 * 1024 ** 3, outputBytes: 4 * 1024 ** 3 };

const codecs: Readonly<Record<VideoFormat, readonly string[]>> = {
  mp4: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', '-f', 'mp4'],
  webm: [
    '-c:v',
    'libvpx-vp9',
    '-pix_fmt',
    'yuv420p',
    '-deadline',
    'realtime',
    '-cpu-used',
    '6',
    '-row-mt',
    '1',
    '-crf',
    '33',
    '-b:v',
    '0',
    '-c:a',
    'libopus',
    '-b:a',
    '96k',
    '-f',
    'webm',
  ],
};
/** At most 720 lines, or 720 columns if it is upright; never larger than the original. */
const scale = String.raw`scale=w='min(iw,if(gt(iw,ih),1280,720))':h='min(ih,if(gt(iw,ih),720,1280))':force_original_aspect_ratio=decrease:force_divisible_by=2`;

/** Readers of ffmpeg by type of the content. Named, because it would recognise playlists, which name other files. */
const demuxers: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/x-m4v': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/matroska': 'matroska',
  'video/x-matroska': 'matroska',
  'video/ogg': 'ogg',
};

const argumentsFor = ({ input, contentType, output, format }: Transcoding, limits: TranscodingLimits): readonly string[] =>
  [
    // Decoders have a thread for each processor otherwise, whose memory together may exceed the limit.
    '-nostdin -hide_banner -loglevel error -protocol_whitelist file,pipe -threads 2 -f'.split(' '),
    [demuxers[contentType] ?? 'mov', '-i', `file:${input}`],
    // `V` leaves out embedded covers. Opus refuses some arrangements of more than two channels.
    '-map 0:V:0 -map 0:a:0? -ac 2 -map_metadata -1 -map_chapters -1 -threads 2'.split(' '),
    ['-vf', scale],
    codecs[format],
    ['-fs', String(limits.outputBytes), '-progress', 'pipe:1', '-y', `file:${output}`],
  ].flat();

/** `input` and `output`: paths. `onProgress` receives the milliseconds that are done; if it fails, the transcoding ends with its error. */
export type Transcoding = {
  readonly input: string;
  readonly contentType: string;
  readonly output: string;
  readonly format: VideoFormat;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => Promise<void>;
};

/** The last value of a line of `-progress`; null if there is none. */
function lastOf(text: string, name: string): number | null {
  const value = Number([...text.matchAll(new RegExp(`^${name}=(\\d+)$`, 'gm'))].at(-1)?.[1] ?? Number.NaN);
  return Number.isNaN(value) ? null : value;
}

/** Converts a video in a process with limits of time, memory and space, which ends with this program. Throws `TranscodingFailed`, or the error of `onProgress`. */
export async function transcode(ffmpeg: string, work: Transcoding, limits: TranscodingLimits): Promise<void> {
  const kilobytes = String(Math.floor(limits.memory / 1024));
  // Not every system can limit memory; where it cannot, time and space still are.
  const limited = `ulimit -v ${kilobytes} 2>/dev/null; exec nice -n 10 "$@"`;
  const child = spawn('/bin/sh', ['-c', limited, 'sh', ffmpeg, ...argumentsFor(work, limits)], { stdio: ['ignore', 'pipe', 'pipe'], env: {} });
  stopWithUs(child, 'KILL');
  let failure: Error | null = null;
  const stop = (error: Error): void => {
    failure ??= error;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop(new TranscodingFailed('too slow')), limits.timeout);
  const onAbort = (): void => stop(new TranscodingFailed('stopped'));
  work.signal.addEventListener('abort', onAbort);
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (messages = (messages + text).slice(-2000)));
  let reporting = Promise.resolve();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // It would end early and look complete.
    if ((lastOf(text, 'total_size') ?? 0) >= limits.outputBytes * 0.98) stop(new TranscodingFailed('too large'));
    const done = lastOf(text, 'out_time_us');
    if (done !== null) reporting = reporting.then(() => work.onProgress(done / 1000)).catch((error: unknown) => stop(error as Error));
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    await reporting;
    if (failure) throw failure as Error;
    if (code !== 0) throw new TranscodingFailed(messages.trim() || `ffmpeg ended with ${String(code)}`);
  } finally {
    clearTimeout(timer);
    work.signal.removeEventListener('abort', onAbort);
  }
}
