const zh = /^zh/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '');

/** English, or Chinese where the terminal asks for it. */
export function say(english, chinese) {
  return zh ? chinese : english;
}
