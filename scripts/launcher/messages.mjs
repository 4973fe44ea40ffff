const zh = /^zh/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '');

/** Returns the English text, or the Chinese one when the terminal's locale is Chinese. */
export function say(english, chinese) {
  return zh ? chinese : english;
}
