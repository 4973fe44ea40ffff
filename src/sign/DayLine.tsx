import { useState } from 'react';

/** A typical day of a site, by hour: quiet at four, busy before noon, busiest in the evening. Decorative, not data. */
const hours = [22, 14, 9, 6, 5, 7, 14, 28, 48, 66, 74, 70, 58, 60, 68, 72, 66, 60, 58, 70, 84, 88, 68, 42, 24];
const width = 1440;
const height = 240;

const x = (hour: number) => (hour / 24) * width;
const y = (value: number) => height - 20 - (value / 100) * (height - 40);

/** A Catmull-Rom spline through the hours, written as cubic Béziers. */
function curve(): string {
  const at = (i: number) => [x(i), y(hours[Math.min(Math.max(i, 0), hours.length - 1)] ?? 0)] as const;
  let path = `M${at(0).join(' ')}`;
  for (let i = 0; i < hours.length - 1; i += 1) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    path += `C${from[0] + (to[0] - before[0]) / 6} ${from[1] + (to[1] - before[1]) / 6} ${to[0] - (after[0] - from[0]) / 6} ${to[1] - (after[1] - from[1]) / 6} ${to[0]} ${to[1]}`;
  }
  return path;
}
const path = curve();

const hourNow = (): number => {
  const now = new Date();
  return now.getHours() + now.getMinutes() / 60;
};

/** The page's only ornament: a day's line, solid until the current hour and dashed after it, as in reports. */
export function DayLine() {
  const [now] = useState(hourNow);
  return (
    <svg className="day" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <defs>
        <clipPath id="past">
          <rect x="0" y="0" width={x(now)} height={height} />
        </clipPath>
        <clipPath id="ahead">
          <rect x={x(now)} y="0" width={width - x(now)} height={height} />
        </clipPath>
      </defs>
      <path d={`${path}V${height}H0Z`} clipPath="url(#past)" className="area" />
      <path d={path} clipPath="url(#past)" className="past" />
      <path d={path} clipPath="url(#ahead)" className="ahead" />
      <line x1={x(now)} x2={x(now)} y1="0" y2={height} className="now" />
    </svg>
  );
}
