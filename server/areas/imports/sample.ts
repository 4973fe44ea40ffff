import { maskAddress } from '../../collect/classify';
import { cleanText } from '../../collect/text';

const longest = 300;
const ipv4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
const ipv6 = /(?<![\w:])(?:[0-9a-f]{1,4}:){2,7}[0-9a-f:]*[0-9a-f](?![\w:])|(?<![\w:])[0-9a-f]{0,4}::[0-9a-f:]*/gi;

/** A log line for display: addresses are masked, control characters removed, and the text is truncated. */
export const maskLine = (text: string): string =>
  cleanText(
    cleanText(text, longest * 2)
      .replace(ipv4, (address) => maskAddress(address) || 'x.x.x.x')
      .replace(ipv6, (address) => maskAddress(address) || address),
    longest,
  );
