/** Colours of themes: a site chooses any accent, and its text must stay readable (WCAG 2, contrast of 4.5). Colours are written `#rrggbb`. */

const pattern = /^#[0-9a-f]{6}$/i;
const channelsOf = (color) => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
const hexOf = (channels) => `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

function luminance(color) {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, from 1 to 21. */
export function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** A colour with a percentage of another one in it. What is no colour is returned unchanged. Templates may pass anything. */
export function mix(color, other, percentage) {
  if (!pattern.test(color) || !pattern.test(other)) return color;
  const share = Math.min(100, Math.max(0, Number(percentage ?? 50) || 0)) / 100;
  const others = channelsOf(other);
  return hexOf(channelsOf(color).map((value, at) => value * (1 - share) + others[at] * share));
}

/** The colour itself, or the nearest darker or lighter one whose contrast to the background is high enough. */
export function readableOn(color, background, least) {
  if (!pattern.test(color) || !pattern.test(background)) return color;
  const goal = contrast('#000000', background) > contrast('#ffffff', background) ? '#000000' : '#ffffff';
  const ratio = Number(least ?? 4.5) || 4.5;
  for (let percentage = 0; percentage < 100; percentage += 2) {
    const candidate = mix(color, goal, percentage);
    if (contrast(candidate, background) >= ratio) return candidate;
  }
  return goal;
}

/** White or black, for text on a colour. White if it is readable, because it looks better on saturated colours. */
export const textOn = (color) => (!pattern.test(color) || contrast('#ffffff', color) >= 4.5 ? '#ffffff' : '#000000');
