// Processes, places and cuts of a trace that has grown, and events of two runs in words.
import { expect, test } from 'vitest';
import { comparedWords } from '../../src/page/compared_words';
import { numbersIn, renumberedCut, sameIn } from '../../src/page/renumbered';
import { alikeNote } from '../../src/page/second_run';
import type { TraceInfo } from '../../src/trace/types';

const before = { processes: ['a', 'c', 'gone'], counts: [2, 3, 1] } as unknown as TraceInfo;
const now = { processes: ['a', 'b', 'c'], counts: [4, 1, 3] } as unknown as TraceInfo;

test('processes are found by their names', () => expect(numbersIn(before, now)).toEqual([0, 2, -1]));

test('a place is that of the same process and rank, if there is one', () => {
  expect(sameIn({ process: 1, rank: 3 }, before, now)).toEqual({ process: 2, rank: 3 });
  expect(sameIn({ process: 2, rank: 0 }, before, now)).toBeNull();
  expect(sameIn({ process: 0, rank: 3 }, now, before)).toBeNull();
});

test('a cut keeps its ranks, and begins at 0 in new processes', () => {
  expect(renumberedCut([2, 3, 1], before, now)).toEqual([2, 0, 3]);
});

test('events that are compared are told in words', () => {
  expect(comparedWords({ kind: 'receive', messages: [{ from: 'bob', number: 1, to: ['store'], name: 'm' }], labels: ['x', 'y'] })).toBe(
    'receive of message 1 from bob; x, y',
  );
  expect(comparedWords({ kind: 'send', sends: { from: 'p', number: 3, to: ['q', 'r'], name: 'm' }, text: '4 MPI_INT', digest: '00ff' })).toBe(
    'send of message 3 to 2 receivers; 4 MPI_INT; contents 00ff',
  );
  expect(comparedWords({ kind: 'internal', vars: { x: 1, s: 'a' } })).toBe('internal event; x = 1, s = "a"');
  expect(comparedWords({ kind: 'init' })).toBe('initial state');
});

test('an event is the same, differs first, or comes after that', () => {
  const note = (rank: number) => alikeNote([3], { process: 0, rank });
  expect([note(3), note(4), note(5), note(0)]).toEqual([
    'The same in both runs.', 'Here this process differs first.', 'After the first difference of this process.', '',
  ]);
});
