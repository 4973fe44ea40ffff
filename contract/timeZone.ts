/** Whether `Intl` knows a time zone of this name. Offsets such as `+08:00` are not accepted, because a site needs a zone with its historical offsets. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
