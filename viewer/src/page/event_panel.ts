// All about the selected event.
import { LitElement, css, html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { EventDetails, HeldValue, Place, TraceInfo } from '../trace/types';
import { coneSizes } from './cone_sizes';
import { shared } from './styles';
import { counted, placeText } from './wording';

@customElement('lightcone-event-panel')
export class EventPanel extends LitElement {
  @property({ attribute: false }) trace!: TraceInfo;
  @property({ attribute: false }) event: EventDetails | null = null;
  @property() note = ''; // about the event, from who shows it
  @property() nothing = ''; // what is said without an event

  static override styles = [
    shared,
    css`
      h2 { font-size: 15px; margin: 4px 0 8px; overflow-wrap: anywhere; }
      .kind { color: var(--soft); font-weight: normal; }
      .label { display: inline-block; border: 1px solid var(--line); border-radius: 10px; padding: 0 8px; margin: 0 4px 4px 0; }
      .cones { display: flex; gap: 14px; flex-wrap: wrap; margin: 8px 0; }
      .past::before { content: '◀ '; color: var(--past); }
      .future::before { content: '▶ '; color: var(--future); }
      .concurrent::before { content: '● '; color: var(--concurrent); }
      .changed td { font-weight: 600; }
      .name div { max-width: 165px; overflow-wrap: break-word; }
      td { overflow-wrap: anywhere; }
      .since { font-weight: normal; margin-left: 6px; }
      .text { white-space: pre-wrap; overflow-wrap: anywhere; }
      .walk { display: flex; gap: 6px; margin: 10px 0; }
    `,
  ];

  protected override render() {
    const event = this.event;
    if (!event && this.nothing) return html`<p class="note">${this.nothing}</p>`;
    if (!event) {
      return html`<p class="note">Click an event to see what it is, what led to it, and what it led to.</p>
        <p class="note">Double-click anywhere to cut the execution there.</p>`;
    }
    return html`
      <h2 id="place">${placeText(this.trace.processes, event)} <span class="kind">${event.kind}</span></h2>
      ${this.note ? html`<p class="note" id="note">${this.note}</p>` : nothing}
      ${event.labels.map((label) => html`<span class="label">${label}</span>`)}
      ${event.text ? html`<p class="text" id="text">${event.text}</p>` : nothing}
      ${this.cones(event)} ${this.walk(event)}
      <table>
        ${event.time !== undefined ? html`<tr><th>time</th><td>${event.time} s</td></tr>` : nothing}
        ${event.source ? html`<tr><th>source</th><td class="mono">${event.source}</td></tr>` : nothing}
        ${event.takes.map(
          (taken) => html`<tr><th>receives</th><td><span class="mono">${taken.message}</span> from ${this.link(taken)}</td></tr>`,
        )}
        ${event.duplicate ? html`<tr><th></th><td>delivered again</td></tr>` : nothing}
        ${event.message === undefined ? nothing : this.sent(event)}
        ${event.digest ? html`<tr><th>contents</th><td class="mono">${event.digest}</td></tr>` : nothing}
        ${event.extra ? html`<tr><th>also</th><td class="mono">${event.extra}</td></tr>` : nothing}
      </table>
      ${this.state(event)} ${this.clock(event)}
    `;
  }

  private cones(event: EventDetails) {
    const { past, future, concurrent } = coneSizes(this.trace, event);
    return html`<div class="cones">
      <span class="past">${past.toLocaleString('en')} in the past</span>
      <span class="future">${future.toLocaleString('en')} in the future</span>
      <span class="concurrent">${concurrent.toLocaleString('en')} concurrent</span>
    </div>`;
  }

  private walk(event: EventDetails) {
    const last = this.trace.counts[event.process]!;
    const go = (direction: string) => () =>
      this.dispatchEvent(new CustomEvent('walk', { detail: direction }));
    return html`<div class="walk" role="group" aria-label="Walk along causes">
      <button @click=${go('left')} ?disabled=${event.rank === 0} title="event before (←)">← before</button>
      <button @click=${go('right')} ?disabled=${event.rank === last} title="event after (→)">after →</button>
      <button @click=${go('up')} ?disabled=${event.takes.length === 0} title="to the send (↑)">↑ send</button>
      <button @click=${go('down')} ?disabled=${event.receivers.length === 0} title="to the receive (↓)">receive ↓</button>
    </div>`;
  }

  private sent(event: EventDetails) {
    const to = event.receivers.length
      ? event.receivers.map((place, i) => html`${i ? ', ' : ''}${this.link(place)}`)
      : html`nobody: it is in transit${event.to?.length ? html` to ${event.to.join(', ')}` : nothing}`;
    return html`<tr><th>sends</th><td><span class="mono">${event.message}</span> to ${to}</td></tr>`;
  }

  private link(place: Place) {
    const pick = () => this.dispatchEvent(new CustomEvent('pick', { detail: place }));
    return html`<button class="link" @click=${pick}>${placeText(this.trace.processes, place)}</button>`;
  }

  private state(event: EventDetails) {
    if (event.state.length === 0) return nothing;
    const before = new Map(event.before.map((held) => [held.name, held.value]));
    const row = (held: HeldValue) => {
      const old = before.get(held.name);
      const isNew = held.since === event.rank && old !== held.value;
      return html`<tr class=${isNew ? 'changed' : ''}>
        <td class="name"><div>${held.name}</div></td>
        <td><span class="mono">${held.value}</span>
          <span class="soft since">${isNew ? (old === undefined ? 'new' : html`was <span class="mono">${old}</span>`) : `since :${held.since}`}</span></td>
      </tr>`;
    };
    return html`<h3>Variables</h3><table id="variables">${event.state.map(row)}</table>`;
  }

  private clock(event: EventDetails) {
    const entries = event.past
      .map((rank, p) => ({ rank, name: this.trace.processes[p]! }))
      .filter((entry) => entry.rank > 0);
    return html`<details>
      <summary class="soft">Vector clock, ${counted(entries.length, 'entry', 'entries')}</summary>
      <p class="mono" id="clock">${entries.map((e) => `${e.name}:${e.rank}`).join('  ')}</p>
    </details>`;
  }
}
