// A trace for the tests of the page, and what is true of it by the definitions.

/** Events of each process, in order. */
export const events = {
  alpha: [
    { kind: 'send', message: 'm1', to: 'beta', labels: ['request'], vars: { x: 1 }, text: 'asks for the lock' },
    { kind: 'internal', vars: { x: 2 } },
    { kind: 'receive', message: 'm3', labels: ['grant'], vars: { x: 3 }, source: 'lock.c:12' },
    { kind: 'internal', labels: ['enter'], vars: { inside: true } },
    { kind: 'send', message: 'm4', to: 'gamma', labels: ['leave'], vars: { inside: false } },
  ],
  beta: [
    { kind: 'receive', message: 'm1', vars: { y: 5 } },
    { kind: 'send', message: 'm2', to: 'gamma', vars: { y: 6 } },
    { kind: 'internal', labels: ['enter'], vars: { inside: true } },
    { kind: 'internal', labels: ['leave'], vars: { inside: false } },
  ],
  gamma: [
    { kind: 'receive', message: 'm2', vars: { z: 'a' } },
    { kind: 'send', message: 'm3', to: 'alpha', vars: { z: 'b' } },
    { kind: 'receive', message: 'm4', labels: ['done'] },
    { kind: 'send', message: 'm5', to: 'beta' },
  ],
};
export const processes = Object.keys(events);
const initial = { alpha: { x: 0 }, beta: {}, gamma: {} };

/** The order in which the lines of the file stand. */
const order = 'a1 b1 b2 b3 g1 a2 g2 a3 a4 b4 a5 g3 g4'.split(' ').map((word) => [
  processes.find((name) => name[0] === word[0]),
  Number(word[1]),
]);

export function lines() {
  return [
    JSON.stringify({ lightcone: 1, processes }),
    JSON.stringify({ process: 'alpha', kind: 'init', vars: initial.alpha }),
    ...order.map(([process, rank]) => JSON.stringify({ process, ...events[process][rank - 1] })),
  ];
}

/** Whether the cut, a rank per process, lacks no cause. */
export function isConsistent(cut) {
  const sent = new Map();
  for (const name of processes) {
    events[name].forEach((event, i) => event.kind === 'send' && sent.set(event.message, [name, i + 1]));
  }
  return processes.every((name, p) =>
    events[name].slice(0, cut[p]).every((event) => {
      if (event.kind !== 'receive') return true;
      const [from, rank] = sent.get(event.message);
      return rank <= cut[processes.indexOf(from)];
    }),
  );
}

function allCuts() {
  let cuts = [[]];
  for (const name of processes) {
    cuts = cuts.flatMap((cut) => Array.from({ length: events[name].length + 1 }, (_, rank) => [...cut, rank]));
  }
  return cuts.filter(isConsistent);
}

/** The least consistent cut above, and the greatest below, by going through all of them. */
export function leastAbove(ranks) {
  const above = allCuts().filter((cut) => cut.every((rank, p) => rank >= ranks[p]));
  return processes.map((_, p) => Math.min(...above.map((cut) => cut[p])));
}
export function greatestBelow(ranks) {
  const below = allCuts().filter((cut) => cut.every((rank, p) => rank <= ranks[p]));
  return processes.map((_, p) => Math.max(...below.map((cut) => cut[p])));
}

/** The variables of each process at a cut, as JSON texts. */
export function stateAt(cut) {
  return processes.map((name, p) => {
    const state = { ...initial[name] };
    for (const event of events[name].slice(0, cut[p])) Object.assign(state, event.vars ?? {});
    return Object.fromEntries(Object.entries(state).map(([key, value]) => [key, JSON.stringify(value)]));
  });
}
