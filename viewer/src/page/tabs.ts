// The panels beside the diagram.

export type Tab = 'event' | 'cut' | 'properties' | 'races' | 'processes' | 'comparison';
export const tabs: [Tab, string][] = [
  ['event', 'Event'],
  ['cut', 'Cut'],
  ['properties', 'Properties'],
  ['races', 'Races'],
  ['processes', 'Processes'],
  ['comparison', 'Second run'],
];
