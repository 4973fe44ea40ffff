import { useState } from 'react';
import type { ReactElement } from 'react';
import { DateInput } from '@/ui/date/DateInput';
import DayCalendar from '@/ui/date/DayCalendar';
import { DateRangeField } from '@/ui/DateRangeField';
import { Section } from '@/ui/Section';
import { Row } from './Row';
import { useTexts } from './texts';

const today = '2026-11-25';
const range = { from: '2026-11-17', to: '2026-11-23' };
const before = { from: '2026-11-10', to: '2026-11-16' };

function Inputs(): ReactElement {
  const texts = useTexts();
  const [day, setDay] = useState('2026-11-20');
  const [moment, setMoment] = useState('2026-11-20T08:30');
  const [time, setTime] = useState('08:30');
  return (
    <>
      {([false, true] as const).map((small) => (
        <Row key={String(small)} name={small ? 'DateInput small' : 'DateInput'}>
          <div className="parts-date">
            <DateInput small={small} aria-label={texts.date} value={day} onChange={setDay} />
          </div>
          <div className="parts-date">
            <DateInput small={small} kind="datetime" aria-label={texts.moment} value={moment} onChange={setMoment} />
          </div>
          <div className="parts-date">
            <DateInput small={small} kind="time" aria-label={texts.time} value={time} onChange={setTime} />
          </div>
          <div className="parts-date">
            <DateInput small={small} aria-label={texts.empty} value="" onChange={() => undefined} />
          </div>
          <div className="parts-date">
            <DateInput small={small} aria-label={texts.failed} value="2026-02-30" onChange={() => undefined} />
          </div>
          <div className="parts-date">
            <DateInput small={small} readOnly aria-label={texts.published} value={day} onChange={() => undefined} />
          </div>
        </Row>
      ))}
      <Row name="DayCalendar">
        <div className="parts-calendar">
          <DayCalendar day={day} today={today} min="2000-01-01" max="2099-12-31" onDay={setDay} />
        </div>
        <div className="parts-calendar" data-part="DayCalendar disabled">
          <DayCalendar day={day} today={today} min="2026-11-09" max={today} onDay={setDay} />
        </div>
      </Row>
    </>
  );
}

/** Days chosen one by one and as ranges: with presets, for a comparison, and with days that cannot be chosen. */
export function Dates(): ReactElement {
  const texts = useTexts();
  const [chosen, setChosen] = useState(range);
  const [compared, setCompared] = useState(before);
  const [preset, setPreset] = useState('week');
  return (
    <Section title={texts.datesTitle}>
      <Inputs />
      <Row name="DateRangeField">
        <DateRangeField
          label={texts.range}
          chosen={preset}
          value={chosen}
          choices={texts.days.map((name, at) => ({ id: at === 0 ? 'week' : 'month', name, ...range }))}
          min="2026-01-01"
          max={today}
          onChoose={setPreset}
          onRange={(days) => {
            setPreset('custom');
            setChosen(days);
          }}
          onShift={() => undefined}
        />
      </Row>
      <Row name="DateRangeField compare">
        <DateRangeField
          label={texts.comparison}
          chosen="custom"
          value={compared}
          choices={[]}
          min="2026-11-05"
          max={today}
          onChoose={() => undefined}
          onRange={setCompared}
        />
      </Row>
    </Section>
  );
}
