/** Longest side of a poster, in pixels. */
const longest = 1920;

/** A picture as a JPEG in base64, not larger than a poster needs to be; null if the browser cannot encode it. */
async function encoded(source: CanvasImageSource, width: number, height: number): Promise<string | null> {
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.88));
  if (!blob) return null;
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the picture cannot be read')));
  });
  reader.readAsDataURL(blob);
  return (await read).split(',')[1] ?? null;
}

/** The picture that a video shows now; null if it has none. A video of which only the description is loaded loads its picture first. */
export async function frameOf(video: HTMLVideoElement): Promise<string | null> {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
    const loaded = new Promise<void>((resolve) => {
      for (const event of ['seeked', 'error']) video.addEventListener(event, () => resolve(), { once: true });
    });
    video.currentTime = Math.max(video.currentTime, 0.01);
    await loaded;
  }
  return video.videoWidth === 0 ? null : encoded(video, video.videoWidth, video.videoHeight);
}

/** A chosen image; null if the browser cannot read it. */
export async function imageOf(file: Blob): Promise<string | null> {
  try {
    const bitmap = await createImageBitmap(file);
    return await encoded(bitmap, bitmap.width, bitmap.height);
  } catch {
    return null;
  }
}
