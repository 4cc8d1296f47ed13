// Places from left to right.
import { expect, test } from 'vitest';
import { fromLeft } from '../../src/trace/places';

test('places are sorted by position; those at one position keep their order', () => {
  const places = { process: [0, 1, 2], rank: [4, 5, 6], x: [3, 1, 3] };
  expect(fromLeft(places)).toEqual({ process: [1, 0, 2], rank: [5, 4, 6], x: [1, 3, 3] });
});
