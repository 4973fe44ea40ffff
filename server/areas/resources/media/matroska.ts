import type { StoredFile } from '../../../stores/files/storedFile';
import { av1Name, avcName, hevcName } from './codecs';
import { rangeOf } from './facts';
import type { MediaFacts } from './facts';

/** WebM and Matroska describe themselves before the first picture. In bytes. */
const headBytes = 1024 * 1024;

/** Elements that are read of those in one element, and tracks. The smallest elements have two bytes. */
const mostInElement = 1000;
const mostTracks = 32;

const ids = {
  header: 0x1a45dfa3,
  documentType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  frameDuration: 0x23e383,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cluster: 0x1f43b675,
} as const;

type Element = { readonly id: number; readonly content: Buffer };

/** A number whose first byte says how many follow; ids keep the bit that says so. Null for the size "unknown". */
function numberAt(bytes: Buffer, at: number, keepMark: boolean): { readonly value: number | null; readonly next: number } {
  const first = bytes.readUInt8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8) throw new RangeError('not a number of EBML');
  let value = keepMark ? first : first & (0xff >> length);
  let ones = (first & (0xff >> length)) === 0xff >> length;
  for (let n = 1; n < length; n += 1) {
    const byte = bytes.readUInt8(at + n);
    value = value * 256 + byte;
    ones &&= byte === 0xff;
  }
  return { value: ones && !keepMark ? null : value, next: at + length };
}

/** Elements within an element, as far as the buffer contains them; the last one may be cut. */
function* elementsIn(bytes: Buffer): Generator<Element> {
  for (let at = 0, count = 0; at + 2 <= bytes.length && count < mostInElement; count += 1) {
    const { value: id, next } = numberAt(bytes, at, true);
    if (id === null || id === ids.cluster || next >= bytes.length) return;
    const { value: size, next: begin } = numberAt(bytes, next, false);
    const end = size === null ? bytes.length : Math.min(bytes.length, begin + size);
    yield { id, content: bytes.subarray(begin, end) };
    at = end;
  }
}

function contentOf(bytes: Buffer, id: number): Buffer | null {
  for (const element of elementsIn(bytes)) if (element.id === id) return element.content;
  return null;
}
const wholeOf = (bytes: Buffer | null): number => (bytes === null || bytes.length === 0 || bytes.length > 6 ? 0 : bytes.readUIntBE(0, bytes.length));
const floatOf = (bytes: Buffer | null): number => (bytes?.length === 8 ? bytes.readDoubleBE(0) : bytes?.length === 4 ? bytes.readFloatBE(0) : 0);
const textIn = (bytes: Buffer | null): string => (bytes?.toString('latin1') ?? '').replaceAll(/[^\x20-\x7e]/g, '');

const names: Readonly<Record<string, string>> = {
  V_VP8: 'vp8',
  V_VP9: 'vp9',
  V_THEORA: 'theora',
  A_OPUS: 'opus',
  A_VORBIS: 'vorbis',
  A_FLAC: 'flac',
  A_AC3: 'ac-3',
  A_EAC3: 'ec-3',
  'A_MPEG/L3': 'mp3',
};

function codecName(track: Buffer): string {
  const codec = textIn(contentOf(track, ids.codec));
  const config = contentOf(track, ids.codecPrivate);
  if (config !== null && config.length >= 4) {
    if (codec === 'V_AV1') return av1Name(config);
    if (codec === 'V_MPEG4/ISO/AVC') return avcName(config);
    if (codec === 'V_MPEGH/ISO/HEVC' && config.length >= 13) return hevcName(config);
  }
  return codec.startsWith('A_AAC') ? 'mp4a.40.2' : (names[codec] ?? codec);
}

/** What a WebM or Matroska file says about itself. Recordings of browsers do not say how long they are. */
export async function readMatroska(file: StoredFile): Promise<MediaFacts | null> {
  const head = await rangeOf(file, 0, headBytes);
  const documentType = textIn(contentOf(contentOf(head, ids.header) ?? Buffer.alloc(0), ids.documentType));
  const segment = contentOf(head, ids.segment);
  const tracks = segment && contentOf(segment, ids.tracks);
  if (!segment || !tracks) return null;
  const all = Array.from(elementsIn(tracks))
    .flatMap(({ id, content }) => (id === ids.track ? [content] : []))
    .slice(0, mostTracks);
  const typed = (type: number): Buffer | undefined => all.find((track) => wholeOf(contentOf(track, ids.trackType)) === type);
  const [video, audio] = [typed(1), typed(2)];
  const info = contentOf(segment, ids.info);
  const scale = wholeOf(info && contentOf(info, ids.scale)) || 1_000_000;
  const picture = video ? contentOf(video, ids.video) : null;
  const nanoseconds = video ? wholeOf(contentOf(video, ids.frameDuration)) : 0;
  return {
    width: wholeOf(picture && contentOf(picture, ids.pixelWidth)) || null,
    height: wholeOf(picture && contentOf(picture, ids.pixelHeight)) || null,
    seconds: (floatOf(info && contentOf(info, ids.duration)) * scale) / 1e9,
    media: {
      container: documentType === 'webm' ? 'webm' : 'matroska',
      videoCodec: video ? codecName(video) : null,
      audioCodec: audio ? codecName(audio) : null,
      frameRate: nanoseconds > 0 ? Math.round(1e12 / nanoseconds) / 1000 : null,
    },
  };
}
