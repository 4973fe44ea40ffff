import { useEffect, useState } from 'react';
import { type Day, todayIn } from './days';

const minute = 60_000;

/** Today's date in the site's time zone; updates at its midnight. */
export const useToday = (timeZone: string): Day => {
  const [today, setToday] = useState(() => todayIn(timeZone, Date.now()));
  useEffect(() => {
    const look = (): void => setToday(todayIn(timeZone, Date.now()));
    look();
    const timer = setInterval(look, minute);
    return () => clearInterval(timer);
  }, [timeZone]);
  return today;
};
