// Says what the diagram shows at this zoom, and what it does not show one by one.
import type { RowChoice } from '../diagram/rows';
import type { HeldTile } from '../diagram/tile_store';
import type { AxisInfo, TraceInfo } from '../trace/types';
import { counted } from './wording';

export function levelText(
  held: HeldTile | null,
  choice: RowChoice,
  trace: TraceInfo,
  axis: AxisInfo,
): string {
  if (!held) return 'Loading …';
  const { tile, query } = held;
  const parts: string[] = [];
  if (query.processes) parts.push(`Of ${query.processes.length.toLocaleString('en')} processes in sight and beside`);
  parts.push(
    tile.listed
      ? `Exact: ${counted(tile.events, 'event')} here and beside`
      : `Density: ${counted(tile.events, 'event')} here and beside`,
  );
  if (tile.edges) {
    parts.push(counted(tile.messages, 'message'));
  } else {
    const bundles = counted(tile.bundles!.count.length, 'bundle');
    parts.push(`${counted(tile.messages, 'message')} in ${bundles}`);
    if (tile.thin_messages > 0) {
      parts.push(`${counted(tile.thin_messages, 'message')} in thinner bundles not drawn; zoom in to see them`);
    }
  }
  if (tile.unseen_messages > 0) parts.push(`${counted(tile.unseen_messages, 'message')} between others not drawn`);
  if (choice.hidden.size > 0) {
    const events = [...choice.hidden].reduce((sum, p) => sum + (trace.counts[p] ?? 0), 0);
    parts.push(`${counted(choice.hidden.size, 'process', 'processes')} hidden with ${counted(events, 'event')}`);
  }
  if (axis.kind === 'time' && axis.without_time > 0) {
    parts.push(`${counted(axis.without_time, 'event')} without a time stand where the one before does`);
  }
  return parts.join(' · ');
}
