// The properties that one types: checked after a pause, with the witness that is shown.
import type { ReactiveControllerHost } from 'lit';
import type { Source } from '../source/source';
import {
  isFailure,
  type AxisKind,
  type CheckAnswer,
  type CheckedProperty,
  type Failure,
  type NamedGroup,
  type Places,
  type TraceInfo,
  type Witness,
} from '../trace/types';

const typingPause = 350; // milliseconds until properties are checked

export class PropertySession {
  text = '';
  answer: CheckAnswer | Failure | null = null;
  isChecking = false;
  shown = -1; // the property whose witness is shown
  witness: Witness | Failure | null = null;
  step = -1; // of an observation that is played
  groups: NamedGroup[] = []; // of the property file
  private timer = 0;
  private number = 0; // of the last check

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly source: () => Source,
    private readonly checked: () => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  type(text: string): void {
    this.text = text;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), typingPause);
  }

  /** Only the answer to the last check counts. */
  async check(): Promise<void> {
    const number = ++this.number;
    this.isChecking = true;
    this.host.requestUpdate();
    try {
      const answer = await this.source().check(this.text);
      if (number !== this.number) return;
      this.answer = answer;
      if (!isFailure(answer)) this.groups = answer.groups;
      this.shown = -1;
      this.witness = null;
      this.checked();
    } catch (error) {
      this.failed(error);
    } finally {
      if (number === this.number) this.isChecking = false;
      this.host.requestUpdate();
    }
  }

  /** Asks why a property is as it is, at a place or at its first one. Returns the property. */
  async explain(property: number, place: string): Promise<CheckedProperty | null> {
    if (!this.answer || isFailure(this.answer)) return null;
    this.witness = await this.source().witness(property, place);
    this.shown = property;
    this.step = -1;
    this.host.requestUpdate();
    return this.answer.properties[property]!;
  }

  /** Where the path and the points of the witness stand; without points, the given places. */
  async marks(
    trace: TraceInfo,
    axis: AxisKind,
    places: { process: number[]; rank: number[] },
  ): Promise<{ path: Places | null; points: Places }> {
    const witness = this.witness && !isFailure(this.witness) ? this.witness : null;
    const named = (list: { process: string; event: number }[]) =>
      this.source().positions(
        { process: list.map((one) => trace.processes.indexOf(one.process)), rank: list.map((one) => one.event) },
        axis,
      );
    return {
      path: witness?.path ? await named(witness.path) : null,
      points: witness?.reasons ? await named(witness.reasons) : await this.source().positions(places, axis),
    };
  }

  /** Goes to a step of the observation. Returns the last event of each process up to there. */
  play(trace: TraceInfo, step: number): number[] | null {
    const witness = this.witness;
    if (!witness || isFailure(witness) || !witness.observation) return null;
    this.step = Math.max(0, Math.min(witness.observation.length, step));
    const ranks = trace.processes.map(() => 0);
    for (const { process, event } of witness.observation.slice(0, this.step)) {
      ranks[trace.processes.indexOf(process)] = event;
    }
    this.host.requestUpdate();
    return ranks;
  }
}
