import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Crop, VariantFormat } from '../../../contract/resources/terms';

/** What is read from an image. Width and height in pixels, after turning it upright; `pages`: frames of an animation. */
export type ImageFacts = {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly pages: number;
  readonly hasGps: boolean;
  readonly thumbhash: string;
  readonly color: string;
  readonly perceptualHash: string | null;
};
export type VariantSpec = {
  readonly width: number;
  readonly height: number;
  readonly fit: 'inside' | 'cover';
  /** Shares of the width and height after rotation and crop. */
  readonly focalX: number;
  readonly focalY: number;
  /** Clockwise quarter turns in degrees, and the visible part of the turned image, as shares; null for all of it. */
  readonly rotation: number;
  readonly crop: Crop | null;
  readonly format: VariantFormat;
  /** The image is an SVG that the program has drawn itself; others are not decoded. */
  readonly isDrawing?: boolean;
};
export type EncodedImage = { readonly data: Uint8Array; readonly width: number; readonly height: number };

/** The image cannot be decoded, or needs more memory or time than is allowed. */
export class UnreadableImage extends Error {}
/** Too many images are waiting. */
export class ImagesBusy extends Error {}

/** Images of visitors wait behind those of members, and have lower limits. */
export type ImageSender = 'member' | 'visitor';

export type ImageProcess = {
  /** Throws `UnreadableImage` or `ImagesBusy`. */
  readonly inspect: (bytes: Uint8Array, sender?: ImageSender) => Promise<ImageFacts>;
  /** An animation that cannot be converted within the limits becomes a still image. Throws `UnreadableImage` or `ImagesBusy`. */
  readonly variant: (bytes: Uint8Array, spec: VariantSpec, sender?: ImageSender) => Promise<EncodedImage>;
  /** A sanitised SVG, written shorter; ids and classes begin with `prefix`. Throws `UnreadableImage` or `ImagesBusy`. */
  readonly optimiseSvg: (svg: string, prefix: string) => Promise<string>;
  readonly close: () => void;
};
export type ImageLimits = {
  /** Pixels of an image that is decoded, and of one of a visitor. */
  readonly pixels: number;
  readonly visitorPixels: number;
  /** Memory of the child process in bytes. */
  readonly memory: number;
  /** Milliseconds for one image, for one that may be an animation, for one of a visitor, and for one SVG. */
  readonly timeout: number;
  readonly animationTimeout: number;
  readonly visitorTimeout: number;
  readonly svgTimeout: number;
  /** Images that wait at a time, and their bytes together. */
  readonly waiting: number;
  readonly waitingBytes: number;
  /** Milliseconds without work after which the child process ends. */
  readonly idle: number;
};
const defaultLimits: ImageLimits = {
  pixels: 100_000_000,
  // Cameras of phones have 48 megapixels.
  visitorPixels: 50_000_000,
  memory: 1024 ** 3,
  timeout: 30_000,
  animationTimeout: 30_000,
  visitorTimeout: 10_000,
  svgTimeout: 10_000,
  waiting: 200,
  waitingBytes: 256 * 1024 ** 2,
  idle: 60_000,
};

type Request = {
  readonly operation: 'inspect' | 'variant' | 'optimiseSvg';
  readonly bytes: Uint8Array;
  readonly prefix?: string;
  /** Of a variant: false if it may be an animation. */
  readonly still?: boolean;
} & Partial<VariantSpec>;
type Waiting = { readonly request: Request; readonly sender: ImageSender; readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };
type Response = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly refused: string };

/** `image-child.js` next to main.js in the build. */
function entryFile(): string {
  const built = fileURLToPath(new URL('./image-child.js', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('./child.mjs', import.meta.url));
}

function timeoutOf({ request, sender }: Waiting, { timeout, animationTimeout, visitorTimeout, svgTimeout }: ImageLimits): number {
  if (request.operation === 'optimiseSvg') return svgTimeout;
  const most = request.still === false ? animationTimeout : timeout;
  return sender === 'visitor' ? Math.min(most, visitorTimeout) : most;
}
const pixelsOf = ({ sender }: Waiting, { pixels, visitorPixels }: ImageLimits): number => (sender === 'visitor' ? Math.min(pixels, visitorPixels) : pixels);

/** Whether a variant may be an animation, by the signature of its original: that of a GIF, or of a WebP that says so (VP8X, flag 2). */
function mayMove(bytes: Uint8Array, { format, rotation }: VariantSpec): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 32)).toString('latin1');
  const isAnimated = head.startsWith('GIF8') || (head.startsWith('WEBPVP8X', 8) && (head.charCodeAt(20) & 2) !== 0);
  return isAnimated && format === 'webp' && rotation === 0;
}

/** Encodes variants. All pictures of an animation together may be too much where the first alone is not. */
const variantBy =
  (run: (request: Request, sender?: ImageSender) => Promise<EncodedImage>): ImageProcess['variant'] =>
  async (bytes, spec, sender) => {
    const encode = (still: boolean): Promise<EncodedImage> => run({ operation: 'variant', bytes, still, ...spec }, sender);
    if (!mayMove(bytes, spec)) return encode(true);
    try {
      return await encode(false);
    } catch (error) {
      if (!(error instanceof UnreadableImage)) throw error;
      return encode(true);
    }
  };

/**
 * Decodes and encodes images, one at a time, in a child process that starts with the first image and ends when it is idle. When it exceeds a limit or crashes,
 * only the image at hand fails; the next one gets a new process.
 */
export function imageProcess(limits: Partial<ImageLimits> = {}): ImageProcess {
  const allLimits = { ...defaultLimits, ...limits };
  const { memory, waiting: mostWaiting, waitingBytes, idle } = allLimits;
  const queue: Waiting[] = [];
  let child: ChildProcess | null = null;
  let current: Waiting | null = null;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;

  function stop(): void {
    clearTimeout(timer);
    child?.removeAllListeners();
    child?.kill('SIGKILL');
    child = null;
  }
  function settle(outcome: (waiting: Waiting) => void): void {
    const completed = current;
    current = null;
    clearTimeout(timer);
    if (completed) outcome(completed);
    next();
  }
  function failCurrent(reason: string): void {
    stop();
    settle(({ reject }) => reject(new UnreadableImage(reason)));
  }
  function started(): ChildProcess {
    if (child) return child;
    const fresh = fork(entryFile(), [String(memory)], {
      serialization: 'advanced',
      // JavaScript has a limit of its own: while it works, the child process cannot watch its memory.
      execArgv: [`--max-old-space-size=${Math.max(64, Math.floor(memory / 4 / 1024 ** 2))}`],
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    fresh.on('message', (message: Response) => {
      if (message.id !== lastId) return;
      settle(({ resolve, reject }) => ('refused' in message ? reject(new UnreadableImage(message.refused)) : resolve(message.value)));
    });
    fresh.on('error', (error) => failCurrent(error.message));
    fresh.on('exit', (code, signal) => failCurrent(`the image process ended with ${code ?? signal}`));
    // The program may end while the child process is idle.
    fresh.unref();
    fresh.channel?.unref();
    child = fresh;
    return fresh;
  }
  function next(): void {
    if (current) return;
    current = queue.shift() ?? null;
    if (!current) {
      timer = setTimeout(stop, idle).unref();
      return;
    }
    const process = started();
    timer = setTimeout(() => failCurrent('timeout'), timeoutOf(current, allLimits));
    process.send({ id: ++lastId, pixels: pixelsOf(current, allLimits), ...current.request }, (error) => {
      if (error && process === child) failCurrent(error.message);
    });
  }
  function run(request: Request, sender: ImageSender = 'member'): Promise<unknown> {
    const bytes = queue.reduce((sum, one) => sum + one.request.bytes.length, request.bytes.length);
    if (queue.length >= mostWaiting || (queue.length > 0 && bytes > waitingBytes)) return Promise.reject(new ImagesBusy());
    return new Promise((resolve, reject) => {
      const behind = sender === 'visitor' ? -1 : queue.findIndex((one) => one.sender === 'visitor');
      queue.splice(behind < 0 ? queue.length : behind, 0, { request, sender, resolve, reject });
      clearTimeout(current ? undefined : timer);
      next();
    });
  }

  return {
    inspect: (bytes, sender) => run({ operation: 'inspect', bytes }, sender) as Promise<ImageFacts>,
    variant: variantBy((request, sender) => run(request, sender) as Promise<EncodedImage>),
    optimiseSvg: (svg, prefix) => run({ operation: 'optimiseSvg', bytes: Buffer.from(svg), prefix }) as Promise<string>,
    close() {
      stop();
      for (const { reject } of queue.splice(0)) reject(new ImagesBusy());
      current?.reject(new ImagesBusy());
      current = null;
    },
  };
}
