// Where an error is underlined.
import { expect, test } from 'vitest';
import { errorRange } from '../../src/page/error_range';

const text = 'label a = x\nforbid b : posibly c\n';

test('the word at the column', () => {
  const [from, to] = errorRange(text, { line: 2, column: 12 });
  expect(text.slice(from, to)).toBe('posibly');
});
test('a line without a column is underlined as a whole', () => {
  const [from, to] = errorRange(text, { line: 1, column: 0 });
  expect(text.slice(from, to)).toBe('label a = x');
});
test('behind the end of the text', () => {
  const [from, to] = errorRange('ab', { line: 9, column: 99 });
  expect([from, to]).toEqual([1, 2]);
});
