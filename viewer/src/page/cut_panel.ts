// The global state at the cut: every variable of every process.
import { LitElement, css, html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { containsText } from '../diagram/rows';
import type { CutAnswer, TraceInfo } from '../trace/types';
import { shared } from './styles';
import { counted } from './wording';

const mostRows = 400;

@customElement('lightcone-cut-panel')
export class CutPanel extends LitElement {
  @property({ attribute: false }) trace!: TraceInfo;
  @property({ attribute: false }) cut: CutAnswer | null = null;
  @state() private filter = '';

  static override styles = [
    shared,
    css`
      .buttons { display: flex; gap: 6px; flex-wrap: wrap; margin: 8px 0; }
      .scroll { overflow-x: auto; }
      td, th { border-bottom: 1px solid var(--line); white-space: nowrap; vertical-align: middle; }
      .state { font-weight: 600; }
      .step { padding: 0 6px; }
    `,
  ];

  protected override render() {
    const cut = this.cut;
    if (!cut) {
      return html`<p class="note">A cut says how far each process has come. Double-click in the diagram to
          make one, then drag its handles. The others follow, so that no effect is without its cause.</p>
        <div class="buttons">
          <button @click=${() => this.tell('cut-start')}>At the beginning</button>
          <button @click=${() => this.tell('cut-selection')}>At the selected event (c)</button>
        </div>`;
    }
    return html`
      <p><span class="state" id="inevitable">${this.words(cut)}</span>
        <br /><span class="soft">${counted(cut.events, 'event')} inside, of ${counted(this.trace.events, 'event')}</span></p>
      <div class="buttons">
        <button @click=${() => this.tell('cut-previous')} title="previous inevitable state ([)">◁ inevitable</button>
        <button @click=${() => this.tell('cut-next')} title="next inevitable state (])">inevitable ▷</button>
        <button @click=${() => this.tell('cut-clear')}>Remove</button>
      </div>
      <div class="scroll">${this.table(cut)}</div>
    `;
  }

  private words(cut: CutAnswer): string {
    if (cut.inevitable === null) return 'Consistent global state';
    return cut.inevitable
      ? 'Inevitable: every observation passes through this state'
      : 'Not inevitable: some observations do not pass through this state';
  }

  private table(cut: CutAnswer) {
    const names = [...new Set(cut.state.flatMap((held) => held.map((value) => value.name)))];
    const hasLabels = cut.labels.some((labels) => labels.length > 0);
    const wanted = this.trace.processes.map((_, p) => p).filter((p) => containsText(this.trace.processes[p]!, this.filter));
    const shown = wanted.slice(0, mostRows);
    const left = wanted.length - shown.length;
    const hasFilter = this.trace.processes.length > 20;
    return html`${hasFilter ? html`<input type="search" placeholder="filter" aria-label="filter processes" .value=${this.filter}
        @input=${(event: Event) => (this.filter = (event.target as HTMLInputElement).value)} />` : nothing}
      ${this.isTall(names.length, shown.length) ? this.byVariable(cut, names, shown) : html`<table id="state">
        <tr><th>process</th><th>event</th>${names.map((name) => html`<th>${name}</th>`)}${hasLabels ? html`<th>labels</th>` : nothing}</tr>
        ${shown.map((p) => {
          const values = new Map(cut.state[p]!.map((held) => [held.name, held.value]));
          return html`<tr>
            <td>${this.trace.processes[p]}</td>
            <td>${this.steps(cut, p)}</td>
            ${names.map((name) => html`<td class="mono">${values.get(name) ?? ''}</td>`)}
            ${hasLabels ? html`<td>${cut.labels[p]!.join(', ')}</td>` : nothing}
          </tr>`;
        })}
      </table>`}
      ${left > 0 ? html`<p class="note">${counted(left, 'more process', 'more processes')} not listed here; use the filter.</p>` : nothing}`;
  }

  /** Few processes with many variables: these stand below each other. */
  private isTall(variables: number, processes: number): boolean {
    return variables > 5 && processes <= 3;
  }
  private byVariable(cut: CutAnswer, names: string[], shown: number[]) {
    const values = shown.map((p) => new Map(cut.state[p]!.map((held) => [held.name, held.value])));
    return html`<table id="state">
      <tr><th>process</th>${shown.map((p) => html`<th>${this.trace.processes[p]}</th>`)}</tr>
      <tr><th>event</th>${shown.map((p) => html`<td>${this.steps(cut, p)}</td>`)}</tr>
      ${names.map((name) => html`<tr><th>${name}</th>${values.map((held) => html`<td class="mono">${held.get(name) ?? ''}</td>`)}</tr>`)}
      <tr><th>labels</th>${shown.map((p) => html`<td>${cut.labels[p]!.join(', ')}</td>`)}</tr>
    </table>`;
  }

  private steps(cut: CutAnswer, p: number) {
    return html`<button class="step" aria-label="one event back" ?disabled=${cut.ranks[p] === 0} @click=${() => this.step(p, -1)}>‹</button>
      ${cut.ranks[p]}
      <button class="step" aria-label="one event on" ?disabled=${cut.ranks[p] === this.trace.counts[p]} @click=${() => this.step(p, 1)}>›</button>`;
  }
  private step(process: number, by: number): void {
    const rank = this.cut!.ranks[process]! + by;
    this.dispatchEvent(new CustomEvent('cut-step', { detail: { process, rank } }));
  }
  private tell(name: string): void {
    this.dispatchEvent(new CustomEvent(name));
  }
}
