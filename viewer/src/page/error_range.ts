// Which part of a text an error is about.

export interface EditorError {
  line: number; // from 1
  column: number; // from 1; 0: the whole line
}

/** The offsets between which it is underlined: a word, a sign, or a line. */
export function errorRange(text: string, error: EditorError): [number, number] {
  const lines = text.split('\n');
  const line = Math.min(lines.length, Math.max(1, error.line)) - 1;
  let start = 0;
  for (let i = 0; i < line; ++i) start += lines[i]!.length + 1;
  const content = lines[line]!;
  if (error.column <= 0) return [start, start + content.length];
  const begin = Math.min(error.column - 1, Math.max(0, content.length - 1));
  const word = /^[\w-]+/.exec(content.slice(begin));
  return [start + begin, start + begin + (word ? word[0].length : 1)];
}
