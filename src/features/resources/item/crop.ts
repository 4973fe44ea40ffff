type Size = { readonly width: number; readonly height: number };

/**
 * Where a picture that fills a box (`object-fit: cover`) is placed so that its focal point, in shares of its width and height, is as near to the centre of the box
 * as its edges allow: `object-position`, which counts in shares of what is cut off.
 */
export function objectPosition(picture: Size, box: Size, focal: { readonly x: number; readonly y: number }): string {
  const scale = Math.max(box.width / picture.width, box.height / picture.height);
  const share = (size: number, space: number, point: number): number => {
    const excess = size * scale - space;
    return excess < 0.5 ? 0.5 : Math.min(1, Math.max(0, (point * size * scale - space / 2) / excess));
  };
  const percent = (value: number): string => `${String(Math.round(value * 1000) / 10)}%`;
  return `${percent(share(picture.width, box.width, focal.x))} ${percent(share(picture.height, box.height, focal.y))}`;
}
