// Who answers the page: a server, or the page itself when it was exported with its data.
import type {
  AxisInfo,
  AxisKind,
  CheckAnswer,
  Comparison,
  CutAnswer,
  CutWish,
  EventDetails,
  Failure,
  Place,
  Places,
  Races,
  SearchHits,
  SearchKind,
  Tile,
  TileQuery,
  TraceInfo,
  Traffic,
  Version,
  Witness,
} from '../trace/types';

export interface Source {
  /** Whether there is no server: then nothing can be checked that was not checked before. */
  readonly exported: boolean;
  /** Where two runs are compared: who answers about the second one. */
  readonly second: Source | null;
  /** How the two runs differ; null if there is no second one. */
  comparison(): Promise<Comparison | null>;
  trace(): Promise<TraceInfo>;
  version(): Promise<Version>;
  axis(axis: AxisKind): Promise<AxisInfo>;
  tile(query: TileQuery): Promise<Tile>;
  /** Where places stand. */
  positions(places: { process: number[]; rank: number[] }, axis: AxisKind): Promise<Places>;
  /** The event of some processes that stands nearest to a position; none: they have none. */
  nearest(processes: number[], x: number, axis: AxisKind): Promise<Places>;
  event(place: Place, axis: AxisKind): Promise<EventDetails>;
  /** Null: there is no such cut. */
  cut(wish: CutWish, axis: AxisKind, askInevitable: boolean): Promise<CutAnswer | null>;
  search(kind: SearchKind, words: string, axis: AxisKind): Promise<SearchHits | Failure>;
  races(): Promise<Races>;
  traffic(): Promise<Traffic>;
  check(text: string): Promise<CheckAnswer | Failure>;
  /** Why a property of the last check is as it is, at a place or at its first one. */
  witness(property: number, place: string): Promise<Witness | Failure>;
}
