import type { StoredFile } from '../../../stores/files/storedFile';
import { av1Name, avcName, esdsName, hevcName, vp9Name } from './codecs';
import { rangeOf } from './facts';
import type { MediaFacts } from './facts';

/** Boxes before the description, and its largest size in bytes; that of a film of three hours has about 10 MB. */
const mostBoxes = 500;
export const mostBytes = 32 * 1024 * 1024;

/** Boxes that are read of those in one box, and tracks. Real files have some dozen; the smallest boxes have eight bytes, so that a description could contain four million. */
const mostInBox = 1000;
const mostTracks = 32;

/** A box within a buffer, without its header. */
type Box = { readonly type: string; readonly content: Buffer };

function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0, count = 0; at + 8 <= bytes.length && count < mostInBox; count += 1) {
    const short = bytes.readUInt32BE(at);
    const header = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    if (size < header || at + size > bytes.length) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + header, at + size) };
    at += size;
  }
}

/** The first box at a path. */
function find(bytes: Buffer, path: readonly string[]): Buffer | null {
  let within: Buffer | null = bytes;
  for (const type of path) {
    const parent: Buffer | null = within;
    within = null;
    if (parent === null) return null;
    for (const box of boxesIn(parent)) {
      if (box.type !== type) continue;
      within = box.content;
      break;
    }
  }
  return within;
}

/** The box `moov`, which describes the file: at its beginning, or behind the pictures. Null if there is none, or it is incomplete. */
async function description(file: StoredFile, size: number): Promise<Buffer | null> {
  for (let at = 0, count = 0; at + 8 <= size && count < mostBoxes; count += 1) {
    const header = await rangeOf(file, at, 16);
    const short = header.readUInt32BE(0);
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? size - at : short;
    if (length < 8) return null;
    if (header.toString('latin1', 4, 8) === 'moov') {
      const begin = short === 1 ? 16 : 8;
      return length > mostBytes || at + length > size ? null : rangeOf(file, at + begin, length - begin);
    }
    at += length;
  }
  return null;
}

/** Seconds of a track or of the file, from `mvhd` or `mdhd`. */
function secondsOf(header: Buffer | null): number {
  if (header === null) return 0;
  const long = header.readUInt8(0) === 1;
  const scale = header.readUInt32BE(long ? 20 : 12);
  const duration = long ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  return scale === 0 || duration === 0xffffffff || duration > Number.MAX_SAFE_INTEGER ? 0 : duration / scale;
}

const printable = (type: string): string => type.replaceAll(/[^\x21-\x7e]/g, '');

function videoName(type: string, boxes: Buffer): string {
  for (const { type: config, content } of boxesIn(boxes)) {
    if (config === 'avcC') return avcName(content, type);
    if (config === 'hvcC') return hevcName(content, type);
    if (config === 'av1C') return av1Name(content);
    if (config === 'vpcC' && type === 'vp09') return vp9Name(content);
  }
  return printable(type);
}

function audioName(type: string, entry: Buffer): string {
  if (type !== 'mp4a') return printable(type === 'Opus' || type === 'fLaC' ? type.toLowerCase() : type);
  // QuickTime's second and third version have more fields, and the configuration inside `wave`.
  const version = entry.readUInt16BE(8);
  const boxes = entry.subarray(28 + (version === 1 ? 16 : version === 2 ? 36 : 0));
  const config = find(boxes, ['esds']) ?? find(boxes, ['wave', 'esds']);
  return config === null ? type : esdsName(config);
}

/** Width and height of a track upright: its matrix may turn it by a quarter. */
function sizeOf(track: Buffer): { width: number; height: number } | null {
  const header = find(track, ['tkhd']);
  if (header === null) return null;
  const at = header.readUInt8(0) === 1 ? 52 : 40;
  const [width, height] = [Math.round(header.readUInt32BE(at + 36) / 65_536), Math.round(header.readUInt32BE(at + 40) / 65_536)];
  if (width === 0 || height === 0) return null;
  const turned = header.readInt32BE(at) === 0 && header.readInt32BE(at + 16) === 0;
  return turned ? { width: height, height: width } : { width, height };
}

type Track = { readonly handler: string; readonly codec: string; readonly size: { width: number; height: number } | null; readonly frameRate: number | null };

function trackOf(track: Buffer): Track | null {
  const media = find(track, ['mdia']);
  const handler = media && find(media, ['hdlr'])?.toString('latin1', 8, 12);
  const samples = media && find(media, ['minf', 'stbl']);
  const entries = samples && find(samples, ['stsd']);
  const entry = entries ? boxesIn(entries.subarray(8)).next().value : undefined;
  if (!entry || (handler !== 'vide' && handler !== 'soun')) return null;
  if (handler === 'soun') return { handler, codec: audioName(entry.type, entry.content), size: null, frameRate: null };
  const sizes = find(samples ?? entry.content, ['stsz']) ?? find(samples ?? entry.content, ['stz2']);
  const seconds = secondsOf(find(media ?? entry.content, ['mdhd']));
  const frames = sizes?.readUInt32BE(8) ?? 0;
  return {
    handler,
    codec: videoName(entry.type, entry.content.subarray(78)),
    size: sizeOf(track),
    frameRate: frames > 1 && seconds > 0 ? Math.round((frames / seconds) * 1000) / 1000 : null,
  };
}

/** The first track of pictures and the first of sound. */
function tracksOf(moov: Buffer): { readonly video: Track | undefined; readonly audio: Track | undefined } {
  const tracks: Track[] = [];
  let count = 0;
  for (const { type, content } of boxesIn(moov)) {
    if (type !== 'trak') continue;
    count += 1;
    if (count > mostTracks) break;
    const track = trackOf(content);
    if (track !== null) tracks.push(track);
  }
  return { video: tracks.find(({ handler }) => handler === 'vide'), audio: tracks.find(({ handler }) => handler === 'soun') };
}

/** What an MP4 or QuickTime file says about itself. Null if its description is missing or damaged. */
export async function readMp4(file: StoredFile, size: number, contentType: string): Promise<MediaFacts | null> {
  const moov = await description(file, size);
  if (moov === null) return null;
  const { video, audio } = tracksOf(moov);
  const movie = find(moov, ['mvhd']);
  let seconds = secondsOf(movie);
  const fragments = seconds === 0 && movie !== null ? find(moov, ['mvex', 'mehd']) : null;
  if (fragments !== null && movie !== null) {
    const scale = movie.readUInt32BE(movie.readUInt8(0) === 1 ? 20 : 12);
    seconds = (fragments.readUInt8(0) === 1 ? Number(fragments.readBigUInt64BE(4)) : fragments.readUInt32BE(4)) / Math.max(1, scale);
  }
  return {
    width: video?.size?.width ?? null,
    height: video?.size?.height ?? null,
    seconds,
    media: {
      container: contentType === 'video/quicktime' ? 'mov' : 'mp4',
      videoCodec: video?.codec ?? null,
      audioCodec: audio?.codec ?? null,
      frameRate: video?.frameRate ?? null,
    },
  };
}
