// Asks the server that the page came from.
import { unpackTile } from '../trace/packed_tile';
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
import type { Source } from './source';

type Parameters = Record<string, string | number>;

export class ServerSource implements Source {
  readonly exported = false;

  constructor(
    private readonly base: string,
    private readonly token: string,
    private readonly run = 1,
  ) {}

  get second(): Source | null {
    return this.run === 1 ? new ServerSource(this.base, this.token, 2) : null;
  }
  comparison = () => this.get<Comparison | null>('comparison');

  trace = () => this.get<TraceInfo>('trace');
  version = () => this.get<Version>('version');
  axis = (axis: AxisKind) => this.get<AxisInfo>('axis', { axis });
  races = () => this.get<Races>('races');
  traffic = () => this.get<Traffic>('traffic');
  event = (place: Place, axis: AxisKind) =>
    this.get<EventDetails>('event', { process: place.process, rank: place.rank, axis });
  search = (kind: SearchKind, words: string, axis: AxisKind) =>
    this.get<SearchHits | Failure>('search', { kind, words, axis });
  witness = (property: number, place: string) =>
    this.get<Witness | Failure>('witness', { property, place });

  async tile({ processes, ...query }: TileQuery): Promise<Tile> {
    const response = await this.ask('tile', { ...query }, processes?.join(','));
    if (!response.ok) throw new Error(await response.text());
    return unpackTile(await response.arrayBuffer());
  }

  positions = ({ process, rank }: { process: number[]; rank: number[] }, axis: AxisKind) =>
    this.post<Places>('positions', { process, rank, axis });
  nearest = (process: number[], x: number, axis: AxisKind) =>
    this.post<Places>('nearest', { process, x: String(x), axis });

  async cut(wish: CutWish, axis: AxisKind, askInevitable: boolean): Promise<CutAnswer | null> {
    const body = {
      ...wish,
      axis,
      ask_inevitable: askInevitable,
      ...('x' in wish ? { x: String(wish.x) } : {}),
    };
    const response = await this.ask('cut', {}, JSON.stringify(body));
    return response.status === 400 ? null : ((await response.json()) as CutAnswer);
  }

  async check(text: string): Promise<CheckAnswer | Failure> {
    const response = await this.ask('check', {}, text);
    return (await response.json()) as CheckAnswer | Failure;
  }

  private ask(path: string, parameters: Parameters = {}, body?: string): Promise<Response> {
    const search = new URLSearchParams(this.run === 1 ? {} : { run: String(this.run) });
    for (const [name, value] of Object.entries(parameters)) search.set(name, String(value));
    return fetch(`${this.base}api/${path}?${search}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-Lightcone-Token': this.token },
      ...(body === undefined ? {} : { body }),
    });
  }

  private async post<Answer>(path: string, body: object): Promise<Answer> {
    const response = await this.ask(path, {}, JSON.stringify(body));
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Answer;
  }

  private async get<Answer>(path: string, parameters: Parameters = {}): Promise<Answer> {
    const response = await this.ask(path, parameters);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Answer;
  }
}
