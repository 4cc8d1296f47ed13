// Properties: the editor, verdicts as one types, and witnesses.
import { LitElement, css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import {
  isFailure,
  type CheckAnswer,
  type CheckedProperty,
  type Failure,
  type Place,
  type TraceInfo,
  type Witness,
} from '../trace/types';
import './property_editor';
import { shared } from './styles';
import { counted, placeText } from './wording';

const mostPlaces = 30;
const signs = { pass: '✓', fail: '✗', info: 'i', unknown: '?' } as const;

@customElement('lightcone-properties-panel')
export class PropertiesPanel extends LitElement {
  @property({ attribute: false }) trace!: TraceInfo;
  @property() text = '';
  @property({ type: Boolean }) readonly = false;
  @property({ attribute: false }) answer: CheckAnswer | Failure | null = null;
  @property({ type: Boolean }) checking = false;
  @property({ type: Number }) shown = -1; // whose witness is shown
  @property({ attribute: false }) witness: Witness | Failure | null = null;
  @property({ type: Number }) step = -1; // of an observation that is played
  @state() private open = -1; // whose places are listed

  static override styles = [
    shared,
    css`
      .editor { height: 220px; resize: vertical; overflow: hidden; }
      ul { list-style: none; margin: 8px 0; padding: 0; }
      li { border-bottom: 1px solid var(--line); padding: 5px 0; }
      .head { display: flex; gap: 8px; align-items: baseline; width: 100%; }
      .sign { flex: none; width: 18px; height: 18px; line-height: 18px; border-radius: 9px; text-align: center; font-weight: 700; color: var(--paper); }
      .pass .sign { background: var(--hit); }
      .fail .sign { background: var(--witness); border-radius: 3px; }
      .info .sign { background: var(--future); }
      .unknown .sign { background: var(--soft); }
      .name { font-weight: 600; overflow-wrap: anywhere; }
      .places { margin: 4px 0 4px 26px; display: flex; flex-wrap: wrap; gap: 2px 10px; }
      .witness { margin: 6px 0 4px 26px; padding-left: 10px; border-left: 3px solid var(--witness); }
      .witness ol { margin: 4px 0; padding-left: 22px; max-height: 260px; overflow: auto; }
      .now { font-weight: 700; }
      .play { display: flex; gap: 6px; margin: 4px 0; }
      #error { color: var(--witness); font-weight: 600; overflow-wrap: anywhere; }
    `,
  ];

  protected override render() {
    const failure = this.answer && isFailure(this.answer) ? this.answer.error : null;
    const error = failure?.line ? { line: failure.line, column: failure.column ?? 0 } : null;
    return html`
      <div class="editor">
        <lightcone-property-editor .value=${this.text} .error=${error} ?readonly=${this.readonly}
          @typed=${(event: CustomEvent<string>) => this.tell('typed', event.detail)}></lightcone-property-editor>
      </div>
      ${this.readonly ? html`<p class="note">These were checked when the page was exported.</p>` : nothing}
      <div role="status" aria-live="polite">
        ${failure
          ? html`<p id="error">${failure.line ? `Line ${failure.line}: ` : ''}${failure.what}</p>
              ${failure.hint ? html`<p class="note">${failure.hint}</p>` : nothing}`
          : nothing}
        ${this.answer && !isFailure(this.answer) ? this.results(this.answer) : nothing}
        ${this.checking ? html`<p class="note">Checking …</p>` : nothing}
        ${!this.answer && !this.checking && !this.text
          ? html`<p class="note">Write what must and must not happen, such as<br /><code>forbid both : possibly count(busy) >= 2</code></p>`
          : nothing}
      </div>
    `;
  }

  private results(answer: CheckAnswer) {
    return html`<p id="summary">${answer.summary}</p>
      ${answer.warnings.map((warning) => html`<p class="note">${warning}</p>`)}
      <ul>${answer.properties.map((property, i) => this.item(property, i))}</ul>`;
  }

  private item(property: CheckedProperty, i: number) {
    const missing = property.verb === 'require' && property.verdict === 'fail';
    const places = missing ? property.missing : property.at;
    const open = () => {
      this.open = this.open === i ? -1 : i;
      this.tell('explain', { property: i, place: null });
    };
    return html`<li class=${property.verdict}>
      <button class="plain head" @click=${open} aria-expanded=${this.open === i} title=${property.question}>
        <span class="sign" aria-hidden="true">${signs[property.verdict]}</span>
        <span><span class="name">${property.name}</span> <span class="soft">${property.verb}: ${property.verdict}</span><br />${property.finding}</span>
      </button>
      ${this.open === i && !property.is_global ? this.places(i, places, missing ? property.asked_count - property.found_count : property.found_count) : nothing}
      ${this.open === i ? html`<p class="note places">${property.method}</p>` : nothing}
      ${this.shown === i && this.witness ? this.explained(this.witness) : nothing}
    </li>`;
  }

  private places(property: number, places: { process: number[]; rank: number[] }, count: number) {
    const listed = places.process.slice(0, mostPlaces).map((process, i) => ({ process, rank: places.rank[i]! }));
    return html`<div class="places">
      ${listed.map((place) => html`<button class="link" @click=${() => this.tell('explain', { property, place })}>${placeText(this.trace.processes, place)}</button>`)}
      ${count > listed.length ? html`<span class="soft">and ${counted(count - listed.length, 'more place')}</span>` : nothing}
    </div>`;
  }

  private explained(witness: Witness | Failure) {
    if (isFailure(witness)) return html`<p class="witness soft">${witness.error.what}</p>`;
    return html`<div class="witness" id="witness">
      ${witness.path ? html`A flow that ${witness.matches ? 'matches' : 'does not match'}:
        <ol>${witness.path.map((step) => html`<li>${this.named(step)} ${step.labels.join(', ')}</li>`)}</ol>` : nothing}
      ${witness.reasons ? html`Because
        <ol>${witness.reasons.map((reason) => html`<li>${this.named(reason)} <code>${reason.variable}</code> is ${String(reason.value)}${reason.facts.length ? `: ${reason.facts.join(', ')}` : ''}</li>`)}</ol>` : nothing}
      ${witness.state ? html`In this global state:
        <ol>${witness.state.map((part) => html`<li>${this.named(part)} <code>${part.reads.join(', ')}</code></li>`)}</ol>` : nothing}
      ${witness.observation?.length ? this.observation(witness.observation) : nothing}
    </div>`;
  }

  private observation(steps: NonNullable<Witness['observation']>) {
    return html`An observation that shows it, step by step:
      <div class="play">
        <button @click=${() => this.tell('play', -1)} ?disabled=${this.step <= 0} aria-label="step back">◁</button>
        <button @click=${() => this.tell('play', 1)} ?disabled=${this.step >= steps.length} aria-label="step forward">▷</button>
        <span class="soft">${Math.max(0, this.step)} of ${counted(steps.length, 'step')}</span>
      </div>
      <ol>${steps.map((step, i) => html`<li class=${i + 1 === this.step ? 'now' : ''}>${this.named(step)} <code>${step.changes.join(', ')}</code></li>`)}</ol>`;
  }

  private named(place: { process: string; event: number }) {
    const process = this.trace.processes.indexOf(place.process);
    const detail: Place = { process, rank: place.event };
    return html`<button class="link" @click=${() => this.tell('pick', detail)}>${place.process}:${place.event}</button>`;
  }

  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
