// Numbers and values in words.

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `p2:4`, the way the program itself names a place. */
export function placeText(processes: string[], place: { process: number; rank: number }): string {
  return `${processes[place.process]}:${place.rank}`;
}
