import { crc32c } from './crc32c';

/**
 * A journal file is a sequence of frames: mark (4 bytes), payload length (4, little endian), CRC-32C of the payload (4), payload. The mark lets a reader find
 * the next frame after damaged bytes. A `skip` frame replaces the header of a damaged range: its length is the number of bytes to skip; it has no payload.
 */
export const headBytes = 12;
export const maxPayload = 16 * 1024 * 1024;
const marks = { data: Buffer.from('SWJ\u0001', 'latin1'), skip: Buffer.from('SWJ\u0002', 'latin1') } as const;

export type Frame = { readonly kind: 'data' | 'skip'; readonly from: number; readonly to: number; readonly payload: Buffer };

export function dataFrame(payload: string): Buffer {
  const bytes = Buffer.byteLength(payload);
  const frame = Buffer.allocUnsafe(headBytes + bytes);
  marks.data.copy(frame, 0);
  frame.writeUInt32LE(bytes, 4);
  frame.write(payload, headBytes);
  frame.writeUInt32LE(crc32c(frame, headBytes), 8);
  return frame;
}

/** The header that makes readers skip `bytes` bytes (header included). */
export function skipHead(bytes: number): Buffer {
  const head = Buffer.alloc(headBytes);
  marks.skip.copy(head, 0);
  head.writeUInt32LE(bytes - headBytes, 4);
  head.writeUInt32LE(crc32c(head, 4, 8), 8);
  return head;
}

/** The frame at `from`; `short` if the bytes end before the frame does, `bad` if there is no valid frame. */
export function readFrame(bytes: Buffer, from: number): Frame | 'short' | 'bad' {
  if (from + headBytes > bytes.length) return 'short';
  const kind = bytes.compare(marks.data, 0, 4, from, from + 4) === 0 ? 'data' : bytes.compare(marks.skip, 0, 4, from, from + 4) === 0 ? 'skip' : null;
  if (kind === null) return 'bad';
  const length = bytes.readUInt32LE(from + 4);
  const crc = bytes.readUInt32LE(from + 8);
  const to = from + headBytes + length;
  if (kind === 'skip') {
    if (crc32c(bytes, from + 4, from + 8) !== crc) return 'bad';
    return { kind, from, to, payload: bytes.subarray(0, 0) };
  }
  if (length > maxPayload) return 'bad';
  if (to > bytes.length) return 'short';
  if (crc32c(bytes, from + headBytes, to) !== crc) return 'bad';
  return { kind, from, to, payload: bytes.subarray(from + headBytes, to) };
}

export type Damage = { readonly from: number; readonly to: number };
export type Survey = {
  /** Damaged ranges that are followed by valid frames. */
  readonly damage: readonly Damage[];
  /** The end of the valid part; anything up to the end of the file is a torn write. */
  readonly end: number;
};

/** Scans a whole file for damaged ranges and for the end of its valid part. */
export function survey(bytes: Buffer): Survey {
  const damage: Damage[] = [];
  let at = 0;
  for (;;) {
    const frame = readFrame(bytes, at);
    if (typeof frame !== 'string') {
      if (frame.to > bytes.length) return { damage, end: at };
      at = frame.to;
      continue;
    }
    const next = nextFrame(bytes, at + 1);
    if (next === null) return { damage, end: at };
    damage.push({ from: at, to: next });
    at = next;
  }
}

function nextFrame(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf(marks.data, from); at !== -1; at = bytes.indexOf(marks.data, at + 1)) {
    if (typeof readFrame(bytes, at) !== 'string') return at;
  }
  return null;
}
