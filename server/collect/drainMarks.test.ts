import { createDrainMarks } from './drainMarks';

const place = (offset: number) => ({ segment: 1, offset });
const marksFrom = (offset: number) => createDrainMarks({ inserted: place(offset), added: place(offset), drained: place(offset) }, () => undefined);

it('a wait ends when its mark reaches the place, whatever the other marks do', async () => {
  const marks = marksFrom(0);
  const order: string[] = [];
  const waits = [
    marks.reached('drained', place(10)).then(() => order.push('drained')),
    marks.reached('inserted', place(10)).then(() => order.push('inserted')),
  ];
  marks.reach('inserted', place(10));
  await Promise.resolve();
  expect(order).toEqual(['inserted']);
  marks.reach('drained', place(20));
  await Promise.all(waits);
  expect(order).toEqual(['inserted', 'drained']);
});

it('a mark never moves back', () => {
  const marks = marksFrom(10);
  marks.reach('added', place(5));
  expect(marks.at('added')).toEqual(place(10));
});

it('those who wait are refused when the drain ends', async () => {
  const marks = marksFrom(0);
  const wait = marks.reached('drained', place(10));
  marks.stop();
  marks.rejectAll();
  await expect(wait).rejects.toThrow('stopped');
  await expect(marks.reached('drained', place(0))).rejects.toThrow('stopped');
});
